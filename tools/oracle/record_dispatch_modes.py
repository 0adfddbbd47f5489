"""Records what a TorchDispatchMode of PyTorch 2.13.0 is handed, and what becomes of what it returns.

    python tools/oracle/record_dispatch_modes.py test/fixtures/testing/dispatch_modes.json.gz

Rows [TypeScript, Python, calls, outcome]. A call is [mode, overload, number of arguments, kwargs, grad enabled]; the outcome what came
back, or {error, message}. test/torch/utils/python_dispatch.test.ts runs the TypeScript.
"""

import gzip
import json
import os
import sys
import warnings

import torch
import torch.nn.functional as F
from torch.overrides import enable_reentrant_dispatch
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes, _get_current_dispatch_mode, _get_current_dispatch_mode_stack

CASES = [
    # what is seen
    ("log(() => x.mul(2).add(x, {alpha: 3}).sum())", "log(lambda: x.mul(2).add(x, alpha=3).sum())"),
    ("log(() => x.mul(2).add(x, {alpha: 3}).sum().backward())", "log(lambda: x.mul(2).add(x, alpha=3).sum().backward())"),
    ("(log(() => x.mul(2).add(x, {alpha: 3}).sum().backward()), x.grad)", "(log(lambda: x.mul(2).add(x, alpha=3).sum().backward()), x.grad)[1]"),
    ("log(() => torch.ones(2))", "log(lambda: torch.ones(2))"),
    ("log(() => torch.zeros(2, {dtype: torch.float64}))", "log(lambda: torch.zeros(2, dtype=torch.float64))"),
    ("log(() => torch.empty(2).fill_(3))", "log(lambda: torch.empty(2).fill_(3))"),
    ("log(() => torch.arange(3))", "log(lambda: torch.arange(3))"),
    ("log(() => F.linear(x, x, x.at(0)))", "log(lambda: F.linear(x, x, x[0]))"),
    ("log(() => F.relu(x))", "log(lambda: F.relu(x))"),
    ("log(() => F.softmax(x, 0))", "log(lambda: F.softmax(x, 0))"),
    ("log(() => F.cross_entropy(x, torch.tensor([0, 1])))", "log(lambda: F.cross_entropy(x, torch.tensor([0, 1])))"),
    ("log(() => F.layer_norm(x, [2]))", "log(lambda: F.layer_norm(x, [2]))"),
    ("log(() => y.add_(1))", "log(lambda: y.add_(1))"),
    ("log(() => torch.add(y, y, {out: torch.empty(2, 2)}))", "log(lambda: torch.add(y, y, out=torch.empty(2, 2)))"),
    ("log(() => torch.max(x, 0))", "tuple(log(lambda: torch.max(x, 0)))"),
    ("log(() => torch.cat([x, y]))", "log(lambda: torch.cat([x, y]))"),
    ("log(() => x.t().reshape(4))", "log(lambda: x.t().reshape(4))"),
    ("log(() => x.at(0, torch.slice(1, 2)))", "log(lambda: x[0, 1:2])"),
    ("log(() => x.detach().clone())", "log(lambda: x.detach().clone())"),
    ("log(() => x.matmul(x).exp().sum().backward())", "log(lambda: x.matmul(x).exp().sum().backward())"),
    ("log(() => torch.no_grad(() => x.matmul(x)))", "log(lambda: no_grad(lambda: x.matmul(x)))"),
    ("log(() => F.conv2d(y.reshape(1, 1, 2, 2), y.reshape(1, 1, 2, 2)))", "log(lambda: F.conv2d(y.reshape(1, 1, 2, 2), y.reshape(1, 1, 2, 2)))"),
    ("log(() => x.shape)", "log(lambda: list(x.shape))"),
    ("log(() => x.sum().item())", "log(lambda: x.sum().item())"),
    ("log(() => torch.autograd.grad(x.sin().sum(), x, {create_graph: true})[0].sum().backward())", "log(lambda: torch.autograd.grad(x.sin().sum(), x, create_graph=True)[0].sum().backward())"),
    ("log(() => x.mul(2)).requires_grad", "log(lambda: x.mul(2)).requires_grad"),
    # what is on the stack
    ("log(() => log(() => x.sin(), 'inner'))", "log(lambda: log(lambda: x.sin(), 'inner'))"),
    ("log(() => log(() => _get_current_dispatch_mode_stack().length, 'inner'))", "log(lambda: log(lambda: len(_get_current_dispatch_mode_stack()), 'inner'))"),
    ("log(() => _get_current_dispatch_mode() === null)", "log(lambda: _get_current_dispatch_mode() is None)"),
    ("_get_current_dispatch_mode() === null", "_get_current_dispatch_mode() is None"),
    ("log(() => _disable_current_modes(() => x.sin()))", "log(lambda: disabled(lambda: x.sin()))"),
    ("handle((func, args, kwargs) => _get_current_dispatch_mode() === null ? y : x, () => x.sin())", "handle(lambda func, args, kwargs: y if _get_current_dispatch_mode() is None else x, lambda: x.sin())"),
    # what is made of it
    ("handle((func, args, kwargs) => func(...args, kwargs).neg(), () => torch.ones(2))", "handle(lambda func, args, kwargs: func(*args, **kwargs).neg(), lambda: torch.ones(2))"),
    ("handle((func, args, kwargs) => torch.zeros(2), () => x.mul(2))", "handle(lambda func, args, kwargs: torch.zeros(2), lambda: x.mul(2))"),
    ("handle((func, args, kwargs) => func === torch.ops.aten.mul.Tensor ? args[0].add(args[1]) : func(...args, kwargs), () => x.mul(2).sin())", "handle(lambda func, args, kwargs: args[0].add(args[1]) if func is torch.ops.aten.mul.Tensor else func(*args, **kwargs), lambda: x.mul(2).sin())"),
    ("handle((func, args, kwargs) => func(...args, kwargs).requires_grad, () => x.mul(2))", "handle(lambda func, args, kwargs: func(*args, **kwargs).requires_grad, lambda: x.mul(2))"),
    ("handle((func, args, kwargs) => NotImplemented, () => torch.ones(2))", "handle(lambda func, args, kwargs: NotImplemented, lambda: torch.ones(2))"),
    ("handle((func, args, kwargs) => 5, () => torch.ones(2))", "handle(lambda func, args, kwargs: 5, lambda: torch.ones(2))"),
    ("handle((func, args, kwargs) => 5, () => torch.max(x, 0))", "handle(lambda func, args, kwargs: 5, lambda: torch.max(x, 0))"),
    ("handle((func, args, kwargs) => null, () => x.sin())", "handle(lambda func, args, kwargs: None, lambda: x.sin())"),
    ("handle((func, args, kwargs) => fail(), () => x.sin())", "handle(lambda func, args, kwargs: fail(), lambda: x.sin())"),
    ("new TorchDispatchMode().with(() => x.sin())", "within(TorchDispatchMode(), lambda: x.sin())"),
    ("new TorchDispatchMode('a')", "TorchDispatchMode('a')"),
    # autograd again, inside
    ("log(() => handle((func, args, kwargs) => enable_reentrant_dispatch(() => args[0].mul(2)).requires_grad ? y : x, () => x.sin()))", "log(lambda: handle(lambda func, args, kwargs: y if reentrant(lambda: args[0].mul(2)).requires_grad else x, lambda: x.sin()))"),
    ("enable_reentrant_dispatch(() => 1)", "reentrant(lambda: 1)"),
]

