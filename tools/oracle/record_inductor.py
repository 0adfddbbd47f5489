"""Records how PyTorch's Inductor names its kernels, and which library calls it makes, for the programs of inductor_cases.py.

Run with PyTorch and a C++ compiler: python tools/oracle/record_inductor.py. Writes test/fixtures/inductor.json.
"""
import json
import os
import re
import sys

import torch
from torch._inductor.utils import run_and_get_code

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from inductor_cases import CASES, inputs  # noqa: E402

found = {"torch": torch.__version__, "cases": {}}
for name, (fn, shapes) in CASES.items():
    torch._dynamo.reset()
    try:
        _, codes = run_and_get_code(torch.compile(fn), *inputs(shapes))
    except Exception as error:  # recorded, so that a reader sees why a program has no names
        found["cases"][name] = {"error": type(error).__name__}
        continue
    text = "\n".join(codes)
    kernels = re.findall(r"^cpp_(fused_\w*?)_\d+ = ", text, flags=re.M)
    found["cases"][name] = {
        "kernels": kernels,
        "extern": re.findall(r"extern_kernels\.(\w+)\(", text),
        "fallback": re.findall(r"= torch\.ops\.(aten\.\w+\.\w+)\(", text),
    }
    print(name, found["cases"][name], flush=True)

with open(os.path.join(HERE, "..", "..", "test", "fixtures", "inductor.json"), "w") as out:
    lines = [f" {json.dumps(name)}: {json.dumps(case)}" for name, case in found["cases"].items()]
    out.write('{"torch": %s, "cases": {\n%s\n}}\n' % (json.dumps(found["torch"]), ",\n".join(lines)))
