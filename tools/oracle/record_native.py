"""Records what PyTorch 2.13.0 (CPU) does for short programs of operator calls: creation, views, copies, indexing, random numbers.

    python tools/oracle/record_native.py test/fixtures/native/programs.json.gz

A program is a list of calls `[operator, arguments...]` in schema order; `"$2"` is the result of call 2, `"$2.0"` the first of several.
`["seed", n]` seeds the default generator; `["fails", operator, ...]` is a call whose error is caught. What is kept: the last call's result (dtype, shape, strides, offset, bytes in index order,
and which earlier call's result shares its storage) and the operators it called on its way, or the type and text of the error.
"""

import base64
import gzip
import json
import math
import sys
import warnings

import torch
from torch.profiler import ProfilerActivity, profile

torch.set_num_threads(1)


def D(name):
    return {"$dtype": name}


def F(x):
    return {"$f": repr(float(x))}


META = {"$device": "meta"}
CL = {"$mf": "channels_last"}
CONTIGUOUS = {"$mf": "contiguous_format"}
PRESERVE = {"$mf": "preserve_format"}

DTYPES = ["uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool", "bfloat16"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]


def iota(shape, dtype="float32"):
    """Two calls: 0, 1, 2, ... in `shape`."""
    n = math.prod(shape)
    return [["arange", n, D("int64")], ["to.dtype", "$0", D(dtype)], ["view", "$1", list(shape)]]


X = iota([2, 3])  # $2
Y = iota([2, 3, 4])
C = iota([2, 3, 4, 5])
T = X + [["t", "$2"]]  # $3: (3, 2)
P = Y + [["permute", "$2", [2, 0, 1]]]  # $3: (4, 2, 3)
S = Y + [["slice.Tensor", "$2", 2, 0, None, 2]]  # $3: (2, 3, 2), gaps
E = X + [["expand", "$2", [2, 2, 3]]]  # $3: overlaps itself
CHANNELS = C + [["contiguous", "$2", CL]]  # $3
IDX = [["tensor", [0, 1], "int64"]]


def over(bases, calls):
    return [base + [[op, f"${len(base) - 1}", *args]] for base in bases for op, *args in calls]


SCALAR = [["scalar_tensor", F(3.5)]]
EMPTY = [["zeros", [0, 3]]]

views = over(
    [X, Y, C, T, P, S, E, CHANNELS, SCALAR, EMPTY],
    [
        ["view", [-1]], ["view", [3, -1]], ["view", [2, 3]], ["view", [6]], ["view", [1, 6, 1]], ["view", [-1, -1]], ["view", [5]], ["view", [-2, 3]],
        ["reshape", [-1]], ["reshape", [3, -1]], ["reshape", [2, 1, -1]], ["reshape", [7]], ["reshape", [0, -1]],
        ["_unsafe_view", [-1]], ["flatten.using_ints"], ["flatten.using_ints", 0, 1], ["flatten.using_ints", 1, 0], ["flatten.using_ints", 1, -1],
        ["t"], ["transpose.int", 0, -1], ["transpose.int", 0, 0], ["transpose.int", 0, 5], ["numpy_T"], ["mT"],
        ["permute", [0, 1]], ["permute", [1, 0]], ["permute", [0, 0]], ["permute", [2, 0, 1]], ["permute", [0, 7]], ["permute", []],
        ["expand", [2, 2, 3]], ["expand", [-1, 3]], ["expand", [3]], ["expand", [-1, 2, 3]], ["expand", [2, -2]], ["expand", [0]], ["expand", [1]],
        ["select.int", 0, 0], ["select.int", 0, -1], ["select.int", -1, 1], ["select.int", 0, 9], ["select.int", 4, 0],
        ["slice.Tensor", 0, 0, 1, 1], ["slice.Tensor", 0, None, None, 2], ["slice.Tensor", -1, -2, None, 1], ["slice.Tensor", 0, 5, 9, 1],
        ["slice.Tensor", 0, 2, 1, 1], ["slice.Tensor", 0, 0, 9, 0], ["slice.Tensor", 9, 0, 1, 1], ["slice.Tensor", 1, -100, 100, 3],
        ["narrow", 0, 0, 1], ["narrow", 0, 1, 1], ["narrow", -1, -1, 1], ["narrow", 0, 0, 9], ["narrow", 0, 9, 0], ["narrow", 0, 0, -1],
        ["split.Tensor", 1], ["split.Tensor", 2, -1], ["split.Tensor", 0], ["split.Tensor", -1], ["split.sizes", [1, 1]], ["split.sizes", [1, 2], 1],
        ["split_with_sizes", [1, -1, 2], 0], ["split_with_sizes", [2, 1], 1], ["chunk", 2], ["chunk", 5, -1], ["chunk", 0],
        ["unbind.int"], ["unbind.int", -1], ["unbind.int", 8],
        ["squeeze"], ["squeeze.dim", 0], ["squeeze.dim", 7], ["squeeze.dims", [0, 1]], ["squeeze.dims", [0, 0]],
        ["unsqueeze", 0], ["unsqueeze", -1], ["unsqueeze", 1], ["unsqueeze", 9],
        ["as_strided", [2, 2], [1, 2]], ["as_strided", [2, 2], [1]], ["as_strided", [2], [-1]], ["as_strided", [100], [1]], ["as_strided", [2], [1], 3],
        ["as_strided", [2], [1], -1], ["as_strided", [], []], ["as_strided", [0], [5], 1000000], ["as_strided", [2, -2], [1, 1]],
        ["alias"], ["detach"], ["lift_fresh"], ["resolve_conj"], ["resolve_neg"], ["conj"],
        ["view.dtype", D("int32")], ["view.dtype", D("int16")], ["view.dtype", D("float64")], ["view.dtype", D("uint8")],
        ["size.int", 0], ["size.int", -1], ["size.int", 9], ["stride.int", 0], ["stride.int", 9],
    ],
)
views += [
    [["zeros", [3, 1, 1, 2]], ["squeeze", "$0"]], [["zeros", [3, 1, 1, 2]], ["squeeze.dim", "$0", 1]], [["zeros", [3, 1, 1, 2]], ["squeeze.dims", "$0", [1, 2, 3]]],
    [["zeros", [3, 1, 1, 2]], ["squeeze_", "$0"]], [["zeros", [3, 1, 1, 2]], ["squeeze_.dim", "$0", 1]], [["zeros", [3, 1, 1, 2]], ["squeeze_.dims", "$0", [1, -2]]],
    [["zeros", [3, 1]], ["expand", "$0", [0, 3, 4]]], [["zeros", [1, 3]], ["expand", "$0", [-1, 3]]], [["zeros", [1, 3], D("bool")], ["expand", "$0", [3]]],
    X + [["unsqueeze_", "$2", 1]], X + [["t_", "$2"]], X + [["transpose_", "$2", 0, 1]], X + [["as_strided_", "$2", [3], [2]]], Y + [["t_", "$2"]],
    X + [["narrow.Tensor", "$2", 0, {"$call": ["scalar_tensor", 1, D("int64")]}, 1]], X + [["narrow.Tensor", "$2", 0, {"$call": ["scalar_tensor", F(1)]}, 1]],
    X + [["is_set_to", "$2", "$2"]], X + [["detach", "$2"], ["is_set_to", "$2", "$3"]], X + [["t", "$2"], ["is_set_to", "$2", "$3"]],
    X + [["is_same_size", "$2", "$2"]], X + [["t", "$2"], ["is_same_size", "$2", "$3"]],
    X + [["view_as", "$2", "$0"]], Y + [["reshape_as", "$2", "$0"]], X + [["expand_as", "$2", "$2"]], X + [["reshape_as", "$2", "$2"]],
    X + [["select_backward", {"$call": ["ones", [3]]}, [2, 3], 0, 1]], X + [["slice_backward", {"$call": ["ones", [2, 2]]}, [2, 3], 1, 0, 3, 2]],
    [["zeros", [0, 3]], ["chunk", "$0", 3]], [["zeros", [0, 3]], ["split.Tensor", "$0", 0]], [["zeros", [0]], ["view", "$0", [0, -1]]],
    [["zeros", [3, 3], D("int8")], ["view.dtype", "$0", D("float32")]], [["zeros", [4, 8], D("int8")], ["slice.Tensor", "$0", 1, 2, 6], ["view.dtype", "$1", D("float32")]],
    [["zeros", [4, 6], D("int8")], ["slice.Tensor", "$0", 1, 0, 4], ["view.dtype", "$1", D("float32")]], [["zeros", [4, 8], D("int8")], ["view.dtype", "$0", D("float32")]],
    [["zeros", [3, 3]], ["to.device", "$0", META, D("float32")], ["expand", "$1", [2]]],
]

