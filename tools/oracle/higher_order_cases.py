"""
Programs with torch.cond and torch.while_loop that PyTorch and glasstorch both run. `python tools/oracle/higher_order_cases.py` records what PyTorch
makes of them in test/fixtures/higher_order.json.gz; test/torch/_higher_order_ops compares.
"""
import warnings

import torch
import torch.fx
from functorch.compile import aot_function
from torch import nn
from torch._higher_order_ops.while_loop import while_loop
from torch.export import export
from torch.fx.experimental.proxy_tensor import make_fx

x = torch.linspace(-1, 1, 4)
y = torch.ones(4)
WEIGHT = torch.full((4,), 2.0)


def text(gm):
    """The code of a module and of the graphs in it, without the comments that say where it comes from."""
    lines = gm.print_readable(print_output=False).split('\n')
    return '\n'.join(line for line in lines if line.strip() and not line.strip().startswith('#'))


def chosen(x):
    return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))


def captured(x, y):
    return torch.cond(x.sum() > 0, lambda a: (a + y, a * 2), lambda a: (a - y, a * 3), (x,))


def unshared(x, y, z):
    return torch.cond(x.sum() > 0, lambda a: a + y, lambda a: a - z, (x,))


def structured(x, y):
    def one(d):
        return {'out': d['a'] + d['b'][0], 'rest': [d['a'] * 2]}

    def other(d):
        return {'out': d['b'][0] - 1, 'rest': [d['b'][0].exp()]}
    return torch.cond(y.sum() > 0, one, other, ({'a': x, 'b': [y]},))


def nested(x, y):
    def inner(x):
        return torch.cond(x.mean() < 0, lambda x: x * y, lambda x: x / 2, (x,))
    return torch.cond(x.sum() > 0, inner, lambda x: x.neg(), (x,))


def inplace(x):
    def one(x):
        z = x.clone()
        z.add_(1)
        return z
    return torch.cond(x.sum() > 0, one, lambda x: x * 2, (x,))


def counted(i, x):
    return while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2 + 1), (i, x))


def halved(x, y):
    return while_loop(lambda x: x.abs().sum() > 1, lambda x: (x / 2 * y,), (x,))


ZERO = torch.zeros((), dtype=torch.int64)
FUNCTIONS = {
    'chosen': (chosen, (x,)), 'chosen, other side': (chosen, (y,)), 'captured': (captured, (x, y)), 'unshared': (unshared, (y, x, y.clone())),
    'structured': (structured, (x, y)), 'nested': (nested, (y, x)), 'inplace': (inplace, (x,)), 'counted': (counted, (ZERO, x)),
    'halved': (halved, (x, y)),
}


class Linears(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 2)
        self.k = nn.Linear(4, 2)
        self.register_buffer('b', torch.ones(2))

    def forward(self, x, y):
        def one(x, y):
            return self.l(x) + self.b

        def other(x, y):
            return self.k(y).relu()
        return torch.cond(x.sum() > 0, one, other, (x, y))


class Loop(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)

    def forward(self, x):
        return while_loop(lambda x: x.sum() < 3, lambda x: (self.l(x) + 10,), (x,))[0]


class Constant(nn.Module):
    def forward(self, x):
        return torch.cond(x.shape[0] > 2, lambda x: x + 1, lambda x: x - 1, (x,))


MODULES = {'linears': (Linears, (x, y)), 'loop': (Loop, (x,)), 'constant': (Constant, (x,))}

