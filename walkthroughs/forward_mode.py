"""Forward-mode AD: each tensor carries its derivative with it, and nothing is kept for later.

With its recording, here:  npm run python -- --trace forward_mode.json walkthroughs/forward_mode.py
In your own PyTorch:       python walkthroughs/forward_mode.py
"""

import torch
import torch.autograd.forward_ad as fwAD
from torch.utils._python_dispatch import TorchDispatchMode


class Operators(TorchDispatchMode):
    """Notes the operators that reach the backend."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.seen.append(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


# ## Step 1. A dual tensor
# A dual tensor is a value and a tangent: how fast the value changes, if the input moves in one direction. An operation computes both. At the end the tangent of the result is the derivative in that direction.
x = torch.tensor([0.5, -1.0, 2.0])
direction = torch.tensor([1.0, 0.0, 0.0])
with fwAD.dual_level():
    dual = fwAD.make_dual(x, direction)
    y = (dual.sin() * dual).sum()
    value, tangent = fwAD.unpack_dual(y)
assert torch.allclose(value, (x.sin() * x).sum())
assert torch.allclose(tangent, x[0].cos() * x[0] + x[0].sin())  # the derivative by the first element
print("tangent: %.4f" % tangent.item())

# ## Step 2. The same number by reverse mode
# `backward` finds the derivatives by all inputs at once, of one output. Forward mode finds the derivatives of all outputs, in one direction. Both apply the chain rule, from its two ends.
leaf = x.clone().requires_grad_()
(leaf.sin() * leaf).sum().backward()
assert torch.allclose(tangent, (leaf.grad * direction).sum())

# ## Step 3. No graph
# Nothing is saved, and there is no backward pass: when `sin` has run, its derivative is known, too. `grad_fn` is empty, and `no_grad` changes nothing.
with fwAD.dual_level(), torch.no_grad():
    out = fwAD.make_dual(x, direction).exp()
    assert out.grad_fn is None and not out.requires_grad
    assert torch.allclose(fwAD.unpack_dual(out).tangent, x.exp() * direction)
    print(out)

# ## Step 4. Where the derivative is computed
# The kernel of `sin` does not know about tangents. The layer above it, autograd's, calls the kernel with the value; then it evaluates the formula for the tangent from `derivatives.yaml`, and hangs the result on the output.
with fwAD.dual_level():
    dual = fwAD.make_dual(x, direction)
    with Operators() as mode:
        dual.sin()
print("sin of a dual tensor:", " ".join(mode.seen))
assert mode.seen[0] == "sin" and "cos" in mode.seen and "mul" in mode.seen
with Operators() as mode:
    x.sin()
assert mode.seen == ["sin"]  # without a tangent nothing more happens

# ## Step 5. A level and its end
# A tangent belongs to a level. When the level ends, all its tangents are gone. Only one level can be open.
with fwAD.dual_level():
    dual = fwAD.make_dual(x, direction)
    assert fwAD.unpack_dual(dual).tangent is not None
    assert fwAD.unpack_dual(dual.detach()).tangent is None
    try:
        with fwAD.dual_level():
            pass
    except RuntimeError as error:
        print("refused:", error)
    else:
        raise AssertionError("two levels were open")
assert fwAD.unpack_dual(dual).tangent is None if fwAD._current_level >= 0 else True
try:
    fwAD.make_dual(x, direction)
except RuntimeError as error:
    print("refused:", str(error).split(".")[0])
else:
    raise AssertionError("there was no level")

# ## Step 6. Views and writes
# A slice of a dual tensor has the slice of its tangent; they share memory, as their values do. A write through the slice changes the whole.
with fwAD.dual_level():
    dual = fwAD.make_dual(torch.ones(3), torch.tensor([1.0, 2.0, 3.0]))
    dual[1:].mul_(10)
    value, tangent = fwAD.unpack_dual(dual)
    assert value.tolist() == [1.0, 10.0, 10.0] and tangent.tolist() == [1.0, 20.0, 30.0]
print("after a write into a slice:", tangent.tolist())


# ## Step 7. A function of your own
# `jvp` of an `autograd.Function` gets the tangents of the inputs, and gives the tangents of the outputs. Without it forward mode refuses.
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return x**3

    @staticmethod
    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * tangent

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * gradient


with fwAD.dual_level():
    out = Cube.apply(fwAD.make_dual(x, direction))
    assert torch.allclose(fwAD.unpack_dual(out).tangent, 3 * x**2 * direction)
points = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64, requires_grad=True)
assert torch.autograd.gradcheck(Cube.apply, points, check_forward_ad=True)
print("gradcheck in both modes: passed")

# ## Step 8. The transform
# `torch.func.jvp` opens a level, makes the duals, runs the function, and unpacks. A second derivative is a forward pass over a backward pass: `hessian` does that for all directions.
value, tangent = torch.func.jvp(torch.sin, (x,), (direction,))
assert torch.allclose(tangent, x.cos() * direction)
hessian = torch.func.hessian(lambda v: (v**3).sum())(x)
assert torch.allclose(hessian, torch.diag(6 * x))
print("hessian of the sum of cubes:", torch.diagonal(hessian).tolist())