creation = []
for dt in DTYPES:
    creation += [
        [["zeros", [2, 2], D(dt)]], [["ones", [2, 2], D(dt)]], [["full", [3], 2, D(dt)]], [["full", [3], F(2.7), D(dt)]], [["full", [2], -1, D(dt)]], [["full", [2], 300, D(dt)]],
        [["arange", 5, D(dt)]], [["arange.start_step", -3, 4, 2, D(dt)]], [["arange.start_step", F(0.5), F(4), F(0.75), D(dt)]], [["scalar_tensor", F(1.5), D(dt)]],
        [["arange.start_step", F(0.1), F(100), F(0.1), D(dt)]], [["arange.start_step", F(-3.3), F(7.7), F(0.011), D(dt)]], [["arange", 300, D(dt)]],
        [["ones", [200, 200], D(dt)], ["zero_", "$0"]], [["ones", [4, 4], D(dt)], ["slice.Tensor", "$0", 1, 0, None, 2], ["zero_", "$1"], ["view", "$0", [-1]]],
        [["zeros", [4, 4], D(dt)], ["slice.Tensor", "$0", 1, 0, None, 2], ["fill_.Scalar", "$1", 1], ["view", "$0", [-1]]],
    ]
creation += [
    [["empty.memory_format", [2, 3, 4, 5], None, None, None, None, CL]], [["empty.memory_format", [2, 2], None, None, None, None, CL]], [["empty.memory_format", [2, 2], None, None, None, None, PRESERVE]],
    [["empty.memory_format", [-1]]], [["empty.memory_format", [2, -3]]], [["empty.memory_format", [2, 3], None, None, META]], [["empty_strided", [2, 2], [1]]], [["empty_strided", [2, 2], [-1, 1]]],
    *[[["range.step", F(s), F(e), F(st), D(d)]] for d in ["uint8", "int16", "int32", "int64", *FLOATS, "bool"] for s, e, st in ((0, 3, 1), (1.5, 7.9, 0.3), (9, -2, -3), (0.1, 40, 0.7)) if d in [*FLOATS, "bool"] or st != 0.3 and st != 0.7],
    *[[["full", [30], F(rate), D(d)], ["seed", 3], ["poisson", "$0"]] for rate in (0, 0.3, 4, 9.99, 10, 55.5, 4000) for d in FLOATS], Y + [["seed", 5], ["poisson", "$2"]], S + [["seed", 5], ["poisson", "$3"]],
    [["full", [2], F(-1.5)], ["poisson", "$0"]], [["ones", [2], D("int64")], ["poisson", "$0"]],
    [["range", 0, 3]], [["range", 2, 5, D("int64"), None, META]], [["range.step", 0, 3, -1]], [["range.step", 0, 3, 0]], [["range.step", 0, F(math.inf), 1]], [["range.step", 0, 4, 2, D("float64"), None, META]],
    X + [["range.out", 0, 5, 1, "$2"]], X + [["t", "$2"], ["range.out", 0, 5, 1, "$3"]], X + [["range.out_", 0, 9, "$2"]],
    *[X + [["view", "$2", [6]], ["to.dtype", "$3", D(d)], ["vander", "$4", n, increasing]] for d in ("int8", "float32", "bool", "bfloat16") for n, increasing in ((None, False), (3, True), (1, False), (0, False))],
    X + [["vander", "$2"]], [["ones", [2]], ["vander", "$0", -1]],
    *[iota([h, w], d) + [["fill_diagonal_", "$2", 7, wrap]] for h, w in ((3, 3), (2, 5), (7, 3), (4, 3), (3, 0)) for d in ("int64", "float32") for wrap in (False, True)],
    iota([3, 3, 3]) + [["fill_diagonal_", "$2", F(7.5)]], iota([7, 3]) + [["t", "$2"], ["fill_diagonal_", "$3", -1, True]], Y + [["fill_diagonal_", "$2", 1]], [["ones", [3]], ["fill_diagonal_", "$0", 1]],
    X + [["adjoint", "$2"]], Y + [["adjoint", "$2"]], [["ones", []], ["adjoint", "$0"]], [["ones", [3]], ["adjoint", "$0"]], X + [["real", "$2"]], T + [["real", "$3"]],
    [["empty_permuted", [2, 3, 4], [0, 2, 1]]], [["empty_permuted", [2, 3], [1, 0], D("int64"), None, META]], [["empty_permuted", [], []]], [["empty_permuted", [0, 3], [1, 0]]],
    [["empty_permuted", [2, 3], [0]]], [["empty_permuted", [2, 3], [0, -1]]], [["empty_permuted", [2, 3], [0, 2]]], [["empty_permuted", [2, 3], [1, 1]]], [["empty_permuted", [2, -3], [0, 1]]],
    [["empty_strided", [2, 0], [5, 7]]], [["empty_strided", [2, 3], [1, 2], D("int16")]], [["empty_strided", [2, 3], [1, 2], None, None, META]],
    [["empty.memory_format", [2, 3, 1, 1], None, None, None, None, CL]],
    [["full", [2], {"$bool": True}]], [["full", [2], 1]], [["full", [2], F(1)]], [["full", [2], 1, None, {"$layout": "sparse_coo"}]],
    [["arange", F("nan")]], [["arange", F("inf")]], [["arange.start_step", 0, 5, 0]], [["arange.start_step", 0, 5, -1]], [["arange.start", 5, 0]], [["arange", F(1e30)]],
    [["arange.start_step", 0, 1, F(0.3), D("int64")]], [["arange.start", 1, 5]], [["arange", F(3)]], [["arange.start_step", 5, 2, -1]], [["arange", 0]], [["arange", {"$bool": True}]],
    [["zeros", [8]], ["slice.Tensor", "$0", 0, 0, None, 2], ["arange.out", 4, "$1"], ["view", "$0", [-1]]], [["zeros", [3]], ["arange.out", 5, "$0"]], [["zeros", [3], D("int64")], ["arange.start_out", F(0.5), F(4), 1, "$0"]],
    [["zeros", [3]], ["zeros.out", [2], "$0"]], [["zeros", [0]], ["ones.out", [2], "$0"]], [["zeros", [0], D("int64")], ["full.out", [2], F(1.5), "$0"]], [["zeros", [3]], ["empty.out", [2], None, "$0"]], [["zeros", [3]], ["empty.out", [2], CONTIGUOUS, "$0"]],
    [["scalar_tensor", 3]], [["scalar_tensor", {"$bool": True}]], [["scalar_tensor", 3, None, None, META]], [["scalar_tensor", 300, D("uint8")]],
]
windows = [
    *[[[f"{name}_window.periodic", n, periodic, D(d)]] for name in ("bartlett", "blackman", "hamming", "hann", "kaiser") for n in (0, 1, 2, 7, 40) for periodic in (False, True) for d in FLOATS],
    *[[[f"{name}_window", n, *more]] for name in ("bartlett", "blackman", "hamming", "hann", "kaiser") for n, *more in ([5], [-1], [5, D("int64")], [5, D("float64"), None, META], [-1, None, None, META], [5, D("int64"), None, META], [5, None, {"$layout": "sparse_coo"}]) if name != "hann" or META not in more],
    *[X + [[f"{name}_window.out", 5, "$2"]] for name in ("bartlett", "hann", "kaiser")], [["hamming_window.periodic_alpha", 6, False, F(0.7)]], [["hamming_window.periodic_alpha_beta", 6, True, F(0.7), F(0.2), D("float64")]],
    *[[["kaiser_window.beta", n, False, F(beta), D(d)]] for n in (2, 9) for beta in (0, 0.5, 14) for d in FLOATS],
]
likes = [[op, *args] for op, *args in (
    ["empty_like"], ["zeros_like"], ["ones_like"], ["full_like", 3], ["full_like", F(2.5), D("int64")], ["empty_like", D("int8")], ["empty_like", None, None, None, None, CONTIGUOUS],
    ["empty_like", None, None, None, None, CL], ["empty_like", None, None, META], ["new_empty", [3]], ["new_zeros", [3], D("int8")], ["new_ones", [2, 2]], ["new_full", [2], 7], ["new_empty_strided", [2, 2], [1, 2]],
    ["clone"], ["clone", CONTIGUOUS], ["clone", CL], ["contiguous"], ["contiguous", CL], ["_to_copy"], ["_to_copy", D("float64")], ["_to_copy", D("int32"), None, None, None, False, CONTIGUOUS],
    ["to.dtype", D("float32")], ["to.dtype", D("float64")], ["to.dtype", D("float32"), False, True], ["to.dtype", D("float32"), False, False, CL], ["to.device", META, D("float32")],
    ["to.dtype_layout"], ["to.dtype_layout", D("int64")], ["fill.Scalar", 3], ["fill.Tensor", {"$call": ["scalar_tensor", F(4)]}], ["fill.Tensor", {"$call": ["ones", [2]]}], ["is_nonzero"], ["item"],
    ["copy", {"$call": ["ones", [3]]}], ["zero"], ["lift"], ["resize_", [2, 2]], ["resize_", [5, 5]], ["resize_", [-1]], ["resize_", [2, 3, 4, 5], CL], ["resize_", [2], PRESERVE], ["resize_", [0]],
    ["masked_select", {"$call": ["ones", [], D("bool")]}], ["nonzero"],
)]
creation += over([X, Y, C, T, P, S, E, CHANNELS, SCALAR, EMPTY], likes)
creation += [
    [["zeros", [2, 0, 3]], ["transpose.int", "$0", 0, 2], ["empty_like", "$1"]], C + [["permute", "$2", [3, 0, 2, 1]], ["slice.Tensor", "$3", 0, 0, None, 2], ["empty_like", "$4"]],
    CHANNELS + [["slice.Tensor", "$3", 1, 0, 2], ["clone", "$4"]], CHANNELS + [["slice.Tensor", "$3", 1, 0, 2], ["_to_copy", "$4", D("float64")]],
]

