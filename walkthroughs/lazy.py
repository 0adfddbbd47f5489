"""Lazy tensors: an operator is written down, and a read computes everything that was written down for it.

With its recording, here:  npm run python -- --trace lazy.json walkthroughs/lazy.py
In your own PyTorch:       python walkthroughs/lazy.py
"""

import torch
import torch._lazy
import torch._lazy.metrics as metrics
import torch._lazy.ts_backend

torch._lazy.ts_backend.init()


def text(*tensors):
    "The nodes below these tensors, a line for each: name, shape, operator, operands."
    lines = torch._C._lazy._get_tensors_text(list(tensors)).splitlines()[1:-1]
    return [line.split(", device=")[0].split(", NodeType=")[0].split(", ROOT=")[0].strip() for line in lines]


def count(name):
    return metrics.counter_value(name) or 0


# ## Step 1. A tensor on a device that computes nothing
# `lazy` is a device like `cpu`, with a dispatch key of its own. Functionalize stands above it: views and writes never reach it.
x = torch.tensor([[1.0, -2.0], [3.0, 4.0]]).to("lazy")
keys = str(torch._C._dispatch_keys(x))
assert keys == "DispatchKeySet(Lazy, Functionalize, ADInplaceOrView, AutogradLazy)"
print(x.device, keys)

# ## Step 2. An operator makes a node
# The kernel of `mul` for the key Lazy computes the *shape* of the result, and makes a node. The number 2 is an operand, not a part of the
# graph: with another number the graph is the same.
metrics.reset()
y = (x * 2 + x).relu()
nodes = text(y)
assert [node.split(" ")[3].split("(")[0] for node in nodes] == ["lazy_tensors::device_data"] * 3 + ["aten::mul", "aten::add", "aten::relu"]
assert (count("lazy::mul"), count("lazy::add"), count("lazy::relu")) == (1, 1, 1)
assert count("UncachedCompile") == 0  # nothing has been compiled, nothing computed
assert y.shape == (2, 2)  # but shapes are known
print("\n".join(nodes))

# ## Step 3. The cut
# A read needs the value. The nodes below `y` become a graph of TorchScript, which its executor runs; `y` gets the value and forgets the nodes.
graph = torch._C._lazy._get_tensors_backend([y])
assert [kind in graph for kind in ("aten::mul", "aten::add", "aten::relu")] == [True, True, True]
value = y.sum().item()
assert value == 24.0
assert count("UncachedCompile") == 1
assert count("aten::_local_scalar_dense") == 1  # `item` has no node: its argument is computed, and it runs on the CPU
print("sum:", value)

# ## Step 4. What cuts, and what does not
# `item`, `print`, `bool`, `cpu` and `numpy` read. A branch on a value is therefore decided, and the program goes on: nothing is refused.
compiled = count("UncachedCompile")
z = y * 3
_ = z.shape, z.dtype, z.t(), z[0]  # no value is needed
assert count("UncachedCompile") == compiled
sign = "positive" if z.sum() > 0 else "negative"
assert sign == "positive"
assert count("UncachedCompile") == compiled + 1
print("the branch:", sign)

# ## Step 5. A step's end
# `mark_step` computes all tensors that the program still holds, in one graph. A training loop calls it once in a step.
torch._lazy.mark_step()
assert text(z)[0].endswith("lazy_tensors::device_data()")  # the node is gone: z has a value
assert count("MarkStep") == 1


# ## Step 6. The same graph is compiled once
# The hash of the nodes decides: operators, shapes, attributes and the places of equal values, not the values.
def step(w):
    return torch.tanh(w @ w) + 1


w = x
for _ in range(2):
    w = step(w)
    torch._lazy.mark_step()
uncached, cached = count("UncachedCompile"), count("CachedCompile")
for _ in range(3):
    w = step(w)
    torch._lazy.mark_step()
assert (count("UncachedCompile"), count("CachedCompile")) == (uncached, cached + 3)
print("three more steps:", count("UncachedCompile") - uncached, "compiled,", count("CachedCompile") - cached, "found")

# ## Step 7. Views and writes become values
# A view is a copy, `view_copy`. A write into it is a new value, which is put back into the base.
base = torch.zeros(4, device="lazy")
base.view(2, 2)[0].add_(1)
assert base.cpu().tolist() == [1.0, 1.0, 0.0, 0.0]
assert count("lazy::view_copy_symint") > 0
assert count("lazy::select_scatter") == 1
print("written through a view:", base.cpu().tolist())

# ## Step 8. Backward is nodes too
# Autograd stands above the key Lazy, so the operators of backward are written down like those of forward: one graph for a whole step.
leaf = torch.ones(3, device="lazy", requires_grad=True)
loss = (leaf * leaf).sum()
loss.backward()
assert any("aten::expand_copy" in node for node in text(leaf.grad))
assert leaf.grad.cpu().tolist() == [2.0, 2.0, 2.0]
print("gradient:", leaf.grad.cpu().tolist())

# ## Step 9. An operator without a node
# It falls back: its arguments are computed, it runs on the CPU, and the result is a value. Its counter has the operator's full name.
before = count("UncachedCompile") + count("CachedCompile")
root = (leaf.detach() + 1).erf()
assert count("aten::erf") == 1
assert count("UncachedCompile") + count("CachedCompile") == before + 1  # `leaf + 1` had to be computed
assert text(root)[0].endswith("lazy_tensors::device_data()")
print("erf:", round(root[0].item(), 4))
