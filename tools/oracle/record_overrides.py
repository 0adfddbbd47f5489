"""Records which functions PyTorch 2.13.0 hands to `__torch_function__`, with which types and arguments, in which order.

    python tools/oracle/record_overrides.py test/fixtures/overrides/calls.json.gz

Rows [TypeScript, Python, who, calls, outcome]. `who` is "mode" (a TorchFunctionMode around the line, `x` a plain tensor) or
"subclass" (`x` is an `S`, a subclass that notes what it is handed and passes it on). A call is [name, __name__, types, args, kwargs];
the outcome is what came back, or [error, message]. test/torch/overrides.test.ts runs the TypeScript.
"""

import copy
import gzip
import json
import os
import sys
import warnings

import torch
import torch.nn.functional as F

# In TypeScript `S`, `x`, `y` are the same; `x` is [[1.5, 2], [3, 4]].
CASES = [
    # printing
    ("String(x)", "repr(x)"),
    ("x.__repr__({tensor_contents: '...'})", "x.__repr__(tensor_contents='...')"),
    # indexing
    ("x.at(0)", "x[0]"),
    ("x.at(0, torch.slice(1, 2), null, '...')", "x[0, 1:2, None, ...]"),
    ("x.__getitem__([0, 1])", "x[0, 1]"),
    ("x.__getitem__([[0, 1]])", "x[[0, 1]]"),
    ("x.__setitem__(0, 5)", "x.__setitem__(0, 5)"),
    ("x.set_at(5, 0, 1).dim()", "(x.__setitem__((0, 1), 5), x.dim())[1]"),
    ("torch.ones(2, 2).__setitem__(x.gt(2), 1.5)", "torch.ones(2, 2).__setitem__(x.gt(2), 1.5)"),
    ("torch.ones(2, 2).at(x.gt(2))", "torch.ones(2, 2)[x.gt(2)]"),
    ("torch.ones(2, 2).at(0, x.long().at(0))", "torch.ones(2, 2)[0, x.long()[0]]"),
    ("torch.ones(2, 2).__setitem__(0, x.at(0))", "torch.ones(2, 2).__setitem__(0, x[0])"),
    ("x.at(5)", "x[5]"),
    ("torch.ones(3).at(torch.Tensor)", "torch.ones(3)[torch.Tensor]"),
    ("torch.ones(3).at(S)", "torch.ones(3)[S]"),
    # operators
    *[(f"x.{name}({arg})", f"x.{name}({arg})") for name in (
        "__add__", "__radd__", "__iadd__", "__sub__", "__isub__", "__rsub__", "__mul__", "__rmul__", "__imul__", "__truediv__", "__idiv__", "__itruediv__", "__rtruediv__",
        "__rdiv__", "__pow__", "__rpow__", "__ipow__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__",
    ) for arg in ("2", "x", "'a'")],
    *[(f"x.{name}()", f"x.{name}()") for name in ("__neg__", "__abs__")],
    ("x.__matmul__(x)", "x.__matmul__(x)"),
    ("x.__rmatmul__(x)", "x.__rmatmul__(x)"),
    ("x.gt(2).__invert__()", "x.gt(2).__invert__()"),
    *[(f"x.{cast}.{name}({arg})", f"x.{cast}.{name}({arg.replace('true', 'True')})") for cast, name, arg in (
        ("long()", "__rlshift__", "1"), ("long()", "__rrshift__", "1"), ("gt(2)", "__rand__", "true"), ("gt(2)", "__ror__", "true"),
        ("gt(2)", "__rxor__", "true"), ("gt(2)", "__and__", "true"),
    )],
    ("x.__sub__()", "x.__sub__()"),
    ("x.__rsub__()", "x.__rsub__()"),
    ("x.__rsub__(1, 2)", "x.__rsub__(1, 2)"),
    # methods that are Python
    ("x.__len__()", "x.__len__()"),
    ("x.__contains__(2)", "x.__contains__(2)"),
    ("x.__contains__('a')", "x.__contains__('a')"),
    ("x.split(1)", "x.split(1)"),
    ("x.split(1, {dim: 1})", "x.split(1, dim=1)"),
    ("x.split([1, 1], 1)", "x.split([1, 1], 1)"),
    ("x.split('a')", "x.split('a')"),
    ("x.requires_grad_().sum().backward()", "x.requires_grad_().sum().backward()"),
    ("x.requires_grad_().mul(2).backward(y, {retain_graph: true})", "x.requires_grad_().mul(2).backward(y, retain_graph=True)"),
    ("x.requires_grad_().mul(2).backward()", "x.requires_grad_().mul(2).backward()"),
    ("x.requires_grad_().register_hook((g) => g) === null", "x.requires_grad_().register_hook(lambda g: g) is None"),
    ("x.register_hook((g) => g)", "x.register_hook(lambda g: g)"),
    (
        "x.requires_grad_().register_post_accumulate_grad_hook((g) => g) === null",
        "x.requires_grad_().register_post_accumulate_grad_hook(lambda g: g) is None",
    ),
    ("x.__deepcopy__(new Map())", "x.__deepcopy__({})"),
    ("torch.split(x, [1, 1], 1)", "torch.split(x, [1, 1], 1)"),
    ("torch.broadcast_tensors(x, y)", "torch.broadcast_tensors(x, y)"),
    ("torch.autograd.grad(x.requires_grad_().sum(), x)", "torch.autograd.grad(x.requires_grad_().sum(), x)"),
    ("torch.autograd.grad([x.requires_grad_().mul(2)], [x], [y], {retain_graph: true})", "torch.autograd.grad([x.requires_grad_().mul(2)], [x], [y], retain_graph=True)"),
    ("torch.autograd.backward(x.requires_grad_().sum())", "torch.autograd.backward(x.requires_grad_().sum())"),
    ("torch.autograd.backward([x.requires_grad_().sum()], {inputs: x})", "torch.autograd.backward([x.requires_grad_().sum()], inputs=x)"),
    # attributes
    *[(f"x.{name}", f"x.{name}") for name in (
        "shape", "grad", "data", "T", "mT", "dtype", "is_leaf", "requires_grad", "grad_fn", "_version", "ndim", "_base", "is_meta", "itemsize", "nbytes", "output_nr",
        "retains_grad", "name",
    )],
    ("(x.grad = null)", "setattr(x, 'grad', None)"),
    ("(x.requires_grad = true, null)", "setattr(x, 'requires_grad', True)"),
    ("(x.data = torch.ones(1), null)", "setattr(x, 'data', torch.ones(1))"),
    ("(x.shape = 5)", "setattr(x, 'shape', 5)"),
    # methods that are C++
    *[(f"x.{call}", f"x.{call}") for call in (
        "dim()", "size()", "size(0)", "stride()", "numel()", "nelement()", "ndimension()", "tolist()", "item()", "detach()", "cpu()", "to(torch.float64)", "double()", "contiguous()",
        "is_contiguous()", "new_ones(2)", "new_tensor([1])", "max(0)", "max()", "min(1)", "storage_offset()", "element_size()", "get_device()", "requires_grad_()",
        "unbind()", "chunk(2)", "view(4)", "type()", "type(torch.int64)", "copy_(y)", "add('a')", "sum(0)", "add()", "nonzero()", "__bool__()", "__float__()", "__int__()", "__index__()", "fill_(1)",
        "data_ptr() == 0", "set_()", "is_floating_point()",
    )],
    ("x.add(y, {alpha: 2})", "x.add(y, alpha=2)"),
    ("x.add(x, {alpha: 2})", "x.add(x, alpha=2)"),
    ("x.as_subclass(T)", "x.as_subclass(T)"),
    ("torch.Tensor._make_subclass(T, x)", "torch.Tensor._make_subclass(T, x)"),
    ("x.apply_((v) => v)", "x.apply_(lambda v: v)"),
    # functions
    ("[...x]", "list(iter(x.unbind(0))) if x.dim() else None"),
    ("torch.max(x, 0)", "torch.max(x, 0)"),
    ("torch.max(x, 0).values", "torch.max(x, 0).values"),
    ("torch.add(x, y, {out: torch.empty(2, 2)})", "torch.add(x, y, out=torch.empty(2, 2))"),
    ("torch.stack([x, y])", "torch.stack([x, y])"),
    ("torch.cat([y, x])", "torch.cat([y, x])"),
    ("torch.where(x.gt(2), x, y)", "torch.where(x.gt(2), x, y)"),
    ("torch.equal(x, x)", "torch.equal(x, x)"),
    ("torch.ones_like(x)", "torch.ones_like(x)"),
    ("torch.ones(2)", "torch.ones(2)"),
    ("torch.tensor([1.5])", "torch.tensor([1.5])"),
    ("torch.tensor(x)", "torch.tensor(x)"),
    ("torch.is_tensor(x)", "torch.is_tensor(x)"),
    ("torch.add(torch.Tensor, x)", "torch.add(torch.Tensor, x)"),
    ("torch.add(S, y)", "torch.add(S, y)"),
    ("torch.numel(x)", "torch.numel(x)"),
    ("F.relu(x)", "F.relu(x)"),
    ("F.relu(x, true)", "F.relu(x, True)"),
    ("F.dropout(x, 0.5, false)", "F.dropout(x, 0.5, False)"),
    ("F.softmax(x, 0)", "F.softmax(x, 0)"),
    ("F.log_softmax(x, {dim: 0})", "F.log_softmax(x, dim=0)"),
    ("F.sigmoid(x)", "F.sigmoid(x)"),
    ("F.threshold(x, 2, 0)", "F.threshold(x, 2, 0)"),
    ("F.linear(x, y)", "F.linear(x, y)"),
    ("F.prelu(x, torch.ones(1))", "F.prelu(x, torch.ones(1))"),
    ("F.cross_entropy(x, torch.tensor([0, 1]))", "F.cross_entropy(x, torch.tensor([0, 1]))"),
    ("F.nll_loss(x, torch.tensor([0, 1]), {reduction: 'sum'})", "F.nll_loss(x, torch.tensor([0, 1]), reduction='sum')"),
    ("init.constant_(x, 1.5)", "init.constant_(x, 1.5)"),
    ("init.uniform_(x)", "init.uniform_(x)"),
    ("init.ones_(x)", "init.ones_(x)"),
    ("init.kaiming_uniform_(x)", "init.kaiming_uniform_(x)"),
    ("init.kaiming_normal_(x)", "init.kaiming_normal_(x)"),
    ("init.xavier_normal_(x)", "init.xavier_normal_(x)"),
    ("new torch.nn.Parameter(x)", "torch.nn.Parameter(x)"),
    ("new torch.nn.Parameter(x) instanceof torch.nn.Parameter", "isinstance(torch.nn.Parameter(x), torch.nn.Parameter)"),
    ("new torch.nn.Parameter(x.long())", "torch.nn.Parameter(x.long())"),
    ("torch.no_grad(() => x.mul(2))", "no_grad(lambda: x.mul(2))"),
]

