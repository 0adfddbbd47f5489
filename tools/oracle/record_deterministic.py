"""Records what PyTorch 2.13.0 does under `torch.use_deterministic_algorithms`: the switches, fills, alerts, calls that are made.

    python tools/oracle/record_deterministic.py test/fixtures/front_end/deterministic.json.gz

`switches`: rows [TypeScript, Python, outcome, warnings, mode], one after the other, where mode is what get_deterministic_debug_mode() says then.
`programs`: rows [TypeScript, Python, {setting: [outcome, warnings]}]: each alone, under each setting [debug mode, fill_uninitialized_memory].
An outcome is the repr of the result or [error, message]. `calls`: rows [TypeScript, Python, tree]: names of operators, each with those that it called.
`upsampling`: rows [dtype, shape, elements, arguments, results, gradients]: `_upsample_linear_vec` of the decompositions, and its gradient.
"""

import contextlib
import gzip
import json
import os
import re
import sys
import tempfile
import warnings

import torch
from torch._decomp.decompositions import _upsample_linear_vec
from torch.profiler import ProfilerActivity, profile

DTYPES = ["float32", "float64", "float16", "bfloat16", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "bool"]

SWITCHES = [
    ("torch.get_deterministic_debug_mode()", None),
    ("torch.are_deterministic_algorithms_enabled()", None),
    ("torch.is_deterministic_algorithms_warn_only_enabled()", None),
    ("torch.utils.deterministic.fill_uninitialized_memory", None),
    ("torch._C._get_deterministic_algorithms()", None),
    ("torch._C._get_deterministic_algorithms_warn_only()", None),
    ("torch._C._get_deterministic_fill_uninitialized_memory()", None),
    ("torch.use_deterministic_algorithms(true)", "torch.use_deterministic_algorithms(True)"),
    ("torch.are_deterministic_algorithms_enabled()", None),
    ("torch.is_deterministic_algorithms_warn_only_enabled()", None),
    ("torch.use_deterministic_algorithms(true, {warn_only: true})", "torch.use_deterministic_algorithms(True, warn_only=True)"),
    ("torch.is_deterministic_algorithms_warn_only_enabled()", None),
    ("torch.use_deterministic_algorithms(false, {warn_only: true})", "torch.use_deterministic_algorithms(False, warn_only=True)"),
    ("torch.are_deterministic_algorithms_enabled()", None),
    ("torch.is_deterministic_algorithms_warn_only_enabled()", None),
    ("torch.use_deterministic_algorithms({mode: true})", "torch.use_deterministic_algorithms(mode=True)"),
    ("torch.is_deterministic_algorithms_warn_only_enabled()", None),
    ("torch.use_deterministic_algorithms()", None),
    ("torch.use_deterministic_algorithms(1)", None),
    ("torch.use_deterministic_algorithms('a')", None),
    ("torch.use_deterministic_algorithms(null)", "torch.use_deterministic_algorithms(None)"),
    ("torch.use_deterministic_algorithms(true, true)", "torch.use_deterministic_algorithms(True, True)"),
    ("torch.use_deterministic_algorithms(false, {warn_only: 1})", "torch.use_deterministic_algorithms(False, warn_only=1)"),
    ("torch.use_deterministic_algorithms(false, {warn: true})", "torch.use_deterministic_algorithms(False, warn=True)"),
    ("torch._C._set_deterministic_algorithms()", None),
    ("torch._C._set_deterministic_algorithms(true, false)", "torch._C._set_deterministic_algorithms(True, False)"),
    ("torch._C._set_deterministic_algorithms({mode: true, warn_only: true})", "torch._C._set_deterministic_algorithms(mode=True, warn_only=True)"),
    ("torch._C._set_deterministic_algorithms(true, {warn: true})", "torch._C._set_deterministic_algorithms(True, warn=True)"),
    ("torch._C._set_deterministic_algorithms(false)", "torch._C._set_deterministic_algorithms(False)"),
    ("torch._C._set_deterministic_fill_uninitialized_memory(1)", None),
    ("torch._C._set_deterministic_fill_uninitialized_memory(null)", "torch._C._set_deterministic_fill_uninitialized_memory(None)"),
    ("torch._C._set_deterministic_fill_uninitialized_memory(false)", "torch._C._set_deterministic_fill_uninitialized_memory(False)"),
    ("torch.utils.deterministic.fill_uninitialized_memory", None),
    ("Reflect.set(torch.utils.deterministic, 'fill_uninitialized_memory', 'x')", "setattr(torch.utils.deterministic, 'fill_uninitialized_memory', 'x')"),
    ("void Reflect.set(torch.utils.deterministic, 'fill_uninitialized_memory', true)", "setattr(torch.utils.deterministic, 'fill_uninitialized_memory', True)"),
    ("torch._C._get_deterministic_fill_uninitialized_memory()", None),
    *((f"torch.set_deterministic_debug_mode({ts})", f"torch.set_deterministic_debug_mode({py})") for ts, py in (
        (2, 2), ("'warn'", "'warn'"), ("'error'", "'error'"), (0, 0), (1, 1), ("'default'", "'default'"), ("true", "True"), ("false", "False"), ("2n", "2"),
        ("'Warn'", "'Warn'"), ("''", "''"), ("'toString'", "'toString'"), (3, 3), (-1, -1), (1.5, 1.5), ("torch.Float(1)", "1.0"), ("null", "None"), ("[1]", "[1]"),
        ("torch.tensor(1)", "torch.tensor(1)"), ("", ""), ("{debug_mode: 1}", "debug_mode=1"), ("1, 2", "1, 2"),
    )),
    ("torch.backends.cudnn.deterministic", None),
    ("Reflect.set(torch.backends.cudnn, 'deterministic', 1)", "setattr(torch.backends.cudnn, 'deterministic', 1)"),
    ("torch._C._set_cudnn_deterministic(true)", "torch._C._set_cudnn_deterministic(True)"),
    ("torch.backends.cudnn.deterministic", None),
    ("torch._C._set_cudnn_deterministic(false)", "torch._C._set_cudnn_deterministic(False)"),
    ("torch.set_deterministic_debug_mode(0)", None),
]


