"""
Functions for `torch.compile`, which PyTorch and glasstorch both run. `python tools/oracle/dynamo_cases.py` records in test/fixtures/dynamo.json.gz
what PyTorch's Dynamo does with each: its graphs, how often it compiled, why it broke and compiled again, what it guards.
test/torch/_dynamo/dynamo.test.ts compares.
"""
import contextlib
import io
import re

import torch
import torch._dynamo
import torch.nn.functional as F
from torch._dynamo.utils import counters

HEADER = "import math\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\n"
CASES = {}


def ramp(start, *size):
    n = 1
    for k in size:
        n *= k
    return (start + torch.arange(n) % 7 * 0.25 - 1).reshape(size)


def case(name, text, *calls, **how):
    CASES[name] = (text, calls, how)


case("closure", """def make(k):
    w = torch.ones(3) * k
    def g(x):
        return x * w + k
    return g


f = make(3)
""",
     [ramp(0, 3)], [ramp(1, 3)])
case("global_const", """k = 3


def f(x):
    return x * k
""",
     [ramp(0, 3)], [ramp(0, 3)], setglobal=["k", 5])
case("global_tensor", """w = torch.ones(3)


def f(x):
    return x * w
""",
     [ramp(0, 3)])
case("branch_tensor", """def f(x):
    if x.sum() > 0:
        return x + 1
    return x - 1
""",
     [ramp(0, 3)], [ramp(1, 3)])
case("branch_shape", """def f(x):
    if x.shape[0] > 3:
        return x * 2
    return x + 1
""",
     [ramp(0, 3)], [ramp(0, 5)], [ramp(0, 6)], [ramp(0, 2)])
case("loop_sum", """def f(x):
    s = 0
    for i in range(x.size(0)):
        s = s + x[i]
    return s
""",
     [ramp(0, 3)], [ramp(0, 4)])
case("while_loop", """def f(x):
    n = 0
    while n < 4:
        x = x * 1.5
        n += 1
    return x, n
""",
     [ramp(0, 3)])
case("list_mutation", """def f(x, out):
    out.append(x + 1)
    out[0] = x * 2
    return len(out)
""",
     [ramp(0, 3), [1, 2]])
case("dict_mutation", """def f(x, d):
    d['a'] = x + 1
    d['n'] = d['n'] + 1
    return d['a'] * d['n']
""",
     [ramp(0, 3), {"n": 2}], [ramp(0, 3), {"n": 3}])
case("no_grad", """def f(x):
    with torch.no_grad():
        y = x * 2
    return y + x
""",
     [ramp(0, 3)])
case("inplace", """def f(x):
    x.add_(1)
    x[0] = 5
    x *= 2
    return x
""",
     [ramp(0, 3)])
case("same_input", """def f(x, y):
    return x + y * 2
""",
     [ramp(0, 3), ramp(1, 3)], same=True)
case("print_two", """def f(x):
    print('a', x.shape[0])
    y = x + 1
    print('b')
    return y * 2
""",
     [ramp(0, 3)], [ramp(0, 3)])
case("fstring", """def f(x, s):
    name = f'{s}-{x.shape[0]}'
    if name == 'a-3':
        return x + 1
    return x
""",
     [ramp(0, 3), "a"], [ramp(0, 3), "b"])
case("mlp", """torch.manual_seed(1)
f = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
""",
     [ramp(0, 3)], [ramp(0, 2, 3)])
case("module_class", """class M(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.fc = nn.Linear(3, 2)
        self.register_buffer('b', torch.ones(2))
        self.k = 2

    def helper(self, x):
        return F.relu(x) * self.k

    def forward(self, x):
        return self.helper(self.fc(x)) + self.b


f = M()
""",
     [ramp(0, 3)], [ramp(0, 2, 3)])
case("module_list", """class M(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i, l in enumerate(self.layers):
            x = torch.tanh(l(x)) + i
        return x


f = M()
""",
     [ramp(0, 3)])
case("object", """class P:
    def __init__(self, a):
        self.a = a
        self.hist = []

    def step(self, x):
        self.a = self.a + 1
        self.hist.append(x)
        return x * self.a


p = P(2)


def f(x):
    return p.step(x) + p.a
""",
     [ramp(0, 3)], [ramp(0, 3)])
case("new_object", """class P:
    def __init__(self, v):
        self.v = v

    def __add__(self, o):
        return P(self.v + o.v)


def f(x):
    p = P(x) + P(x * 2)
    return p.v
""",
     [ramp(0, 3)])
case("comprehensions", """def f(x):
    a = [x + i for i in range(2)]
    d = {i: v * 2 for i, v in enumerate(a)}
    s = {i for i in range(3)}
    return sum(d.values()), len(s)
""",
     [ramp(0, 3)])
case("zip_sorted", """def f(x, y):
    out = []
    for n, t in sorted(zip([2, 1], [x, y]), key=lambda p: p[0]):
        out.append(t * n)
    return tuple(out)
""",
     [ramp(0, 3), ramp(1, 3)])
