"""Records what PyTorch 2.13.0 answers to random calls of every operator here, on the CPU and on meta tensors: result, what became of
the arguments, or type and text of the error.

    python tools/oracle/record_calls.py src/aten/native/native_functions.yaml test/fixtures/native/calls.json.gz [SEED] [--only lgamma]

Arguments follow the schema, and mostly make sense together. Tensors are transposed, with gaps, expanded, begin later in their memory,
read negated, empty, without dimensions; bool ones hold other bytes than 0 and 1. `{"x": 2}` is the third tensor of a case.
Replayed by test/aten/native/calls.test.ts.
"""

import argparse
import base64
import gzip
import json
import math
import random
import re
import warnings

import torch
import yaml

torch.set_num_threads(1)
CASES = {"meta": 5, "cpu": 5}
DTYPES = ["float32", "float32", "float32", "float64", "int64", "int64", "int32", "uint8", "int8", "int16", "bool", "bool", "float16", "bfloat16"]
SHAPES = [[2, 3], [2, 3], [2, 3], [3], [3], [], [], [1], [0], [0, 3], [2, 0, 3], [1, 3], [2, 1], [3, 2], [3, 3], [2, 2, 3], [5], [1, 1, 3], [2, 3, 4]]
LOWEST, HIGHEST = -(2**63), 2**63 - 1

# Random numbers hold what they like, and so does memory that nobody has written, or that lies beyond a tensor's end: `_reshape_alias` and
# the softmax backwards do not look.
SKIPPED = re.compile(
    r"^(_reshape_alias|_softmax_backward|_log_softmax_backward|empty|new_empty|resize|set|rand|normal|uniform|bernoulli|random|multinomial|dropout|native_dropout|lift|_local_scalar_dense$|item$|"
    r"requires_grad_|retain_grad|rename|data$|set_data|output_nr|_version|is_leaf|_backward|backward|_fw_primal|_make_dual|_unpack_dual|"
    r"is_pinned|pin_memory|_pin_memory|record_stream|_has_same|_new_zeros_with|_efficientzero|_conj|conj|resolve_conj|result_type|can_cast)"
)
# What these give into one of their own inputs depends on the order in which elements are read and written, or on when it is resized.
NOT_INTO_ITSELF = re.compile(r"^(min|max|all|any|sum|mean|amin|amax|arg|mm|mv|bmm|dot|vdot|addm|baddbmm|matmul|linear|_?(log_)?softmax|cat|stack|gather|scatter|index|nll|masked|cross)")
INTO_SELF = re.compile(r"^(addmm|addmv|baddbmm)_")
# Where a Python function of PyTorch's cannot be called with its operator's own arguments.
PYTHONS_OWN = re.compile(r"got multiple values|unexpected keyword argument|Too many positional|int\(\) argument must be|invalid combination of arguments")


def overload(name):
    base, _, which = name.partition(".")
    return getattr(getattr(torch.ops.aten, base), which or "default")


def operators(yaml_file):
    entries = yaml.safe_load(open(yaml_file))
    names = {e["func"].split("(")[0].split(".")[0] for e in entries}
    autogen = {n.strip() for e in entries for n in e.get("autogen", "").split(",") if n.strip()}
    for op in sorted(torch._C._dispatch_get_all_op_names()):
        namespace, name = op.split("::")
        if namespace == "aten" and (name.split(".")[0] in names or name in autogen) and not SKIPPED.match(name):
            yield name


def values(r, dtype, n):
    if dtype == "bool":
        return [r.random() < 0.5 for _ in range(n)]
    if "float" in dtype:
        return [r.choice([0.5, 1.5, -2.25, 3.0, -1.0, 0.25, 2.0, 0.0]) if r.random() > 0.08 else r.choice(["nan", "inf", "-inf", "-0.0"]) for _ in range(n)]
    if dtype == "uint8":
        return [r.randint(0, 5) if r.random() > 0.1 else 255 for _ in range(n)]
    return [r.randint(-3, 5) for _ in range(n)]


def make_spec(r, device, dtype):
    """A tensor as the two sides make it: `values` in the shape `base`, then seen in another way."""
    shape, base, way = list(r.choice(SHAPES)), None, "plain"
    q = r.random()
    if q < 0.15 and len(shape) >= 2:
        way, base = "transposed", shape[:-2] + [shape[-1], shape[-2]]
    elif q < 0.25 and len(shape) >= 1:
        way, base = "gaps", shape[:-1] + [2 * shape[-1]]
    elif q < 0.33:
        way, base = "expanded", [1 if r.random() < 0.6 else size for size in shape]
    elif q < 0.38 and "float" in dtype:
        way = "negated"
    elif q < 0.48 and dtype == "bool" and device == "cpu":
        way = "bytes"
    elif q < 0.55:
        way, base = "later", [math.prod(shape) + 2]
    base = shape if base is None else base
    n = math.prod(base)
    return {"dtype": dtype, "shape": shape, "base": base, "way": way, "device": device, "values": [r.choice([0, 1, 2, 7, 255]) for _ in range(n)] if way == "bytes" else values(r, dtype, n)}


