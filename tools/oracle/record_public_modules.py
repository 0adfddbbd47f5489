"""Records every public module of PyTorch and its public names, for tools/pytorch/absent_modules.ts.

    python tools/oracle/record_public_modules.py tools/pytorch/public_modules.json.gz

A module is public if no part of its name begins with an underscore. A name is public if the module lists it in `__all__`; without such a list, if
the module itself defines it. Modules that need a package beside PyTorch (tensorboard, triton) cannot be imported; they have no names here.
"""
import gzip
import importlib
import inspect
import json
import pkgutil
import sys
import warnings

import torch

warnings.simplefilter("ignore")


def modules_of(package):
    yield package.__name__
    for info in pkgutil.iter_modules(vars(package).get("__path__", []), package.__name__ + "."):
        last = info.name.rpartition(".")[2]
        if last.startswith("_"):
            continue
        yield info.name
        if info.ispkg:
            try:
                below = importlib.import_module(info.name)
            except BaseException:
                continue
            for name in modules_of(below):
                if name != info.name:
                    yield name


def names_of(module):
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return sorted(set(listed))
    own = module.__name__
    return sorted(
        name for name, value in vars(module).items()
        if not name.startswith("_") and not inspect.ismodule(value) and getattr(value, "__module__", None) == own
        and (inspect.isclass(value) or callable(value))
    )


def main(out):
    modules = {}
    for name in modules_of(torch):
        try:
            modules[name] = names_of(importlib.import_module(name))
        except BaseException:
            modules[name] = []
    text = json.dumps({"torch": torch.__version__, "modules": modules}, sort_keys=True)
    with gzip.GzipFile(out, "wb", mtime=0) as f:
        f.write(text.encode())
    print(len(modules), "modules,", sum(map(len, modules.values())), "names", file=sys.stderr)


main(sys.argv[1])
