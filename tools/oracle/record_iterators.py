"""Records what PyTorch 2.13.0 makes of operands of all shapes, strides and dtypes: what TensorIterator decides, seen from outside.

    python tools/oracle/record_iterators.py test/fixtures/iterator/outputs.json.gz [seed]

Each case: an operator, its operands [dtype, size, stride, offset, device], where the result goes ("new", "first" for in-place, or an
operand), and the size, stride, dtype and values of the result, or the error. test/aten/TensorIteratorOutputs.test.ts does the same.
"""

import gzip
import json
import math
import random
import sys
import warnings

import torch

SHAPES = [[], [1], [3], [2, 3], [3, 2], [1, 3], [2, 3, 4], [2, 1, 4], [4, 1, 1], [0, 3], [2, 0, 2], [2, 3, 2, 2], [1, 3, 1, 2], [2, 1, 2, 3], [2, 3, 2, 1, 2]]
DTYPES = ["float32"] * 6 + ["float64", "int64", "int32", "bool", "float16", "uint8"]
OPERATORS = {"add": 2, "mul": 2, "div": 2, "lt": 2, "neg": 1, "where": 3, "sum": 1, "amax": 1}


def strides_of(rng, size):
    """Some layout of `size`: dense in an order of its own, with gaps, or stretched."""
    order = list(range(len(size)))
    kind = rng.choice(["contiguous", "contiguous", "channels_last", "permuted", "gaps", "stretched"])
    if kind == "channels_last" and len(size) in (4, 5):
        order = [0, *range(2, len(size)), 1]
    elif kind in ("permuted", "gaps"):
        rng.shuffle(order)
    strides, step = [0] * len(size), rng.choice([1, 2]) if kind == "gaps" else 1
    for d in reversed(order):
        strides[d] = step
        step *= max(size[d], 1) + (1 if kind == "gaps" and rng.random() < 0.3 else 0)
    if kind == "stretched" and size:
        strides[rng.randrange(len(size))] = 0
    return strides


def operand(rng, size, dtype=None):
    dtype = dtype or rng.choice(DTYPES)
    device = "meta" if rng.random() < 0.03 else "cpu"
    return [dtype, size, strides_of(rng, size), rng.choice([0, 0, 1]), device]


def smaller(rng, size):
    """A size that is stretched to `size`, or now and then one that is not."""
    out = [1 if rng.random() < 0.2 else s for s in size]
    if rng.random() < 0.2:
        out = out[rng.randrange(len(out) + 1) :]
    if rng.random() < 0.03:
        out = [*out, 2]
    return out


def cases(seed):
    rng = random.Random(seed)
    for _ in range(700):
        name = rng.choice(list(OPERATORS))
        size = rng.choice(SHAPES)
        same = rng.choice([None, None, "float32", "int64"])
        operands = [operand(rng, size if i == 0 or rng.random() < 0.5 else smaller(rng, size), same) for i in range(OPERATORS[name])]
        if name == "where":
            operands[0][0] = "bool"
        where = rng.choice(["new", "new", "first", "out"])
        out = operand(rng, rng.choice([size, size, size, rng.choice(SHAPES)]), same) if where == "out" else None
        dims = sorted(rng.sample(range(len(size)), rng.randrange(len(size) + 1))) if name in ("sum", "amax") else None
        yield [name, operands, out if out else where, dims, rng.random() < 0.5]


def tensor(descriptor):
    dtype, size, stride, offset, device = descriptor
    last = offset + sum((s - 1) * t for s, t in zip(size, stride)) if 0 not in size else offset
    storage = torch.arange(last + 1).remainder(7).sub(2).to(getattr(torch, dtype)).to(device)
    return storage.as_strided(size, stride, offset)


def run(name, operands, where, dims, keepdim):
    tensors = [tensor(o) for o in operands]
    args = tensors if dims is None else [*tensors, dims, keepdim]
    if where == "new":
        return getattr(torch, name)(*args)
    if where == "first":
        return getattr(tensors[0], name + "_")(*args[1:]) if hasattr(tensors[0], name + "_") else getattr(torch, name)(*args)
    return getattr(torch, name)(*args, out=tensor(where))


def answer(case):
    try:
        r = run(*case)
    except Exception as e:  # noqa: BLE001
        return [type(e).__name__, str(e).split("\n")[0]]
    values = None if r.is_meta else [str(v) if isinstance(v, float) and not math.isfinite(v) else v for v in r.flatten().tolist()]
    return [list(r.shape), list(r.stride()), str(r.dtype), r.device.type, values]


def main(path, seed=0):
    warnings.simplefilter("ignore")
    rows = [[*case, answer(case)] for case in cases(int(seed))]
    data = {"torch": torch.__version__, "script": "tools/oracle/record_iterators.py", "seed": int(seed), "rows": rows}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data).encode(), mtime=0))
    print(len(rows), "cases,", sum(len(r[-1]) == 2 for r in rows), "errors")


if __name__ == "__main__":
    main(*sys.argv[1:])
