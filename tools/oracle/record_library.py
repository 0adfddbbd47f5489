"""Records what user-level torch.library of PyTorch 2.13.0 does: values, events in order, error types and messages.

    python tools/oracle/record_library.py test/fixtures/library/user_level.json.gz

Each case is a function; what it returns (or the error it raises) is recorded under its name. test/torch/library_user_level.test.ts has
the same cases in TypeScript.
"""

import gzip
import json
import os
import sys
import warnings

import torch
from torch.library import Library, custom_op, opcheck


def ones(n=2, **kw):
    return torch.ones(n, **kw)


def attempt(f):
    try:
        return f()
    except Exception as e:
        return [type(e).__name__, str(e)]


def kind(f):
    """`ok`, or the type of the error."""
    try:
        f()
        return "ok"
    except Exception as e:
        return type(e).__name__


def override_and_back():
    lib = Library("aten", "IMPL", "")
    seen = []
    before = torch.ops.aten.mul(ones(), 3).tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lib.impl("mul.Tensor", lambda x, y: (seen.append("mul"), torch.full_like(x, 7))[1], "CPU")
    during = [(ones() * ones()).tolist(), ones().mul(2).tolist(), torch.ops.aten.mul.Tensor(ones(), ones()).tolist()]
    lib._destroy()
    return [before, during, seen, (ones() * ones()).tolist()]


def override_autograd():
    lib = Library("aten", "IMPL", "")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lib.impl("neg", lambda x: x * 5, "AutogradCPU")
    x = ones(requires_grad=True)
    y = torch.neg(x)
    y.sum().backward()
    out = [y.tolist(), x.grad.tolist(), y.grad_fn.name()]
    lib._destroy()
    y = torch.neg(ones(requires_grad=True))
    return out + [y.tolist(), y.grad_fn.name()]


def override_composite():
    lib = Library("aten", "IMPL", "")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lib.impl("prelu", lambda x, w: x + 100, "CPU")
    out = [torch.prelu(ones(), ones(1)).tolist(), attempt(lambda: torch.prelu(ones(requires_grad=True), ones(1)).grad_fn is None)]
    lib._destroy()
    return out + [torch.prelu(ones(), ones(1)).tolist()]


def returns_of_a_kernel():
    lib = Library("ul1", "DEF")
    lib.define("two(Tensor x) -> (Tensor, Tensor)")
    lib.define("many(Tensor x) -> Tensor[]")
    lib.define("number(Tensor x) -> int")
    lib.define("nothing(Tensor x) -> ()")
    lib.define("maybe(Tensor x) -> Tensor?")
    results = {"two": lambda x: (x, x + 1), "many": lambda x: [x, x], "number": lambda x: 3, "nothing": lambda x: None, "maybe": lambda x: None}
    for name, f in results.items():
        lib.impl(name, f, "CPU")
    ops = torch.ops.ul1
    out = [[t.tolist() for t in ops.two(ones())], len(ops.many(ones())), ops.number(ones()), ops.nothing(ones()), ops.maybe(ones())]
    lib._destroy()
    return out


def wrong_returns():
    lib = Library("ul2", "DEF")
    out = []
    for i, (ret, f) in enumerate([("Tensor", lambda x: 3), ("Tensor", lambda x: None), ("(Tensor, Tensor)", lambda x: x), ("(Tensor, Tensor)", lambda x: (x,)), ("int", lambda x: "a"), ("Tensor[]", lambda x: [1])]):
        lib.define(f"op{i}(Tensor x) -> {ret}")
        lib.impl(f"op{i}", f, "CPU")
        out.append(kind(lambda: getattr(torch.ops.ul2, f"op{i}")(ones(1))))
    lib._destroy()
    return out


def a_kernel_that_raises():
    lib = Library("ul3", "DEF")
    lib.define("bad(Tensor x) -> Tensor")

    def bad(x):
        raise ValueError("no good")

    lib.impl("bad", bad, "CPU")
    out = [attempt(lambda: torch.ops.ul3.bad(ones())), kind(lambda: torch.ops.ul3.bad(ones(device="meta")))]
    lib._destroy()
    return out


