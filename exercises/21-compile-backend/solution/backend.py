"""A backend for `torch.compile`, and `torch.compile` itself in small: forms of a function, and the guards that choose one."""

import torch
from torch.fx.experimental.proxy_tensor import make_fx


class Counting:
    """A backend that runs each graph as it is, and remembers the names of its operations."""

    def __init__(self):
        self.graphs = []

    def __call__(self, gm, example_inputs):
        # ex:begin(21.backend)
        self.graphs.append([node.name for node in gm.graph.nodes if node.op.startswith("call_")])
        # ex:stub
        # ex:end
        return gm.forward


def capture(fn, args, backend):
    """Code for calls like this one. What is no tensor becomes a constant of the graph; so does every decision that depends on it."""
    tensors = [arg for arg in args if isinstance(arg, torch.Tensor)]

    def with_constants(*given):
        rest = iter(given)
        return fn(*[next(rest) if isinstance(arg, torch.Tensor) else arg for arg in args])

    code = backend(make_fx(with_constants)(*tensors), tensors)
    return lambda *now: code(*[arg for arg in now if isinstance(arg, torch.Tensor)])


# ex:begin(21.guards)
def kind_of(value):
    """What code that was made for a value relies on."""
    if isinstance(value, torch.Tensor):
        return value.dtype, value.device, tuple(value.shape), value.stride(), value.requires_grad
    return type(value), value


# ex:stub
# ex:end
def guards_of(args):
    """Conditions for a later call: functions of its arguments. The code that is made for `args` is right if all of them are true."""
    guards = []
    # ex:begin(21.guards)
    grad = torch.is_grad_enabled()
    guards.append(lambda now: torch.is_grad_enabled() == grad)
    for i, arg in enumerate(args):
        guards.append(lambda now, i=i, kind=kind_of(arg): kind_of(now[i]) == kind)
    # ex:stub
    # ex:end
    return guards


class Compiled:
    """A function with its compiled forms."""

    def __init__(self, fn, backend):
        self.fn = fn
        self.backend = backend
        self.forms = []

    def __call__(self, *args):
        # ex:begin(21.forms)
        for guards, code in self.forms:
            if all(guard(args) for guard in guards):
                return code(*args)
        # ex:stub
        # ex:end
        code = capture(self.fn, args, self.backend)
        # ex:begin(21.forms)
        self.forms.append((guards_of(args), code))
        # ex:stub
        # ex:end
        return code(*args)
