"""
Programs whose sizes are symbols, which PyTorch and glasstorch both run. `python tools/oracle/symbolic_cases.py` records what PyTorch makes of them in
test/fixtures/symbolic.json.gz; test/torch/fx/symbolic.test.ts compares.
"""
import re
import warnings

import torch
import torch.nn.functional as F
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.export import Dim, export
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.experimental.symbolic_shapes import ShapeEnv


def ramp(*size):
    n = 1
    for k in size:
        n *= k
    return torch.linspace(-1, 1, n).reshape(size)


# Functions for make_fx(tracing_mode="symbolic") --------------------------------------------------------------------------


def broadcast(x, y):
    return x + y * 2


def by_sizes(x):
    return x.view(x.shape[0], -1) * x.shape[1]


def joined(x):
    return torch.cat([x, x]).reshape(-1)


def layers(x, w, b):
    return F.softmax(F.linear(x, w, b), dim=1).sum(dim=1).mean()


def made(x):
    return torch.zeros(x.shape[0] * 2 + 1, x.shape[1]) + 1


def branch(x):
    return x.sum() if x.shape[0] > 3 else x


def other_branch(x):
    return x.sum() if x.shape[0] > 10 else x * 2


def parts(x):
    return x.split(2)[0], x.shape[0] // 2, x.numel()


def loop(x):
    for i in range(x.shape[0]):
        x = x + i
    return x


def gradient(x):
    y = x.clone().requires_grad_()
    return torch.autograd.grad((y.sin() * 2).sum(), y)[0]


def gradient_of_mean(x, w):
    y = w.clone().requires_grad_()
    return torch.autograd.grad((x * y).mean(), y)[0]


def expanded(x):
    return x.unsqueeze(1).expand(x.shape[0], 5, x.shape[1]).transpose(0, 2)


def products(x, y):
    return torch.bmm(x, y.transpose(1, 2)), x @ y.transpose(1, 2)


def matmul_of_two(x, y):
    return x @ y.t()


def with_int(x, n):
    return x * n + n // 2


def arithmetic(x):
    a, b = x.shape
    return a + b, a * b, a - 1, a // 2, a % 3, -a, a * a, a / 2, 2 ** 3 + a


def comparisons(x):
    a, b = x.shape
    return a < b, a == b, a >= 2, a != b


def selected(x):
    return x[0], x[:, 1], x[-1].sum()


def repeated(x):
    return x.repeat(2, x.shape[1])


def squares(x):
    assert x.shape[0] == x.shape[1]
    return x @ x


def embedded(i, w):
    return F.embedding(i, w)


def normalized(x):
    return F.layer_norm(x, (x.shape[-1],))


def convolved(x, w):
    return F.relu(F.conv2d(x, w, padding=1))


def pooled(x):
    return F.max_pool2d(x, 2), F.avg_pool2d(x, 2), F.adaptive_avg_pool2d(x, 1)


def stacked(x, y):
    return torch.stack([x, y], 1).permute(2, 0, 1)


def reduced(x):
    return x.amax(0), x.mean(1, keepdim=True), x.argmax(1), x.std(), x.cumsum(0), x.sort(1)[0]


def masked(x):
    return torch.where(x > 0, x, torch.zeros_like(x)).masked_fill(x < -0.5, 0.0)


def padded(x):
    return F.pad(x, (1, 2)), torch.tril(x)


def number_of_data(x):
    n = x.sum().item()
    return x * n + 1


def chosen(x):
    rows = x[x.sum(1) > 0]
    return rows * 2, rows.shape[0]


def places(x):
    found = x.nonzero()
    rows, columns = found.select(1, 0), found.select(1, 1)
    return rows + columns, x[rows]


def size_of_data(n):
    return torch.ones(n.item(), 2).sum(0)


def first_of_data(x, n):
    return x[0 : n.item()].sum(), x.narrow(0, 0, 2)


def different(x):
    values, counts = torch.unique(x, return_counts=True)
    return values * counts


def paired(x, y):
    a, b = x[x > 0], y[y > 0]
    torch._check(a.shape[0] == b.shape[0])
    return a + b


