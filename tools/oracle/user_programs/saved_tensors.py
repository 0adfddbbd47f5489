# what pack hooks are given, and what comes back
def pack(t):
    say("pack", t.tolist(), t.requires_grad, t.is_leaf, torch.is_grad_enabled())
    return t
def unpack(t):
    say("unpack", t.tolist(), torch.is_grad_enabled())
    return t
x = torch.tensor([0.75], requires_grad=True)
plain = torch.tensor([2.5])
w = x * 0.5
with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
    y = x * w
    z = y.reciprocal()
    s = z * 1.5
    t = s * plain
say(torch.is_grad_enabled())
g, = torch.autograd.grad(t.sum(), w, create_graph=True)
say(g.requires_grad, f"{g.item():.4f}")
g.sum().backward()
say(f"{x.grad.item():.4f}")

# a leaf that was packed comes back with its accumulator
x = torch.tensor([1.5], requires_grad=True)
y = x * x
y.grad_fn._raw_saved_self.register_hooks(lambda t: t.clone(), lambda t: t)
s = y.grad_fn._saved_self
say(s is x, s.requires_grad, s.is_leaf, s.grad_fn, s.output_nr)
say((s * 2).grad_fn.next_functions[0][0] is (x * 2).grad_fn.next_functions[0][0])
(s * 2.25).sum().backward()
say(x.grad.tolist())

# a leaf without gradient comes back as the hook gives it, unless that requires grad
plain = torch.tensor([2.5])
x = torch.tensor([1.5], requires_grad=True)
y = x * plain
kept = torch.tensor([3.5])
y.grad_fn._raw_saved_other.register_hooks(lambda t: t, lambda t: kept)
say(y.grad_fn._saved_other is kept, y.grad_fn._saved_other.requires_grad)
y.sum().backward()
say(x.grad.tolist())
y = x * plain
gives = torch.tensor([3.5], requires_grad=True)
y.grad_fn._raw_saved_other.register_hooks(lambda t: t, lambda t: gives)
back = y.grad_fn._saved_other
say(back is gives, back.requires_grad, back.is_leaf, back.tolist())

# an input that is no leaf comes back with its own node, and with its place there
x = torch.tensor([1.5, 2.5], requires_grad=True)
first, second = x.unbind()
y = first * second
for raw in (y.grad_fn._raw_saved_self, y.grad_fn._raw_saved_other):
    raw.register_hooks(lambda t: t.detach().clone(), lambda t: t)
a, b = y.grad_fn._saved_self, y.grad_fn._saved_other
say(a.grad_fn is first.grad_fn, a.output_nr, a.requires_grad, a.is_leaf)
say(b.grad_fn is first.grad_fn, b.output_nr, b is second)
y.backward()
say(x.grad.tolist())
with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
    y = first * second
b = y.grad_fn._saved_other
say(b.grad_fn is first.grad_fn, b.output_nr)

# an output comes back with the node that saved it
x = torch.tensor([0.75], requires_grad=True)
y = x.reciprocal()
s = y.grad_fn._saved_result
say(s is y, s.grad_fn is y.grad_fn, s.output_nr, s._version)
y.grad_fn._raw_saved_result.register_hooks(lambda t: say(t.requires_grad, t.grad_fn) or t, lambda t: t)
s = y.grad_fn._saved_result
say(s is y, s.grad_fn is y.grad_fn, s.requires_grad)

# what is freed, and what was never there
x = torch.tensor([0.75], requires_grad=True)
y = x.reciprocal()
y.sum().backward()
fails(lambda: y.grad_fn._saved_result)
fails(lambda: y.grad_fn._raw_saved_result)
fails(lambda: y.sum().backward())
loss = torch.nn.functional.nll_loss(torch.tensor([[0.5, 1.5]], requires_grad=True), torch.tensor([1]))
say(loss.grad_fn._saved_weight)
fails(lambda: loss.grad_fn._raw_saved_weight.register_hooks(lambda t: t, lambda t: t))

# saved, then changed in place
x = torch.tensor([1.5, 2.5], requires_grad=True)
w = x * 0.5
y = w * w
w.mul_(2)
fails(lambda: y.sum().backward())
plain = torch.tensor([2.5])
y = x * plain
plain.add_(1)
fails(lambda: y.sum().backward())
fails(lambda: y.grad_fn._saved_other)
r = x.reciprocal()
r.add_(1)
fails(lambda: r.sum().backward())
plain = torch.tensor([2.5])
y = x * plain
plain.add_(1)
torch.autograd.set_detect_anomaly(True, check_nan=False)
fails(lambda: y.grad_fn._saved_other)
torch.autograd.set_detect_anomaly(False)
first, second = x.unbind()
third = second * 1
y = third * second
second.detach().add_(1)
fails(lambda: y.sum().backward())

# the output of an in-place operation on a view
x = torch.tensor([0.5, 2.0, 4.0], requires_grad=True)
y = x * 1
v = y[:2]
v.reciprocal_()
y.sum().backward()
say(x.grad.tolist())
y = x * 1
v = y[:2]
v.reciprocal_()
y.mul_(2)
fails(lambda: y.sum().backward())
y = x * 1
with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
    v = y[:2]
    v.reciprocal_()
say(v.grad_fn.name(), y.grad_fn.name())
g, = torch.autograd.grad(y.sum(), x, create_graph=True)
say(g.tolist(), g.requires_grad)
say(torch.autograd.grad(g.sum(), x)[0].tolist())

# a leaf that is detached or given history after it was saved
x = torch.tensor([1.5], requires_grad=True)
w = x * 0.5
y = w * w
w.detach_()
fails(lambda: y.sum().backward())
fails(lambda: y.grad_fn._saved_self)
plain = torch.tensor([2.5])
y = x * plain
plain.mul_(x)
fails(lambda: y.sum().backward())
with torch.inference_mode():
    made = torch.ones(1)
fails(lambda: x * made)
say(torch.is_grad_enabled())
def fail(t):
    raise ValueError("no")
fails(lambda: (x * x).grad_fn._raw_saved_self.register_hooks(fail, lambda t: t))
say(torch.is_grad_enabled())