def written(ts):
    """The Python of plain TypeScript: keyword objects, true, false, null."""
    py, before = ts, None
    while py != before:
        before, py = py, re.sub(r"\{([^{}]*)\}", lambda m: re.sub(r"(\w+): ", r"\1=", m[1]), py)
    py = py.replace("new ", "")
    return re.sub(r"\btrue\b", "True", re.sub(r"\bfalse\b", "False", re.sub(r"\bnull\b", "None", py)))


FILLS = [
    f"torch.{call}" + (".tolist()" if dtype.startswith("uint") else "")  # most of these cannot be printed here
    for dtype in DTYPES
    for call in (
        f"empty([2], {{dtype: torch.{dtype}}})",
        f"empty([0, 2], {{dtype: torch.{dtype}}})",
        f"empty([], {{dtype: torch.{dtype}}})",
        f"empty_strided([2, 2], [1, 2], {{dtype: torch.{dtype}}})",
        f"zeros([2], {{dtype: torch.{dtype}}}).resize_([4])",
    )
] + [
    "torch.empty([1, 2, 2, 2], {memory_format: torch.channels_last})",
    "torch.empty([2], {out: torch.zeros([3])})",
    "torch.empty([2], {out: torch.zeros([2], {dtype: torch.int64})})",
    "torch.empty([2], {requires_grad: true})",
    "torch.empty([2])._version",
    "torch.empty_like(torch.zeros([2, 2]).t())",
    "torch.empty_like(torch.zeros([2]), {dtype: torch.int32})",
    "torch.empty_like(torch.zeros([2, 3]).expand([2, 2, 3]), {memory_format: torch.contiguous_format})",
    "torch.zeros([2], {dtype: torch.int8}).new_empty([3])",
    "torch.zeros([2], {dtype: torch.bool}).new_empty_strided([2, 2], [2, 1])",
    "torch.ops.aten.empty.out([2], {out: torch.zeros([4])})",
    "torch.ops.aten.empty_like.out(torch.zeros([2]), {out: torch.zeros([2])})",
    "torch.ops.aten.empty_strided.out([2], [1], {out: torch.zeros([2])})",
    "new torch.Tensor(2)",
    "torch.LongTensor(2)",
    "torch.zeros([3]).resize_([5])",
    "torch.zeros([3]).resize_([2])",
    "torch.zeros([3]).resize_([2]).resize_([3])",
    "torch.zeros([6]).view([2, 3]).resize_([3, 3])",
    "torch.zeros([6]).__getitem__(slice(4, null)).resize_([3])",
    "torch.zeros([0]).resize_([2])",
    "torch.tensor(1).resize_([3])",
    "torch.zeros([1, 2, 1, 2]).resize_([1, 2, 2, 2], {memory_format: torch.channels_last})",
    "torch.zeros([2]).resize_as_(torch.ones([3]))",
    "torch.zeros([2])._version",
    "torch.zeros([2]).resize_([4])._version",
    "torch.empty([2], {device: 'meta'})",
    "torch.empty([2], {device: 'meta'}).resize_([5])",
    "torch.empty([2], {device: 'meta'})._version",
    # What is empty on its way is nothing of the result.
    *(f"torch.{call}" for call in (
        "zeros([2])", "ones([2])", "full([2], 3)", "eye(2)", "arange(4)", "linspace(0, 1, 3)", "tensor([1.5, 2.5])", "scalar_tensor(2.5)",
        "add(torch.ones([2]), 1)", "cat([torch.ones([1]), torch.zeros([2])])", "stack([torch.ones([1]), torch.zeros([1])])", "sort(torch.tensor([3, 1, 2]))[0]",
        "cumsum(torch.ones([3]), 0)", "cumsum(torch.ones([3]), 0, {out: torch.empty([0])})", "median(torch.tensor([3.5, 1.5, 2.5]), 0)[1]", "histc(torch.tensor([1.5, 2.5, 1.5]), 3, 0, 3)",
        "bincount(torch.tensor([0, 2, 2]), torch.tensor([0.5, 1.5, 1.5]))", "kthvalue(torch.tensor([3.5, 1.5, 2.5]), 2)[0]", "unique(torch.tensor([3, 1, 3]))",
        "nonzero(torch.tensor([0, 1, 1]))", "where(torch.tensor([true, false]), 1, 2)", "tril(torch.ones([2, 2]))", "bmm(torch.ones([1, 2, 2]), torch.ones([1, 2, 2]))",
    )),
]

