"""Records the path of OpInfo's samples through PyTorch 2.13.0: what a TorchDispatchMode sees, and what the profiler shows.

    python tools/oracle/record_opinfo_paths.py test/fixtures/opinfo test/fixtures/paths/opinfo.json.gz [NAME ...]

For each file of the first folder (written by record_opinfo.py) some samples of float32 and int64, and of float64 with a backward. Of each:
`mode`, the operators that a mode sees, in order; `profile`, rows [depth, operator] of the profiler. A sample that is refused has none.
"""

import base64
import gzip
import json
import sys
import warnings
from pathlib import Path

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._python_dispatch import TorchDispatchMode

SAMPLES = {"float32": 6, "int64": 2, "float64": 6}


def tensor(name, shape, stride, offset, data):
    dtype = getattr(torch, name)
    if data is None:
        return torch.empty(0, dtype=dtype, device="meta").as_strided(shape, stride, offset)
    memory = torch.frombuffer(bytearray(base64.b64decode(data)), dtype=dtype) if data else torch.empty(0, dtype=dtype)
    return memory.clone().as_strided(shape, stride, offset)


def decode(v):
    if isinstance(v, list):
        return [decode(x) for x in v]
    if not isinstance(v, dict):
        return v
    kinds = {
        "$t": lambda t: tensor(*t),
        "$torch": lambda name: getattr(torch, name),
        "$dtype": lambda name: getattr(torch, name),
        "$device": torch.device,
        "$int": int,
        "$f": float,
        "$ellipsis": lambda _: Ellipsis,
        "$tuple": lambda t: tuple(decode(x) for x in t),
        "$slice": lambda t: slice(*decode(t)),
    }
    for kind, make in kinds.items():
        if kind in v:
            return make(v[kind])
    return {k: decode(x) for k, x in v.items()}


class Below(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = func.name().removeprefix("aten::")
        self.seen.append(name.removesuffix(".default"))
        return func(*args, **(kwargs or {}))


def tensors_of(v):
    if isinstance(v, torch.Tensor):
        return [v] if v.is_floating_point() else []
    if isinstance(v, dict):
        v = list(v.values())
    return [t for x in v for t in tensors_of(x)] if isinstance(v, (list, tuple)) else []


def work(op, sample):
    """The call as a function without arguments; its inputs are made anew each time."""
    args, kwargs = [decode(a) for a in sample["args"]], decode(sample["kwargs"])
    if "grads" not in sample:
        return lambda: op(*args, **kwargs)
    given = tensors_of([*args, *kwargs.values()])
    inputs = [given[i].requires_grad_() for i in sample["grads"]["of"]]

    def forward():
        return [o for o in tensors_of(op(*args, **kwargs)) if o.requires_grad]

    grads = [torch.ones_like(o).contiguous() for o in forward()]
    return lambda: torch.autograd.grad(forward(), inputs, grads, allow_unused=True)


def rows(events, depth=0):
    for event in sorted(events, key=lambda e: e.start_time_ns):
        shown = not event.name.startswith(("autograd::engine", "[", "Activity "))
        if shown:
            yield [depth, event.name.removeprefix("aten::")]
        yield from rows(event.children, depth + shown)


def path_of(op, sample):
    run = work(op, sample)
    run()
    mode = Below()
    run = work(op, sample)
    with mode:
        run()
    run = work(op, sample)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as prof:
        run()
    return {"mode": mode.seen, "profile": list(rows(prof.profiler.kineto_results.experimental_event_tree()))}


def main(folder, target, *names):
    found = {}
    for path in sorted(Path(folder).iterdir()):
        recorded = json.loads(gzip.open(path).read())
        name = path.name.removesuffix(".json.gz")
        if names and name not in names:
            continue
        op = next((i.op for i in op_db if i.name == recorded["name"] and i.variant_test_name == recorded["variant"]), None)
        if op is None:
            continue
        found[name] = {}
        for dtype, many in SAMPLES.items():
            samples = recorded["dtypes"].get(dtype, [])
            step = max(1, len(samples) / many)
            chosen = sorted({int(i * step) for i in range(min(many, len(samples)))})
            answers = {}
            for i in chosen:
                if "error" in samples[i]["result"] or (dtype == "float64" and "grads" not in samples[i]):
                    continue
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        answers[i] = path_of(op, samples[i])
                    except Exception as e:  # noqa: BLE001
                        print(name, dtype, i, type(e).__name__, str(e)[:100], file=sys.stderr)
            if answers:
                found[name][dtype] = answers
    made = {"torch": torch.__version__, "script": "tools/oracle/record_opinfo_paths.py", "samples": found}
    with gzip.GzipFile(target, "wb", mtime=0) as out:
        out.write(json.dumps(made, separators=(",", ":")).encode())
    print(len(found), "operators")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(*sys.argv[1:])
