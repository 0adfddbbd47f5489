"""Writes a random program, step by step, while PyTorch runs it, so that a step can look at what is there.

Every call that both sides have comes up equally often (steps that are syntax more often); one in eight is spoiled on purpose: another type,
a dim out of range, a shape that does not fit, one argument too many or too few, a keyword nobody knows. A call that was not
spoiled and fails all the same without having changed anything is mostly taken back, so that programs get somewhere.

Note [Memory that nobody wrote]
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
`empty`, `resize_` and a failed `out=` leave bytes that no one has written; their value is no promise of PyTorch's. A step after
which such bytes may exist lists the tensors in `zeroed`, and both sides set their memory to 0. What slips through is caught by
running a program that differs once more in a PyTorch whose allocator hands out other bytes (replay.ts).
"""

import random
import re
import warnings

import modules
import optimizers
import stderr
import torch
from arguments import DTYPES, FLOATS, ODD_NUMBERS, Arguments
from lapack import rounds
from schema import WEIGHTS
from state import Seen, graphs, heard, message_of, objects, variables, warned
from steps import Run, Var, encode, is_handle, parts

ELEMENTS = 200  # a program ends before a tensor has more
BYTES = 1 << 16  # or a storage
TENSORS = 14


HOOKS = ["hook", "post_hook", "node_hook", "node_prehook", "unhook", "saved", "get", "set", "print"]


def has_node(t):
    try:
        return t.grad_fn is not None
    except RuntimeError:  # a view that refuses its history
        return False


def named(wire):
    """The variables in an argument."""
    if isinstance(wire, list):
        return [n for w in wire for n in named(w)]
    if isinstance(wire, dict):
        ((mark, given),) = wire.items()
        if mark == "$dict":
            return named(list(given.values()))
        return [given] if mark in ("$v", "$storage", "$state") else named(given)
    return []


PRODUCTS = {"mm", "addmm", "mv", "addmv", "bmm", "baddbmm", "matmul", "dot", "vdot", "linear", "outer", "ger", "inner", "tensordot", "matrix_power", "linalg_matrix_power", "linalg_multi_dot", "chain_matmul"}
SIGNS = ("signbit", "copysign")


def writes_over_factors(call, args, kwargs, env):
    """A product into the memory of its own factors: the result is what the order of a BLAS's loops makes of it."""
    name = call.split(".")[1] if "." in call else call
    written = kwargs.get("out", [*args, kwargs.get("self")][0] if name.endswith("_") else None)
    if name.strip("_").removeprefix("i") not in PRODUCTS or type(written) is not Var:
        return False
    given = [v for a in [*args, *kwargs.values()] for v in (a if isinstance(a, list) else [a])]
    tensors = [env[v.name] for v in given if type(v) is Var and isinstance(env[v.name], torch.Tensor)]
    memory = env[written.name].untyped_storage()._cdata
    return sum(t.untyped_storage()._cdata == memory for t in tensors) > 1


def scales_by_infinity(call, kwargs):
    """A product with an alpha beyond all elements: whether a BLAS multiplies by it before it sums, which makes NaN of a 0, depends on the shape."""
    alpha = kwargs.get("alpha")
    return call.split(".")[1].rstrip("_") in PRODUCTS if type(alpha) in (int, float) and 1e38 < abs(alpha) else False


def makes_sparse(call, args, kwargs):
    """`gather_backward` with `sparse_grad`: a kind of tensor that is not here, and so are the checks on the way to it."""
    return ".gather_backward." in call and kwargs.get("sparse_grad", args[-1] if len(args) == 5 else False) is not False


def names_unwritten_size(call, args, kwargs, env):
    """What the message calls a size is read from behind a list that is too short, where an older shape may stand: an index into a tensor
    without dims, the features of batch_norm."""
    if call.split(".")[1 if "." in call else 0] in ("batch_norm", "_batch_norm_impl_index"):
        given = kwargs.get("input", args[0] if args else None)
        return type(given) is Var and env[given.name].dim() < 2
    if call not in ("getitem", "setitem") or type(args[0]) is not Var or env[args[0].name].dim() > 0:
        return False
    index = args[1] if isinstance(args[1], tuple) else (args[1],)
    return any(type(i) is int and i != 0 for i in index)


