"""Reads what write_files.ts wrote, with PyTorch, and compares what it finds.

    python tools/oracle/check_files.py FOLDER
"""

import io
import json
import sys
import warnings
import zipfile

import torch
from files_describe import describe

warnings.simplefilter("ignore")
folder = sys.argv[1]
index = json.load(open(f"{folder}/index.json"))
failed = []


def compare(what, found, expected):
    if json.loads(json.dumps(found)) != expected:
        failed.append(f"{what}:\n  PyTorch {json.dumps(found)[:600]}\n  ours    {json.dumps(expected)[:600]}")


def reads_its_own_legacy_file(value):
    """PyTorch 2.13 writes untyped storages (those of uint16, too) in the legacy format, and cannot read them with weights_only."""
    buffer = io.BytesIO()
    torch.save(value, buffer, _use_new_zipfile_serialization=False)
    buffer.seek(0)
    try:
        torch.load(buffer, weights_only=True)
    except AttributeError as error:
        return "has no attribute 'dtype'" not in str(error)
    return True


for row in index["files"]:
    name, expected = row["name"], row["value"]
    path = f"{folder}/{name}.pt"
    loaded = torch.load(path, weights_only=True)
    compare(name, describe(loaded), expected)
    if name != "storage" and reads_its_own_legacy_file(loaded):
        compare(f"{name}, legacy", describe(torch.load(f"{folder}/{name}.legacy.pt", weights_only=True)), expected)
    if name != "meta":
        mapped = torch.load(path, weights_only=True, mmap=True)
        compare(f"{name}, mapped", len(json.dumps(describe(mapped))) > 0, True)
    if zipfile.ZipFile(path).testzip() is not None:
        failed.append(f"{name}: Python's zipfile finds it damaged")

try:
    from safetensors.torch import load_file
except ImportError:
    print("no package safetensors: its file was not read")
else:
    found = describe(load_file(f"{folder}/tensors.safetensors"))
    by_name = lambda described: {str(key[1]): value[1]["data"] for key, value in described[1]}
    compare("safetensors", by_name(found), by_name(index["tensors"]))

for text in failed:
    print(text)
print(f"{len(index['files'])} values of ours read, {len(failed)} differences")
sys.exit(1 if failed else 0)
