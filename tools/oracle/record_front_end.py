"""Records what PyTorch 2.13.0's front end says: refusals of wrong arguments, printed tensors, new tensors, indexing.

    python tools/oracle/record_front_end.py test/fixtures/front_end

`arguments.json.gz`: calls with arguments drawn from a pool (seed 20261121). `$a`, `$b` are the tensors below, `$float` a float without fraction.
`programs.json.gz`: rows [kind, TypeScript, Python, outcome]; the outcome is the text of the result or [error, message].
"""

import gzip
import json
import random
import re
import sys
import warnings

import torch

warnings.simplefilter("ignore")
A = torch.tensor([1.5, 2.5])
B = torch.ones(2, 2)
POOL = [
    ("$a", A), ("$b", B), (1, 1), ({"$float": 2.0}, 2.0), (2.5, 2.5), ("x", "x"), (None, None), ([1], [1]), ([0, 1], [0, 1]), ([2.5], [2.5]),
    (["x"], ["x"]), (True, True), ("$float32", torch.float32), (["$a"], [A]), ([], []),
]
KEYWORDS = [
    "dim", "keepdim", "dtype", "out", "alpha", "beta", "axis", "other", "input", "size", "foo", "generator", "p", "value", "min", "max",
    "keepdims", "rounding_mode", "memory_format", "device",
]
# Uninitialized or random results, and functions that Python code wraps.
SKIP = re.compile(r"_.*|empty.*|new_empty.*|rand.*|normal.*|bernoulli.*|dropout|resize_|set_|as_strided_|uniform_|random_|split")


def names(path):
    text = open(path).read()
    return sorted({m for m in re.findall(r"^  (\w+)\(", text, re.M) if not SKIP.fullmatch(m)})


def outcome(run):
    try:
        run()
        return None
    except Exception as e:  # noqa: BLE001
        # A method called through `getattr` names the type; called directly, as users do, its base.
        return [type(e).__name__, re.sub(r"^Tensor\.", "TensorBase.", str(e))]


def arguments():
    rng = random.Random(20261121)
    rows = []
    for kind, path in (("torch", "_VariableFunctions"), ("tensor", "TensorBase")):
        for name in names(f"src/torch/_C/generated/{path}.ts"):
            for _ in range(7):
                args = [rng.choice(POOL) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4]))]
                if kind == "torch" and args and rng.random() < 0.6:
                    args[0] = POOL[rng.choice([0, 1])]
                kwargs = {rng.choice(KEYWORDS): rng.choice(POOL) for _ in range(rng.choice([0, 0, 1, 2]))}
                target = torch if kind == "torch" else A.clone()
                result = outcome(lambda: getattr(target, name)(*[a for _, a in args], **{k: v for k, (_, v) in kwargs.items()}))
                rows.append([kind, name, [a for a, _ in args], {k: v for k, (v, _) in kwargs.items()}, result])
    return rows


