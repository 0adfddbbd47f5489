"""What functionalization replaces: writes and views become values.

With its recording, here:  npm run python -- --trace functional.json walkthroughs/functional.py
In your own PyTorch:       python walkthroughs/functional.py
"""

import torch
from torch.func import functionalize
from torch.fx.experimental.proxy_tensor import make_fx


def operators(gm):
    return [str(node.target) for node in gm.graph.nodes if node.op == "call_function"]


# ## Step 1. A program that writes through a view
# `row` is a view of `y`. The addition changes `y`, although the line does not name it.
def program(x):
    y = x.clone()
    row = y[0]
    row.add_(1)
    return y * 2


x = torch.zeros([2, 3])
eager = program(x)
assert eager.tolist() == [[2.0, 2.0, 2.0], [0.0, 0.0, 0.0]]
written = make_fx(program)(x)
assert operators(written) == ["aten.clone.default", "aten.select.int", "aten.add_.Tensor", "aten.mul.Tensor"]
# In this graph nothing leads from `add_` to `mul`: only the memory connects them. A pass that moves nodes would break it.
add_ = next(node for node in written.graph.nodes if node.name == "add_")
assert len(add_.users) == 0
print("as written:", ", ".join(operators(written)))

# ## Step 2. The same program without mutation
# `functionalize` wraps each tensor. A write makes a new value; a view remembers how it was taken, so that the new value can be put back into its base.
functional = make_fx(functionalize(program))(x)
assert operators(functional) == [
    "aten.clone.default",
    "aten.select.int",  # row = y[0]
    "aten.add.Tensor",  # a new row in the place of row.add_(1)
    "aten.select_scatter.default",  # a new y: the old one with the new row
    "aten.select.int",  # the view, taken again
    "aten.mul.Tensor",
]
add, scatter = (next(node for node in functional.graph.nodes if node.name == name) for name in ("add", "select_scatter"))
assert scatter in add.users  # now the graph says that y depends on the addition
assert torch.equal(functional(x), eager)
print(functional.code.strip())

# ## Step 3. Without views, too
copies = make_fx(functionalize(program, remove="mutations_and_views"))(x)
assert "aten.select_copy.int" in operators(copies) and "aten.select.int" not in operators(copies)
assert torch.equal(copies(x), eager)
print("without views:", ", ".join(operators(copies)))


# ## Step 4. An argument that is written to
# The caller must see the write. So the graph ends with one `copy_` into the argument.
def accumulate(total, x):
    total.add_(x)
    total.mul_(2)
    return total.sum()


step = make_fx(functionalize(accumulate))(torch.zeros([3]), torch.ones([3]))
assert operators(step) == ["aten.add.Tensor", "aten.mul.Tensor", "aten.sum.default", "aten.copy_.default"]
total = torch.zeros([3])
assert step(total, torch.ones([3])).item() == 6.0
assert total.tolist() == [2.0, 2.0, 2.0]
print("an argument:", ", ".join(operators(step)))

# ## Step 5. The wrapper itself
# A functional tensor holds a value. A write replaces the value in the wrapper; the tensor of before is unchanged.
base = torch.zeros([2])
wrapped = torch._to_functional_tensor(base)
torch._enable_functionalization(reapply_views=True)
try:
    view = wrapped[0]
    view.fill_(7)
    torch._sync(wrapped)
finally:
    torch._disable_functionalization()
assert torch._is_functional_tensor(view) and not torch._is_functional_tensor(base)
assert base.tolist() == [0.0, 0.0]
assert torch._from_functional_tensor(wrapped).tolist() == [7.0, 0.0]
print("before", base.tolist(), "after", torch._from_functional_tensor(wrapped).tolist())
