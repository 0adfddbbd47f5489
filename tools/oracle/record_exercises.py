"""Records what PyTorch answers to the questions of the guided exercises: results of calls, computed dispatch tables, key sets on arrival.

    python tools/oracle/record_exercises.py        -> exercises/*/golden/*.json
"""

import contextlib
import io
import json
import math
import os
import re
import warnings

import torch
import torch._dynamo
from torch.utils._python_dispatch import TorchDispatchMode

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = "tools/oracle/record_exercises.py"


def write(path, content):
    path = os.path.join(ROOT, "exercises", path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf8", newline="\n") as out:
        json.dump({"torch": torch.__version__, "script": SCRIPT, **content}, out, indent=1)
        out.write("\n")
    print(path)


# Results of calls, and the tensors they were made of ---------------------------------------------------------------------


def element(value):
    """JSON has no number for these"""
    return str(value).replace("nan", "NaN").replace("inf", "Infinity") if value != value or value in (float("inf"), float("-inf")) else value


def given(arg):
    if not isinstance(arg, torch.Tensor):
        return arg
    whole = torch.empty(0, dtype=arg.dtype).set_(arg.untyped_storage())
    return {"dtype": str(arg.dtype), "shape": list(arg.shape), "strides": list(arg.stride()), "storage_offset": arg.storage_offset(), "storage": [element(v) for v in whole.tolist()]}


def result_of(call, args):
    try:
        result = call(*args)
    except (RuntimeError, TypeError, ValueError) as error:
        return {"error": str(error).split("\n")[0]}
    is_view = result.untyped_storage().data_ptr() == args[0].untyped_storage().data_ptr()
    return {"dtype": str(result.dtype), "shape": list(result.shape), "strides": list(result.stride()), "storage_offset": result.storage_offset() if is_view else None, "values": [element(v) for v in result.flatten().tolist()]}


def record_values(path, call, cases):
    """cases: name -> arguments"""
    rows = []
    for name, args in cases.items():
        described = [given(arg) for arg in args]  # before the call, which may write
        rows.append({"name": name, "args": described, "result": result_of(call, args)})
    write(path, {"cases": rows})


# 03: views ----------------------------------------------------------------------------------------------------------------


def record_views():
    x = torch.arange(12, dtype=torch.float32).view(3, 4)
    matrices = {"x": x, "x.t()": x.t(), "x[1:]": x[1:], "x[:, ::2]": x[:, ::2]}
    narrows = {f"{name}, dim {dim}": [m, dim, 1, m.shape[dim] - 1] for name, m in matrices.items() for dim in (0, 1)}
    record_values("03-views/golden/narrow.json", torch.narrow, {**narrows, "a piece in the middle": [x, 1, 1, 2], "the last row": [x.t(), 0, 3, 1], "an empty piece": [x, 0, 3, 0]})
    record_values("03-views/golden/diagonal.json", torch.diagonal, {name: [m] for name, m in matrices.items()})
    v = torch.arange(8)
    windows = {
        "size 4, step 2": [v, 4, 2],
        "size 3, step 3": [v, 3, 3],
        "size 8, step 1": [v, 8, 1],
        "v[1:]": [v[1:], 3, 2],
        "v[::2]": [v[::2], 2, 1],
    }
    record_values("03-views/golden/unfold.json", lambda x, size, step: x.unfold(0, size, step), windows)


# 06: the computed table of an operator, for sets of registrations ------------------------------------------------------

REGISTRATIONS = {
    "one kernel for CPU": {"CPU": "kernel"},
    "kernels for two keys, one of them a fallthrough": {"CPU": "kernel", "AutogradCPU": "fallthrough"},
    "CompositeExplicitAutograd alone": {"CompositeExplicitAutograd": "kernel"},
    "CompositeExplicitAutograd, and CPU has its own": {"CompositeExplicitAutograd": "kernel", "CPU": "kernel"},
    "CompositeImplicitAutograd alone": {"CompositeImplicitAutograd": "kernel"},
    "CompositeImplicitAutograd, and CPU has its own": {"CompositeImplicitAutograd": "kernel", "CPU": "kernel"},
    "both composites": {"CompositeImplicitAutograd": "kernel", "CompositeExplicitAutograd": "kernel"},
    "CompositeImplicitAutograd, and SparseCPU has its own": {"CompositeImplicitAutograd": "kernel", "SparseCPU": "kernel"},
    "both composites, and SparseCPU has its own": {"CompositeImplicitAutograd": "kernel", "CompositeExplicitAutograd": "kernel", "SparseCPU": "kernel"},
    "both composites, and CPU has its own": {"CompositeImplicitAutograd": "kernel", "CompositeExplicitAutograd": "kernel", "CPU": "kernel"},
    "CompositeImplicitAutograd, and CUDA and SparseCPU fall through": {"CompositeImplicitAutograd": "kernel", "CUDA": "fallthrough", "SparseCPU": "fallthrough"},
    "CompositeImplicitAutograd, and AutogradOther has its own": {"CompositeImplicitAutograd": "kernel", "SparseCPU": "kernel", "AutogradOther": "kernel"},
    "CPU and Autograd": {"CPU": "kernel", "Autograd": "kernel"},
    "CompositeImplicitAutograd and Autograd": {"CompositeImplicitAutograd": "kernel", "Autograd": "kernel"},
    "CompositeImplicitAutograd, Autograd and CPU": {"CompositeImplicitAutograd": "kernel", "Autograd": "kernel", "CPU": "kernel"},
    "CompositeImplicitAutograd, Autograd and SparseCPU": {"CompositeImplicitAutograd": "kernel", "Autograd": "kernel", "SparseCPU": "kernel"},
    "Autograd is a fallthrough": {"CPU": "kernel", "Autograd": "fallthrough"},
    "both composites and Autograd": {"CompositeImplicitAutograd": "kernel", "CompositeExplicitAutograd": "kernel", "Autograd": "kernel"},
    "both composites, Autograd and SparseCPU": {"CompositeImplicitAutograd": "kernel", "CompositeExplicitAutograd": "kernel", "Autograd": "kernel", "SparseCPU": "kernel"},
    "SparseCPU and Autograd": {"SparseCPU": "kernel", "Autograd": "kernel"},
}


def names(key_set):
    inside = repr(key_set)[len("DispatchKeySet("):-1]
    return [] if inside == "" else inside.split(", ")


def can_be_asked_for(key):
    try:
        torch._C._dispatch_key_parse(key)
        return True
    except RuntimeError:
        return False


def table_of(name):
    """key -> what serves it, in the words of the dump; "fallthrough" before them if it is one"""
    rows = {}
    for line in torch._C._dispatch_dump_table(name).strip().split("\n"):
        key, text, origin = re.fullmatch(r"(\w+): (.*) \[([a-z ]+)\]\s*", line).groups()
        rows[key] = ("fallthrough " if text.startswith("fallthrough") else "") + origin
    return rows


def record_tables():
    empty = torch.library.Library("exercise06_empty", "DEF")
    empty.define("op(Tensor x) -> Tensor")
    fallbacks = {k: "fallthrough" if row.startswith("fallthrough") else "kernel" for k, row in table_of("exercise06_empty::op").items()}
    cases = []
    for i, (name, registered) in enumerate(REGISTRATIONS.items()):
        lib = torch.library.Library(f"exercise06_{i}", "DEF")
        lib.define("op(Tensor x) -> Tensor")
        for key, what in registered.items():
            lib.impl("op", torch.library.fallthrough_kernel if what == "fallthrough" else (lambda x: x), key)
        rows = table_of(f"exercise06_{i}::op")
        rows.pop("Undefined", None)
        cases.append({"name": name, "registered": registered, "rows": rows})
    write("06-dispatch-table/golden/tables.json", {"keys": [k for k in names(torch._C._dispatch_keyset_full()) if can_be_asked_for(k)], "fallbacks": fallbacks, "cases": cases})


# 07: the key set with which a kernel is entered ------------------------------------------------------------------------

GUARDS = {
    "include": lambda key: torch._C._IncludeDispatchKeyGuard(torch._C._dispatch_key_parse(key)),
    "exclude": lambda key: torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C._dispatch_key_parse(key))),
}


