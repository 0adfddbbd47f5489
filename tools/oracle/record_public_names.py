"""Records the public names of PyTorch's packages, for tools/pytorch/absent_names.ts.

python tools/oracle/record_public_names.py tools/pytorch/public_names.json.gz
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

# Packages whose names are read one by one. A package that is absent as a whole is a name of its parent.
PACKAGES = [
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.parallel", "torch.nn.utils", "torch.nn.utils.parametrizations",
    "torch.nn.utils.parametrize", "torch.nn.utils.prune", "torch.nn.utils.rnn", "torch.nn.utils.stateless", "torch.nn.attention", "torch.optim",
    "torch.optim.lr_scheduler", "torch.optim.swa_utils", "torch.autograd", "torch.autograd.functional", "torch.autograd.graph", "torch.autograd.forward_ad",
    "torch.autograd.profiler", "torch.func", "torch.utils", "torch.utils.data", "torch.utils.checkpoint", "torch.linalg", "torch.fft", "torch.special",
    "torch.distributions", "torch.library", "torch.profiler", "torch.amp", "torch.jit", "torch.fx", "torch.export", "torch.onnx", "torch.compiler",
    "torch.distributed", "torch.cuda", "torch.mps", "torch.xpu", "torch.cpu", "torch.accelerator", "torch.backends", "torch.backends.cuda",
    "torch.backends.mps", "torch.backends.mkl", "torch.random", "torch.overrides", "torch.testing", "torch.hub", "torch.serialization",
]
CLASSES = {"torch.Tensor": torch.Tensor, "torch.nn.Module": torch.nn.Module}
# Packages that `import torch` does not load, or that begin with an underscore and are in use all the same.
LATE = [
    "torch._dynamo", "torch._inductor", "torch.ao", "torch.ao.nn", "torch.ao.quantization", "torch.distributed.fsdp", "torch.distributed.rpc",
    "torch.distributed.tensor", "torch.distributed.checkpoint", "torch.distributed.elastic", "torch.distributed.nn", "torch.distributed.optim",
    "torch.distributed.pipelining", "torch.masked", "torch.monitor", "torch.multiprocessing", "torch.nested", "torch.nn.intrinsic", "torch.nn.qat",
    "torch.nn.quantizable", "torch.nn.quantized", "torch.nn.attention.flex_attention", "torch.nn.attention.bias", "torch.package", "torch.quantization", "torch.signal", "torch.sparse", "torch.futures", "torch.utils.benchmark",
    "torch.utils.bottleneck", "torch.utils.bundled_inputs", "torch.utils.cpp_extension", "torch.utils.dlpack", "torch.utils.flop_counter",
    "torch.utils.mobile_optimizer", "torch.utils.model_zoo", "torch.utils.module_tracker", "torch.utils._pytree", "torch.utils.tensorboard",
    "torch.mtia", "torch.export", "torch.fx.experimental", "torch.fx.passes", "torch.cuda.amp", "torch.cuda.nvtx", "torch.cuda.memory", "torch.cuda.random",
]


def is_public(package, name):
    value = getattr(package, name)
    if name in getattr(package, "__all__", ()):
        return True
    if name.startswith("_"):
        return f"{package.__name__}.{name}" in LATE
    if isinstance(value, types.ModuleType):
        # Files of a package whose names the package itself gives out are no packages of their own.
        return package is torch and value.__name__ == f"torch.{name}" or f"{package.__name__}.{name}" in LATE
    home = getattr(value, "__module__", None) or type(value).__module__
    if inspect.isclass(value) or callable(value):
        # A name that another package gives out is imported here for use only.
        if package is torch:
            return home == "torch" or home.startswith("torch._") or home == "builtins" and name in dir(torch._C._VariableFunctions)
        return home.startswith((package.__name__, "torch._C"))
    return isinstance(value, (torch.dtype, torch.layout, torch.memory_format))


def main(path):
    for late in LATE:
        try:
            importlib.import_module(late)
        except Exception as problem:  # a package that this machine cannot load has its name all the same
            print(late, type(problem).__name__)
    names = {}
    for full in PACKAGES:
        package = importlib.import_module(full)
        found = {name for name in dir(package) if is_public(package, name)}
        found |= {late.rsplit(".", 1)[1] for late in LATE if late.rsplit(".", 1)[0] == full}
        names[full] = sorted(found)
    for full, cls in CLASSES.items():
        members = {name: inspect.getattr_static(cls, name) for name in dir(cls) if not name.startswith("_")}
        names[full] = sorted(name for name, value in members.items() if callable(value) or inspect.isdatadescriptor(value))
    data = {"torch": torch.__version__, "script": "tools/oracle/record_public_names.py", "names": names}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data, indent=0).encode(), mtime=0))
    print(sum(map(len, names.values())), "names")


if __name__ == "__main__":
    main(sys.argv[1])