case("kwargs", """def g(x, *args, scale=2, **kw):
    return x * scale + args[0] + kw['b']


def f(x):
    return g(x, 1, b=3) + g(x, 2, scale=4, b=1)
""",
     [ramp(0, 3)])
case("try_except", """def f(x, d):
    try:
        v = [1, 2][d['a'] + 3]
    except IndexError:
        v = 3
    return x + v
""",
     [ramp(0, 3), {"a": 1}])
case("raises", """def f(x):
    y = x + 1
    if x.dim() == 1:
        raise ValueError('one dimension')
    return y
""",
     [ramp(0, 3)])
case("partial", """import functools


def g(a, b, c=1):
    return a * b + c


h = functools.partial(g, c=5)


def f(x):
    return h(x, 2)
""",
     [ramp(0, 3)])
case("namedtuple", """from collections import namedtuple
Pt = namedtuple('Pt', 'a b')


def f(x):
    p = Pt(x + 1, x * 2)
    q = p._replace(a=x) if False else p
    return q.a + q.b
""",
     [ramp(0, 3)])
case("generator", """def g(x):
    for i in range(3):
        yield x + i


def f(x):
    return sum(g(x)), list(g(x))[1]
""",
     [ramp(0, 3)])
case("lambda_nested", """def f(x):
    k = 2
    def g(y):
        return y * k
    h = lambda z: g(z) + k
    k = 3
    return h(x)
""",
     [ramp(0, 3)])
case("nonlocal_", """def f(x):
    n = 0
    def inc(v):
        nonlocal n
        n += 1
        return v + n
    a = inc(x)
    b = inc(a)
    return b, n
""",
     [ramp(0, 3)])
case("max_values", """def f(x):
    v, i = x.max(dim=0)
    r = torch.max(x, 0)
    return v + r.values, i
""",
     [ramp(0, 3)])
case("split_cat", """def f(x):
    a, b = x.chunk(2)
    return torch.cat([b, a]), x.split(2)[0]
""",
     [ramp(0, 4)])
case("softmax_loss", """def f(x, w):
    return F.cross_entropy(x @ w, torch.tensor([1, 0]))
""",
     [ramp(0, 2, 3), ramp(0, 3, 3)])
case("mark_dyn", """def f(x):
    return x.sum() * x.shape[0]
""",
     [ramp(0, 4)], [ramp(0, 5)], mark=0)
case("dynamic_true", """def f(x):
    return x.reshape(-1) * x.shape[1]
""",
     [ramp(0, 2, 3)], [ramp(0, 4, 5)], dynamic=True)
case("int_list", """def f(x, ks):
    for k in ks:
        x = x + k
    return x
""",
     [ramp(0, 3), [1, 2]], [ramp(0, 3), [1, 3]], [ramp(0, 3), [1, 2, 3]])
case("bool_arg", """def f(x, flag):
    return x.relu() if flag else x.sigmoid()
""",
     [ramp(0, 3), True], [ramp(0, 3), False], [ramp(0, 3), True])
case("none_arg", """def f(x, b=None):
    if b is None:
        return x * 2
    return x + b
""",
     [ramp(0, 3)], [ramp(0, 3), ramp(1, 3)])
case("dtype_change", """def f(x):
    return x.to(torch.float64).mean()
""",
     [ramp(0, 3)])
case("string_ops", """def f(x, mode):
    parts = mode.upper().split('_')
    return x * len(parts) if parts[0].startswith('A') else x
""",
     [ramp(0, 3), "a_b"])
case("math_const", """def f(x):
    return x * math.sqrt(2) + math.pi
""",
     [ramp(0, 3)])
case("fullgraph_err", """def f(x):
    print('no')
    return x + 1
""",
     [ramp(0, 3)], fullgraph=True)
case("recursion", """def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)


def f(x):
    return x * fact(4)
""",
     [ramp(0, 3)])
case("decorated", """def twice(g):
    def w(*a, **k):
        return g(*a, **k) * 2
    return w


@twice
def g(x):
    return x + 1


def f(x):
    return g(x)
""",
     [ramp(0, 3)])
case("enum", """import enum


class E(enum.Enum):
    A = 1
    B = 2


def f(x, e=E.A):
    return x + 1 if e is E.A else x - 1
""",
     [ramp(0, 3)])
case("dataclass", """import dataclasses


@dataclasses.dataclass
class D:
    a: int
    b: float = 0.5


d = D(2)


def f(x):
    return x * d.a + d.b
""",
     [ramp(0, 3)])
case("staticmethods", """class A:
    k = 4

    @staticmethod
    def s(x):
        return x + 1

    @classmethod
    def c(cls, x):
        return x * cls.k

    @property
    def p(self):
        return self.k + 1


a = A()


def f(x):
    return A.s(x) + a.c(x) + a.p
""",
     [ramp(0, 3)])
case("graph_break_fn", """def g(x):
    torch._dynamo.graph_break()
    return x * 2


def f(x):
    y = x + 1
    z = g(y)
    return z + y
""",
     [ramp(0, 3)])
