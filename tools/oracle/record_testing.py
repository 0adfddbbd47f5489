"""Records what `torch.testing` of PyTorch 2.13.0 says and draws.

    python tools/oracle/record_testing.py test/fixtures/testing/testing.json.gz

Rows [TypeScript, Python, outcome]. The outcome is null, [error, message], or a tensor as {dtype, shape, stride, requires_grad, data};
`warned` holds the texts of the warnings. test/torch/testing.test.ts runs the TypeScript.
"""

import gzip
import json
import os
import sys
import warnings

import torch

T = "torch.tensor"
CLOSE = [
    # tensors
    (f"{T}([1, 2.5, 3])", f"{T}([1, 2.5, 3])", "", ""),
    (f"{T}([1, 2.5, 3])", f"{T}([1, 2.5, 3.1])", "", ""),
    (f"{T}([1.5, 2.5, 3])", f"{T}([1.5000001, 2.5, 3])", "", ""),
    (f"{T}([1.5, 2.5, 3], {{dtype: torch.float64}})", f"{T}([1.500001, 2.5, 3], {{dtype: torch.float64}})", "", ""),
    (f"{T}([1.5, 2.5, 3], {{dtype: torch.float16}})", f"{T}([1.503, 2.5, 4], {{dtype: torch.float16}})", "", ""),
    (f"{T}([1.5, 2.5, 3], {{dtype: torch.bfloat16}})", f"{T}([1.503, 2.5, 4], {{dtype: torch.bfloat16}})", "", ""),
    (f"{T}([[1, 2], [3, 4]])", f"{T}([[1, 2], [3, 9]])", "", ""),
    (f"{T}([[1.5, 2], [3, 4]])", f"{T}([[1.5, 2], [0, 9]])", "", ""),
    (f"{T}([200, 3], {{dtype: torch.uint8}})", f"{T}([3, 200], {{dtype: torch.uint8}})", "", ""),
    (f"{T}([true, false])", f"{T}([true, true])", "", ""),
    (f"{T}([1.5, NaN])", f"{T}([1.5, NaN])", "", ""),
    (f"{T}([1.5, NaN])", f"{T}([1.5, NaN])", "equal_nan: true", "equal_nan=True"),
    (f"{T}([1.5, Infinity, -Infinity])", f"{T}([1.5, Infinity, Infinity])", "", ""),
    (f"{T}([1.5, Infinity])", f"{T}([1.5, Infinity])", "", ""),
    (f"{T}(1.5)", f"{T}(2.5)", "", ""),
    (f"{T}(1)", f"{T}(3)", "", ""),
    (f"{T}(1.5)", f"{T}(0.0001)", "", ""),
    (f"{T}(true)", f"{T}(false)", "", ""),
    (f"{T}(NaN)", f"{T}(NaN)", "", ""),
    ("torch.zeros(0)", "torch.zeros(0)", "", ""),
    ("torch.zeros(2)", "torch.zeros(3)", "", ""),
    ("torch.zeros(2)", "torch.zeros(1, 2)", "", ""),
    ("torch.zeros(2)", "torch.zeros(2, {dtype: torch.float64})", "", ""),
    ("torch.zeros(2)", "torch.zeros(2, {dtype: torch.float64})", "check_dtype: false", "check_dtype=False"),
    (f"{T}([1, 2])", f"{T}([1.5, 2])", "check_dtype: false", "check_dtype=False"),
    ("torch.zeros(2)", "torch.zeros(2, {device: 'meta'})", "", ""),
    ("torch.zeros(2)", "torch.ones(2, {device: 'meta'})", "check_device: false", "check_device=False"),
    ("torch.zeros(2, 3)", "torch.zeros(3, 2).t()", "", ""),
    ("torch.zeros(2, 3)", "torch.zeros(3, 2).t()", "check_stride: true", "check_stride=True"),
    ("torch.zeros(1).expand(4)", "torch.zeros(4)", "check_stride: true", "check_stride=True"),
    ("torch.zeros(2)", "new torch.nn.Parameter(torch.zeros(2))", "", ""),
    ("torch.zeros(2)", "new torch.nn.Parameter(torch.zeros(2))", "allow_subclasses: false", "allow_subclasses=False"),
    (f"{T}([1.5, 2])", f"{T}([1.25, 2])", "rtol: 0, atol: 0", "rtol=0, atol=0"),
    (f"{T}([1.5, 2])", f"{T}([1.25, 2])", "rtol: 0, atol: 0.5", "rtol=0, atol=0.5"),
    (f"{T}([1.5, 2])", f"{T}([1.25, 2])", "rtol: 0.125, atol: 0", "rtol=0.125, atol=0"),
    (f"{T}([1.5, 2])", f"{T}([1.25, 2])", "rtol: 0.125", "rtol=0.125"),
    (f"{T}([1.5, 2])", f"{T}([1.25, 2])", "atol: 0.125", "atol=0.125"),
    ("[1.5, torch.zeros(1)]", "[1.5, torch.zeros(1)]", "rtol: 0.125", "rtol=0.125"),
    ("torch.arange(16)", "torch.arange(16).index_fill(0, torch.tensor([3]), 4)", "", ""),
    ("torch.arange(16)", "torch.arange(16).index_fill(0, torch.tensor([0, 1, 3]), 4)", "", ""),
    ("torch.arange(24).reshape(2, 3, 4)", "torch.arange(24).reshape(2, 3, 4).clamp(0, 21)", "", ""),
    # numbers
    ("1", "1", "", ""),
    ("1", "2", "", ""),
    ("1.5", "1.5", "", ""),
    ("1.5", "1.25", "", ""),
    ("1.5", "1.50000001", "", ""),
    ("1", "1.5", "", ""),
    ("1", "1.5", "check_dtype: false", "check_dtype=False"),
    ("0.5", "0.25", "rtol: 1, atol: 0", "rtol=1, atol=0"),
    ("1", "0", "", ""),
    ("NaN", "NaN", "", ""),
    ("NaN", "NaN", "equal_nan: true", "equal_nan=True"),
    ("Infinity", "Infinity", "", ""),
    ("Infinity", "-Infinity", "", ""),
    ("1e-12", "1e-10", "rtol: 1e-5, atol: 1e-12", "rtol=1e-5, atol=1e-12"),
    # bools, null, what goes with nothing
    ("true", "true", "", ""),
    ("true", "false", "", ""),
    ("true", "1", "", ""),
    ("null", "null", "", ""),
    ("null", "1", "", ""),
    (f"{T}([1.5])", "null", "", ""),
    (f"{T}(1.5)", "1.5", "", ""),
    (f"{T}([1.5])", "[1.5]", "", ""),
    ("'a'", "'a'", "", ""),
    ("[1.5]", "1.5", "", ""),
    # nested
    ("[1, 2]", "[1, 2, 3]", "", ""),
    ("[1, 2]", "[1, 3]", "", ""),
    ("[1, [2, 5.5]]", "[1, [2, 4.5]]", "", ""),
    ("[]", "[]", "", ""),
    ("[{'a': [1]}]", "[{'a': [1, 2]}]", "", ""),
    ("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", "", ""),
    ("{'a': 1, 'b': 2}", "{'b': 2, 'c': 1, 'aa': 3}", "", ""),
    (f"{{'b': {T}([1, 2]), 'a': 1}}", f"{{'b': {T}([1, 3]), 'a': 2}}", "", ""),
    (f"{{'b': {T}([1, 2]), 'a': 1}}", f"{{'b': {T}([1, 3]), 'a': 1}}", "", ""),
    (f"[{T}([1.5]), {T}([1, 2])]", f"[{T}([1.5]), {T}([1, 3])]", "", ""),
    # messages of one's own
    (f"{T}([1.5])", f"{T}([2.5])", "msg: 'no'", "msg='no'"),
    (f"{T}([1.5])", f"{T}([2.5])", "msg: (m) => 'Header: ' + m", "msg=lambda m: 'Header: ' + m"),
    (f"[{T}([1.5])]", f"[{T}([2.5])]", "msg: (m) => m + '!'", "msg=lambda m: m + '!'"),
    ("[1]", "[1, 2]", "msg: 'no'", "msg='no'"),
]

