"""Records the names of PyTorch: every operator of native_functions.yaml, and what C++ and Python define, by file.

Writes tools/pytorch/operators.json.gz and tools/pytorch/names.json.gz, from the wheel alone: its YAML, headers, Python files, templates, and
the symbol tables of its libraries. What is in them is named in tools/pytorch/README.md.

    python tools/oracle/record_names.py [--to FOLDER] [--operators]

`--operators` writes the operators alone.
"""

import ast
import gzip
import json
import os
import re
import sys
from collections import defaultdict

import torch
import torchgen
import yaml

from names.headers import names_of_header
from names.libraries import functions_of, paths_of
from names.python_names import aliases, built_in, customary, definitions, python_files

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TORCH = os.path.dirname(torch.__file__)
TORCHGEN = os.path.dirname(torchgen.__file__)
PACKAGED = os.path.join(TORCHGEN, "packaged")
INCLUDE = os.path.join(TORCH, "include")
LIBRARIES = ["lib/libc10.so", "lib/libtorch_cpu.so", "lib/libtorch_python.so", os.path.basename(torch._C.__file__)]
# Headers that a generator writes: their names follow from the YAML, one like the other. But the nodes of the graph are classes one looks up.
GENERATED = re.compile(
    r"^ATen/(?:ops/|\w*Functions(?:_inl)?\.h$|core/(?:aten_interned_strings|enum_tag)\.h$|VmapGeneratedPlumbing|RegistrationDeclarations)"
    r"|/generated/|/generated_"
)
NODES = "torch/csrc/autograd/generated/Functions.h"


NO_FORMULA = re.compile(r"name$|dispatch$|output_differentiability$|result\d*$")
# Those of forward mode speak of tangents and primals.
FORWARD = re.compile(r"\w_[tp]\b|^auto_")


def derivatives():
    """Each entry of derivatives.yaml: its name, and its fields for every backend."""
    for entry in yaml.safe_load(open(os.path.join(PACKAGED, "autograd/derivatives.yaml"))):
        yield entry["name"], entry["dispatch"].get("Default", {}) if "dispatch" in entry else entry


def without_gradient():
    """`heaviside(Tensor self, Tensor values) -> Tensor` -> the arguments that are marked `non_differentiable`."""
    marked = {}
    for name, fields in derivatives():
        arguments = [a for k, v in fields.items() if v == "non_differentiable" and not NO_FORMULA.match(k) for a in k.split(", ")]
        if arguments:
            marked[name] = arguments
    return marked


def called_in_formulas():
    """`exp(Tensor self) -> Tensor` -> the functions that its formulas call, those of forward mode left out."""
    called = {}
    for name, default in derivatives():
        formulas = [str(v) for k, v in default.items() if not NO_FORMULA.match(k)]
        formulas = [f for f in formulas if f != "non_differentiable" and not FORWARD.search(f)]
        if formulas:
            called[name] = sorted(set(re.findall(r"\b([A-Za-z_]\w*)\(", " ".join(formulas))))
    return called


def operators():
    path = os.path.join(PACKAGED, "ATen/native/native_functions.yaml")
    lines = {}
    for number, line in enumerate(open(path), 1):
        head = re.match(r"- func: ([^(\s]+)\(", line)
        if head:
            lines[head[1]] = number
    listed = []
    called = called_in_formulas()
    marked = without_gradient()
    for entry in yaml.safe_load(open(path)):
        name = entry["func"].split("(")[0]
        kept = {k: entry[k] for k in ("dispatch", "structured", "structured_delegate", "structured_inherits", "device_check", "autogen", "python_module", "variants", "tags") if k in entry}
        if entry["func"] in called:
            kept["derivative"] = " ".join(called[entry["func"]])
        if entry["func"] in marked:
            kept["non_differentiable"] = " ".join(marked[entry["func"]])
        if "ufunc_inner_loop" in entry:
            kept["ufunc_inner_loop"] = True
        listed.append({"func": entry["func"], "line": lines[name], **kept})
    return listed


def known_paths():
    with open(os.path.join(ROOT, "tools/pytorch-paths.tsv")) as table:
        return [line.split("\t")[0] for line in table if not line.startswith("#")]


TEMPLATE = re.compile(r"aten/src/ATen/templates/|tools/autograd/templates/")


def template_text(path):
    """A template as the wheel has it; "" for one that it has not."""
    file = os.path.join(PACKAGED, path.replace("aten/src/ATen/", "ATen/").replace("tools/autograd/", "autograd/"))
    if not os.path.exists(file):
        return ""
    with open(file) as text:
        return text.read()


def in_tree(header):
    """A header's path in PyTorch's tree."""
    if header == "ATen/core/TensorBody.h":
        return "aten/src/ATen/templates/TensorBody.h"
    return f"aten/src/{header}" if header.startswith("ATen/") else header


