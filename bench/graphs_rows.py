"""Times rows of PyTorch's graph systems; bench/python.ts runs this file on glasstorch's Python and on CPython with PyTorch.

    python graphs_rows.py SECONDS    (prints a line of JSON for each row: its name, and the ns of the first call or the least of one turn)
"""
import json
import sys
import time

import torch
import torch.nn.functional as F
from functorch.compile import aot_function, nop
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx

SECONDS = float(sys.argv[1])
ONLY = sys.argv[2:]


def report(name, seconds):
    print(json.dumps({'row': name, 'ns': seconds * 1e9}), flush=True)


def first(name, run):
    """The time of one call, which nothing like it preceded."""
    start = time.perf_counter()
    run()
    report(name, time.perf_counter() - start)


def timed(name, run, per_turn=1):
    """`run(n)` does `n` turns. Turns are doubled until a round takes a twentieth of the time; the least of all rounds counts."""
    n, best, end = 1, float('inf'), time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        run(n)
        took = time.perf_counter() - start
        best = min(best, took / n)
        if took < SECONDS / 20:
            n *= 2
    report(name, best / per_turn)


def wants(group):
    return not ONLY or group in ONLY


def fresh_function():
    """A function of 30 lines that no compiler has seen: `script` keeps what it compiled by function."""

    def thirty_lines(x: torch.Tensor, w: torch.Tensor, n: int, scale: float = 0.5):
        total = torch.zeros_like(x)
        count = 0
        for i in range(n):
            y = torch.mm(x, w)
            if i % 2 == 0:
                y = torch.relu(y)
                count += 1
            else:
                y = torch.tanh(y) * scale
                count += 2
            total = total + y
        parts = []
        for j in range(3):
            part = total * float(j) + scale
            parts.append(part.sum())
        stacked = torch.stack(parts)
        k = 0
        while k < count:
            stacked = stacked + k
            if bool(stacked.sum() > 1000.0):
                break
            k += 1
        names = ['a', 'b', 'c']
        table = {'first': 1, 'second': 2}
        for name in names:
            table[name] = len(name) + k
        mean = stacked.mean()
        std = (stacked - mean).pow(2).mean().sqrt()
        result = (total - mean) / (std + 1e-5)
        return result, table, count

    return thirty_lines


def scripts(n):
    for _ in range(n):
        torch.jit.script(fresh_function())


def scripted_and_called():
    f = torch.jit.script(fresh_function())
    x = torch.ones(2, 2)
    for _ in range(3):
        f(x, x, 3)


def scripts_and_calls(n):
    for _ in range(n):
        scripted_and_called()


@torch.jit.script
def chain_of_ten(x):
    for _ in range(10):
        x = x * 1.5
        x = x + 0.5
        x = torch.relu(x)
        x = x - 0.25
        x = torch.neg(x)
        x = torch.abs(x)
        x = torch.sigmoid(x)
        x = torch.tanh(x)
        x = torch.exp(x)
        x = torch.sqrt(x)
    return x


@torch.jit.script
def integers(n: int):
    total = 0
    for i in range(n):
        total = total + i * 2 - (i & 3)
    return total


def ten_pointwise(x):
    x = x * 1.5
    x = x + 0.5
    x = torch.relu(x)
    x = x - 0.25
    x = torch.neg(x)
    x = torch.abs(x)
    x = torch.sigmoid(x)
    x = torch.tanh(x)
    x = torch.exp(x)
    return torch.sqrt(x)


def calls_of(f, *args):
    def calls(n):
        for _ in range(n):
            f(*args)

    return calls


class Block(nn.Module):
    def __init__(self, inplanes, planes, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inplanes, planes, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(planes, planes, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = None
        if stride != 1 or inplanes != planes:
            self.downsample = nn.Sequential(nn.Conv2d(inplanes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))

    def forward(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class ResNet18(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        self.layer1 = nn.Sequential(Block(64, 64), Block(64, 64))
        self.layer2 = nn.Sequential(Block(64, 128, 2), Block(128, 128))
        self.layer3 = nn.Sequential(Block(128, 256, 2), Block(256, 256))
        self.layer4 = nn.Sequential(Block(256, 512, 2), Block(512, 512))
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512, 10)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


mlp = [torch.randn(16, 8), torch.randn(16), torch.randn(4, 16), torch.randn(4)]
batch, target = torch.randn(5, 8), torch.randint(0, 4, (5,))


def mlp_step(w1, b1, w2, b2, x, y):
    w1, b1, w2, b2 = (p.detach().requires_grad_() for p in (w1, b1, w2, b2))
    loss = F.cross_entropy(F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2), y)
    grads = torch.autograd.grad(loss, (w1, b1, w2, b2))
    return [p - 0.1 * g for p, g in zip((w1, b1, w2, b2), grads)]


def steps_made(n):
    for _ in range(n):
        make_fx(mlp_step)(*mlp, batch, target)


torch.set_num_threads(1)
one = torch.ones(1)
if wants('script'):
    first('script of 30 lines, first', lambda: torch.jit.script(fresh_function()))
    timed('script of 30 lines', scripts)
    first('script and three calls, first', scripted_and_called)
    timed('script and three calls', scripts_and_calls)
if wants('interpreter'):
    with torch.no_grad():
        for _ in range(3):
            chain_of_ten(one)
            integers(3)
        timed('scripted, an operator of 1 element', calls_of(chain_of_ten, one), 100)
        timed('scripted, a turn of a loop of ints', calls_of(integers, 1000), 1000)
if wants('aot'):
    compiled = aot_function(ten_pointwise, fw_compiler=nop)
    first('aot_function of ten operators, first', lambda: compiled(one))
    timed('ten operators, eager', calls_of(ten_pointwise, one))
    timed('ten operators, aot_function', calls_of(compiled, one))
    learns = torch.ones(1, requires_grad=True)
    compiled = aot_function(ten_pointwise, fw_compiler=nop)
    compiled(learns)
    timed('ten operators with gradients, eager', calls_of(ten_pointwise, learns))
    timed('ten operators with gradients, aot_function', calls_of(compiled, learns))
if wants('fx'):
    net = ResNet18()
    first('symbolic_trace of ResNet-18, first', lambda: torch.fx.symbolic_trace(net))
    timed('symbolic_trace of ResNet-18', calls_of(torch.fx.symbolic_trace, net))
if wants('make_fx'):
    first('make_fx of a step of an MLP, first', lambda: steps_made(1))
    timed('make_fx of a step of an MLP', steps_made)