MAKE = [
    *[("2, 3", f"dtype: torch.{d}") for d in "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64".split()],
    ("[2, 3]", "dtype: torch.float32, low: -1, high: 1"),
    ("", "dtype: torch.float32"),
    ("0", "dtype: torch.float32"),
    ("5", "dtype: torch.float64, low: null, high: 100.5"),
    ("5", "dtype: torch.int64, low: 1.5, high: 4.5"),
    ("5", "dtype: torch.uint8, low: -300, high: 3"),
    ("5", "dtype: torch.int8, low: -1000, high: 1000"),
    ("5", "dtype: torch.float32, low: -Infinity, high: Infinity"),
    ("5", "dtype: torch.float64, low: -Infinity, high: Infinity"),
    ("5", "dtype: torch.float16, low: -Infinity, high: Infinity"),
    ("2, 3", "dtype: torch.float32, noncontiguous: true"),
    ("1", "dtype: torch.float32, noncontiguous: true"),
    ("2, 3", "dtype: torch.float32, requires_grad: true"),
    ("8", "dtype: torch.int64, low: 0, high: 2, exclude_zero: true"),
    ("8", "dtype: torch.bool, exclude_zero: true"),
    ("1, 2, 2, 3", "dtype: torch.float32, memory_format: torch.channels_last"),
    ("2", "dtype: torch.float32, noncontiguous: true, memory_format: torch.channels_last"),
    ("2", "dtype: torch.int64, requires_grad: true"),
    ("2", "dtype: torch.float32, low: NaN"),
    ("2", "dtype: torch.float32, low: 3, high: 1"),
    ("2", "dtype: torch.float32, low: 2.5, high: 2.5"),
    ("2", "dtype: torch.int64, low: 2, high: 2"),
    ("2", "dtype: torch.uint8, low: 300, high: 400"),
    ("2", "dtype: torch.float16, low: 70000, high: 80000"),
    ("2", "dtype: torch.bool, low: 2, high: 4"),
]


