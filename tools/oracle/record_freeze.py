"""Records the texts of freeze_programs/programs.py: frozen modules, and passes on graphs with types.

    python tools/oracle/record_freeze.py      (writes test/fixtures/torchscript/freeze.json.gz)
"""

import gzip
import importlib
import json
import sys
import warnings
from pathlib import Path

import torch

HERE = Path(__file__).parent
OUT = HERE.parent.parent / "test" / "fixtures" / "torchscript" / "freeze.json.gz"

warnings.simplefilter("ignore")
sys.path.insert(0, str(HERE / "freeze_programs"))
cases = importlib.import_module("programs").describe()
text = json.dumps({"torch": torch.__version__, "cases": cases}, indent=1)
OUT.write_bytes(gzip.compress(text.encode(), mtime=0))
print(len(cases), "cases")