ALERTS = [
    "torch.zeros([3]).put_(torch.tensor([0]), torch.tensor([1.5]))",
    "torch.zeros([3]).put_(torch.tensor([0]), torch.tensor([1.5]), true)",
    "torch.zeros([3]).put_(torch.tensor([0, 0]), torch.tensor([1.5, 2.5]), {accumulate: true})",
    "torch.zeros([3]).put(torch.tensor([0]), torch.tensor([1.5]))",
    "torch.zeros([3]).put_(torch.tensor([0.5]), torch.tensor([1.5]))",
    "torch.zeros([3]).put_(torch.tensor([], {dtype: torch.int64}), torch.tensor([]))",
    "torch.zeros([3], {device: 'meta'}).put_(torch.tensor([0], {device: 'meta'}), torch.tensor([1.5], {device: 'meta'}))",
    "torch.put(torch.zeros([3]), torch.tensor([1]), torch.tensor([1.5]), true)",
    "torch.nn.functional.max_unpool1d(torch.ones([1, 1, 1]), torch.ones([1, 1, 1], {dtype: torch.int64}), 2)",
    "torch.nn.functional.max_unpool2d(torch.ones([1, 1, 1, 1]), torch.ones([1, 1, 1, 1], {dtype: torch.int64}), 2)",
    "torch.nn.functional.max_unpool3d(torch.ones([1, 1, 1, 1, 1]), torch.ones([1, 1, 1, 1, 1], {dtype: torch.int64}), 2)",
    "torch.ops.aten.max_unpool2d(torch.ones([1]), torch.ones([1]), [2, 2])",
    "torch.ops.aten.max_unpool3d(torch.ones([1]), torch.ones([1]), [2, 2, 2], [1, 1, 1], [0, 0, 0])",
    "torch.ops.aten.max_unpool3d.out(torch.ones([1]), torch.ones([1]), [2, 2, 2], [1, 1, 1], [0, 0, 0], {out: torch.zeros([2, 2]).t()})",
    "torch.ops.aten.max_unpool2d(torch.ones([1, 1, 1, 1], {device: 'meta'}), torch.ones([1, 1, 1, 1], {device: 'meta', dtype: torch.int64}), [2, 2])",
    "torch.ops.aten.max_unpool2d(torch.ones([1, 1, 1, 1], {device: 'meta'}), torch.ones([1, 1, 1, 1], {device: 'meta'}), [2, 2])",
    "torch.ops.aten.max_unpool3d(torch.ones([1, 1, 1, 1], {device: 'meta'}), torch.ones([1, 1, 1, 1], {device: 'meta', dtype: torch.int64}), [2, 2, 2], [1, 1, 1], [0, 0, 0])",
    # On the CPU these always give the same.
    "torch.zeros([3]).index_put_([torch.tensor([0, 0, 1])], torch.tensor([1.5, 2.5, 3.5]))",
    "torch.zeros([3]).index_put_([torch.tensor([0, 0, 1])], torch.tensor([1.5, 2.5, 3.5]), true)",
    "torch.zeros([3]).index_copy_(0, torch.tensor([0, 0, 1]), torch.tensor([1.5, 2.5, 3.5]))",
    "torch.zeros([3]).index_add_(0, torch.tensor([0, 0, 1]), torch.tensor([1.5, 2.5, 3.5]))",
    "torch.zeros([3]).scatter_(0, torch.tensor([0, 0, 1]), torch.tensor([1.5, 2.5, 3.5]))",
    "torch.zeros([3]).scatter_add_(0, torch.tensor([0, 0, 1]), torch.tensor([1.5, 2.5, 3.5]))",
    "torch.ones([3]).scatter_reduce_(0, torch.tensor([0, 0, 1]), torch.tensor([1.5, 2.5, 3.5]), 'prod')",
    "torch.nn.functional.nll_loss(torch.zeros([1, 2, 1, 1]), torch.zeros([1, 1, 1], {dtype: torch.int64}))",
    *(f"torch.nn.functional.interpolate(torch.zeros([{shape}]{meta}), {{scale_factor: 2, mode: '{mode}'{more}}})"
      for shape, mode in (("1, 1, 2", "linear"), ("1, 1, 2, 2", "bilinear"), ("1, 1, 2, 2, 2", "trilinear"), ("1, 1, 2, 2", "bicubic"))
      for meta in ("", ", {device: 'meta'}") for more in ("", ", align_corners: true")),
    "torch.nn.functional.interpolate(torch.ones([1, 1, 4, 4], {device: 'meta'}), {size: [2, 2], mode: 'bilinear', antialias: true})",
]

