"""Small programs for torch.fx, and what of a trace of each is recorded. PyTorch and glasstorch run the same file."""
import math
import operator
import torch
import torch.fx as fx
import torch.nn.functional as F
from torch import nn, Tensor
from torch.fx.experimental.proxy_tensor import make_fx
from typing import Dict, List, NamedTuple, Optional, Tuple

# Functions and modules `f` that can be traced; `T` is a tracer of their own.
TRACED = {
    'kwargs': r'''
def f(x, *, scale=2.0, bias=None):
    y = torch.add(x, x, alpha=3)
    return torch.clamp(y, min=0.0, max=1.0).mul(scale)
''',
    'varargs': r'''
def f(x, *args):
    return x + args[0] + args[1]
''',
    'varkw': r'''
def f(x, **kw):
    return x * kw["a"]
''',
    'closure': r'''
def make(k):
    w = torch.ones(3) * k
    def f(x):
        return x * w + k
    return f
f = make(3)
''',
    'lambda_': r'''
f = lambda x, y: (x - y).abs().max()
''',
    'pyloop': r'''
def f(x):
    outs = []
    for i in range(3):
        outs.append(x * i)
    return torch.stack(outs), torch.cat(outs, dim=1), sum(outs)
''',
    'dicts': r'''
def f(x):
    d = {"a": x + 1, "b": [x, x * 2]}
    return d
''',
    'nested_tuple': r'''
def f(x):
    a, (b, c) = x + 1, (x * 2, x - 3)
    return (a, (b, [c, None, 2.0, "s", True]))
''',
    'namedtuple': r'''
class P(NamedTuple):
    a: Tensor
    b: int
def f(x):
    p = P(x + 1, 2)
    return p.a * p.b, p
''',
    'dtypes': r'''
def f(x):
    y = x.to(torch.float64)
    z = torch.zeros(2, 3, dtype=torch.int64, device=torch.device("cpu"))
    return y, z + x.to(dtype=torch.int32), x.type(torch.float16), torch.empty_like(x, memory_format=torch.contiguous_format).zero_()
''',
    'shape': r'''
def f(x):
    b, n = x.shape
    return x.reshape(b * n), x.view(-1, x.size(1)), x.shape[0], x.ndim, x.T, x.dtype
''',
    'reflected': r'''
def f(x):
    return 2 - x, 3 / (x + 10), 2 ** x, 7 // (x + 10), 1 + x, 5 * x, -x, +x, abs(x), x % 2, 3 % (x + 10)
''',
    'compare': r'''
def f(x, y):
    return x > y, x < 1, x >= 0.5, x <= y, x == y, x != 2, (x > 0) & (y > 0), (x > 0) | (y > 0), ~(x > 0), (x > 0) ^ (y < 0)
''',
    'matmul': r'''
def f(x, y):
    return x @ y, x.mm(y), torch.einsum("ij,jk->ik", x, y), (x @ y).sum(dim=(0, 1), keepdim=True)
''',
    'inplace': r'''
def f(x):
    y = x.clone()
    y += 1
    y *= 2
    y.add_(3)
    operator.iadd(y, 2)
    return y
''',
    'functional': r'''
def f(x, w):
    a = F.linear(x, w)
    b = F.gelu(a)
    c = F.layer_norm(b, (2,))
    d = F.dropout(c, p=0.0, training=False)
    e = F.pad(d, (1, 1), value=0.5)
    return F.log_softmax(e, dim=1), F.relu(a), F.leaky_relu(a, 0.2), F.softplus(a), F.normalize(a, dim=1)
''',
    'conv': r'''
class M(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.c = nn.Conv2d(1, 2, 3, padding=1)
        self.b = nn.BatchNorm2d(2)
        self.pool = nn.MaxPool2d(2)
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(2)])
        self.d = nn.ModuleDict({"k": nn.ReLU()})
    def forward(self, x):
        x = self.pool(F.relu(self.b(self.c(x))))
        x = torch.flatten(x, 1)
        for l in self.layers:
            x = self.d["k"](l(x))
        return x
f = M().eval()
''',
    'nested_module': r'''
class Inner(nn.Module):
    def __init__(self, n):
        super().__init__()
        torch.manual_seed(n)
        self.lin = nn.Linear(3, 3)
        self.w = nn.Parameter(torch.ones(3))
    def forward(self, x, scale=1.0):
        return self.lin(x) * self.w * scale
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Inner(0)
        self.b = Inner(1)
    def forward(self, x):
        return self.a(x) + self.b(x, scale=2.0) + self.a(x, 3.0)
f = M()
''',
    'tensor_const': r'''
w = torch.tensor([1.0, 2.0, 3.0])
def f(x):
    return x + w, x * torch.tensor([1.0, 2.0, 3.0]), w + x, torch.maximum(x, w)
''',
    'attr_tensor': r'''
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.t = torch.ones(3)
        self.k = 5
        self.s = "add"
    def forward(self, x: Tensor) -> Tensor:
        if self.s == "add":
            return x + self.t * self.k
        return x
f = M()
''',
    'annotations': r'''
def f(x: torch.Tensor, y: Optional[Tensor] = None, z: List[int] = None, n: int = 2) -> Tuple[Tensor, Tensor]:
    return x * n, x + 1
''',
    'concrete_bool': r'''
concrete_args = {'flag': True, 'k': 3}
def f(x, flag=True, k=3):
    if flag:
        return x * k
    return x
''',
    'math_': r'''
def f(x):
    return math.sqrt(x.size(0)) * x + math.pi
''',
    'wrapped_deco': r'''
@fx.wrap
def helper(a, b=2):
    return a * b
def f(x):
    return helper(x) + helper(x, b=3) + helper(2, 3)
''',
    'custom_tracer': r'''
class T(fx.Tracer):
    def is_leaf_module(self, m, qualname):
        return isinstance(m, (nn.Linear, nn.Sequential))
class M(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.s = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
        self.r = nn.ReLU()
        self.d = nn.Dropout(0.0)
    def forward(self, x):
        return self.d(self.r(self.s(x)))
f = M().eval()
''',
    'custom_tracer_arg': r'''
class Sq:
    def __init__(self, v): self.v = v
class T(fx.Tracer):
    def create_arg(self, a):
        if isinstance(a, Sq):
            return self.create_node("call_function", torch.full, ((2,), a.v), {})
        return super().create_arg(a)
def f(x):
    return torch.add(x, Sq(2.0))
''',
    'traceall': r'''
class T(fx.Tracer):
    def is_leaf_module(self, m, qualname):
        return False
class M(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.l = nn.Linear(3, 2)
        self.n = nn.LayerNorm(2)
    def forward(self, x):
        return self.n(self.l(x))
f = M()
''',
    'method_kwargs': r'''
def f(x):
    return x.sum(dim=1, keepdim=True), x.permute(1, 0), x.transpose(0, 1).contiguous(), x.expand(2, 3), x.masked_fill(x > 0, -1e9), x.split(1, dim=0)[0], x.chunk(2, dim=0)
''',
    'special_floats': r'''
def f(x):
    return x + float("inf"), x * float("nan"), x - 1e-8, x + 1e20, x + 3.0, x + 0.1, torch.full((2,), float("-inf"))
''',
    'names': r'''
def f(input, len_, self_x):
    add = input + 1
    sum = add.sum()
    type = sum * 2
    relu_1 = torch.relu(type)
    relu = torch.relu(relu_1)
    return relu, input.max(), input.min(), torch.all(input > 0), torch.any(input > 0), input.abs()
''',
    'getattr_chain': r'''
def f(x):
    return x.data.T.shape, x.real, x.mT
''',
    'where': r'''
def f(x, y):
    return torch.where(x > 0, x, y), torch.where(x > 0, 1.0, 0.0), torch.gather(x, 0, torch.zeros(1, 3, dtype=torch.long))
''',
    'reuse': r'''
class M(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.l = nn.Linear(3, 3)
    def forward(self, x):
        for _ in range(3):
            x = torch.tanh(self.l(x))
        return x + self.l.weight + self.l.bias
f = M()
''',
    'rnn': r'''
class M(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.g = nn.GRU(3, 2, batch_first=True)
        self.e = nn.Embedding(5, 3)
    def forward(self, i):
        o, h = self.g(self.e(i))
        return o[:, -1], h
f = M()
''',
    'dataclass_': r'''
from dataclasses import dataclass
@dataclass
class D:
    a: Tensor
    b: int
def f(x):
    return D(x + 1, 3)
''',
    'slices': r'''
def f(x, n):
    return x[1:], x[:, n], x[0:n], x[..., 0], x[None], x[-1, ::2], x[[0, 1]], x[torch.tensor([0])]
''',
    'nograd': r'''
def f(x):
    with torch.no_grad():
        y = x * 2
    return y.detach() + x
''',
    'assert_': r'''
def f(x):
    torch._assert(x.size(0) == 2, "bad")
    assert isinstance(x, object)
    return x + 1
''',
    'str_method': r'''
def f(x):
    name = "relu"
    return getattr(x, name)() + getattr(torch, name)(x)
''',
    'setitem_': r'''
def f(x):
    y = x.clone()
    operator.setitem(y, 0, 5.0)
    return y
''',
    'linalg_': r'''
def f(x):
    return torch.linalg.norm(x), torch.special.expit(x), torch.fft.fftfreq(4), torch.linalg.vector_norm(x, ord=2)
''',
    'empty_': r'''
def f():
    return torch.ones(2)
''',
    'return_input': r'''
def f(x, y):
    return y
''',
    'pytree_args': r'''
def f(d):
    return d["a"] + d["b"][0]
''',
    'default_tuple': r'''
def f(x, dims=(0, 1), dt=torch.float32):
    return x.sum((0, 1)), dims
''',
    'sequential_root': r'''
torch.manual_seed(0)
f = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
''',
}

