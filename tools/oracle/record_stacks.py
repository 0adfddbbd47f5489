"""Stack traces as PyTorch and gdb print them, for what reads such text (tools/explain/stack_trace.ts).

    python tools/oracle/record_stacks.py       writes test/fixtures/stacks/traces.json.gz; needs gdb

Paths of the machine are shortened; nothing else is changed.
"""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

import torch

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
OUT = os.path.join(ROOT, "test", "fixtures", "stacks", "traces.json.gz")

MM = """import torch
x = torch.ones(2, 3)
torch.mm(x, x)
"""

PRELU = """import torch
m = torch.nn.PReLU()
x = torch.randn(3, 4, requires_grad=True)
m(x)
y = m(x)
"""

BACKWARD = """import torch
x = torch.randn(3, 4, requires_grad=True)
(x * x).sum().backward()
"""

DISPATCH = """import torch
from torch._C._profiler import gather_traceback, symbolize_tracebacks
from torch.utils._python_dispatch import TorchDispatchMode

class Mode(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        frames = symbolize_tracebacks([gather_traceback(python=True, script=False, cpp=True)])[0]
        for i, f in enumerate(frames):
            print(f"#{i} {f['name']} from {f['filename']}:{f['line']}")
        raise SystemExit

m = torch.nn.PReLU()
x = torch.randn(3, 4)
with Mode():
    m(x)
"""


def shorten(text):
    text = re.sub(r"(?m)^\[W.*\n", "", text)
    text = re.sub(r"\S*/site-packages/torch/", "/usr/lib/python3/site-packages/torch/", text)
    text = re.sub(r"/tmp/python-build[^/]*/", "", text)
    text = re.sub(r"/__w/pytorch/pytorch/", "", text)
    text = re.sub(r"[^\s\"]*/(case\.py)", r"\1", text)
    return re.sub(r"/(?:opt|root|home|work)/\S*?/(?=[^/\s]+(?:\s|$))", "", text)


def run(code, command=None, env=None):
    with tempfile.TemporaryDirectory() as folder:
        case = os.path.join(folder, "case.py")
        with open(case, "w") as f:
            f.write(code)
        done = subprocess.run(
            [*(command or []), sys.executable, case],
            capture_output=True,
            text=True,
            timeout=600,
            env={**os.environ, **(env or {})},
        )
    return shorten(done.stdout), shorten(done.stderr)


def gdb(code, function, skip):
    commands = ["set pagination off", "set breakpoint pending on", "set debuginfod enabled off", "set print thread-events off"]
    commands += [f"break {function}", f"ignore 1 {skip}", "run", "bt 40"]
    flags = [flag for command in commands for flag in ("-ex", command)]
    out, _ = run(code, ["gdb", "-q", "-batch", *flags, "--args"])
    return "\n".join(line for line in out.splitlines() if re.match(r"#\d+ ", line))


def main():
    traces = {
        "error": run(MM, env={"TORCH_SHOW_CPP_STACKTRACES": "1"})[1],
        "gathered": run(DISPATCH)[0],
        "gdb": gdb(PRELU, "at::native::_prelu_kernel", 1),
        "gdb backward": gdb(BACKWARD, "torch::autograd::generated::MulBackward0::apply", 0),
    }
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    data = {"torch": torch.__version__, "script": "tools/oracle/record_stacks.py", "traces": traces}
    with gzip.GzipFile(OUT, "wb", mtime=0) as f:
        f.write((json.dumps(data, indent=1) + "\n").encode())
    for name, text in traces.items():
        print(f"{name}: {len(text.splitlines())} lines")


if __name__ == "__main__":
    main()
