"""Modules that are written for the light interpreter, and calls of them: `case_*` gives a module and a function that calls it."""

from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.k = 3
        with torch.no_grad():
            self.lin.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, -4.0]]))
            self.lin.bias.copy_(torch.tensor([0.5, -0.5]))

    def helper(self, x: torch.Tensor, n: int):
        return self.lin(x) + n

    def forward(self, x, n: int = 2):
        return self.helper(x, n).relu()


def case_net():
    return Net(), lambda m: [m(torch.ones(1, 2)).tolist(), m(torch.ones(1, 2), 7).tolist(), m.run_method("helper", torch.zeros(1, 2), 1).tolist()]


class Point(NamedTuple):
    x: int
    y: List[int]


class Containers(nn.Module):
    def forward(self, s: str, n: Optional[int] = None):
        d: Dict[str, Tuple[int, List[Optional[int]]]] = {}
        none: List[Optional[int]] = [n, None]
        d[s] = (1, none)
        p = Point(1, [2, 3])
        deep: List[Dict[int, float]] = [{1: 2.5}]
        return d, p.x, [p][0].y, deep, "{} and {}".format(s, len(d)), d[s][1]


def case_containers():
    return Containers(), lambda m: [m("a", 4), m("b")]


class Control(nn.Module):
    def forward(self, x, n: int):
        out: List[int] = []
        for i in range(n):
            if i == 2:
                continue
            if i > 4:
                break
            out.append(i * 10)
        while n > 0:
            x = x * 2
            n -= 1
        if x.sum() > 3:
            return x, out
        return x + 1, out


def case_control():
    return Control(), lambda m: [[m(torch.ones(2), n)[0].tolist(), m(torch.ones(2), n)[1]] for n in (0, 1, 3, 7)]


@torch.jit.interface
class Step(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


class Double(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class Interfaces(nn.Module):
    step: Step

    def __init__(self):
        super().__init__()
        self.step = Double()

    def forward(self, x):
        return self.step(x) + 1


def case_interfaces():
    return Interfaces(), lambda m: [m(torch.arange(3)).tolist()]


class Defaults(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        torch.sum(x, dim=[0], out=y)
        torch.add(x, x, out=x)
        a = torch.ops.aten.add(x, x, alpha=2)
        b = x.sum() + x.sum(0)
        return y, a, b, torch.ones(2, dtype=torch.float64), x.dim(), x.dtype, isinstance(x, torch.Tensor)


def case_defaults():
    return Defaults(), lambda m: [[v.tolist() if isinstance(v, torch.Tensor) else v for v in m(torch.ones(2))]]


class Counter(nn.Module):
    count: int

    def __init__(self):
        super().__init__()
        self.count = 0
        self.register_buffer("total", torch.zeros(2))

    def forward(self, x):
        self.count += 1
        self.total += x
        return self.count, self.total


def case_counter():
    return Counter(), lambda m: [[m(torch.ones(2))[0], m(torch.ones(2))[1].tolist()]]