def an_operator_that_is_gone():
    lib = Library("ul4", "DEF")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", lambda x: x, "CPU")
    torch.ops.ul4.f(ones())
    lib._destroy()
    return [attempt(lambda: torch.ops.ul4.f), attempt(lambda: torch.ops.ul4.g)]


def missing_kernels():
    lib = Library("ul5", "DEF")
    lib.define("f(Tensor x) -> Tensor")
    out = [kind(lambda: torch.ops.ul5.f(ones())), attempt(lambda: torch.ops.ul5.f(ones()))[1].split("\n")[0][:150]]
    lib.impl("f", lambda x: x + 1, "CompositeExplicitAutograd")
    out += [torch.ops.ul5.f(ones()).tolist(), str(torch.ops.ul5.f(ones(device="meta")).device)]
    lib._destroy()
    return out


def composite_implicit():
    lib = Library("ul6", "DEF")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", lambda x: x * x, "CompositeImplicitAutograd")
    x = ones(requires_grad=True)
    y = torch.ops.ul6.f(x)
    y.sum().backward()
    out = [y.grad_fn.name(), x.grad.tolist()]
    lib._destroy()
    return out


def cpu_only_without_autograd():
    lib = Library("ul7", "DEF")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", lambda x: x * 2, "CPU")
    x = ones(requires_grad=True)
    y = torch.ops.ul7.f(x)
    out = [y.requires_grad, None if y.grad_fn is None else y.grad_fn.name()]
    lib._destroy()
    return out


def a_custom_op():
    seen = []

    @custom_op("ul8::scale", mutates_args=(), schema="(Tensor x, float s) -> Tensor")
    def scale(x, s):
        seen.append("kernel")
        return x * s

    def setup_context(ctx, inputs, output):
        seen.append("setup")
        ctx.s = inputs[1]

    def backward(ctx, grad):
        seen.append("backward")
        return grad * ctx.s, None

    scale.register_fake(lambda x, s: (seen.append("fake"), torch.empty_like(x))[1])
    scale.register_autograd(backward, setup_context=setup_context)
    x = ones(requires_grad=True)
    y = scale(x, 3.0)
    y.sum().backward()
    plain = torch.ops.ul8.scale(ones(), 2.0)
    meta = torch.ops.ul8.scale.default(ones(device="meta"), 2.0)
    with torch.no_grad():
        quiet = scale(x, 3.0)
    checked = opcheck(scale, (ones(requires_grad=True), 2.0), test_utils=("test_schema", "test_autograd_registration", "test_faketensor"))
    return [y.tolist(), x.grad.tolist(), plain.tolist(), list(meta.shape), quiet.requires_grad, seen[:4], sorted(checked.items()), str(y.grad_fn.name()).split("_")[0][:8]]


def custom_op_errors():
    @custom_op("ul9::same", mutates_args=(), schema="(Tensor x) -> Tensor")
    def same(x):
        return x

    @custom_op("ul9::hidden", mutates_args=(), schema="(Tensor x) -> Tensor")
    def hidden(x):
        x.add_(1)
        return x.clone()

    @custom_op("ul9::nofake", mutates_args=(), schema="(Tensor x) -> Tensor")
    def nofake(x):
        return x.clone()

    @custom_op("ul9::nograd", mutates_args=(), schema="(Tensor x) -> Tensor")
    def nograd(x):
        return x.clone()

    return [
        kind(lambda: same(ones())),
        kind(lambda: nofake(ones(device="meta"))),
        kind(lambda: opcheck(hidden, (ones(),), test_utils=("test_schema",))),
        kind(lambda: nograd(ones(requires_grad=True)).sum().backward()),
        kind(lambda: custom_op("noname", mutates_args=(), schema="(Tensor x) -> Tensor")(lambda x: x)),
        kind(lambda: custom_op("ul9::mut", mutates_args=("x",), schema="(Tensor x) -> Tensor")(lambda x: x)),
        kind(lambda: same(1)),
        kind(lambda: same()),
    ]


