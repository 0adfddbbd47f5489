"""The path of `torch.nn.PReLU`, as a PyTorch program: those claims of prelu.ts that a program can ask for itself.

With its recording, here:  npm run python -- --trace prelu.json walkthroughs/prelu.py
In your own PyTorch:       python walkthroughs/prelu.py
"""

import torch
import torch.nn.functional as F
from torch.utils._python_dispatch import TorchDispatchMode

# ## Step 1. What is called
# `nn.PReLU` is a module with one parameter, a single slope of 0.25 by default.
torch.manual_seed(0)
net = torch.nn.PReLU()
x = torch.randn([3, 4], requires_grad=True)
assert net.weight.tolist() == [0.25]
assert net.weight.requires_grad
assert net(torch.tensor([2.5, -2.5])).tolist() == [2.5, -0.625]  # x if x > 0 else w * x
print("weight", net.weight.item())
print("x sums to", f"{x.sum().item():.4f}")

# ## Step 2. Front end and binding
# `F.prelu` is `torch.prelu`: not a function written in Python, but a generated binding.
assert F.prelu is torch.prelu
assert not hasattr(F.prelu, "__code__")

# ## Step 3. `prelu` is no kernel
# It is CompositeImplicitAutograd: one function for every backend, made of other operators. It makes its checks before any of them runs.
assert torch._C._dispatch_has_kernel_for_dispatch_key("aten::prelu", "CompositeImplicitAutograd")
assert not torch._C._dispatch_has_kernel_for_dispatch_key("aten::prelu", "CPU")
try:
    torch.prelu(x, torch.ones([3]))
except RuntimeError as error:
    assert "Mismatch of parameter numbers and input channel size" in str(error)
    print("refused:", error)
else:
    raise AssertionError("a weight for each of 3 channels fits 4 columns")


# ## Step 4. The weight is reshaped to broadcast along dim 1
# A dispatch mode sees the operators that arrive below autograd: `prelu` is gone, its parts remain.
class Seen(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


with Seen() as forward:
    y = net(x)
assert forward.names == ["aten.view.default", "aten._prelu_kernel.default"]
print("forward:", ", ".join(forward.names))

# ## Step 5. One call, two keys
# Every ordinary tensor carries an autograd key, `requires_grad` or not, and it outranks CPU. So there are two stops.
keys = "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)"
assert str(torch._C._dispatch_keys(x)) == keys
assert str(torch._C._dispatch_keys(torch.ones([2]))) == keys

# ## Step 6. With a weight for each channel
# The weight varies along dim 1. The slope of a channel multiplies only its own negative values.
channels = torch.nn.PReLU(4)
with torch.no_grad():
    channels.weight.copy_(torch.tensor([0.5, 1.0, 2.0, 4.0]))
assert channels(-torch.ones([3, 4]))[1].tolist() == [-0.5, -1.0, -2.0, -4.0]

# ## Step 7. Without a gradient
# Under no_grad the same operators run; only the nodes are missing.
with torch.no_grad(), Seen() as without:
    assert net(x).grad_fn is None
assert without.names == forward.names

# ## Step 8. What was left behind for backward
# There are two nodes: one for `_prelu_kernel`, one for the view of the weight.
assert y.grad_fn.name() == "PreluKernelBackward0"
assert [node.name() for node, _ in y.grad_fn.next_functions] == ["torch::autograd::AccumulateGrad", "ViewBackward0"]

# ## Step 9. Backward
# The gradient of the weight has the full shape of x when it leaves `_prelu_kernel_backward`; the engine sums it to [1, 1].
# Each accumulator keeps its gradient as a view of its own, so `detach` runs once for each leaf.
gradient = torch.ones_like(y)
with Seen() as backward:
    y.backward(gradient)
assert backward.names == [
    "aten._prelu_kernel_backward.default",
    "aten.sum.dim_IntList",  # between two nodes
    "aten.detach.default",  # AccumulateGrad of x
    "aten.view.default",  # ViewBackward0
    "aten.detach.default",  # AccumulateGrad of the weight
]
print("backward:", ", ".join(backward.names))

# ## Step 10. At the leaves
negative = x.detach()[x.detach() <= 0]
assert x.grad.tolist() == torch.where(x > 0, 1.0, 0.25).tolist()
assert torch.allclose(net.weight.grad, negative.sum())
print("x.grad", x.grad.tolist())
print("weight.grad", f"{net.weight.grad.item():.4f}")
