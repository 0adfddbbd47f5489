"""Records the signatures of what is Python in PyTorch 2.13.0, and what the interpreter says of calls that do not fit them.

    python tools/oracle/record_python_signatures.py test/fixtures/front_end/python_signatures.json.gz

`signatures`: path -> [[name, kind, default as Python prints it or null], ...], without `self`; a class stands for its constructor.
`refused`: path -> [[number of positional arguments, names of keyword arguments, message], ...].
`bound`: signature -> [[number of positional arguments, names of keyword arguments, values of the parameters or message], ...]: every
small call of some made-up functions; the i-th positional argument is i, a keyword argument its own name.
Public names only. A class's parameters are those of the function that takes its arguments first: `__new__` where a class writes one, else `__init__`.
"""

import gzip
import importlib
import inspect
import itertools
import json
import re
import sys
import types
import warnings

import torch

MODULES = """torch torch.nn torch.nn.functional torch.nn.init torch.nn.modules.module torch.nn.parameter torch.nn.utils torch.optim
torch.optim.optimizer torch.optim.lr_scheduler torch.optim.swa_utils torch.utils.data torch.autograd torch.autograd.graph
torch.autograd.function torch.autograd.grad_mode torch.autograd.anomaly_mode torch.autograd.gradcheck torch.autograd.profiler
torch.distributions torch.distributions.constraints torch.distributions.transforms torch.distributions.utils
torch.autograd.functional torch.autograd.forward_ad torch.func torch.functional torch.library torch.overrides torch.profiler torch.random torch.storage torch.utils.hooks""".split()


def constructor(cls):
    """The Python function that takes a class's arguments first, or None if that is C++."""
    for name in ("__new__", "__init__"):
        for base in cls.__mro__:
            fn = base.__dict__.get(name)
            fn = getattr(fn, "__func__", fn)
            if isinstance(fn, types.FunctionType):
                if name == "__new__" and not any(p.name not in ("args", "kwargs") for p in parameters(fn, True)):
                    break  # hands everything on
                return fn
    return None


def parameters(fn, bound):
    listed = list(inspect.signature(fn).parameters.values())
    return listed[1:] if bound else listed


def default_of(p):
    if isinstance(p.default, (types.FunctionType, types.ModuleType)):
        return p.default.__name__
    return None if p.default is p.empty else re.sub(" (object )?at 0x[0-9a-f]+", "", repr(p.default))


def refused(call, listed):
    """Calls of the usual mistakes, as far as this signature refuses them."""
    kinds = [p.kind for p in listed]
    positional = [p for p in listed if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = [p for p in positional if p.default is p.empty]
    signature = inspect.Signature(listed)
    cases = [(0, []), (len(positional) + 1, []), (len(positional) + 2, []), (len(required), ["bogus"]), (0, ["bogus"])]
    cases += [(1, [p.name]) for p in positional[:1]] + [(0, [p.name]) for p in positional[-1:]]
    cases += [(len(positional) + 1, [p.name]) for p in listed if p.kind == p.KEYWORD_ONLY][:1]
    out = []
    for n, names in cases:
        args, kwargs = [None] * n, dict.fromkeys(names, None)
        try:
            signature.bind(*args, **kwargs)
        except TypeError:
            pass
        else:
            continue
        try:
            call(*args, **kwargs)
        except TypeError as error:
            if [n, names, str(error)] not in out:
                out.append([n, names, str(error)])
        except Exception:  # a decorator looked at the arguments first
            pass
    return out


out = {"torch": torch.__version__.split("+")[0], "signatures": {}, "refused": {}}


def add(path, fn, call, bound):
    listed = parameters(fn, bound)
    out["signatures"][path] = [[p.name, p.kind.name, default_of(p)] for p in listed]
    if cases := refused(call, listed):
        out["refused"][path] = cases


MADE_UP = """f() f(a) f(a, b) f(a, b, c) f(a, b=1) f(a=None, b='x', c=(1, 2)) f(a, /) f(a, /, b) f(a, b, /, c=0.5) f(*, k) f(*, k, l, m)
f(a, *, k=True) f(a, b=1, *, k, l=-1) f(*args) f(a, *args, k=1) f(a, b=2, *args) f(**kw) f(a, **kw) f(a, /, **kw) f(a, *args, k, **kw)
C.f(self) C.f(self, a) C.f(self, a, b=1) C.f(self, a, *, k=1) C.f(self, *args) C.f(self, a, /) C.f(cls, a=1, **kw)"""
out["bound"] = {}
for text in re.findall(r"[\w.]+\(.*?\)(?=\s|$)", MADE_UP.replace("\n", " ")):
    space = {}
    exec(f"class C:\n def {text.removeprefix('C.')}: return locals()" if text[0] == "C" else f"def {text}: return locals()", space)
    fn = space["C"]().f if text[0] == "C" else space["f"]
    listed = list(inspect.signature(fn).parameters)
    named = [name for name in listed if name not in ("args", "kw")]
    rows = out["bound"][text] = []
    for n in range(5):
        for names in itertools.chain.from_iterable(itertools.combinations([*named, "bogus"], r) for r in range(3)):
            try:
                values = fn(*range(n), **{name: name for name in names})
                rows.append([n, names, [values[name] for name in listed]])
            except TypeError as error:
                rows.append([n, names, str(error)])

listed_classes = set()
warnings.simplefilter("ignore")
for module_name in MODULES:
    importlib.import_module(module_name)
    module = sys.modules[module_name]
    for name, obj in sorted(vars(module).items()):
        if name.startswith("_") or not str(getattr(obj, "__module__", "")).startswith("torch"):
            continue
        path = f"{module_name}.{name}"
        if isinstance(obj, types.FunctionType):
            add(path, obj, obj, False)
        elif isinstance(obj, type) and not issubclass(obj, BaseException):
            if (fn := constructor(obj)) is not None:
                add(path, fn, obj, True)
            for attribute, raw in sorted(obj.__dict__.items()) if obj not in listed_classes else ():
                method = getattr(raw, "__func__", raw)
                if attribute.startswith("_") or not isinstance(method, types.FunctionType):
                    continue
                bound = not isinstance(raw, staticmethod)
                call = (lambda m: lambda *a, **k: m(None, *a, **k))(method) if bound else method
                add(f"{path}.{attribute}", method, call, bound)
            listed_classes.add(obj)

with gzip.GzipFile(sys.argv[1], "wb", mtime=0) as f:
    f.write(json.dumps(out, separators=(",", ":")).encode())
print({key: len(value) for key, value in out.items()})