copies = []
for src in DTYPES:
    for dst in DTYPES:
        values = [["tensor", [0, 1, 2, 3, 100, 127] if src == "int8" else [0, 1, 2, 3, 100, 127, 200, 255], src]] if src == "uint8" or src == "int8" else [["tensor", [0, 1, -1, 2, 3, 100, -100, 30000, -30000] if "int" in src else [0, 1, -1, 2.5, -2.5, 100.75, -100.75, 0.1, 60000.0, -0.0] if src != "bool" else [0, 1, 1], src]]
        copies += [values + [["to.dtype", "$0", D(dst)]], values + [["slice.Tensor", "$0", 0, 0, None, 2], ["zeros", [20], D(dst)], ["slice.Tensor", "$2", 0, 0, None, 3], ["slice.Tensor", "$3", 0, 0, {"$size": ["$1", 0]}], ["copy_", "$4", "$1"], ["view", "$2", [-1]]]]
copies += [
    [["tensor", [1e10, -1e10, 3e38, "inf", "-inf", "nan", 2.0**31, 2.0**53], "float32"], ["to.dtype", "$0", D(dt)]] for dt in ("int64", "int32", "float64", "float16", "bfloat16", "bool")
] + [
    [["tensor", [{"$int": str(v)} for v in (2**53 + 1, -(2**53) - 1, 2**62, -(2**63), 2**63 - 1)], "int64"], ["to.dtype", "$0", D(dt)]] for dt in DTYPES
] + [
    X + [["zeros", [4, 2, 3]], ["copy_", "$3", "$2"]], X + [["zeros", [3, 2]], ["copy_", "$3", "$2"]], X + [["zeros", [2, 3]], ["t", "$2"], ["zeros", [3, 2]], ["copy_", "$5", "$4"]],
    [["arange", 6400, D("float32")], ["view", "$0", [80, 80]], ["t", "$1"], ["contiguous", "$2"]], [["arange", 70 * 130, D("int64")], ["view", "$0", [70, 130]], ["t", "$1"], ["contiguous", "$2"]],
    [["zeros", [1]], ["expand", "$0", [4]], ["copy_", "$1", {"$call": ["ones", [4]]}]], [["zeros", [1]], ["expand", "$0", [4]], ["fill_.Scalar", "$1", 2]], [["ones", [1]], ["expand", "$0", [4]], ["zero_", "$1"]],
    X + [["slice.Tensor", "$2", 0, 0, 1], ["slice.Tensor", "$2", 0, 1, 2], ["copy_", "$3", "$4"], ["view", "$2", [-1]]], X + [["select.int", "$2", 0, 1], ["select.int", "$3", 0, 1], ["fill_.Tensor", "$2", "$4"]],
    X + [["fill_.Tensor", "$2", {"$call": ["ones", [1]]}]], X + [["copy_", "$2", "$2"]], X + [["zeros", [2, 3], None, None, META], ["copy_", "$2", "$3"]],
    X + [["equal", "$2", "$2"]], X + [["clone", "$2"], ["equal", "$2", "$3"]], X + [["to.dtype", "$2", D("float64")], ["equal", "$2", "$3"]], X + [["t", "$2"], ["equal", "$2", "$3"]], [["full", [2], F("nan")], ["equal", "$0", "$0"]],
    P + [["clone", "$3"], ["equal", "$3", "$4"]], P + [["ones_like", "$3"], ["equal", "$3", "$4"]],
    *[[["tensor", [v], dt], ["item", "$0"]] for dt, v in [("int64", {"$int": str(2**53 + 1)}), ("int64", -5), ("float16", 0.1), ("bfloat16", 0.1), ("bool", 1), ("uint8", 200), ("float64", 0.1)]],
    [["zeros", [0]], ["item", "$0"]], [["zeros", [2]], ["item", "$0"]], [["zeros", [], None, None, META], ["item", "$0"]], [["zeros", [2]], ["is_nonzero", "$0"]], [["zeros", [0]], ["is_nonzero", "$0"]], [["ones", []], ["is_nonzero", "$0"]],
    X + [["set_.source_Tensor", {"$call": ["zeros", [0]]}, "$2"]], X + [["set_", "$2"]], [["zeros", [2], D("int64")], ["zeros", [2]], ["set_.source_Tensor", "$1", "$0"]],
    X + [["zeros", [0]], ["set_.source_Tensor_storage_offset", "$3", "$2", 1, [2], [2]]], X + [["zeros", [0]], ["set_.source_Tensor_storage_offset", "$3", "$2", -1, [2], [2]]], X + [["zeros", [0]], ["set_.source_Tensor_storage_offset", "$3", "$2", 0, [1, 2], [1]]],
    X + [["zeros", [0]], ["set_.source_Tensor_storage_offset", "$3", "$2", 0, [3], []]],
]