FUNCTIONS = [
    (broadcast, lambda: (ramp(4, 6), ramp(6))),
    (by_sizes, lambda: (ramp(4, 6, 2),)),
    (joined, lambda: (ramp(4, 6),)),
    (layers, lambda: (ramp(4, 6), ramp(5, 6), ramp(5))),
    (made, lambda: (ramp(4, 6),)),
    (branch, lambda: (ramp(4, 6),)),
    (other_branch, lambda: (ramp(4, 6),)),
    (parts, lambda: (ramp(4, 3),)),
    (loop, lambda: (ramp(3, 2),)),
    (gradient, lambda: (ramp(4, 6),)),
    (gradient_of_mean, lambda: (ramp(4, 6), ramp(6))),
    (expanded, lambda: (ramp(4, 6),)),
    (products, lambda: (ramp(3, 4, 5), ramp(3, 6, 5))),
    (matmul_of_two, lambda: (ramp(4, 5), ramp(7, 5))),
    (with_int, lambda: (ramp(4), 7)),
    (arithmetic, lambda: (ramp(4, 6),)),
    (selected, lambda: (ramp(4, 6),)),
    (repeated, lambda: (ramp(4, 6),)),
    (squares, lambda: (ramp(4, 4),)),
    (embedded, lambda: (torch.arange(6).view(2, 3), ramp(7, 4))),
    (normalized, lambda: (ramp(4, 6),)),
    (convolved, lambda: (ramp(2, 3, 8, 9), ramp(4, 3, 3, 3))),
    (pooled, lambda: (ramp(2, 3, 8, 10),)),
    (stacked, lambda: (ramp(4, 6), ramp(4, 6))),
    (reduced, lambda: (ramp(4, 6),)),
    (masked, lambda: (ramp(4, 6),)),
    (padded, lambda: (ramp(4, 6),)),
    (number_of_data, lambda: (ramp(4, 6),)),
    (chosen, lambda: (ramp(4, 6),)),
    (places, lambda: (ramp(4, 6),)),
    (size_of_data, lambda: (torch.tensor(3),)),
    (first_of_data, lambda: (ramp(4, 6), torch.tensor(3))),
    (different, lambda: (ramp(4, 6),)),
    (paired, lambda: (ramp(4, 6), ramp(4, 6))),
]


def described(value):
    if isinstance(value, torch.Tensor):
        return [str(size) for size in value.shape] + [str(value.dtype)]
    if isinstance(value, (list, tuple)):
        return [described(each) for each in value]
    return str(value)


def traced(i):
    """The graph of a function, the shapes of its nodes, and what it gives for other sizes than it was traced with."""
    function, inputs = FUNCTIONS[i]
    module = make_fx(function, tracing_mode='symbolic')(*inputs())
    larger = [grown(x) for x in inputs()]
    fresh = [x.clone() if isinstance(x, torch.Tensor) else x for x in larger]
    facts = {'results': described([node.meta.get('val') for node in module.graph.find_nodes(op='output')[0].all_input_nodes])}
    # Of sizes that the library itself compares, the nodes stand elsewhere and have other numbers.
    if function not in (products, gradient_of_mean):
        facts['code'] = module.code
        facts['values'] = [described(node.meta.get('val')) for node in module.graph.nodes]
    try:
        facts['same'] = close(module(*larger), function(*fresh))
    except Exception as error:
        facts['same'] = type(error).__name__
    return facts


def grown(x):
    """The first dimension of a float tensor, twice as long."""
    return torch.cat([x, x]) if isinstance(x, torch.Tensor) and x.dtype == torch.float32 and x.dim() == 2 else x


def close(a, b):
    a, b = torch.utils._pytree.tree_leaves(a), torch.utils._pytree.tree_leaves(b)
    return len(a) == len(b) and all(
        torch.allclose(x, y, equal_nan=True) if isinstance(x, torch.Tensor) else x == y for x, y in zip(a, b)
    )


# Modules for torch.export ------------------------------------------------------------------------------------------------


class Linear(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def forward(self, x):
        return F.relu(self.layer(x))


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, padding=1)
        self.norm = nn.BatchNorm2d(2)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv(x))), 2)
        return self.head(x.view(x.shape[0], -1))