def call(name, make, *guards, fallthrough=(), mode=None):
    return {"name": name, "make": make, "guards": guards, "fallthrough": list(fallthrough), "mode": mode}


CALLS = [
    call("op(x)", lambda: [torch.ones(2)]),
    call("op(x), x requires grad", lambda: [torch.ones(2, requires_grad=True)]),
    call("op(x, y), y on Meta", lambda: [torch.ones(2), torch.ones(2, device="meta")]),
    call("op(x, None)", lambda: [torch.ones(2), None]),
    call("op(x, [m]), m on Meta in a list", lambda: [torch.ones(2), [torch.ones(2, device="meta")]]),
    call("op(x, [y, m]), m on Meta behind y", lambda: [torch.ones(2), [torch.ones(2), torch.ones(2, device="meta")]]),
    call("op(x, [m, y]), m on Meta before y", lambda: [torch.ones(2), [torch.ones(2, device="meta"), torch.ones(2)]]),
    call("op(m, y), m on Meta", lambda: [torch.ones(2, device="meta"), torch.ones(2)]),
    call("op(m, []), an empty list", lambda: [torch.ones(2, device="meta"), []]),
    call("op(x, [None, m, None]), m on Meta between two Nones", lambda: [torch.ones(2), [None, torch.ones(2, device="meta"), None]]),
    call("op(x.conj()), x complex", lambda: [torch.ones(2, dtype=torch.complex64).conj()]),
    call("op(x) in no_grad", lambda: [torch.ones(2)], mode="no_grad"),
    call("op(x) below autograd", lambda: [torch.ones(2, requires_grad=True)], ("exclude", "AutogradCPU")),
    call("op(x) in inference_mode", lambda: [torch.ones(2)], mode="inference_mode"),
    call("op(x), AutocastCPU included", lambda: [torch.ones(2)], ("include", "AutocastCPU")),
    call("op(x) in autocast", lambda: [torch.ones(2)], mode="autocast"),
    call("op(x) in vmap", lambda: [torch.ones(2)], ("include", "FuncTorchBatched")),
    call("op(x), included and excluded", lambda: [torch.ones(2)], ("include", "Tracer"), ("exclude", "Tracer")),
    call("op(x), AutogradCPU falls through", lambda: [torch.ones(2)], fallthrough=["AutogradCPU"]),
]

MODES = {
    None: contextlib.nullcontext,
    "no_grad": torch.no_grad,
    "inference_mode": torch.inference_mode,
    "autocast": lambda: torch.autocast("cpu", dtype=torch.bfloat16),
}
KEYS = "CPU Meta AutogradCPU AutogradMeta AutocastCPU FuncTorchBatched Tracer Conjugate".split()


def key_set(ks):
    return {"keys": names(ks), "raw": str(ks.raw_repr())}


def keys_of(argument):
    if isinstance(argument, list):
        return [keys_of(a) for a in argument]
    return None if argument is None else key_set(torch._C._dispatch_keys(argument))


def record_key_sets():
    calls = []
    for i, case in enumerate(CALLS):
        seen = []
        lib = torch.library.Library(f"exercise07_{i}", "DEF")
        args = case["make"]()
        second = "Tensor? b=None" if not isinstance(args[-1], list) else "Tensor?[] b" if None in args[-1] else "Tensor[] b"
        lib.define(f"op(Tensor a, {second}) -> Tensor")

        def kernel(key):
            def entered(keyset, a, *rest, **named):
                seen.append((key, key_set(keyset)))
                return a

            return entered

        for key in KEYS:
            if key in case["fallthrough"]:
                lib.impl("op", torch.library.fallthrough_kernel, key)
            else:
                lib.impl("op", kernel(key), key, with_keyset=True)
        falls = [k for k, row in table_of(f"exercise07_{i}::op").items() if row.startswith("fallthrough")]
        with contextlib.ExitStack() as stack:
            stack.enter_context(MODES[case["mode"]]())
            for what, key in case["guards"]:
                stack.enter_context(GUARDS[what](key))
            included = key_set(torch._C._dispatch_tls_local_include_set())
            excluded = key_set(torch._C._dispatch_tls_local_exclude_set())
            getattr(torch.ops, f"exercise07_{i}").op(*args)
        given = [keys_of(a) for a in args]
        key, arrived = seen[0]
        calls.append({"name": case["name"], "args": given, "included": included, "excluded": excluded, "fallthrough": falls, "keyset": arrived, "key": key})
    write("07-key-set/golden/calls.json", {"calls": calls})


# 05, 08: ldexp ------------------------------------------------------------------------------------------------------------

LDEXP = {
    "floats": [torch.tensor([1.5, -0.75, 2.0]), torch.tensor([3.0, -1.0, 0.5])],
    "integers": [torch.tensor([1, 2, 3]), torch.tensor([3, -2, 0])],
    "float64 and integers": [torch.tensor([1.5, -0.75], dtype=torch.float64), torch.tensor([3, -1])],
    "broadcast": [torch.ones(2, 1), torch.tensor([1.0, 2.0, 3.0])],
    "half": [torch.tensor([1.5, -0.75], dtype=torch.float16), torch.tensor([3.0, -1.0], dtype=torch.float16)],
    "to infinity": [torch.tensor([1.0, -1.0, 0.0]), torch.tensor([200, 200, -200])],
    "empty": [torch.empty(0), torch.empty(0)],
    "shapes that do not fit": [torch.ones(3), torch.ones(2)],
}


def record_ldexp():
    for exercise in ("05-yaml-line", "08-composite"):
        record_values(f"{exercise}/golden/ldexp.json", torch.ldexp, LDEXP)


# 04, 11: heaviside ---------------------------------------------------------------------------------------------------------


def heaviside_cases():
    x = torch.tensor([[-1.5, 0.0, 2.0], [0.0, -0.0, -3.0]])
    v = torch.tensor([0.5, 0.25, 2.0])
    return {
        "floats": [x, x + 1],
        "broadcast": [x, v],
        "both broadcast": [x[:, :1], v],
        "a number of its own": [x, torch.tensor(7.0)],
        "transposed": [x.t(), torch.ones(2, 3).t()],
        "every other": [x[:, ::2], v[::2]],
        "rows of something larger": [torch.arange(-4.0, 5.0).view(3, 3)[1:], v],
        "not a number": [torch.tensor([float("nan"), float("inf"), -float("inf")]), v],
        "float64": [x.double(), v.double()],
        "float64, with numbers that float32 lacks": [torch.tensor([1e-50, 0.0, -1e-50], dtype=torch.float64), torch.tensor([0.1, 1 / 3, 1e-300], dtype=torch.float64)],
        "half": [x.half(), v.half()],
        "integers": [torch.tensor([-3, 0, 5]), torch.tensor([7, 8, 9])],
        "bools": [torch.tensor([True, False]), torch.tensor([True, True])],
        "three dimensions": [torch.arange(-6.0, 6.0).view(2, 3, 2).transpose(0, 1), torch.tensor([[[5.0]], [[6.0]], [[7.0]]])],
        "empty": [x[:0], v],
        "a single element": [torch.tensor(0.0), torch.tensor(4.0)],
        "two dtypes": [x, v.double()],
        "complex": [x.to(torch.complex64), x.to(torch.complex64)],
        "shapes that do not fit": [x, torch.ones(2)],
    }


