"""Records nodes and gradients of PyTorch 2.13.0's operators on lists, out of place and in place.

    python tools/oracle/record_foreach.py test/fixtures/autograd/foreach.json.gz

An argument is a number, a list of numbers, {"lists": [[...], ...]} (tensors of float64 that require grad), or {"tensor": number} (so does it).
In place the lists are first multiplied by one, since a leaf may not be changed. The loss is the sum of each result times its place in the list
plus one.
"""

import gzip
import json
import sys

import torch

# Each tensor has as many rows as the list has tensors: PyTorch's node of _foreach_addcdiv asks the i-th row of the i-th tensor for its dtype.
A, B, C = {"lists": [[1.5, 2.0], [3.5, 0.75]]}, {"lists": [[0.5, 2.0], [2.5, 1.5]]}, {"lists": [[2.0, 0.25], [1.25, 3.0]]}
T = {"tensor": 2.5}
CASES = [
    ("add", [A, 2.5], {}),
    ("add", [A, [2.5, 3.5]], {}),
    ("add", [A, B], {"alpha": 3}),
    ("add", [A, T], {"alpha": 3}),
    ("sub", [A, 2.5], {}),
    ("sub", [A, [2.5, 3.5]], {}),
    ("sub", [A, B], {"alpha": 3}),
    ("mul", [A, 2.5], {}),
    ("mul", [A, [2.5, 3.5]], {}),
    ("mul", [A, B], {}),
    ("mul", [A, T], {}),
    ("div", [A, 2.5], {}),
    ("div", [A, [2.5, 3.5]], {}),
    ("div", [A, B], {}),
    ("div", [A, T], {}),
    ("clamp_min", [A, 2.0], {}),
    ("clamp_min", [A, [2.0, 3.5]], {}),
    ("clamp_min", [A, B], {}),
    ("maximum", [A, 2.0], {}),
    ("maximum", [A, [2.0, 3.75]], {}),
    ("maximum", [A, B], {}),
    ("clamp_max", [A, 2.0], {}),
    ("clamp_max", [A, [2.0, 1.25]], {}),
    ("clamp_max", [A, B], {}),
    ("minimum", [A, 2.0], {}),
    ("minimum", [A, [2.0, 3.5]], {}),
    ("minimum", [A, B], {}),
    ("norm", [A], {}),
    ("norm", [A, 3.0], {}),
    ("norm", [A, 1.0], {}),
    ("max", [A], {}),
    ("addcmul", [A, B, C, 0.5], {}),
    ("addcmul", [A, B, C, [0.5, 2.0]], {}),
    ("addcdiv", [A, B, C, 0.5], {}),
    ("addcdiv", [A, B, C, [0.5, 2.0]], {}),
    ("lerp", [A, B, C], {}),
    ("lerp", [A, B, 0.25], {}),
    ("lerp", [A, B, [0.25, 0.75]], {}),
    ("pow", [A, 3.0], {}),
    ("pow", [A, [3.0, 0.5]], {}),
    ("pow", [A, B], {}),
    ("pow", [2.0, A], {}),
    ("abs", [A], {}),
    ("neg", [A], {}),
    ("reciprocal", [A], {}),
    ("rsqrt", [A], {}),
    ("sign", [A], {}),
    ("sqrt", [A], {}),
    *((op, [A], {}) for op in "atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 round sigmoid sin sinh tan tanh trunc".split()),
    *((op, [{"lists": [[0.5, -0.25], [0.75, -0.5]]}], {}) for op in "acos asin".split()),
    ("zero", [A], {}),
]


def made(value, leaves):
    if isinstance(value, dict):
        data = value.get("lists", value.get("tensor"))
        if "tensor" in value:
            leaves.append([torch.tensor(data, dtype=torch.float64, requires_grad=True)])
            return leaves[-1][0]
        leaves.append([torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in data])
        return leaves[-1]
    return value


def answer(name, args, kwargs):
    inplace = name.endswith("_")
    leaves = []
    given = [made(a, leaves) for a in args]
    if inplace:
        given[0] = [x * 1 for x in given[0]]
    result = getattr(torch, f"_foreach_{name}")(*given, **kwargs)
    result = given[0] if inplace else result
    loss = sum(((i + 1) * x).sum() for i, x in enumerate(result))
    out = {"values": [x.tolist() for x in result], "nodes": [x.grad_fn.name() for x in result]}
    try:
        loss.backward()
    except Exception as e:
        return {**out, "error": [type(e).__name__, str(e)]}
    return {**out, "grads": [[None if x.grad is None else x.grad.tolist() for x in leaf] for leaf in leaves]}


cases = []
for name, args, kwargs in CASES:
    for form in (name, f"{name}_"):
        if hasattr(torch, f"_foreach_{form}") and not (form == "pow_" and not isinstance(args[0], dict)):
            cases.append({"name": form, "args": args, "kwargs": kwargs, **answer(form, args, kwargs)})
with open(sys.argv[1], "wb") as f:
    text = json.dumps({"torch": torch.__version__, "script": "tools/oracle/record_foreach.py", "cases": cases})
    f.write(gzip.compress(text.encode(), mtime=0))
