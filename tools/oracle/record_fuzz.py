"""Writes random small programs and records what PyTorch 2.13.0 makes of them: values, errors, graphs, and the way of every call.

    python tools/oracle/record_fuzz.py OUT.json.gz [SEED [COUNT]]

Needs what record_paths.py needs. A program is a list of steps, made while PyTorch runs it, so that a step can look at what is there.
A step is `{fn, args, kwargs, mode, ...}`:
  fn       `torch.add`, `F.relu`, `Tensor.add_` (the first argument is the object), `getitem`, `setitem`, `attr`, `grad`, `hook`
  args     numbers, lists, `{"$v": name}` a value made before, `{"$fresh": true}` a new empty tensor, `{"$f": "2.0"}` a float, `{"$slice": [a, b, c]}`, `{"$dtype": name}`
  mode     null, or the scope in which it runs: no_grad, inference_mode
  out      the names its results got
  result   each result: a tensor's dtype, sizes, strides, offset, elements, version, leafness and graph; any other value as it is;
           or `{error, message}`
  rows     the operator calls (see record_paths.py), `nodes` the backward nodes that ran
At the end `state` holds every tensor anew, with its gradient.
"""

import base64
import json
import math
import random
import sys
import warnings

import torch
import torch.nn.functional as F
from record_paths import Recorder, write

FLOATS = [torch.float32, torch.float64]
DTYPES = [torch.float32] * 5 + [torch.float64] * 2 + [torch.int64] * 2 + [torch.int32, torch.bool, torch.uint8, torch.float16, torch.bfloat16]
ELEMENTS = 60

BINARY = "add sub mul div pow maximum minimum eq ne lt le gt ge logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor rsub".split()
UNARY = "exp log sqrt rsqrt reciprocal neg abs sigmoid tanh relu sgn isnan isinf isfinite logical_not bitwise_not clone t detach contiguous".split()
IN_PLACE = "exp_ neg_ abs_ sigmoid_ tanh_ relu_ zero_ sqrt_ t_ squeeze_ detach_ reciprocal_ logical_not_".split()
IN_PLACE_BINARY = "add_ sub_ mul_ div_ pow_ eq_ lt_ ge_ bitwise_and_ bitwise_or_ bitwise_xor_ logical_and_ copy_ __iand__ __ior__ __ixor__ __ilshift__".split()
DUNDER = "__and__ __or__ __xor__ __lshift__ __rshift__ __rand__ __rxor__ __rsub__ __rtruediv__ __rpow__ __add__ __mul__ __truediv__ __pow__".split()
CASTS = "double float half bfloat16 int long bool byte".split()


class Step:
    def __init__(self, fn, *args, **kwargs):
        self.fn, self.args, self.kwargs, self.mode = fn, list(args), kwargs, None


def encode(v):
    if isinstance(v, Var):
        return {"$v": v.name}
    if isinstance(v, Fresh):
        return {"$fresh": True}
    if isinstance(v, torch.dtype):
        return {"$dtype": str(v).removeprefix("torch.")}
    if isinstance(v, float):
        return {"$f": repr(v)}
    if isinstance(v, slice):
        return {"$slice": [encode(v.start), encode(v.stop), encode(v.step)]}
    if v is Ellipsis:
        return {"$ellipsis": True}
    if isinstance(v, (list, tuple)):
        return [encode(x) for x in v]
    return v


class Fresh:
    """A new tensor without elements, for `out`."""


class Var:
    def __init__(self, name):
        self.name = name


def history(t):
    """Whether it is a leaf, and its graph; a view whose base was written to may refuse both."""
    try:
        return {"leaf": t.is_leaf, "graph": graph(t.grad_fn)}
    except RuntimeError as error:
        return {"refuses": str(error)}


def graph(fn, depth=5):
    """`MulBackward0(AccumulateGrad, ExpBackward0(...))`."""
    if fn is None:
        return "None"
    below = [graph(f, depth - 1) for f, _ in fn.next_functions] if depth > 0 else ["..."]
    return fn.name().split("::")[-1] + (f"({', '.join(below)})" if below else "")