def in_place_cases():
    x = torch.tensor([[-1.5, 0.0, 2.0], [0.0, -0.0, -3.0]])
    v = torch.tensor([0.5, 0.25, 2.0])
    return {"floats": [x.clone(), x + 1], "broadcast": [x.clone(), v], "transposed": [x.clone().t(), torch.ones(3, 2)], "self would have to grow": [v.clone(), x], "two dtypes": [x.clone(), v.double()]}


def out_cases():
    x = torch.tensor([[-1.5, 0.0, 2.0], [0.0, -0.0, -3.0]])
    v = torch.tensor([0.5, 0.25, 2.0])
    return {
        "an output that fits": [x, v, torch.zeros(2, 3)],
        "strides of the output": [x, v, torch.zeros(3, 2).t()],
        "an empty output grows": [x, v, torch.empty(0)],
        "an output of another dtype": [x, v, torch.zeros(2, 3, dtype=torch.float64)],
    }


def heaviside_on_meta(x, v):
    """As it is there, and zeros on the CPU. (Refusals are left out: there torch/_refs refuses in other words, and two dtypes not at all.)"""
    there = torch.heaviside(x.to("meta"), v.to("meta"))
    return torch.empty_strided(there.shape, there.stride(), dtype=there.dtype).zero_()


def output_after_refusal(x, v, out):
    try:
        torch.heaviside(x, v, out=out)
    except RuntimeError:
        pass
    return out


def record_heaviside():
    not_floats = ["half", "integers", "bools", "two dtypes", "complex"]
    record_values("04-cpu-kernel/golden/heaviside.json", torch.heaviside, {k: v for k, v in heaviside_cases().items() if k not in not_floats})
    record_values("11-structured/golden/heaviside.json", torch.heaviside, {k: v for k, v in heaviside_cases().items() if k != "complex"})
    record_values("11-structured/golden/on_meta.json", heaviside_on_meta, {k: v for k, v in heaviside_cases().items() if k not in ("complex", "two dtypes", "shapes that do not fit")})
    record_values("11-structured/golden/out.json", lambda x, v, out: torch.heaviside(x, v, out=out), out_cases())
    v = torch.tensor([0.5, 0.25, 2.0])
    refused = {"two dtypes": [v, v.double(), torch.zeros(0)], "shapes that do not fit": [v, torch.ones(2), torch.zeros(0)]}
    record_values("11-structured/golden/refused.json", output_after_refusal, refused)
    record_values("11-structured/golden/in_place.json", lambda x, v: x.heaviside_(v), in_place_cases())


# 10: squash, which PyTorch calls softsign -------------------------------------------------------------------------------------


def record_squash():
    x = torch.tensor([1.5, -2.5, 0.25], dtype=torch.float64)
    cases = {"x": [x], "other numbers": [x.flip(0) * 4 + 0.5], "a matrix": [torch.stack([x, -x])], "empty": [x[:0]]}
    record_values("10-silent-gradient/golden/squash.json", lambda x: torch.stack([torch.nn.functional.softsign(x)] * 3), cases)


# 12: in-place ----------------------------------------------------------------------------------------------------------


def decay(x, buffer):
    y = x * buffer
    buffer.mul_(0.5)
    return torch.stack([y, buffer])


def record_in_place():
    x = torch.tensor([0.5, -1.0, 1.5])
    record_values("12-in-place/golden/soften.json", lambda x: x.exp() / (1 + x.exp().sum()), {"x": [x], "a matrix": [torch.stack([x, -x])]})
    record_values("12-in-place/golden/buffer.json", decay, {"x": [x, torch.tensor([1.0, 2.0, 3.0])]})


# 14: what is computed while less is kept ------------------------------------------------------------------------------------


def three_functions(x, mask, p, w):
    leaf = x.clone().requires_grad_()
    results = [leaf.exp(), leaf * mask / (1 - p), leaf * w]
    torch.stack(results).sum().backward()
    return torch.stack([*(result.detach() for result in results), leaf.grad])


def record_saving():
    x = torch.tensor([0.5, -1.5, 0.25, 2.0], dtype=torch.float64)
    mask, w = torch.tensor([True, False, True, True]), torch.tensor([3.0, -1.0, 0.5, 2.0], dtype=torch.float64)
    record_values("14-save-less/golden/functions.json", three_functions, {f"p = {p}": [x, mask, p, w] for p in (0.25, 0.5, 0.0)})


# 13: the order in which nodes run -----------------------------------------------------------------------------------------


def two_leaves(x):
    return x.exp() * torch.ones(2, requires_grad=True).sigmoid()


def diamonds(x):
    a = x.exp()
    b = a.log() + a.sigmoid()
    return b.tanh() * b.neg()


def constant_branch(x):
    return x.exp() * (torch.ones(2) * 3) + x.neg()


def short_first(x):
    short = x.neg()
    return x.exp().log() + short


def meet(x):
    a = x.exp()
    return a.log() * a.sigmoid()


GRAPHS = {
    "a chain": lambda x: x.exp().log().neg(),
    "x used twice": lambda x: x * x,
    "two branches that meet": meet,
    "a diamond in a diamond": diamonds,
    "a long and a short branch": lambda x: x.neg() + x.exp().log().tanh(),
    "the short branch made first": short_first,
    "two leaves": two_leaves,
    "a branch that needs no gradient": constant_branch,
}
LAST = 2**64 - 1  # AccumulateGrad's number


def record_graphs():
    graphs = []
    for name, make in GRAPHS.items():
        y = make(torch.ones(2, requires_grad=True))
        nodes, order = [y.grad_fn], []
        for node in nodes:  # grows
            node.register_prehook(lambda _, node=node: order.append(nodes.index(node)))
            nodes.extend(n for n, _ in dict.fromkeys(node.next_functions) if n is not None and n not in nodes)
        first = min(node._sequence_nr() for node in nodes)
        rows = [
            {
                "name": node.name().split("::")[-1],
                "sequence_nr": None if node._sequence_nr() == LAST else node._sequence_nr() - first,
                "next_edges": [None if n is None else nodes.index(n) for n, _ in node.next_functions],
            }
            for node in nodes
        ]
        y.backward(torch.ones(2))
        graphs.append({"name": name, "nodes": rows, "order": order})
    write("13-ready-queue/golden/graphs.json", {"graphs": graphs})


# 15, 16: kernels ---------------------------------------------------------------------------------------------------------


def matrix(arg):
    return arg if isinstance(arg, (int, float)) else {"shape": list(arg.shape), "values": [element(v) for v in arg.flatten().tolist()]}


def record_kernel(path, call, cases):
    rows = []
    for name, args in cases.items():
        result = call(*args)
        rows.append({"name": name, "args": [matrix(arg) for arg in args], "result": [element(v) for v in result.flatten().tolist()]})
    write(path, {"cases": rows})


def numbers(*shape):
    """Halves and quarters: sums of them are exact in any order"""
    torch.manual_seed(len(shape) + sum(shape))
    return torch.randint(-8, 9, shape) / 4


