"""Programs on the device `lazy`, in steps. It runs in PyTorch (record_lazy.py) and here (test/torch/_lazy/programs.test.ts).

A step is Python, or one of
    IR a b      the nodes below these tensors
    VALUE a     the values, which cuts
    MARK        mark_step
After VALUE and MARK the counters are noted, too.
"""

import re

import torch
import torch._lazy
import torch._lazy.metrics as metrics
import torch._lazy.ts_backend
import torch.nn.functional as F

torch._lazy.ts_backend.init()
C = torch._C._lazy


def ramp(*size):
    "-1, -0.75, -0.5, ... on the device"
    n = 1
    for s in size:
        n *= s
    return (torch.arange(n, dtype=torch.float32) / 4 - 1).reshape(size).to("lazy")


CASES = {
    "numbers": ["x = ramp(3)", "a = x + 1.5", "b = 2 - x", "c = x.clamp(min=0)", "IR a b c", "VALUE a", "VALUE b"],
    "promotion": ["x = torch.tensor([1, 2, 3]).to('lazy')", "a = x / 2", "b = x.sum()", "c = x.float().mean()", "IR a b c", "VALUE a", "VALUE c"],
    "matmul": ["y = torch.addmm(ramp(4), ramp(2, 3), ramp(3, 4)).relu().sum(1)", "IR y", "VALUE y"],
    "lists": ["x = ramp(2, 2)", "y = torch.cat([x, x * 2], 0)", "z = torch.stack([x, y[:2]])", "IR z", "VALUE z"],
    "several outputs": ["v, i = ramp(5).topk(2)", "s, j = ramp(4).sort(descending=True)", "IR v i", "IR s", "VALUE v", "VALUE i"],
    "reductions": ["x = ramp(2, 3)", "a = x.mean(0)", "b = x.std(1)", "c = x.norm()", "d = x.max(1)[0]", "IR a b", "IR c d", "VALUE b", "VALUE c"],
    "conv": ["y = F.max_pool2d(F.conv2d(ramp(1, 1, 4, 4), ramp(2, 1, 3, 3), padding=1), 2)", "IR y", "VALUE y"],
    "views": ["x = ramp(2, 3)", "y = x.view(3, 2)", "y.add_(1)", "IR y", "VALUE x", "x.mul_(2)", "VALUE y", "z = x.t()[1:]", "IR z"],
    "writes": ["x = ramp(4, 4)", "x[1:3, 0] = 5", "VALUE x", "x[0].zero_()", "IR x", "VALUE x", "x.fill_(3)", "IR x"],
    "data": ["x = ramp(3).requires_grad_()", "(x * x).sum().backward()", "x.data = x.data - x.grad", "IR x", "VALUE x"],
    "cuts": ["x = ramp(3)", "y = x * 2", "v = y.sum().item()", "b = bool((y > 0).any())", "t = y.tolist()", "MARK", "r = repr(y)", "MARK"],
    "held": ["x = ramp(3)", "y = x + 1", "z = y * 2", "del y", "MARK", "w = (z - 1).exp()", "MARK", "VALUE w"],
    "steps": ["x = ramp(3)", "for i in range(4):\n    x = torch.tanh(x) * 2\n    torch._lazy.mark_step()", "MARK", "VALUE x"],
    "factories": ["x = torch.zeros(2, 3, device='lazy')", "a = torch.arange(4, device='lazy')", "e = torch.eye(2, device='lazy')", "l = torch.ones_like(x)", "IR x a", "IR l", "VALUE e"],
    "random": ["torch.manual_seed(3)", "x = torch.rand(3, device='lazy')", "y = F.dropout(ramp(4, 4), 0.5)", "IR x y", "VALUE x", "VALUE y", "n = torch.randn_like(x)", "VALUE n"],
    "fallback": ["x = ramp(2, 3)", "a = x.erf()", "b = torch.where(x > 0, x, -x)", "n = (x > 0).nonzero()", "IR a", "VALUE b", "VALUE n"],
    "train": [
        "torch.manual_seed(0)",
        "m = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2)).to('lazy')",
        "o = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9)",
        "x, t = ramp(5, 3), torch.tensor([0, 1, 1, 0, 1]).to('lazy')",
        "for i in range(3):\n    o.zero_grad()\n    loss = F.cross_entropy(m(x), t)\n    loss.backward()\n    o.step()\n    torch._lazy.mark_step()",
        "MARK",
        "VALUE loss",
        "w = m[0].weight",
        "VALUE w",
    ],
    "norms": ["m = torch.nn.LayerNorm(4).to('lazy')", "y = m(ramp(2, 4))", "IR y", "g = torch.nn.GroupNorm(1, 2).to('lazy')(ramp(1, 2, 3))", "VALUE g"],
    "gradient of a slice": ["x = ramp(2, 3).requires_grad_()", "(x.view(6) * 2)[1:4].sum().backward()", "g = x.grad", "IR g", "VALUE g"],
    "errors": ["x = ramp(2, 3)", "z = x + ramp(4, 5)", "z = x @ x", "z = x + x.cpu()", "z = x.numpy()", "MARK"],
}


def counters():
    # One counts destroyed objects, one depends on the programs before.
    return {name: metrics.counter_value(name) for name in sorted(metrics.counter_names()) if name not in ("DestroyLtcTensor", "DeviceDataCacheMiss")}


def run(steps):
    "What each step shows; None if it shows nothing."
    metrics.reset()
    C._clear_ir_cache()
    env = {"torch": torch, "F": F, "ramp": ramp}
    shown = []
    for step in steps:
        word, _, rest = step.partition(" ")
        try:
            if word == "IR":
                shown.append(re.sub(r"NodeType=N5torch4lazy\d+(\w+)E", r"\1", C._get_tensors_text([env[name] for name in rest.split()])))
            elif word == "VALUE":
                value = env[rest].detach().cpu()
                shown.append([str(value.dtype), list(value.shape), value.flatten().tolist(), counters()])
            elif word == "MARK":
                torch._lazy.mark_step()
                shown.append(counters())
            else:
                exec(compile(step, "<step>", "exec"), env)
                shown.append(None)
        except (RuntimeError, TypeError) as error:
            shown.append(type(error).__name__ + ": " + str(error))
    return shown