CALLS = [
    "torch.empty([2])", "torch.empty_strided([2], [1])", "torch.empty_like(torch.zeros([2]))", "torch.zeros([2]).new_empty([2])",
    "torch.empty([2], {out: torch.zeros([3])})", "torch.zeros([2])", "torch.full([2], 3)", "torch.arange(2)", "torch.tensor([1, 2])", "torch.randn([2])",
    "torch.zeros([2]).resize_([4])", "torch.zeros([4]).resize_([2])", "torch.zeros([2]).resize_as_(torch.zeros([3]))", "torch.zeros([2], {device: 'meta'}).resize_([4])",
    "torch.add(torch.ones([2]), torch.ones([2]))", "torch.cumsum(torch.ones([2]), 0)", "torch.cumsum(torch.ones([2]), 0, {out: torch.empty([0])})",
    "torch.nn.functional.conv2d(torch.ones([1, 1, 3, 3]), torch.ones([1, 1, 2, 2]))",
    "torch.nn.functional.interpolate(torch.ones([1, 1, 2, 2], {device: 'meta'}), {scale_factor: 2, mode: 'bilinear'})",
]

SETTINGS = [("default", True), ("warn", True), ("error", True), ("warn", False), ("error", False)]


@contextlib.contextmanager
def stderr_of_cpp(said):
    """Where Python does not listen (`torch.ops`), C++ writes its warnings itself."""
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            said += re.findall(r"Warning: (.*) \(function \w+\)", file.read().decode())