joins = [X + [["cat", ["$2", "$2"]]], X + [["cat", ["$2", "$2"], 1]], X + [["cat", ["$2", "$2"], -1]], X + [["cat", ["$2", "$2"], 3]], X + [["cat", []]], X + [["cat", ["$2", {"$call": ["zeros", [3, 4]]}]]],
    X + [["cat", ["$2", {"$call": ["scalar_tensor", 1]}]]], X + [["cat", ["$2", {"$call": ["zeros", [2, 3, 4]]}]]], X + [["cat", ["$2", {"$call": ["zeros", [0]]}]]], X + [["cat", [{"$call": ["zeros", [0], D("int64")]}, "$2"]]],
    [["cat", [{"$call": ["zeros", [0]]}, {"$call": ["zeros", [0]]}], 1]], X + [["to.dtype", "$2", D("float64")], ["cat", ["$2", "$3"]]], X + [["to.dtype", "$2", D("int64")], ["cat", ["$2", "$3"]]], X + [["to.dtype", "$2", D("bool")], ["cat", ["$3", "$2"], 1]],
    T + [["cat", ["$3", "$3"]]], T + [["cat", ["$3", {"$call": ["ones", [3, 2]]}], 1]], CHANNELS + [["cat", ["$3", "$3"]]], CHANNELS + [["cat", ["$3", "$3"], 1]], CHANNELS + [["cat", ["$3", "$2"]]], S + [["cat", ["$3", "$3"], 2]], E + [["cat", ["$3", "$3"], 1]],
    X + [["cat.out", ["$2", "$2"], 0, {"$call": ["zeros", [4, 3], D("bool")]}]], X + [["cat.out", ["$2", "$2"], 0, {"$call": ["zeros", [4, 3], D("int64")]}]], X + [["cat.out", ["$2", "$2"], 0, {"$call": ["zeros", [4, 3], D("float64")]}]], X + [["cat.out", ["$2", "$2"], 0, "$2"]], X + [["cat.out", ["$2", "$2"], 0, {"$call": ["zeros", [5]]}]],
    X + [["stack", ["$2", "$2"]]], X + [["stack", ["$2", "$2"], 1]], X + [["stack", ["$2", "$2"], -1]], X + [["stack", ["$2", "$2"], 4]], X + [["stack", []]], X + [["stack", ["$2", {"$call": ["zeros", [3]]}]]], T + [["stack", ["$3", "$3"], 2]], CHANNELS + [["stack", ["$3", "$3"]]],
    [["stack", [{"$call": ["scalar_tensor", 1]}, {"$call": ["scalar_tensor", 2]}]]], X + [["stack.out", ["$2", "$2"], 0, {"$call": ["zeros", [2, 2, 3]]}]], X + [["stack.out", ["$2", "$2"], 2, {"$call": ["zeros", [2, 3, 2]]}]], X + [["stack.out", ["$2", "$2"], 0, {"$call": ["zeros", [5]]}]],
    X + [["stack.out", ["$2", "$2"], 0, {"$call": ["zeros", [1], D("int32")]}]],
]
for dt in DTYPES:
    joins += [iota([3, 2], dt) + [["cat", ["$2", "$2", "$2"], 1]]]