def record_kernels():
    def leaky(x, slope):
        return torch.nn.functional.leaky_relu(x, slope)

    folder = "15-wgsl-kernel/golden"
    record_kernel(f"{folder}/one_group.json", leaky, {"64 elements": [numbers(64), 0.25], "64 others": [numbers(64).flip(0), 0.01], "64 elements, a steep slope": [numbers(64), 1.5], "64 elements, a slope below zero": [numbers(64), -0.5]})
    record_kernel(f"{folder}/groups.json", leaky, {"128 elements": [numbers(128), 0.25], "320 elements": [numbers(320), 0.5], "128 elements, a steep slope": [numbers(128), 1.5], "128 elements, a slope below zero": [numbers(128), -0.5], "64 elements, no slope": [numbers(64), 0.0]})
    record_kernel(f"{folder}/tail.json", leaky, {"65 elements": [numbers(65), 0.25], "1 element": [numbers(1) - 3, 0.25], "130 elements": [numbers(130), 0.5], "none": [numbers(0), 0.25]})
    folder = "16-workgroup/golden"
    sums = {f"{n} elements": [numbers(n)] for n in (64, 128, 300, 4096, 1)}
    record_kernel(f"{folder}/sum.json", torch.sum, {**sums, "1000 tenths": [torch.full((1000,), 0.1)]})
    products = {f"{m}x{k} by {k}x{n}": [numbers(m, k), numbers(k, n)] for m, k, n in ((8, 8, 8), (16, 24, 8), (9, 8, 17), (3, 5, 2), (17, 19, 23), (7, 33, 9))}
    record_kernel(f"{folder}/matmul.json", torch.matmul, products)


# 17, 18: a backend --------------------------------------------------------------------------------------------------------
# What the CPU answers is what a device should. That PyTorch asks its backends for the same operators as we do is recorded by
# record_privateuse1.py.


def strided(*dtypes):
    x = torch.tensor([[1.0, -2.0, 3.0], [4.0, 0.0, -6.0]])
    return {
        "floats": x,
        "transposed": x.t(),
        "a row": x[1],
        "every other column": x[:, ::2],
        "stretched": x[:, :1].expand(2, 3),
        "a single number": x[1, 2],
        "empty": x[:0],
        **{str(dtype).replace("torch.", ""): x.to(dtype) for dtype in dtypes},
    }


def through_views(x, v):
    """One column of x is written through two views, its last two elements through two others; then x is read."""
    x.t()[1].copy_(v)
    x.view(-1)[4:].copy_(v)
    return x.clone()


def gradient(x, g):
    p = x.clone().requires_grad_()
    ((p + p) + 1).backward(g)
    return p.grad


def record_backend():
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    folder = "17-a-backend/golden"
    cases = strided(torch.int64, torch.bool, torch.float16)
    record_values(f"{folder}/to.json", lambda x: x.to(torch.float64, copy=True), {name: [t] for name, t in cases.items()})
    record_values(f"{folder}/views.json", through_views, {"floats": [x.clone(), torch.tensor([7.0, 8.0])], "one number for both": [x.clone(), torch.tensor(9.0)]})
    record_values(f"{folder}/item.json", lambda x, i: torch.tensor(x.view(-1)[i].item()), {f"element {i}": [x, i] for i in (0, 4)})
    row, column = torch.tensor([10.0, 20.0, 30.0]), torch.tensor([[100.0], [200.0]])
    pairs = {
        "floats": [x, x, 1],
        "alpha": [x, x, -2],
        "a row": [x, row, 1],
        "a row and a column": [row, column, 1],
        "transposed": [x.t(), x.view(3, 2), 1],
        "a row of another tensor": [x[1], row, 1],
        "every other column": [x[:, ::2], column, 1],
        "a number": [x, 5, 1],
        "empty": [x[:0], row, 1],
        "shapes that do not fit": [x, torch.ones(2), 1],
    }
    record_values(f"{folder}/add.json", lambda x, y, alpha: torch.add(x[-1:], y, alpha=alpha), pairs)
    record_values(f"{folder}/grad.json", gradient, {"floats": [x, x * 10]})


def exp_into(x, d):
    torch.exp(x, out=d).add_(1)
    return d


def gradient_of_exp(x, y):
    p = x.clone().requires_grad_()
    (p.exp() * y).sum().backward()
    return p.grad


def record_fallback():
    x = torch.tensor([[1.0, -2.0, 3.0], [0.5, 0.0, -1.0]])
    folder = "18-a-fallback/golden"
    record_values(f"{folder}/exp_.json", lambda x: x.clone().exp_(), {"floats": [x], "transposed": [x.t()], "empty": [x[:0]]})
    record_values(f"{folder}/out.json", lambda x, d: exp_into(x, d.clone()), {"floats": [x, torch.zeros(2, 3)], "an output without elements": [x, torch.zeros(0)]})
    record_values(f"{folder}/cat.json", lambda x, y: torch.cat([x, y], 1), {"floats": [x, x + 10]})
    record_values(f"{folder}/nonzero.json", lambda x: x.nonzero(), {"floats": [x], "none": [x * 0]})
    record_values(f"{folder}/grad.json", gradient_of_exp, {"floats": [x, x + 10]})


# 23: the binding ----------------------------------------------------------------------------------------------------------


class Logged:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        return f"{cls.__name__}: torch.{func.__name__}, types [{', '.join(t.__name__ for t in types)}], {len(args)} arguments, keywords [{', '.join(kwargs)}]"


class Special(Logged):
    pass


class Silent:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented


OVERRIDING = {cls.__name__: cls for cls in (Logged, Special, Silent)}
X = {"tensor": [1.0, 2.0]}
BOUND = {"tensor": [0.5, 1.5]}
ZERO_DIM = {"tensor": 1.5}


def of(name):
    return {"of": name}


def value_of(described):
    if not isinstance(described, dict):
        return described
    if "tensor" in described:
        return torch.tensor(described["tensor"], dtype=getattr(torch, described.get("dtype", "float32")), requires_grad=described.get("requires_grad", False))
    return float(described["float"]) if "float" in described else OVERRIDING[described["of"]]()


def worded(value):
    if value is None or isinstance(value, torch.Tensor):
        return "None" if value is None else "Tensor"
    return f"{type(value).__name__} {value:g}" if isinstance(value, float) else f"{type(value).__name__} {value}"


class FirstOperator(TorchDispatchMode):
    """Notes the operator with which the function enters the dispatcher; the numbers that are read from tensors come before."""

    def __init__(self, name):
        super().__init__()
        self.name, self.entered = name, []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func.overloadpacket.__name__ == self.name:
            values = [*args, *(kwargs[a.name] if a.name in kwargs else a.default_value for a in func._schema.arguments[len(args) :])]
            overload = "" if func._overloadname == "default" else f".{func._overloadname}"
            self.entered.append(f"aten::{self.name}{overload}({', '.join(worded(v) for v in values)})")
        return func(*args, **kwargs)


def call_says(name, args, kwargs):
    given, named = [value_of(a) for a in args], {k: value_of(v) for k, v in kwargs.items()}
    with FirstOperator(name) as mode:
        try:
            result = getattr(torch, name)(*given, **named)
        except TypeError as error:
            return f"TypeError: {error}".replace("__main__.", "").replace("record_exercises.", "").rstrip().split("\n")
        except RuntimeError:  # of the operator, which was chosen
            return mode.entered[:1]
    return [result] if isinstance(result, str) else mode.entered[:1]


def worded_call(name, args, kwargs):
    def shown(value):
        if not isinstance(value, dict):
            return repr(value)
        if "tensor" in value:
            more = "".join(f", {k}={'torch.' if k == 'dtype' else ''}{v}" for k, v in value.items() if k != "tensor")
            return f"tensor({value['tensor']}{more})"
        return repr(float(value["float"])) if "float" in value else f"{value['of']}()"

    return f"torch.{name}({', '.join([*(shown(a) for a in args), *(f'{k}={shown(v)}' for k, v in kwargs.items())])})"