calls = []


def within(context, fn):
    with context:
        return fn()


def disabled(fn):
    return within(_disable_current_modes(), fn)


def reentrant(fn):
    return within(enable_reentrant_dispatch(), fn)


def no_grad(fn):
    return within(torch.no_grad(), fn)


def fail():
    raise ValueError("no")


def described(value):
    """Of a tensor among the arguments it says nothing more."""
    return "a tensor" if isinstance(value, torch.Tensor) else describe(value)


class Log(TorchDispatchMode):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        calls.append([self.name, str(func), len(args), {k: described(v) for k, v in sorted(kwargs.items())}, torch.is_grad_enabled()])
        return func(*args, **kwargs)


class Handle(TorchDispatchMode):
    def __init__(self, handler):
        super().__init__()
        self.handler = handler

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return self.handler(func, args, kwargs)


def log(fn, name="outer"):
    return within(Log(name), fn)


def handle(handler, fn):
    return within(Handle(handler), fn)


def describe(value):
    if isinstance(value, torch.Tensor):
        return {"tensor": value.tolist(), "requires_grad": value.requires_grad}
    if isinstance(value, (list, tuple)):
        return [describe(v) for v in value]
    if isinstance(value, dict):
        return {k: describe(v) for k, v in sorted(value.items())}
    if isinstance(value, (torch.dtype, torch.device, torch.layout, torch.memory_format)):
        return str(value)
    return value


def run(python):
    x = torch.tensor([[0.5, 1.5], [2.5, 3.5]], requires_grad=True)
    scope = {**globals(), "x": x, "y": torch.ones(2, 2)}
    calls.clear()
    try:
        outcome = describe(eval(python, scope))
    except Exception as error:  # whatever it is, it is the answer
        message = str(error)
        start = message.find(" object at 0x")
        if start > 0:
            message = message[:start].replace("__main__.", "") + message[start:].replace(message[start : message.index(">", start)], " object")
        outcome = {"error": type(error).__name__, "message": message}
    return [list(calls), outcome]


def main(path):
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    warnings.simplefilter("ignore")
    rows = [[ts, python, *run(python)] for ts, python in CASES]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = {"torch": torch.__version__, "script": "tools/oracle/record_dispatch_modes.py", "rows": rows}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data, indent=0).encode(), mtime=0))
    print(len(rows), "rows")


if __name__ == "__main__":
    main(sys.argv[1])