I = lambda *v: {"$call": ["tensor", list(v), "int64"]}
BOOL = lambda *v: {"$call": ["tensor", list(v), "bool"]}
index_lists = [[I(0, 1)], [I(1, -1, 0)], [I(0, 2)], [I(0, -3)], [None, I(2, 0)], [I(0, 1), I(1, 2)], [I(0, 1), None, I(3, 2)], [None, I(0, 1), I(3, 2)], [None, None, I(3, 2)], [I(0, 1), I(0, 1, 2)], [I(0), I(0, 1, 2)],
    [I(0, 1), I(0, 1), I(0, 1), I(0, 1)], [BOOL(1, 0)], [BOOL(1, 0, 1)], [None, BOOL(1, 0, 1)], [I()], [{"$call": ["tensor", [1, 0], "int32"]}], [{"$call": ["tensor", [1, 0], "int8"]}], [{"$call": ["tensor", [1.0], "float32"]}], [],
    [{"$call": ["tensor", [1, 0], "uint8"]}], [{"$call": ["scalar_tensor", 1, D("int64")]}], [BOOL(1, 0), None, I(1)]]
indexing = [base + [["index.Tensor", f"${len(base) - 1}", il]] for base in (Y, P, S) for il in index_lists]
for dt in DTYPES:
    indexing += [iota([2, 3, 4], dt) + [["index.Tensor", "$2", [None, I(2, 0)]]], iota([2, 3, 4], dt) + [["index_put_", "$2", [I(1, 1)], {"$call": ["ones", [3, 4], D(dt)]}, True]], iota([2, 3, 4], dt) + [["index_put_", "$2", [None, I(1, 2)], {"$call": ["full", [], 1, D(dt)]}]],
        iota([3, 5], dt) + [["nonzero", "$2"]], iota([3, 5], dt) + [["slice.Tensor", "$2", 1, 0, None, 2], ["masked_select", "$3", BOOL(1, 0, 1)]], iota([3, 5], dt) + [["masked_scatter_", "$2", BOOL(1, 0, 1, 0, 1), {"$call": ["ones", [20], D(dt)]}]]]
for il in index_lists:
    indexing += [Y + [["index_put_", "$2", il, {"$call": ["scalar_tensor", F(-1)]}]], Y + [["index_put_", "$2", il, {"$call": ["full", [4], F(-2)]}]], Y + [["index_put", "$2", il, {"$call": ["scalar_tensor", F(5)]}, True]], P + [["index_put_", "$3", il, {"$call": ["scalar_tensor", F(-1)]}], ["view", "$2", [-1]]]]