def record_binding():
    def record(file, *calls):
        rows = [(c[0], list(c[1]), c[2] if len(c) > 2 else {}) for c in calls]
        write(f"23-the-binding/golden/{file}.json", {"cases": [{"name": worded_call(*c), "args": list(c), "says": call_says(*c)} for c in rows]})

    clamp, celu = "clamp", "celu"
    record("order", (clamp, [X, BOUND]), (clamp, [X, 0, 1]), (clamp, [X, None, 1]), (clamp, [X, None, BOUND]), (clamp, [X, BOUND, BOUND]), (clamp, [X, ZERO_DIM]), (clamp, [X, None, None]), (clamp, [X]), (celu, [X]), (celu, [X, 2]))
    keywords = [(clamp, [X], {"min": 0}), (clamp, [X], {"max": BOUND}), (clamp, [X, 0], {"max": 1}), (clamp, [X], {"max": 1, "min": None}), (clamp, [], {"min": BOUND, "input": X}), (clamp, [X, 0], {"out": X}), (clamp, [X, BOUND], {"out": X}), (celu, [], {"alpha": 2, "input": X})]
    record("keywords", *keywords)
    numbers = [(clamp, [X, True]), (clamp, [X, {"float": 0.5}]), (clamp, [X, {"float": 2}]), (clamp, [X, 0, ZERO_DIM]), (clamp, [X, ZERO_DIM, 1]), (clamp, [X, 0, {"tensor": 3, "dtype": "int64"}]), (celu, [X, ZERO_DIM]), (celu, [X, False])]
    record("numbers", *numbers)
    refused = [(clamp, [X, 0, BOUND]), (clamp, [X, "a"]), (clamp, [3, 0]), (clamp, [X, 0, 1, 2]), (clamp, [X, 0, 1, X]), (clamp, [X, [0]]), (clamp, [X], {"lo": 0}), (clamp, [X, 0], {"min": 1}), (clamp, [X, 0, 1], {"out": 3}), (clamp, []), (clamp, [X, 0, {**ZERO_DIM, "requires_grad": True}]), (clamp, [None, 0])]
    record("refused", *refused)
    one = [(celu, [3]), (celu, []), (celu, [X, "a"]), (celu, [X], {"alpha": "a"}), (celu, [X], {"lo": 1}), (celu, [X, 1], {"alpha": 2}), (celu, [X, 1, 2]), (celu, [X, None]), (celu, [], {"alpha": 1}), (celu, [X, BOUND]), (celu, [3], {"lo": 1}), (celu, [], {"lo": 1}), (celu, [X], {"input": X}), (celu, [X], {"alpha": 1, "beta": 2}), (celu, [X], {"alpha": None})]
    record("one_signature", *one)
    function = [(clamp, [of("Logged"), 0]), (clamp, [X, of("Logged")]), (clamp, [X, 0], {"max": of("Logged")}), (clamp, [X, 0], {"out": of("Logged")}), (clamp, [of("Silent"), of("Logged")]), (clamp, [of("Logged"), of("Logged")]), (clamp, [of("Logged"), of("Special")]), (clamp, [of("Silent"), of("Logged"), of("Special")]), (clamp, [of("Silent"), 0]), (clamp, [of("Silent"), of("Silent")]), (clamp, [of("Logged"), "a"]), (celu, [of("Special"), 2])]
    record("function", *function)


# 24: version counters ------------------------------------------------------------------------------------------------------


def inference_tensor():
    with torch.inference_mode():
        return torch.ones(4)


def without_grad(function):
    with torch.no_grad():
        return function()


def written_to(x):
    with torch.inference_mode() if x.is_inference() else torch.no_grad():
        x.add_(1)


STEPS = {
    "tensor": ("{0} = torch.ones(4, requires_grad=True)", lambda t, name: t.update({name: torch.ones(4, requires_grad=True)})),
    "inference": ("{0} = torch.ones(4), in inference_mode", lambda t, name: t.update({name: inference_tensor()})),
    "view": ("{0} = {1}.view(2, 2)", lambda t, name, of: t.update({name: without_grad(lambda: t[of].view(2, 2))})),
    "detach": ("{0} = {1}.detach()", lambda t, name, of: t.update({name: t[of].detach()})),
    "data": ("{0} = {1}.data", lambda t, name, of: t.update({name: t[of].data})),
    "clone": ("{0} = {1}.clone()", lambda t, name, of: t.update({name: without_grad(t[of].clone)})),
    "add_": ("{0}.add_(1)", lambda t, name: written_to(t[name])),
    "sin": ("{0} = {1}.sin()", lambda t, name, of: t.update({name: t[of].sin()})),
    "mul": ("{0} = weight * {1}", lambda t, name, of: t.update({name: torch.ones(4, requires_grad=True) * t[of]})),
    "exp": ("{0} = {1}.exp()", lambda t, name, of: t.update({name: t[of].exp()})),
}


def version_program(steps):
    tensors, said = {}, []
    try:
        for what, name, *of in steps:
            if what == "version":
                said.append(f"{name} {tensors[name]._version}")
            elif what == "unpack":
                node = tensors[name].grad_fn
                getattr(node, {"SinBackward0": "_saved_self", "ExpBackward0": "_saved_result", "MulBackward0": "_saved_other"}[type(node).__name__])
                said.append(f"{name} unpacked")
            elif what == "backward":
                tensors[name].sum().backward()
            else:
                STEPS[what][1](tensors, name, *of)
    except RuntimeError as error:
        said.append(f"RuntimeError: {error}")
    return said


def record_versions():
    words = {**{what: form for what, (form, _) in STEPS.items()}, "version": "{0}._version", "unpack": "the node of {0} unpacks", "backward": "{0}.sum().backward()"}

    def record(file, *programs):
        rows = []
        for program in programs:
            steps = [step.split() for step in program.split("; ")]
            name = "; ".join(words[what].format(*rest) for what, *rest in steps)
            rows.append({"name": name, "args": steps, "says": version_program(steps)})
        write(f"24-a-version-counter/golden/{file}.json", {"cases": rows})

    record("counts", "tensor x; version x", "tensor x; add_ x; add_ x; version x", "tensor x; tensor y; add_ y; version x; version y", "tensor x; add_ x; clone c x; version c; add_ c; add_ c; version c; version x")
    record(
        "shared",
        "tensor x; view v x; add_ v; version x; version v",
        "tensor x; add_ x; view v x; version v; add_ x; version v",
        "tensor x; view v x; view w v; add_ w; version x; version v; version w",
        "tensor x; detach d x; add_ d; version x; version d",
        "tensor x; detach d x; view v d; add_ v; add_ x; version d",
        "tensor x; data d x; add_ d; version x; version d",
        "tensor x; add_ x; data d x; version d; version x",
        "tensor x; data d x; view v d; add_ v; version d; version x",
        "tensor x; clone c x; view v c; add_ v; version c; version x",
    )
    record(
        "saved",
        "tensor x; sin y x; unpack y",
        "tensor x; sin y x; add_ x; unpack y",
        "tensor x; add_ x; sin y x; unpack y; add_ x; add_ x; unpack y",
        "tensor x; exp y x; add_ x; unpack y",
        "tensor x; exp y x; add_ y; unpack y",
        "tensor x; sin y x; add_ y; unpack y",
        "tensor x; sin y x; detach d x; view v d; add_ v; unpack y",
        "tensor x; sin y x; data d x; add_ d; unpack y",
        "tensor x; sin y x; clone c x; add_ c; unpack y",
        "tensor x; exp y x; detach d y; add_ d; unpack y",
        "tensor x; sin y x; sin z x; unpack y; unpack y; add_ x; unpack z",
        "tensor x; sin y x; add_ x; sin z x; unpack z; unpack y",
    )
    record("freed", "tensor x; sin y x; backward y; unpack y", "tensor x; sin y x; backward y; add_ x; unpack y", "tensor x; sin y x; sin z x; backward y; unpack z", "tensor x; exp y x; backward y; backward y", "tensor x; sin y x; add_ x; backward y")
    record("inference", "inference i; version i", "inference i; add_ i; version i", "inference i; view v i; version v", "inference i; mul y i", "tensor x; mul y x; add_ x; unpack y", "inference i; view v i; mul y v")


