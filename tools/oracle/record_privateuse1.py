"""Records what PyTorch asks of a backend outside of it: the operators that arrive under PrivateUse1, call by call, and what users see.

    python tools/oracle/record_privateuse1.py        -> test/fixtures/dispatch/privateuse1.json.gz

The backend keeps the bytes of its tensors on the CPU; what it has no kernel for is computed there as well.
"""

import gzip
import json
import os
import warnings

import torch
from torch.utils._pytree import tree_map

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(ROOT, "test", "fixtures", "dispatch", "privateuse1.json.gz")
CPU = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
META = torch._C.DispatchKeySet(torch._C.DispatchKey.Meta)

asked = []
memory = {}  # storage -> its bytes
kept = []  # tensors, so that no storage's place is used twice


def cell(t):
    return memory[t.untyped_storage()._cdata]


def make(size, stride, dtype):
    numel = 1 + sum((n - 1) * s for n, s in zip(size, stride)) if 0 not in size else 0
    whole = torch._C._acc.create_empty_tensor([numel], dtype)
    kept.append(whole)
    memory[whole.untyped_storage()._cdata] = torch.zeros(numel, dtype=dtype)
    return torch.ops.aten._reshape_alias.default.redispatch(CPU, whole, size, stride)


def on_host(t):
    """numbers too: Python's kernels are given them bare"""
    if not isinstance(t, torch.Tensor) or t.device.type != "card":
        return t
    return cell(t).as_strided(t.size(), t.stride(), t.storage_offset())


def to_card(t):
    c = make(t.size(), t.stride(), t.dtype)
    on_host(c).copy_(t)
    return c


def logged(name, fn):
    def kernel(*args, **kwargs):
        asked.append(name)
        return fn(*args, **kwargs)

    return kernel


def empty(size, *, dtype=None, memory_format=None, **_):
    like = torch.empty(size, dtype=dtype or torch.float32, device="meta", memory_format=memory_format or torch.contiguous_format)
    return make(size, like.stride(), like.dtype)


def copy_from(self, dst, non_blocking=False):
    on_host(dst).copy_(on_host(self))
    return dst


def add_out(self, other, *, alpha=1, out):
    on_host(out).copy_(torch.add(on_host(self), on_host(other), alpha=alpha))
    return out


KERNELS = {
    "empty.memory_format": empty,
    "empty_strided": lambda size, stride, *, dtype=None, **_: make(size, stride, dtype or torch.float32),
    "_copy_from": copy_from,
    "view": lambda self, size: torch.ops.aten.view.default.redispatch(CPU, self, size),
    "as_strided": lambda self, *args: torch.ops.aten.as_strided.default.redispatch(META, self, *args),
    "_reshape_alias": lambda self, *args: torch.ops.aten._reshape_alias.default.redispatch(CPU, self, *args),
    "_local_scalar_dense": lambda self: on_host(self).item(),
    "add.out": add_out,
}


def fallback(op, *args, **kwargs):
    asked.append(op.name().removeprefix("aten::"))

    def there(value):
        return on_host(value) if isinstance(value, torch.Tensor) else torch.device("cpu") if isinstance(value, torch.device) else value

    result = op(*tree_map(there, args), **tree_map(there, kwargs))
    written = [kwargs.get(a.name, args[i] if i < len(args) else None) for i, a in enumerate(op._schema.arguments) if a.alias_info is not None and a.alias_info.is_write]
    if written:
        return written[0] if len(written) == 1 else tuple(written)
    return tree_map(lambda r: to_card(r) if isinstance(r, torch.Tensor) else r, result)


def x():
    return torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def leaf():
    return x().to("card").requires_grad_()


def into_a_view(c):
    c[:, 1].copy_(torch.zeros(2))
    return c


def grad(make, grad_output=None):
    p = leaf()
    y = make(p)
    y.backward(grad_output)
    return p.grad