indexing += [
    Y + [["index_put_", "$2", [I(0, 1)], {"$call": ["zeros", [5]]}]], Y + [["index_put_", "$2", [I(0, 1)], {"$call": ["zeros", [4], D("int64")]}]], Y + [["index_put_", "$2", [I(0)], {"$call": ["zeros", [3, 4]]}]], X + [["index_put_", "$2", [I(0)], "$2"]],
    Y + [["index.Tensor_out", "$2", [I(0)], {"$call": ["zeros", [3], D("int64")]}]], Y + [["index.Tensor_out", "$2", [I(0)], {"$call": ["zeros", [3]]}]], X + [["index.Tensor_out", "$2", [I(0)], "$2"]], [["zeros", [0, 3]], ["index.Tensor", "$0", [I(0)]]], [["zeros", [2, 0]], ["index.Tensor", "$0", [I(0)]]],
    [["zeros", [1]], ["expand", "$0", [3]], ["index_put_", "$1", [I(0)], {"$call": ["scalar_tensor", F(1)]}]], Y + [["_unsafe_index.Tensor", "$2", [I(0)]]], Y + [["_unsafe_index.Tensor", "$2", [BOOL(1, 0)]]], Y + [["_unsafe_index_put", "$2", [I(0)], {"$call": ["scalar_tensor", F(1)]}]],
    P + [["nonzero", "$3"]], E + [["nonzero", "$3"]], [["scalar_tensor", F(0)], ["nonzero", "$0"]], [["scalar_tensor", F(1)], ["nonzero", "$0"]], [["zeros", [3, 0]], ["nonzero", "$0"]], X + [["nonzero.out", "$2", {"$call": ["zeros", [3]]}]], X + [["nonzero.out", "$2", {"$call": ["zeros", [5, 2], D("int64")]}]],
    X + [["nonzero.out", "$2", {"$call": ["zeros", [0], D("int64")]}]], X + [["masked_select", "$2", I(1, 0, 1)]], X + [["masked_select", "$2", BOOL(1, 0)]], X + [["masked_select", "$2", BOOL(0, 0, 0)]], P + [["masked_select", "$3", BOOL(1, 0, 1)]], SCALAR + [["masked_select", "$0", BOOL(1, 0, 1)]],
    SCALAR + [["masked_select", "$0", {"$call": ["ones", [], D("bool")]}]], X + [["masked_select.out", "$2", BOOL(1, 0, 1), {"$call": ["zeros", [0]]}]], X + [["masked_select.out", "$2", BOOL(1, 0, 1), {"$call": ["zeros", [3], D("int64")]}]],
    X + [["masked_scatter_", "$2", BOOL(1, 0, 1), {"$call": ["zeros", [2]]}]], X + [["masked_scatter_", "$2", BOOL(1, 0, 1), {"$call": ["zeros", [9], D("int64")]}]], X + [["masked_scatter", "$2", BOOL(1, 0, 1), {"$call": ["full", [4], F(9)]}]], T + [["masked_scatter_", "$3", BOOL(1, 0), {"$call": ["full", [4], F(9)]}]],
    X + [["masked_scatter_", "$2", I(1, 0, 1), {"$call": ["zeros", [9]]}]], X + [["masked_scatter_backward", "$2", BOOL(1, 0, 1), [4]]], X + [["masked_scatter_backward", "$2", BOOL(1, 0, 1), [2, 3]]], X + [["masked_select_backward", {"$call": ["ones", [4]]}, "$2", BOOL(1, 0, 1)]],
]

random = []
for seed in (0, 42, 2**31 + 5, -1):
    s = [["seed", seed]]
    for dt in FLOATS:
        for n in (1, 5, 15, 16, 20, 1000):
            random += [s + [["rand", [n], D(dt)]], s + [["randn", [n], D(dt)]]]
        random += [s + [["zeros", [n], D(dt)], ["uniform_", "$1", F(a), F(b)]] for a, b in ((-3.3, 7.7), (0.1, 0.35)) for n in (7, 1000)]
        random += [s + [["zeros", [n], D(dt)], ["normal_", "$1", F(0.3), F(1.7)]] for n in (7, 100)]
        random += [s + [["zeros", [6, 10], D(dt)], ["t", "$1"], ["normal_", "$2"]], s + [["zeros", [6, 10], D(dt)], ["slice.Tensor", "$1", 1, 0, None, 2], ["normal_", "$2", F(1), F(2)], ["view", "$1", [-1]]], s + [["randn", [3], D(dt)], ["randn", [20]], ["randn", [3], D("float64")]]]
        random += [s + [["rand", [50], D(dt)], ["bernoulli", "$1"]], s + [["rand", [5, 5], D(dt)], ["zeros", [5, 5], D("int64")], ["bernoulli_.Tensor", "$2", "$1"]]]
    for dt in DTYPES:
        random += [s + [["zeros", [33], D(dt)], ["random_", "$1"]], s + [["zeros", [33], D(dt)], ["random_.to", "$1", 2]], s + [["zeros", [33], D(dt)], ["bernoulli_.float", "$1", F(0.3)]], s + [["zeros", [5], D(dt)], ["random_.from", "$1", 0, None]]]
        if dt != "bool":
            random += [s + [["randint.low", 1, 100, [40], D(dt)]]] + ([s + [["randperm", 100, D(dt)]]])
    random += [s + [["randint", 2**28 - 1, [20]]], s + [["randint", 2**28, [20]]], s + [["randint.low", -(2**40), 2**45, [20]]], s + [["zeros", [9], D("int64")], ["random_.from", "$1", -(2**63), None]], s + [["zeros", [9]], ["random_.from", "$1", -(2**63), None]], s + [["randperm", 1]], s + [["randperm", 0]], s + [["randperm", 1000], ["rand", [3]]],
        s + [["ones", [4, 4]], ["bernoulli.p", "$1", F(0.5)]], s + [["ones", [4, 4]], ["rand_like", "$1"]], s + [["ones", [4, 4]], ["randn_like", "$1", D("float64")]], s + [["zeros", [3]], ["rand.out", [4], "$1"]], s + [["zeros", [3]], ["randn.out", [4], "$1"]], s + [["zeros", [3]], ["randint.out", 9, [4], "$1"]], s + [["zeros", [3], D("int64")], ["randperm.out", 6, "$1"]],
        s + [["zeros", [4, 6]], ["normal_functional", "$1"]], s + [["zeros", [4, 6]], ["uniform", "$1"]], s + [["randn", [100, 100]]], s + [["rand", [100, 100]]], s + [["randn", [100, 100], D("float64")]]]
Z = lambda dt: [["zeros", [2], D(dt)]]
bad = [["uniform_", F(2), F(1)], ["uniform_", F(0), F("inf")], ["uniform_", F(-3e38), F(3e38)], ["uniform_", F("nan"), F(1)], ["normal_", F(0), F(-1)], ["normal_", F(0), F("nan")], ["bernoulli_.float", F(2)], ["bernoulli_.float", F(4 / 3)], ["bernoulli_.Tensor", {"$call": ["full", [2], F(2)]}],
    ["bernoulli_.Tensor", {"$call": ["ones", [2], D("int64")]}], ["bernoulli_.Tensor", {"$call": ["ones", [5]]}], ["bernoulli"], ["random_.from", 5, 3], ["random_.from", 0, 300], ["random_.from", -5, 3], ["random_.from", 300, None], ["random_.from", 0, 2**24 + 3], ["random_.from", -(2**24) - 3, 0], ["random_.from", 0, 70000]]
random += [[["seed", 1]] + Z(dt) + [[op, "$1", *args]] for dt in ("float32", "float16", "int64", "uint8", "bool", "float64") for op, *args in bad]
random += [[["randint", 0, [2]]], [["randint.low", 5, 5, [2]]], [["randint", 300, [2], D("uint8")]], [["randint.low", -1, 3, [2], D("uint8")]], [["randperm", -1]], [["randperm", 300, D("uint8")]], [["randperm", 10, D("bool")]], [["randperm", 2050, D("float16")]], [["rand", [2], D("int64")]], [["randn", [2], D("int64")]],
    *[[["zeros", [1]], ["expand", "$0", [4]], [op, "$1"]] for op in ("normal_", "uniform_", "random_", "bernoulli_.float")]]

