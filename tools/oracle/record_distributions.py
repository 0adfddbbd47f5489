"""Records what PyTorch 2.13.0's CPU generator gives for distributions, samples of categories and dropouts.

    python tools/oracle/record_distributions.py test/fixtures/native/distributions.json.gz

A case: `manual_seed(SEED)`, one call, its results in order, and the next number of the stream, which says how much was drawn. The first
argument of a method is a tensor of zeros of the dtype and size.
"""

import base64
import gzip
import json
import sys

import torch

SEED = 5
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]


def encode(t):
    name = str(t.dtype).removeprefix("torch.")
    raw = bytes(t.contiguous().reshape(-1).view(torch.uint8).tolist())
    return {"$t": [name, list(t.shape), list(t.stride()), t.storage_offset(), base64.b64encode(raw).decode()]}


def written(v):
    """An argument: with its whole storage, in the order of memory."""
    if not isinstance(v, torch.Tensor):
        return v
    raw = bytes(v.untyped_storage().tolist())
    return {"$t": [*encode(v)["$t"][:4], base64.b64encode(raw).decode()]}


def case(place, name, args, kwargs=None):
    kwargs = kwargs or {}
    given = [written(a) for a in args]
    torch.manual_seed(SEED)
    fn = {"method": lambda self, *rest: getattr(self, name)(*rest), "torch": getattr(torch, name, None), "F": getattr(torch.nn.functional, name, None)}[place]
    result = fn(*args, **kwargs)
    results = result if isinstance(result, tuple) else (result,)
    return {"place": place, "name": name, "args": given, "kwargs": kwargs, "results": [encode(r) for r in results], "next": torch.rand(1).item()}


def cases():
    for name, args in [("exponential_", [1.5]), ("geometric_", [0.3]), ("cauchy_", [1.0, 2.5]), ("log_normal_", [0.5, 1.5])]:
        for dtype in FLOATS + ([torch.int64, torch.int8] if name == "geometric_" else []):
            for size in ([2, 9], [40]):
                yield case("method", name, [torch.zeros(size, dtype=dtype), *args])
    for dtype in FLOATS[:2]:
        shapes = torch.tensor([0.3, 1.0, 5.5, 70.0, 0.01, 3.0, 0.75, 9.0], dtype=dtype)
        yield case("torch", "_standard_gamma", [shapes.repeat(5)])
        yield case("torch", "_standard_gamma", [shapes.reshape(2, 4).t()])
        yield case("torch", "_standard_gamma_grad", [shapes.repeat(6), torch.tensor([0.01, 0.5, 0.9, 3.0, 10.0, 72.0], dtype=dtype).repeat_interleave(8)])
        yield case("torch", "_sample_dirichlet", [shapes.reshape(2, 4)])
        yield case("torch", "_sample_dirichlet", [shapes.reshape(2, 4).t()])
        x, alpha, total = torch.tensor([0.001, 0.2, 0.5, 0.6, 0.95, 0.9999], dtype=dtype), torch.tensor([0.3, 1.0, 7.0, 40.0], dtype=dtype), torch.tensor([0.5, 2.0, 30.0], dtype=dtype)
        yield case("torch", "_dirichlet_grad", [v.contiguous() for v in torch.broadcast_tensors(x.view(6, 1, 1), alpha.view(4, 1), alpha.view(4, 1) + total)])
        count, prob = torch.tensor([[0.0], [3.0], [40.0], [300.0]], dtype=dtype), torch.tensor([0.0, 0.02, 0.3, 0.5, 0.7, 0.98, 1.0, -1.0], dtype=dtype)
        yield case("torch", "binomial", [count.expand(4, 8).contiguous(), prob.expand(4, 8)])
        yield case("torch", "binomial", [torch.full((40,), 100, dtype=dtype), torch.full((40,), 0.25, dtype=dtype)])
        yield case("torch", "binomial", [torch.full((30,), 1500, dtype=dtype), torch.full((30,), 0.875, dtype=dtype)])
    weights = torch.tensor([0.1, 2, 0, 3.5, 0.7])
    for dtype in FLOATS:
        w = weights.to(dtype)
        for p in (w, torch.stack([w, w.flip(0)]), torch.stack([w, w.flip(0)]).t().contiguous().t()):
            yield case("torch", "multinomial", [p, 1])
            yield case("torch", "multinomial", [p, 3])
            yield case("torch", "multinomial", [p, 9, True])
    for dtype in (torch.float32, torch.float64):
        mean, std = torch.arange(3, dtype=dtype), torch.arange(1, 4, dtype=dtype) / 2
        yield case("torch", "normal", [mean, 2.5])
        yield case("torch", "normal", [1.5, std])
        yield case("torch", "normal", [mean.reshape(3, 1), std])
        yield case("torch", "normal", [mean.repeat(6), std.repeat(6)])
    yield case("torch", "normal", [1.5, 2.5, [2, 3]])
    yield case("torch", "randint_like", [torch.zeros(2, 3), 10])
    yield case("torch", "randint_like", [torch.zeros(2, 3, dtype=torch.int8), -3, 10])
    yield case("torch", "randint_like", [torch.zeros(2, 3), torch.tensor(10)])
    for dtype in FLOATS:
        x = torch.arange(1, 25, dtype=dtype).reshape(2, 3, 4)
        for name in ("feature_dropout", "alpha_dropout", "feature_alpha_dropout", "native_dropout"):
            yield case("torch", name, [x, 0.3, True])
        for name in ("dropout1d", "alpha_dropout", "feature_alpha_dropout"):
            yield case("F", name, [x, 0.3, True])
        yield case("F", "dropout1d", [x[0].clone(), 0.3, True])
        yield case("F", "dropout2d", [x.reshape(2, 3, 2, 2), 0.3, True])
        yield case("F", "dropout3d", [x.reshape(2, 3, 2, 2, 1), 0.3, True])
        yield case("F", "dropout3d", [x.reshape(6, 2, 2, 1), 0.3, True])


if __name__ == "__main__":
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    torch.set_num_threads(1)
    recorded = {"torch": torch.__version__, "script": "tools/oracle/record_distributions.py", "seed": SEED, "cases": list(cases())}
    with gzip.GzipFile(sys.argv[1], "wb", mtime=0) as out:
        out.write(json.dumps(recorded, separators=(",", ":")).encode())
    print(f"{len(recorded['cases'])} cases")