# 25: two engines -----------------------------------------------------------------------------------------------------------


def filled(*shape, step=0.37):
    """Numbers of both signs that no two elements share, the same at every run"""
    n = math.prod(shape)
    return (((torch.arange(n, dtype=torch.float64) * step * 10) % 7 - 3.3) / 2).float().view(*shape)


def layer_of(kind, weight):
    if kind == "linear":
        layer = torch.nn.Linear(weight.shape[1], weight.shape[0])
        layer.bias.data = filled(weight.shape[0], step=0.11)
    elif kind == "conv":
        layer = torch.nn.Conv2d(weight.shape[1], weight.shape[0], weight.shape[2])
        layer.bias.data = filled(weight.shape[0], step=0.11)
    elif kind == "prelu":
        layer = torch.nn.PReLU(weight.numel())
    else:
        return torch.nn.Dropout().eval()
    layer.weight.data = weight
    return layer


def prelu_of_engine(x, weight, fault):
    """The ways in which an engine may read the weight"""
    if fault == "one for all":
        return torch.prelu(x, weight[:1])
    if fault == "reversed":
        return torch.prelu(x, weight.flip(0))
    if fault == "last dimension":
        return torch.where(x > 0, x, x * weight)
    if fault == "above zero":
        return -torch.prelu(-x, weight)
    return torch.prelu(x, weight)


def two_recordings(x, layers, faults=(), left_out=(), nhwc=False, unstable=None):
    """Ours in float32; theirs in float64, rounded, so that the last digits differ. faults: layer -> how its weight is read"""
    faults = dict(faults)
    ours, theirs, a, b = [], [], x, x.double()
    for i, (kind, weight) in enumerate(layers):
        layer = layer_of(kind, weight)
        a = layer(a).detach()
        if kind == "prelu":
            b = prelu_of_engine(b, weight.double(), faults.get(i))
        else:
            b = layer.double()(b).detach()
        if unstable == i:
            a, b = a / 0, b / 0
        ours.append({"layer": str(i), "shape": list(a.shape), "layout": "NCHW", "values": [element(v) for v in a.flatten().tolist()]})
        last = nhwc and b.dim() == 4
        shown = b.float().permute(0, 2, 3, 1).contiguous() if last else b.float()
        if i not in left_out:
            theirs.append({"layer": str(i), "shape": list(shown.shape), "layout": "NHWC" if last else "NCHW", "values": [element(v) for v in shown.flatten().tolist()]})
    return ours, theirs


def record_two_engines():
    folder = "25-two-engines/golden"
    dense = [("linear", filled(4, 3)), ("prelu", torch.full((4,), 0.25)), ("linear", filled(3, 4, step=0.23)), ("prelu", torch.tensor([0.1, 0.5, 0.25])), ("linear", filled(2, 3, step=0.31))]
    images = [("conv", filled(3, 1, 2, 2)), ("prelu", torch.tensor([0.1, 0.5, 0.25])), ("dropout", None), ("conv", filled(2, 3, 2, 2, step=0.13)), ("prelu", torch.tensor([0.75, -0.5]))]
    square = [("linear", filled(3, 3)), ("prelu", torch.tensor([0.1, 0.5, 0.25]))]
    x, image = filled(2, 3, step=0.19), filled(2, 1, 4, 4, step=0.29)

    def case(name, answer, ours, theirs):
        return {"name": name, "args": [ours, theirs], "says": [answer]}

    def pair(name, answer, *args, **kwargs):
        return case(name, answer, *two_recordings(*args, **kwargs))

    cases = [
        pair("the engines agree", "null", x, dense),
        pair("layer 3 has one weight for all channels", "3", x, dense, {1: "one for all", 3: "one for all"}),
        pair("layer 1 is read in reverse order, but all its weights are equal", "3", x, dense, {1: "reversed", 3: "reversed"}),
        pair("two layers differ, 1 and 3", "1", x, [dense[0], ("prelu", torch.tensor([0.1, 0.2, 0.3, 0.4])), *dense[2:]], {1: "above zero"}),
        pair("images with channels last agree", "null", image, images, nhwc=True),
        pair("images with channels last, and the weight of layer 1 reversed", "1", image, images, {1: "reversed"}, nhwc=True),
        pair("the other engine has left out dropout", "4", image, images, {4: "above zero"}, left_out=[2]),
        pair("the other engine has joined layers 2 and 3, and only layer 4 shows it", "4", x, dense, {3: "reversed"}, left_out=[2, 3]),
        pair("the weight lies along the last dimension, which is the channel here", "null", filled(2, 3), square, {1: "last dimension"}),
    ]
    ours, theirs = two_recordings(x, dense, {3: "one for all"})
    cases.append(case("the other engine has recorded its steps in another order", "3", ours, theirs[::-1]))
    cases.append(pair("both divide by zero in layer 1", "null", x, dense, {}, unstable=1))
    cases.append(case("a layer of the other engine has another number of elements", "4", two_recordings(x, dense)[0], [*two_recordings(x, dense)[1][:-1], {**two_recordings(x, dense)[1][-1], "shape": [1, 2], "values": two_recordings(x, dense)[1][-1]["values"][:2]}]))
    write(f"{folder}/first.json", {"cases": cases})

    layouts = {"one pixel": (1, 3, 1, 1), "two channels, two rows, three columns": (1, 2, 2, 3), "two samples": (2, 3, 2, 2), "one channel": (2, 1, 2, 2)}
    steps = []
    for name, shape in layouts.items():
        a = torch.arange(math.prod(shape)).view(shape)
        last = a.permute(0, 2, 3, 1).contiguous()
        says = [", ".join(str(v) for v in a.flatten().tolist())]
        steps.append({"name": f"{name}, NHWC", "args": [{"layer": "0", "shape": list(last.shape), "layout": "NHWC", "values": last.flatten().tolist()}], "says": says})
        steps.append({"name": f"{name}, NCHW", "args": [{"layer": "0", "shape": list(shape), "layout": "NCHW", "values": a.flatten().tolist()}], "says": says})
    steps.append({"name": "a matrix has no rows and columns of pixels", "args": [{"layer": "0", "shape": [2, 3], "layout": "NHWC", "values": [0, 1, 2, 3, 4, 5]}], "says": ["0, 1, 2, 3, 4, 5"]})
    write(f"{folder}/layout.json", {"cases": steps})

    inf, nan = float("inf"), float("nan")
    pairs = [(1.0, 1.0), (1.0, 1.00001), (1.0, 1.01), (1000.0, 1000.05), (1000.0, 1001.0), (1e-7, 2e-7), (0.0, 1e-7), (0.0, 1e-3), (-1.0, 1.0), (-2.0, -2.00001), (nan, nan), (nan, 1.0), (1.0, nan), (inf, inf), (inf, -inf), (inf, 1.0), (1.0, inf)]
    close = lambda a, b: bool(torch.isclose(torch.tensor(a, dtype=torch.float64), torch.tensor(b, dtype=torch.float64), rtol=1e-4, atol=1e-6, equal_nan=True))
    write(f"{folder}/close.json", {"cases": [{"name": f"{element(a)} and {element(b)}", "args": [element(a), element(b)], "says": ["close" if close(a, b) else "different"]} for a, b in pairs]})

    prelus = {
        "(N, C)": [filled(2, 3), torch.tensor([0.1, 0.5, 0.25])],
        "(N, C, L)": [filled(2, 3, 4), torch.tensor([0.1, 0.5, 0.25])],
        "(N, C, H, W)": [filled(2, 3, 2, 2), torch.tensor([0.1, 0.5, 0.25])],
        "as many columns as channels": [filled(1, 2, 2, 2), torch.tensor([0.1, 2.0])],
        "one weight for all": [filled(2, 3), torch.tensor([0.25])],
        "one weight for all, images": [filled(1, 2, 2, 3), torch.tensor([-0.5])],
        "a vector": [filled(5), torch.tensor([0.5])],
        "one channel": [filled(3, 1), torch.tensor([0.5])],
    }
    record_values(f"{folder}/prelu.json", torch.prelu, prelus)


