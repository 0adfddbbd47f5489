"""Records what torch.jit.trace makes of the programs in tools/oracle/trace_programs.

    python tools/oracle/record_trace.py      (writes test/fixtures/torchscript/trace.json.gz)
"""

import gzip
import importlib
import json
import sys
from pathlib import Path

import torch

HERE = Path(__file__).parent
OUT = HERE.parent.parent / "test" / "fixtures" / "torchscript" / "trace.json.gz"
FILES = ["functions", "modules"]

sys.path.insert(0, str(HERE / "trace_programs"))
describe = importlib.import_module("describe").describe
cases = {}
for name in FILES:
    module = importlib.import_module(name)
    for member, make in list(vars(module).items()):
        if member.startswith("case_"):
            cases[f"{name}.{member[5:]}"] = describe(make)
text = json.dumps({"torch": torch.__version__, "cases": cases}, indent=1)
OUT.write_bytes(gzip.compress(text.encode(), mtime=0))
print(len(cases), "cases")