REPR = [
    ("torch.tensor([])", None),
    ("torch.zeros(0, 3)", None),
    ("torch.tensor(3)", None),
    ("torch.tensor(-2.5)", None),
    ("torch.tensor(true)", "torch.tensor(True)"),
    ("torch.tensor([true, false])", "torch.tensor([True, False])"),
    ("torch.tensor([1, -20, 300])", None),
    ("torch.tensor([1.5, -0.25, 1000.125])", None),
    ("torch.tensor([1e-8, 1.5])", None),
    ("torch.tensor([1e9 + 0.5, 1.5])", "torch.tensor([1e9 + 0.5, 1.5])"),
    ("torch.ones(3)", None),
    ("torch.ones(3).mul(-7)", "torch.ones(3) * -7"),
    ("torch.tensor([NaN, 1.5, Infinity, -Infinity])", "torch.tensor([float('nan'), 1.5, float('inf'), -float('inf')])"),
    ("torch.tensor([NaN, torch.Float(1), Infinity])", "torch.tensor([float('nan'), 1., float('inf')])"),
    ("torch.tensor([NaN])", "torch.tensor([float('nan')])"),
    ("torch.tensor([-0, 2.5])", "torch.tensor([-0., 2.5])"),
    ("torch.tensor([0.03125, 2.03125, 0.125])", None),
    ("torch.tensor([0.5, 1.5], {dtype: torch.float64})", "torch.tensor([0.5, 1.5], dtype=torch.float64)"),
    ("torch.tensor([0.5, 1.5], {dtype: torch.float16})", "torch.tensor([0.5, 1.5], dtype=torch.float16)"),
    ("torch.tensor([0.1, 1.5], {dtype: torch.bfloat16})", "torch.tensor([0.1, 1.5], dtype=torch.bfloat16)"),
    ("torch.tensor([1, 2], {dtype: torch.uint8})", "torch.tensor([1, 2], dtype=torch.uint8)"),
    ("torch.tensor([1, 2], {dtype: torch.int32})", "torch.tensor([1, 2], dtype=torch.int32)"),
    ("torch.tensor(9007199254740993n)", "torch.tensor(9007199254740993)"),
    ("torch.arange(24).reshape(2, 3, 4)", None),
    ("torch.arange(40).reshape(1, 40)", None),
    ("torch.arange(1001)", None),
    ("torch.arange(2000).reshape(2, 1000)", None),
    ("torch.arange(3000).reshape(10, 10, 30)", None),
    ("torch.arange(1200).mul(0.5).reshape(1200, 1)", "(torch.arange(1200) * 0.5).reshape(1200, 1)"),
    ("torch.tensor([0.1, 2.5], {requires_grad: true})", "torch.tensor([0.1, 2.5], requires_grad=True)"),
    ("torch.tensor([0.1, 2.5], {requires_grad: true}).exp()", "torch.tensor([0.1, 2.5], requires_grad=True).exp()"),
    ("torch.ones(2, 2, {requires_grad: true}).view(4)", "torch.ones(2, 2, requires_grad=True).view(4)"),
    ("torch.zeros(2, 3, {device: 'meta'})", "torch.zeros(2, 3, device='meta')"),
    ("torch.zeros(3, {device: 'meta', dtype: torch.int64})", "torch.zeros(3, device='meta', dtype=torch.int64)"),
    ("new torch.nn.Parameter(torch.ones(2))", "torch.nn.Parameter(torch.ones(2))"),
    ("torch.ones(20, 30, {dtype: torch.float64, requires_grad: true}).mul(2.5)", "torch.ones(20, 30, dtype=torch.float64, requires_grad=True) * 2.5"),
    ("torch.max(torch.tensor([[1, 3], [4, 2]]), 1)", None),
    ("torch.tensor([1e-5, 2e-5])", None),
    ("torch.tensor([1e20, 1.5])", "torch.tensor([1e20, 1.5])"),
    ("torch.tensor([123456.789, 0.5])", None),
    ("torch.tensor([100000000.5, 200000000.5])", None),
    ("torch.device('cpu')", None),
]

