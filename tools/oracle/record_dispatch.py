"""Records schemas, registrations and computed dispatch tables of PyTorch 2.13.0 for every operator whose base name this library has.

    python tools/oracle/record_dispatch.py src/aten/native/native_functions.yaml test/fixtures/dispatch/operators.json.gz

A registration is `[key, alias?, fallthrough?, active?, file]`, a table row `[key, fallthrough?, reason, file]`; files are base names.
`facts` holds the runtime keys each alias key covers and the backend fallback of each key.
"""

import gzip
import json
import re
import sys

import torch
import yaml

C = torch._C
ALIASES = [
    "Autograd",
    "CompositeImplicitAutograd",
    "FuncTorchBatchedDecomposition",
    "CompositeImplicitAutogradNestedTensor",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
]
REGISTRATION = re.compile(r"^(\w+)(\[alias\])?( \(inactive\))?: registered at (\S+) .*\[ (fallthrough )?.*\]$")
ROW = re.compile(r"^(\w+): (fallthrough )?registered at (\S+?)(?::\d+)? \[(.*)\]$")


def base(path):
    return re.sub(r":\d+$", "", path.split("/")[-1])


def main(yaml_file, target):
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    entries = yaml.safe_load(open(yaml_file))
    names = {e["func"].split("(")[0].split(".")[0] for e in entries}
    autogen = {n.strip() for e in entries for n in e.get("autogen", "").split(",") if n.strip()}
    ops = {}
    for op in sorted(C._dispatch_get_all_op_names()):
        namespace, name = op.split("::")
        if namespace != "aten" or (name.split(".")[0] not in names and name not in autogen):
            continue
        registrations = []
        for line in C._dispatch_dump(op).split("\n"):
            m = REGISTRATION.match(line)
            if m and m.group(1) not in ("debug",):
                registrations.append([m.group(1), bool(m.group(2)), bool(m.group(5)), not m.group(3), base(m.group(4))])
        table = []
        for line in C._dispatch_dump_table(op).split("\n"):
            m = ROW.match(line)
            if m:
                table.append([m.group(1), bool(m.group(2)), m.group(4), base(m.group(3))])
        overload = op.split(".")[1] if "." in name else ""
        ops[op] = {"schema": str(C._get_schema(op.split(".")[0] if "." in name else op, overload)), "registrations": registrations, "table": table}
    # By value, not by name: the Python enum names only some of the 137 runtime keys.
    first, last = 1, int(C.DispatchKey.Autograd) - 1
    aliases = {}
    for alias in ALIASES:
        covered = [C.DispatchKey(v) for v in range(first, last + 1) if C._dispatch_is_included_in_alias(C.DispatchKey(v), getattr(C.DispatchKey, alias))]
        names = [C._dispatch_key_name(k) for k in covered]
        functionality = {"Dense", "Sparse", "SparseCsr", "Quantized", "NestedTensor", "AutogradFunctionality"}
        aliases[alias] = [n for n in names if n not in functionality and not n.startswith(("StartOf", "EndOf")) and not n.endswith("Undefined")]
    probe = torch.library.Library("glasstorch_probe", "DEF")  # an operator without kernels: its row is the fallbacks alone
    probe.define("op(Tensor x) -> Tensor")
    fallbacks = []
    for line in C._dispatch_dump_table("glasstorch_probe::op").split("\n"):
        m = ROW.match(line)
        if m:
            fallbacks.append([m.group(1), bool(m.group(2)), m.group(4), base(m.group(3))])
    made = {"torch": torch.__version__, "script": "tools/oracle/record_dispatch.py", "aliases": aliases, "fallbacks": fallbacks, "ops": ops}
    with gzip.GzipFile(target, "wb", mtime=0) as out:
        out.write(json.dumps(made, separators=(",", ":")).encode())
    print(len(ops), "operators")


if __name__ == "__main__":
    main(*sys.argv[1:])