def reads_sign_of_nan(call, args, kwargs, env):
    """`signbit` or `copysign` of a NaN: its sign is what the processor made it; JavaScript has no NaN with a sign."""
    if call.split(".")[-1].rstrip("_") not in SIGNS and not any(f".{name}." in call or f".{name}_." in call for name in SIGNS):
        return False
    tensors = [env[v.name] for v in [*args, *kwargs.values()] if type(v) is Var and isinstance(env[v.name], torch.Tensor)]
    return any(t.is_floating_point() and not t.is_meta and bool(t.isnan().any()) for t in tensors)


def asks_machine(call):
    """Which libraries of others PyTorch was built with."""
    return "._nnpack_available" in call


VECTORS = ("svd", "_linalg_svd", "linalg_svd", "linalg_eigh", "_linalg_eigh")


def chooses_signs(call):
    """Singular vectors and eigenvectors: either sign is right, and which it is, is the library's affair."""
    return call.split(".")[-1] in VECTORS or any(f".{name}." in call for name in VECTORS)


STATISTICS = {"native_batch_norm", "_native_batch_norm_legit", "_native_batch_norm_legit_no_training", "_native_batch_norm_legit_functional", "_batch_norm_with_update", "_batch_norm_with_update_functional", "_batch_norm_no_update", "batch_norm_update_stats", "native_batch_norm_backward", "batch_norm_backward"}
LINES = {"_cummax_helper", "_cummin_helper"}
LENGTHS = {"_weight_norm", "_weight_norm_interface", "_weight_norm_interface_backward"}


def _sums_more_than_there_is(*tensors):
    return len(tensors) < 2 or tensors[0].dim() == 0 or tensors[1].dim() < 2 or tensors[1].shape[1] > tensors[0].shape[0]


