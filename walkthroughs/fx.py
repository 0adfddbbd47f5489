"""What symbolic tracing records: `torch.fx` beside the eager program.

With its recording, here:  npm run python -- --trace fx.json walkthroughs/fx.py
In your own PyTorch:       python walkthroughs/fx.py
"""

import operator

import torch
import torch.fx
from torch import nn


# ## Step 1. A program, and the same program run with a stand-in
# `symbolic_trace` calls `forward` once. Its argument is no tensor but a `Proxy`: it has no numbers, and every operation on it becomes a node of a graph.
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.scale = nn.Parameter(torch.full([4], 0.5))
        self.runs = 0

    def forward(self, x):
        self.runs += 1
        y = torch.relu(self.linear(x))
        return (y * self.scale).sum(1) + 2 * 3


torch.manual_seed(0)
block = Block()
x = torch.randn([2, 4])
eager = block(x)
captured = torch.fx.symbolic_trace(block)
assert block.runs == 2  # once for the tensor, once for the proxy
print(captured.graph)

# ## Step 2. One node for each operation, and who recorded it
# A function, a method, an operator of Python, a module and a parameter are recorded by different hooks, so their nodes have different opcodes.
kinds = [(node.op, str(node.name)) for node in captured.graph.nodes]
assert kinds == [
    ("placeholder", "x"),  # the parameter of forward
    ("call_module", "linear"),  # Tracer.call_module: a module of torch.nn is a leaf
    ("call_function", "relu"),  # Proxy.__torch_function__
    ("get_attr", "scale"),  # Tracer.getattr
    ("call_function", "mul"),  # Proxy.__mul__
    ("call_method", "sum_1"),  # an attribute of the Proxy that was called
    ("call_function", "add"),
    ("output", "output"),
]
mul, add = (next(node for node in captured.graph.nodes if node.name == name) for name in ("mul", "add"))
assert mul.target is operator.mul
# Nothing unknown took part in `2 * 3`, so Python computed it while it traced.
assert add.args[1] == 6

# ## Step 3. The graph is a program again
# From the graph, fx writes Python. The new module has the parameters of the old one, and computes the same numbers.
print(captured.code.strip())
assert torch.equal(captured(x), eager)
assert captured.linear.weight is block.linear.weight
captured(x)
assert block.runs == 2  # the line `self.runs += 1` is not in the graph: it ran while tracing, and is lost


# ## Step 4. What a graph of one run cannot hold
# The truth of a Proxy is not known. So a branch on a tensor's value is refused.
def branch(x):
    if x.sum() > 0:
        return x
    return -x


try:
    torch.fx.symbolic_trace(branch)
except torch.fx.proxy.TraceError as error:
    print("refused:", error)
else:
    raise AssertionError("the branch was not noticed")


# A branch on a value of Python can be taken while tracing, if the value is given then. The other side is gone; the graph only checks the value.
def other(x, double=True):
    return x * 2 if double else x * 3


once = torch.fx.symbolic_trace(other, concrete_args={"double": True})
assert [node.name for node in once.graph.nodes if node.op == "call_function"] == ["eq", "_assert", "mul"]
assert once(x, True).equal(x * 2)
try:
    once(x, False)
except AssertionError as error:
    print("refused:", error)
else:
    raise AssertionError("the other side is not in the graph")


# ## Step 5. A graph can be edited
# Each node knows its inputs and its users. Here every relu becomes a gelu; `lint` checks the graph, `recompile` writes the code anew.
for node in captured.graph.nodes:
    if node.op == "call_function" and node.target is torch.relu:
        with captured.graph.inserting_after(node):
            new = captured.graph.call_function(torch.nn.functional.gelu, node.args)
        node.replace_all_uses_with(new)
        captured.graph.erase_node(node)
captured.graph.lint()
captured.recompile()
linear = block.linear(x)
assert torch.allclose(captured(x), (nn.functional.gelu(linear) * block.scale).sum(1) + 6)
print("after the edit:", ", ".join(node.name for node in captured.graph.nodes))