NEG = lambda values, dtype="float32": [["tensor", values, dtype], ["_neg_view", "$0"]]  # $1
BYTES = [["tensor", [231, 1, 0, 7], "uint8"], ["view.dtype", "$0", D("bool")]]  # $1: bool, of other bytes than 0 and 1
bits = [NEG([1.5, 2.5]) + [call] for call in (["clone", "$1"], ["resolve_neg", "$1"], ["add.Scalar", "$1", 0], ["sum", "$1"], ["_to_copy", "$1", D("int32")], ["_to_copy", "$1", D("float16")], ["neg", "$1"],
    ["copy_", "$0", "$1"], ["copy_", "$1", {"$call": ["ones", [2]]}], ["fill_.Scalar", "$1", 3], ["mul_.Scalar", "$1", 2], ["select.int", "$1", 0, 1], ["cat", ["$1", "$0"]], ["equal", "$1", "$0"], ["view.dtype", "$1", D("int32")])]
bits += [NEG(list(range(80)), dt) + [["clone", "$1"]] for dt in ("float64", "int64", "int8")] + [NEG([True, False], "bool") + [["clone", "$1"]], NEG([2.5]) + [["select.int", "$1", 0, 0], ["item", "$2"]], NEG([1.5, 2.5]) + [["copy_", "$1", {"$call": ["ones", [2]]}], ["alias", "$0"]]]
bits += [BYTES + [call] for call in (["sum", "$1"], ["to.dtype", "$1", D("int64")], ["to.dtype", "$1", D("float16")], ["eq.Scalar", "$1", {"$bool": True}], ["rsqrt", "$1"], ["clone", "$1"], ["nonzero", "$1"], ["any", "$1"], ["all", "$1"], ["max", "$1"], ["amin", "$1"], ["logical_not", "$1"],
    ["bitwise_not", "$1"], ["bitwise_xor.Tensor", "$1", "$1"], ["maximum", "$1", "$1"], ["add.Tensor", "$1", "$1"], ["mul.Tensor", "$1", "$1"], ["masked_fill.Scalar", {"$call": ["zeros", [4]]}, "$1", 1], ["where.self", "$1", {"$call": ["ones", [4]]}, {"$call": ["zeros", [4]]}], ["index.Tensor", {"$call": ["ones", [4]]}, ["$1"]],
    ["equal", "$1", {"$call": ["tensor", [1, 1, 0, 1], "bool"]}], ["gather", "$1", 0, {"$call": ["tensor", [0, 3], "int64"]}], ["masked_select", "$1", "$1"])]

INTS = lambda *v: {"$call": ["tensor", list(v), "int64"]}
outputs = [[["zeros", [0]], [f"logical_{op}.out", {"$call": ["ones", [2]]}, INTS(1, 0), "$0"]] for op in ("and", "or", "xor")]
outputs += [[["zeros", [5], D(dt)], [f"logical_{op}.out", {"$call": ["ones", [2, 3]]}, {"$call": ["zeros", [3], D("bool")]}, "$0"]] for op in ("and", "or") for dt in ("uint8", "float64", "bool")]
# What a call leaves behind that fails.
outputs += [made + [["fails", *call], [look, "$0", *rest]] for made, call in (
    ([["zeros", [2, 3]]], ["resize_", "$0", [-1]]), ([["zeros", [2]]], ["zeros.out", [-1, 2], "$0"]), ([["zeros", [2]]], ["ones.out", [2, -3], "$0"]), ([["zeros", [2]]], ["full.out", [-1], 2, "$0"]), ([["zeros", [2]]], ["as_strided_", "$0", [2, -2], [1, 1]]),
    ([["zeros", [5], D("int8")]], ["dot.out", INTS(1, 2), INTS(1, 2), "$0"]), ([["zeros", [5]]], ["vdot.out", INTS(1), INTS(1), "$0"]), ([["zeros", [2, 2]]], ["matmul.out", {"$call": ["ones", [3]]}, {"$call": ["ones", [2]]}, "$0"]),
    ([["zeros", [5]]], ["gather.out", {"$call": ["ones", [2, 2]]}, 0, INTS(0, 1, 0), "$0"]),
) for look, *rest in (["size.int", 0], ["stride.int", -1], ["is_same_size", {"$call": ["zeros", [2]]}])]
outputs += [[["full", [], 5, D("int64")], [f"{op}.out", "$0", [], False, "$0"]] for op in ("amin", "amax")] + [[["full", [], 5, D("float32")], ["amin.out", "$0", [], False, "$0"]]]
outputs += [[["ones", [2, 3]], [op, "$0", dims, *rest]] for op, *rest in (["sum.dim_IntList"], ["amax"], ["mean.dim"], ["all.dims"]) for dims in ([0, 0, 5], [5, 0, 0], [-2, 0])]
outputs += [
    [["zeros", [0, 2, 3]], ["index_put_", "$0", [{"$call": ["scalar_tensor", {"$bool": False}, D("bool")]}], {"$call": ["ones", [2, 3]]}, True]], [["zeros", [0, 3]], ["index.Tensor", "$0", [None]]], [["zeros", [0, 3]], ["_unsafe_index.Tensor", "$0", [None]]],
    [["scalar_tensor", F(1.5)], ["expand", "$0", [0, -1, 1]]], [["scalar_tensor", F(1.5)], ["broadcast_to", "$0", [0, -1, 1]]], [["ones", [1]], ["expand", "$0", [2, -1, 0]]], [["ones", [1]], ["expand", "$0", [2, -3]]], [["ones", [2]], ["_reshape_alias", "$0", [-2], [0]]], [["zeros", [0]], ["_reshape_alias", "$0", [0, -2], [0, 1]]],
    [["ones", [2, 3]], ["addmm", {"$call": ["ones", [2, 2]]}, {"$call": ["ones", [2]]}, {"$call": ["ones", [2, 2], D("float64")]}]], [["ones", [2]], ["addmm", "$0", {"$call": ["ones", [2], D("int64")]}, "$0"]], [["ones", [2, 0]], ["_local_scalar_dense", "$0"]],
    [["ones", [1, 1, 3], D("int64")], ["scatter_.src", "$0", 1, "$0", {"$call": ["ones", [3], D("int64")]}]], [["zeros", [0, 3], D("int16")], ["scatter.value", "$0", 0, {"$call": ["zeros", [2, 0, 3], D("int64")]}, F(1e30)]],
    [["ones", [2]], ["_to_copy", "$0", None, None, None, True]], [["empty.memory_format", [2], None, None, None, True]], [["empty.memory_format", [2], None, None, META, True]],
]

