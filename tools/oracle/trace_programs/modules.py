"""Modules for torch.jit.trace."""
import torch
from torch import nn


def t(*size):
    n = 1
    for s in size:
        n = n * s
    return (torch.arange(n).float() / 4 - 1).view(*size)


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.norm = nn.LayerNorm(n)

    def forward(self, x, scale):
        return self.norm(self.fc(x) * scale) + x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(3)
        self.blocks = nn.ModuleList([Block(4), Block(4)])
        self.head = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2, bias=False))
        self.register_buffer('scale', torch.tensor([2.0]))
        self.gain = nn.Parameter(torch.ones(4))

    def forward(self, x):
        for block in self.blocks:
            x = block(x, self.scale)
        return self.head(x * self.gain)


def case_net():
    return Net(), (t(2, 4),), {}, [(t(2, 4),), (t(3, 4),)]


class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(4)
        self.conv = nn.Conv2d(1, 2, 3, padding=1)
        self.bn = nn.BatchNorm2d(2)
        self.pool = nn.MaxPool2d(2)
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        x = self.pool(torch.relu(self.bn(self.conv(x))))
        return self.fc(self.drop(x.flatten(1)))


def case_conv_eval():
    return Conv().eval(), (t(1, 1, 4, 4),), {}, [(t(1, 1, 4, 4),), (t(2, 1, 4, 4),)]


def case_conv_train():
    return Conv(), (t(2, 1, 4, 4),), {'check_trace': False}, []


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(5)
        self.fc = nn.Linear(3, 3)
        self.act = nn.Tanh()

    def forward(self, x):
        return self.act(self.fc(self.act(self.fc(x))))


def case_called_twice():
    return Twice(), (t(2, 3),), {}, [(t(2, 3),)]


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(6)
        self.inner = nn.Linear(2, 2)

    def forward(self, x):
        return torch.mm(x, self.inner.weight) + self.inner.bias, self.inner(x)


def case_parameters_of_a_submodule():
    return Outer(), (t(2, 2),), {}, [(t(2, 2),)]


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(7)
        self.a = nn.Linear(2, 2)

    def forward(self, x, y):
        first, second = self.pair(x, y)
        return first - second

    def pair(self, x, y):
        return self.a(x), y * self.a.weight.sum()


def case_two_results():
    return Two(), (t(1, 2), t(1, 2)), {}, [(t(1, 2), t(1, 2))]


def case_keyword_inputs():
    return Two(), None, {'example_kwarg_inputs': {'y': t(1, 2), 'x': t(1, 2)}}, [(t(1, 2), t(1, 2))]


def case_wrong_keyword():
    return Two(), None, {'example_kwarg_inputs': {'z': t(1, 2)}}, []


def case_methods():
    return Two(), None, {'methods': {'forward': (t(1, 2), t(1, 2)), 'pair': (t(1, 2), t(1, 2))}}, [(t(1, 2), t(1, 2))]


def case_single_method():
    return Two().pair, (t(1, 2), t(1, 2)), {}, []


def case_forward_method():
    return Two().forward, (t(1, 2), t(1, 2)), {}, [(t(1, 2), t(1, 2))]


class Pieces(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(8)
        self.split = Halves()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        a, b = self.split(x)
        return self.fc(a) + b, a


class Halves(nn.Module):
    def forward(self, x):
        return x[:, :2], x[:, 2:]


def case_tuple_of_a_submodule():
    return Pieces(), (t(2, 4),), {}, [(t(2, 4),)]


def case_shared_parameter():
    m = nn.Linear(2, 2)
    m.again = m.weight
    return m, (t(1, 2),), {}, []


def case_library_module():
    torch.manual_seed(9)
    return nn.Sequential(nn.Embedding(5, 3), nn.Linear(3, 2), nn.GELU(), nn.Softmax(-1)), (torch.tensor([[1, 4], [0, 2]]),), {}, [(torch.tensor([[1, 4], [0, 2]]),)]


class Scripted(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(10)
        self.inner = torch.jit.script(Branch())

    def forward(self, x):
        return self.inner(x) + 1


class Branch(nn.Module):
    def forward(self, x):
        if bool(x.sum() > 0):
            return x * 2
        return -x


def case_scripted_submodule():
    return Scripted(), (t(2),), {}, [(t(2),), (t(2) + 4,)]


def case_already_scripted():
    return torch.jit.script(Branch()), (t(2),), {}, [(t(2),)]


def case_recurrent():
    torch.manual_seed(11)
    return nn.GRUCell(2, 3), (t(1, 2), t(1, 3)), {}, [(t(1, 2), t(1, 3))]


def case_lstm():
    torch.manual_seed(12)
    return nn.LSTM(2, 2, batch_first=True), (t(1, 3, 2),), {}, [(t(1, 3, 2),)]


class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(13)
        self.fc = nn.Linear(2, 2)
        self.fc.register_forward_hook(lambda m, i, o: o * 2)

    def forward(self, x):
        return self.fc(x)


def case_hooks():
    return Hooked(), (t(1, 2),), {}, [(t(1, 2),)]
