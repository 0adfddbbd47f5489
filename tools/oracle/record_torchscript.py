"""Records what PyTorch's script compiler makes of the programs in tools/oracle/torchscript_programs.

    python tools/oracle/record_torchscript.py [NAME ...]      (writes test/fixtures/torchscript/NAME.json.gz for each NAME.py)

A program's own text begins behind a line `# ---- name`. The file's name says what is recorded:

    trees           the syntax tree of one function, or the error
    cu_*, errors_*  a text for `torch.jit.CompilationUnit`: schema, graph, source ranges and printed code of each function, or the error
    py_*            a Python file whose `f`, or whose module `make()`, is scripted: the same
"""

import gzip
import json
import re
import sys
import tempfile
import types
import warnings
from pathlib import Path

import torch

HERE = Path(__file__).parent
PROGRAMS = HERE / "torchscript_programs"
OUT = HERE.parent.parent / "test" / "fixtures" / "torchscript"


def programs(text):
    """Names and texts of the programs in a file."""
    parts = re.split(r"^# ---- (.*)\n", text, flags=re.M)
    return [(name, body.strip("\n") + "\n") for name, body in zip(parts[1::2], parts[2::2])]


def graph_text(graph):
    """The graph without source ranges, which `str(False)` leaves on the lines of blocks."""
    return re.sub(r" # [^\n#\"]*:\d+:\d+$", "", graph.str(False), flags=re.M)


def ranges(graph):
    """Line and column of each line of the graph, or None."""
    found = [re.search(r" # [^\n#\"]*?:(\d+):(\d+)$", line) for line in str(graph).rstrip("\n").split("\n")]
    return [f"{m[1]}:{m[2]}" if m else None for m in found]


def describe(fn, scrub):
    module = isinstance(fn, torch.nn.Module)
    schema = str(fn._c._get_method("forward").schema if module else fn.schema)
    return {"schema": scrub(schema), "graph": scrub(graph_text(fn.graph)), "ranges": ranges(fn.graph), "code": scrub(fn.code)}


def failure(error, scrub):
    return {"type": type(error).__name__, "message": re.sub(r"0x[0-9a-f]+", "0x0", scrub(str(error)))}


def record_tree(name, text):
    try:
        return {"tree": str(torch._C._parse_source_def(text))}
    except Exception as error:
        return failure(error, str)


def record_unit(name, text):
    try:
        unit = torch.jit.CompilationUnit(text)
        return {"functions": {fn.name: describe(fn, str) for fn in unit.get_functions()}}
    except Exception as error:
        return failure(error, str)


def record_python(name, text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.py"
        path.write_text(text)
        scrub = lambda s: s.replace(str(folder) + "/", "").replace(str(Path(torch.__file__).parent.parent) + "/", "")
        module = types.ModuleType(name)
        module.__file__ = str(path)
        sys.modules[name] = module
        try:
            exec(compile(text, str(path), "exec"), module.__dict__)
            made = module.make() if hasattr(module, "make") else module.f
            return describe(torch.jit.script(made), scrub)
        except Exception as error:
            return failure(error, scrub)


def main(names):
    warnings.simplefilter("ignore")
    OUT.mkdir(parents=True, exist_ok=True)
    for path in sorted(PROGRAMS.glob("*.py")):
        if names and path.stem not in names:
            continue
        record = record_tree if path.stem == "trees" else record_python if path.stem.startswith("py_") else record_unit
        cases = [{"name": name, "src": text, **record(name, text)} for name, text in programs(path.read_text())]
        data = json.dumps({"torch": torch.__version__, "cases": cases}, indent=1)
        (OUT / f"{path.stem}.json.gz").write_bytes(gzip.compress(data.encode(), mtime=0))
        print(path.stem, len(cases))


main(sys.argv[1:])
