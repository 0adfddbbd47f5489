"""Records what PyTorch 2.13.0 answers to masks of several dims among other indices, to int64 at its limits, to halves that overflow.

    python tools/oracle/record_indexing.py test/fixtures/front_end/indexing.json.gz

Rows [TypeScript, Python, outcome]: the outcome is the text of the result, or [error, message]. What PyTorch prints of its C++ stack is
cut off. test/torch/csrc-equivalent/autograd/python_variable_indexing.test.ts runs the TypeScript.
"""

import gzip
import json
import sys
import warnings

import torch

warnings.simplefilter("ignore")

# [TypeScript, Python] of one index; `m` is a mask of [2, 3], `w` one of [3, 2], `v` one of [2], `i` is tensor([0]).
INDICES = {
    "m": "m", "m, null": "m, None", "null, m": "None, m", "m, null, null": "m, None, None", "m, '...'": "m, ...", "'...', m": "..., m",
    "m, true": "m, True", "true, m": "True, m", "m, 0": "m, 0", "m, torch.slice(1, null)": "m, slice(1, None)", "m, i": "m, i", "i, m": "i, m",
    "m, null, i": "m, None, i", "m, i, null": "m, i, None", "torch.slice(1, null), m": "slice(1, None), m", "0, m": "0, m", "w": "w",
    "w, null": "w, None", "null, w, null": "None, w, None", "v, null": "v, None", "v, null, i": "v, None, i", "v, m": "v, m", "m, v": "m, v",
    "m.byte(), null": "m.byte(), None", "m.byte(), 1": "m.byte(), 1", "false, m, null": "False, m, None", "m, '...', null": "m, ..., None",
}
SHAPES = ["2, 3", "2, 3, 4", "4, 2, 3", "3, 2", "2, 2, 3, 2"]

B = "9223372036854775808"  # 2**63
M = "9223372036854775807"
Q = "4611686018427387904"  # 2**62
INT64 = [
    "torch.ones(2).at({M})", "torch.ones(2).at({Q})", "torch.ones(2).at(-{B})", "torch.ones(2).at({B})", "torch.ones(2).at(torch.tensor([{M}]))", "torch.ones(2).at(torch.tensor({M}))",
    "torch.ones(2).select(0, {Q})", "torch.ones(2).gather(0, torch.tensor([{M}]))", "torch.ones(2).narrow(0, {Q}, 1)", "torch.ones(2).narrow(0, 0, {Q})", "torch.ones(2).view({Q})",
    "torch.ones(2).reshape({Q}, 2)", "torch.zeros({Q})", "torch.ones(2).sum({M})", "torch.ones(2).unsqueeze({M})", "torch.ones(2).transpose(0, {M})", "torch.ones(2).squeeze({M})",
    "torch.ones(2).size({M})", "torch.ones(2).permute({M})", "torch.ones(2).softmax({M})", "torch.ones(2).size({B})", "torch.ones(2).sum({B})", "torch.zeros({B})", "torch.ones(2).view({B})",
    "torch.full([2], {B})", "torch.arange({B})", "torch.tensor([{B}])", "torch.Generator().manual_seed({B}{B})", "torch.full([2], {M})", "torch.ones(2).__setitem__(0, {B})",
]
SLICES = [("torch.ones(2).at(torch.slice({B}, null))", "torch.ones(2)[{B}:]"), ("torch.ones(2).at(torch.slice(0, {B}))", "torch.ones(2)[0:{B}]")]
NUMBERS = ["{Q}", "1e30", "-1e39", "300", "1e300"]


def main(path):
    cases = []
    for shape in SHAPES:
        for ts, py in INDICES.items():
            cases.append((f"x({shape}).at({ts})", f"x({shape})[{py}]"))
            cases.append((f"x({shape}).set_at(-1, {ts})", f"set_at(x({shape}), ({py}), -1)"))
    for code in INT64:
        ts, py = code.format(B=B + "n", M=M + "n", Q=Q + "n").replace(f"{B}n{B}n", f"{B}{B}n"), code.format(B=B, M=M, Q=Q)
        if ".at(" in py:
            py = py.replace(".at(", "[", 1)[:-1] + "]"
        cases.append((ts.replace("torch.Generator", "new torch.Generator"), py))
    cases += [(ts.format(B=B + "n"), py.format(B=B)) for ts, py in SLICES]
    for dtype in ("float16", "bfloat16", "float32", "float64", "int8", "int64", "bool"):
        for number in NUMBERS:
            n = number.format(Q=Q)
            t = n + "n" if n == Q else n
            cases.append((f"torch.zeros([2], {{dtype: torch.{dtype}}}).set_at({t}, 1)", f"set_at(torch.zeros(2, dtype=torch.{dtype}), 1, {n})"))
            cases.append((f"torch.zeros([2], {{dtype: torch.{dtype}}}).fill_({t})", f"torch.zeros(2, dtype=torch.{dtype}).fill_({n})"))
    types = ["uint8", "int8", "int16", "int64", "float16", "bfloat16", "float32", "float64", "bool", "complex64"]
    cases += [(f"torch.promote_types(torch.{a}, torch.{b})",) * 2 for a in types for b in types]
    cases += [(c, c) for c in ("torch.promote_types(5, torch.int8)", "torch.promote_types(torch.int8)", "torch.promote_types(torch.uint64, torch.int8)")]
    for dtype in ("uint8", "int64", "bool"):
        mask = f"torch.tensor([1, 0, 1]).to(torch.{dtype})"
        cases += [(f"torch.zeros(3).{f}({mask}, torch.ones(3))",) * 2 for f in ("masked_scatter_", "masked_scatter")]
    for dtype in ("float16", "bfloat16", "float32", "float64", "int32", "bool"):
        cases.append((f"torch.tensor([1.25, -1.25, -0.5, 2]).to(torch.{dtype}).ceil()",) * 2)

    def x(*shape):
        n = 1
        for s in shape:
            n *= s
        return torch.arange(n).view(*shape)

    def set_at(tensor, index, value):
        tensor[index] = value
        return tensor

    scope = {
        "torch": torch, "x": x, "set_at": set_at, "m": torch.tensor([[True, False, True], [False, True, True]]), "w": torch.tensor([[True, False], [True, True], [False, True]]),
        "v": torch.tensor([True, False]), "i": torch.tensor([0]),
    }
    rows = []
    for ts, py in cases:
        try:
            outcome = str(eval(py, scope))
        except Exception as e:  # whatever it is, it is the answer
            head, *stack = str(e).split("\nException raised from")
            outcome = [type(e).__name__, head + ('"' if stack else "")]
        rows.append([ts, py, outcome])
    data = {"torch": torch.__version__, "script": "tools/oracle/record_indexing.py", "rows": rows}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data, indent=0).encode(), mtime=0))
    print(len(rows), "rows,", sum(isinstance(r[2], list) for r in rows), "refused")


if __name__ == "__main__":
    main(sys.argv[1])