# Functions `f`, most of which cannot be traced.
REFUSED = {
    'while_': r'''
def f(x):
    while x.sum() > 0:
        x = x - 1
    return x
''',
    'for_': r'''
def f(x):
    for r in x:
        pass
    return x
''',
    'len_': r'''
def f(x):
    return len(x)
''',
    'int_': r'''
def f(x):
    return int(x)
''',
    'float_': r'''
def f(x):
    return float(x)
''',
    'bool_': r'''
def f(x):
    return bool(x)
''',
    'and_': r'''
def f(x, y):
    return x and y
''',
    'not_': r'''
def f(x):
    return not x
''',
    'in_': r'''
def f(x):
    return 1 in x
''',
    'kw_': r'''
def f(x):
    return dict(**x)
''',
    'chained': r'''
def f(x):
    return 0 < x < 1
''',
    'del_': r'''
def f(x):
    del x[0]
    return x
''',
    'index_': r'''
def f(x):
    return [1, 2, 3][x]
''',
    'range_': r'''
def f(n):
    return list(range(n))
''',
    'set_': r'''
def f(x):
    return {x}
''',
    'func_ret': r'''
def f(x):
    return len
''',
    'type_ret': r'''
def f(x):
    return int
''',
    'list_x': r'''
def f(x):
    return list(x)
''',
    'zip_': r'''
def f(x):
    return [a for a, b in zip(x, x)]
''',
    'unpack_star': r'''
def f(x):
    a, *b = x
    return a
''',
    'param_notmember': r'''
p = nn.Parameter(torch.ones(2))
def f(x):
    return x + p
''',
    'module_notmember': r'''
m = nn.Linear(2, 2)
def f(x):
    return m(x)
''',
    'raise_': r'''
def f(x):
    raise ValueError("own")
''',
    'sorted_': r'''
def f(x):
    return sorted([x, x])
''',
    'max_': r'''
def f(x, y):
    return max(x, y)
''',
    'format_': r'''
def f(x):
    return "%d" % x
''',
    'fmt_spec': r'''
def f(x):
    return f"{x:.2f}"
''',
    'torch_tensor': r'''
def f(x):
    return torch.tensor([x, x])
''',
    'ones_proxy': r'''
def f(x):
    return torch.ones(x.shape)
''',
    'ones_size': r'''
def f(x):
    return torch.ones(x.size(0), 2)
''',
    'if_shape': r'''
def f(x):
    if x.shape[0] > 2:
        return x
    return -x
''',
    'iter_shape': r'''
def f(x):
    return [s for s in x.shape]
''',
    'dictkey': r'''
def f(x):
    return {x: 1}
''',
    'np_': r'''
def f(x):
    return x.numpy() + 1
''',
    'item_': r'''
def f(x):
    return x.item() + 1
''',
    'callable_cls': r'''
class C:
    def __call__(self, x):
        return x + 1
f = C()
''',
    'builtin_f': r'''
f = torch.relu
''',
    'method_f': r'''
class C:
    def g(self, x):
        return x + 1
f = C().g
''',
    'wrap_inner': r'''
def f(x):
    fx.wrap("len")
    return x
''',
    'any_': r'''
def f(x):
    return any([x > 0])
''',
    'round_': r'''
def f(x):
    return round(x)
''',
    'divmod_': r'''
def f(x):
    return divmod(x, 2)
''',
    'hash_': r'''
def f(x):
    return {1: x, 2: hash("a") and x}
''',
    'isinst': r'''
def f(x):
    if isinstance(x, torch.Tensor):
        return x + 1
    return x + 2
''',
    'gen': r'''
def f(x):
    yield x
''',
    'complex_': r'''
def f(x):
    return x + 2j
''',
    'bytes_': r'''
def f(x):
    return b"a"
''',
}