case("break_stack", """def f(x):
    return x.sin() + float(x.sum()) * x.cos()
""",
     [ramp(0, 3)])
case("assign_many", """def f(x):
    a = b = x + 1
    a, b = b * 2, a - 1
    print('p')
    return a, b, x
""",
     [ramp(0, 3)])
case("grad_input", """def f(x):
    return (x.detach() * 2).requires_grad_(False) + x.abs()
""",
     [ramp(0, 3)])
case("isinstance_", """def f(x, v):
    if isinstance(v, torch.Tensor):
        return x + v.sum()
    if isinstance(v, (int, float)):
        return x * v
    return x
""",
     [ramp(0, 3), ramp(1, 3)], [ramp(0, 3), 2], [ramp(0, 3), "s"])
case("slices", """def f(x):
    return x[1:], x[::2], x[..., None], x[[0, 2]], x[x > 0].shape[0] if False else 0
""",
     [ramp(0, 3)])
case("size_arith", """def f(x):
    b, t = x.shape
    return x.view(t, b).expand(t, b) / math.sqrt(t), torch.zeros(b, t + 1)
""",
     [ramp(0, 2, 3)], [ramp(0, 4, 3)], [ramp(0, 5, 3)])
case("limit", """def f(x, s):
    return x + len(s)
""",
     *[[ramp(0, 3), "a" * i] for i in range(1, 11)])

def shape(value):
    if isinstance(value, torch.Tensor):
        return [str(value.dtype), [str(n) for n in value.shape]]
    return "number"


def shown(value):
    """A result as text: the values of tensors with six digits."""
    if isinstance(value, torch.Tensor):
        return [str(value.dtype), list(value.shape), [f"{v:.5g}" for v in value.detach().double().flatten().tolist()]]
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, [shown(v) for v in value]]
    if isinstance(value, dict):
        return {str(k): shown(v) for k, v in value.items()}
    return repr(value)


def plain(text):
    """Names of symbols are hashes, and addresses differ."""
    names = {}
    text = re.sub(r"\bs\d+\b", lambda m: names.setdefault(m[0], f"s<{len(names)}>"), text)
    return re.sub(r"0x[0-9a-f]+", "0x", text)


def load(name):
    text = HEADER + CASES[name][0]
    filename = f"{name}.py"
    scope = {"__name__": name}
    exec(compile(text, filename, "exec"), scope)
    return scope


def arguments(call, how):
    made = [v.clone() if isinstance(v, torch.Tensor) else list(v) if isinstance(v, list) else dict(v) if isinstance(v, dict) else v for v in call]
    return [made[0], made[0]] if how.get("same") else made


def run(name):
    text, calls, how = CASES[name]
    torch._dynamo.reset()
    counters.clear()
    scope = load(name)
    graphs = []

    def backend(gm, example_inputs):
        inputs = [shape(n.meta["example_value"]) for n in gm.graph.nodes if n.op == "placeholder"]
        graphs.append([plain(gm.code), len(inputs)])
        return gm.forward
    options = {k: how[k] for k in ("fullgraph", "dynamic") if k in how}
    compiled = torch.compile(scope["f"], backend=backend, **options)
    results = []
    for i, call in enumerate(calls):
        if "setglobal" in how and i:
            scope[how["setglobal"][0]] = how["setglobal"][1]
        given = arguments(call, how)
        if "mark" in how:
            torch._dynamo.mark_dynamic(given[0], how["mark"])
        torch.manual_seed(0)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                out = shown(compiled(*given))
            except Exception as e:
                out = [type(e).__name__, plain(str(e)).split("\n")[0]]
        results.append([out, shown(given), printed.getvalue(), len(graphs)])
    frames = dict(counters.get("frames", {}))
    torch._dynamo.reset()
    return {"results": results, "graphs": graphs, "frames": frames, "explained": explained(name)}


def explained(name):
    text, calls, how = CASES[name]
    scope = load(name)
    torch.manual_seed(0)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            found = torch._dynamo.explain(scope["f"])(*arguments(calls[0], how))
    except Exception as e:
        return type(e).__name__
    return {
        "counts": [found.graph_count, found.graph_break_count, found.op_count],
        "reasons": [[plain(r.reason).split("\n")[0], [[f.name, f.lineno] for f in r.user_stack]] for r in found.break_reasons],
        "guards": sorted({f"{g.name} {g.create_fn_name()}" for g in found.out_guards if g.name.startswith("L")}),
    }


if __name__ == "__main__":
    import gzip
    import json
    import pathlib

    made = {"torch": torch.__version__.split("+")[0], "script": "tools/oracle/dynamo_cases.py", "cases": {name: run(name) for name in CASES}}
    fixture = pathlib.Path(__file__).resolve().parents[2] / "test/fixtures/dynamo.json.gz"
    fixture.write_bytes(gzip.compress(json.dumps(made).encode(), mtime=0))
    print(len(made["cases"]), "cases")
