"""Records what programs on the device `lazy` show in PyTorch: nodes, values, counters (lazy_cases.py), and the graphs that they make of modules (extracted_cases.py).

    python tools/oracle/record_lazy.py test/fixtures/lazy.json.gz
"""

import gzip
import json
import sys

import torch

import extracted_cases
from lazy_cases import CASES, run

recorded = {"torch": torch.__version__.split("+")[0], "script": "tools/oracle/record_lazy.py", "cases": {name: run(steps) for name, steps in CASES.items()}, "extracted": {name: extracted_cases.run(name) for name in extracted_cases.MODULES}}
with open(sys.argv[1], "wb") as file:
    file.write(gzip.compress(json.dumps(recorded).encode(), mtime=0))
