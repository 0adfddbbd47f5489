"""Records what PyTorch 2.13.0 (CPU) answers to pointwise operators over all dtypes, awkward values and awkward strides.

    python tools/oracle/record_pointwise.py test/fixtures/pointwise/cases.json.gz

A case is an operator overload, its arguments in schema order (tensors with their storage, offset and strides; numbers by kind), and the
result with its strides, or the type and text of the error. The seed is fixed: the same script gives the same file.
"""

import base64
import gzip
import json
import random
import sys
import warnings

import torch

warnings.simplefilter("ignore")
random.seed(1)

DTYPES = {str(d)[6:]: d for d in (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
                                   torch.half, torch.bfloat16, torch.float32, torch.float64)}
NAMES = list(DTYPES)
INF, NAN = float("inf"), float("nan")
AWKWARD = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -2.5, 3.7, 1e-3, 7.0, -7.0, 3.0, 100.0, 0.25, -0.75]


def values(name, n):
    """Half of them from the edges of the type."""
    dtype = DTYPES[name]
    if dtype == torch.bool:
        return torch.tensor([random.random() < 0.5 for _ in range(n)])
    if dtype.is_floating_point:
        picks = [random.choice(AWKWARD) if random.random() < 0.6 else random.gauss(0, 3) for _ in range(n)]
        return torch.tensor(picks, dtype=torch.float64).to(dtype)
    info = torch.iinfo(dtype)
    edges = [info.min, info.max, 0, 1, 2, 3, 5, 7] + ([-1, -2, -3] if info.min < 0 else [255])
    low, high = max(info.min, -100), min(info.max, 100)
    return torch.tensor([random.choice(edges) if random.random() < 0.6 else random.randint(low, high) for _ in range(n)], dtype=dtype)


def layouts(name):
    """Dense, transposed, fewer dimensions, with gaps, none at all, to be broadcast."""
    return [
        values(name, 6).reshape(2, 3),
        values(name, 6).reshape(3, 2).t(),
        values(name, 3),
        values(name, 24).reshape(2, 3, 4)[:, :, 1],
        values(name, 1).reshape(()),
        values(name, 2).reshape(2, 1),
    ]


def one(name):
    return random.choice(layouts(name))


def encode(x):
    if isinstance(x, torch.Tensor):
        storage = x.untyped_storage()
        data = base64.b64encode(bytes(storage.tolist())).decode()
        return {"t": str(x.dtype)[6:], "size": list(x.shape), "stride": list(x.stride()), "offset": x.storage_offset(), "data": data}
    if isinstance(x, (tuple, list)):
        return [encode(y) for y in x]
    if isinstance(x, bool):
        return {"bool": x}
    if isinstance(x, int):
        return {"int": x}
    if isinstance(x, float):
        return {"float": repr(x)}
    return x


cases = []


def run(op, *args, **kwargs):
    base, _, overload = op.partition(".")
    fn = getattr(getattr(torch.ops.aten, base), overload or "default")
    case = {"op": op, "args": [encode(a) for a in (*args, *kwargs.values())]}
    try:
        case["result"] = encode(fn(*args, **kwargs))
    except Exception as error:
        case["error"], case["message"] = type(error).__name__, str(error)
    cases.append(case)


BINARY = """mul.Tensor div.Tensor maximum minimum eq.Tensor ne.Tensor lt.Tensor le.Tensor gt.Tensor ge.Tensor logical_and logical_or
bitwise_and.Tensor bitwise_or.Tensor sigmoid_backward tanh_backward pow.Tensor_Tensor clamp_min.Tensor clamp_max.Tensor _prelu_kernel""".split()
WITH_ALPHA = ["add.Tensor", "sub.Tensor", "rsub.Tensor"]
UNARY = "neg abs exp log sqrt rsqrt reciprocal sigmoid tanh relu isnan isfinite isinf logical_not bitwise_not sgn".split()
WITH_NUMBER = "mul.Scalar div.Scalar eq.Scalar lt.Scalar ge.Scalar pow.Tensor_Scalar clamp_min clamp_max bitwise_and.Scalar".split()
NUMBERS = [2, -1, 0, 3, 1, 2.5, -0.5, True, 300, 0.5, NAN, INF]

for op in BINARY:
    for d in NAMES:
        for a in layouts(d):
            run(op, a, one(d))
    for _ in range(25):
        run(op, one(random.choice(NAMES)), one(random.choice(NAMES)))
for op in WITH_ALPHA:
    for d in NAMES:
        for a in layouts(d):
            run(op, a, one(d), alpha=random.choice([1, 1, 2, -3, 0.5, True]))
        run(op, one(d), one(random.choice(NAMES)), alpha=1)
for op in UNARY:
    for d in NAMES:
        for a in layouts(d):
            run(op, a)
for d in NAMES:
    for op in WITH_NUMBER:
        for s in NUMBERS:
            run(op, one(d), s)
    for s in [2, -1, 0, 1, 2.5, True, 3]:
        run("pow.Scalar", s, one(d))
    for low, high in [(0, 1), (None, 2), (1, None), (0.5, 2), (3, 1), (None, None), (NAN, 1.0)]:
        run("clamp", one(d), low, high)
    for mode in ["trunc", "floor", None, "x"]:
        for _ in range(5):
            b = one(d)
            if b.dtype != torch.bool and not b.dtype.is_floating_point and random.random() < 0.8:
                b = torch.where(b == 0, torch.ones_like(b), b)
            run("div.Tensor_mode", one(d), b, rounding_mode=mode)
    for _ in range(4):
        mask = one("bool")
        run("clamp.Tensor", one(d), one(d), one(d))
        run("clamp.Tensor", one(d), None, one(d))
        run("where.self", mask, one(d), one(random.choice(NAMES)))
        run("threshold", one(d), 1, 2)
        run("threshold_backward", one(d), one(d), 0)
        run("_prelu_kernel_backward", layouts(d)[0], layouts(d)[1], layouts(d)[2])
        run("masked_fill.Scalar", one(d), mask, random.choice([1, 2.5, True, 0]))
        run("isclose", one(d), one(d), 0.1, 0.1, True)
    for s in [2, 2.5, True]:
        run("where.ScalarOther", one("bool"), one(d), s)
        run("where.ScalarSelf", one("bool"), s, one(d))

with gzip.GzipFile(sys.argv[1], "wb", mtime=0) as out:
    out.write(json.dumps({"torch": torch.__version__, "cases": cases}, separators=(",", ":")).encode())
print(len(cases), "cases")
