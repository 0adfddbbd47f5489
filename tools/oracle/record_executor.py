"""Records what PyTorch's profiling executor makes of the programs in tools/oracle/executor_programs: the graph after each step.

    python tools/oracle/record_executor.py      (writes test/fixtures/torchscript/executor.json.gz)

A program's text begins behind a line `# ---- name | inputs`: `t(2,3)` is a tensor of that size, `!` one that requires gradients, `i(3)` a
number, `n` None. Each program runs in a process of its own, four times: the last time no input requires gradients. If the result requires
gradients, the gradients of its sum are computed after each call.
"""

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = HERE / "executor_programs" / "programs.py"
OUT = HERE.parent.parent / "test" / "fixtures" / "torchscript" / "executor.json.gz"
PREFIX = re.compile(r"\[\w+ +profiling_graph_executor_impl\.cpp:\d+\] ?")


def programs():
    """Name, inputs and text of each program."""
    parts = re.split(r"^# ---- (\w+) \| (.*)\n", PROGRAMS.read_text(), flags=re.M)
    return list(zip(parts[1::3], parts[2::3], parts[3::3]))


def decode(word, last):
    """A fresh argument."""
    import torch

    kind, numbers = re.match(r"([tin])(?:\(([\d,]+)\))?", word).groups()
    if kind == "n":
        return None
    sizes = [int(n) for n in numbers.split(",")]
    if kind == "i":
        return sizes[0]
    count = 1
    for size in sizes:
        count *= size
    tensor = (torch.arange(count, dtype=torch.float32) / 4 - 0.5).reshape(sizes)
    return tensor.requires_grad_(word.endswith("!") and not last)


def run(name):
    """Runs one program with the log on stderr, and prints results and gradients."""
    import torch
    from typing import Optional  # programs name it
    from torch import Tensor

    inputs, src = next((i, s) for n, i, s in programs() if n == name)
    torch._C._jit_set_logging_option(">>profiling_graph_executor_impl")
    f = torch.jit.CompilationUnit(src).f
    results = []
    for i in range(4):
        args = [decode(word, i == 3) for word in inputs.split()]
        print(f"=== RUN {i + 1}", file=sys.stderr, flush=True)
        out = f(*args)
        flat = list(out) if isinstance(out, tuple) else [out]
        if flat[0].requires_grad:
            print(f"=== BACKWARD {i + 1}", file=sys.stderr, flush=True)
            sum(o.sum() for o in flat).backward()
        grads = [a.grad.tolist() if getattr(a, "grad", None) is not None else None for a in args]
        results.append({"out": [o.tolist() for o in flat], "grads": grads})
    print("\n" + json.dumps(results))


def steps(log):
    """[[run, title, text, or null if it is the text before]]; steps without optimization and empty graphs are left out."""
    found, before, current = [], None, "COMPILE"
    title, body = None, []

    def flush():
        nonlocal before, title, body
        if title is not None and current != "COMPILE":
            text = re.sub(r"(?m) # [^\n#\"]*?:\d+:\d+$", "", "\n".join(body))
            empty = text.startswith("graph():") and text.count("\n") < 3
            if title.startswith("Before LowerGradOf (beginning of runNoopt"):
                found.pop()  # a default value of a parameter is computed, once in a process
            elif "Noopt" not in title and not empty:
                found.append([current, title, None if text in ("", before) else text])
                if text:
                    before = text
        title, body = None, []

    for line in log.split("\n"):
        if line.startswith("=== "):
            flush()
            current = line[4:]
            continue
        match = PREFIX.match(line)
        if not match:
            continue
        line = line[match.end() :]
        if re.match(r"(graph\(| |with |return|->|block)", line):
            body.append(line)
            continue
        flush()
        title, graph, rest = line.partition("graph(")
        title = re.sub(r" 0x[0-9a-f]+", "", title.strip().rstrip(":"))
        if graph:
            body.append(graph + rest)
    flush()
    return found


def main():
    cases = []
    env = dict(os.environ, PYTORCH_JIT_LOG_LEVEL=">>profiling_graph_executor_impl", PYTHONWARNINGS="ignore")
    for name, inputs, src in programs():
        done = subprocess.run([sys.executable, __file__, name], env=env, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{name}: {done.stderr[-2000:]}")
        results = json.loads(done.stdout.strip().split("\n")[-1])
        cases.append({"name": name, "inputs": inputs, "src": src, "results": results, "steps": steps(done.stderr)})
        print(name, len(cases[-1]["steps"]))
    import torch

    text = json.dumps({"torch": torch.__version__, "cases": cases})
    OUT.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    run(sys.argv[1]) if len(sys.argv) > 1 else main()