def shown(v):
    if isinstance(v, torch.Tensor):
        name = str(v.dtype).removeprefix("torch.")
        with torch.no_grad():
            flat = v.detach().clone(memory_format=torch.contiguous_format).reshape(-1)
            raw = bytes(flat.view(torch.uint8).tolist()) if flat.numel() else b""
        version = -1 if v.is_inference() else v._version
        return {"$t": [name, list(v.shape), list(v.stride()), v.storage_offset(), base64.b64encode(raw).decode()], "version": version, "requires_grad": v.requires_grad, **history(v)}
    if isinstance(v, (list, tuple)):
        return [shown(x) for x in v]
    if isinstance(v, (torch.Size, torch.dtype)):
        return encode(v)
    if isinstance(v, float):
        return {"$f": repr(v)}
    return v if v is None or isinstance(v, (bool, int, str)) else str(type(v).__name__)


class Program:
    """One run of the steps; `env` is what they made."""

    def __init__(self, seed):
        self.env = {}
        torch.manual_seed(seed)

    def value(self, v):
        if isinstance(v, Var):
            return self.env[v.name]
        if isinstance(v, Fresh):
            return torch.empty(0)
        if isinstance(v, (list, tuple)):
            return type(v)(self.value(x) for x in v)
        return v

    def call(self, step):
        args = [self.value(a) for a in step.args]
        kwargs = {k: self.value(v) for k, v in step.kwargs.items()}
        place, _, name = step.fn.rpartition(".")
        if place == "torch":
            return lambda: getattr(torch, name)(*args, **kwargs)
        if place == "F":
            return lambda: getattr(F, name)(*args, **kwargs)
        if place == "Tensor":
            # Written out: a method called by its name is told by another one in messages than a bound method is.
            given = [f"args[{i}]" for i in range(1, len(args))] + [f"{k}=kwargs[{k!r}]" for k in kwargs]
            return eval(f"lambda: args[0].{name}({', '.join(given)})", {"args": args, "kwargs": kwargs})
        if name == "getitem":
            return lambda: args[0][tuple(args[1])]
        if name == "setitem":
            return lambda: args[0].__setitem__(tuple(args[1]), args[2])
        if name == "attr":
            return lambda: getattr(args[0], args[1])
        if name == "grad":
            return lambda: torch.autograd.grad(*args, **kwargs)
        if name == "hook":
            return lambda: args[0].register_hook(lambda g: g * 2) and None
        raise ValueError(step.fn)

    def run(self, step, around=lambda run: run()):
        run = self.call(step)
        scope = {None: torch.enable_grad, "no_grad": torch.no_grad, "inference_mode": torch.inference_mode}[step.mode]
        with scope():
            try:
                result = around(run)
            except Exception as error:
                return {"error": type(error).__name__, "message": str(error)}
        results = list(result) if isinstance(result, (list, tuple)) else [result]
        for name, r in zip(step.out, results):
            self.env[name] = r
        return shown(result)


