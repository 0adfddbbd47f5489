"""Reduces recorded call trees of PyTorch 2.13.0 to the operator calls in the order they begin.

    python tools/oracle/reduce_backtraces.py TREES.json test/fixtures/paths/backtraces.json.gz

TREES.json holds, per case, the tree of every native function entered (rows `[depth, how, layer, function, extra]`), written by a debugger
that put a breakpoint on each exported function of the 2.13.0+cpu wheel. A row of the result is
`[depth, operator, how, key set, key, kernel]`; `depth` counts enclosing operator calls only; the kernel is the first
`wrap_kernel_functor_unboxed_<F>` below the operator, without anonymous namespaces, templates and the leading torch::autograd::, torch::, at::.
"""

import gzip
import json
import re
import sys

OP = re.compile(r"^at::_ops::(\w+)::(call|redispatch)$")
KERNEL = re.compile(r"^c10::impl::wrap_kernel_functor_unboxed_<(.*)>::call$")
NODE = re.compile(r"^torch::autograd::(?:generated::)?(\w+)::apply$")


def plain(kernel):
    kernel = kernel.replace("(anonymous namespace)::", "")
    kernel = re.sub(r"<.*>", "", kernel)
    kernel = re.sub(r"\(.*\)", "", kernel)
    for prefix in ("torch::autograd::", "torch::", "at::"):
        if kernel.startswith(prefix):
            kernel = kernel[len(prefix) :]
            break
    return kernel


def reduce(tree):
    rows, nodes, open_ops = [], [], []  # open_ops: [tree depth, row]
    for depth, _how, _layer, function, *extra in tree:
        while open_ops and open_ops[-1][0] >= depth:
            open_ops.pop()
        op = OP.match(function)
        kernel = KERNEL.match(function)
        node = NODE.match(function)
        if op:
            row = [len(open_ops), op.group(1), op.group(2), None, None, None]
            rows.append(row)
            open_ops.append((depth, row))
        elif kernel and open_ops and open_ops[-1][1][5] is None:
            row, data = open_ops[-1][1], extra[0] if extra else {}
            row[3] = data["ks"].split("|") if data.get("ks") else []
            row[4] = data.get("key")
            row[5] = plain(kernel.group(1))
        elif node:
            nodes.append(node.group(1) + "::apply")
    return rows, nodes


def main(source, target):
    recorded = json.load(open(source))
    cases = {}
    for name, case in recorded["cases"].items():
        if "tree" not in case["threads"].get("main", {}):
            continue
        rows, nodes = reduce(case["threads"]["main"]["tree"])
        cases[name] = {"setup": case["setup"], "run": case["run"], "rows": rows, "nodes": nodes}
    fixture = {"torch": recorded["torch"], "script": "tools/oracle/reduce_backtraces.py", "cases": cases}
    with gzip.GzipFile(target, "wb", mtime=0) as out:
        out.write(json.dumps(fixture, separators=(",", ":")).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