def make(spec):
    flat = torch.tensor([float(v) if isinstance(v, str) else v for v in spec["values"]], dtype=torch.uint8 if spec["way"] == "bytes" else getattr(torch, spec["dtype"]))
    x = (flat.view(torch.bool) if spec["way"] == "bytes" else flat).view(spec["base"]).to(spec["device"])
    if spec["way"] == "transposed":
        return x.transpose(-1, -2)
    if spec["way"] == "gaps":
        return torch.ops.aten.slice.Tensor(x, -1, 0, None, 2)
    if spec["way"] == "expanded":
        return x.expand(spec["shape"])
    if spec["way"] == "negated":
        return torch.ops.aten._neg_view(x)
    if spec["way"] == "later":
        return torch.ops.aten.slice.Tensor(x, 0, 1, len(spec["values"]) - 1).view(spec["shape"])
    return x


class Case:
    def __init__(self, name, device, seed):
        self.r = r = random.Random(f"{name} {device} {seed}")
        self.fn, self.device = overload(name), device
        base = r.choice(DTYPES)
        self.specs = [make_spec(r, device, base if i < 3 else "int64" if i == 3 else "bool" if i == 4 else r.choice(DTYPES)) for i in range(6)]
        self.dtype, self.shape = r.choice([base, base, base, "float32", "int64"]), None
        self.args, self.kwargs = [], {}
        for a in self.fn._schema.arguments:
            given = not a.has_default_value() or r.random() < 0.5
            if a.kwarg_only:
                if given:
                    self.kwargs[a.name] = self.argument(str(a.type), a.name)
                if a.is_out and NOT_INTO_ITSELF.match(name):
                    self.kwargs[a.name] = self.other_tensor()
            elif self.args and str(a.type) == "Tensor" and INTO_SELF.match(name):
                self.args.append(self.other_tensor())
            elif given or len(self.args) < sum(not p.has_default_value() for p in self.fn._schema.arguments if not p.kwarg_only):
                self.args.append(self.argument(str(a.type), a.name))
            else:
                break  # what follows has a default too

    def other_tensor(self):
        """One that is not yet an argument."""
        used = json.dumps([self.args, self.kwargs])
        return {"x": next((i for i in range(6) if f'{{"x": {i}}}' not in used), 5)}

    def tensor(self, wanted):
        fits = [i for i, s in enumerate(self.specs) if s["dtype"] == wanted]
        choice = fits if fits and self.r.random() < 0.8 else list(range(len(self.specs)))
        same = [i for i in choice if self.specs[i]["shape"] == self.shape]
        i = self.r.choice(same if same and self.r.random() < 0.6 else choice)
        self.shape = self.shape if self.shape is not None else self.specs[i]["shape"]
        return {"x": i}

    def argument(self, kind, name):
        r = self.r
        if kind.startswith("Optional["):
            return None if r.random() < 0.4 else self.argument(kind[len("Optional[") : -1], name)
        if kind == "Tensor":
            return self.tensor("int64" if name in ("index", "target", "indices") else "bool" if name in ("mask", "condition") else self.dtype)
        if kind == "List[Tensor]":
            return [self.tensor(self.dtype) for _ in range(r.choice([1, 2, 2, 3, 0]))]
        if kind == "List[Optional[Tensor]]":
            return [None if r.random() < 0.3 else self.tensor(r.choice(["int64", "bool"])) for _ in range(r.choice([1, 1, 2, 3]))]
        if kind in ("number", "Scalar"):
            if name in ("start", "end", "step"):
                return r.choice([{"i": str(r.choice([0, 1, 2, -1, 3, 30]))}, {"f": r.choice(["0.5", "1.5", "-2.5", "20.0"])}])  # nothing that fills the machine
            return r.choice([{"i": str(r.choice([0, 1, 2, -1, 3]))}, {"i": str(r.choice([1, 2]))}, {"f": r.choice(["0.5", "1.5", "-2.5", "2.0", "0.0"])}, {"b": r.random() < 0.5}, {"f": r.choice(["nan", "inf", "1e+30"])}, {"i": str(r.choice([2**31, HIGHEST, LOWEST]))}][: 6 if r.random() < 0.4 else 3])
        if kind == "float":
            return {"f": r.choice(["0.5", "1.5", "0.0", "-1.0"])}
        if kind == "bool":
            return False if name in ("pin_memory", "sparse_grad") else r.random() < 0.5
        if kind in ("int", "SymInt"):
            if name in ("dtype", "out_dtype", "input_dtype"):
                return {"torch": r.choice(DTYPES)}
            if name == "memory_format":
                return {"torch": r.choice(["contiguous_format", "preserve_format", "channels_last"])}
            if name == "layout":
                return None
            if "dim" in name:
                return r.choice([0, 0, -1, 1, 1, 2, -2, 3])
            return r.choice([0, 1, 2]) if name == "reduction" else r.choice([0, 1, 2, 3, -1, 5])
        if kind in ("List[int]", "List[SymInt]"):
            if "dim" in name:
                return [r.choice([0, 1, -1, 2, -2]) for _ in range(r.choice([1, 1, 2, 0, 3]))]
            if self.shape is not None and r.random() < 0.5:
                return r.choice([self.shape, [math.prod(self.shape)], [2, *self.shape], [-1]])
            return [r.choice([1, 2, 3, 2, 3, -1, 0, 6]) for _ in range(r.choice([1, 2, 2, 3, 0]))]
        if kind == "Device":
            return {"device": self.device}
        if kind == "ScalarType":
            return {"torch": r.choice(DTYPES)}
        if kind == "MemoryFormat":
            return {"torch": r.choice(["contiguous_format", "preserve_format"])}
        return r.choice(["floor", "trunc", "add"]) if kind == "str" else None

    def run(self):
        tensors = [make(s) for s in self.specs]
        decode = lambda a: decoded(a, tensors)
        answer = {"specs": self.specs, "args": self.args, "kwargs": self.kwargs}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                result = self.fn(*map(decode, self.args), **{k: decode(v) for k, v in self.kwargs.items()})
            except Exception as e:
                answer["error"] = [type(e).__name__, str(e).split("\nException raised from")[0]]
                # A failed call may have resized; what it left in memory is nobody's word.
                return {**answer, "after": [state(x, False) for x in tensors]}
        return {**answer, "result": describe(result), "after": [state(x, True) for x in tensors]}