# Edits of a graph, patterns, parts; the name begins with what is done.
PASSES = {
    'replace_multi': r'''
def f(x, y):
    a = torch.add(x, y); b = torch.mul(a, y); c = torch.add(b, x); d = torch.mul(c, x)
    return d
def pattern(a, b, c):
    return torch.mul(torch.add(a, b), c)
def replacement(a, b, c):
    return torch.addcmul(a, b, c)
''',
    'replace_overlap': r'''
def f(x):
    return torch.relu(torch.relu(torch.relu(x)))
def pattern(a):
    return torch.relu(torch.relu(a))
def replacement(a):
    return torch.sigmoid(a)
''',
    'replace_literal': r'''
def f(x):
    return torch.clamp(x, 0, 1) + torch.clamp(x, 0, 2)
def pattern(a):
    return torch.clamp(a, 0, 1)
def replacement(a):
    return torch.sigmoid(a)
''',
    'replace_method': r'''
def f(x):
    return x.relu().neg() + x.relu()
def pattern(a):
    return a.relu().neg()
def replacement(a):
    return a.neg()
''',
    'replace_multi_out': r'''
def f(x):
    a = torch.sin(x); b = torch.cos(a)
    return a + b
def pattern(a):
    s = torch.sin(a)
    return s, torch.cos(s)
def replacement(a):
    return torch.tan(a), torch.exp(a)
''',
    'replace_module': r'''
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
    def forward(self, x):
        return torch.relu(self.lin(x)) + 1
f = M()
class P(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
    def forward(self, x):
        return torch.relu(self.lin(x))
class Rp(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
    def forward(self, x):
        return torch.sigmoid(self.lin(x))
pattern = P()
replacement = Rp()
''',
    'split_chain': r'''
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(2, 2)
        self.w = nn.Parameter(torch.ones(2))
    def forward(self, x, y):
        a = self.l(x)
        b = torch.relu(a + self.w)
        return b * y + a
f = M()
k = [0]
def part(n):
    k[0] += 1
    return 0 if n.op == "call_module" or n.name == "add" else 1
''',
    'split_three': r'''
class M(nn.Module):
    def forward(self, x):
        a = x + 1; b = a * 2; c = b - a; d = c.sin()
        return d, a
f = M()
def part(n):
    return {"add": 0, "mul": 1, "sub": 2, "sin": 2}[n.name]
''',
    'edit_insert': r'''
def f(x, y):
    return torch.relu(x + y)
def edit(gm):
    for n in list(gm.graph.nodes):
        if n.target is torch.relu:
            with gm.graph.inserting_after(n):
                m = gm.graph.call_function(torch.neg, (n,))
                n.replace_all_uses_with(m)
                m.args = (n,)
    return [n.name for n in gm.graph.find_nodes(op="call_function", target=torch.neg)]
''',
    'edit_lint_order': r'''
def f(x):
    return x.sin().cos()
def edit(gm):
    ns = list(gm.graph.nodes)
    ns[2].append(ns[1])
''',
    'edit_move': r'''
def f(x, y):
    a = x + 1
    b = y * 2
    return a - b
def edit(gm):
    ns = {n.name: n for n in gm.graph.nodes}
    ns["add"].prepend(ns["mul"])
    return ns["mul"] < ns["add"], [n.name for n in gm.graph.nodes], sorted([ns["sub"], ns["add"]])
''',
    'edit_meta': r'''
def f(x):
    return x.sin()
def edit(gm):
    n = list(gm.graph.nodes)[1]
    n.meta["k"] = 5
    g = fx.Graph()
    v = {}
    out = g.graph_copy(gm.graph, v)
    return str(out), [m.name for m in g.nodes], [m.meta for m in v.values()], str(n.users), n.all_input_nodes, n.next, n.prev, repr(n.args), repr(n.kwargs), n.format_node()
''',
    'edit_immut': r'''
def f(x):
    return torch.cat([x, x], dim=0)
def edit(gm):
    n = list(gm.graph.nodes)[1]
    out = []
    for fn in (lambda: n.args[0].append(1), lambda: n.kwargs.update(a=1), lambda: n.args[0].__setitem__(0, 1)):
        try:
            fn()
        except Exception as e:
            out.append(type(e).__name__ + str(e))
    return out, type(n.args).__name__, type(n.args[0]).__name__, type(n.kwargs).__name__, isinstance(n.args[0], list)
''',
    'edit_newgraph': r'''
def f(x):
    return x
def edit(gm):
    g = fx.Graph()
    x = g.placeholder("x", type_expr=torch.Tensor)
    y = g.placeholder("y", default_value=3)
    a = g.call_function(torch.add, (x, y), {"alpha": 2})
    b = g.call_method("view", (a, -1))
    c = g.create_node("call_function", operator.getitem, (b, slice(None, 2)), {})
    g.output((c, {"k": a}, [b]))
    g.lint()
    m = fx.GraphModule(nn.Module(), g, "Mine")
    return m.code, str(g), m._get_name(), type(m).__name__, str(m)
''',
    'edit_delete': r'''
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.b = nn.Linear(2, 2)
    def forward(self, x):
        return self.a(x)
f = M()
def edit(gm):
    r = [n for n, _ in gm.named_modules()]
    gm.add_submodule("c.d", nn.ReLU())
    r2 = [n for n, _ in gm.named_modules()]
    gm.delete_all_unused_submodules()
    return r, r2, [n for n, _ in gm.named_modules()]
''',
    'edit_codegen': r'''
def f(x):
    return x + 1
def edit(gm):
    def tr(body):
        return ["print('hi')\n"] + body
    with gm.graph.on_generate_code(lambda _: tr):
        a = gm.graph.python_code("self").src
    return a
''',
    'edit_errors': r'''
def f(x, y):
    return x + y
def edit(gm):
    out = []
    n = list(gm.graph.nodes)[2]
    g2 = fx.Graph()
    for fn in (lambda: g2.erase_node(n), lambda: g2.create_node("foo", "x"), lambda: g2.create_node("call_function", "x"), lambda: g2.call_function(torch.relu, 3), lambda: n.insert_arg(5, 1), lambda: gm.graph.find_nodes(op="call_function"), lambda: gm.get_submodule("z"), lambda: fx.GraphModule({}, g2), lambda: g2.output_node()):
        try:
            r = fn()
            out.append(str(r))
        except Exception as e:
            out.append(type(e).__name__ + ": " + str(e))
    return "|".join(out)
''',
    'edit_interp': r'''
def f(x, y):
    return x @ y
def edit(gm):
    try:
        fx.Interpreter(gm).run(torch.ones(2), torch.ones(3))
    except Exception as e:
        return type(e).__name__, str(e)
''',
    'fuse_cb': r'''
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(1, 2, 3)
        self.b = nn.BatchNorm2d(2)
        self.s = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    def forward(self, x):
        return self.s(self.b(self.c(x)).mean((2, 3)))
f = M().eval()
''',
    'partition_mixed': r'''
def f(x, y):
    a = x + y
    b = torch.sin(a)
    c = torch.cos(b)
    d = c + a
    e = torch.sin(d)
    return e + b
''',
    'partition_two': r'''
def f(x, y):
    a = x + 1
    b = y + 2
    c = torch.relu(a)
    d = torch.relu(b)
    return (c + d) + torch.sin(x)
''',
}