def custom_op_mutates():
    @custom_op("ul10::inc", mutates_args=("x",), schema="(Tensor(a!) x) -> ()")
    def inc(x):
        x.add_(1)

    x = ones()
    v = x._version
    r = inc(x)
    y = ones(requires_grad=True)
    return [x.tolist(), x._version - v, r, kind(lambda: inc(y))]


def fallthrough():
    lib = Library("ul11", "DEF")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", lambda x: x + 1, "CPU")
    lib.impl("f", torch.library.fallthrough_kernel, "AutogradCPU")
    x = ones(requires_grad=True)
    y = torch.ops.ul11.f(x)
    out = [y.tolist(), y.requires_grad]
    lib._destroy()
    return out


def with_keyset():
    lib = Library("ul12", "DEF")
    lib.define("f(Tensor x) -> Tensor")
    seen = []

    def autograd(keyset, x):
        seen.append("AutogradCPU")
        return torch.ops.ul12.f.default.redispatch(keyset & torch._C._after_autograd_keyset, x)

    lib.impl("f", autograd, "AutogradCPU", with_keyset=True)
    lib.impl("f", lambda x: (seen.append("CPU"), x + 1)[1], "CPU")
    out = [torch.ops.ul12.f(ones()).tolist(), seen]
    lib._destroy()
    return out


def fallback():
    lib = Library("_", "IMPL", "PrivateUse1")
    out = attempt(lambda: lib.fallback(lambda op, *a, **k: None))
    lib._destroy()
    lib = Library("aten", "IMPL", "PrivateUse1")
    error = attempt(lambda: lib.fallback(lambda op, *a, **k: None))
    lib._destroy()
    return [out, error]


def names():
    op = torch.ops.aten.add
    return [
        str(op), str(op.Tensor), repr(op.Tensor), op.overloads()[0], str(op.Tensor._schema), op.Tensor.name(), op.Tensor.namespace, op.Tensor.overloadpacket is op,
        op.Tensor.is_view if not callable(op.Tensor.is_view) else op.Tensor.is_view, [str(t) for t in sorted(op.Tensor.tags, key=str)], torch.ops.aten.select.int.is_view, op.__name__, op.Tensor.__name__,
        attempt(lambda: op.nope), attempt(lambda: torch.ops.aten.nope),
    ]


def calls_of_aten():
    ops = torch.ops.aten
    return [
        ops.add(ones(), 2).tolist(), ops.add(ones(), 2, alpha=3).tolist(), ops.add.Scalar(ones(), 2).tolist(), ops.sum.dim_IntList(ones(), [0]).item(),
        ops.split(ones(3), 2)[1].tolist(), ops.max.dim(ones(), 0)[1].item(), attempt(lambda: ops.add.Tensor(ones(), 2).tolist()), kind(lambda: ops.relu(1)), ops.size(ones(), 0) if hasattr(ops, "size") else None,
        attempt(lambda: ops.add.Tensor(ones()))[1], attempt(lambda: ops.add.Tensor(ones(), ones(), beta=1))[1],
    ]


CASES = [override_and_back, override_autograd, override_composite, returns_of_a_kernel, wrong_returns, a_kernel_that_raises, an_operator_that_is_gone, missing_kernels, composite_implicit,
         cpu_only_without_autograd, a_custom_op, custom_op_errors, custom_op_mutates, fallthrough, with_keyset, fallback, names, calls_of_aten]


def main(path):
    warnings.simplefilter("ignore")
    cases = {}
    for case in CASES:
        cases[case.__name__] = attempt(case)
        print(case.__name__, json.dumps(cases[case.__name__]))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps({"torch": torch.__version__, "script": "tools/oracle/record_library.py", "cases": cases}).encode(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1])
