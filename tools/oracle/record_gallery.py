"""Records what the programs of gallery/pytorch tell in PyTorch 2.13.0, on one thread.

    python tools/oracle/record_gallery.py test/fixtures/gallery.json.gz

`programs`: name -> its runs, a short one for tests and the whole; each is what `run` returned, and of how many steps. Lists
of numbers are rounded to nine digits, which tell every float32 from its neighbours.
"""

import gzip
import importlib
import inspect
import json
import pathlib
import sys

import torch

# The steps of the short run, and what else makes it short.
PROGRAMS = {
    "mlp_digits": {"steps": 25},
    "lenet": {"steps": 8},
    "gpt": {"steps": 5, "written": 16},
    "lstm_tagger": {"steps": 5},
    "resnet18": {"steps": 1, "width": 8},
}


def rounded(value):
    """Lists alone: an accuracy is a quotient of two counts, and stays what it is."""
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return [float(f"{v:.9g}") for v in value] if isinstance(value, list) else value


def runs_of(name, short):
    run = importlib.import_module(name).run
    whole = {"steps": inspect.signature(run).parameters["steps"].default}
    return [{"options": options, **rounded(run(**options))} for options in (short, whole)]


def main():
    torch.set_num_threads(1)
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "gallery/pytorch"))
    programs = {name: runs_of(name, short) for name, short in PROGRAMS.items()}
    with open(sys.argv[1], "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as g:
        g.write(json.dumps({"torch": torch.__version__, "programs": programs}, indent=0).encode())


main()
