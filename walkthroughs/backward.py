"""Backward, as a PyTorch program: those claims of backward.ts that a program can ask for itself.

With its recording, here:  npm run python -- --trace backward.json walkthroughs/backward.py
In your own PyTorch:       python walkthroughs/backward.py
"""

import torch


def names(node):
    return [None if following is None else following.name() for following, _ in node.next_functions]


# ## Step 1. The graph
# Each differentiable call made one node. Its edges point at the nodes that made its inputs; a leaf has an AccumulateGrad.
a = torch.tensor([2.5, 3.5], requires_grad=True)
b = torch.tensor([6.5, 4.5], requires_grad=True)


def build():
    return a * 2.5 + a * b


y = build()
assert y.grad_fn.name() == "AddBackward0"
assert names(y.grad_fn) == ["MulBackward0", "MulBackward0"]
(scaled, _), (product, _) = y.grad_fn.next_functions
leaf = "torch::autograd::AccumulateGrad"
assert names(scaled) == [leaf, None]  # a * 2.5: the number needs no gradient
assert names(product) == [leaf, leaf]  # a * b
assert scaled.next_functions[0][0] is product.next_functions[0][0]  # one accumulator for a
print(y.grad_fn.name(), "->", names(y.grad_fn))

# ## Step 2. The ready queue
# A node runs when all gradients it waits for have arrived. Among the ready nodes, the newest runs first.
order = []


def tell(node, name):
    node.register_hook(lambda grad_inputs, grad_outputs: order.append(name))


tell(y.grad_fn, "add")
tell(scaled, "a * 2.5")
tell(product, "a * b")
tell(product.next_functions[0][0], "a.grad")
tell(product.next_functions[1][0], "b.grad")
g = torch.ones_like(y)
y.backward(g)
assert order == ["add", "a * b", "b.grad", "a * 2.5", "a.grad"]  # a.grad waits for both parts
print("order:", ", ".join(order))

# ## Step 3. Two gradients for one leaf
# `a` got one gradient from each product. They meet in the input buffer of a's AccumulateGrad, which adds them.
assert a.grad.tolist() == [9, 7]
assert b.grad.tolist() == [2.5, 3.5]
print("a.grad", a.grad.tolist(), " b.grad", b.grad.tolist())

# ## Step 4. A second backward adds to .grad in place
before = a.grad
build().backward(g)
assert a.grad is before
assert a.grad.tolist() == [18, 14]

# ## Step 5. Whose memory is .grad?
# The gradient of c and of d is the tensor that the caller passed in. The caller still holds it, so each leaf gets a copy.
c = torch.tensor([1.5, 2.5], requires_grad=True)
d = torch.tensor([1.5, 2.5], requires_grad=True)
held = torch.ones([2])
(c + d).backward(held)
assert c.grad.data_ptr() != held.data_ptr()
assert c.grad.data_ptr() != d.grad.data_ptr()

# ## Step 6. The graph is used up
# Each node releases its saved tensors when it has run; a second run needs retain_graph.
once = (a * b).sum()
once.backward()
try:
    once.backward()
except RuntimeError as error:
    assert "Trying to backward through the graph a second time" in str(error)
    print("refused:", str(error).partition(" (")[0])
else:
    raise AssertionError("the graph was kept")
twice = (a * b).sum()
twice.backward(retain_graph=True)
twice.backward()

# ## Step 7. Only what is asked for
# autograd.grad runs only the nodes that lead to its inputs, and does not change any .grad.
kept = a.grad.tolist()
(gradient,) = torch.autograd.grad((a * b).sum(), [a])
assert gradient.tolist() == b.tolist()
assert a.grad.tolist() == kept
print("autograd.grad", gradient.tolist())


# ## Step 8. A gradient of one's own
# `forward` and `backward` of a Function are Python: the engine calls back into the program, and its lines are on record too.
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


e = torch.tensor([1.5, -2.0], requires_grad=True)
Square.apply(e).sum().backward()
assert e.grad.tolist() == [3.0, -4.0]
assert torch.autograd.gradcheck(Square.apply, [e.detach().double().requires_grad_()])
print("Square:", e.grad.tolist())
