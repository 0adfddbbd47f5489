"""Records how PyTorch 2.13.0 prints tensors: the text, and the operators that the printing runs.

    python tools/oracle/record_tensor_str.py test/fixtures/front_end/tensor_str.json.gz

Rows [TypeScript, Python, options, text, operators]. `options` are those of `set_printoptions`; the operators are the profiler's events,
each with two blanks for every event that it is inside of. test/torch/_tensor_str.test.ts prints the same.
"""

import gzip
import json
import sys
import warnings

import torch
from torch.profiler import ProfilerActivity, profile

warnings.simplefilter("ignore")


class S(torch.Tensor):
    pass


# Shapes whose rows end at, before and behind the edge of a line.
ROWS = [[c] for c in (7, 8, 9, 10, 11, 12, 17, 25)] + [[2, c] for c in (8, 9, 10, 11)] + [[2, 2, c] for c in (7, 8, 9, 10, 11)] + [[1, 2, 1, c] for c in (8, 9, 10)]
LINEWIDTHS = [40, 78, 79, 80, 81, 82, 120]

CASES = [
    # one, dims, dtypes
    ("torch.tensor(1.5)", "torch.tensor(1.5)", {}),
    ("torch.tensor(3)", "torch.tensor(3)", {}),
    ("torch.tensor(true)", "torch.tensor(True)", {}),
    ("torch.arange(3)", "torch.arange(3)", {}),
    ("torch.tensor([1.5, 2, 3])", "torch.tensor([1.5, 2, 3])", {}),
    ("torch.tensor([[1, 2], [3, 4]]).float()", "torch.tensor([[1, 2], [3, 4]]).float()", {}),
    ("torch.tensor([true, false])", "torch.tensor([True, False])", {}),
    ("torch.zeros(2, 2)", "torch.zeros(2, 2)", {}),
    ("torch.tensor([NaN, Infinity, -Infinity])", "torch.tensor([float('nan'), float('inf'), float('-inf')])", {}),
    ("torch.tensor([NaN, 1.5, -Infinity])", "torch.tensor([float('nan'), 1.5, float('-inf')])", {}),
    ("torch.tensor([1e10, 1.5])", "torch.tensor([1e10, 1.5])", {}),
    ("torch.tensor([0.00001, 1.5])", "torch.tensor([0.00001, 1.5])", {}),
    ("torch.tensor([1000.5, 1.5])", "torch.tensor([1000.5, 1.5])", {}),
    ("torch.tensor([1500.5, 1.5])", "torch.tensor([1500.5, 1.5])", {}),
    ("torch.tensor([1.5, -2]).half()", "torch.tensor([1.5, -2]).half()", {}),
    ("torch.tensor([1.5, -2]).bfloat16()", "torch.tensor([1.5, -2]).bfloat16()", {}),
    ("torch.tensor([1.5, -2]).double()", "torch.tensor([1.5, -2]).double()", {}),
    ("torch.tensor([1, 250]).byte()", "torch.tensor([1, 250]).byte()", {}),
    ("torch.tensor([1, -25]).short()", "torch.tensor([1, -25]).short()", {}),
    # summaries
    ("torch.arange(1001)", "torch.arange(1001)", {}),
    ("torch.arange(1001).float().div(8)", "torch.arange(1001).float().div(8)", {}),
    ("torch.arange(1200).view(30, 40)", "torch.arange(1200).view(30, 40)", {}),
    ("torch.arange(1200).view(2, 600)", "torch.arange(1200).view(2, 600)", {}),
    ("torch.arange(1008).view(7, 12, 12)", "torch.arange(1008).view(7, 12, 12)", {}),
    ("torch.arange(20)", "torch.arange(20)", {"threshold": 10, "edgeitems": 2}),
    ("torch.arange(20).view(4, 5)", "torch.arange(20).view(4, 5)", {"threshold": 10, "edgeitems": 1}),
    ("torch.arange(20)", "torch.arange(20)", {"threshold": 10, "edgeitems": 0}),
    ("torch.ones(4, 5)", "torch.ones(4, 5)", {"threshold": 10, "edgeitems": 0}),
    # as many as are shown at both ends, fewer, and exactly as many as the threshold
    ("torch.ones(200, 6)", "torch.ones(200, 6)", {}),
    ("torch.ones(6, 200)", "torch.ones(6, 200)", {}),
    ("torch.arange(1200).view(300, 4)", "torch.arange(1200).view(300, 4)", {}),
    ("torch.arange(10)", "torch.arange(10)", {"threshold": 10, "edgeitems": 2}),
    ("torch.arange(11)", "torch.arange(11)", {"threshold": 10, "edgeitems": 2}),
    ("torch.tensor(2.5)", "torch.tensor(2.5)", {"threshold": 0}),
    ("torch.tensor([2.5])", "torch.tensor([2.5])", {"threshold": 0}),
    ("torch.tensor([[2.5, 3], [0.5, 4]])", "torch.tensor([[2.5, 3], [0.5, 4]])", {"threshold": 0, "edgeitems": 1}),
    # options
    ("torch.tensor([1.23456789, 2])", "torch.tensor([1.23456789, 2])", {"precision": 2}),
    ("torch.tensor([1.23456789, 2])", "torch.tensor([1.23456789, 2])", {"precision": 8}),
    ("torch.tensor([1.5, 2.5])", "torch.tensor([1.5, 2.5])", {"precision": 0}),
    ("torch.tensor([1.5, 2.5])", "torch.tensor([1.5, 2.5])", {"sci_mode": True}),
    ("torch.tensor([1, 2]).float()", "torch.tensor([1, 2]).float()", {"sci_mode": True}),
    ("torch.tensor([1e-10, 2.5])", "torch.tensor([1e-10, 2.5])", {"sci_mode": False}),
    ("torch.tensor([1.5, NaN, Infinity, -Infinity])", "torch.tensor([1.5, float('nan'), float('inf'), float('-inf')])", {"sci_mode": True}),
    # halves between two digits go to the even one, what is a little more goes up
    *[
        (f"torch.tensor([{values}], {{dtype: torch.float64}})", f"torch.tensor([{values}], dtype=torch.float64)", {"sci_mode": sci, "precision": precision})
        for values in ("0.125, 0.375, 0.12500000000000003, 1.5", "0.5, 1.5, 2.5, -2.5, 2.5000000000000004", "12.5, 13.5, 1250, -1350, 12.500000000000002", "1e-5, 1.25e-5, 1e22, 1e21, -1e23, -0.0, 0.5", "1e21, 3", "1e100, -1e-100")
        for sci in (True, False)
        for precision in (0, 1, 2)
    ],
    # what has no elements to show, or is not what it seems
    ("torch.empty(0)", "torch.empty(0)", {}),
    ("torch.empty(0, 2)", "torch.empty(0, 2)", {}),
    ("torch.empty([0], {dtype: torch.int64})", "torch.empty(0, dtype=torch.int64)", {}),
    ("torch.empty([2, 3], {device: 'meta'})", "torch.empty(2, 3, device='meta')", {}),
    ("torch.empty([2], {device: 'meta', dtype: torch.int8})", "torch.empty(2, device='meta', dtype=torch.int8)", {}),
    ("torch._neg_view(torch.tensor([1.5, 2]))", "torch._neg_view(torch.tensor([1.5, 2]))", {}),
    ("torch.tensor([1.5, 2]).expand(2, 2)", "torch.tensor([1.5, 2]).expand(2, 2)", {}),
    ("torch.arange(4).view(2, 2).t()", "torch.arange(4).view(2, 2).t()", {}),
    # suffixes
    (
        "((a) => { const v = torch.no_grad(() => a.at(0)); a.mul_(2); return v; })(torch.ones(2, 2, { requires_grad: true }).clone())",
        "(lambda a: (lambda v: (v, a.mul_(2))[0])(torch.no_grad()(lambda: a[0])()))(torch.ones(2, 2, requires_grad=True).clone())",
        {},
    ),
    ("torch.tensor([1.5], {requires_grad: true})", "torch.tensor([1.5], requires_grad=True)", {}),
    ("torch.tensor([1.5], {requires_grad: true}).mul(2)", "torch.tensor([1.5], requires_grad=True).mul(2)", {}),
    ("new torch.nn.Parameter(torch.tensor([1.5]))", "torch.nn.Parameter(torch.tensor([1.5]))", {}),
    ("torch.tensor([1.5, 2]).as_subclass(S)", "torch.tensor([1.5, 2]).as_subclass(S)", {}),
    ("new torch.nn.Parameter(torch.tensor([1.5, 2]).as_subclass(S))", "torch.nn.Parameter(torch.tensor([1.5, 2]).as_subclass(S))", {}),
    *[
        (
            f"torch.arange({n}).double().add(0.5).requires_grad_().mul(1)",
            f"torch.arange({n}).double().add(0.5).requires_grad_().mul(1)",
            {"linewidth": w},
        )
        for n in (3, 4, 5)
        for w in (50, 60, 66, 70, 80)
    ],
    *[
        (
            "torch.empty([2, 3], {device: 'meta', dtype: torch.float64, requires_grad: true})",
            "torch.empty(2, 3, device='meta', dtype=torch.float64, requires_grad=True)",
            {"linewidth": w},
        )
        for w in range(20, 90, 3)
    ],
]
# Each digit of the width of a line.
for size in ROWS:
    n = 1
    for s in size:
        n *= s
    for w in LINEWIDTHS:
        for make in ("add(1000)", "double().add(0.5)", "gt(3)"):
            code = f"torch.arange({n}).{make}.view({size})"
            CASES.append((code, code, {"linewidth": w}))


def operators(run):
    """The profiler's events as a tree, in the order in which they began."""
    with profile(activities=[ProfilerActivity.CPU]) as p:
        run()
    lines = []

    def walk(event, depth):
        lines.append("  " * depth + event.name)
        for child in sorted(event.cpu_children, key=lambda e: e.time_range.start):
            walk(child, depth + 1)

    roots = [e for e in p.events() if e.cpu_parent is None and e.name.startswith("aten::")]
    for root in sorted(roots, key=lambda e: e.time_range.start):
        walk(root, 0)
    return lines


def main(path):
    rows = []
    for ts, python, options in CASES:
        torch.set_printoptions(profile="default")
        torch.set_printoptions(**options)
        x = eval(python, {"torch": torch, "S": S})
        text = repr(x)
        with_operators = "linewidth" not in options and x.numel() <= 1200
        rows.append([ts, python, options, text, operators(lambda: repr(x)) if with_operators else None])
    data = {"torch": torch.__version__, "script": "tools/oracle/record_tensor_str.py", "rows": rows}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data, indent=0).encode(), mtime=0))
    print(len(rows), "rows,", sum(r[4] is not None for r in rows), "with operators")


if __name__ == "__main__":
    main(sys.argv[1])
