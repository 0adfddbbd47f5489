"""Draws the arguments of a call from its schema: by type, and by the names that PyTorch's schemas give (`dim`, `size`, `mask`, `mat2`).

A drawn argument may need a tensor that is not there; then the writer is asked to make one of the wanted shape and dtype.
"""

import math

import torch
from steps import StorageOf, Var

FLOATS = [torch.float32] * 6 + [torch.float64] * 3 + [torch.float16, torch.bfloat16]
INTS = [torch.int64] * 5 + [torch.int32, torch.uint8, torch.int16, torch.int8]
DTYPES = FLOATS + INTS + [torch.bool] * 2
NUMBERS = [0, 1, 2, -1, 3, True, False, 0.5, 2.0, -1.5, 1e-3, 0.0, 4, -2, 7]
ODD_NUMBERS = [math.inf, -math.inf, math.nan, 2**31, -(2**31), 2**53 + 1, 2**62, 2**63 - 1, -(2**63), 1e300, -0.0, 255, 256, -129, 65505, 1e-45]
PROPERTIES = "data grad T mT real shape dtype layout device ndim itemsize nbytes is_leaf requires_grad _version output_nr is_cpu is_meta is_cuda is_sparse is_quantized is_mkldnn retains_grad grad_dtype _base name".split()
HOOKS = ["listen"] * 3 + ["double"] * 3 + ["raise", "wrong", "reshape"]
MEMORY_FORMATS = [torch.contiguous_format, torch.preserve_format]

# Arguments that PyTorch's kernels index with, by name.
INDEX_NAMES = {"index", "indices", "target"}
MASK_NAMES = {"mask", "condition"}


