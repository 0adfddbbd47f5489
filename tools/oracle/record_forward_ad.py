"""Records the tangents that PyTorch 2.13.0 (CPU) gives to its own OpInfo samples, for the operators this library has.

    python tools/oracle/record_forward_ad.py test/fixtures/forward_ad [SEED] [--share 0/5]

One gzipped JSON file per OpInfo, float64 only: at most N evenly spaced samples of those that record_opinfo.py chooses from. Of each sample:

    jvp      tangents of the results where every floating tensor argument has a tangent
    first    the same where only the first such argument has one (not recorded if there is only one)
    inplace  the same for the in-place variant, where every argument has one

A tangent of the result is null where it has none. The tangent of the i-th floating tensor argument, in order of appearance, holds
((k * 3 + i) % 7) / 2 - 1.25 at the k-th place. Refusals are recorded with the type and text of the error.
"""

import argparse
import gzip
import json
import sys
import warnings
from pathlib import Path

import torch
import torch.autograd.forward_ad as fwAD
from record_opinfo import ELEMENTS, NAMES, NOT_BUILT, SPARING, WINDOWS, Skip, arguments, copy, elements, encode, evenly, share_memory
from torch.testing._internal.common_methods_invocations import op_db

MANY = 8


def tangent(t, i):
    return (((torch.arange(t.numel(), dtype=torch.float64) * 3 + i) % 7) / 2 - 1.25).reshape(t.shape).to(t.dtype)


def dual(v, number, only_first):
    """`v` with a tangent for each floating tensor; `number` counts them."""
    if isinstance(v, torch.Tensor):
        v = copy(v)
        if not v.dtype.is_floating_point:
            return v
        number[0] += 1
        if only_first and number[0] > 1:
            return v
        return fwAD.make_dual(v, tangent(v, number[0] - 1))
    if isinstance(v, (list, tuple)):
        return type(v)(dual(x, number, only_first) for x in v)
    return v


def tangents(v):
    if isinstance(v, torch.Tensor):
        return [fwAD.unpack_dual(v).tangent] if v.dtype.is_floating_point else []
    return [t for x in v for t in tangents(x)] if isinstance(v, (list, tuple)) else []


def jvp(fn, sample, only_first=False, inplace=False):
    """The answer, and how many floating tensors there are among the arguments."""
    number = [0]
    try:
        with fwAD.dual_level():
            args = [dual(a, number, only_first) for a in [sample.input, *sample.args]]
            kwargs = {k: dual(v, number, only_first) for k, v in sample.kwargs.items()}
            if inplace:
                args[0] = args[0].clone()
            out = fn(*args, **kwargs)
            found = tangents(out if isinstance(out, (list, tuple)) else [out])
            return {"value": [None if t is None else encode(t.clone()) for t in found]}, number[0]
    except Skip:
        raise
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}, number[0]


def record(op, seed):
    torch.manual_seed(seed)
    kept = []
    for sample in op.sample_inputs("cpu", torch.float64):
        try:
            args, kwargs = arguments(sample)
        except Skip:
            continue
        if op.name in SPARING and elements([sample.input, *sample.args]) > ELEMENTS // 8 or share_memory(sample):
            continue
        if op.name.startswith(WINDOWS) and elements(op.op(copy(sample.input), *map(copy, sample.args), **sample.kwargs)) > ELEMENTS:
            continue
        kept.append((sample, args, kwargs))
    rows = []
    for sample, args, kwargs in evenly(kept, MANY):
        try:
            answer, number = jvp(op.op, sample)
            if number == 0:
                continue
            row = {"args": args, "kwargs": kwargs, "jvp": answer}
            if number > 1:
                row["first"] = jvp(op.op, sample, only_first=True)[0]
            if op.inplace_variant is not None:
                row["inplace"] = jvp(op.inplace_variant, sample, inplace=True)[0]
        except Skip:
            continue
        rows.append(row)
    return {"torch": torch.__version__, "script": "tools/oracle/record_forward_ad.py", "name": op.name, "variant": op.variant_test_name, "samples": rows}


def main(folder, seed, share):
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    Path(folder).mkdir(parents=True, exist_ok=True)
    turn, of = map(int, share.split("/"))
    total = 0
    for op in [op for op in op_db if op.name in NAMES][turn::of]:
        if "triton" in op.variant_test_name or (op.name, op.variant_test_name) in NOT_BUILT or torch.float64 not in op.supported_dtypes("cpu"):
            continue
        made = record(op, seed)
        if not made["samples"]:
            continue
        file = Path(folder) / f"{op.name}{'.' + op.variant_test_name if op.variant_test_name else ''}.json.gz"
        with gzip.GzipFile(file, "wb", mtime=0) as out:
            out.write(json.dumps(made, separators=(",", ":")).encode())
        total += len(made["samples"])
    print(f"{total} samples")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--share", default="0/1", help="1/5: the second of every five operators")
    given = parser.parse_args()
    main(given.folder, given.seed, given.share)
