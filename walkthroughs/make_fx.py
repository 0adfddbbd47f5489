"""What `make_fx` sees below autograd: the operators that run, not the calls that were written.

With its recording, here:  npm run python -- --trace make_fx.json walkthroughs/make_fx.py
In your own PyTorch:       python walkthroughs/make_fx.py
"""

import torch
import torch.fx
import torch.nn.functional as F
from torch._decomp import get_decompositions
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode


# ## Step 1. A function, and the operators that it runs
# A dispatch mode stands below autograd. It sees each operator after the composite ones have been taken apart.
class Seen(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


def layer(x, weight):
    return F.prelu(F.linear(x, weight), torch.full([1], 0.25))


torch.manual_seed(0)
x, weight = torch.randn([2, 4]), torch.randn([3, 4])
with Seen() as seen:
    eager = layer(x, weight)
print("eager:", ", ".join(seen.names))

# ## Step 2. make_fx is such a mode, and it keeps a graph
# `make_fx(layer)` is a function. Called with tensors, it runs `layer` on them under its mode and returns the graph of what ran.
captured = make_fx(layer)(x, weight)
operators = [str(node.target) for node in captured.graph.nodes if node.op == "call_function"]
assert operators == seen.names
assert torch.equal(captured(x, weight), eager)
print(captured.code.strip())

# ## Step 3. Two captures of one function
# `symbolic_trace` records the calls as they were written; `make_fx` what arrives at the kernels.
symbolic = torch.fx.symbolic_trace(layer)
calls = [node.name for node in symbolic.graph.nodes if node.op == "call_function"]
assert calls == ["linear", "prelu"]
assert [node.op for node in symbolic.graph.nodes].count("get_attr") == 1  # `torch.full` has no proxy among its arguments: its result is a constant
print("symbolic_trace:", ", ".join(calls))
print("make_fx:       ", ", ".join(node.name for node in captured.graph.nodes if node.op == "call_function"))


# ## Step 4. The tensors are real
# So a size, and a branch on a size, are known: the program takes one side, and the graph has only that one.
def average(x):
    total = x.sum()
    if x.shape[0] > 1:
        total = total / x.shape[0]
    return total


two = make_fx(average)(torch.ones([2, 3]))
assert two(torch.ones([2, 3])).item() == 3.0
assert two(torch.ones([1, 3])).item() == 1.5  # wrong: the graph still divides by 2
assert average(torch.ones([1, 3])).item() == 3.0
print("with one row: function", average(torch.ones([1, 3])).item(), "graph", two(torch.ones([1, 3])).item())


# A branch on a *value* would ask a tensor of the graph for its number. That is refused.
def branch(x):
    return x * 2 if x.sum() > 0 else x * 3


try:
    make_fx(branch)(x)
except RuntimeError as error:
    print("refused:", str(error).split(" - ")[0])
else:
    raise AssertionError("the branch was not noticed")


# ## Step 5. Backward is operators too
# A gradient computed inside the function is recorded like anything else. This is how a joint graph of forward and backward is made.
def gradient(x):
    return torch.autograd.grad(torch.tanh(x).sum(), x)[0]


leaf = torch.randn([3], requires_grad=True)
backward = make_fx(gradient)(leaf)
names = [node.name for node in backward.graph.nodes if node.op == "call_function"]
assert "tanh_backward" in names
assert torch.equal(backward(leaf), gradient(leaf))
print("with its gradient:", ", ".join(names))

# ## Step 6. Without numbers
# With `tracing_mode="fake"` the tensors have a shape and a dtype but no data, so nothing is computed while tracing.
fake = make_fx(layer, tracing_mode="fake")(x, weight)
assert [str(node.target) for node in fake.graph.nodes if node.op == "call_function"] == operators
output = list(fake.graph.nodes)[-2]
print("fake:", output.name, tuple(output.meta["val"].shape), output.meta["val"].dtype)

# ## Step 7. Decompositions
# A table gives functions for operators. Each runs in the place of its operator, and its parts are recorded instead.
table = get_decompositions([torch.ops.aten.silu.default])


def activation(x):
    return F.silu(x)


whole = make_fx(activation)(x)
parts = make_fx(activation, decomposition_table=table)(x)
assert "silu" in whole.code
assert "silu" not in parts.code
assert torch.allclose(whole(x), parts(x))
print("silu becomes:", ", ".join(node.name for node in parts.graph.nodes if node.op == "call_function"))
