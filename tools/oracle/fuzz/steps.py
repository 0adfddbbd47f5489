"""What a step of a random program is, and how PyTorch runs it.

A program is `{"seed": n, "steps": [...]}`, a step
  call     `torch.add`, `aten.add.Tensor` (torch.ops), `F.relu`, `Tensor.add_` (the first argument is the object), `nn.Linear` (the first
           argument are its inputs, the others its constructor's), `optim.SGD` and others of PLACES, `Optimizer.step`, or one of SPECIAL
  args     numbers, strings, None, lists, and what JSON lacks:
           {"$v": name} a value made before, {"$f": "2.0"} a float, {"$i": "9223372036854775807"} an int that a double cannot hold,
           {"$tuple": [...]}, {"$slice": [a, b, c]}, {"$ellipsis": 1}, {"$torch": "float32"} a member of torch, {"$device": "cpu"},
           {"$storage": name} the storage of a tensor made before, {"$state": name} the state_dict of an optimizer or a scheduler,
           {"$dict": {...}}, {"$closure": [kind, tensors]} a loss of these and its gradients, {"$lambda": name} one of LAMBDAS
  kwargs   name -> the same
  scope    null, "no_grad" or "inference_mode"
  out      the names that the tensors in its result get, as far as they are new
  zeroed   names of tensors whose memory is set to 0 after it: nobody has written what stands there (see writer.py)
"""

from keyword import iskeyword

import torch
import torch.nn.functional as F
from torch.optim import Optimizer, lr_scheduler, swa_utils

