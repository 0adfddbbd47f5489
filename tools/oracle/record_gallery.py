"""Records what the programs of gallery/pytorch tell in PyTorch 2.13.0, on one thread.

    python tools/oracle/record_gallery.py test/fixtures/gallery.json.gz

`programs`: name -> its runs, a short one for tests and the whole; each is what `run` returned, and of how many steps. Lists
of numbers are rounded to nine digits, which tell every float32 from its neighbours. `itself` says how far PyTorch's own runs lie
apart, that recorded and those of other vectors, libraries' kernels and threads.
"""

import gzip
import importlib
import inspect
import json
import os
import pathlib
import subprocess
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


# Environments and threads with which PyTorch adds in another order.
OTHERS = [
    ({}, 2),
    ({"ATEN_CPU_CAPABILITY": "default"}, 1),
    ({"MKL_CBWR": "COMPATIBLE"}, 1),
    ({"MKL_CBWR": "AVX2", "ONEDNN_MAX_CPU_ISA": "SSE41"}, 1),
    ({"ATEN_CPU_CAPABILITY": "default", "MKL_CBWR": "COMPATIBLE", "ONEDNN_MAX_CPU_ISA": "SSE41"}, 1),
]


def rounded(value):
    """Lists alone: an accuracy is a quotient of two counts, and stays what it is."""
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return [float(f"{v:.9g}") for v in value] if isinstance(value, list) else value


def runs_of(name, short):
    run = importlib.import_module(name).run
    whole = {"steps": inspect.signature(run).parameters["steps"].default}
    return [{"options": options, **rounded(run(**options))} for options in (short, whole)]


def run_elsewhere(name, env, threads):
    """The whole run in a process of its own."""
    argv = [sys.executable, __file__, "--run", name, str(threads)]
    return json.loads(subprocess.run(argv, env={**os.environ, **env}, check=True, capture_output=True, text=True).stdout)


def apart(x, y, scale):
    """The difference, by the greater of `y` and `scale`."""
    return 0 if x == y else abs(x - y) / max(abs(y), scale)


def farthest(ours, theirs):
    """The greatest difference of two lists of pairs (number, scale)."""
    return max((apart(x, y, scale) for (x, _), (y, scale) in zip(ours, theirs)), default=0)


def compared(run):
    losses = [(loss, 0) for loss in run["losses"]]
    sums = [pair for s, m in run["parameters"].values() for pair in ((s, m), (m, 0))]
    return {"losses": losses, "parameters": sums}


def itself(name, whole):
    there = compared(whole)
    runs = [compared(run_elsewhere(name, env, threads)) for env, threads in OTHERS]
    return {part: float(f"{max(farthest(run[part], there[part]) for run in runs):.2g}") for part in there}


def main():
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "gallery/pytorch"))
    if sys.argv[1] == "--run":
        torch.set_num_threads(int(sys.argv[3]))
        print(json.dumps(importlib.import_module(sys.argv[2]).run()))
        return
    torch.set_num_threads(1)
    programs = {name: runs_of(name, short) for name, short in PROGRAMS.items()}
    for name, runs in programs.items():
        runs[1]["itself"] = itself(name, runs[1])
        print(name, runs[1]["itself"], flush=True)
    with open(sys.argv[1], "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as g:
        g.write(json.dumps({"torch": torch.__version__, "programs": programs}, indent=0).encode())


main()
