"""
Programs for torch.export that PyTorch and glasstorch both run. `python tools/oracle/export_cases.py` records what PyTorch makes of them in
test/fixtures/export.json.gz; test/torch/export compares.
"""
import re
import warnings

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import export


def ramp(*size):
    n = 1
    for k in size:
        n *= k
    return torch.linspace(-1, 1, n).reshape(size)


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2, bias=False))

    def forward(self, x):
        return F.softmax(self.layers(x), dim=-1)


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('count', torch.zeros(1))
        self.register_buffer('offset', torch.ones(2), persistent=False)

    def forward(self, x):
        self.count.add_(1)
        return x * self.count + self.offset


class Replaced(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('mean', torch.zeros(2))

    def forward(self, x):
        self.mean = self.mean * 0.5 + x.mean(0) * 0.5
        return x - self.mean


class Constants(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.tensor([1.0, 2.0])

    def forward(self, x):
        unused = torch.tensor(3)
        return x * self.scale + torch.tensor(0.5) - self.scale


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)
        self.b = nn.Linear(2, 2)
        self.b.weight = self.a.weight

    def forward(self, x):
        return self.b(self.a(x))


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(2, 2)
        self.head = nn.Linear(2, 1)

    def forward(self, x):
        with torch.no_grad():
            y = self.body(x).tanh()
            z = y + 1
        return self.head(y) * z


class Keywords(nn.Module):
    def forward(self, x, *more, scale=2, bias=None):
        for m in more:
            x = x + m
        return x * scale if bias is None else x * scale + bias


class Containers(nn.Module):
    def forward(self, pair, options):
        a, b = pair
        return {'sum': a + options['w'], 'rest': [b.t(), options['n'], (a.mean(), None)]}


class Mutates(nn.Module):
    def forward(self, x, y):
        x.add_(1)
        y[0] = x.sum()
        return y * 2


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 2)
        self.norm = nn.BatchNorm2d(2)

    def forward(self, x):
        return self.norm(self.conv(x)).flatten(1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(4, 4)

    def forward(self, x):
        q = self.q(x).view(2, 3, 2, 2).transpose(1, 2)
        return F.layer_norm((q @ q.mT).softmax(-1).reshape(2, 2, 9), [9])


class Branch(nn.Module):
    def forward(self, x, flag):
        if flag:
            return x.sin()
        return x.cos()


class Scalars(nn.Module):
    def forward(self, x, n, name):
        return x.repeat(n) + len(name)


class Pools(nn.Module):
    def forward(self, x):
        y = F.max_pool2d(x, 2)
        z, i = y.flatten().topk(2)
        return F.pad(z, (1, 1), value=3.0), i, x.std()


class ByTruth(nn.Module):
    def forward(self, x):
        return x + 1 if x.max() > 0 else x


class ByNumber(nn.Module):
    def forward(self, x):
        return x[: int(x.sum())]


PROGRAMS = [
    (Mlp, lambda: ((ramp(2, 3),), {})),
    (Counter, lambda: ((ramp(2),), {})),
    (Replaced, lambda: ((ramp(3, 2),), {})),
    (Constants, lambda: ((ramp(2),), {})),
    (Tied, lambda: ((ramp(1, 2),), {})),
    (Frozen, lambda: ((ramp(3, 2),), {})),
    (Keywords, lambda: ((ramp(2), ramp(2), ramp(1)), {'bias': ramp(2)})),
    (Keywords, lambda: ((ramp(2),), {'scale': 3})),
    (Containers, lambda: (((ramp(2, 2), ramp(2, 2)), {'w': ramp(2), 'n': 4}), {})),
    (Mutates, lambda: ((ramp(2), ramp(3)), {})),
    (Norm, lambda: ((ramp(2, 1, 3, 3),), {})),
    (Attention, lambda: ((ramp(2, 3, 4),), {})),
    (Branch, lambda: ((ramp(2), True), {})),
    (Scalars, lambda: ((ramp(2), 2, 'abc'), {})),
    (Pools, lambda: ((ramp(1, 1, 4, 4),), {})),
    (ByTruth, lambda: ((ramp(3),), {})),
    (ByNumber, lambda: ((ramp(3),), {})),
]


def shown(text):
    # Not compared: lines of PyTorch's own modules, and ranges of symbols that no size has.
    text = re.sub(r'^\s*# (?:File: |Annotation: |No stacktrace).*\n', '', text, flags=re.M)
    text = re.sub(r'Range constraints: .*', '', text)
    return re.sub(r'0x[0-9a-f]+', '0x', text)


def values(tree):
    leaves = torch.utils._pytree.tree_leaves(tree)
    return [leaf.detach().double().flatten().tolist() if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]


def exported(i, train):
    """What comes of a program."""
    make, inputs = PROGRAMS[i]
    torch.manual_seed(0)
    module = make().train(train)
    args, kwargs = inputs()
    with warnings.catch_warnings(record=True):
        warnings.simplefilter('always')
        try:
            program = export(module, args, kwargs)
        except Exception as error:
            return {'error': type(error).__name__, 'message': str(error).split('\n')[0]}
    decomposed = program.run_decompositions()
    again = program.module()
    facts = {
        'text': shown(str(program)),
        'signature': repr(program.graph_signature),
        'modules': [entry.fqn for entry in program.module_call_graph],
        'specs': [str(program.call_spec.in_spec), str(program.call_spec.out_spec)],
        'state': [sorted(program.state_dict), sorted(program.constants)],
        'code': again.code,
        'decomposed': shown(str(decomposed)),
        'stacks': [[path for path, _ in n.meta.get('nn_module_stack', {}).values()] for n in program.graph.nodes],
    }
    runs = []
    for runner in (module, again, decomposed.module()):
        args, kwargs = inputs()
        runs.append([values(runner(*args, **kwargs)), values((args, kwargs))])
    facts['runs'] = runs
    args, kwargs = inputs()
    try:
        again(*[a.repeat(2) if isinstance(a, torch.Tensor) and a.dim() == 1 else a for a in args], **kwargs)
        facts['guard'] = None
    except Exception as error:
        facts['guard'] = [type(error).__name__, str(error)]
    return facts


def refused(i):
    """The error of a call that is wrong."""
    calls = [
        lambda: export(lambda x: x, (ramp(2),)),
        lambda: export(Mlp(), [ramp(2, 3)]),
        lambda: export(Mlp(), (ramp(2, 3), 1)),
        lambda: export(Mlp(), (ramp(2, 4),)),
        lambda: export(Mlp(), (ramp(2, 3),))(ramp(2, 3)),
        lambda: setattr(export(Mlp(), (ramp(2, 3),)), 'graph', None),
        lambda: export(Mlp(), (ramp(2, 3),)).module().train(),
    ]
    try:
        calls[i]()
    except Exception as error:
        return [type(error).__name__, str(error).split('\n')[0]]


if __name__ == '__main__':
    import gzip
    import json
    import os

    facts = {
        'torch': torch.__version__.split('+')[0],
        'exported': {f'{i} {make.__name__}{" train" if train else ""}': exported(i, train) for i, (make, _) in enumerate(PROGRAMS) for train in ([False, True] if make is Norm else [False])},
        'refused': [refused(i) for i in range(7)],
    }
    path = os.path.join(os.path.dirname(__file__), '../../test/fixtures/export.json.gz')
    with gzip.GzipFile(path, 'wb', mtime=0) as out:
        out.write(json.dumps(facts).encode())
