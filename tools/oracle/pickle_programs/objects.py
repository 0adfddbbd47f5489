"""Objects of a program through `torch.save`, `pickle` and `copy`. Each line of the output is one case."""

import collections
import copy
import dataclasses
import enum
import functools
import io
import pickle
import sys
import warnings

import torch
from torch import nn

warnings.simplefilter('ignore')


class Plain:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __repr__(self):
        return f'Plain({self.a!r}, {self.b!r})'


class Color(enum.Enum):
    RED = 1
    BLUE = 'b'


@dataclasses.dataclass
class Conf:
    lr: float = 1.0
    layers: list = dataclasses.field(default_factory=list)


Pair = collections.namedtuple('Pair', 'x y')


class Reduced:
    def __init__(self, v):
        self.v = v

    def __reduce__(self):
        return Reduced, (self.v,)

    def __repr__(self):
        return f'Reduced({self.v})'


class State:
    def __init__(self):
        self.x = 1

    def __getstate__(self):
        return {'z': self.x + 1}

    def __setstate__(self, state):
        self.got = state

    def __repr__(self):
        return f'State({self.__dict__})'


class NewArgs:
    def __new__(cls, a):
        made = object.__new__(cls)
        made.made = a
        return made

    def __getnewargs__(self):
        return (self.made * 2,)

    def __repr__(self):
        return f'NewArgs({self.__dict__})'


class Slots:
    __slots__ = ('a',)

    def __init__(self):
        self.a = [1]

    def __repr__(self):
        return f'Slots({self.a})'


class MyList(list):
    pass


class MySet(set):
    pass


class MyInt(int):
    pass


class Sub(torch.Tensor):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.act = torch.relu
        self.scale = 2.0
        self.conf = Conf(1.0, [1])
        self.register_buffer('buf', torch.arange(2), persistent=False)

    def forward(self, x):
        return self.act(self.lin(x)) * self.scale


class Cached(nn.Linear):
    def __getstate__(self):
        state = self.__dict__.copy()
        state['cache'] = None
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)


def func(x):
    return x + 1


def trained():
    net = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=1.0, momentum=0.5)
    with torch.no_grad():
        net.weight.fill_(1)
        net.bias.fill_(1)
    net(torch.ones(1, 1)).sum().backward()
    optimizer.step()
    return optimizer


def cyclic():
    made = [1]
    made.append(made)
    return made


CASES = {
    'plain': lambda: {'p': Plain(Plain(1, 2), (3, 4.0)), 'q': [Plain(torch.ones(2), None)]}, 'enum': lambda: [Color.RED, Color.BLUE],
    'dataclass': lambda: Conf(2.0, [1]), 'namedtuple': lambda: Pair(1, torch.zeros(1)), 'reduce': lambda: Reduced(4), 'state': State,
    'newargs': lambda: NewArgs(3), 'slots': Slots, 'list': lambda: MyList([1, 2]), 'set': lambda: MySet([1]), 'int': lambda: MyInt(4),
    'names': lambda: [func, len, torch.relu, nn.functional.relu, Plain, nn.Linear, collections.OrderedDict],
    'containers': lambda: [collections.OrderedDict(b=1, a=2), collections.defaultdict(list, a=[1]), collections.Counter('aba'), {1}, frozenset([2])],
    'bytes': lambda: [b'', b'a\xff', bytearray(b'xy')], 'exceptions': lambda: [ValueError('a', 1)], 'cyclic': cyclic,
    'torch values': lambda: [torch.Size([1, 2]), torch.float32, torch.device('cpu'), torch.strided],
    'numbers': lambda: [1 + 2j, 1.0, 10**40, True, None, range(3), slice(1, 2)], 'partial': lambda: functools.partial(func, x=2),
    'subclass': lambda: torch.ones(2).as_subclass(Sub), 'net': Net, 'cached': lambda: Cached(1, 1), 'sequential': lambda: nn.Sequential(nn.Linear(1, 1), nn.ELU()),
    'optimizer': trained, 'scheduler': lambda: torch.optim.lr_scheduler.StepLR(trained(), 3),
    'distribution': lambda: torch.distributions.Normal(0., 1.), 'dataset': lambda: torch.utils.data.TensorDataset(torch.arange(2)),
    'generator': lambda: torch.Generator().manual_seed(3), 'packed': lambda: nn.utils.rnn.pack_sequence([torch.ones(2)]),
    'storage': lambda: torch.ones(1).storage(), 'attribute': lambda: setattr(t := torch.ones(1), 'note', 'x') or t,
    'lambda': lambda: (lambda: 0), 'module': lambda: sys, 'generator of values': lambda: (i for i in [1]),
}


def shown(value, depth=0):
    if depth > 3:
        return '...'
    if isinstance(value, nn.Module):
        own = {name: shown(it, depth + 1) for name, it in value.__dict__.items() if not name.startswith('_')}
        return f'{value!r} {own} {list(value.__dict__)[:3]} {sorted(value.state_dict())} {value._non_persistent_buffers_set}'.replace('\n', ' ')
    if isinstance(value, torch.optim.Optimizer):
        return f'{value.state_dict()} {type(value.state).__name__}'
    if type(value) in (list, tuple):
        return f'[{", ".join(shown(it, depth + 1) for it in value)}]'
    if isinstance(value, torch.Generator):
        return str(torch.rand(1, generator=value))
    text = repr(value).partition(' at 0x')[0].partition(' object')[0].replace('\n', ' ')
    own = sorted(vars(value)) if hasattr(value, '__dict__') and not isinstance(value, (type, tuple, collections.defaultdict)) else ''
    return f'{type(value).__name__} {text} {own}'


def through_file(value, **options):
    file = io.BytesIO()
    torch.save(value, file, **options)
    file.seek(0)
    return torch.load(file, weights_only=False)


WAYS = {
    'save': through_file, 'save 4': lambda value: through_file(value, pickle_protocol=4),
    'legacy': lambda value: through_file(value, _use_new_zipfile_serialization=False),
    'pickle 0': lambda value: pickle.loads(pickle.dumps(value, 0)), 'pickle 5': lambda value: pickle.loads(pickle.dumps(value, 5)),
    'copy': copy.copy, 'deepcopy': copy.deepcopy,
}
for way, run in WAYS.items():
    for name, make in CASES.items():
        if (way, name) == ('legacy', 'generator'):
            continue  # its state is read before the bytes of the state are there
        try:
            result = shown(run(make()))
        except Exception as error:
            result = f'{type(error).__name__}: {error}'.partition(' at 0x')[0]
        print(f'{way}: {name}: {result}')