class Writer:
    """Chooses the steps."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.program = Program(seed)
        self.steps = []
        self.made = 0

    def tensors(self, want=lambda t: True):
        def wanted(v):
            try:
                return want(v)
            except RuntimeError:  # see `history`
                return False

        return [Var(n) for n, v in self.program.env.items() if isinstance(v, torch.Tensor) and wanted(v)]

    def of(self, var):
        return self.program.env[var.name]

    def tensor(self, want=lambda t: True):
        """One of those made before, the late ones more often; any, where none is wanted."""
        found = self.tensors(want) or self.tensors()
        weights = [i + 1 for i in range(len(found))]
        return self.random.choices(found, weights)[0]

    def shape(self):
        r = self.random
        return [r.choice([1, 2, 3, 3, 4, 0] if r.random() < 0.15 else [1, 2, 3, 4]) for _ in range(r.choice([0, 1, 1, 2, 2, 2, 3]))]

    def number(self):
        r = self.random
        return r.choice([0, 1, 2, -1, 3, True, 0.5, 2.0, -1.5, 1e-3, 0.0])

    def dim(self, t):
        n = max(t.dim(), 1)
        return self.random.randint(-n, n - 1) if self.random.random() < 0.95 else n + 1

    def dtype(self):
        return self.random.choice(DTYPES)

    def floating(self):
        return self.tensor(lambda t: t.is_floating_point())

    def broadcastable(self, var):
        shape = self.of(var).shape

        def fits(t):
            return all(a == b or a == 1 or b == 1 for a, b in zip(reversed(t.shape), reversed(shape)))

        return self.tensor(fits) if self.random.random() < 0.9 else self.tensor()

    def other(self, var):
        return self.number() if self.random.random() < 0.35 else self.broadcastable(var)

    def create(self):
        r = self.random
        options = {}
        dtype = self.dtype()
        floating = dtype.is_floating_point
        if r.random() < 0.7:
            options["dtype"] = dtype
        else:
            floating, dtype = True, torch.float32
        kind = r.choice(["randn", "randn", "randn", "rand", "zeros", "ones", "full", "arange", "tensor", "tensor", "randint", "like", "new", "randperm"])
        if floating and r.random() < 0.6 and kind in ("randn", "rand", "zeros", "ones", "full", "like"):
            options["requires_grad"] = True
        if kind in ("randn", "rand"):
            if not floating:
                options.pop("dtype", None)
            return Step("torch." + kind, self.shape(), **options)
        if kind in ("zeros", "ones"):
            return Step("torch." + kind, self.shape(), **options)
        if kind == "full":
            return Step("torch.full", self.shape(), self.number(), **options)
        if kind == "arange":
            options.pop("requires_grad", None)
            return Step("torch.arange", r.choice([0, 3, 12, 6.0, 7]), **({} if dtype is torch.bool else options))
        if kind == "randint":
            options.pop("requires_grad", None)
            return Step("torch.randint", r.choice([-2, 0]), 4, self.shape(), **({} if dtype in (torch.bool, torch.uint8) else options))
        if kind == "randperm":
            return Step("torch.randperm", r.choice([0, 3, 4]))
        if kind == "like" and self.tensors():
            name = r.choice(["zeros_like", "ones_like", "rand_like", "full_like"])
            return Step("torch." + name, self.tensor(), *([self.number()] if name == "full_like" else []), **options)
        if kind == "new" and self.tensors():
            options.pop("requires_grad", None)
            name = r.choice(["new_zeros", "new_ones", "new_full"])
            return Step("Tensor." + name, self.tensor(), self.shape(), *([self.number()] if name == "new_full" else []), **options)
        options.pop("requires_grad", None)
        values = [r.choice([0, 1, 2, 3]) if not floating else r.choice([0.5, -1.25, 2.0, 3.5]) for _ in range(r.choice([1, 2, 3, 4]))]
        return Step("torch.tensor", values if r.random() < 0.8 else values[0], **options)

    def index(self, t):
        r, index = self.random, []
        ellipsis = False
        for size in t.shape:
            kind = r.random()
            if kind < 0.3 and size:
                index.append(r.randint(-size, size - 1))
            elif kind < 0.65:
                index.append(r.choice([slice(None), slice(1, None), slice(None, None, 2), slice(0, 2), slice(-2, None), slice(3, 1)]))
            elif kind < 0.72:
                index.append(None)
                index.append(slice(None))
            elif kind < 0.8 and not ellipsis:
                index.append(...)
                ellipsis = True
                break
            elif kind < 0.88 and size:
                index.append([r.randrange(size) for _ in range(r.choice([1, 2]))])
            elif kind < 0.94:
                picks = self.tensors(lambda v: v.dtype is torch.int64 and v.numel() > 0 and v.dim() < 3 and bool((v < max(size, 1)).all()) and bool((v >= -size).all()))
                index.append(r.choice(picks) if picks else slice(None))
            else:
                break
        masks = self.tensors(lambda v: v.dtype is torch.bool and v.shape == t.shape)
        if masks and r.random() < 0.3:
            index = [r.choice(masks)]
        return index or [...]

    def view(self):
        r = self.random
        var = self.tensor()
        t = self.of(var)
        n = t.dim()
        kind = r.choice("view reshape transpose permute expand squeeze unsqueeze select narrow getitem getitem getitem flatten unbind split chunk T mT view_as expand_as broadcast_to movement as_strided".split())
        if kind in ("view", "reshape"):
            shape = [1] * r.choice([0, 1]) + ([-1] if t.numel() else [t.numel()])
            if t.numel() % 2 == 0 and t.numel() and r.random() < 0.5:
                shape = [2, -1]
            return Step("Tensor." + kind, var, shape)
        if kind == "transpose":
            return Step("torch.transpose", var, self.dim(t), self.dim(t))
        if kind == "permute":
            dims = list(range(n))
            r.shuffle(dims)
            return Step("Tensor.permute", var, dims)
        if kind in ("expand", "broadcast_to"):
            shape = [2] * r.choice([0, 1]) + [3 if s == 1 else r.choice([s, -1]) for s in t.shape]
            return Step("Tensor." + kind, var, shape)
        if kind == "squeeze":
            return Step("torch.squeeze", var, *([self.dim(t)] if n and r.random() < 0.6 else []))
        if kind == "unsqueeze":
            return Step("torch.unsqueeze", var, self.dim(t))
        if kind == "select" and n:
            return Step("torch.select", var, self.dim(t), r.choice([0, 1, -1]))
        if kind == "narrow" and n:
            return Step("torch.narrow", var, 0, 0, max(t.shape[0] - 1, 0))
        if kind == "flatten":
            return Step("torch.flatten", var)
        if kind == "unbind" and n:
            return Step("torch.unbind", var, self.dim(t))
        if kind == "split" and n:
            return Step("torch.split", var, r.choice([1, 2]), self.dim(t))
        if kind == "chunk" and n:
            return Step("torch.chunk", var, 2, self.dim(t))
        if kind in ("T", "mT") and (n == 2 or r.random() < 0.1):
            return Step("attr", var, kind)
        if kind in ("view_as", "expand_as"):
            return Step("Tensor." + kind, var, self.tensor(lambda v: v.numel() == t.numel()))
        if kind == "as_strided" and t.numel() >= 4:
            return Step("Tensor.as_strided", var, [2, 2], r.choice([[1, 2], [2, 1], [0, 1]]))
        return Step("getitem", var, self.index(t))

    def pointwise(self):
        r = self.random
        var = self.tensor()
        kind = r.random()
        if kind < 0.45:
            name = r.choice(BINARY)
            kwargs = {"alpha": r.choice([2, 0.5, 1])} if name in ("add", "sub", "rsub") and r.random() < 0.25 else {}
            if name == "div" and r.random() < 0.4:
                kwargs["rounding_mode"] = r.choice(["floor", "trunc"])
            return Step("torch." + name, var, self.other(var), **kwargs)
        if kind < 0.7:
            return Step("Tensor." + r.choice(UNARY), var)
        if kind < 0.76:
            return Step("Tensor." + r.choice(DUNDER), var, self.other(var))
        if kind < 0.8:
            return Step("torch.clamp", var, self.number(), self.number()) if r.random() < 0.5 else Step("torch.clamp", var, **{r.choice(["min", "max"]): self.other(var)})
        if kind < 0.86:
            return Step("torch.where", self.tensor(lambda v: v.dtype is torch.bool), self.other(var), self.other(var))
        if kind < 0.9:
            return Step("torch.masked_fill", var, self.tensor(lambda v: v.dtype is torch.bool), self.number())
        if kind < 0.94:
            return Step("Tensor." + r.choice(CASTS), var)
        if kind < 0.96:
            return Step("Tensor.to", var, self.dtype())
        return r.choice(
            [
                lambda: Step("F.threshold", var, 0.1, 2.0),
                lambda: Step("torch.prelu", self.floating(), self.tensor(lambda v: v.numel() == 1 and v.is_floating_point() and v.dim() < 2)),
                lambda: Step("torch.isclose", var, self.broadcastable(var), equal_nan=r.random() < 0.5),
                lambda: Step("Tensor.type_as", var, self.tensor()),
                lambda: Step("F.dropout", self.floating(), 0.5),
                lambda: Step("torch.bernoulli", self.floating(), 0.5),
                lambda: Step("torch.broadcast_tensors", var, self.broadcastable(var)),
            ]
        )()

    def reduce(self):
        r = self.random
        name = r.choice("sum sum mean amax amin max min argmax argmin all any softmax log_softmax sum_to_size".split())
        var = self.floating() if name in ("mean", "softmax", "log_softmax") and r.random() < 0.9 else self.tensor()
        t = self.of(var)
        if name in ("softmax", "log_softmax"):
            return Step("torch." + name, var, self.dim(t), **({"dtype": r.choice(FLOATS)} if r.random() < 0.2 else {}))
        if name == "sum_to_size":
            return Step("Tensor.sum_to_size", var, [1] * t.dim())
        kwargs = {}
        args = []
        if r.random() < 0.6:
            args = [self.dim(t)] if name in ("max", "min", "argmax", "argmin", "all", "any") or r.random() < 0.7 else [[self.dim(t)]]
            if r.random() < 0.4:
                kwargs["keepdim"] = True
        if name in ("sum", "mean") and r.random() < 0.2:
            kwargs["dtype"] = r.choice(FLOATS)
        return Step("torch." + name, var, *args, **kwargs)

    def linear_algebra(self):
        r = self.random
        a = self.tensor(lambda t: t.is_floating_point() and t.dim() >= 1)
        t = self.of(a)
        last = t.shape[-1] if t.dim() else 1
        kind = r.choice("matmul matmul mm mv dot outer linear addmm bmm".split())
        second = self.tensor(lambda v: v.dtype == t.dtype and v.dim() >= 1 and v.shape[max(v.dim() - 2, 0)] == last)
        if kind == "linear":
            return Step("F.linear", a, self.tensor(lambda v: v.dtype == t.dtype and v.dim() in (1, 2) and v.shape[-1] == last))
        if kind == "addmm":
            return Step("torch.addmm", self.tensor(lambda v: v.dtype == t.dtype), a, second, **({"beta": 2, "alpha": 0.5} if r.random() < 0.5 else {}))
        if kind in ("dot", "outer"):
            return Step("torch." + kind, a, self.tensor(lambda v: v.dtype == t.dtype and v.dim() == 1))
        return Step("torch." + kind, a, second)

    def join(self):
        r = self.random
        var = self.tensor()
        t = self.of(var)
        same = self.tensor(lambda v: v.shape == t.shape)
        return r.choice([lambda: Step("torch.cat", [var, same], self.dim(t)), lambda: Step("torch.stack", [var, same], self.dim(t)), lambda: Step("torch.cat", [var, same, var])])()

    def indexing(self):
        r = self.random
        var = self.tensor()
        t = self.of(var)
        kind = r.choice("setitem setitem masked_select nonzero where gather scatter scatter_add index_put masked_fill_ take item tolist equal allclose".split())
        if kind == "setitem":
            return Step("setitem", var, self.index(t), self.number() if r.random() < 0.6 else self.tensor(lambda v: v.numel() == 1 or v.dim() < t.dim()))
        if kind == "masked_select":
            return Step("torch.masked_select", var, self.tensor(lambda v: v.dtype is torch.bool))
        if kind == "nonzero":
            return Step("torch.nonzero", var, **({"as_tuple": True} if r.random() < 0.5 else {}))
        if kind == "where":
            return Step("torch.where", var)
        if kind in ("gather", "scatter", "scatter_add"):
            at = self.tensor(lambda v: v.dtype is torch.int64 and v.dim() == t.dim() and v.numel() > 0)
            if kind == "gather":
                return Step("torch.gather", var, self.dim(t), at)
            return Step("torch." + kind, var, self.dim(t), at, self.tensor(lambda v: v.dtype == t.dtype and v.shape == self.of(at).shape))
        if kind == "index_put":
            picks = self.tensor(lambda v: v.dtype is torch.int64 and v.dim() <= 1)
            return Step("torch.index_put", var, [picks], self.tensor(lambda v: v.dtype == t.dtype and v.numel() == 1), **({"accumulate": True} if r.random() < 0.5 else {}))
        if kind == "masked_fill_":
            return Step("Tensor.masked_fill_", var, self.tensor(lambda v: v.dtype is torch.bool), self.number())
        if kind in ("item", "tolist"):
            return Step("Tensor." + kind, self.tensor(lambda v: v.numel() == 1) if kind == "item" else var)
        return Step("torch." + ("equal" if kind == "equal" else "allclose"), var, self.broadcastable(var))

    def in_place(self):
        r = self.random
        var = self.tensor(lambda t: not (t.requires_grad and t.is_leaf))
        if r.random() < 0.5:
            return Step("Tensor." + r.choice(IN_PLACE), var)
        if r.random() < 0.15:
            return Step("Tensor." + r.choice(["normal_", "uniform_", "random_", "bernoulli_"]), var)
        if r.random() < 0.1:
            return Step("Tensor." + r.choice(["fill_", "clamp_min_", "unsqueeze_", "transpose_"]), var, *r.choice([[0], [1], [0, 1]]))
        name = r.choice(IN_PLACE_BINARY)
        return Step("Tensor." + name, var, self.broadcastable(var) if name == "copy_" else self.other(var))

    def autograd(self):
        r = self.random
        with_grad = lambda t: t.requires_grad
        var = self.tensor(with_grad)
        t = self.of(var)
        kind = r.choice("backward backward backward grad grad requires_grad_ detach retain_grad hook attr clear".split())
        if kind == "backward":
            args = [] if t.dim() == 0 or r.random() < 0.15 else [self.tensor(lambda v: v.shape == t.shape and v.dtype == t.dtype)]
            kwargs = {"retain_graph": True} if r.random() < 0.6 else {}
            if r.random() < 0.15:
                kwargs["create_graph"] = True
            return Step("Tensor.backward", var, *args, **kwargs)
        if kind == "grad":
            args = [self.tensor(lambda v: v.shape == t.shape and v.dtype == t.dtype)] if t.dim() else []
            kwargs = {"allow_unused": True} if r.random() < 0.7 else {}
            if r.random() < 0.5:
                kwargs["create_graph"] = True
            elif r.random() < 0.7:
                kwargs["retain_graph"] = True
            return Step("grad", [var], [self.tensor(lambda v: v.requires_grad) for _ in range(r.choice([1, 2]))], *[[a] for a in args], **kwargs)
        if kind == "requires_grad_":
            return Step("Tensor.requires_grad_", self.tensor(lambda v: v.is_leaf), *([] if r.random() < 0.8 else [False]))
        if kind == "hook":
            return Step("hook", var)
        if kind in ("attr", "clear"):
            return Step("attr", var, r.choice(["grad", "grad", "is_leaf", "data", "_version", "output_nr"]))
        return Step("Tensor." + kind, var)

    def loss(self):
        r = self.random
        var = self.tensor(lambda t: t.is_floating_point() and t.dim() >= 1 and t.numel() > 0)
        t = self.of(var)
        shape = [t.shape[0], *t.shape[2:]] if t.dim() > 1 else []
        target = self.tensor(lambda v: v.dtype is torch.int64 and list(v.shape) == shape)
        kwargs = {"reduction": r.choice(["none", "sum", "mean"])} if r.random() < 0.5 else {}
        if r.random() < 0.2:
            kwargs["label_smoothing"] = 0.1
        if r.random() < 0.2:
            kwargs["ignore_index"] = 0
        if r.random() < 0.4:
            kwargs.pop("label_smoothing", None)
            return Step("F.nll_loss", var, target, **kwargs)
        if r.random() < 0.2:
            target = self.tensor(lambda v: v.shape == t.shape and v.is_floating_point())
        return Step("F.cross_entropy", var, target, **kwargs)

    def out(self):
        """The same calls with a place for the result: rarely of its shape, so rarely without a warning."""
        step = self.random.choice([self.pointwise, self.reduce, self.linear_algebra, self.join])()
        name = step.fn.split(".")[-1]
        if callable(getattr(torch, name, None)) and name != "broadcast_tensors" and not step.fn.startswith("F."):
            step.fn = "torch." + name
            step.kwargs["out"] = self.tensor(lambda t: not t.requires_grad) if self.random.random() < 0.6 else Fresh()
        return step

    def wrong(self):
        """An argument of another type, one too many, one too few, or a keyword nobody knows."""
        r = self.random
        step = r.choice([self.pointwise, self.reduce, self.view, self.linear_algebra, self.in_place, self.indexing])()
        kind = r.random()
        if step.fn in ("getitem", "setitem", "attr", "grad", "hook", "torch.broadcast_tensors", "torch.nonzero") or step.fn.startswith("F."):
            return step  # their signatures are not the parser's: written in Python, or spoken of by another hand
        if kind < 0.5:
            step.args[r.randrange(len(step.args))] = r.choice([None, "x", 1.5, [1, 2], True, self.tensor(), torch.float32, [self.tensor()]])
        elif kind < 0.7:
            step.args.append(r.choice([1, None, self.tensor()]))
        elif kind < 0.85:
            step.args.pop()
        else:
            step.kwargs["nobody"] = 1
        if step.fn.startswith("Tensor.") and not (step.args and isinstance(step.args[0], Var)):
            step.args.insert(0, self.tensor())
        return step

    def step(self):
        r = self.random
        if len(self.tensors()) < 2 or r.random() < 0.1:
            step = self.create()
        else:
            families = [self.view, self.pointwise, self.reduce, self.linear_algebra, self.join, self.indexing, self.in_place, self.autograd, self.loss, self.out, self.wrong]
            step = r.choices(families, [5, 8, 4, 2, 1, 4, 4, 5, 1, 1, 1])[0]()
        chance = r.random()
        step.mode = "no_grad" if chance < 0.06 else "inference_mode" if chance < 0.09 else None
        return step

    def add(self):
        step = self.step()
        step.out = [f"t{self.made + i}" for i in range(4)]
        before = dict(self.program.env)
        step.result = self.program.run(step)
        if isinstance(step.kwargs.get("out"), Var) and "error" in step.result:
            return False  # resized, but not written
        step.out = [n for n in step.out if n in self.program.env and n not in before]
        if any(isinstance(v, torch.Tensor) and v.numel() > ELEMENTS for v in self.program.env.values()):
            return False  # the program ends before it
        self.made += len(step.out)
        self.steps.append(step)
        return True


def record(recorder, seed, length):
    writer = Writer(seed)
    for _ in range(length):
        if not writer.add():
            break
    for count in range(2):  # the first run warms up, the second counts
        program = Program(seed)
        for step in writer.steps:
            rows = []

            def around(run):
                recorder.native.start()
                try:
                    return run()
                finally:
                    rows.append(recorder.stop())

            step.result = program.run(step, around if count else lambda run: run())
            if count:
                step.rows, step.nodes = rows[0]
    state = {}
    for name, value in program.env.items():
        if isinstance(value, torch.Tensor):
            state[name] = shown(value)
            if state[name].get("leaf") or "leaf" in state[name] and value.retains_grad:
                state[name]["grad"] = shown(value.grad)
    steps = []
    for s in writer.steps:
        steps.append({"fn": s.fn, "args": encode(s.args), "kwargs": {k: encode(v) for k, v in s.kwargs.items()}, "mode": s.mode, "out": s.out, "result": s.result, "rows": s.rows, "nodes": s.nodes})
    return {"seed": seed, "steps": steps, "state": state}


def main(target, seed="0", count="150", length="14"):
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    warnings.simplefilter("ignore")
    recorder = Recorder()
    programs = [record(recorder, int(seed) + i, int(length)) for i in range(int(count))]
    write(target, {"torch": torch.__version__, "script": "tools/oracle/record_fuzz.py", "programs": programs})
    steps = [s for p in programs for s in p["steps"]]
    errors = sum(isinstance(s["result"], dict) and "error" in s["result"] for s in steps)
    print(f"{len(programs)} programs, {len(steps)} steps, {errors} errors, {sum(len(s['rows']) for s in steps)} operator calls")


if __name__ == "__main__":
    main(*sys.argv[1:])
