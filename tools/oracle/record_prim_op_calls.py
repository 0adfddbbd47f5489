"""Records calls of TorchScript's own operators: each operator over many arguments, alone in a graph.

Writes test/fixtures/jit/prim_ops.json.gz: for every operator the types of its arguments, and for every call the arguments, the results with
the arguments as they are afterwards, or the error. A call that ends PyTorch's process (3 % 0) or never ends is recorded as `crash`.

    python tools/oracle/record_prim_op_calls.py [NAME ...]
"""

import gzip
import itertools
import json
import os
import random
import re
import signal
import sys
import warnings
from pathlib import Path

import torch

ROOT = Path(__file__).parents[2]
OUT = ROOT / "test/fixtures/jit/prim_ops.json.gz"
YAML = ROOT / "src/torch/csrc-equivalent/jit/runtime/prim_ops.yaml"
CALLS = 36

inf = float("inf")
nan = float("nan")
POOL = {
    "int": [0, 1, -1, 2, 3, -7, 10, 63, 64, 100, 2**31, -(2**33) + 1, 2**53, 2**53 + 1, -(2**63), 2**63 - 1],
    "float": [0.0, -0.0, 1.0, -1.5, 2.5, 3.5, 0.1, 10.0, -7.25, 1e300, 1e-310, 1e19, inf, -inf, nan],
    "bool": [False, True],
    "complex": [0j, 1 + 2j, -1.5 - 0.5j, 2 + 0j, -3j, 0.25 + 1.75j],
    "str": ["", "a", "b", "ab", "Hello World", "hello", "ab,c,,d", "héllo", "  x\t\n", "12", "abcabc", "A1_", "\t a\tb"],
    "Scalar": [0, 2, -3, 7, 2.5, -0.5, 1 + 2j],
    "Device": [torch.device("cpu"), torch.device("cuda"), torch.device("cuda:1")],
    "Tensor": [torch.tensor(3), torch.tensor(2.5), torch.tensor([1.0, -2.5]), torch.tensor([[1, 2], [3, 4]]), torch.tensor(True)],
    "ScalarType": [None, 6, 7, 4, 11],
}
SMALL = [-3, -1, 0, 1, 2, 5, 9]
SMALL_INTS = {"width", "tabsize", "n", "max", "start", "end", "idx", "index", "dim", "stacklevel", "red_axes", "step"}
WORDS = {
    "aten::Int.str": ["12", " -7", "+3", "x", "", "1 ", "0x10", "99999999999999999999", "9223372036854775807", "1.5", "1_0"],
    "aten::Float.str": ["2.5", " -7", "1e3", "x", "", "inf", "-nan", "0x1p3", "1e400", "1e-400", "1.", ".5", "1 "],
    "aten::device": ["cpu", "cuda", "cuda:1", "cpu:x", "", "foo"],
    "aten::device.with_index": ["cpu", "cuda", "foo"],
    "aten::format": ["{}", "{} {}", "{{}}", "no", "{}{}{}"],
    "aten::percentFormat": ["%d", "%s!", "%f %e", "%", "%q", "%%", "%c", "%i%%"],
    "aten::get_autocast_dtype": ["cpu", "cuda"],
}
SKIP = re.compile(
    r"prim::(?:profile|Fus|Tensor|Static|MM|MKLDNN|oneDNN|mkldnn|Broadcast|Const|Chunk|Differ|Fallback|Python|Ignored|BailOut|Bailout|Guard|Require|TypeCheck"
    r"|Autograd|rpc|await|TimePoint|AddStat|id|Uninit|tolist|IfThen|Var|EnumN|EnumV|ModuleC|data|Reduction|name|unchecked_cast|TupleUnpack)"
    r"|aten::(?:backward|grad|save|warn|wait|cuda|Generator|seed|initial_seed|manual_seed|hash|_no_grad|__interp|__upsample|dist_|confirmed|is_owner|owner|to_here"
    r"|local_value|dequantize|einsum|_pack|has_torch|set_grad|_ncf|_get_cpu|_grad_sum|sym_|eq\.enum|ne\.enum|format|percentFormat|_tensor_to_list|copy_|device\.with_index|(?:dict|update)\.Tensor|sum\.complex)|onnx|profiler|prim::Print"
)


