"""Records the way of calls through PyTorch 2.13.0: the operator calls in the order they begin, and the backward nodes that ran.

    python tools/oracle/record_paths.py record tools/oracle/path_cases.py test/fixtures/paths/more.json.gz
    python tools/oracle/record_paths.py check test/fixtures/paths/backtraces.json.gz     (records its cases again: are rows and nodes equal?)
    python tools/oracle/record_paths.py show "x = torch.randn(3, requires_grad=True)" "y = x.sum()"

Needs x86-64 Linux, gcc, nm and c++filt, and a PyTorch wheel (its libraries keep their symbol tables).

A case is a pair of Python texts, `setup` and `run`; only `run` is recorded. Each runs twice before, so that first-call work is not in it.
A row is `[depth, operator, how, key set, key, kernel]`: `depth` counts the enclosing operator calls; `operator` and `how` come from
`at::_ops::<operator>::call|redispatch`; key set and kernel from the first `wrap_kernel_functor_unboxed_<kernel>::call` below it (the key
set is an argument of that function; keys that fall through are gone from it); `key` is the highest of the set; the kernel is written
without anonymous namespaces, templates and the leading torch::autograd::, torch::, at::. Where the kernel is boxed (a fallback or a Python
kernel) key and kernel are null. A boxed call of an operator makes no row.

How: breakpoints.c, loaded into the Python process, logs the entry of each of these functions with the stack pointer and two registers.
"""

import ctypes
import gzip
import json
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

OPERATOR, KERNEL, NODE, RETURN = range(4)
OP = re.compile(r"^at::_ops::(\w+)::(call|redispatch)\(")
NODE_APPLY = re.compile(r"^torch::autograd::(?:generated::)?(\w+)::apply\(")
UNBOXED = "c10::impl::wrap_kernel_functor_unboxed_<"
MANGLED = re.compile(
    r"^(?:_ZN2at4_ops\w+(?:4call|10redispatch)E|_ZN3c104impl28wrap_kernel_functor_unboxed_.*E4callE|_ZN5torch8autograd.*5applyEOSt6vector)"
)


def plain(kernel):
    kernel = kernel.replace("(anonymous namespace)::", "")
    kernel = re.sub(r"<.*>", "", kernel)
    kernel = re.sub(r"\(.*\)", "", kernel)
    for prefix in ("torch::autograd::", "torch::", "at::"):
        if kernel.startswith(prefix):
            kernel = kernel[len(prefix) :]
            break
    return kernel


def kernel_of(name):
    """Of a demangled `wrap_kernel_functor_unboxed_<...>::call(...)`: the kernel's name, and whether it returns through memory."""
    found = re.search(r"CompileTimeFunctionPointer<(.*?) \(.*?\), ?&(.*?)>, ", name)
    if not found:
        return plain(name[len(UNBOXED) :]), True
    returned = found.group(1)
    in_memory = returned.startswith("std::tuple") or not (
        returned.endswith(("&", "*")) or returned in ("void", "bool", "long", "int", "double", "c10::ScalarType", "c10::SymInt")
    )
    return plain(found.group(2)), in_memory or returned == "c10::SymInt"