calls = []


def no_grad(fn):
    with torch.no_grad():
        return fn()


def describe(value):
    """What TypeScript writes for it too."""
    if isinstance(value, torch.Tensor):
        return type(value).__name__
    if isinstance(value, tuple) and hasattr(value, "n_fields"):
        return {"fields": type(value).__name__, "items": [describe(v) for v in value]}
    if isinstance(value, (list, tuple)):
        return [describe(v) for v in value]
    if isinstance(value, dict):
        return {k: describe(v) for k, v in value.items()}
    if isinstance(value, slice):
        return {"start": value.start, "stop": value.stop, "step": value.step}
    if value is Ellipsis or isinstance(value, torch.dtype):
        return "..." if value is Ellipsis else str(value)
    if value is NotImplemented:
        return "NotImplemented"
    if isinstance(value, type):
        return f"class {value.__name__}"
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return "a function" if callable(value) else "an object"


def note(func, types, args, kwargs):
    shown = list(args)
    if func in (torch.Tensor.__getitem__, torch.Tensor.__setitem__) and isinstance(args[1], list):
        shown[1] = (args[1],)  # in TypeScript the outermost array is the tuple of indices
    names = [t.__name__ for t in types]
    calls.append([torch.overrides.resolve_name(func), func.__name__, names, describe(shown), describe(kwargs)])


