"""`torch.compile`, first half: Dynamo makes a graph of a Python function by reading its bytecode.

With its recording, here:  npm run python -- --trace dynamo.json walkthroughs/dynamo.py
In your own PyTorch:       python walkthroughs/dynamo.py
"""

import dis
import re
import sys

import torch
import torch._dynamo
from torch._dynamo.convert_frame import register_bytecode_hook


def opcodes(code):
    """The names of the instructions, without those that only prepare a call."""
    return [it.opname for it in dis.get_instructions(code) if it.opname not in ("RESUME", "PRECALL", "CACHE")]


def plain(names):
    """Names without the numbers that differ from process to process."""
    return [re.sub(r"_\d+_[0-9a-f_]{36}$|_\d+$", "_N", name) for name in names]


# ## Step 1. What Dynamo reads
# Python compiles a function to instructions for a stack machine. `torch.compile` does not change the function. It asks the machine to show it each frame
# before the frame runs (PEP 523), and reads these instructions.
def f(x, scales):
    total = x
    for scale in scales:
        total = total + x * scale
    return torch.relu(total)


print("before:", " ".join(opcodes(f.__code__)))
assert opcodes(f.__code__).count("BINARY_OP") == 2

# ## Step 2. The instructions run once, with stand-ins
# Dynamo is an interpreter for the same instructions. On its stack are variables in place of values. An operation on a tensor becomes a node of an fx graph; everything else (the loop, the
# list, the numbers) is computed at once. So the loop is gone. A backend is a function that gets the graph, and returns what will run.
graphs, codes = [], []


def backend(gm, example_inputs):
    graphs.append(gm)
    return gm.forward


def keep(code, new_code):
    codes.append((code, new_code))


hook = register_bytecode_hook(keep)
compiled = torch.compile(f, backend=backend)
x = torch.tensor([1.0, -2.0])
assert graphs == []  # `torch.compile` itself only wraps the function
result = compiled(x, [2.0, 3.0])
assert torch.equal(result, f(x, [2.0, 3.0]))
calls = [node.name for node in graphs[0].graph.nodes if node.op == "call_function"]
assert calls == ["mul", "total", "mul_1", "total_1", "relu"]  # two rounds of the loop; nodes have the names of your variables
print(graphs[0].code.strip())

# ## Step 3. New code in the place of the old one
# The graph is not all that a function does. So Dynamo writes new instructions: they call the graph with the tensors, and make the result of the function from what it returns.
before, after = codes[0]
assert before is f.__code__ and after.co_name == f.__code__.co_name
print("names in the new code:", ", ".join(name for name in plain(after.co_names) if name.startswith("__compiled")))
assert "BINARY_OP" not in opcodes(after) and "FOR_ITER" not in opcodes(after)
# PyTorch's new code also measures the time before the graph, so the two texts are not the same. This one goes to standard error:
dis.dis(after, file=sys.stderr)
compiled(x + 1, [2.0, 3.0])
assert len(graphs) == 1  # the second call runs the new code and reads nothing again


# ## Step 4. What it relied on
# The new code is right only for calls like the first. What that means is a list of guards: conditions on the arguments, each with the place it was read from. `explain` runs a function once and
# reports everything.
report = torch._dynamo.explain(f)(x, [2.0, 3.0])
guards = {(guard.name, guard.create_fn_name()) for guard in report.out_guards}
assert ("L['x']", "TENSOR_MATCH") in guards
assert ("L['scales'][0]", "CONSTANT_MATCH") in guards or ("L['scales'][0]", "EQUALS_MATCH") in guards
assert report.graph_count == 1 and report.graph_break_count == 0
print("guards on arguments:", ", ".join(sorted(name for name, _ in guards if name.startswith("L["))))


# ## Step 5. A question that only the numbers can answer
# `if total.sum() > 0` needs a value, and stand-ins have none. So the graph ends here: a graph break. The new code calls the graph of the first half, asks the real tensor, and calls one of two resume
# functions: the rest of `gate` from either side. A resume function is an ordinary function; Dynamo sees its frame when it is called, and compiles it then.
def gate(x, y):
    total = x * y
    if total.sum() > 0:
        return torch.relu(total)
    return torch.tanh(total)


graphs.clear()
codes.clear()
y = torch.tensor([2.0, 0.5])
compiled = torch.compile(gate, backend=backend)
assert torch.equal(compiled(x, y), gate(x, y))
print("code made for:", ", ".join(code.co_name for code, _ in codes))
assert [code.co_name.startswith("torch_dynamo_resume_in_gate") for code, _ in codes] == [False, True]
first_half, rest = [[node.name for node in gm.graph.nodes if node.op.startswith("call")] for gm in graphs]
assert first_half == ["total", "sum_1", "gt"] and rest == ["relu"]
jumps = [name for name in opcodes(codes[0][1]) if "JUMP" in name]
assert len(jumps) == 1  # the branch itself runs in Python
assert sum(name.startswith("__resume_at") for name in codes[0][1].co_names) == 2  # one for each side
assert torch.equal(compiled(x * 2, y), gate(x * 2, y)) and len(graphs) == 2
# The other side has no graph until a call goes there.
assert torch.equal(compiled(-x, y), gate(-x, y)) and len(graphs) == 3
print("graphs after both sides ran:", len(graphs))


# ## Step 6. Why a graph ended
# A reason names what could not be followed, and where. With `fullgraph=True` a break is an error.
report = torch._dynamo.explain(gate)(x, y)
assert report.graph_break_count == 1
reason = report.break_reasons[0]
print("break:", reason.reason.splitlines()[0], "in", reason.user_stack[-1].name)
try:
    torch.compile(gate, backend=backend, fullgraph=True)(x, y)
except torch._dynamo.exc.Unsupported as error:
    print("fullgraph:", str(error).splitlines()[0])
else:
    raise AssertionError("the branch was not noticed")


# ## Step 7. Effects happen once, in order, after the graph
# A call of `print` breaks the graph. A list of the caller that grows does not: Dynamo notes the change, and the new code does it after the graph has run.
def remember(x, seen):
    y = x + 1
    seen.append(y)
    seen.append(len(seen))
    return y * 2


graphs.clear()
seen = ["before"]
out = torch.compile(remember, backend=backend, fullgraph=True)(x, seen)
assert len(graphs) == 1 and len(seen) == 3
assert torch.equal(seen[1], x + 1) and seen[2] == 2 and torch.equal(out, (x + 1) * 2)
print("the caller's list:", seen)
hook.remove()
