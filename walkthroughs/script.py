"""torch.jit.script: from the text of a function to instructions, and their run.

The steps are those of many compilers: parse, check, optimize, translate, execute.

With its recording, here:  npm run python -- --trace script.json walkthroughs/script.py
In your own PyTorch:       python walkthroughs/script.py
"""

import re
import warnings

import torch
from torch import Tensor
from torch.jit.frontend import get_jit_def

warnings.filterwarnings("ignore", category=DeprecationWarning)


# ## Step 1. Parse
# The compiler does not run the function. It reads its text. Python's parser makes a tree of it, and the front end makes TorchScript's own tree, which
# has only what the language knows: statements, expressions, names, and the annotations as expressions.
def shrink(x: Tensor, limit: float) -> Tensor:
    y = x * 1
    rounds = 0
    while bool(y.sum() > limit):
        y = y / (1 + 1)
        rounds += 1
    if rounds > 0:
        y = y.relu() + y.relu()
    else:
        y = -y
    return y


tree = str(get_jit_def(shrink, "shrink"))
print("tree:", " ".join(tree.split())[:178], "...")
assert "(ident Tensor)" in tree and "(while" in tree and "(if" in tree

# ## Step 2. Check
# Every value gets a type, and every name must mean something: a variable, a builtin, a function that is compiled too, or an operator with a schema that
# fits. All of this happens before anything runs. So the compiler can refuse a line that no call would ever reach.
scripted = torch.jit.script(shrink)
print("schema:", scripted.schema)


def never(x: Tensor) -> Tensor:
    if x.numel() < 0:
        x = x.shrink(2)
    return x


try:
    torch.jit.script(never)
except RuntimeError as error:
    print("refused:", re.sub('File ".*/', 'File "', str(error)).strip())
else:
    raise AssertionError("an unknown method was accepted")


# ## Step 3. One assignment for each name
# In the graph every value is assigned once. The variable `y` has become several values. A loop and a branch are nodes with blocks, and what they change
# comes out of the node as a result. Both sides of the branch are there, because nothing ran.
def text(graph):
    return re.sub(" # .*", "", str(graph)).strip()


graph = scripted.graph.copy()
print(text(graph))
assert [len(list(node.blocks())) for node in graph.nodes() if node.kind() in ("prim::Loop", "prim::If")] == [1, 2]
assert "value=2" in text(graph)  # `1 + 1` needed no tensor, so it was computed when the graph was made

# ## Step 4. Optimize
# A pass is a function on a graph. It may change the graph in any way that leaves the results (and what is written and printed) as they were.
for name in ("inline", "constant_propagation", "peephole", "cse", "dce"):
    before = str(graph)
    getattr(torch._C, f"_jit_pass_{name}")(graph)
    print(f"{name}:", "changed" if str(graph) != before else "nothing to do")
assert text(graph).count("aten::mul") == 0  # peephole: `x * 1` is `x`
assert text(graph).count("aten::relu") == 1  # cse: the second relu is the first one

# ## Step 5. Translate
# The interpreter does not walk the graph. It runs a list of instructions with a stack and registers: the inputs of a node are loaded onto the stack, `OP`
# takes them and leaves the result, and blocks become jumps.
table = dict(torch._C._compile_graph_to_code_table("shrink", graph))
operators = [f"{name}.{overload}".rstrip(".") for name, overload, *_ in table["operators"]]
notes = {"OP": lambda x: operators[x], "LOADC": lambda x: repr(table["constants"][x])}
for i, (op, x, n) in enumerate(table["instructions"]):
    note = f" {notes[op](x)}" if op in notes else ""
    print((f"{i:3} {op} {x} {n}".ljust(18) + note).rstrip())
assert table["instructions"][-1][0] == "RET"

# ## Step 6. Execute
# A call puts the arguments on the stack and runs the instructions. No line of Python runs.
x = torch.tensor([8.0, -4.0, 2.0])
assert torch.equal(scripted(x, 1.0), shrink(x, 1.0))
assert torch.equal(scripted(x, 9.0), -x)
print("result:", scripted(x, 1.0))


# An instruction remembers its node, and the node its line. So an error at run time shows the line of a program that is not running.
@torch.jit.script
def rows(x: Tensor, count: int) -> Tensor:
    return x.view(count, -1)


try:
    rows(torch.ones(4), 3)
except RuntimeError as error:
    print("failed:", re.sub('File ".*/', 'File "', str(error)).strip())
else:
    raise AssertionError("4 elements are no 3 rows")