class Branches(nn.Module):
    def forward(self, x, y):
        if x.shape[0] > 3:
            return x.reshape(-1, x.shape[1]) + y
        return x - y


class Joins(nn.Module):
    def forward(self, x, y):
        return torch.cat([x, y]), x.shape[0] * 2


class Halves(nn.Module):
    def forward(self, x):
        return x.view(-1, 2) + 1


class Fixed(nn.Module):
    def forward(self, x):
        return x + torch.arange(5)[:, None] if x.shape[0] == 5 else x


class Counts(nn.Module):
    def forward(self, x, n):
        return x * n


class Containers(nn.Module):
    def forward(self, pair, *, extra):
        return pair[0].sum(0) + extra['b'].mean(0)


class Later(nn.Module):
    def forward(self, x):
        y = x[1:]
        return y.view(y.shape[0] * 3), y.shape[0]


class Attends(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        return F.scaled_dot_product_attention(self.q(x), self.k(x), self.v(x))


class Sizes(nn.Module):
    def forward(self, x):
        return torch.zeros(x.shape[0] + 1, 2), x.new_ones(x.shape), x.numel() + x.shape[1]


batch = Dim('batch')
D, A = Dim.DYNAMIC, Dim.AUTO
EXPORTS = [
    (Linear, lambda: (ramp(4, 3),), {}, {'x': {0: batch}}),
    (Linear, lambda: (ramp(4, 3),), {}, ({0: Dim('n', min=2, max=64)},)),
    (Linear, lambda: (ramp(4, 3),), {}, ((D, None),)),
    (Images, lambda: (ramp(5, 1, 4, 4),), {}, ({0: Dim('n', max=64)},)),
    (Branches, lambda: (ramp(4, 3), ramp(4, 3)), {}, ({0: D}, {0: D})),
    (Branches, lambda: (ramp(4, 3), ramp(4, 3)), {}, ({0: batch}, {0: Dim('other')})),
    (Branches, lambda: (ramp(4, 3), ramp(4, 3)), {}, ({0: A, 1: A}, {0: A})),
    (Branches, lambda: (ramp(4, 3), ramp(4, 3)), {}, ({0: batch}, {0: batch})),
    (Joins, lambda: (ramp(4, 3), ramp(5, 3)), {}, ({0: batch}, {0: Dim('m')})),
    (Joins, lambda: (ramp(4, 3), ramp(5, 3)), {}, ({0: batch}, {0: batch + 1})),
    (Joins, lambda: (ramp(4, 3), ramp(8, 3)), {}, ({0: batch}, {0: 2 * batch})),
    (Joins, lambda: (ramp(4, 3), ramp(5, 3)), {}, ({0: batch}, {0: batch})),
    (Halves, lambda: (ramp(4),), {}, ({0: 2 * batch},)),
    (Halves, lambda: (ramp(4),), {}, ({0: D},)),
    (Fixed, lambda: (ramp(5, 1),), {}, ({0: batch},)),
    (Fixed, lambda: (ramp(5, 1),), {}, ({0: D},)),
    (Fixed, lambda: (ramp(5, 1),), {}, ({0: A},)),
    (Counts, lambda: (ramp(4), 3), {}, ({0: batch}, D)),
    (Containers, lambda: ((ramp(4, 3), ramp(2)),), lambda: {'extra': {'b': ramp(4, 3)}}, {'pair': ({0: batch}, None), 'extra': {'b': {0: batch}}}),
    (Later, lambda: (ramp(4, 3),), {}, ({0: D},)),
    (Attends, lambda: (ramp(2, 5, 4),), {}, ({0: batch, 1: Dim('length')},)),
    (Sizes, lambda: (ramp(4, 3),), {}, ({0: D, 1: D},)),
    (Containers, lambda: ((ramp(4, 3), ramp(2)),), lambda: {'extra': {'b': ramp(4, 3)}}, {'pair': [{0: batch}, None], 'extra': None}),
    (Linear, lambda: (ramp(4, 3),), {}, {'x': {1: batch}}),
    (Linear, lambda: (ramp(1, 3),), {}, {'x': {0: batch}}),
    (Linear, lambda: (ramp(4, 3),), {}, {'y': {0: batch}}),
    (Linear, lambda: (ramp(4, 3),), {}, ({0: 5},)),
    (Linear, lambda: (ramp(4, 3),), {}, ({0: 'a'},)),
    (Linear, lambda: (ramp(4, 3),), {}, (7,)),
    (Linear, lambda: (ramp(4, 3),), {}, ((batch,),)),
    (Branches, lambda: (ramp(4, 3), ramp(4, 3)), {}, ({0: batch},)),
    (Branches, lambda: (ramp(4, 3), ramp(4, 3)), {}, ({0: batch}, {0: Dim('batch', min=3)})),
]


def shown(text):
    # Not compared: lines of PyTorch's own modules.
    return re.sub(r'^\s*# (?:File: |Annotation: |No stacktrace).*\n', '', text, flags=re.M)


def exported(i):
    """What comes of an export, and what its module does with arguments of other sizes."""
    make, inputs, kwargs, shapes = EXPORTS[i]
    torch.manual_seed(0)
    module = make().eval()
    kwargs = kwargs() if callable(kwargs) else kwargs
    with warnings.catch_warnings(record=True):
        warnings.simplefilter('always')
        try:
            program = export(module, inputs(), kwargs, dynamic_shapes=shapes)
        except Exception as error:
            return {'error': type(error).__name__, 'message': str(error).split('\n\nThe error above')[0]}
    again = program.module()
    facts = {
        'text': re.sub(r'Range constraints: .*', '', shown(str(program))),
        'ranges': {str(k): str(v) for k, v in program.range_constraints.items()},
        'code': again.code,
    }
    facts['runs'] = [run(again, module, inputs(), kwargs, factor) for factor in (1, 2, 3, 20)]
    return facts


def run(again, module, args, kwargs, factor):
    larger = lambda x: torch.cat([x] * factor) if isinstance(x, torch.Tensor) else x
    args, kwargs = torch.utils._pytree.tree_map(larger, (args, kwargs))
    try:
        return close(again(*args, **kwargs), module(*args, **kwargs))
    except Exception as error:
        return [type(error).__name__, str(error)]


# Symbols by themselves ---------------------------------------------------------------------------------------------------


def facts_of_symbols():
    env = ShapeEnv()
    mode = FakeTensorMode(shape_env=env)
    given = torch.empty(4, 6), torch.empty(4, 1, 7), torch.empty(5)
    with mode:
        x, y = mode.from_tensor(given[0]), mode.from_tensor(given[1])
        a, b = x.shape
        facts = {
            'sizes': [str(x.shape), str(y.shape), str(x.stride()), str(x.numel()), repr(x)],
            'texts': [str(v) for v in (a + b, b + a, a * 2 + b * 3 - 1, a // 2, (a * 6) // 3, (a + 1) // 2, a % 2, (a * 4) % 2, a - a, a * 0, -a, a * b * a, 7 - a, 2 * (a + b) - a)],
            'compared': [str(v) for v in (a < b, a == b, a != 3, b >= a + 1)],
            'types': [type(v).__name__ for v in (a, a + 1, a / 2, a < b)],
            'known': [bool(a >= 2), bool(a == 1), bool(a + b > 3), len(env.guards)],
            'decided': [bool(a > 3), bool(b == 6), str(b), str(x.shape), [str(g.expr) for g in env.guards]],
            'as int': [int(a), str(a), str(x.shape), [str(g.expr) for g in env.guards]],
        }
        z = mode.from_tensor(given[2], static_shapes=True)
        facts['static'] = str(z.shape)
        facts['ranges'] = {str(k): str(v) for k, v in env.var_to_range.items()}
    return facts


if __name__ == '__main__':
    import gzip
    import json
    import os

    facts = {
        'torch': torch.__version__.split('+')[0],
        'traced': {f'{i} {function.__name__}': traced(i) for i, (function, _) in enumerate(FUNCTIONS)},
        'exported': {f'{i} {make.__name__}': exported(i) for i, (make, *_) in enumerate(EXPORTS)},
        'symbols': facts_of_symbols(),
    }
    path = os.path.join(os.path.dirname(__file__), '../../test/fixtures/symbolic.json.gz')
    with gzip.GzipFile(path, 'wb', mtime=0) as out:
        out.write(json.dumps(facts).encode())
