"""Records how Python names the classes and functions of PyTorch's modules, for tools/pytorch/python_names.ts.

    python tools/oracle/record_python_names.py tools/pytorch/python_names.json.gz

`modules`: module -> name -> [kind, `__module__`, `__qualname__`]. A kind is "class" (written in Python), "c class", "function" (written in Python)
or "builtin" (a function in C).
`bases`: `__module__` -> `__qualname__`s of classes that no module above gives out by name and from which a class above derives.
`methods`: full name of a class in C -> the names of its methods that are written in Python.
"""
import gzip
import importlib
import inspect
import json
import sys
import types
import warnings

import torch

warnings.simplefilter("ignore")

# Packages that `import torch` does not load.
LATE = """torch.testing torch.utils.data torch.utils.checkpoint torch.utils._pytree torch.utils._python_dispatch torch.utils.flop_counter
torch.utils.module_tracker torch.distributions torch.nn.utils.prune torch.nn.utils.parametrize torch.nn.utils.parametrizations torch.nn.utils.stateless
torch.nn.attention torch.nn.attention.flex_attention torch.nn.attention.bias torch.optim.swa_utils torch.func torch.fx torch.fx.passes.shape_prop
torch.fx.experimental.proxy_tensor torch.fx.experimental.symbolic_shapes torch.export torch.jit torch.profiler torch.cuda.amp torch.onnx
torch.distributed""".split()
# Packages of private files that the library shows under PyTorch's names.
PRIVATE = {"torch._C", "torch.utils._pytree", "torch.utils._python_dispatch", "torch.utils._device", "torch._prims_common"}
# Written for PyTorch's own compilers and tests.
APART = (
    "torch.testing._internal", "torch.distributed.", "torch.onnx.", "torch.ao.", "torch.cuda.", "torch.backends._", "torch.package", "torch.quantization",
    "torch.masked", "torch.nn.intrinsic", "torch.nn.qua", "torch.nn.qat", "torch.multiprocessing", "torch.utils.data.datapipes", "torch.xpu.",
    "torch.C._distributed", "torch._C._dynamo", "torch._C._te", "torch._C._jit_tree_views", "torch.fx.experimental.unification",
)


def is_shown(module):
    if module.startswith(APART):
        return False
    path = module.split(".")[1:]
    return module in PRIVATE or module.startswith("torch._C.") or not any(part.startswith("_") for part in path)


def in_python(cls):
    """Whether a class is written in Python: it holds a Python function, or a base of it in its module does and it adds nothing in C."""
    if any(isinstance(getattr(value, "__func__", value), (types.FunctionType, property)) for value in vars(cls).values()):
        return True
    return bool(cls.__flags__ & 1 << 9) and not (cls.__module__ or "").startswith("torch._C")


def record(value):
    """Kind, module and qualified name of a value; None if it is no class or function of PyTorch."""
    if not isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
        return None
    home, name = value.__module__, value.__qualname__
    if inspect.isclass(value):
        kind = "class" if in_python(value) else "c class"
    elif isinstance(value, types.FunctionType):
        kind = "function"
    else:
        kind = "builtin"
    if home is None or not home.startswith("torch"):
        return None
    return [kind, home, name]


def main(path):
    for late in LATE:
        importlib.import_module(late)
    modules, bases, methods = {}, {}, {}
    for module in sorted(name for name in sys.modules if name == "torch" or name.startswith("torch.")):
        if not is_shown(module) or not isinstance(sys.modules[module], types.ModuleType):
            continue
        names = {}
        for name, value in sorted(vars(sys.modules[module]).items()):
            row = record(value)
            if row is None or name.startswith("__"):
                continue
            names[name] = row
            if inspect.isclass(value):
                for base in value.__mro__[1:]:
                    if (base.__module__ or "").startswith("torch"):
                        bases.setdefault(base.__module__, {})[base.__qualname__] = record(base)[0]
        if names:
            modules[module] = names
    for cls in (torch.Tensor, torch.Generator, torch.Size):
        found = [name for name in dir(cls) if isinstance(inspect.getattr_static(cls, name), types.FunctionType)]
        methods[f"{cls.__module__}.{cls.__qualname__}"] = found
    data = {"torch": torch.__version__, "script": "tools/oracle/record_python_names.py", "modules": modules, "bases": bases, "methods": methods}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data, separators=(",", ":")).encode(), mtime=0))
    print(len(modules), "modules,", sum(map(len, modules.values())), "names")


if __name__ == "__main__":
    main(sys.argv[1])
