"""Records what datasets of C++ give in libtorch 2.13.0: MNIST from files, and datasets of chunks.

    python tools/oracle/cpp/record_data.py                      writes test/fixtures/cpp/cpp_data.json.gz

It needs g++, as record_cpp.py does.
"""

import gzip
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

import torch
from record_cpp import HERE, build

FIXTURE = HERE.parents[2] / "test/fixtures/cpp/cpp_data.json.gz"
IMAGES, TARGETS = "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"

IMAGE_HEADER, TARGET_HEADER = [2051, 10000, 28, 28], [2049, 10000]
# The files of each folder: the numbers of the header, and whether data follow.
FOLDERS = {
    "whole": {IMAGES: (IMAGE_HEADER, True), TARGETS: (TARGET_HEADER, True)},
    "images_only": {IMAGES: (IMAGE_HEADER, False)},
    "magic": {IMAGES: ([2049, 10000, 28, 28], False)},
    "count": {IMAGES: ([2051, 60000, 28, 28], False)},
    "rows": {IMAGES: ([2051, 10000, 27, 28], False)},
    "columns": {IMAGES: ([2051, 10000, 28, 29], False)},
    "target_magic": {IMAGES: (IMAGE_HEADER, False), TARGETS: ([2051, 10000], False)},
    "target_count": {IMAGES: (IMAGE_HEADER, False), TARGETS: ([2049, 60000], False)},
}
PIXELS = bytes((i * 7 + i // 784) % 256 for i in range(10000 * 784))
LABELS = bytes(i * 3 % 10 for i in range(10000))


def write_folders(folder: pathlib.Path) -> None:
    for name, files in FOLDERS.items():
        (folder / name).mkdir()
        for file, (header, data) in files.items():
            content = struct.pack(f">{len(header)}I", *header)
            (folder / name / file).write_bytes(content + (PIXELS if file == IMAGES else LABELS) * data)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = pathlib.Path(sys.argv[1]) if len(sys.argv) == 2 else build(folder, ["record_data"])
        write_folders(folder)
        lines = subprocess.run([program], check=True, capture_output=True, text=True, cwd=folder, env={**os.environ, "OMP_NUM_THREADS": "1"})
    record = {"torch": torch.__version__, "folders": FOLDERS, "cases": [json.loads(line) for line in lines.stdout.splitlines()]}
    FIXTURE.write_bytes(gzip.compress(json.dumps(record, separators=(",", ":")).encode(), mtime=0))
    print(len(record["cases"]), "cases,", FIXTURE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
