"""Records which operators PyTorch's composites are made of: what is dispatched below autograd when OpInfo's samples call them.

    python tools/oracle/record_composites.py tools/pytorch/composites.json.gz

Only composites that autograd sees through (CompositeImplicitAutograd) and that have an OpInfo; float32, or int64 where that is refused.
"""

import gzip
import json
import os
import sys
import warnings
from collections import defaultdict

import torch
import torchgen
import yaml
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._python_dispatch import TorchDispatchMode

from record_opinfo import function_of

SAMPLES = 40
YAML = os.path.join(os.path.dirname(torchgen.__file__), "packaged/ATen/native/native_functions.yaml")


class Below(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.seen = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        namespace, _, name = func._schema.name.partition("::")
        if namespace == "aten":
            self.seen.add(name)
        return func(*args, **(kwargs or {}))


def composites():
    """Bases of which every entry is composite, and seen through."""
    implicit = defaultdict(list)
    for entry in yaml.safe_load(open(YAML)):
        base = entry["func"].split("(")[0].split(".")[0].rstrip("_")
        keys = ", ".join(entry.get("dispatch", {"CompositeImplicitAutograd": ""})).split(", ")
        implicit[base].append("structured_delegate" not in entry and "CompositeImplicitAutograd" in keys)
    return [base for base, all_entries in implicit.items() if all(all_entries)]


def parts(base):
    found, called = set(), 0
    for info in op_db:
        fn = function_of(info, base)
        if fn is None:
            continue
        dtypes = info.supported_dtypes("cpu")
        dtype = next((d for d in (torch.float32, torch.int64) if d in dtypes), None)
        if dtype is None:
            continue
        for i, sample in enumerate(info.sample_inputs("cpu", dtype)):
            if i == SAMPLES:
                break
            with Below() as below:
                try:
                    fn(sample.input, *sample.args, **sample.kwargs)
                except Exception:
                    continue
            called += 1
            found |= below.seen
    return sorted(found - {base}) if called else None


def main(target):
    assert torch.__version__.startswith("2.13.0")
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    calls = {base: " ".join(made) for base in composites() if (made := parts(base)) is not None}
    print(len(calls), "composites")
    with open(target, "wb") as f, gzip.GzipFile(fileobj=f, mode="wb", mtime=0) as z:
        z.write(json.dumps({"torch": torch.__version__, "composites": calls}, separators=(",", ":")).encode())


main(sys.argv[1])