# Expressions of two tensors for make_fx, and those that core ATen decompositions change.
OPERATORS = [
    'F.silu(x)',
    'x.std()',
    'x.std(1)',
    'x.var(1)',
    'torch.std_mean(x)',
    'torch.var_mean(x, 1)',
    'F.mse_loss(x, y)',
    'F.mse_loss(x, y, reduction="sum")',
    'F.l1_loss(x, y)',
    'F.smooth_l1_loss(x, y)',
    'F.huber_loss(x, y)',
    'F.hardswish(x)',
    'F.hardsigmoid(x)',
    'F.gelu(x)',
    'F.selu(x)',
    'F.leaky_relu(x)',
    'F.softplus(x)',
    'F.softshrink(x)',
    'F.hardshrink(x)',
    'F.mish(x)',
    'F.threshold(x, 0.1, 0.2)',
    'F.glu(x.t())',
    'F.logsigmoid(x)',
    'F.relu6(x)',
    'F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y))',
    'F.binary_cross_entropy_with_logits(x, torch.sigmoid(y))',
    'F.nll_loss(F.log_softmax(x, 1), torch.tensor([0, 1]))',
    'F.cross_entropy(x, torch.tensor([0, 1]))',
    'F.kl_div(x, y)',
    'F.soft_margin_loss(x, y)',
    'F.layer_norm(x, (3,))',
    'F.group_norm(x.reshape(1,2,3), 2)',
    'F.batch_norm(x, torch.zeros(3), torch.ones(3), training=True)',
    'F.batch_norm(x, torch.zeros(3), torch.ones(3))',
    'F.dropout(x, 0.5)',
    'F.softmax(x, 0)',
    'F.log_softmax(x, 0)',
    'torch.addcmul(x, x, y)',
    'torch.addcdiv(x, x, y, value=2.0)',
    'torch.lerp(x, y, 0.5)',
    'torch.addr(torch.ones(2,2), torch.ones(2), torch.ones(2))',
    'torch.baddbmm(torch.ones(1,2,2), torch.ones(1,2,2), torch.ones(1,2,2))',
    'torch.stack([x, y])',
    'torch.zeros_like(x)',
    'torch.ones_like(x)',
    'torch.empty_like(x).fill_(1)',
    'torch.full_like(x, 2.0)',
    'x.new_zeros(2)',
    'x.new_ones(2, 2)',
    'x.new_full((2,), 3.0)',
    'torch.zeros(2)',
    'torch.ones(2, 3)',
    'torch.arange(3)',
    'torch.eye(2)',
    'torch.dot(x[0], y[0])',
    'torch.mv(x, y[0])',
    'x.norm()',
    'x.norm(2, dim=1)',
    'torch.linalg.vector_norm(x)',
    'torch.logsumexp(x, 1)',
    'x.masked_fill(x > 0, 2.0)',
    'torch.where(x > 0, x, y)',
    'x.t() + 1',
    'x.transpose(0, 1) + 1',
    'x.split(1)[0] + 1',
    'x.unbind(0)[0] + 1',
    'x.narrow(1, 0, 2) + 1',
    'x.expand_as(y) + 1',
    'x.sum()',
    'x.mean(1)',
    'x.all()',
    'torch.tril(x)',
    'torch.triu(x)',
    'torch.roll(x, 1)',
    'torch.flip(x, (0,))',
    'torch.rot90(x)',
    'x.clamp_min(0.0)',
    'x.clamp_max(0.0)',
    'torch.logit(torch.sigmoid(x))',
    'torch.nan_to_num(x)',
    'torch.frac(x)',
    'torch.sgn(x)',
    'torch.xlogy(x, y)',
    'torch.logaddexp(x, y)',
    'torch.rsub(x, 2)',
    'torch.floor_divide(x, y)',
    'x.squeeze() + 1',
    'x.unsqueeze(0) + 1',
    'x.diag_embed() + 1',
    'torch.trace(x)',
    'torch.index_add(x, 0, torch.tensor([0]), y[:1])',
    'torch.index_select(x, 0, torch.tensor([0]))',
    'torch.slice_scatter(x, y[:1], 0, 0, 1)',
    'torch.select_scatter(x, y[0], 0, 0)',
    'F.pad(x, (1, 1))',
    'F.pad(x[None], (1, 1), mode="reflect")',
    'F.pixel_shuffle(torch.ones(1,4,2,2), 2)',
    'F.embedding(torch.tensor([0, 1]), x)',
    'F.avg_pool2d(torch.ones(1,1,4,4), 2)',
    'x.add_(1)',
    'torch.sinc(x)',
    'torch.deg2rad(x)',
    'torch.isin(x, y)',
    'torch.take(x, torch.tensor([0]))',
    'torch.bernoulli(torch.sigmoid(x))',
    'torch.count_nonzero(x)',
    'torch.linspace(0, 1, 3)',
    'torch.block_diag(x, y)',
    'torch.autograd.grad(F.silu(x).sum(), x)',
    'torch.autograd.grad(F.gelu(x).sum(), x)',
    'torch.autograd.grad(torch.tanh(x).sum(), x)',
    'torch.autograd.grad(torch.sigmoid(x).sum(), x)',
    'torch.autograd.grad(F.relu(x).sum(), x)',
    'torch.autograd.grad(F.softmax(x, 1)[0, 0], x)',
    'torch.autograd.grad(F.log_softmax(x, 1)[0, 0], x)',
    'torch.autograd.grad(F.layer_norm(x, (3,))[0, 0], x)',
    'torch.autograd.grad(F.mse_loss(x, y), x)',
    'torch.autograd.grad(x[0].sum(), x)',
    'torch.autograd.grad(x[:, 1:].sum(), x)',
]
DECOMPOSED = [
    'F.silu(x)',
    'x.std()',
    'x.std(1)',
    'torch.std_mean(x)',
    'F.mse_loss(x, y)',
    'F.mse_loss(x, y, reduction="sum")',
    'F.smooth_l1_loss(x, y)',
    'F.huber_loss(x, y)',
    'F.hardswish(x)',
    'F.hardsigmoid(x)',
    'F.softplus(x)',
    'F.softshrink(x)',
    'F.hardshrink(x)',
    'F.mish(x)',
    'F.threshold(x, 0.1, 0.2)',
    'F.batch_norm(x, torch.zeros(3), torch.ones(3), training=True)',
    'F.batch_norm(x, torch.zeros(3), torch.ones(3))',
    'F.dropout(x, 0.5)',
    'torch.addcmul(x, x, y)',
    'torch.addcdiv(x, x, y, value=2.0)',
    'torch.zeros_like(x)',
    'torch.ones_like(x)',
    'x.new_zeros(2)',
    'x.new_ones(2, 2)',
    'x.new_full((2,), 3.0)',
    'torch.zeros(2)',
    'torch.ones(2, 3)',
    'torch.mv(x, y[0])',
    'x.t() + 1',
    'x.transpose(0, 1) + 1',
    'x.split(1)[0] + 1',
    'x.sum()',
    'torch.rsub(x, 2)',
    'x.squeeze() + 1',
    'F.avg_pool2d(torch.ones(1,1,4,4), 2)',
    'torch.autograd.grad(F.silu(x).sum(), x)',
    'torch.autograd.grad(torch.tanh(x).sum(), x)',
    'torch.autograd.grad(torch.sigmoid(x).sum(), x)',
    'torch.autograd.grad(F.relu(x).sum(), x)',
]