class Recorder:
    def __init__(self):
        torch.set_num_threads(1)
        folder = Path(tempfile.mkdtemp(prefix="record_paths-"))
        source = Path(__file__).with_name("breakpoints.c")
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", folder / "breakpoints.so", source], check=True)
        self.native = ctypes.CDLL(str(folder / "breakpoints.so"))
        self.native.log_of.restype = ctypes.POINTER(ctypes.c_uint64 * 5)
        self.native.stop.restype = self.native.log_size.restype = ctypes.c_uint64
        self.names = {}  # address -> (kind, what)
        for library in ("libtorch_cpu.so", "libtorch_python.so"):
            self._read(Path(torch.__file__).parent / "lib" / library)
        at = sorted(self.names)
        addresses = (ctypes.c_uint64 * len(at))(*at)
        kinds = (ctypes.c_uint8 * len(at))(*(self.names[a][0] for a in at))
        if self.native.breakpoints(addresses, kinds, len(at)):
            raise RuntimeError("could not write the breakpoints")

    def _read(self, library):
        spans = []
        for line in Path("/proc/self/maps").read_text().splitlines():
            span, mode, offset, _device, _inode, *file = line.split(None, 5)
            if file and Path(file[0]).name == library.name:
                low, high = (int(x, 16) for x in span.split("-"))
                spans.append((low, high, mode, int(offset, 16)))
        base = next(low for low, _high, _mode, offset in spans if offset == 0)
        for low, high, mode, _offset in spans:
            if "x" in mode and self.native.allow(ctypes.c_void_p(low), ctypes.c_void_p(high)):
                raise RuntimeError(f"{library.name}: its code cannot be made writable")
        table = [line.split() for line in subprocess.run(["nm", library], capture_output=True, text=True, check=True).stdout.splitlines()]
        table = [(int(row[0], 16), row[2]) for row in table if len(row) == 3 and row[1] in "tTwW" and MANGLED.match(row[2])]
        table = [row for row in table if "." not in row[1]]  # .cold, .part: not entries
        text = "\n".join(name for _at, name in table)
        demangled = subprocess.run(["c++filt"], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
        for (at, _name), name in zip(table, demangled, strict=True):
            op, node = OP.match(name), NODE_APPLY.match(name)
            if op:
                self.names[base + at] = (OPERATOR, op.groups())
            elif name.startswith(UNBOXED):
                self.names[base + at] = (KERNEL, kernel_of(name))
            elif node:
                self.names[base + at] = (NODE, node.group(1) + "::apply")

    def rows(self, setup, run):
        code = [compile(setup, "<setup>", "exec"), compile(run, "<run>", "exec")]
        for count in range(3):
            scope = {"torch": torch, "nn": nn, "F": F}
            torch.manual_seed(0)
            exec(code[0], scope)
            if count == 2:
                self.native.start()
            exec(code[1], scope)
        return self.stop()

    def stop(self):
        """The rows and nodes since `native.start()`."""
        wanted = self.native.stop()
        if wanted > self.native.log_size():
            raise RuntimeError(f"{wanted} records, room for {self.native.log_size()}")
        log = self.native.log_of()
        return self._reduce([tuple(log[i]) for i in range(wanted)])

    def _reduce(self, log):
        rows, nodes, open_ops = [], [], []  # open_ops: (stack pointer at entry, row)
        for kind, at, sp, second, third in log:
            if kind == RETURN:
                while open_ops and open_ops[-1][0] < sp:
                    open_ops.pop()
                continue
            while open_ops and open_ops[-1][0] < sp:  # left by an exception
                open_ops.pop()
            what = self.names[at][1]
            if kind == OPERATOR:
                rows.append([len(open_ops), what[0], what[1], [], None, None])
                open_ops.append((sp, rows[-1]))
            elif kind == KERNEL:
                if open_ops and open_ops[-1][1][5] is None:
                    row, (name, in_memory) = open_ops[-1][1], what
                    keys = torch._C.DispatchKeySet.from_raw_repr(third if in_memory else second)
                    text = re.fullmatch(r"DispatchKeySet\((.*)\)", str(keys)).group(1)
                    row[3] = text.split(", ") if text else []
                    row[4] = str(keys.highestPriorityTypeId()).removeprefix("DispatchKey.")
                    row[5] = name
            else:
                nodes.append(what)
        return rows, nodes


def show(rows, nodes):
    return [f"{'  ' * d}{op} {how} {{{' '.join(sorted(ks))}}} {key} {kernel}" for d, op, how, ks, key, kernel in rows] + nodes


def write(target, fixture):
    with gzip.GzipFile(target, "wb", mtime=0) as out:
        out.write(json.dumps(fixture, separators=(",", ":")).encode())


def main(command, *arguments):
    warnings.simplefilter("ignore")
    recorder = Recorder()
    if command == "show":
        print("\n".join(show(*recorder.rows(*arguments))))
    elif command == "check":
        cases, compared, differ = json.loads(gzip.decompress(Path(arguments[0]).read_bytes()))["cases"], 0, 0
        for name, case in cases.items():
            if "mod.fn" in case["setup"]:  # TorchScript of a file that is not kept
                continue
            try:
                with torch.inference_mode(name == "prelu_inference_mode"):  # its texts do not say so
                    now, then = show(*recorder.rows(case["setup"], case["run"])), show(case["rows"], case["nodes"])
            except Exception as error:
                now, then = [f"{type(error).__name__}: {error}"], []
            if now != then:
                differ += 1
                print(f"{name} differs:", *[f"  now  {row}" for row in now], *[f"  then {row}" for row in then], sep="\n")
            compared += 1
        print(f"{compared - differ} cases equal, {differ} differ")
        sys.exit(differ > 0)
    elif command == "record":
        scope = {}
        exec(compile(Path(arguments[0]).read_text(), arguments[0], "exec"), scope)
        cases, refused = {}, []
        for name, (setup, run) in scope["CASES"].items():
            try:
                rows, nodes = recorder.rows(setup, run)
            except Exception as error:
                refused.append(f"{name}: {type(error).__name__}: {error}")
                continue
            cases[name] = {"setup": setup, "run": run, "rows": rows, "nodes": nodes}
        if refused:
            sys.exit("\n".join(refused))
        write(arguments[1], {"torch": torch.__version__, "script": "tools/oracle/record_paths.py", "cases": cases})


if __name__ == "__main__":
    main(*sys.argv[1:])