SCOPES = {None: torch.enable_grad, "no_grad": torch.no_grad, "inference_mode": torch.inference_mode}
PLACES = {"optim": torch.optim, "lr_scheduler": lr_scheduler, "swa_utils": swa_utils, "init": torch.nn.init, "utils": torch.nn.utils}
OBJECTS = ("Tensor", "Optimizer", "Scheduler")  # whose methods are called
LAMBDAS = {"halves": lambda e: 0.5**e, "third": lambda e: 1 / (1 + e // 3), "tenth": lambda e: 0.1, "grows": lambda e: 1.0 + e}


def encode(v):
    """The wire form of an argument; `Var` and its kin stand for values made before."""
    if isinstance(v, Var):
        return {v.mark: v.name}
    if isinstance(v, Closure):
        return {"$closure": [v.kind, encode(v.params)]}
    if isinstance(v, dict):
        return {"$dict": {k: encode(x) for k, x in v.items()}}
    if isinstance(v, bool) or v is None or isinstance(v, str):
        return v
    if isinstance(v, int):
        return v if abs(v) < 2**53 else {"$i": str(v)}
    if isinstance(v, float):
        return {"$f": repr(v)}
    if isinstance(v, slice):
        return {"$slice": [encode(v.start), encode(v.stop), encode(v.step)]}
    if v is Ellipsis:
        return {"$ellipsis": 1}
    if isinstance(v, (torch.dtype, torch.memory_format, torch.layout)):
        return {"$torch": str(v).removeprefix("torch.")}
    if isinstance(v, torch.device):
        return {"$device": str(v)}
    if isinstance(v, tuple):
        return {"$tuple": [encode(x) for x in v]}
    if isinstance(v, list):
        return [encode(x) for x in v]
    raise TypeError(type(v))


class Var:
    mark = "$v"

    def __init__(self, name):
        self.name = name


class StorageOf(Var):
    mark = "$storage"


class StateOf(Var):
    mark = "$state"


class Lambda(Var):
    mark = "$lambda"


class Closure:
    def __init__(self, kind, params):
        self.kind = kind
        self.params = params


class Run:
    """One run of a program's steps; `env` holds what they made, `heard` what the hooks were called with during a step, `objects` what the
    optimizers and schedulers last were."""

    def __init__(self, seed):
        self.env = {}
        self.objects = {}
        self.heard = []
        torch.manual_seed(seed)

    def decode(self, v):
        if isinstance(v, list):
            return [self.decode(x) for x in v]
        if not isinstance(v, dict):
            return v
        ((mark, given),) = v.items()
        match mark:
            case "$v":
                return self.env[given]
            case "$storage":
                return self.env[given].untyped_storage()
            case "$state":
                return self.env[given].state_dict()
            case "$dict":
                return {k: self.decode(x) for k, x in given.items()}
            case "$closure":
                kind, params = given
                return closure(kind, self.decode(params))
            case "$lambda":
                return LAMBDAS[given]
            case "$f":
                return float(given)
            case "$i":
                return int(given)
            case "$tuple":
                return tuple(self.decode(x) for x in given)
            case "$slice":
                return slice(*(self.decode(x) for x in given))
            case "$ellipsis":
                return ...
            case "$torch":
                return getattr(torch, given)
            case "$device":
                return torch.device(given)
        raise ValueError(mark)

    def function(self, step):
        """The call as a function without arguments. A KeyError says that a value it needs was never made."""
        args = [self.decode(a) for a in step["args"]]
        kwargs = {k: self.decode(v) for k, v in step["kwargs"].items()}
        place, _, name = step["call"].partition(".")
        if place == "torch":
            return lambda: getattr(torch, name)(*args, **kwargs)
        if place == "F":
            return lambda: getattr(F, name)(*args, **kwargs)
        if place == "aten":
            packet, _, overload = name.partition(".")
            op = getattr(torch.ops.aten, packet)
            return lambda: (getattr(op, overload) if overload else op)(*args, **kwargs)
        if place == "nn":
            return lambda: made_and_called(getattr(torch.nn, name), *args, **kwargs)
        if place in PLACES:
            return lambda: getattr(PLACES[place], name)(*args, **kwargs)
        if place in OBJECTS:
            # Written out: a method called by its name is told by another one in messages than a bound method is.
            given = [f"args[{i}]" for i in range(1, len(args))] + [f"**{{{k!r}: kwargs[{k!r}]}}" if iskeyword(k) else f"{k}=kwargs[{k!r}]" for k in kwargs]
            return eval(f"lambda: args[0].{name}({', '.join(given)})", {"args": args, "kwargs": kwargs})
        special = getattr(self, f"special_{place}")
        return lambda: special(*args, **kwargs)

    def run(self, step):
        """`(result, None)` or `(None, error)`."""
        call = self.function(step)
        self.heard = []
        try:
            with SCOPES[step["scope"]]():
                result = call()
        except Exception as error:
            return None, error
        names = iter(step["out"])
        for value in new_values(result, self.env):
            name = next(names, None)
            if name is not None:
                self.env[name] = value
        return result, None

    def zero(self, names):
        for name in names:
            if name in self.env and self.env[name].device.type == "cpu":
                self.env[name].untyped_storage().fill_(0)

    # What is no function: syntax, properties, hooks.

    def special_getitem(self, x, index):
        return x[index]

    def special_setitem(self, x, index, value):
        x[index] = value

    def special_get(self, x, name):
        return getattr(x, name)

    def special_set(self, x, name, value):
        setattr(x, name, value)

    def special_print(self, x):
        return repr(x)

    def special_grad(self, *args, **kwargs):
        return torch.autograd.grad(*args, **kwargs)

    def special_hook(self, x, kind):
        return x.register_hook(self.hook(kind))

    def special_post_hook(self, x, kind):
        return x.register_post_accumulate_grad_hook(self.hook(kind))

    def special_node_hook(self, x, kind):
        def heard(grads_in, grads_out):
            self.heard.append([kind, *(None if g is None else g.detach().clone() for g in (*grads_in, *grads_out))])
            return tuple(None if g is None else g * 2 for g in grads_in) if kind == "double" else None

        return x.grad_fn.register_hook(heard)

    def special_node_prehook(self, x, kind):
        def heard(grads):
            self.heard.append([kind, *(None if g is None else g.detach().clone() for g in grads)])
            return tuple(None if g is None else g * 2 for g in grads) if kind == "double" else None

        return x.grad_fn.register_prehook(heard)

    def special_unhook(self, handle):
        handle.remove()

    def special_saved(self, x):
        """Every saved value of the node that made x, by name."""
        names = sorted(n for n in dir(x.grad_fn) if n.startswith("_saved_"))
        return [[n, getattr(x.grad_fn, n)] for n in names]

    def special_descend(self, kind, params):
        """Gradients of a loss, added to those that are there."""
        loss = loss_of(kind, params)
        loss.backward()
        return loss

    def special_average(self, kind, decay, updates, use_buffers):
        """A module, moved and averaged; what the average then holds."""
        model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
        functions = {
            "none": lambda: {},
            "ema": lambda: {"avg_fn": swa_utils.get_ema_avg_fn(decay)},
            "ema_multi": lambda: {"multi_avg_fn": swa_utils.get_ema_multi_avg_fn(decay)},
            "swa": lambda: {"avg_fn": swa_utils.get_swa_avg_fn()},
            "swa_multi": lambda: {"multi_avg_fn": swa_utils.get_swa_multi_avg_fn()},
        }
        averaged = swa_utils.AveragedModel(model, use_buffers=use_buffers, **functions[kind]())
        for i in range(updates):
            with torch.no_grad():
                for p in model.parameters():
                    p.mul_(0.5).add_(i)
            model(torch.ones(2, 2))
            averaged.update_parameters(model)
        swa_utils.update_bn([torch.full((2, 2), 0.5), torch.ones(3, 2)], averaged)
        return [repr(averaged), list(averaged.state_dict()), *averaged.state_dict().values()]

    def hook(self, kind):
        def heard(grad):
            self.heard.append([kind, grad.detach().clone()])
            if kind == "raise":
                raise ValueError("the hook refuses")
            return {"double": lambda: grad * 2, "wrong": lambda: 5, "reshape": lambda: grad.reshape(-1)[:1]}.get(kind, lambda: None)()

        return heard


def loss_of(kind, params):
    """A number in float64, whatever the parameters are of."""
    loss = torch.zeros((), dtype=torch.float64)
    for i, p in enumerate(params):
        x = p.to(torch.float64)
        loss = loss + (x.sub(0.5).square() if kind == "square" else x.pow(4).sub(x)).sum().mul(i + 1)
    return loss


def closure(kind, params):
    """What an optimizer's step calls."""

    def call():
        if kind == "raise":
            raise ValueError("the closure refuses")
        if kind in ("none", "number"):
            return None if kind == "none" else 1.5
        for p in params:
            p.grad = None
        loss = loss_of(kind, params)
        loss.backward()
        return loss

    return call


def made_and_called(cls, inputs, *args, **kwargs):
    """What a module says of itself, the names in its state, what it gives, and its parameters."""
    module = cls(*args, **kwargs)
    out = module(*inputs) if inputs else None
    return [repr(module), list(module.state_dict()), out, *module.parameters(), *module.buffers()]


SPECIAL = [n.removeprefix("special_") for n in dir(Run) if n.startswith("special_")]


def parts(result):
    """The values in a result, lists and tuples taken apart."""
    if isinstance(result, (list, tuple)) and not isinstance(result, torch.Size):
        for r in result:
            yield from parts(r)
    else:
        yield result


def is_kept(value):
    """Whether a later step may use it: a tensor, the handle of a hook, an optimizer, a scheduler."""
    return isinstance(value, (torch.Tensor, Optimizer, lr_scheduler.LRScheduler)) or is_handle(value)


def is_handle(value):
    return hasattr(value, "remove") and not isinstance(value, (list, dict))


def new_values(result, env):
    """The values in a result that get a name: those that are kept, and are not there yet."""
    known = {id(v) for v in env.values()}
    for value in parts(result):
        if is_kept(value) and id(value) not in known:
            known.add(id(value))
            yield value
