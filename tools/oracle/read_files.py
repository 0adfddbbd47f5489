"""Tells what PyTorch reads in files: a description of each as JSON, or its error.

    python tools/oracle/read_files.py FILE...
"""

import json
import sys

import torch
from files_describe import describe


def read(path):
    try:
        return {"value": describe(torch.load(path, weights_only=True))}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


print(json.dumps([read(path) for path in sys.argv[1:]]))