def split_top(text):
    """The parts of a text between commas that are in no brackets."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    return [p.strip() for p in [*parts, text[begin:]] if p.strip()]


def values(kind, name, op):
    """Arguments to try for a parameter of this type."""
    if kind.endswith("?"):
        return [None, *values(kind[:-1], name, op)]
    if kind.endswith("[]"):
        inner = values(kind[:-2], name, op)
        rng = random.Random(f"{op} {name}")
        lists = [[], inner[:1], inner[1:3], inner[2:0:-1]]
        lists += [[rng.choice(inner) for _ in range(rng.randint(2, 6))] for _ in range(6)]
        return lists
    if kind.startswith("Dict("):
        key, value = split_top(kind[5:-1])
        keys, vals = values(key, name, op), values(value, name, op)
        return [{}, dict(zip(keys[:3], vals)), dict(zip(keys[1:5], vals[2:]))]
    if kind.startswith("("):
        parts = [values(part, name, op) for part in split_top(kind[1:-1])]
        rng = random.Random(f"{op} {name}")
        return [tuple(rng.choice(part) for part in parts) for _ in range(6)]
    if name == "dtype":
        return POOL["ScalarType"][1:]
    if kind == "Device" and re.search("tensor|::to", op):
        return [torch.device("cpu")]
    if kind == "float" and "sort" in op:
        return [x for x in POOL["float"] if x == x]  # an order with NaN depends on the algorithm
    if kind == "str" and op in WORDS:
        return WORDS[op]
    if kind == "int" and (name in SMALL_INTS or re.search(r"mul\.(?:left|right)|mul_\.t|factorial|rangelist", op)):
        return [*SMALL, 21, 70] if "factorial" in op else SMALL
    if name == "fillchar":
        return [" ", "*", "", "ab"]
    return POOL[kind]


def encode(value):
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= 2**53 - 1 else {"$int": str(value)}
    if isinstance(value, float):
        return {"$float": repr(value)}
    if isinstance(value, complex):
        return {"$complex": [repr(value.real), repr(value.imag)]}
    if isinstance(value, tuple):
        return {"$tuple": [encode(v) for v in value]}
    if isinstance(value, list):
        return [encode(v) for v in value]
    if isinstance(value, dict):
        return {"$dict": [[encode(k), encode(v)] for k, v in value.items()]}
    if isinstance(value, torch.Tensor):
        return {"$tensor": [str(value.dtype).split(".")[1], list(value.shape), [encode(v) for v in value.flatten().tolist()]]}
    if isinstance(value, torch.device):
        return {"$device": str(value)}
    return {"$other": str(value)}


def graph_of(name, types, returns):
    """A graph of one call, which returns the results and, behind them, the arguments as they are then."""
    inputs = [f"%a{i} : {t}" for i, t in enumerate(types)]
    outputs = [f"%r{i} : {t}" for i, t in enumerate(returns)]
    names = [f"%r{i}" for i in range(len(returns))] + [f"%a{i}" for i in range(len(types))]
    every = ", ".join([*returns, *types])
    call = f"  {', '.join(outputs)} = {name}({', '.join(f'%a{i}' for i in range(len(types)))})\n" if returns else ""
    graph = torch._C.parse_ir(f"graph({', '.join(inputs)}):\n{call}  %all : ({every}) = prim::TupleConstruct({', '.join(names)})\n  return (%all)\n")
    if not returns:  # the parser of graphs reads no node without outputs
        graph.create(name, list(graph.inputs()), 0).insertBefore(next(graph.nodes()))
    return graph


def copied(value):
    if isinstance(value, torch.Tensor):
        return value.clone()
    if isinstance(value, list):
        return [copied(v) for v in value]
    return dict(value) if isinstance(value, dict) else value


def outcome(fn, args):
    given = [copied(a) for a in args]
    try:
        result = fn(*given)
    except Exception as e:
        text = str(e)
        if isinstance(e, UnicodeDecodeError):
            return {"undecodable": True}
        # The message stands behind the traceback, which marks the call if the graph has a text.
        text = re.sub(r"\AThe following operation failed in the TorchScript interpreter\.\nTraceback of TorchScript \(most recent call last\):\n", "", text)
        text = re.sub(r"\Agraph\(.*?<--- HERE\n.*?return \(%all\)\n(?=[\w.]+: )", "", text, flags=re.S)
        message = text[:-1] if text.endswith("\n") else f"{type(e).__name__}: {text}"
        return {"error": message}
    return {"result": encode(result)}


def calls_of(op, types, names):
    pools = [values(t, n, op) for t, n in zip(types, names)]
    every = 1
    for pool in pools:
        every *= len(pool)
    if every <= CALLS:
        return list(itertools.product(*pools))
    rng = random.Random(op)
    return [tuple(rng.choice(pool) for pool in pools) for _ in range(CALLS)]


def run_in_child(fn, calls):
    """Outcomes of calls; a child process makes them, because a call may end the process."""
    outcomes = []
    while len(outcomes) < len(calls):
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            with os.fdopen(write, "w") as out:
                for args in calls[len(outcomes) :]:
                    signal.alarm(2)
                    out.write(json.dumps(outcome(fn, args)) + "\n")
                    out.flush()
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as lines:
            outcomes += [json.loads(line) for line in lines]
        _, status = os.waitpid(pid, 0)
        if status != 0:
            outcomes.append({"crash": os.WTERMSIG(status)})
    return outcomes


def substituted(text, element):
    return re.sub(r"\b(?:t1|t2|tVal|t)\b", element, text)


# The annotations of Python, `List[int]`, as types of graphs, `int[]`.
def graph_type(annotation):
    annotation = annotation.strip()
    for outer, form in (("List[", "{}[]"), ("Optional[", "{}?")):
        if annotation.startswith(outer):
            return form.format(graph_type(annotation[len(outer) : -1]))
    if annotation.startswith("Dict["):
        return f"Dict({', '.join(graph_type(p) for p in split_top(annotation[5:-1]))})"
    if annotation.startswith("Tuple["):
        return f"({', '.join(graph_type(p) for p in split_top(annotation[6:-1]))})"
    return {"number": "Scalar"}.get(annotation, annotation)


def main():
    warnings.simplefilter("ignore")
    wanted = sys.argv[1:]
    lines = [line[8:] for line in YAML.read_text().splitlines() if line.startswith("- func: ")]
    cases, refused = [], []
    for line in lines:
        full = line[: line.index("(")]
        if SKIP.match(full) or "__torch__" in line or (wanted and full not in wanted):
            continue
        schema = torch._C.parse_schema(line)
        for element in ["(int, str)", "(float, bool)"] if full in ("aten::sort.any", "aten::sorted.any") else ["int", "str"] if re.search(r"\bt\b|\bt1\b|\btVal\b", line) else [""]:
            types = [substituted(graph_type(str(a.type)), element) for a in schema.arguments]
            if full == "prim::TupleIndex":
                types = ["(int, str)", "int"]
            returns = [substituted(graph_type(str(r.type)), element) for r in schema.returns]
            try:
                fn = torch._C._create_function_from_graph("f", graph_of(schema.name, types, returns))
                node = [n for n in fn.graph.nodes() if n.kind() == schema.name][0]
                matched = str(node.schema()).split("(")[0]
            except Exception as e:
                refused.append([full, types, str(e).split("\n")[0][:120]])
                continue
            if matched != full:
                refused.append([full, types, f"matched {matched}"])
                continue
            calls = calls_of(full, types, [a.name for a in schema.arguments])
            if full.startswith("aten::to."):  # a copy without dtype and device reads an optional that is empty
                calls = [args for args in calls if not (args[-1] and all(a is None for a in args[1:-2]))]
            outcomes = run_in_child(fn, calls)
            cases.append({"op": full, "types": types, "calls": [[[encode(a) for a in args], o] for args, o in zip(calls, outcomes)]})
    for r in refused:
        print(*r)
    print(len(cases), "operators", sum(len(c["calls"]) for c in cases), "calls")
    if wanted:
        print(json.dumps(cases, indent=1)[:3000])
        return
    OUT.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"torch": torch.__version__.split("+")[0], "cases": cases}, ensure_ascii=False)
    OUT.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
