"""`vmap(grad(f))`: transforms are layers on a stack, and each operator passes them from the top.

With its recording, here:  npm run python -- --trace vmap_grad.json walkthroughs/vmap_grad.py
In your own PyTorch:       python walkthroughs/vmap_grad.py
"""

import warnings

import torch
from torch._C._functorch import (
    TransformType,
    get_interpreter_stack,
    get_unwrapped,
    is_batchedtensor,
    is_gradtrackingtensor,
    maybe_get_bdim,
    maybe_get_level,
)
from torch.func import grad, jacfwd, jacrev, vmap
from torch.utils._python_dispatch import TorchDispatchMode


class Operators(TorchDispatchMode):
    """Notes the operators that reach the backend."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.seen.append(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


def operators(fn, *args):
    with Operators() as mode:
        result = fn(*args)
    return result, mode.seen


# ## Step 1. The problem: one gradient for each example
# A loss of one example, and a batch of eight. `backward` on the sum gives the sum of the gradients. The separate ones need a loop, or `vmap(grad(loss))`.
def loss(weight, x, y):
    return ((weight * x).sum() - y).pow(2)


torch.manual_seed(0)
weight, xs, ys = torch.randn(3), torch.randn(8, 3), torch.randn(8)
per_example = vmap(grad(loss), in_dims=(None, 0, 0))(weight, xs, ys)
looped = torch.stack([grad(loss)(weight, x, y) for x, y in zip(xs, ys)])
assert per_example.shape == (8, 3) and torch.allclose(per_example, looped)
print("gradients:", tuple(per_example.shape))

# ## Step 2. vmap is not a loop
# The operators that reach the backend are as many for eight examples as for one. Each has the batch as one dimension more.
_, one = operators(grad(loss), weight, xs[0], ys[0])
_, eight = operators(vmap(grad(loss), in_dims=(None, 0, 0)), weight, xs, ys)
_, eighty = operators(vmap(grad(loss), in_dims=(None, 0, 0)), weight, xs.repeat(10, 1), ys.repeat(10))
assert eight == eighty
assert eight.count("mul") == one.count("mul")
print("multiplications for 1, 8 and 80 examples:", [ops.count("mul") for ops in (one, eight, eighty)])

# ## Step 3. What the function sees
# Inside, a tensor of a batch looks like a tensor of one example: the wrapper hides the batch dimension. The wrapper of the inner transform holds the wrapper of the outer one, and each has its level.
shown = []


def look(x):
    shown.append((tuple(x.shape), str(x).splitlines()[0]))
    value = get_unwrapped(x)
    assert is_gradtrackingtensor(x) and maybe_get_level(x) == 2
    assert is_batchedtensor(value) and maybe_get_level(value) == 1
    assert maybe_get_bdim(value) == 0 and tuple(get_unwrapped(value).shape) == (8, 3)
    return x.sin().sum()


vmap(grad(look))(xs)
assert len(shown) == 1  # called once, for all eight
print("inside:", *shown[0])

# ## Step 4. The layers
# `vmap` is called first, so it is level 1; `grad` is above it. An operator goes through the top layer first: `grad` notes what backward needs, and calls the operator again below itself; there `vmap` has its turn, and
# replaces it by the operator for a whole batch; that one reaches the kernel. The order in the program is the order of the levels.
levels = []


def name_of(transform):
    return "Vmap" if transform == TransformType.Vmap else "Grad" if transform == TransformType.Grad else "another"


def stack(x):
    levels.append([(layer.level(), name_of(layer.key())) for layer in get_interpreter_stack()])
    return x.sin().sum()


vmap(grad(stack))(xs)
print("vmap(grad(f)):", levels[-1])
assert levels[-1] == [(1, "Vmap"), (2, "Grad")]
grad(lambda x: vmap(stack)(x).sum())(xs)
print("grad(vmap(f)):", levels[-1])
assert levels[-1] == [(1, "Grad"), (2, "Vmap")]
assert get_interpreter_stack() is None  # outside there is no layer


# ## Step 5. A function for a batch of each operator
# A batching rule gets the tensor with its batch and the place of that dimension, and calls the operator for all. `x.sum(0)` becomes a sum over dimension 1.
def column_sum(x):
    return x.sum(0)


batch = torch.randn(8, 3, 4)
result, seen = operators(vmap(column_sum), batch)
assert seen == ["sum"] and torch.allclose(result, batch.sum(1))
# Without a rule there is a loop after all, with a warning: one call for each example, and a stack.
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    result, seen = operators(vmap(lambda x: torch.histc(x, 4, 0, 1)), torch.rand(8, 16))
assert seen.count("histc") == 8
print("no rule for histc:", seen.count("histc"), "calls;", str(caught[0].message).split(".")[0][:76])


# ## Step 6. What has no meaning for a batch
# A branch on a value would need both sides at once: some examples go here, others there.
def branch(x):
    return x if x.sum() > 0 else -x


try:
    vmap(branch)(xs)
except RuntimeError as error:
    print("refused:", str(error).split(".")[0])
else:
    raise AssertionError("one branch cannot be right for all")
assert torch.equal(vmap(lambda x: torch.where(x.sum() > 0, x, -x))(xs)[0], branch(xs[0]))

# ## Step 7. Jacobians are vmap over a basis
# A backward pass with a unit vector gives one row of the Jacobian. `jacrev` runs one batched backward for all unit vectors; `jacfwd` runs one batched forward, and gets columns.
square = torch.randn(3, 3)


def fn(x):
    return torch.tanh(square @ x)


assert torch.allclose(jacrev(fn)(weight), jacfwd(fn)(weight), atol=1e-6)
rows = torch.stack([grad(lambda x: fn(x)[i])(weight) for i in range(3)])
assert torch.allclose(jacrev(fn)(weight), rows, atol=1e-6)
print("Jacobian:", tuple(jacrev(fn)(weight).shape))