class Arguments:
    def __init__(self, random, writer):
        self.random = random
        self.writer = writer

    # One call

    def draw(self, call, arguments):
        """`(args, kwargs)` as Python would be given them."""
        r = self.random
        self.call = call
        self.drawn = {}
        args, kwargs, named = [], {}, False
        factory = not any(a.type.startswith("Tensor") for a in arguments)
        for a in arguments:
            if not a.required and r.random() < 0.6:
                named = True
                continue
            value = self.value(a)
            self.drawn[a.name] = value
            if a.name == "self" and call.startswith("Tensor."):
                args.append(value)
            elif a.kwarg_only or named or (r.random() < 0.06 and not a.positional_only and "." in call and "broadcast_" not in call and ".__" not in call):
                named = True
                kwargs["input" if a.name == "self" and call.startswith("torch.") else a.name] = value
            else:
                args.append(value)
        if factory and call.startswith("torch.") and "dtype" in [a.name for a in arguments] and r.random() < 0.4:
            kwargs["requires_grad"] = True
        return args, kwargs

    def value(self, a):
        r = self.random
        kind = a.type
        if kind.endswith("?"):
            if r.random() < 0.4:
                return None
            kind = kind[:-1]
        draw = getattr(self, "a_" + kind.replace("[]", "_list").replace("?", "_or_none"), None)
        if draw is None:
            return None
        return draw(a)

    def first(self):
        """The first tensor drawn for this call, or None."""
        for v in self.drawn.values():
            if isinstance(v, Var):
                return self.writer.of(v)
            if isinstance(v, list) and v and isinstance(v[0], Var):
                return self.writer.of(v[0])
        return None

    # Tensors

    def a_Tensor(self, a):
        r, w = self.random, self.writer
        first = self.first()
        if a.written and a.kwarg_only:
            return self.out(first)
        if first is None:
            return self.self_tensor(a)
        if a.name in MASK_NAMES or (a.name == "self" and "where" in self.call):
            return w.tensor(self.broadcast_to(first.shape), r.choice([torch.bool] * 7 + [torch.uint8]))
        if a.name == "target":
            first = self.writer.of(self.drawn["self"]) if isinstance(self.drawn.get("self"), Var) else first
            classes = first.shape[1] if first.dim() > 1 else (first.shape[0] if first.dim() else 1)
            if r.random() < 0.15 and self.call.startswith("F."):
                return w.tensor(list(first.shape), first.dtype)
            return w.tensor([*first.shape[:1], *first.shape[2:]] if first.dim() > 1 else [], torch.int64, below=classes)
        if a.name in INDEX_NAMES:
            return w.tensor([max(0, n - r.choice([0, 0, 1])) for n in first.shape], torch.int64, below=min(first.shape, default=1))
        if a.name in ("weight", "mat2", "vec", "vec2", "batch2", "tensor", "mat1", "batch1", "vec1", "bias"):
            return w.tensor(self.matrix(a.name, first), first.dtype)
        if a.name == "self" and "nll" in self.call:  # of a backward: behind the gradient
            return w.tensor(r.choice([[2, 3], [3]] if "2d" not in self.call else [[2, 3, 1, 2]]), first.dtype)
        if a.name == "grad_output" and "nll" in self.call:
            return w.tensor([], r.choice(FLOATS))
        if a.name == "gradient" or "grad" in a.name or a.name in ("result", "output", "self_", "src", "source"):
            return w.tensor(list(first.shape), first.dtype)
        if a.name == "weight" and "nll" in self.call and r.random() < 0.9:
            return w.tensor([first.shape[1] if first.dim() > 1 else first.shape[0] if first.dim() else 1], first.dtype)
        if a.name in ("buffer", "total_weight") and r.random() < 0.8:
            return w.tensor([] if a.name == "total_weight" else [0], first.dtype)
        if self.call.split(".")[-1] in ("matmul", "dot", "vdot", "outer", "ger", "__matmul__", "__rmatmul__", "mm", "mv", "bmm") or ".matmul" in self.call:
            return w.tensor(self.matrix("other", first), first.dtype)
        dtype = first.dtype if r.random() < 0.6 else None
        return w.tensor(self.broadcast_to(first.shape) if r.random() < 0.92 else None, dtype)

    def self_tensor(self, a):
        """The first tensor of a call: one of those there, floating more often."""
        r, w = self.random, self.writer
        name = self.call.split(".")[1] if "." in self.call else self.call
        if a.name == "condition":
            return w.tensor(None, r.choice([torch.bool] * 6 + [torch.uint8, torch.float32]))
        dims = {"mm": 2, "addmm": r.choice([0, 1, 2]), "mv": 2, "bmm": 3, "dot": 1, "vdot": 1, "outer": 1, "ger": 1, "addmv": 1, "baddbmm": 3, "t": r.choice([0, 1, 2])}.get(name.rstrip("_"))
        if dims is not None and r.random() < 0.9:
            return w.tensor([r.choice([1, 2, 3]) for _ in range(dims)], r.choice(FLOATS + [torch.int64]))
        if "nll" in name or "cross_entropy" in name:
            lead = [[2, 3], [3], [1, 2]] if "2d" not in name else [[2, 3, 1, 2], [1, 2, 2, 1]]
            return w.tensor(r.choice(lead), r.choice(FLOATS)) if r.random() < 0.9 else w.existing()
        if "bitwise" in name or "shift" in name or name in ("__and__", "__or__", "__xor__"):
            return w.tensor(None, r.choice(INTS + [torch.bool] * 4))
        if self.call in ("node_hook", "node_prehook", "saved") or (self.call == "Tensor.retain_grad" and r.random() < 0.9):
            return w.existing(lambda t: t.grad_fn is not None)
        if self.call == "Tensor.backward" and r.random() < 0.9:
            return w.existing(lambda t: t.grad_fn is not None)
        if self.call in ("hook", "set") and r.random() < 0.7:
            return w.existing(lambda t: t.requires_grad)
        if self.call == "post_hook":
            return w.existing(lambda t: t.requires_grad and t.is_leaf)
        if a.written and r.random() < 0.8:
            return w.existing(lambda t: not (t.requires_grad and t.is_leaf))
        if name == "masked_select" or r.random() < 0.6:
            return w.existing()
        return w.existing(lambda t: t.is_floating_point())

    def matrix(self, name, first):
        """A shape that fits a product with the first tensor, as its name says."""
        r = self.random
        k, shape = r.choice([1, 2, 3]), list(first.shape)
        base = self.call.split(".")[1].rstrip("_") if "." in self.call else self.call
        if base in ("addmm", "addmv", "baddbmm"):
            drawn = [self.writer.of(v) for v in self.drawn.values() if isinstance(v, Var)]
            if name in ("mat1", "mat"):
                return [shape[0] if len(shape) == 2 else r.choice([1, 2, 3]), k]
            if name == "batch1":
                return [shape[0] if shape else 2, shape[1] if len(shape) > 1 else 2, k]
            inner = drawn[-1].shape[-1] if drawn[-1].dim() else 1
            if name == "mat2":
                return [inner, shape[-1] if len(shape) else k]
            if name == "batch2":
                return [shape[0] if shape else 2, inner, shape[2] if len(shape) > 2 else k]
            return [inner]
        inner = shape[-1] if shape else 1
        if name == "weight" and base in ("linear",):
            return r.choice([[k, inner], [inner]])
        if name == "bias":
            weight = [self.writer.of(v) for v in self.drawn.values() if isinstance(v, Var)][-1]
            return list(weight.shape[:-1])
        if name == "weight":  # of prelu and of losses: a number for each channel
            channels = shape[1] if len(shape) > 1 else (shape[0] if shape and "loss" in base else 1)
            return r.choice([[channels], [1]])
        if base in ("dot", "vdot"):
            return [inner]
        if base in ("outer", "ger"):
            return [k]
        if base == "mm":
            return [inner, k]
        if base == "mv":
            return [inner]
        if base == "bmm":
            return [shape[0] if shape else 1, inner, k]
        return r.choice([[inner], [inner, k], [*shape[:-2], inner, k]])

    def out(self, first):
        r, w = self.random, self.writer
        dtype = first.dtype if first is not None and r.random() < 0.6 else None
        kind = r.random()
        if kind < 0.45:
            return w.tensor([0], dtype)
        if kind < 0.6 and first is not None:
            return w.tensor(list(first.shape), dtype)
        if kind < 0.8:
            return next((v for v in self.drawn.values() if isinstance(v, Var)), w.existing())
        return w.existing(lambda t: not t.requires_grad) if r.random() < 0.85 else w.existing()

    def broadcast_to(self, shape):
        """A shape that broadcasts with `shape`: fewer dims, ones instead of sizes, sometimes one dim more."""
        r = self.random
        if r.random() < 0.45:
            return list(shape)
        cut = r.randrange(len(shape) + 1)
        made = [1 if r.random() < 0.25 else n for n in list(shape)[cut:]]
        return ([2] + [n for n in made] if cut == 0 and r.random() < 0.15 else made)

    def a_Tensor_list(self, a):
        r, w = self.random, self.writer
        if self.call == "grad":
            if a.name == "outputs":
                return [w.existing(lambda t: t.requires_grad and t.grad_fn is not None) for _ in range(r.choice([1, 1, 1, 2]))]
            return [w.existing(lambda t: t.requires_grad) for _ in range(r.choice([1, 1, 2]))]
        if a.name == "inputs":
            return [w.existing(lambda t: t.requires_grad) for _ in range(r.choice([1, 2]))]
        one = w.existing()
        t = w.of(one)
        rest = [w.tensor(list(t.shape), t.dtype if r.random() < 0.85 else None) for _ in range(r.choice([0, 1, 1, 2]))]
        if a.written and a.kwarg_only:
            return [self.out(self.first()) for _ in range(r.choice([1, 2, 2, 3]))]
        return [one, *rest]

    def a_Tensor_or_none_list(self, a):
        r, w = self.random, self.writer
        if self.call == "grad":
            outputs = [w.of(v) for v in self.drawn.get("outputs", [])]
            return [w.tensor(list(t.shape), t.dtype) for t in outputs]
        return self.indices(self.first())

    def indices(self, t):
        r, w = self.random, self.writer
        made, dim = [], 0
        n = t.dim() if t is not None else 1
        while dim < n and (not made or r.random() < 0.4):
            size = t.shape[dim]
            kind = r.random()
            if kind < 0.6:
                made.append(w.tensor(r.choice([[1], [2], [3], [], [2, 1], [0]]), torch.int64, below=size))
            elif kind < 0.8:
                made.append(w.tensor([size], r.choice([torch.bool, torch.bool, torch.bool, torch.uint8])))
            else:
                made.append(None)
            dim += 1
        return made or [w.tensor([], torch.bool)]

    # Numbers

    def dim(self):
        t = self.first()
        n = max(t.dim(), 1) if t is not None else 1
        return self.random.randint(-n, n - 1)

    def a_int(self, a):
        r, t = self.random, self.first()
        name = a.name
        if name.startswith("dim") or name in ("start_dim", "end_dim"):
            if "unsqueeze" in self.call or "stack" in self.call:
                n = (t.dim() if t is not None else 0) + 1
                return r.randint(-n, n - 1)
            return self.dim()
        if name in ("index", "start", "end", "length", "step", "storage_offset"):
            dim = self.drawn.get("dim", 0)
            size = t.shape[dim] if t is not None and isinstance(dim, int) and -t.dim() <= dim < t.dim() else 2
            if name == "step":
                return r.choice([1, 1, 2, 3])
            if name == "length":
                start = self.drawn.get("start", 0)
                return r.randint(0, max(0, size - (start if isinstance(start, int) and start >= 0 else 0)))
            if name == "storage_offset":
                return r.choice([0, 0, 0, 1])
            return r.randint(-size if size else 0, max(size - 1, 0))
        if name == "reduction":
            return r.choice([0, 1, 2])
        if name == "ignore_index":
            return r.choice([-100, -100, 0, 1])
        if name in ("chunks", "split_size", "n", "m"):
            return r.choice([1, 2, 3, 4])
        if name == "_stacklevel":
            return 3
        return r.choice([0, 1, 2, 3, 4, -1, 5])

    def a_int_list(self, a):
        r, t = self.random, self.first()
        name = a.name
        if name in ("dim", "dims") and t is not None:
            if "permute" in self.call:
                order = list(range(t.dim()))
                r.shuffle(order)
                return [d - t.dim() if r.random() < 0.2 else d for d in order]
            dims = [d for d in range(t.dim()) if r.random() < 0.5]
            return r.choice([dims, dims, [self.dim()]]) if t.dim() else []
        if name == "split_sizes" and t is not None:
            dim = 0
            rest, made = (t.shape[dim] if t.dim() else 1), []
            while rest > 0:
                made.append(r.randint(1, rest))
                rest -= made[-1]
            return made
        if name in ("stride",):
            size = self.drawn.get("size", [])
            stride, made = 1, []
            for n in reversed(size if isinstance(size, list) else []):
                made.insert(0, stride)
                stride *= max(n if isinstance(n, int) else 1, 1)
            if r.random() < 0.3:
                r.shuffle(made)
            if r.random() < 0.15:
                made = [r.choice([0, 1, 2]) for _ in made]
            return made
        base = self.call.split(".")[1] if "." in self.call else self.call
        if t is not None and any(word in base for word in ("view", "reshape")):
            return self.same_numel(t)
        if t is not None and ("expand" in base or "broadcast" in base):
            return self.expanded(t)
        if t is not None and "sum_to_size" in base:
            shape = [1 if r.random() < 0.5 else n for n in t.shape]
            return shape[r.randrange(len(shape) + 1) :] if r.random() < 0.5 else shape
        if t is not None and "as_strided" in base:
            return [r.choice([1, 2]) for _ in range(r.choice([0, 1, 2]))] if t.numel() > 3 else [min(t.numel(), 1)]
        return self.shape()

    def shape(self):
        r = self.random
        return [r.choice([1, 2, 3, 4] if r.random() < 0.9 else [0, 1, 5]) for _ in range(r.choice([0, 1, 1, 2, 2, 2, 3]))]

    def same_numel(self, t):
        r = self.random
        n, made = t.numel(), []
        while n > 1 and len(made) < 3:
            factor = r.choice([d for d in range(1, n + 1) if n % d == 0])
            made.append(factor)
            n //= factor
        made.append(n) if n > 1 or not made or r.random() < 0.2 else None
        r.shuffle(made)
        if made and r.random() < 0.25 and t.numel() > 0:
            made[r.randrange(len(made))] = -1
        return made

    def expanded(self, t):
        r = self.random
        made = [r.choice([2, 3]) if n == 1 and r.random() < 0.6 else (-1 if r.random() < 0.2 else n) for n in t.shape]
        return [r.choice([1, 2, 2, 0, -1]) for _ in range(r.choice([0, 0, 1]))] + made

    def a_float(self, a):
        r = self.random
        if a.name in ("p", "label_smoothing"):
            return r.choice([0.5, 0.3, 0.0, 1.0, 0])
        if a.name == "std":
            return r.choice([1.0, 0.5, 0.0, 2])
        return r.choice([0.5, 0.0, 1.0, -1.5, 2, 1e-3, 3.0])

    def number(self):
        r = self.random
        return r.choice(NUMBERS) if r.random() < 0.93 else r.choice(ODD_NUMBERS)

    def a_Scalar(self, a):
        if a.name in ("start", "end", "step"):
            return {"start": lambda: self.random.choice([0, 1, -2, 0.5]), "end": lambda: self.random.choice([3, 7, 12, 4.5, 0]), "step": lambda: self.random.choice([1, 1, 2, 0.5, 3])}[a.name]()
        return self.number()

    def a_Scalar_list(self, a):
        return [self.number() for _ in range(self.random.choice([1, 2]))]

    def a_bool(self, a):
        return self.random.random() < 0.5

    def a_bool_list(self, a):
        return [self.random.random() < 0.7 for _ in range(self.random.choice([2, 3]))]

    def a_str(self, a):
        r = self.random
        known = {"rounding_mode": ["floor", "trunc"], "reduction": ["mean", "sum", "none"], "reduce": ["add", "multiply"]}.get(a.name, ["ij"])
        return r.choice(known)

    # The rest

    def a_ScalarType(self, a):
        first = self.first()
        r = self.random
        if first is not None and ".view" in self.call and r.random() < 0.8:  # mostly of the same size
            same = [d for d in DTYPES if d.itemsize == first.element_size()]
            return r.choice(same)
        floating = first is not None and first.requires_grad and r.random() < 0.8
        return r.choice(FLOATS if floating else DTYPES)

    def a_Layout(self, a):
        return torch.strided

    def a_Device(self, a):
        return torch.device("cpu" if self.random.random() < 0.9 else "meta")

    def a_MemoryFormat(self, a):
        return self.random.choice(MEMORY_FORMATS)

    def a_Generator(self, a):
        return None

    def a_Storage(self, a):
        return StorageOf(self.writer.existing().name)

    def a_any(self, a):
        return self.random.choice([1, "x", None, self.writer.existing(), [1, 2]])

    def a_data(self, a):
        r = self.random
        kind = r.random()
        if kind < 0.15:
            return self.writer.existing()
        if kind < 0.3:
            return self.number()
        pool = r.choice([[1, 2, 3, -4], [0.5, -1.5, 2.5, 1e-3], [True, False], [1, 0.5, -2], [1, True]])
        shape = self.shape()[:2]

        def nested(shape):
            return r.choice(pool) if not shape else [nested(shape[1:]) for _ in range(shape[0])]

        return nested(shape)

    def a_split(self, a):
        return self.random.choice([1, 2, 3]) if self.random.random() < 0.5 else self.a_int_list(type(a)("split_sizes", "int[]", True, False, False))

    def a_dtype_or_device(self, a):
        return self.random.choice([self.random.choice(DTYPES)] * 6 + [torch.device("cpu"), "cpu", self.writer.existing(), "meta"])

    def a_dtype_or_name(self, a):
        return self.random.choice([self.random.choice(DTYPES), "torch.FloatTensor", "torch.LongTensor", "torch.DoubleTensor"])

    def a_property(self, a):
        return self.random.choice(PROPERTIES)

    def a_settable(self, a):
        return self.random.choice(["data", "data", "grad", "requires_grad"])

    def a_setting(self, a):
        r, t = self.random, self.first()
        match self.drawn["name"]:
            case "data":
                return self.writer.tensor(list(t.shape) if r.random() < 0.4 else None, t.dtype)
            case "grad":
                return None if r.random() < 0.3 else self.writer.tensor(list(t.shape), t.dtype)
        return r.random() < 0.6

    def a_hook_kind(self, a):
        return self.random.choice(HOOKS)

    def a_handle(self, a):
        return self.writer.handle()

    def a_value(self, a):
        """The right side of an operator or of an assignment: a number, or a tensor that broadcasts."""
        r = self.random
        if r.random() < 0.5:
            return self.number()
        return self.a_Tensor(a)

    def a_index(self, a):
        r, t = self.random, self.first()
        index, dim, ellipsis = [], 0, False
        while dim < t.dim() and r.random() < 0.75:
            size, kind = t.shape[dim], r.random()
            dim += 1
            if kind < 0.22:
                index.append(r.randint(-size, max(size - 1, 0)))
            elif kind < 0.45:
                ends = [None, *range(-size, size + 2)]
                index.append(slice(r.choice(ends), r.choice(ends), r.choice([None, None, 1, 2, 3])))
            elif kind < 0.55:
                index.append(None)
                dim -= 1
            elif kind < 0.62 and not ellipsis:
                index.append(...)
                ellipsis = True
            elif kind < 0.82:
                index.append(self.writer.tensor(r.choice([[1], [2], [3], [], [2, 1], [0]]), torch.int64, below=size))
            elif kind < 0.88:
                index.append(self.writer.tensor([size], r.choice([torch.bool, torch.bool, torch.uint8])))
            elif kind < 0.92 and dim < t.dim():
                index.append(self.writer.tensor(list(t.shape[dim - 1 : dim + 1]), torch.bool))
                dim += 1
            elif kind < 0.96:
                index.append([r.randint(0, max(size - 1, 0)) for _ in range(r.choice([1, 2]))])
            else:
                index.append(r.random() < 0.5)
        return tuple(index) if len(index) != 1 or r.random() < 0.4 else index[0]