NEW = [
    ("torch.tensor([1, [2]])", None), ("torch.tensor([[1], 2])", None), ("torch.tensor([[1, 2], [3]])", None), ("torch.tensor([[1], [2, 3]])", None),
    ("torch.tensor([1, 'x'])", None), ("torch.tensor(['x'])", None), ("torch.tensor([1, null])", "torch.tensor([1, None])"),
    ("torch.tensor(null)", "torch.tensor(None)"), ("torch.tensor([{}])", None), ("torch.tensor([[]])", None), ("torch.tensor([[], [1]])", None),
    ("torch.tensor([true, 2])", "torch.tensor([True, 2])"), ("torch.tensor([true, 2.5])", "torch.tensor([True, 2.5])"), ("torch.tensor([1, 2.5])", None),
    ("torch.tensor(2n ** 63n)", "torch.tensor(2 ** 63)"), ("torch.tensor([2n ** 64n])", "torch.tensor([2 ** 64])"),
    ("torch.tensor(300, {dtype: torch.uint8})", "torch.tensor(300, dtype=torch.uint8)"),
    ("torch.tensor(-1, {dtype: torch.uint8})", "torch.tensor(-1, dtype=torch.uint8)"),
    ("torch.tensor(128, {dtype: torch.int8})", "torch.tensor(128, dtype=torch.int8)"),
    ("torch.tensor([2 ** 31], {dtype: torch.int32})", "torch.tensor([2 ** 31], dtype=torch.int32)"),
    ("torch.tensor([1.5, 2], {dtype: torch.int32})", "torch.tensor([1.5, 2], dtype=torch.int32)"),
    ("torch.tensor(NaN, {dtype: torch.int64})", "torch.tensor(float('nan'), dtype=torch.int64)"),
    ("torch.tensor('x', {dtype: torch.int64})", "torch.tensor('x', dtype=torch.int64)"),
    ("torch.tensor([0.5, torch.Float(0)], {dtype: torch.bool})", "torch.tensor([0.5, 0.], dtype=torch.bool)"),
    ("torch.tensor([torch.tensor(1), torch.tensor(2.5)])", None), ("torch.tensor([torch.tensor([1])])", None), ("torch.tensor([torch.tensor([1, 2])])", None),
    ("torch.tensor(1, {requires_grad: true})", "torch.tensor(1, requires_grad=True)"),
    ("torch.tensor(1.5, {device: 'meta'})", "torch.tensor(1.5, device='meta')"),
    ("new torch.Tensor(2, 0)", "torch.Tensor(2, 0)"), ("new torch.Tensor([1, 2])", "torch.Tensor([1, 2])"), ("new torch.Tensor()", "torch.Tensor()"),
    ("new torch.Tensor(2.5)", "torch.Tensor(2.5)"), ("new torch.Tensor('x')", "torch.Tensor('x')"), ("new torch.Tensor([1, 2], [3])", "torch.Tensor([1, 2], [3])"),
    ("new torch.Tensor(torch.ones(2, {dtype: torch.int64}))", "torch.Tensor(torch.ones(2, dtype=torch.int64))"),
    ("new torch.Tensor(2, 3, {dtype: torch.float32})", "torch.Tensor(2, 3, dtype=torch.float32)"),
    ("new torch.Tensor(2, {device: 'cuda'})", "torch.Tensor(2, device='cuda')"),
    ("torch.LongTensor([1.5, 2])", None), ("torch.as_tensor([1, 2])", None), ("torch.asarray([1, 2.5])", None),
    ("torch.ones(2, {dtype: torch.int64}).new_tensor([1.5, 2])", "torch.ones(2, dtype=torch.int64).new_tensor([1.5, 2])"),
    ("torch.full([2], 7)", None), ("torch.full([2], 2.5)", None), ("torch.full([2], true)", "torch.full([2], True)"),
    ("torch.arange(1, 2, 0.25)", None), ("torch.arange(5, 0)", None), ("torch.set_default_dtype(torch.int64)", None), ("torch.set_default_dtype(3)", None),
    ("torch.tensor([1, 2]).requires_grad_()", None), ("torch.ones(2).item()", None), ("torch.zeros(0).item()", None),
    ("torch.ones(2, {requires_grad: true}).numpy()", "torch.ones(2, requires_grad=True).numpy()"),
    ("torch.ones(2, {device: 'meta'}).tolist()", "torch.ones(2, device='meta').tolist()"),
    ("torch.ones(1, {device: 'meta'}).item()", "torch.ones(1, device='meta').item()"),
    ("torch.device('cuda:1', 1)", None), ("torch.device('cpu', -1)", None), ("torch.device('foo')", None), ("torch.zeros(2, {device: 3.5})", "torch.zeros(2, device=3.5)"),
    ("torch.tensor([1.5]).type()", None), ("torch.tensor([1.5]).type('torch.DoubleTensor')", None), ("torch.tensor([1.5]).type(3)", None),
    ("torch.tensor([1.5, 2.5]).to(torch.int64)", None), ("torch.tensor([3]).__index__()", None), ("torch.tensor(3.5).__int__()", None), ("torch.ones(2).__bool__()", None),
    ("torch.ones(2, {out: 3})", "torch.ones(2, out=3)"), ("torch.zeros(2, 3, {out: torch.zeros(2, 3), dtype: torch.int64})", "torch.zeros(2, 3, out=torch.zeros(2, 3), dtype=torch.int64)"),
]

