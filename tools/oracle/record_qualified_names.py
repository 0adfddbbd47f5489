"""Records the names under which torch.fx prints PyTorch's functions: torch.nn.functional.linear is `torch._C._nn.linear`.

python tools/oracle/record_qualified_names.py tools/pytorch/qualified_names.json

For every namespace it writes the name that most of its functions have (the namespace's own, or another prefix), the functions that have another one,
and the functions that have none.
"""
import importlib
import inspect
import json
import sys
import warnings

import torch
import torch.nn.utils.rnn
import torch.utils.checkpoint
from torch.fx.node import _get_qualified_name

warnings.simplefilter("ignore")

# In this order: a function that stands in several namespaces has one name all the same.
NAMESPACES = [
    "torch", "torch.functional", "torch.nn.functional", "torch._C._nn", "torch._C._linalg", "torch._C._fft", "torch._C._special",
    "torch.linalg", "torch.fft", "torch.special", "torch.nn.init", "torch.nn.utils", "torch.nn.utils.rnn", "torch.nn.utils.parametrize",
    "torch.autograd", "torch.autograd.functional", "torch.func", "torch.random", "torch.utils.checkpoint", "torch.amp", "torch.overrides",
    "torch.serialization", "torch.testing", "torch.jit", "torch.compiler",
]


def namespace_of(name):
    found = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found


def functions_of(namespace):
    for name in sorted(dir(namespace)):
        if name.startswith("__"):
            continue
        value = getattr(namespace, name, None)
        if not callable(value) or inspect.isclass(value) or inspect.ismodule(value) or not hasattr(value, "__name__"):
            continue
        if str(getattr(value, "__module__", None) or "torch").startswith("torch"):  # not what a module imports from the standard library
            yield name, value


def names_in(namespace):
    others, unnamed = {}, []
    for name, value in functions_of(namespace_of(namespace)):
        try:
            full = _get_qualified_name(value)
        except Exception:
            unnamed.append(name)
            continue
        if full != f"{namespace}.{name}":
            others[name] = full
    return {"others": others, "unnamed": unnamed}


def methods():
    """Methods of a tensor that have another name than torch.Tensor.NAME, or none."""
    others, unnamed = {}, []
    for name, value in functions_of(torch.Tensor):
        try:
            full = _get_qualified_name(value)
        except Exception:
            unnamed.append(name)
            continue
        if full != f"torch.Tensor.{name}":
            others[name] = full
    return {"others": others, "unnamed": unnamed}


def main(out):
    recorded = {
        "torch": torch.__version__.split("+")[0],
        "namespaces": {name: names_in(name) for name in NAMESPACES},
        "methods": methods(),
    }
    with open(out, "w") as file:
        json.dump(recorded, file, indent=1, sort_keys=True)
        file.write("\n")


main(sys.argv[1])