# name -> what is made before, and the call whose questions are recorded; the name is the call of the test as well
PROGRAMS = {
    "x.to": (x, lambda a: a.to("card")),
    "c.cpu": (lambda: x().to("card"), lambda c: c.cpu()),
    "c.to int64": (lambda: x().to("card"), lambda c: c.to(torch.int64)),
    "c.clone": (lambda: x().to("card"), lambda c: c.clone()),
    "c.t": (lambda: x().to("card"), lambda c: c.t()),
    "c[1]": (lambda: x().to("card"), lambda c: c[1]),
    "c.view": (lambda: x().to("card"), lambda c: c.view(6)),
    "c.t().reshape": (lambda: x().to("card").t(), lambda c: c.reshape(6)),
    "c.t().contiguous": (lambda: x().to("card").t(), lambda c: c.contiguous()),
    "into a view": (lambda: x().to("card"), into_a_view),
    "c.item": (lambda: x().to("card")[0, 1], lambda c: c.item()),
    "c + c": (lambda: x().to("card"), lambda c: c + c),
    "c + 1": (lambda: x().to("card"), lambda c: c + 1),
    "c.t() + c[0]": (lambda: x().to("card"), lambda c: torch.add(c.t(), c[0].view(3, 1)[:, :1], alpha=2)),
    "c.add_": (lambda: x().to("card"), lambda c: c.add_(c)),
    "c.exp": (lambda: x().to("card"), lambda c: c.exp()),
    "c.exp_": (lambda: x().to("card"), lambda c: c.exp_()),
    "c.sum": (lambda: x().to("card"), lambda c: c.sum()),
    "c * 2": (lambda: x().to("card"), lambda c: c * 2),
    "c.mm": (lambda: x().to("card"), lambda c: c.mm(c.t())),
    "cat": (lambda: x().to("card"), lambda c: torch.cat([c, c], 1)),
    "c.max(dim)": (lambda: x().to("card"), lambda c: c.max(1)[0]),
    "c.fill_": (lambda: x().to("card"), lambda c: c.fill_(7)),
    "zeros": (lambda: None, lambda _: torch.zeros(2, device="card")),
    "ones": (lambda: None, lambda _: torch.ones(2, device="card")),
    "full": (lambda: None, lambda _: torch.full((2,), 3.5, device="card")),
    "tensor": (lambda: None, lambda _: torch.tensor([1.0, 2.0], device="card")),
    "zeros_like": (lambda: x().to("card"), lambda c: torch.zeros_like(c)),
    "grad of add": (lambda: None, lambda _: grad(lambda p: p + p, x().to("card"))),
    "grad of exp": (lambda: None, lambda _: grad(lambda p: p.exp().sum())),
    "grad through to": (lambda: None, lambda _: grad(lambda p: p.cpu().mul(2).sum())),
}

ERRORS = {
    "device": lambda: torch.device("cards"),
    "renamed": lambda: torch.utils.rename_privateuse1_backend("other"),
    "two devices": lambda: x().to("card") + x(),
}


def shown(result):
    if isinstance(result, torch.Tensor):
        host = result.detach().cpu()
        return {"device": str(result.device), "dtype": str(result.dtype), "shape": list(result.shape), "strides": list(result.stride()), "values": host.flatten().tolist()}
    return result


def message(call):
    try:
        call()
    except (RuntimeError, NotImplementedError) as error:
        return str(error).split("\n")[0]
    raise AssertionError("no error")


def main():
    warnings.simplefilter("ignore")
    torch.utils.backend_registration._setup_privateuseone_for_python_backend("card")
    aten = torch.library.Library("aten", "IMPL", "PrivateUse1")
    for name, kernel in KERNELS.items():
        aten.impl(name, logged(name, kernel))
    errors = {name: message(call) for name, call in ERRORS.items()}
    errors["no kernel"] = message(lambda: x().to("card").exp_()).split("is only available")[0]
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(fallback, "PrivateUse1")
    programs = {}
    for name, (prepare, call) in PROGRAMS.items():
        given = prepare()
        asked.clear()
        result = call(given)
        programs[name] = {"asked": list(asked), "result": shown(result)}
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with gzip.GzipFile(OUT, "wb", mtime=0) as out:
        out.write(json.dumps({"torch": torch.__version__, "script": "tools/oracle/record_privateuse1.py", "errors": errors, "programs": programs}).encode())
    for name, row in programs.items():
        print(name, row)
    print(errors)


main()
