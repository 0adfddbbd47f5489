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
case("with_break", """def f(x):
    with torch.no_grad():
        y = x * 2
        print('in')
        z = y + 1
    return z + x
""", [ramp(0, 3)], [ramp(0, 3)])
case("with_break_two", """def f(x):
    with torch.no_grad():
        with torch.enable_grad():
            y = x * 2
            torch._dynamo.graph_break()
            z = y + 1
        w = z * 3
    return w + x
""", [ramp(0, 3)])
case("set_grad", """def f(x):
    torch.set_grad_enabled(False)
    y = x * 2
    torch.set_grad_enabled(True)
    return y + 1
""", [ramp(0, 3)])
case("autocast", """def f(x):
    with torch.autocast('cpu', dtype=torch.bfloat16):
        y = torch.mm(x, x)
    return y
""", [ramp(0,3,3)])
case("float_arg", """def f(x, s):
    return x * s
""", [ramp(0, 3), 0.5], [ramp(0, 3), 1.5], [ramp(0, 3), 2.5])
case("float_math", """def f(x, s):
    return x * (s + 1) + math.floor(s)
""", [ramp(0, 3), 0.5], [ramp(0, 3), 1.5])
case("int_then", """def f(x, n):
    y = x * n
    if n > 3:
        y = y + 1
    return y
""", [ramp(0, 3), 1], [ramp(0, 3), 2], [ramp(0, 3), 7])
case("item", """def f(x):
    n = x.sum().item()
    return x * n
""", [ramp(0, 3)], [ramp(0, 3)])
case("item_if", """def f(x):
    y = x + 1
    if y.sum().item() > 2:
        return y * 2
    return y * 3
""", [ramp(0, 3)], [ramp(2, 3)])
case("tolist", """def f(x):
    y = x + 1
    l = y.tolist()
    return y * len(l)
""", [ramp(0, 3)])
case("numpy_like", """def f(x):
    y = x.sin()
    return torch.tensor([1.0, 2.0, 3.0]) + y
""", [ramp(0, 3)])
case("hooks", """m = nn.Linear(3, 2)
torch.manual_seed(0)
nn.init.ones_(m.weight); nn.init.zeros_(m.bias)
m.register_forward_hook(lambda mod, a, out: out * 2)
m.register_forward_pre_hook(lambda mod, a: (a[0] + 1,))


def f(x):
    return m(x)
""", [ramp(0, 3)])
case("dropout_eval", """f = nn.Sequential(nn.Dropout(0.5), nn.Linear(3, 3, bias=False)).eval()
nn.init.ones_(f[1].weight)
""", [ramp(0, 3)])
case("set_ops", """def f(x):
    s = {1, 2}
    s.add(3)
    t = s | {4}
    return x * len(t) if 3 in s else x
""", [ramp(0, 3)])
case("deque", """from collections import deque


def f(x):
    d = deque([x, x + 1], maxlen=2)
    d.append(x + 2)
    return d[0] + d[1]
""", [ramp(0, 3)])
case("ordereddict", """from collections import OrderedDict, defaultdict


def f(x):
    d = OrderedDict()
    d['a'] = x
    d['b'] = x + 1
    e = defaultdict(list)
    e['k'].append(x)
    return d['b'], e['k'][0], list(d)
""", [ramp(0, 3)])
case("itertools_", """import itertools


def f(x):
    for a, b in itertools.product([1, 2], [3]):
        x = x + a * b
    for i in itertools.chain([1], [2]):
        x = x * i
    return x, list(itertools.islice(itertools.count(3), 2)), list(itertools.accumulate([1, 2, 3]))
""", [ramp(0, 3)])
case("functools_reduce", """import functools, operator


def f(x):
    return functools.reduce(operator.add, [x, x * 2, x * 3])
""", [ramp(0, 3)])
case("setattr_tensor", """class P: pass
p = P()


def f(x):
    p.t = x + 1
    setattr(p, 'u', 3)
    return p.t * getattr(p, 'u', 1) + getattr(p, 'zz', 4)
""", [ramp(0, 3)], [ramp(0, 3)])
case("hasattr_", """class P:
    a = 1
p = P()


def f(x):
    if hasattr(p, 'a') and not hasattr(p, 'b'):
        return x + p.a
    return x
""", [ramp(0, 3)])
case("super_", """class A(nn.Module):
    def forward(self, x):
        return x + 1


class B(A):
    def forward(self, x):
        return super().forward(x) * 2


f = B()
""", [ramp(0, 3)])
case("call_dunder", """class C:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return x * self.k

    def __len__(self):
        return 3

    def __getitem__(self, i):
        return self.k + i

    def __contains__(self, i):
        return i == 2

    def __eq__(self, o):
        return True

    def __bool__(self):
        return False


c = C(2)


def f(x):
    y = c(x) + len(c) + c[1]
    if 2 in c:
        y = y + 1
    if c:
        y = y * 100
    return y, c == 4
""", [ramp(0, 3)])
case("iter_class", """class It:
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n > 3:
            raise StopIteration
        return self.n


def f(x):
    for i in It():
        x = x + i
    return x
""", [ramp(0, 3)])
case("ctx_class", """class Ctx:
    def __init__(self, l):
        self.l = l

    def __enter__(self):
        self.l.append('in')
        return self

    def __exit__(self, *a):
        self.l.append('out')


def f(x, l):
    with Ctx(l) as c:
        y = x + 1
    return y * len(l)
""", [ramp(0, 3), []])
case("contextmanager_", """import contextlib


@contextlib.contextmanager
def cm(k):
    yield k + 1


def f(x):
    with cm(2) as v:
        x = x * v
    return x
""", [ramp(0, 3)])
case("raise_custom", """class E(Exception):
    pass


def g(x):
    if x.shape[0] == 3:
        raise E('bad', 3)
    return x


def f(x):
    try:
        return g(x)
    except E as e:
        return x + e.args[1]
""", [ramp(0, 3)])
case("assert_", """def f(x):
    assert x.shape[0] == 3, 'shape'
    assert x.sum() < 100, 'big'
    return x + 1
""", [ramp(0, 3)])
case("assert_tensor_fail", """def f(x):
    assert x.sum() > 100
    return x + 1
""", [ramp(0, 3)])
case("time_", """import time


def f(x):
    t = time.time()
    y = x + 1
    return y * 2
""", [ramp(0, 3)])
case("global_store", """count = 0


def f(x):
    global count
    count += 1
    return x * count
""", [ramp(0, 3)], [ramp(0, 3)])
case("rand_", """def f(x):
    return torch.rand(3) + x + torch.randn_like(x)
""", [ramp(0, 3)])
case("setitem_slice", """def f(x):
    y = x.clone()
    y[1:] = 0
    y[x > 0] = 5
    y[..., 0] += 1
    return y
""", [ramp(0, 3)])
case("nonzero", """def f(x):
    y = x + 1
    i = torch.nonzero(y > 0.5)
    return i.sum() + y.sum()
""", [ramp(0, 3)])
case("masked", """def f(x):
    return x[x > 0] * 2
""", [ramp(0, 3)])
case("out_arg", """def f(x):
    o = torch.empty(3)
    torch.add(x, 1, out=o)
    return o * 2
""", [ramp(0, 3)])
case("grad_attr", """w = torch.ones(3, requires_grad=True)


def f(x):
    if w.grad is None:
        return x + w.requires_grad
    return x * w.grad
""", [ramp(0, 3)])
case("walrus", """def f(x):
    if (n := x.shape[0]) > 2:
        return x + n
    return x
""", [ramp(0, 3)])
case("star", """def f(x, *args, **kw):
    a, *rest = args
    return x + a + sum(rest)
""", [ramp(0, 3), 1, 2, 3])
case("kwonly", """def g(x, *, a=1, b):
    return x * a + b


def f(x):
    d = {'b': 3}
    return g(x, **d) + g(*[x], **{**d, 'a': 2})
""", [ramp(0, 3)])
case("list_methods", """def f(x):
    l = [3, 1, 2]
    l.sort()
    l.reverse()
    l.extend([5])
    l.insert(0, 9)
    l.remove(1)
    n = l.pop() + l.index(2) + l.count(3)
    m = l[::-1] + [1] * 2
    return x * n, m, l
""", [ramp(0, 3)])
case("dict_methods", """def f(x):
    d = dict(a=1, b=x)
    d.update({'c': 2})
    d.setdefault('e', 5)
    v = d.pop('a')
    k = list(d.keys())
    for q, w in d.items():
        if q == 'c':
            x = x + w
    return x * v + d['b'], k, {**d, 'z': 1}['z'], d.get('nope'), 'c' in d
""", [ramp(0, 3)])
case("str_methods", """def f(x, s):
    if s.replace('a', 'b') == 'b' and '%d' % 3 == '3' and '{}-{}'.format(1, 2) == '1-2' and s.isalpha():
        return x + len(s.join(['1', '2']))
    return x
""", [ramp(0, 3), 'a'])
case("any_all", """def f(x):
    if any(i > 1 for i in range(3)) and all([True, 1]):
        return x + min(1, 2) + max([3, 4]) + abs(-2) + round(2.6) + divmod(7, 2)[1] + pow(2, 3)
    return x
""", [ramp(0, 3)])
case("enumerate_rev", """def f(x):
    for i, v in enumerate(reversed([1, 2]), 1):
        x = x + i * v
    return x, list(map(lambda a: a + 1, [1, 2])), list(filter(lambda a: a > 1, [1, 2]))
""", [ramp(0, 3)])
case("sizes_list", """def f(x):
    s = list(x.shape)
    s[0] = 1
    return x.sum(0, keepdim=True).view(s) * x.size()[0], torch.Size([1, 2])
""", [ramp(0, 3)], [ramp(0, 4)])
case("return_none", """def f(x):
    x.add_(1)
""", [ramp(0, 3)])
case("return_input", """def f(x):
    y = x + 1
    return x, y, 5, None, 'a', [x, (y,)], {'k': y}
""", [ramp(0, 3)])
case("nested_break", """def g(x):
    y = x + 1
    print('g')
    return y * 2


def f(x):
    a = g(x)
    b = g(a)
    return a + b
""", [ramp(0, 3)])
case("break_in_try", """def f(x):
    try:
        y = x + 1
        print('a')
        return y * 2
    except ValueError:
        return x
""", [ramp(0, 3)])
case("break_in_for", """def f(x):
    for i in range(2):
        x = x + i
        print(i)
    return x * 2
""", [ramp(0, 3)])
case("loop_resume", """def f(x):
    print('start')
    for i in range(3):
        x = x + i
    return x
""", [ramp(0, 3)])
case("while_tensor", """def f(x):
    while x.sum() < 10:
        x = x + 1
    return x
""", [ramp(0, 3)])
case("cond_expr", """def f(x):
    y = x + 1 if x.sum() > 0 else x - 1
    return y * 2
""", [ramp(0, 3)])
case("and_tensor", """def f(x, y):
    if x.sum() > 0 and y.sum() > 0:
        return x
    return y * 2
""", [ramp(0, 3), ramp(1, 3)])
case("not_tensor", """def f(x):
    if not (x > 0).any():
        return x
    return x * 2
""", [ramp(0, 3)])
case("lru", """import functools


@functools.lru_cache(None)
def k(n):
    return n + 1


def f(x):
    return x * k(2)
""", [ramp(0, 3)])
case("method_as_arg", """class A:
    k = 3

    def m(self, x):
        return x * self.k


a = A()


def app(fn, x):
    return fn(x)


def f(x):
    return app(a.m, x) + app(torch.sin, x) + app(F.relu, x)
""", [ramp(0, 3)])
case("recompile_fn", """def a(x): return x + 1
def b(x): return x * 2


def f(x, g):
    return (a if g else b)(x)
""", [ramp(0, 3), True], [ramp(0, 3), False])
case("dtype_arg", """def f(x, dt):
    return x.to(dt) + torch.zeros(3, dtype=dt)
""", [ramp(0, 3), torch.float64], [ramp(0, 3), torch.float32])
case("stride_change", """def f(x):
    return x * 2
""", [ramp(0,3,3)], [ramp(0,3,3).t()])
case("rg_change", """def f(x):
    return x * 2
""", [ramp(0, 3)], [ramp(0, 3).requires_grad_()])
case("rank_change", """def f(x):
    return x * 2
""", [ramp(0, 3)], [ramp(0,3,3)], [ramp(0, 4)])
case("lstm", """torch.manual_seed(0)
f = nn.LSTM(3, 2)
""", [ramp(0,2,1,3)])
case("sdpa", """def f(x):
    return F.scaled_dot_product_attention(x, x, x, is_causal=True)
""", [ramp(0,1,1,3,4)])
case("embedding", """torch.manual_seed(0)
e = nn.Embedding(5, 2)


def f(i):
    return e(i).sum(1)
""", [torch.tensor([[0,1],[2,4]])])
case("loss_module", """l = nn.MSELoss()


def f(x, y):
    return l(x, y)
""", [ramp(0, 3), ramp(1, 3)])
case("einsum", """def f(x):
    return torch.einsum('ij,jk->ik', x, x)
""", [ramp(0,3,3)])
case("closure_list", """def make():
    l = []
    def g(x):
        l.append(x.shape[0])
        return x * len(l)
    return g


f = make()
""", [ramp(0, 3)], [ramp(0, 3)])
case("nested_dict", """def f(x, c):
    return x * c['a']['b'] + c['l'][1]
""", [ramp(0, 3), {'a': {'b': 2}, 'l': [1, 2]}], [ramp(0, 3), {'a': {'b': 3}, 'l': [1, 2]}])
case("tuple_arg", """def f(t, n):
    a, (b, c) = t, n
    return a[0] + b * c
""", [(ramp(0, 3), 2), (ramp(1, 3), 4)])
case("bytes_", """def f(x):
    b = b'ab'
    return x + len(b) + ord('a')
""", [ramp(0, 3)])
case("inf", """def f(x):
    return torch.clamp(x, max=float('inf')) + float('1.5')
""", [ramp(0, 3)])
case("pytree", """import torch.utils._pytree as pytree


def f(x):
    return pytree.tree_map(lambda t: t + 1, {'a': x, 'b': [x, x]})
""", [ramp(0, 3)])
case("is_compiling", """def f(x):
    if torch.compiler.is_compiling():
        return x + 1
    return x
""", [ramp(0, 3)])
case("disable_ctx", """@torch.compiler.disable
def g(x):
    return x * 2


def f(x):
    y = x + 1
    z = g(y)
    return z + 1
""", [ramp(0, 3)])
case("nested_compile", """@torch.compile(backend='eager')
def g(x):
    return x * 2


def f(x):
    return g(x) + 1
""", [ramp(0, 3)])
case("module_global_fn", """import torch.nn.init as init


def f(x):
    return torch.nn.functional.gelu(x, approximate='tanh') + F.softmax(x, dim=-1)
""", [ramp(0, 3)])
case("property_setter", """class A:
    def __init__(self):
        self._v = 1

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, n):
        self._v = n * 2


a = A()


def f(x):
    a.v = 5
    return x + a.v
""", [ramp(0, 3)])
case("slots", """class A:
    __slots__ = ('q',)
    def __init__(self, q): self.q = q


a = A(3)


def f(x):
    return x * a.q
""", [ramp(0, 3)])
case("metaclass", """class Meta(type):
    @property
    def k(cls): return 4


class A(metaclass=Meta):
    pass


def f(x):
    return x * A.k
""", [ramp(0, 3)])
case("subclass_dict", """class D(dict):
    def extra(self): return len(self)


d = D(a=1)


def f(x):
    return x * d.extra() + d['a']
""", [ramp(0, 3)])
case("iter_next", """def f(x):
    it = iter([1, 2, 3])
    a = next(it)
    b = next(it, 0)
    return x * a + b + sum(it)
""", [ramp(0, 3)])
case("zip_strict", """def f(x):
    try:
        return [a for a in zip([1], [1, 2], strict=True)], x
    except ValueError as e:
        return x + 1
""", [ramp(0, 3)])
case("unbind", """def f(x):
    a, b = x
    return a + b, [r * 2 for r in x.unbind()]
""", [ramp(0,2,3)])
case("tensor_in", """def f(x):
    return 1.0 in x
""", [ramp(0, 3)])
case("len_tensor", """def f(x):
    return x + len(x), [v for v in x.shape]
""", [ramp(0, 3)], [ramp(0, 4)])
case("int_float_tensor", """def f(x):
    y = x.sum()
    return int(y) + x
""", [ramp(0, 3)])
case("bool_tensor", """def f(x):
    y = x.sum() > 0
    return bool(y), x + 1
""", [ramp(0, 3)])
case("format_tensor", """def f(x):
    s = f'{x.shape} {x.dtype} {type(x).__name__}'
    return x + len(s)
""", [ramp(0, 3)])
case("threading_local", """class Cfg:
    scale = 2


cfg = Cfg


def f(x):
    cfg.scale = cfg.scale + 1
    return x * cfg.scale
""", [ramp(0, 3)])
case("fullgraph_data", """def f(x):
    if x.sum() > 0:
        return x
    return -x
""", [ramp(0, 3)], fullgraph=True)
case("fullgraph_break", """def f(x):
    torch._dynamo.graph_break()
    return x
""", [ramp(0, 3)], fullgraph=True)
case("attention", """f = nn.MultiheadAttention(6, 2, batch_first=True)
for p in f.parameters():
    nn.init.constant_(p, 0.25)
""", [ramp(2, 3, 6)] * 3)
case("encoder_layer", """f = nn.TransformerEncoderLayer(6, 2, 8, dropout=0.0)
for p in f.parameters():
    nn.init.constant_(p, 0.25)
""", [ramp(3, 2, 6)])
case("decoder_layer", """f = nn.TransformerDecoderLayer(6, 2, 8, dropout=0.0)
for p in f.parameters():
    nn.init.constant_(p, 0.25)
""", [ramp(3, 2, 6), ramp(4, 2, 6)])
case("nn_module_call", """class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3, bias=False)
        nn.init.eye_(self.a.weight)
        self.act = F.relu
        self.scale = torch.nn.Parameter(torch.tensor(2.0))

    def forward(self, x, mask=None):
        x = self.a(x)
        if self.training:
            x = x * self.scale
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
        return self.act(x)


m = M()


def f(x):
    return m(x, mask=x > 0.5)
""", [ramp(0, 3)])
case("mod_eval_train", """m = nn.Dropout(0.0)


def f(x):
    m.eval()
    y = m(x)
    return y + 1
""", [ramp(0, 3)])
case("bounds_between_ints", """def f(x, n):
    if n > 1.5:
        x = x + 1
    if n in (1, 2, 3):
        x = x + 10
    if n * 2 <= 5.5:
        x = x + 100
    return x
""",
     *[[ramp(0, 3), n] for n in (5, 2, 3, 1, 4)])
case("int_and_float", """def f(x, n, s):
    if s * 2 < n:
        x = x + 1
    if n in (1, 2):
        x = x * 2
    return x * s
""",
     [ramp(0, 3), 1, 0.25], [ramp(0, 3), 2, 0.75], [ramp(0, 3), 3, 1.25])


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
