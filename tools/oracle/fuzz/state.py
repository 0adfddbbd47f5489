"""What can be seen of a run: every tensor with its memory, its views and its history; results, errors, warnings; graphs."""

import base64
import ctypes
import re

import numpy
import torch
from torch.optim import Optimizer, lr_scheduler


def elements(t):
    """The bytes at the places that a tensor names, in the order of its indices; read from memory, without an operator."""
    storage = t.untyped_storage()
    if t.device.type != "cpu" or t._is_zerotensor():
        return None
    if min(t.shape, default=1) <= 0:  # a failed `out=` may leave -1
        return ""
    size = t.element_size()
    raw = (ctypes.c_char * storage.nbytes()).from_address(storage.data_ptr())
    strides = [s * size for s in t.stride()]
    seen = numpy.ndarray(list(t.shape), f"V{size}", raw, t.storage_offset() * size, strides)
    return base64.b64encode(seen.tobytes()).decode()


def refused(read):
    """What a property gives, or the text with which it refuses: a view whose base was written to may refuse its history."""
    try:
        return read()
    except RuntimeError as error:
        return {"refuses": str(error)}


class Seen:
    """Names for the objects of a run: variables by name, storages by number."""

    def __init__(self, env):
        self.names = {id(v): n for n, v in env.items()}
        self.storages = {}

    def tensor(self, t):
        storage = t.untyped_storage()
        group = self.storages.setdefault(storage._cdata, len(self.storages))
        out = {
            "dtype": str(t.dtype).removeprefix("torch."),
            "device": t.device.type,
            "shape": list(t.shape),
            "stride": list(t.stride()),
            "offset": t.storage_offset(),
            "nbytes": storage.nbytes(),
            "storage": group,
            "inference": t.is_inference(),
            "version": -1 if t.is_inference() else t._version,
            "neg": t.is_neg(),
            "zero": t._is_zerotensor(),
            "requires_grad": t.requires_grad,
            "retains_grad": t.retains_grad,
            "leaf": refused(lambda: t.is_leaf),
            "grad_fn": refused(lambda: None if t.grad_fn is None else t.grad_fn.name().split("::")[-1]),
            "output_nr": refused(lambda: t.output_nr),
            "view": t._is_view(),
            "base": None if t._base is None else self.names.get(id(t._base), "a tensor without a name"),
            "data": elements(t),
        }
        return out

    def variable(self, t):
        out = self.tensor(t)
        grad = t.grad if out["leaf"] is True or out["retains_grad"] else None
        out["grad"] = None if grad is None else {"is": self.names.get(id(grad)), **self.tensor(grad)}
        return out

    def value(self, v):
        """A result: a variable by its name, a tensor that got none by its state, anything else as it is."""
        if id(v) in self.names:
            return {"$v": self.names[id(v)]}
        if isinstance(v, torch.Tensor):
            return {"$tensor": self.tensor(v)}
        if isinstance(v, (list, tuple)):
            return [self.value(x) for x in v]
        if isinstance(v, dict):
            return {"$dict": [[self.value(k), self.value(x)] for k, x in v.items()]}
        if isinstance(v, float):
            return {"$f": repr(v)}
        if isinstance(v, int) and not isinstance(v, bool):
            return v if abs(v) < 2**53 else {"$i": str(v)}
        if v is None or isinstance(v, (bool, str)):
            return v
        if isinstance(v, (torch.dtype, torch.memory_format, torch.layout)):
            return {"$torch": str(v).removeprefix("torch.")}
        if isinstance(v, torch.device):
            return {"$device": str(v)}
        return {"$object": type(v).__name__}


def variables(env):
    seen = Seen(env)
    return {name: seen.variable(v) for name, v in env.items() if isinstance(v, torch.Tensor)}


def objects(env):
    """Every optimizer and scheduler, with all that it holds."""
    seen = Seen(env)
    out = {}
    for name, v in env.items():
        if isinstance(v, Optimizer):
            out[name] = {"repr": repr(v), "defaults": v.defaults, "param_groups": v.param_groups, "state": v.state}
        elif isinstance(v, lr_scheduler.LRScheduler):
            out[name] = v.state_dict()
    return {name: seen.value(told) for name, told in out.items()}


def heard(entries, env):
    seen = Seen(env)
    return [[kind, *(None if g is None else seen.tensor(g) for g in grads)] for kind, *grads in entries]


def message_of(error):
    said = error.args[0] if isinstance(error, KeyError) and error.args else error  # which Python prints as `repr` does
    return {"error": type(error).__name__, "message": str(said)}


def warned(caught):
    """Category and text; the place in C++ that PyTorch adds is no part of it."""
    return [[w.category.__name__, re.sub(r" \(Triggered internally at .*\)$", "", str(w.message), flags=re.S)] for w in caught]


def graphs(env):
    """Every node behind the variables, in the order in which a walk from them meets it, with where its edges lead."""
    names = {id(v): n for n, v in env.items()}
    numbers, nodes, roots = {}, [], {}

    def number(fn):
        if fn is None:
            return None
        if fn in numbers:
            return numbers[fn]
        numbers[fn] = len(numbers)
        node = {"name": fn.name().split("::")[-1], "next": []}
        nodes.append(node)
        if hasattr(fn, "variable"):
            node["variable"] = names.get(id(fn.variable))
        node["next"] = [[number(f), nr] for f, nr in fn.next_functions]
        return numbers[fn]

    for name, v in env.items():
        if isinstance(v, torch.Tensor):
            roots[name] = refused(lambda: number(v.grad_fn))
    return {"roots": roots, "nodes": nodes}