def outcome(py):
    said = []
    with warnings.catch_warnings(record=True) as caught, stderr_of_cpp(said):
        warnings.simplefilter("always")
        try:
            result = repr(eval(py))
        except Exception as e:  # noqa: BLE001
            result = [type(e).__name__, str(e)]
    said += [re.sub(r" \(Triggered internally at .*\)$", "", str(w.message)) for w in caught]
    return result, [text for text in said if "deterministic" in text]


def set_to(mode, fill):
    torch.set_deterministic_debug_mode(mode)
    torch.utils.deterministic.fill_uninitialized_memory = fill


def under_settings(ts):
    py = written(ts)
    told = {}
    for mode, fill in SETTINGS:
        # Without a fill the memory may hold anything.
        if ts in FILLS and (mode == "default" or not fill) and re.search(r"empty|resize|Tensor\(", ts) and "meta" not in ts and "_version" not in ts:
            continue
        set_to(mode, fill)
        told[f"{mode}, {json.dumps(fill)}"] = outcome(py)
    set_to("default", True)
    return [ts, py, told]


def calls(ts):
    py = written(ts)
    set_to("error", True)
    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        eval(py)
    set_to("default", True)

    def tree(event):
        # How Meta finds its shapes is told elsewhere.
        below = [] if "meta" in ts and "interpolate" in ts else [tree(child) for child in event.cpu_children if child.name.startswith("aten::")]
        return [event.name, below] if below else [event.name]

    return [ts, py, [tree(event) for event in profiler.events() if event.cpu_parent is None and event.name.startswith("aten::")]]


def upsampling(dtype, shape, size, align_corners, scale_factors):
    n = torch.Size(shape).numel()
    data = [(i * 37 % 101) / (1 if dtype == "uint8" else 8) for i in range(n)]
    x = torch.tensor(data, dtype=getattr(torch, dtype)).reshape(shape)
    if dtype != "uint8":
        x.requires_grad_()
    result = _upsample_linear_vec(x, size, align_corners, scale_factors)
    grad = None
    if x.requires_grad:
        weights = torch.arange(result.numel()).remainder(7).reshape(result.shape).to(result.dtype)
        (result * weights).sum().backward()
        grad = x.grad.double().flatten().tolist()
    return [dtype, shape, data, [size, align_corners, scale_factors], [list(result.shape), result.detach().double().flatten().tolist()], grad]


def main(path):
    switches = []
    for ts, py in SWITCHES:
        result, said = outcome(py or ts)
        switches.append([ts, py or ts, result, said, torch.get_deterministic_debug_mode()])
    fixture = {
        "torch": torch.__version__,
        "switches": switches,
        "programs": [under_settings(ts) for ts in FILLS + ALERTS],
        "calls": [calls(ts) for ts in CALLS],
        "upsampling": [
            upsampling(dtype, shape, *arguments)
            for dtype in ("float32", "float64", "float16", "bfloat16", "uint8")
            for shape, *arguments in (
                ([2, 1, 3], [5], False, None), ([1, 2, 3, 4], [5, 2], False, None), ([1, 1, 3, 4], [1, 7], True, None), ([1, 1, 2, 3], None, False, [2.5, 1.5]),
                ([1, 1, 2, 2], None, True, [2.0, 3.0]), ([1, 1, 2, 3, 2], [3, 2, 4], False, None), ([1, 1, 2, 2, 2], None, True, [1.5, 2.0, 1.0]),
            )
        ],
    }
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
        packed.write(json.dumps(fixture).encode())


main(sys.argv[1])