def cpp_names():
    """path -> (scope, kind) -> names"""
    found = defaultdict(lambda: defaultdict(set))
    for here, _, files in os.walk(INCLUDE):
        for file in files:
            header = os.path.relpath(os.path.join(here, file), INCLUDE)
            if not re.match(r"(?:ATen|c10|torch|caffe2)/.*\.(?:h|cuh|hpp)$", header):
                continue
            if GENERATED.search(header) and header != NODES:
                continue
            with open(os.path.join(INCLUDE, header), errors="replace") as text:
                for scope, name, kind in names_of_header(text.read()):
                    if name.startswith(("~", "operator")) or scope.split("::")[-1] == name:
                        continue
                    if header == NODES and kind != "class":
                        continue
                    found[in_tree(header)][scope, kind].add(name)
    native_functions(found)
    known = known_paths()
    written = {path: template_text(path) for path in known if TEMPLATE.match(path)}
    words = {path: set(re.findall(r"\w+", text)) for path, text in written.items()}
    defined = {path: set(re.findall(r"\b(\w+)\s*[\[(]", text)) for path, text in written.items()}
    templates = {os.path.basename(p): p for p in written}
    for library in LIBRARIES:
        files, functions, data = functions_of(os.path.join(TORCH, library))
        paths = paths_of(files, functions, known, templates)
        for name, places in functions.items():
            scope, _, last = name.rpartition("::")
            where = {paths[i] for i in places} - {None}
            if not where and name in data:
                # A table that a template defines may stand in a shard that is not known.
                where = {path for path, names in defined.items() if last in names}
            if not where and scope:
                where = {""}
            for path in where:
                # Of a generated file, what its template says; the rest is filled in.
                if path in words and last not in words[path]:
                    continue
                if scope or path.startswith(("torch/csrc/", "aten/src/ATen/", "c10/", "tools/autograd/")):
                    found[path][scope, "value" if name in data else "function"].add(last)
    # What a header declares need not stand again as a function of no known file.
    declared = {(scope, name) for path, by in found.items() if path for (scope, _), names in by.items() for name in names}
    for (scope, _), names in found[""].items():
        names.difference_update([n for n in names if (scope, n) in declared])
    return found


def native_functions(found):
    """The kernels and structured classes that the operators' own headers declare. Their files are found in the symbol tables."""
    folder = os.path.join(INCLUDE, "ATen/ops")
    for file in sorted(os.listdir(folder)):
        kind = re.search(r"_(native|meta)\.h$", file)
        if kind:
            with open(os.path.join(folder, file)) as text:
                for scope, name, kind in names_of_header(text.read()):
                    if scope in ("at::native", "at::meta"):
                        found[""][scope, kind].add(name)


def python_names():
    found = defaultdict(lambda: defaultdict(list))
    packaged = os.path.join(PACKAGED, "autograd")
    for folder, prefix in [(TORCH, "torch/"), (TORCHGEN, "torchgen/"), (packaged, "tools/autograd/")]:
        for path, file in python_files(folder, prefix):
            if path.startswith(("torchgen/packaged/", "torch/testing/_internal/")):
                continue
            with open(file) as text:
                try:
                    for scope, name in definitions(text.read()):
                        found[path][scope].append(name)
                except SyntaxError:
                    continue  # written for a newer Python
    return found


def variables():
    """{short name: what it is by custom}: of imports, of the generator's parameters, and of what a macro hands to its block."""
    texts = {True: [], False: []}
    for folder, prefix in [(TORCH, "torch/"), (TORCHGEN, "torchgen/")]:
        for path, file in python_files(folder, prefix):
            if not path.startswith("torch/testing/"):
                with open(file) as text:
                    texts[prefix == "torchgen/"].append(text.read())
    imports, _ = customary(t for t in texts[False] if parses(t))
    _, parameters = customary(texts[True])
    found = {**parameters, **imports}
    with open(os.path.join(INCLUDE, "torch/library.h")) as text:
        for macro in re.finditer(r"^#define \w+\(([^)]*)\)((?:.*\\\n)*.*)", text.read(), flags=re.M):
            for name in re.split(r",\s*", macro[1]):
                handed = re.search(rf"((?:\w+::)+\w+)\s*&\s*{name}\b", macro[2])
                if handed:
                    found[name] = handed[1]
    return found


def parses(text):
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def placeholders():
    """template -> the names it leaves open."""
    found = {}
    for path in sorted(known_paths()):
        names = sorted(set(re.findall(r"\$\{?,?([a-zA-Z]\w+)", template_text(path) if TEMPLATE.match(path) else "")))
        if names:
            found[path] = " ".join(names)
    return found


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as out:
        out.write(json.dumps(data, separators=(",", ":")).encode())


def main():
    folder = sys.argv[sys.argv.index("--to") + 1] if "--to" in sys.argv else os.path.join(ROOT, "tools/pytorch")
    version = torch.__version__
    write(folder, "operators.json.gz", {"torch": version, "operators": operators()})
    if "--operators" in sys.argv:
        return
    cpp = {}
    for path, by_scope in sorted(cpp_names().items()):
        rows = sorted((scope, kind, names) for (scope, kind), names in by_scope.items() if names)
        cpp[path] = [[scope, kind, " ".join(sorted(names))] for scope, kind, names in rows]
    python = {p: [[s, " ".join(n)] for s, n in by.items()] for p, by in sorted(python_names().items()) if by}
    names = {
        "torch": version,
        "cpp": cpp,
        "python": python,
        "aliases": dict(sorted(aliases(torch).items())),
        "built_in": {s: " ".join(n) for s, n in built_in(torch).items()},
        "variables": variables(),
        "placeholders": placeholders(),
        "libraries": sorted(f for f in [*os.listdir(os.path.join(TORCH, "lib")), *os.listdir(TORCH)] if ".so" in f),
    }
    write(folder, "names.json.gz", names)


main()