# 19: operators below autograd -----------------------------------------------------------------------------------------------


class Log(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


def record_logs():
    x, w = torch.ones(2, 3), torch.ones(4, 3)
    functional = torch.nn.functional
    programs = {
        "x * 2 + 1": lambda: x * 2 + 1,
        "F.linear(x, w)": lambda: functional.linear(x, w),
        "F.prelu(x, torch.ones(1))": lambda: functional.prelu(x, torch.ones(1)),
        "x.sum(0, dtype=torch.float64)": lambda: x.sum(0, dtype=torch.float64),
        "torch.zeros(2, dtype=torch.int64)": lambda: torch.zeros(2, dtype=torch.int64),
        "x.clone().add_(1).view(-1)": lambda: x.clone().add_(1).view(-1),
        "torch.softmax(x, dim=1)": lambda: torch.softmax(x, dim=1),
    }
    cases = []
    for name, program in programs.items():
        with Log() as log:
            result = program()
        cases.append({"name": name, "args": [name], "says": [*log.names, f"returns {result.dtype} {list(result.shape)}"]})
    write("19-a-pass/golden/logs.json", {"cases": cases})


# 20b: instructions ----------------------------------------------------------------------------------------------------------


def shown(value):
    if not isinstance(value, torch.Tensor):
        return str(value)
    return f"{list(value.shape)}: " + " ".join(f"{number:.4f}" for number in value.flatten().tolist())


def arguments(count):
    x = torch.arange(6).view([2, 3]) - 2.5
    return [x, x * x + 1][:count]


def record_instructions():
    """Codes are written by hand, with the program that they stand for; graphs run in PyTorch's interpreter."""
    codes = {
        "a constant": ([["LOADC", 7], ["RET"]], lambda: 7),
        "-x": ([["OP", "aten::neg", 1], ["RET"]], lambda x: -x),
        "x * x, x loaded twice": ([["STORE", 0], ["LOAD", 0], ["LOAD", 0], ["OP", "aten::mul", 2], ["RET"]], lambda x: x * x),
        "x - y": ([["LOADC", 1], ["OP", "aten::sub", 3], ["RET"]], lambda x, y: x - y),
        "x + 2 * y": ([["LOADC", 2], ["OP", "aten::add", 3], ["RET"]], lambda x, y: x + 2 * y),
        "x * sin(y), something below": (
            [["OP", "aten::sin", 1], ["OP", "aten::mul", 2], ["RET"]],
            lambda x, y: x * y.sin(),
        ),
        "what stands behind RET": ([["RET"], ["OP", "aten::neg", 1]], lambda x: x),
    }
    cases = []
    for name, (code, program) in codes.items():
        count = program.__code__.co_argcount
        cases.append({"name": name, "args": [code, count], "says": [shown(program(*arguments(count)))]})
    write("20b-instructions/golden/runs.json", {"cases": cases})
    one = "  %one : int = prim::Constant[value=1]()\n"
    graphs = {
        "x": ("x", ""),
        "-x": ("y", "  %y : Tensor = aten::neg(%x)\n"),
        "x * 3": ("y", "  %three : int = prim::Constant[value=3]()\n  %y : Tensor = aten::mul(%x, %three)\n"),
        "x * x": ("y", "  %y : Tensor = aten::mul(%x, %x)\n"),
        "x - y": ("z", one + "  %z : Tensor = aten::sub(%x, %y, %one)\n"),
        "only the second argument": ("z", "  %z : Tensor = aten::neg(%y)\n"),
        "x * x.size(0)": (
            "y",
            "  %zero : int = prim::Constant[value=0]()\n  %n : int = aten::size(%x, %zero)\n  %y : Tensor = aten::mul(%x, %n)\n",
        ),
        "a value that is read three times": (
            "z",
            one + "  %a : Tensor = aten::sin(%x)\n  %b : Tensor = aten::mul(%a, %a)\n  %c : Tensor = aten::add(%b, %a, %one)\n"
            "  %z : Tensor = aten::relu(%c)\n",
        ),
    }
    cases = []
    for name, (result, body) in graphs.items():
        count = 2 if "%y)" in body and "%y :" not in body or "%y, %one" in body else 1
        inputs = ", ".join(f"%{argument} : Tensor" for argument in "xy"[:count])
        text = f"graph({inputs}):\n{body}  return (%{result})\n"
        graph = torch._C.parse_ir(text)
        said = shown(torch._C._create_function_from_graph("program", graph)(*arguments(count)))
        operators = [node for node in graph.nodes() if node.kind() != "prim::Constant"]
        cases.append({"name": name, "args": [text, count], "says": [f"{len(operators)} OP", said]})
    write("20b-instructions/golden/graphs.json", {"cases": cases})


# 21: a backend and guards ---------------------------------------------------------------------------------------------------


def scale(x, n):
    return x * n + 1


def by_size(x):
    return x.sum() if x.shape[0] > 3 else x * 2


def by_rows(x):
    return x.t().contiguous().view(-1) if x.stride(0) > 1 else x.contiguous().view(-1)


def in_two(x):
    y = x * 2
    print(y.shape)
    return y + 1


def asks(x):
    return x * 2 if x.sum() > 0 else x - 1


def loop(x):
    for k in range(3):
        x = torch.sin(x) * k
    return x


def made(arg):
    """A tensor from its description; anything else is itself."""
    if not isinstance(arg, dict):
        return arg
    count = 1
    for size in arg["shape"]:
        count *= size
    x = (torch.arange(count, dtype=getattr(torch, arg.get("dtype", "float32"))) + arg.get("start", 1)).view(arg["shape"])
    if arg.get("transposed"):
        x = x.t()
    return x.requires_grad_() if arg.get("grad") else x


def record_compile():
    """What PyTorch's torch.compile makes: the operations of each graph, and which of its forms each call runs. Sizes are constants here."""

    def counted(fn, *calls):
        torch._dynamo.reset()
        graphs = []

        def backend(gm, example_inputs):
            graphs.append([node.name for node in gm.graph.nodes if node.op.startswith("call_")])
            return gm.forward

        compiled = torch.compile(fn, backend=backend)
        with contextlib.redirect_stdout(io.StringIO()):
            results = [shown(compiled(*map(made, args))) for args in calls]
        says = [*(f"graph {i}: {' '.join(names)}" for i, names in enumerate(graphs)), *results]
        return {"name": fn.__name__, "args": [fn.__name__, calls], "says": says}

    x = {"shape": [3]}
    cases = [
        counted(by_size, [x], [{"shape": [3], "start": 4}]),
        counted(loop, [x]),
        counted(in_two, [x]),
        counted(asks, [x], [{"shape": [3], "start": -9}]),
    ]
    write("21-compile-backend/golden/graphs.json", {"cases": cases})

    def formed(title, fn, *calls):
        torch._dynamo.reset()
        ran = []

        def backend(gm, example_inputs):
            number = len(made_by)
            made_by.append(gm)

            def run(*args):
                ran.append(number)
                return gm.forward(*args)

            return run

        made_by = []
        compiled = torch.compile(fn, backend=backend, dynamic=False)
        says, given = [], []
        for call in calls:
            args, grad = call if isinstance(call, tuple) else (call, True)
            given.append([args, grad])
            with torch.set_grad_enabled(grad):
                result = compiled(*map(made, args))
            says.append(f"form {ran[-1]}: {shown(result.detach())}")
        return {"name": title, "args": [fn.__name__, given], "says": says}

    other = {"shape": [3], "start": 4}
    write(
        "21-compile-backend/golden/forms.json",
        {
            "cases": [
                formed("the same kind again", scale, [x, 2], [other, 2], [x, 2]),
                formed("another function", by_size, [x], [other]),
            ]
        },
    )
    double = {"shape": [3], "dtype": "float64"}
    matrix = {"shape": [2, 2]}
    cases = [
        formed("another dtype", scale, [x, 2], [double, 2], [x, 2], [double, 2]),
        formed("another size", by_size, [x], [{"shape": [4]}], [x], [{"shape": [5]}]),
        formed("another rank", scale, [x, 2], [{"shape": [1, 3]}, 2], [x, 2]),
        formed("another number", scale, [x, 2], [x, 3], [x, 2]),
        formed("True is not 1", scale, [x, 1], [x, True], [x, 1]),
        formed("other strides", by_rows, [matrix], [{**matrix, "transposed": True}], [matrix]),
        formed("with a gradient", scale, [x, 2], [{**x, "grad": True}, 2], [x, 2]),
        formed("without grad mode", scale, [x, 2], ([x, 2], False), [x, 2], ([x, 2], False)),
    ]
    write("21-compile-backend/golden/guards.json", {"cases": cases})


# 21b: one graph ----------------------------------------------------------------------------------------------------------------


def record_one_graph():
    """Functions without a graph break: their results, which the learner's have to give, too."""
    cases = []
    for name, fn in {"normalized": normalized, "limited": limited, "rounds": rounds}.items():
        for values in ([1.0, 2.0, 4.0], [0.0, 0.0, 0.0], [-3.0, 0.5, 0.25]):
            torch._dynamo.reset()
            result = torch.compile(fn, backend="eager", fullgraph=True)(torch.tensor(values))
            cases.append({"name": f"{name}({values})", "args": [name, values], "says": ["whole", "1 graph", shown(result)]})
    write("21b-guards/golden/whole.json", {"cases": cases})


def normalized(x):
    largest = x.abs().max()
    return torch.where(largest == 0, x, x / largest)


def limited(x):
    norm = x.norm()
    return torch.where(norm > 1, x / norm, x)


def rounds(x):
    for _ in range(x.shape[0]):
        x = x - x.mean()
    return x * 2


# 26: tangents -------------------------------------------------------------------------------------------------------------------


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(x, w):
        return x * w.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_forward(*inputs)

    @staticmethod
    def jvp(ctx, dx, dw):
        x, w = ctx.saved_tensors
        return (dx + x * dw) * w.exp()


def record_tangents():
    """What PyTorch's forward mode gives: by its own formulas, and through the `jvp` of a function."""

    def numbers_of(value):
        return " ".join(f"{number:.4f}" for number in value.tolist())

    def moved(fn, moves):
        values = [torch.tensor([0.5, -1.0, 2.0]), torch.tensor([1.5, 0.25, -0.5])]
        tangents = [torch.tensor([1.0, 0.0, 2.0]), torch.tensor([0.0, 1.0, -1.0])]
        with torch.autograd.forward_ad.dual_level():
            duals = [torch.autograd.forward_ad.make_dual(v, t) if name in moves else v for name, v, t in zip("xw", values, tangents)]
            value, tangent = torch.autograd.forward_ad.unpack_dual(fn(*duals))
        return [f"value {numbers_of(value)}", f"tangent {numbers_of(tangent)}"]

    functions = {
        "x + y": lambda x, y: x + y,
        "x + 2.0": lambda x, y: x + 2.0,
        "x * y": lambda x, y: x * y,
        "x * 3.0": lambda x, y: x * 3.0,
        "x * x * x": lambda x, y: x * x * x,
        "x.sin()": lambda x, y: x.sin(),
        "y.exp() * x": lambda x, y: y.exp() * x,
        "(x * y).sin().exp() + x": lambda x, y: (x * y).sin().exp() + x,
    }
    cases = [{"name": name, "args": [name], "says": moved(fn, "xw")} for name, fn in functions.items()]
    write("26-dual-numbers/golden/dual.json", {"cases": cases})
    cases = [{"name": f"{' and '.join(moves)} move", "args": [moves], "says": moved(Scaled.apply, moves)} for moves in ("xw", "x", "w")]
    write("26-dual-numbers/golden/jvp.json", {"cases": cases})


# 27: a batching rule ----------------------------------------------------------------------------------------------------------


def example_batch(shape, start):
    count = 1
    for size in shape:
        count *= size
    return ((torch.arange(count) * 7 + start) % 5 - 1.5).view(shape)


def record_batching():
    """What PyTorch's vmap makes of the function itself, by the rules of its operators."""

    def case(name, x_shape, w_shape, in_dims, twice=False):
        def fn(x, w):
            return (x * w).cumsum(0)

        def inner(x, w):
            return torch.func.vmap(fn, in_dims=(0, None))(x, w) if twice else fn(x, w)

        result = torch.func.vmap(inner, in_dims=in_dims)(example_batch(x_shape, 1), example_batch(w_shape, 3))
        says = ["1 cumsum", f"{list(result.shape)}: " + " ".join(f"{number:g}" for number in result.flatten().tolist())]
        return {"name": name, "args": [x_shape, w_shape, ["None" if dim is None else dim for dim in in_dims], twice], "says": says}

    cases = [
        case("both in dimension 0", [2, 3], [2, 3], (0, 0)),
        case("x in dimension 1", [3, 2], [2, 3], (1, 0)),
        case("the same w for all", [2, 3], [3], (0, None)),
        case("the same x for all", [3], [3, 2], (None, 1)),
        case("w is a number", [3, 3], [3], (0, 0)),
        case("examples of two dimensions", [2, 3, 4], [2, 4], (0, 0)),
        case("vmap of vmap", [2, 4, 3], [2, 3], (0, 0), twice=True),
    ]
    write("27-a-batching-rule/golden/rule.json", {"cases": cases})


def main():
    warnings.simplefilter("ignore")
    record_views()
    record_tables()
    record_ldexp()
    record_heaviside()
    record_squash()
    record_in_place()
    record_saving()
    record_graphs()
    record_key_sets()
    record_kernels()
    record_backend()
    record_fallback()
    record_binding()
    record_versions()
    record_two_engines()
    record_logs()
    record_instructions()
    record_compile()
    record_one_graph()
    record_tangents()
    record_batching()


main()