class Watch(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        note(func, types, args, kwargs)
        return func(*args, **(kwargs or {}))


class S(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        note(func, types, args, kwargs)
        return super().__torch_function__(func, types, args, kwargs)


class T(torch.Tensor):
    pass


def run(python, who):
    x = torch.tensor([[1.5, 2.0], [3.0, 4.0]])
    y = torch.ones(2, 2)
    scope = {"torch": torch, "F": F, "init": torch.nn.init, "S": S, "T": T, "x": x, "y": y, "no_grad": no_grad}
    if who == "subclass":
        scope["x"] = x.as_subclass(S)
    calls.clear()
    try:
        if who == "mode":
            with Watch():
                outcome = eval(python, scope)
        else:
            outcome = eval(python, scope)
        outcome = describe(outcome)
    except Exception as error:  # whatever it is, it is the answer
        outcome = [type(error).__name__, str(error)]
    return [copy.deepcopy(calls), outcome]


def main(path):
    warnings.simplefilter("ignore")
    rows = [[ts, python, who, *run(python, who)] for ts, python in CASES for who in ("mode", "subclass")]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = {"torch": torch.__version__, "script": "tools/oracle/record_overrides.py", "rows": rows}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data, indent=0).encode(), mtime=0))
    print(len(rows), "rows")


if __name__ == "__main__":
    main(sys.argv[1])