def _has_fewer_pairs(*tensors):
    n = tensors[1].shape[0] if len(tensors) > 2 and tensors[1].dim() == 2 else 0
    return any(t.numel() < n * (n - 1) // 2 for t in tensors[::2])


BESIDE = {
    "_compute_linear_combination": _sums_more_than_there_is,
    "_pdist_backward": _has_fewer_pairs,
    "conv_tbc_backward": lambda *tensors: any(t.dim() != 3 for t in tensors[:3]),
}


def reads_beside(call, args, kwargs, env):
    """What stands behind an operator that checks, called past it: PyTorch reads and writes beside the memory of what does not fit."""
    name = call.split(".")[1] if "." in call else call
    if name not in STATISTICS | LINES | LENGTHS | BESIDE.keys():
        return False
    tensors = [env[v.name] for k, v in [*enumerate(args), *kwargs.items()] if type(v) is Var and isinstance(env[v.name], torch.Tensor) and not str(k).startswith(("out", "save_"))]
    if name in BESIDE:
        return BESIDE[name](*tensors)
    if name in LENGTHS:
        return len({t.numel() for t in tensors}) > 1 or len({t.shape for t in tensors}) > 1
    if name in LINES:
        dim = kwargs.get("dim", args[-1] if args else 0)
        return len({t.shape for t in tensors}) > 1 or (type(dim) is int and dim < 0 and any(t.dim() > 1 for t in tensors))
    whole = [t for t in tensors if t.dim() >= 2 and t.numel() > 0]
    return any(t.numel() != u.shape[1] and t.shape != u.shape for u in whole for t in tensors)


def writes_as_another(call, args, kwargs, env):
    """`_logcumsumexp` takes the memory of its result for the input's dtype, whatever it is of."""
    given = [env[v.name] for v in [*args, *kwargs.values()] if type(v) is Var]
    return "_logcumsumexp" in call and len({t.dtype for t in given if isinstance(t, torch.Tensor)}) > 1


READ_LATE = {"histc", "kthvalue", "median", "mode", "std", "_linalg_det"}


def reads_resized_output(call, args, kwargs, env):
    """An output that is also the input, of an operator that resizes its outputs first: what it then reads is the memory as it is at that
    moment."""
    if (call.split(".")[1] if "." in call else call) not in READ_LATE:
        return False
    written = [v for k, v in kwargs.items() if k in ("out", "values", "indices", "result")]
    memory = {env[v.name].untyped_storage()._cdata for w in written for v in (w if isinstance(w, list) else [w]) if type(v) is Var and isinstance(env[v.name], torch.Tensor)}
    given = [env[v.name] for v in [*args, *kwargs.values()] if type(v) is Var and isinstance(env[v.name], torch.Tensor)]
    return sum(t.untyped_storage()._cdata in memory for t in given) > len(written)


def is_syntax(call):
    """What is written with an operator or brackets: nobody can give it an argument too many."""
    return call in ("getitem", "setitem") or ".__" in call


def leaves_memory_unwritten(call):
    name = call.split(".")[1] if "." in call else call
    return "empty" in name or "resize" in name or name in ("set", "set_", "new")


class Writer:
    def __init__(self, seed, calls, only=None):
        self.random = random.Random(seed)
        self.run = Run(seed)
        self.arguments = Arguments(self.random, self)
        self.calls = calls
        self.names = [c for c in calls if only is None or any(text in c for text in only.split(","))]
        self.weights = [WEIGHTS.get(c, {"aten": 0.6, "torch": 1.6, "Tensor": 1.2, "F": 4, "nn": 1}.get(c.split(".")[0], 1)) for c in self.names]
        self.steps = []
        self.made = 0
        self.recent = []  # the names in `run.env`, by the last step that spoke of them
        self.before = {}
        self.before_step = {}

    # What arguments.py asks for

    def of(self, var):
        return self.run.env[var.name]

    def existing(self, want=lambda t: True):
        """A tensor that is there, more often one that was lately made or used; any, where none is wanted."""

        def wanted(v):
            try:
                return want(v)
            except RuntimeError:  # a view that refuses its history
                return False

        tensors = {n: self.run.env[n] for n in self.recent if isinstance(self.run.env[n], torch.Tensor)}
        found = [n for n, v in tensors.items() if wanted(v)] or list(tensors)
        return Var(self.random.choices(found, range(1, len(found) + 1))[0])

    def handle(self):
        return Var(self.random.choice([n for n, v in self.run.env.items() if is_handle(v)]))

    def tensor(self, shape=None, dtype=None, below=None):
        """A tensor of this shape and dtype (None: any): one that is there, or a new one."""
        r = self.random

        def fits(t):
            return (shape is None or list(t.shape) == shape) and (dtype is None or t.dtype == dtype)

        found = [n for n, v in self.run.env.items() if isinstance(v, torch.Tensor) and fits(v)] if below is None else []
        if found and (r.random() < 0.7 or len(self.run.env) >= TENSORS):
            return Var(r.choice(found))
        if shape is None and dtype is None and r.random() < 0.8:
            return self.existing()
        return self.create(self.arguments.shape() if shape is None else shape, dtype or r.choice(DTYPES), below)

    def create(self, shape, dtype, below=None):
        r = self.random

        def element():
            if below is not None:
                return r.randrange(max(below, 1)) if r.random() < 0.97 else r.choice([-1, below, 2**63 - 1, -(2**63)])
            if dtype is torch.bool:
                return r.random() < 0.5
            if dtype.is_floating_point:
                value = r.choice([0.5, -1.5, 2.25, -0.25, 1.0, 3.0, -2.0, 0.0, 0.75, 1e-3]) if r.random() < 0.95 else r.choice([float("inf"), float("-inf"), float("nan"), -0.0, 300.0])
                return value
            low = 0 if dtype is torch.uint8 else -4
            if r.random() < (0.15 if dtype is torch.uint8 else 0.04) and dtype in (torch.int64, torch.uint8):
                return 231 if dtype is torch.uint8 else r.choice([2**62, -(2**63), 2**31, 2**53 + 1])
            return r.randint(low, 5)

        def nested(shape):
            return element() if not shape else [nested(shape[1:]) for _ in range(shape[0])]

        kwargs = {"dtype": dtype}
        if dtype.is_floating_point and r.random() < 0.55 and below is None:
            kwargs["requires_grad"] = True
        if 0 in shape and shape[-1] != 0:  # a nested list cannot say it
            call, args = "torch.zeros", [shape]
        elif r.random() < 0.012:
            call, args, kwargs["device"] = "torch.zeros", [shape], torch.device("meta")
        else:
            call, args = "torch.tensor", [nested(shape)]
        made = Var(self.add(call, args, kwargs)[0])
        if dtype is torch.uint8 and below is None and r.random() < 0.2:
            return Var(self.add("aten.view.dtype", [made, torch.bool], {})[0])  # whose bytes may be any
        return made

    # Steps

    def step_of(self, call, args, kwargs, scope=None):
        names = [f"v{self.made + i}" for i in range(8)]
        return {"call": call, "args": [encode(a) for a in args], "kwargs": {k: encode(v) for k, v in kwargs.items()}, "scope": scope, "out": names, "zeroed": []}

    def add(self, call, args, kwargs, scope=None, keep=lambda: True):
        """Runs a step; the names it made, or None where it failed without a trace and `keep` says to take it back."""
        step = self.step_of(call, args, kwargs, scope)
        there = set(self.run.env)
        random_state = torch.get_rng_state()
        self.before_step = dict(self.before)
        record = observe(self.run, step, self.before)
        if "error" in record and not record["changed"] and "objects" not in record and torch.equal(random_state, torch.get_rng_state()) and not keep():
            return None
        step["out"] = [n for n in self.run.env if n not in there]
        self.made += len(step["out"])
        spoken = [n for n in named(step["args"]) + named(list(step["kwargs"].values())) if n in there] + step["out"]
        self.recent = [n for n in self.recent if n not in spoken] + list(dict.fromkeys(spoken))
        zeroed = self.unwritten(step, record)
        if zeroed:
            step["zeroed"] = zeroed
            self.run.zero(zeroed)
            after = variables(self.run.env)
            record["changed"].update({n: s for n, s in after.items() if self.before.get(n) != s})
            self.before = after
        self.steps.append(step)
        return step["out"]

    def unwritten(self, step, record):
        """Note [Memory that nobody wrote]."""
        before = self.before_step
        grown = [n for n, s in record["changed"].items() if n in before and s["nbytes"] > before[n]["nbytes"]]
        if leaves_memory_unwritten(step["call"]):
            written = [n for n, s in record["changed"].items() if n in before and s["data"] != before[n]["data"]]
            given = [n for n in named(step["kwargs"].get("out")) if n in before]  # whose bytes may be the old ones by chance
            return step["out"] + sorted({*grown, *written, *given})
        return grown if "error" in record else []

    def spoil(self, call, arguments, args, kwargs):
        """Makes a call wrong, or at least odd."""
        r = self.random
        kind = r.choice(["type"] * 3 + ["tensor"] * 2 + ["number"] * 2 + ([] if is_syntax(call) else ["more", "fewer", "keyword", "out"]))
        first = 1 if call.startswith("Tensor.") or "." not in call else 0
        places = list(range(first, len(args)))
        if kind == "type" and places:
            args[r.choice(places)] = r.choice([None, "x", 1.5, 2, [1, 2], [], True, self.existing(), torch.float32, [self.existing()], [[1]], [0.5], ["x"], [None]])
        elif kind == "tensor" and places:
            args[r.choice(places)] = self.tensor(self.arguments.shape(), r.choice(DTYPES))
        elif kind == "number" and places:
            args[r.choice(places)] = r.choice([-7, 9, 5, [-1], [5, 6], [0, 0], [-3, 2], 2**40, 2**62, -(2**60), *ODD_NUMBERS])
        elif kind == "more":
            args.append(r.choice([1, None, self.existing(), "x"]))
        elif kind == "fewer" and len(args) > first:
            args.pop()
        elif kind == "out" and not call.startswith(("Tensor.", "F.")):
            kwargs["out"] = self.tensor([0], r.choice(DTYPES)) if r.random() < 0.7 else r.choice([1, "x", [self.existing()]])
        elif kind == "keyword":
            name = r.choice(["nobody", *(a.name for a in arguments if not a.positional_only and (a.name != "self" or not call.startswith("Tensor.")))])
            kwargs[name] = r.choice([None, 1, 0.5, "x", torch.float64, [1], self.existing()])
        if call in ("getitem", "setitem") and isinstance(args[1], list):
            args[1] = (args[1],)  # alone it would be taken for the tuple, in one language by its elements and in the other always

    def has_subject(self, call, tensors):
        """Hooks and nodes are only for who has them; that None has no `register_hook` is the language's to say."""
        if call == "unhook":
            return any(is_handle(v) for v in self.run.env.values())
        return call not in ("node_hook", "node_prehook", "saved") or any(has_node(t) for t in tensors)

    def next(self):
        r = self.random
        tensors = [v for v in self.run.env.values() if isinstance(v, torch.Tensor)]
        if len(tensors) < 2:
            self.create(self.arguments.shape(), r.choice(DTYPES if tensors else FLOATS))
            return
        call = r.choices(self.names, self.weights)[0]
        if not self.has_subject(call, tensors):
            return
        arguments = r.choice(self.calls[call])
        if optimizers.draws(call):
            drawn = optimizers.draw(self, call)
            if drawn is not None:
                self.add(call, *drawn, keep=lambda: r.random() < 0.5)
            return
        args, kwargs = modules.draw(self, call) if call.startswith("nn.") else self.arguments.draw(call, arguments)
        spoiled = r.random() < 0.13 and call not in HOOKS and not call.startswith("nn.")
        if spoiled:
            self.spoil(call, arguments, args, kwargs)
        env = self.run.env
        if writes_over_factors(call, args, kwargs, env) or scales_by_infinity(call, kwargs) or makes_sparse(call, args, kwargs) or names_unwritten_size(call, args, kwargs, env) or reads_sign_of_nan(call, args, kwargs, env) or asks_machine(call) or chooses_signs(call) or reads_beside(call, args, kwargs, env) or writes_as_another(call, args, kwargs, env) or reads_resized_output(call, args, kwargs, env) or rounds(call, args, kwargs, env):
            return
        chance = r.random()
        scope = "no_grad" if chance < 0.06 else "inference_mode" if chance < 0.085 else None
        self.add(call, args, kwargs, scope, keep=lambda: spoiled or r.random() < 0.12)


def observe(run, step, before):
    """Runs a step and records what can be seen of it. `before` is the state of the variables, brought up to date here."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result, error = run.run(step)
    caught = [*warned(caught), *stderr.warnings()]
    if any(beyond(v) for v in [*run.env.values(), *parts(result)]) or may_be_allocated(error):
        raise Beyond
    after = variables(run.env)
    record = {"changed": {n: s for n, s in after.items() if before.get(n) != s}}
    record.update(message_of(error) if error is not None else {"result": Seen(run.env).value(result)})
    if caught:
        record["warnings"] = caught
    objects_after = objects(run.env)
    if changed := {n: o for n, o in objects_after.items() if run.objects.get(n) != o}:
        record["objects"] = changed
    run.objects = objects_after
    if run.heard:
        record["heard"] = heard(run.heard, run.env)
    before.clear()
    before.update(after)
    return record


class Beyond(Exception):
    """A program ends before a tensor that is too large, that names memory beyond its storage, or of a kind that is not here (sparse, complex),
    and before an allocation that may fail on one machine and not on another."""


def may_be_allocated(error):
    """Whether what PyTorch's allocator refused is little enough for another machine: below a tebibyte."""
    refused = re.search(r"you tried to allocate (\d+) bytes", str(error))
    return refused is not None and int(refused.group(1)) < 1 << 40


def beyond(v):
    if not isinstance(v, torch.Tensor):
        return False
    if v.layout is not torch.strided or v.is_complex() or v.is_quantized or v.numel() > ELEMENTS or v.untyped_storage().nbytes() > BYTES:
        return True
    last = v.storage_offset() + sum((n - 1) * s for n, s in zip(v.shape, v.stride()))
    return min(v.shape, default=1) > 0 and not v._is_zerotensor() and (last + 1) * v.element_size() > v.untyped_storage().nbytes() and v.device.type == "cpu"


def write(seed, calls, length, only=None):
    """A program of about `length` steps with its record."""
    writer = Writer(seed, calls, only)
    try:
        while len(writer.steps) < length:
            writer.next()
    except Beyond:
        pass
    return {"seed": seed, "steps": writer.steps}


def record(program):
    """What PyTorch makes of a program: one record a step, the graphs in the end."""
    run, before, records = Run(program["seed"]), {}, []
    for step in program["steps"]:
        records.append(observe(run, step, before))
        if step["zeroed"]:
            run.zero(step["zeroed"])
            after = variables(run.env)
            records[-1]["changed"].update({n: s for n, s in after.items() if before.get(n) != s})
            before.clear()
            before.update(after)
    return {"records": records, "graphs": graphs(run.env)}
