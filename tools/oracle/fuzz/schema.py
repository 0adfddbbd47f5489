"""The arguments of a schema line, and the schemas of what has none in PyTorch because it is written by hand."""

import re
from dataclasses import dataclass, replace

import optimizers
import torch
from modules import makes_a_layer


@dataclass(frozen=True)
class Argument:
    name: str
    type: str  # "Tensor", "int[]", "Scalar?", without the alias annotation and the number in int[2]
    required: bool
    kwarg_only: bool
    written: bool  # annotated (a!)
    positional_only: bool = False


def parse(line):
    """`aten::add.out(Tensor self, ..., *, Tensor(a!) out) -> Tensor(a!)` -> its arguments."""
    inside = re.search(r"\((.*)\) ->", line).group(1)
    arguments, kwarg_only = [], False
    for part in split(inside):
        if part == "*":
            kwarg_only = True
            continue
        if part == "/":
            arguments = [replace(a, positional_only=True) for a in arguments]
            continue
        left, _, default = part.partition("=")
        type_, name = left.rsplit(" ", 1)
        written = "!" in type_
        plain = re.sub(r"\(.*?\)", "", type_)
        plain = re.sub(r"\[\d+\]", "[]", plain).replace("SymInt", "int")
        arguments.append(Argument(name, plain, default == "", kwarg_only, written))
    return arguments


