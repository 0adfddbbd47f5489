"""TorchScript's own automatic differentiation: two graphs are made of one, before anything runs.

Here:                  npm run python -- walkthroughs/autodiff.py
In your own PyTorch:   python walkthroughs/autodiff.py
"""

import re
import warnings

import torch

warnings.filterwarnings("ignore", category=DeprecationWarning)


def text(graph):
    return re.sub(" # .*", "", str(graph)).strip()


def kinds(graph):
    return [node.kind() for node in graph.nodes()]


# ## Step 1. Two ways to a gradient
# Eager autograd writes down each call while it runs, and walks the notes backwards: the graph of a backward pass exists for one step. A script is a graph
# already. So its backward pass can be made as a graph too, once, and be optimized like any other.
@torch.jit.script
def swish(x, slope):
    return x * torch.sigmoid(slope * x)


graph = swish.graph.copy()
for value, example in zip(graph.inputs(), (torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True))):
    value.inferTypeFrom(example)
print(text(graph))

# ## Step 2. Forward returns more, backward takes more
# `differentiate` makes two graphs. Forward computes what it computed before, and returns values that backward will need after its own results. Backward
# gets those and the gradients of the results; it returns the gradients of the inputs.
gradient = torch._C._jit_differentiate(graph)
forward, backward = gradient.f, gradient.df
own = gradient.f_real_outputs
outputs = list(forward.outputs())
print(f"forward returns {own} result and {len(outputs) - own} further values")
print("backward takes the gradient of output", *gradient.df_input_vjps)
print("backward gets inputs", *gradient.df_input_captured_inputs, "and outputs", *gradient.df_input_captured_outputs, "of forward")
assert len(list(backward.inputs())) == (
    len(gradient.df_input_vjps) + len(gradient.df_input_captured_inputs) + len(gradient.df_input_captured_outputs)
)
print("forward:", ", ".join(kinds(forward)))

# ## Step 3. Each formula is a script
# The gradient of `mul` is written in TorchScript itself: the function notes sizes in forward, so that backward can sum over the dimensions that were
# broadcast. Each formula stands in a node `prim::GradOf`, which does nothing if no gradient arrives.
assert kinds(forward).count("aten::mul") == 2 and "aten::_size_if_not_equal" in kinds(forward)
print(text(backward))

# ## Step 4. One node of autograd for the whole graph
# A script that runs with gradients gets such a pair at its second run. For the engine it is a single node: its name is that of a C++ class.
x = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
slope = torch.tensor([1.0, 2.0, 0.5], requires_grad=True)
swish(x, slope)
y = swish(x, slope)
print("grad_fn:", type(y.grad_fn).__name__, "with", len(y.grad_fn.next_functions), "edges")
assert type(y.grad_fn).__name__ == "CppFunction"

# ## Step 5. The numbers are those of eager autograd
ours = torch.autograd.grad(y.sum(), (x, slope))
eager = torch.autograd.grad((x * torch.sigmoid(slope * x)).sum(), (x, slope))
assert all(torch.allclose(a, b) for a, b in zip(ours, eager))
print("gradients:", *ours)


# ## Step 6. What has no formula stays outside
# Only operators with a formula join a differentiable group; the others keep the eager way, node by node. A group of one is not worth it.
@torch.jit.script
def sorted_swish(x, slope):
    ranked = torch.sort(x)[0]
    return ranked * torch.sigmoid(slope * ranked)


for _ in range(2):
    z = sorted_swish(x, slope)
plan = torch.jit.last_executed_optimized_graph()
print("outside:", ", ".join(kind for kind in kinds(plan) if kind.startswith("aten::")))
assert "aten::sort" in kinds(plan) and plan.findNode("prim::DifferentiableGraph") is not None
names = [node.name() for node, _ in z.grad_fn.next_functions if node is not None]
print("below the group:", ", ".join(names))