PROGRAMS = {"views": views, "creation": creation, "windows": windows, "copies": copies, "joins": joins, "indexing": indexing, "random": random, "bits": bits, "outputs": outputs}


def find(op):
    base, _, overload = op.partition(".")
    return getattr(getattr(torch.ops.aten, base), overload or "default")


def make_tensor(values, dtype):
    if dtype in ("float32", "float64", "float16", "bfloat16"):
        values = [float(v) for v in values]
    else:
        values = [int(v["$int"]) if isinstance(v, dict) else v for v in values]
    return torch.tensor(values, dtype=getattr(torch, dtype))


def run_call(op, args, results):
    if op == "fails":
        try:
            run_call(args[0], args[1:], results)
        except Exception:
            return None
        raise AssertionError(f"{args} was to fail")
    if op == "seed":
        return torch.manual_seed(args[0])
    if op == "tensor":
        return make_tensor(*args)
    args = [decode(a, results) for a in args]
    fn = find(op)
    positional, keywords = [], {}
    for a, p in zip(args, fn._schema.arguments):
        if p.kwarg_only:
            keywords[p.name] = a
        else:
            positional.append(a)
    return fn(*positional, **keywords)


def decode(a, results):
    if isinstance(a, str) and a.startswith("$"):
        k, _, part = a[1:].partition(".")
        return results[int(k)] if part == "" else results[int(k)][int(part)]
    if isinstance(a, Made):
        return a.value
    if isinstance(a, list):
        return [decode(v, results) for v in a]
    if isinstance(a, dict):
        (kind, v), = a.items()
        if kind in ("$dtype", "$layout"):
            return getattr(torch, v)
        if kind == "$mf":
            return getattr(torch, v)
        if kind == "$device":
            return torch.device(v)
        if kind == "$f":
            return float(v)
        if kind == "$bool":
            return v
        if kind == "$size":
            return results[int(v[0][1:])].size(v[1])
        if kind == "$call":
            return run_call(v[0], v[1:], results)
    return a


def describe(r, results, written):
    if isinstance(r, torch.Tensor):
        meta = r.device.type == "meta"
        data = None
        if not meta and written and all(size >= 0 for size in r.shape):
            flat = r.detach().clone(memory_format=torch.contiguous_format).reshape(-1)
            data = base64.b64encode(bytes(flat.view(torch.uint8).tolist()) if flat.numel() else b"").decode()
        alias = next((k for k, e in enumerate(results) if isinstance(e, torch.Tensor) and not meta and e.device.type != "meta" and e.untyped_storage()._cdata == r.untyped_storage()._cdata), None)
        return {"dtype": str(r.dtype).removeprefix("torch."), "shape": list(r.shape), "stride": list(r.stride()), "offset": r.storage_offset(), "device": r.device.type, "nbytes": r.untyped_storage().nbytes(), "data": data, "alias": alias}
    if isinstance(r, (list, tuple)):
        return {"list": [describe(e, results, written) for e in r]}
    if isinstance(r, float):
        return {"float": repr(r)}
    if isinstance(r, bool):
        return {"bool": r}
    return {"int": str(r)}


# What an uninitialized tensor holds is nobody's word.
UNINITIALIZED = ("empty", "new_empty", "resize_")


def tree(profile):
    """The operators of a profile, nested: `reshape(clone(empty_like(empty) copy_) _unsafe_view)`."""
    events = [e for e in profile.profiler.kineto_results.events() if e.name().startswith("aten::")]
    events.sort(key=lambda e: (e.start_ns(), -e.duration_ns()))
    ends, text = [], ""
    for e in events:
        while ends and e.start_ns() >= ends[-1]:
            ends.pop()
            text += ")"
        text += ("" if text == "" or text.endswith("(") else " ") + e.name()[6:] + "("
        ends.append(e.start_ns() + e.duration_ns())
    return (text + ")" * len(ends)).replace("()", "")


def run(program):
    results = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for op, *args in program[:-1]:
                results.append(run_call(op, args, results))
            op, *args = program[-1]
            args = materialize(args, results)
            with profile(activities=[ProfilerActivity.CPU]) as p:
                results.append(run_call(op, args, results))
        except Exception as e:
            return {"error": type(e).__name__, "message": str(e)}
    answer = {"value": describe(results[-1], results[:-1], not program[-1][0].startswith(UNINITIALIZED))}
    # Many meta kernels of PyTorch are written in Python and call what they like; `size` and `stride` are answered by TorchScript.
    return answer if '"meta"' in json.dumps(program) or program[-1][0] in ("size.int", "stride.int") else {**answer, "ops": tree(p)}


def materialize(args, results):
    """The tensors that an argument asks for, made before the profile begins."""
    return [Made(decode(a, results)) if isinstance(a, dict) and "$call" in a else materialize(a, results) if isinstance(a, list) else a for a in args]


class Made:
    def __init__(self, value):
        self.value = value


def main(path):
    assert torch.__version__.startswith("2.13.0")
    torch.set_warn_always(True)
    out = {"torch": torch.__version__, "programs": {}}
    for group, programs in PROGRAMS.items():
        out["programs"][group] = [{"calls": p, **run(p)} for p in programs]
        print(group, len(programs), sum("error" in r for r in out["programs"][group]), "errors")
    with open(path, "wb") as f:
        with gzip.GzipFile(fileobj=f, mode="wb", mtime=0) as z:
            z.write(json.dumps(out, separators=(",", ":")).encode())


main(sys.argv[1])