X = "torch.arange(6).reshape(2, 3)"
GET = [
    ("0", "0"), ("5", "5"), ("-3", "-3"), ("[0, 5]", "0, 5"), ("[0, 0, 0]", "0, 0, 0"), ("{step: 0}", "::0"), ("{step: -1}", "::-1"), ("1.5", "1.5"), ("'a'", "'a'"),
    ("[[0, 1]]", "[0, 1],"), ("[[0, 5]]", "[0, 5],"), ("[[0, 1], [0, 1]]", "[0, 1], [0, 1]"), ("[[true, false]]", "[True, False],"),
    ("[[true, false, true]]", "[True, False, True],"), ("torch.tensor([true, false, true])", "torch.tensor([True, False, True])"), ("torch.tensor([1.5])", "torch.tensor([1.5])"),
    ("[{start: 0, stop: 1}, null, '...', [0, 2]]", "0:1, None, ..., [0, 2]"), ("torch.tensor(1)", "torch.tensor(1)"), ("torch.tensor(true)", "torch.tensor(True)"),
    ("[{start: null}, torch.tensor(1)]", ":, torch.tensor(1)"), ("['...', 0]", "..., 0"), ("{start: 1, stop: 10}", "1:10"), ("{start: 3, stop: 1}", "3:1"), ("{start: -1}", "-1:"),
    ("null", "None"), ("true", "True"), ("false", "False"), ("[0, true]", "0, True"), ("{}", "{}"), ("[]", "()"), ("torch.tensor([[0, 1], [1, 0]])", "torch.tensor([[0, 1], [1, 0]])"),
]
SET = [
    ("0", "0", "5", "5"), ("[0, 1]", "0, 1", "5", "5"), ("0", "0", "torch.tensor([1, 2, 3])", None), ("0", "0", "torch.tensor([[1, 2, 3]])", None),
    ("0", "0", "torch.tensor([1, 2])", None), ("0", "0", "'x'", None), ("0", "0", "[1, 2, 3]", None), ("0", "0", "1.5", None), ("0", "0", "true", "True"),
    ("[[0, 1]]", "[0, 1],", "torch.tensor([7, 8, 9])", None), ("'...'", "...", "9", None), ("null", "None", "9", None), ("false", "False", "9", None), ("{start: 0, stop: 1}", "0:1", "9", None),
    ("torch.arange(6).reshape(2, 3).gt(3)", "torch.arange(6).reshape(2, 3) > 3", "0", None), ("torch.arange(6).reshape(2, 3).gt(3)", "torch.arange(6).reshape(2, 3) > 3", "torch.tensor([1, 2])", None),
    ("torch.arange(6).reshape(2, 3).gt(3)", "torch.arange(6).reshape(2, 3) > 3", "torch.tensor([1, 2, 3])", None), ("5", "5", "0", None),
]


def programs():
    rows = []

    def row(kind, ts, py, code):
        scope = {"torch": torch}
        try:
            exec(code, scope)  # noqa: S102
            rows.append([kind, ts, py, repr(scope["r"])])
        except Exception as e:  # noqa: BLE001
            rows.append([kind, ts, py, [type(e).__name__, str(e)]])

    for kind, table in (("repr", REPR), ("new", NEW)):
        for ts, py in table:
            row(kind, ts, py or ts, f"r = {py or ts}")
    for ts, py in GET:
        row("getitem", f"{X}.__getitem__({ts})", f"{X}[{py}]", f"r = {X}[{py}]")
        row("getitem", f"torch.tensor(1).__getitem__({ts})", f"torch.tensor(1)[{py}]", f"r = torch.tensor(1)[{py}]")
    for ts, py, value, py_value in SET:
        row("setitem", f"((x) => (x.__setitem__({ts}, {value}), x))({X})", f"x[{py}] = {py_value or value}", f"r = {X}\nr[{py}] = {py_value or value}")
    return rows


def write(name, rows):
    with gzip.GzipFile(f"{sys.argv[1]}/{name}.json.gz", "wb", mtime=0) as f:
        f.write(json.dumps({"torch": torch.__version__, "rows": rows}, separators=(",", ":")).encode())
    print(name, len(rows), "rows")


write("arguments", arguments())
write("programs", programs())
