"""Records what PyTorch writes for the light interpreter, and what that interpreter computes, for mobile_programs/programs.py.

    python tools/oracle/record_mobile.py      (writes test/fixtures/torchscript/mobile.json.gz)
"""

import base64
import gzip
import importlib
import io
import json
import pickle
import sys
import warnings
import zipfile
from pathlib import Path

import torch
from torch.jit.mobile import _load_for_lite_interpreter

HERE = Path(__file__).parent
OUT = HERE.parent.parent / "test" / "fixtures" / "torchscript" / "mobile.json.gz"


class Plain(pickle.Unpickler):
    """Classes and tensors become nested tuples."""

    def find_class(self, module, name):
        if name.startswith("build_"):
            return list
        if name == "restore_type_tag":
            return lambda value, tag: value
        return lambda *args: (f"{module}.{name}", *args)


def encoded(value):
    """JSON in which floats can be told from integers, and tuples from lists."""
    if isinstance(value, tuple):
        return {"$tuple": [encoded(v) for v in value]}
    if isinstance(value, list):
        return [encoded(v) for v in value]
    return {"$float": value} if isinstance(value, float) else value


warnings.simplefilter("ignore")
sys.path.insert(0, str(HERE / "mobile_programs"))
programs = importlib.import_module("programs")
cases = {}
for member, make in list(vars(programs).items()):
    if not member.startswith("case_"):
        continue
    module, run = make()
    data = torch.jit.script(module)._save_to_buffer_for_lite_interpreter()
    archive = zipfile.ZipFile(io.BytesIO(data))
    bytecode = Plain(io.BytesIO(archive.read("archive/bytecode.pkl"))).load()
    cases[member[5:]] = {
        "records": [[i.filename, i.file_size] for i in archive.infolist() if not i.filename.endswith(".debug_pkl")],
        "bytecode": encoded(bytecode),
        "calls": repr(run(_load_for_lite_interpreter(io.BytesIO(data)))),
        "file": base64.b64encode(data).decode(),
    }
text = json.dumps({"torch": torch.__version__, "cases": cases}, indent=1)
OUT.write_bytes(gzip.compress(text.encode(), mtime=0))
print(len(cases), "cases")