REFUSED = {
    'pred': lambda: torch.cond(None, torch.sin, torch.cos, (x,)),
    'two elements': lambda: torch.cond(torch.ones(2), torch.sin, torch.cos, (x,)),
    'not callable': lambda: torch.cond(x.sum() > 0, 3, torch.cos, (x,)),
    'operand': lambda: torch.cond(x.sum() > 0, torch.sin, torch.cos, (x, 2)),
    'operands': lambda: torch.cond(x.sum() > 0, torch.sin, torch.cos, x),
    'alias': lambda: torch.cond(x.sum() > 0, lambda x: x, lambda x: x + 1, (x,)),
    'mutation': lambda: torch.cond(x.sum() > 0, lambda x: x.add_(1), lambda x: x + 1, (x,)),
    'arity': lambda: torch.cond(x.sum() > 0, lambda x, y: x + 1, lambda x: x + 1, (x,)),
    'dtype': lambda: torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x.long(), (x,)),
    'loop dtype': lambda: while_loop(lambda x: x.sum() < 3, lambda x: (x.long(),), (x,)),
    'loop condition': lambda: while_loop(lambda x: x < 3, lambda x: (x + 1,), (x,)),
    'endless': lambda: while_loop(lambda x: True, lambda x: (x + 1,), (x,)),
    'loop alias': lambda: while_loop(lambda x: x.sum() < 3, lambda x: (x,), (x,)),
    'loop callable': lambda: while_loop(3, lambda x: (x,), (x,)),
    'loop operand': lambda: while_loop(lambda x: x.sum() < 3, lambda x: (x,), ('a',)),
}


def plain(value):
    if isinstance(value, torch.Tensor):
        return [str(value.dtype), value.tolist()]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, (tuple, list)) else value


def run(name):
    """What a function does eagerly, traced, and traced without mutation."""
    fn, args = FUNCTIONS[name]
    gm = make_fx(fn)(*args)
    functional = make_fx(torch.func.functionalize(fn))(*args)
    return {'eager': plain(fn(*args)), 'traced': text(gm), 'again': plain(gm(*args)), 'functional': text(functional).split('\n', 1)[1]}


def exported(name):
    make, args = MODULES[name]
    torch.manual_seed(0)
    m = make()
    for parameter in m.parameters():
        parameter.data = torch.linspace(-1, 1, parameter.numel()).reshape(parameter.shape)
    ep = export(m, args, strict=False)
    lowered = ep.run_decompositions()
    return {'code': text(ep.graph_module), 'signature': str(ep.graph_signature), 'decomposed': text(lowered.graph_module),
            'runs': [plain(m(*args)), plain(ep.module()(*args)), plain(lowered.module()(*args))]}


def gradients():
    """The gradient of a choice, eagerly and through the graphs of AOTAutograd, which it gives too."""
    def f(x, y):
        return torch.cond(x.sum() > 0, lambda c: c.sin() * 2, lambda c: c * y, (x,)).sum()
    graphs, grads = [], []

    def compiler(gm, args):
        graphs.append(text(gm))
        return gm
    for fn in (f, aot_function(f, fw_compiler=compiler, bw_compiler=compiler)):
        for start in (x, x + 1):
            leaf = start.clone().requires_grad_()
            out = fn(leaf, y)
            out.backward()
            grads.append(plain(leaf.grad))
    chosen = torch.cond(leaf.sum() > 0, lambda c: c.sin(), lambda c: c * y, (leaf,))
    return {'graphs': graphs, 'grads': grads, 'node': chosen.grad_fn.name()}


def refused(name):
    try:
        REFUSED[name]()
    except Exception as error:
        kind = type(error).__name__
        lines = [line.strip() for line in str(error).split('\n')]
        return [kind, lines[0] if kind != 'UncapturedHigherOrderOpError' else ' '.join(lines[:3])]
    return ['accepted', '']


def record():
    import gzip
    import json
    warnings.simplefilter('ignore')

    def fresh(fn, name):
        torch._dynamo.reset()
        return fn(name)
    found = {'torch': torch.__version__.split('+')[0], 'functions': {name: fresh(run, name) for name in FUNCTIONS},
             'exported': {name: fresh(exported, name) for name in MODULES}, 'gradients': gradients(), 'refused': {name: fresh(refused, name) for name in REFUSED}}
    with gzip.GzipFile('test/fixtures/higher_order.json.gz', 'wb', mtime=0) as file:
        file.write(json.dumps(found, sort_keys=True).encode())


if __name__ == '__main__':
    record()