def split(text):
    """At the commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += c in "([" 
        depth -= c in ")]"
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return [p for p in parts if p]


# Python functions and hand-written methods, in the schema language; a type may be one of those that arguments.py draws.
BY_HAND = """
torch.tensor(data data, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor
torch.as_tensor(data data, *, ScalarType? dtype=None, Device? device=None) -> Tensor
torch.asarray(data obj, *, ScalarType? dtype=None, bool? copy=None, bool requires_grad=False) -> Tensor
torch.split(Tensor tensor, split split_size_or_sections, int dim=0) -> Tensor[]
torch.broadcast_tensors(Tensor a, Tensor b) -> Tensor[]
torch.broadcast_shapes(int[] a, int[] b) -> int[]
torch.can_cast(ScalarType from_, ScalarType to) -> bool
torch.promote_types(ScalarType type1, ScalarType type2) -> ScalarType
torch.is_tensor(any obj, /) -> bool
torch.is_storage(any obj, /) -> bool
torch.numel(Tensor input) -> int
torch.get_device(Tensor input) -> int
F.cross_entropy(Tensor input, Tensor target, Tensor? weight=None, bool? size_average=None, int ignore_index=-100, bool? reduce=None, str reduction='mean', float label_smoothing=0.0) -> Tensor
F.nll_loss(Tensor input, Tensor target, Tensor? weight=None, bool? size_average=None, int ignore_index=-100, bool? reduce=None, str reduction='mean') -> Tensor
F.dropout(Tensor input, float p=0.5, bool training=True, bool inplace=False) -> Tensor
F.linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor
F.prelu(Tensor input, Tensor weight) -> Tensor
F.relu(Tensor input, bool inplace=False) -> Tensor
F.sigmoid(Tensor input) -> Tensor
F.tanh(Tensor input) -> Tensor
F.softmax(Tensor input, int? dim=None, int _stacklevel=3, ScalarType? dtype=None) -> Tensor
F.log_softmax(Tensor input, int? dim=None, int _stacklevel=3, ScalarType? dtype=None) -> Tensor
F.threshold(Tensor input, Scalar threshold, Scalar value, bool inplace=False) -> Tensor
F.threshold_(Tensor input, Scalar threshold, Scalar value) -> Tensor
Tensor.backward(Tensor self, Tensor? gradient=None, bool? retain_graph=None, bool create_graph=False, Tensor[]? inputs=None) -> ()
Tensor.requires_grad_(Tensor self, bool requires_grad=True) -> Tensor
Tensor.split(Tensor self, split split_size, int dim=0) -> Tensor[]
Tensor.__len__(Tensor self) -> int
Tensor.__contains__(Tensor self, Scalar element) -> bool
Tensor.__bool__(Tensor self) -> bool
Tensor.__float__(Tensor self) -> float
Tensor.__int__(Tensor self) -> int
Tensor.__index__(Tensor self) -> int
Tensor.__invert__(Tensor self) -> Tensor
Tensor.__neg__(Tensor self) -> Tensor
Tensor.__abs__(Tensor self) -> Tensor
Tensor._is_view(Tensor self) -> bool
Tensor.bfloat16(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
Tensor.bool(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
Tensor.byte(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
Tensor.char(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
Tensor.short(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
Tensor.int(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
Tensor.long(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
Tensor.half(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
Tensor.float(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
Tensor.double(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
Tensor.cpu(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor
Tensor.contiguous(Tensor self, *, MemoryFormat memory_format=contiguous_format) -> Tensor
Tensor.copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor
Tensor.dim(Tensor self) -> int
Tensor.ndimension(Tensor self) -> int
Tensor.numel(Tensor self) -> int
Tensor.nelement(Tensor self) -> int
Tensor.element_size(Tensor self) -> int
Tensor.get_device(Tensor self) -> int
Tensor.is_contiguous(Tensor self, *, MemoryFormat memory_format=contiguous_format) -> bool
Tensor.item(Tensor self) -> Scalar
Tensor.tolist(Tensor self) -> any
Tensor.new_tensor(Tensor self, data data, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor
Tensor.size(Tensor self, int? dim=None) -> any
Tensor.stride(Tensor self, int? dim=None) -> any
Tensor.storage_offset(Tensor self) -> int
Tensor.to(Tensor self, dtype_or_device dtype, bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None) -> Tensor
Tensor.type(Tensor self, dtype_or_name? dtype=None) -> any
Tensor.nonzero(Tensor self, *, bool as_tuple=False) -> any
Tensor.retain_grad(Tensor(a!) self) -> ()
Tensor.set_(Tensor(a!) self, Tensor? source=None) -> Tensor
getitem(Tensor self, index index) -> Tensor
setitem(Tensor self, index index, value value) -> ()
get(Tensor self, property name) -> any
set(Tensor self, settable name, setting value) -> ()
print(Tensor self) -> str
grad(Tensor[] outputs, Tensor[] inputs, Tensor?[]? grad_outputs=None, bool? retain_graph=None, bool create_graph=False, bool? allow_unused=None, bool materialize_grads=False) -> Tensor[]
hook(Tensor self, hook_kind kind) -> any
post_hook(Tensor self, hook_kind kind) -> any
node_hook(Tensor self, hook_kind kind) -> any
node_prehook(Tensor self, hook_kind kind) -> any
unhook(handle handle) -> ()
saved(Tensor self) -> any
"""

DUNDERS = "add radd iadd sub rsub isub mul rmul imul truediv rtruediv idiv matmul rmatmul pow rpow eq ne lt le gt ge and or xor lshift rshift iand ior ixor ilshift irshift rand ror rxor rlshift rrshift".split()
BY_HAND += "".join(f"Tensor.__{name}__(Tensor self, value other) -> any\n" for name in DUNDERS)

# How often each special step is wanted, beside functions and methods, which count 1 by name.
WEIGHTS = {"getitem": 14, "setitem": 14, "get": 8, "set": 60, "print": 5, "grad": 8, "hook": 5, "post_hook": 2, "node_hook": 2, "node_prehook": 2, "unhook": 2, "saved": 6, "Tensor.backward": 150, "Tensor.requires_grad_": 4, "Tensor.tolist": 3, **optimizers.WEIGHTS}


def all_calls(inventory):
    """`{call: [arguments, ...]}` of every operator, function and method that is on both sides; one list for each overload."""
    calls = {}

    def add(call, arguments):
        calls.setdefault(call, []).append(arguments)

    here = {place: set(names) for place, names in inventory.items()}
    for full in inventory["operators"]:
        name, _, overload = full.partition(".")
        try:
            schema = torch._C._get_schema(name, overload)
        except RuntimeError:
            continue  # ours alone: said by the test of schemas
        if not name.startswith("aten::") or "Stream" in str(schema) or "Dimname" in str(schema):
            continue
        arguments = parse(str(schema))
        short = name.removeprefix("aten::")
        if not hasattr(torch.ops.aten, short):
            continue
        add(f"aten.{short}.{overload or 'default'}", arguments)
        # `add_out`'s overloads are the `out=` of `torch.add`; a method takes no `out`.
        if short in here["torch"] and callable(getattr(torch, short, None)):
            add(f"torch.{short}", arguments)
        if short in here["Tensor"] and callable(getattr(torch.Tensor, short, None)) and arguments and arguments[0].type == "Tensor" and arguments[0].name == "self" and not any(a.written and a.kwarg_only for a in arguments):
            add(f"Tensor.{short}", arguments)
    for line in BY_HAND.strip().split("\n"):
        call = line.partition("(")[0]
        place, _, name = call.rpartition(".")
        if place == "" or (name in here[place] and hasattr({"torch": torch, "F": torch.nn.functional, "Tensor": torch.Tensor}[place], name)):
            add(call, parse(line))
    for name in inventory["nn"]:
        if makes_a_layer(name):
            add(f"nn.{name}", [])
    for call in optimizers.calls(here):
        add(call, [])
    return calls