def to_python(text):
    for a, b in (("true", "True"), ("false", "False"), ("null", "None"), ("NaN", "nan"), ("Infinity", "inf"), ("new ", "")):
        text = text.replace(a, b)
    # {dtype: torch.x} of a call is Python's dtype=torch.x; a dict's keys are quoted
    while "{d" in text:
        start = text.index("{d")
        end = text.index("}", start)
        text = text[:start] + text[start + 1 : end].replace(": ", "=") + text[end + 1 :]
    return text


def describe(value):
    if not isinstance(value, torch.Tensor):
        return value
    flat = value.detach().flatten().tolist()
    data = [v if isinstance(v, (bool, int)) else float(v).hex() for v in flat]
    return {"dtype": str(value.dtype), "shape": list(value.shape), "stride": list(value.stride()), "requires_grad": value.requires_grad, "data": data}


def run(python):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            torch.manual_seed(5)
            outcome = describe(eval(python, {"torch": torch, "nan": float("nan"), "inf": float("inf")}))
        except Exception as error:  # whatever it is, it is the answer
            outcome = [type(error).__name__, str(error)]
    return outcome, [str(w.message) for w in caught]


def main(path):
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    rows = []
    for actual, expected, ts_options, python_options in CLOSE:
        ts = f"torch.testing.assert_close({actual}, {expected}{', {' + ts_options + '}' if ts_options else ''})"
        python = f"torch.testing.assert_close({to_python(actual)}, {to_python(expected)}{', ' + python_options if python_options else ''})"
        rows.append([ts, python, *run(python)])
    for actual, expected in (("[1.5, 2]", "[1.5, 2.1]"), ("[1.5, 2]", "[1.50001, 2]")):
        text = f"torch.testing.assert_allclose({actual}, {expected})"
        rows.append([text, text, *run(text)])
    for shape, options in MAKE:
        comma = ", " if shape else ""
        ts = f"torch.testing.make_tensor({shape}{comma}{{device: 'cpu', {options}}})"
        python = f"torch.testing.make_tensor({shape}{comma}device='cpu', {to_python(options).replace(': ', '=')})"
        rows.append([ts, python, *run(python)])
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = {"torch": torch.__version__, "script": "tools/oracle/record_testing.py", "rows": rows}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data, indent=0).encode(), mtime=0))
    print(len(rows), "rows")


if __name__ == "__main__":
    main(sys.argv[1])
