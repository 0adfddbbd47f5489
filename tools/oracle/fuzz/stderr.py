"""The warnings that never become Python's: of a call through torch.ops PyTorch's C++ prints them to stderr itself."""

import os
import re
import tempfile

PRINTED = re.compile(r"^\[W.*?\] Warning: (.*?) \(function .*?\)$", re.M | re.S)
kept = None
at = 0


def capture():
    """From now on what is written to stderr goes to a file."""
    global kept
    kept = tempfile.TemporaryFile()
    os.dup2(kept.fileno(), 2)


def warnings():
    """Those printed since the last question; their category is not told."""
    global at
    size = os.fstat(kept.fileno()).st_size if kept is not None else 0
    if size == at:
        return []
    text = os.pread(kept.fileno(), size - at, at).decode(errors="replace")
    at = size
    return [[None, w] for w in PRINTED.findall(text)]
