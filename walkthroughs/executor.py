"""The graph executor: three runs of one script. It profiles, then specializes, then keeps its plan.

With its recording, here:  npm run python -- --trace executor.json walkthroughs/executor.py
In your own PyTorch:       python walkthroughs/executor.py
"""

import re
import warnings

import torch

warnings.filterwarnings("ignore", category=DeprecationWarning)


# ## Step 1. A script has no plan yet
# `script` made a graph. Nothing is known of the tensors: each has the type `Tensor`, any dtype, any shape.
@torch.jit.script
def gate(x, y):
    a = torch.sigmoid(x) * torch.tanh(y)
    return torch.relu(a + x * y)


def kinds(graph):
    return [node.kind() for node in graph.nodes()]


def plan():
    """The graph that ran last, which is the executor's and not the script's."""
    return torch.jit.last_executed_optimized_graph()


print("script:", ", ".join(kinds(gate.graph)))
assert all(str(value.type()) == "Tensor" for value in gate.graph.inputs())

# ## Step 2. Run 1: profile
# Passes that need no types run first. Then a node `prim::profile` is put before each use of a tensor. It is a callback: it looks at the tensor that
# passes through, and notes what it sees. So the first run is the slowest one.
x, y = torch.tensor([1.0, -2.0]), torch.tensor([3.0, 0.5])
expected = gate(x, y)
profiled = kinds(plan())
print(f"run 1: {len(profiled)} nodes, {profiled.count('prim::profile')} of them profile")
notes = re.findall(r"profiled_type=(\S+\(.*?\)),", str(plan()))
print("noted:", notes[0])

# ## Step 3. Run 2: specialize
# Now the types are known, and passes may use them. No tensor required a gradient, so the profile nodes go, and the plan is final.
assert torch.equal(gate(x, y), expected)
print("run 2:", ", ".join(kinds(plan())))
assert "prim::profile" not in kinds(plan())

# ## Step 4. Run 3: the plan stays
# Tensors of another dtype and shape run through the same plan: on a CPU without a fuser nothing in it depends on them.
before = str(plan())
third = gate(torch.ones(2, 3, dtype=torch.float64), torch.ones(1, 3, dtype=torch.float64))
assert str(plan()) == before and third.dtype == torch.float64
print("run 3: the same plan")


# ## Step 5. With gradients, a plan has a condition
# If a tensor required a gradient while it was profiled, the nodes that can be differentiated become one node, `prim::DifferentiableGraph`. It is right only
# for tensors like those that were seen. So a check stands before it, and a branch: the other side calls a function that holds the plain graph.
def gate_with_gradient(x, y):
    a = torch.sigmoid(x) * torch.tanh(y)
    return torch.relu(a + x * y)


trained = torch.jit.script(gate_with_gradient)
x.requires_grad_()
first = trained(x, y)
second = trained(x, y)
print("grad_fn of run 1 and 2:", type(first.grad_fn).__name__, type(second.grad_fn).__name__)
print("run 2 with gradients:", ", ".join(kinds(plan())))
check = next(node for node in plan().nodes() if node.kind() == "prim::RequiresGradCheck")
branch = plan().findNode("prim::If")
sides = [[node.kind() for node in block.nodes()] for block in branch.blocks()]
print("if the check holds:", ", ".join(sides[0]))
print("otherwise:", ", ".join(sides[1]))
assert sides[0] == ["prim::DifferentiableGraph"]
assert re.search(r"types=\[.*requires_grad=1", str(check))

# ## Step 6. The way back
# The check fails for a tensor without a gradient. The fallback function runs. It has an executor of its own, which begins to profile: so a script can be
# specialized several times, each time for what it sees then. A depth limits how often (`set_fusion_strategy`).
plain = trained(x.detach(), y)
assert plain.grad_fn is None and torch.equal(plain, expected)
assert torch.equal(trained(x, y), expected)
old = torch.jit.set_fusion_strategy([("STATIC", 2), ("DYNAMIC", 10)])
print("specialized at most", sum(depth for _, depth in old), "times:", old)
