"""Records the backward nodes of PyTorch 2.13.0: every class of torch._C._functions and the attributes it lets users read.

    python tools/oracle/record_nodes.py test/fixtures/autograd/nodes.json.gz

Numbers in the names show in which order PyTorch counts the entries of its derivatives.yaml.
"""

import gzip
import json
import sys

import torch

nodes = {}
for name in sorted(dir(torch._C._functions)):
    cls = getattr(torch._C._functions, name)
    if isinstance(cls, type):
        nodes[name] = sorted(a for a in dir(cls) if a.startswith(("_saved_", "_raw_saved_")))
with open(sys.argv[1], "wb") as f:
    text = json.dumps({"torch": torch.__version__, "script": "tools/oracle/record_nodes.py", "nodes": nodes})
    f.write(gzip.compress(text.encode(), mtime=0))
