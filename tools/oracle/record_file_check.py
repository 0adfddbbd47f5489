"""Records what torch.testing.FileCheck says about texts: nothing if its checks hold, otherwise the error.

    python tools/oracle/record_file_check.py test/fixtures/file_check.json

A case is a list of calls, each with its arguments; the last is `run`. The graphs are texts, so that no other part of PyTorch decides what is in them.
"""

import json
import sys

import torch
from torch.testing import FileCheck

GRAPH = """graph(%x : Tensor):
  %1 : int = prim::Constant[value=1]()
  %2 : Tensor = aten::add(%x, %x, %1)
  %3 : Tensor = aten::add(%2, %x, %1)
  return (%3)
"""
LINES = "\n".join(f"line {i}" for i in range(30))
MARKED = "x = add(1) + add(2)\n             ~~~ <--- HERE\n"

CALLS = [
    [["check", "mul"]],
    [["check", "aten::add"], ["check", "return"], ["check", "aten::add"]],
    [["check", "aten::add"], ["check", "aten::add"], ["check", "return"]],
    [["check", ""]],
    [["check_not", "aten::add"]],
    [["check_not", "aten::mul"]],
    [["check_not", "return"], ["check", "aten::add"]],
    [["check", "prim::Constant"], ["check_not", "aten::add"], ["check", "return"]],
    [["check", "prim::Constant"], ["check_not", "aten::mul"], ["check_not", "%3"], ["check", "return"]],
    [["check", "return"], ["check_not", "aten::add"]],
    [["check", "prim::Constant"], ["check_next", "aten::add"]],
    [["check", "prim::Constant"], ["check_next", "return"]],
    [["check", "prim::Constant"], ["check_next", "zzz"]],
    [["check", "%2"], ["check_same", "aten::add"]],
    [["check", "prim::Constant"], ["check_same", "aten::add"]],
    [["check", "prim::Constant"], ["check_same", "zzz"]],
    [["check_count", "aten::add", 2, True]],
    [["check_count", "aten::add", 1, True]],
    [["check_count", "aten::add", 1]],
    [["check_count", "aten::add", 3]],
    [["check_count", "aten::add", 0, True]],
    [["check_count", "aten::mul", 0, True]],
    [["check_count", "aten::add", 1, True], ["check", "return"]],
    [["check_count", "x", 2], ["check", "return"], ["check", "x"]],
    [["check_dag", "return"], ["check_dag", "aten::add"]],
    [["check_dag", "return"], ["check_dag", "aten::mul"]],
    [["check_dag", "%3 :"], ["check_dag", "%2 :"], ["check", "prim"]],
    [["check_dag", "%3 :"], ["check_not", "return"], ["check_dag", "%2 :"]],
    [["check_regex", "aten::a.d"], ["check_regex", "r.t"]],
    [["check_regex", "aten::m.l"]],
    [],
    [["check", 'a"\n\tb']],
]
CHECKS = [
    "# CHECK: aten::add\n# CHECK-NEXT: %3\n# CHECK-NOT: mul\n",
    "# CHECK: aten::add\n# CHECK-NEXT: return\n",
    "# CHECK-COUNT-2: aten::add\n",
    "# CHECK-COUNT-3: aten::add\n",
    "# CHECK-COUNT-EXACTLY-1: aten::add\n",
    "# CHECK-COUNT-EXACTLY-2: aten::add\n",
    "#CHECK: mul",
    "# CHECK : mul",
    "x # CHECK: mul",
    "# CHECK-DAG: return\n# CHECK-DAG: prim\n",
    "# CHECK-FOO: mul",
    "CHECK: mul\n# CHECK: aten::add",
    "# CHECK-SAME: graph",
    "nothing\n",
]


def said(calls, run):
    checks = FileCheck()
    try:
        for name, *args in calls:
            getattr(checks, name)(*args)
        checks.run(*run)
    except RuntimeError as error:
        return str(error)
    return None


cases = [{"calls": calls, "run": [GRAPH], "says": said(calls, [GRAPH])} for calls in CALLS]
cases += [{"calls": [], "run": [checks, GRAPH], "says": said([], [checks, GRAPH])} for checks in CHECKS]
for calls, text in [
    ([["check", "aten::zz"]], LINES),
    ([["check", "line 10"], ["check", "line 3 "]], LINES),
    ([["check", "line 20"], ["check_not", "line 25"]], LINES),
    ([["check", "a"], ["check_next", "b"], ["check_next", "c"]], "a\nb\n\nc\n"),
    ([["check_count", "a", 2], ["check", "a"]], "a a b"),
    ([["check", "b"], ["check_not", "a"], ["check_count", "c", 1, True]], "b\nx a\nc"),
    ([["check_source_highlighted", "add"]], MARKED),
    ([["check_source_highlighted", "mul"]], MARKED),
    ([["check_source_highlighted", "add"]], "x = add(1)\n    ~~ <--- HERE\n"),
    ([["check_source_highlighted", "add"]], "x = add(1)\n"),
    ([["check_source_highlighted", "add"], ["check", "mul"]], MARKED),
]:
    cases.append({"calls": calls, "run": [text], "says": said(calls, [text])})

with open(sys.argv[1], "w") as file:
    json.dump({"torch": torch.__version__.split("+")[0], "script": "tools/oracle/record_file_check.py", "cases": cases}, file, indent=1)
    file.write("\n")