def decoded(a, tensors):
    if isinstance(a, list):
        return [decoded(x, tensors) for x in a]
    if isinstance(a, dict):
        ((kind, v),) = a.items()
        return {"x": lambda: tensors[v], "i": lambda: int(v), "f": lambda: float(v), "b": lambda: v, "torch": lambda: getattr(torch, v), "device": lambda: torch.device(v)}[kind]()
    return a


def state(x, written):
    data = None
    if x.device.type == "cpu" and written and all(size >= 0 for size in x.shape) and not (x.is_neg() and x.dtype is torch.bool):
        flat = x.detach().resolve_neg().clone(memory_format=torch.contiguous_format).reshape(-1)
        data = base64.b64encode(bytes(flat.view(torch.uint8).tolist()) if flat.numel() else b"").decode()
    return [str(x.dtype).removeprefix("torch."), list(x.shape), list(x.stride()), x.storage_offset(), x.device.type, x.is_neg(), x._version, data]


def describe(r):
    if isinstance(r, torch.Tensor):
        return {"tensor": state(r, True)}
    if isinstance(r, (list, tuple)):
        return {"list": [describe(e) for e in r]}
    return {"plain": repr(r) if isinstance(r, float) else r}


def main(yaml_file, target, seed, only):
    assert torch.__version__.startswith("2.13.0")
    ops, errors, count = {}, 0, 0
    for name in operators(yaml_file):
        if only is not None and name.split(".")[0] not in (only, f"{only}_"):
            continue
        cases = []
        for device, n in CASES.items():
            k = 0
            while n > 0 and k < 30:
                case = Case(name, device, f"{seed} {k}").run()
                k += 1
                if "error" in case and (PYTHONS_OWN.search(case["error"][1]) or len([c for c in cases if "error" in c and c["specs"][0]["device"] == device]) >= CASES[device] // 2):
                    continue  # half of them may fail
                cases.append(case)
                n -= 1
        ops[name] = cases
        count += len(cases)
        errors += sum("error" in c for c in cases)
    print(len(ops), "operators,", count, "calls,", errors, "errors")
    with open(target, "wb") as f, gzip.GzipFile(fileobj=f, mode="wb", mtime=0) as z:
        z.write(json.dumps({"torch": torch.__version__, "ops": ops}, separators=(",", ":")).encode())


parser = argparse.ArgumentParser()
parser.add_argument("yaml")
parser.add_argument("target")
parser.add_argument("seed", nargs="?", default="0")
parser.add_argument("--only", help="all forms of one operator")
given = parser.parse_args()
main(given.yaml, given.target, given.seed, given.only)