def run(src, name):
    namespace = {k: v for k, v in globals().items() if len(k) == 1 or not k.isupper()}
    namespace["__name__"] = name
    exec(src, namespace)
    return namespace


def without_addresses(text):
    import re
    return re.sub(r"0x[0-9a-f]+", "0x", text)


def trace(m):
    if "T" in m:
        tracer = m["T"]()
        graph = tracer.trace(m["f"])
        return fx.GraphModule(tracer.root, graph)
    return fx.symbolic_trace(m["f"], concrete_args=m.get("concrete_args"))


def traced(name):
    try:
        gm = trace(run(TRACED[name], name))
    except Exception as e:
        return {"error": type(e).__name__ + ": " + without_addresses(str(e))}
    gm.graph.lint()
    copied = fx.Transformer(gm).transform()
    dead = trace(run(TRACED[name], name))
    dead.graph.eliminate_dead_code()
    dead.recompile()
    return {
        "graph": without_addresses(str(gm.graph)),
        "code": gm.code,
        "readable": gm.print_readable(print_output=False),
        "transformed": "equal" if copied.code == gm.code else copied.code,
        "without_dead_code": "equal" if dead.code == gm.code else dead.code,
    }


def refused(name):
    m = run(REFUSED[name], name)
    try:
        return {"accepted": fx.symbolic_trace(m["f"]).code}
    except Exception as e:
        return {"type": type(e).__name__, "message": without_addresses(str(e))}


