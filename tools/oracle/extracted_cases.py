"""Modules that become graphs through lazy tensors: two calls of each, its counters afterwards, refusals. The backend must be on (lazy_cases.py)."""

import torch
import torch._lazy
import torch._lazy.metrics as metrics
import torch.fx
from torch._lazy.extract_compiled_graph import extract_compiled_graph


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 2)
        self.linear.weight.data = torch.arange(6.0).reshape(2, 3)
        self.linear.bias.data = torch.ones(2)

    def forward(self, x):
        return self.linear(x) + torch.ones(2) + torch.zeros(2)


def writes(a, b):
    out = torch.add(a, b)
    a.add_(3)
    b.mul_(2)
    return out, out, a - b


def inplace(x):
    x.relu_()
    return x


MODULES = {
    "chain": (lambda x: torch.tanh(x) * 2 + 1, (torch.tensor([1.0, -2.0]),)),
    "writes": (writes, (torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))),
    "layer": (Layer(), (torch.ones(2, 3),)),
    "fallback": (lambda x: (torch.add(x, 1), x.nonzero()), (torch.tensor([1.0, 0.0]),)),
    "nothing": (lambda x: x, (torch.ones(2),)),
    "inplace": (inplace, (torch.tensor([1.0, -1.0]),)),
    "views": (lambda x: [x.t().reshape(-1), x[0]], (torch.arange(6.0).reshape(2, 3),)),
}


def run(name):
    "What two calls give and what they leave in their arguments; or the refusal."
    module, args = MODULES[name]
    try:
        graph = extract_compiled_graph(torch.fx.symbolic_trace(module), [arg.clone() for arg in args])
    except RuntimeError as error:
        return [str(error)]
    shown = []
    metrics.reset()
    for factor in (1, 2):
        given = [arg.clone() * factor for arg in args]
        out = graph(*given)
        shown.append([[each.tolist() for each in out], [each.tolist() for each in given], [str(each.device) for each in out]])
    shown.append([each for each in metrics.counter_names() if "lazy::" in each or "Compile" in each])
    return shown