class Supports(object):
    def is_node_supported(self, submodules, n):
        return n.op == "call_function" and (n.target is operator.add or n.target is torch.sin)


def passed(name):
    from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
    from torch.fx.passes.split_module import split_module
    from torch.fx.experimental.optimization import fuse
    m = run(PASSES[name], name)
    kind = name.split("_")[0]
    if kind == "fuse":
        return {"code": fuse(m["f"]).code}
    gm = fx.symbolic_trace(m["f"])
    if kind == "replace":
        try:
            matches = fx.replace_pattern(gm, m["pattern"], m["replacement"])
        except Exception as e:
            return {"error": type(e).__name__ + ": " + str(e)}
        return {"code": gm.code, "anchors": [x.anchor.name for x in matches]}
    if kind == "split":
        parts = split_module(gm, m["f"], lambda n: m["part"](n))
        return {"code": parts.code, "parts": [[n, s.code] for n, s in parts.named_children() if isinstance(s, fx.GraphModule)]}
    if kind == "partition":
        partitioner = CapabilityBasedPartitioner(gm, Supports(), allows_single_node_partition=True)
        partitions = partitioner.propose_partitions()
        names = sorted([sorted([n.name for n in p.nodes]) for p in partitions])
        fused = partitioner.fuse_partitions(partitions)
        return {"partitions": names, "code": fused.code, "parts": [[n, s.code] for n, s in fused.named_children()]}
    result = m["edit"](gm)
    try:
        gm.graph.lint()
        lint = "ok"
    except Exception as e:
        lint = type(e).__name__ + ": " + str(e)
    gm.recompile()
    return {"result": without_addresses(str(result)), "lint": lint, "code": gm.code}


def operators(expression, decomposed=False):
    from torch._decomp import core_aten_decompositions
    x = (torch.arange(6.0) / 4 - 1).reshape(2, 3)
    y = (torch.arange(6.0) / 3 - 0.7).reshape(2, 3)
    if "grad(" in expression:
        x.requires_grad_()
    f = run("def f(x, y):\n    return " + expression, "operators")["f"]
    torch.manual_seed(0)
    return make_fx(f, decomposition_table=core_aten_decompositions() if decomposed else None)(x, y).code


def everything():
    return {
        "traced": {name: traced(name) for name in TRACED},
        "refused": {name: refused(name) for name in REFUSED},
        "passes": {name: passed(name) for name in PASSES},
        "operators": {e: operators(e) for e in OPERATORS},
        "decomposed": {e: operators(e, True) for e in DECOMPOSED},
    }
