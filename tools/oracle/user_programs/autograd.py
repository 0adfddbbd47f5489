# mark_dirty of what is no input
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y
    @staticmethod
    def backward(ctx, g):
        return g * 2
x = torch.tensor([1.5], requires_grad=True)
y = F.apply(x)
say(y.tolist(), y.requires_grad)
y.backward()
say(x.grad.tolist())

# .grad of a tensor that is no leaf
x = torch.tensor([1.5], requires_grad=True)
y = x * 2
say(y.grad)
y.retain_grad()
say(y.grad)
y.backward()
say(y.grad.tolist(), x.grad.tolist())
say((x * 1).detach().grad, torch.ones(1).grad)
z = (x * 3)
say(z.grad is None, z.grad is None)

# numpy of what requires grad
x = torch.tensor([1.5], requires_grad=True)
fails(lambda: x.numpy())
with torch.no_grad():
    say(float(x.numpy()[0]))
with torch.inference_mode():
    say(float(x.numpy()[0]))
say(float(x.detach().numpy()[0]))

# numbers of tensors and gradients
a = torch.tensor(1.5, requires_grad=True)
b = torch.tensor(2.5, requires_grad=True)
g = torch.tensor(1.0)
fails(lambda: torch.autograd.backward([a, b], [g]))
fails(lambda: torch.autograd.backward([a], [g, g]))
fails(lambda: torch.autograd.grad([a, b], [a], [g]))
fails(lambda: torch.autograd.backward([]))
fails(lambda: torch.autograd.grad([], [a]))
fails(lambda: torch.autograd.grad([a], []))
fails(lambda: torch.autograd.backward(a, inputs=[]))
fails(lambda: torch.autograd.backward([a, b], [g, 5]))
fails(lambda: torch.autograd.backward([a, b], g))
fails(lambda: torch.autograd.backward(5))
fails(lambda: torch.autograd.grad(a, 5))

# what a backward that is under way may be asked
x = torch.tensor([1.5], requires_grad=True)
y = x * 2
fails(lambda: torch._C._will_engine_execute_node(y))
fails(lambda: torch._C._will_engine_execute_node(None))
fails(lambda: torch._C._will_engine_execute_node(5))
fails(lambda: torch._C._will_engine_execute_node(y.grad_fn))
fails(lambda: torch._C._current_graph_task_execution_order())
say(torch._C._current_graph_task_id())
def hook(g):
    fails(lambda: say([n.name() for n in torch._C._current_graph_task_execution_order()]))
    say(torch._C._will_engine_execute_node(y.grad_fn), torch._C._current_graph_task_id() >= 0)
z = (y * 3).sum()
z.register_hook(hook)
z.backward(retain_graph=True)
with torch.autograd.set_multithreading_enabled(False):
    z.backward()

# hooks of one saved tensor
x = torch.tensor([1.5], requires_grad=True)
y = x.exp()
saved = y.grad_fn._raw_saved_result
fails(lambda: saved.register_hooks())
fails(lambda: saved.register_hooks(lambda t: t))
fails(lambda: saved.register_hooks(1, 2))
fails(lambda: saved.register_hooks(lambda t: t, 2))
fails(lambda: saved.register_hooks(lambda t: t, lambda t: t, 3))
saved.register_hooks(lambda t: say("pack", t.tolist()) or t, lambda t: say("unpack") or t)
fails(lambda: saved.register_hooks(lambda t: t, lambda t: t))
y.sum().backward()
fails(lambda: y.grad_fn._raw_saved_result.register_hooks(lambda t: t, lambda t: t))
two = torch.tensor([1.5], requires_grad=True)
fails(lambda: (two * two).grad_fn._raw_saved_self.register_hooks(lambda t: 5, lambda t: t))
fails(lambda: (two * two).grad_fn._raw_saved_self.register_hooks(lambda t: t.mul_(2), lambda t: t))

# AccumulateGrad and its variable
x = torch.tensor([1.5], requires_grad=True)
acc = (x * 2).grad_fn.next_functions[0][0]
say(type(acc).__name__, isinstance(acc, torch._C._functions.AccumulateGrad), isinstance((x * 2).grad_fn, torch._C._functions.AccumulateGrad))
say(acc.variable is x, acc.name(), acc.next_functions)
fails(lambda: torch._C._functions.AccumulateGrad())

# hooks of saved tensors, where they may be made
fails(lambda: torch.autograd.graph.saved_tensors_hooks(5, 6).__enter__())
with torch.autograd.graph.disable_saved_tensors_hooks("no hooks here"):
    fails(lambda: torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x).__enter__())
    with torch.autograd.graph.disable_saved_tensors_hooks("nor here"):
        fails(lambda: torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x).__enter__())
    fails(lambda: torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x).__enter__())
with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
    fails(lambda: torch.autograd.graph.disable_saved_tensors_hooks("no").__enter__())
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
        pass

# a leaf's data of another size, and its accumulator
x = torch.tensor([0.5, -1.0, 0.3], requires_grad=True)
x.mul(2)
x.data = torch.ones(5)
x.mul(2).sum().backward()
say(x.grad.tolist())
x = torch.tensor([0.5, -1.0], requires_grad=True)
x.mul(2)
x.data = torch.ones(2, dtype=torch.float64)
x.mul(2).sum().backward()
say(x.grad.dtype, x.grad.tolist())
x = torch.tensor([0.5, -1.0], requires_grad=True)
with torch.no_grad():
    x.mul(2)
    torch.add(torch.ones(4), 1, out=x)
x.mul(3).sum().backward()
say(x.grad.tolist())
x = torch.ones(2, 3, requires_grad=True)
x.mul(2)
with torch.no_grad():
    x.t_()
x.mul(torch.ones(3, 2)).sum().backward()
say(list(x.grad.shape))

# what was modified by an inplace operation
x = torch.tensor([1.5, 2.5], requires_grad=True)
def spoil(make, change):
    a = x.clone()
    y = make(a)
    change(a, y)
    fails(lambda: y.sum().backward())
spoil(lambda a: a.pow(2), lambda a, y: a.pow_(2))
spoil(lambda a: a.pow(a), lambda a, y: a.mul_(2))
spoil(lambda a: a.exp(), lambda a, y: y.pow_(2))
spoil(lambda a: a.exp(), lambda a, y: y.add_(1))
m = torch.ones(2, 2, requires_grad=True)
def spoil_matrix(make, change):
    a = m.clone()
    y = make(a)
    change(a, y)
    fails(lambda: y.sum().backward())
spoil_matrix(lambda a: a.min(), lambda a, y: a.mul_(2))
spoil_matrix(lambda a: a.min(1)[0].exp(), lambda a, y: y.t_() if y.dim() > 1 else y.mul_(2))
spoil_matrix(lambda a: a.exp(), lambda a, y: y.t_())
spoil_matrix(lambda a: a.t().exp(), lambda a, y: y.add_(1))
spoil_matrix(lambda a: a.mm(a), lambda a, y: a.zero_())
spoil_matrix(lambda a: a.sigmoid(), lambda a, y: y.fill_(1))
spoil_matrix(lambda a: a.tanh(), lambda a, y: y.neg_())
spoil_matrix(lambda a: a.sqrt(), lambda a, y: y.transpose_(0, 1).mul_(1))
spoil_matrix(lambda a: torch.relu(a), lambda a, y: y.masked_fill_(torch.ones(2, 2) > 0, 3))
spoil_matrix(lambda a: a.softmax(1), lambda a, y: y.div_(2))
spoil_matrix(lambda a: a.exp(), lambda a, y: y[0].zero_())
spoil_matrix(lambda a: a.exp(), lambda a, y: y.copy_(torch.ones(2, 2)))

# which forward call is named
m = torch.ones(2, 2, requires_grad=True)
class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return g * 2
for make in (
    lambda a: a.pow(a),
    lambda a: a.sum(1),
    lambda a: a.min(),
    lambda a: a * 2,
    lambda a: a.t(),
    lambda a: torch.relu(a),
    lambda a: Doubled.apply(a),
    lambda a: torch.zeros_like(a).copy_(a),
):
    made = make(m.clone())
    y = made * made
    made.detach().mul_(2)
    fails(lambda: y.sum().backward())

# gradients of a dtype that cannot be
x = torch.tensor([1.5, 2.5], requires_grad=True)
fails(lambda: x.mul(2).backward(torch.tensor([1, 2])))
say(x.grad)
y = torch.tensor([1.5, 2.5], requires_grad=True)
fails(lambda: y.mul(2).backward(torch.tensor([1.0, 2.0], dtype=torch.float64)))
say(y.grad)
fails(lambda: torch.autograd.grad(x.sum(), x, torch.tensor(1)))
fails(lambda: x.mul(2).backward(torch.tensor([True, False])))
fails(lambda: x.mul(2).backward(torch.ones(3)))
fails(lambda: x.mul(2).backward(5))
z = torch.tensor([1.5, 2.5], requires_grad=True)
z.register_hook(lambda g: g.to(torch.int64))
fails(lambda: z.mul(2).sum().backward())
class G(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1
    @staticmethod
    def backward(ctx, g):
        return torch.ones(2, dtype=torch.int64)
w = torch.tensor([1.5, 2.5], requires_grad=True)
fails(lambda: G.apply(w).sum().backward())
say(w.grad)
fails(lambda: G.apply(w.mul(2)).sum().backward())

# a saved result that is unpacked has the version of the original
x = torch.tensor([1.5, 2.5], requires_grad=True)
y = x.exp()
y.grad_fn._saved_result.detach().add_(1)
fails(lambda: y.sum().backward())
z = x.sigmoid()
say(z.grad_fn._saved_result._version, z._version)
z.detach().mul_(2)
fails(lambda: z.grad_fn._saved_result)

# a gradient whose bytes somebody else has is not added to in place
kept = []
class Keeps(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3
    @staticmethod
    def backward(ctx, g):
        r = g * 3
        kept.append(r.detach())
        return r
class View(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3
    @staticmethod
    def backward(ctx, g):
        whole = torch.full((4,), 3.0)
        kept.append(whole)
        return whole[:2]
x = torch.tensor([1.5, 2.5], requires_grad=True)
for f in (Keeps, View):
    h = x * 1
    ((h * 2).sum() + f.apply(h).sum()).backward()
    say(kept[-1].tolist(), x.grad.tolist())

# gradcheck in fast mode
class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0]
fast = lambda f, inputs, **kwargs: torch.autograd.gradcheck(f, inputs, fast_mode=True, **kwargs)
a = torch.tensor([[1.5, 2.5, -1.0], [0.5, -0.25, 2.0]], dtype=torch.float64, requires_grad=True)
b = torch.tensor([[1.25], [0.75], [3.0]], dtype=torch.float64, requires_grad=True)
say(fast(lambda x: (x * x).exp(), (a,)), fast(torch.mm, (a, b)), fast(lambda x, y: (x.tanh(), x.mm(y)), (a, b)))
say(torch.autograd.gradgradcheck(lambda x: x * x * x, (a,), torch.ones(2, 3, dtype=torch.float64, requires_grad=True), fast_mode=True))
say(fast(Wrong.apply, (a,), raise_exception=False))
try:
    fast(Wrong.apply, (torch.tensor([2.0], dtype=torch.float64, requires_grad=True),))
except Exception as e:
    say(type(e).__name__, str(e)[:400])

# gradcheck finds a backward that gives different gradients
calls = [0]
class Noisy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        calls[0] += 1
        return g * 2 + 1e-7 * calls[0] * g
x = torch.tensor([1.5, 2.5], dtype=torch.float64, requires_grad=True)
fails(lambda: torch.autograd.gradcheck(Noisy.apply, (x,)))
say(torch.autograd.gradcheck(Noisy.apply, (x,), nondet_tol=1e-5), torch.autograd.gradcheck(Noisy.apply, (x,), raise_exception=False))

# the order in which a backward that is under way will go on
x = torch.tensor([1.5], requires_grad=True)
middle = x.exp()
y = middle * x + middle.reciprocal() + torch.ones(1)
y.register_hook(lambda g: say([n.name() for n in torch._C._current_graph_task_execution_order()]))
with torch.autograd.set_multithreading_enabled(False):
    torch.autograd.grad(y, middle, retain_graph=True)
    torch.autograd.grad(y, x, retain_graph=True)
    y.backward()

# a backward inside a backward goes before what is ready outside, and leaves that where it was
def graph(name, node):
    x = torch.tensor([1.5], requires_grad=True)
    older = x.exp()
    newer = x.reciprocal()
    x.register_hook(lambda g: say(name, "leaf"))
    older.register_hook(lambda g: say(name, "older"))
    newer.register_hook(lambda g: [say(name, "newer"), node(), say(name, "newer done"), None][-1])
    return older + newer
deepest = [graph("deepest", lambda: None) for _ in range(2)]
deeper = [graph("deeper", lambda: deepest.pop().backward()) for _ in range(2)]
def both():
    deeper.pop().backward()
    deeper.pop().backward()
y = graph("outer", both)
z = graph("other", lambda: None)
(y + z).backward()

# gradients for roots that do not suit them
y = torch.tensor([1.5], requires_grad=True).exp()
fails(lambda: y.backward(torch.ones(2)))
fails(lambda: y.backward(torch.ones(1, device="meta")))
fails(lambda: y.backward(torch.ones(1, dtype=torch.int64)))
fails(lambda: torch.autograd.backward([y, y], [torch.ones(1), torch.ones(1, device="meta")]))
half = torch.tensor([1.5], dtype=torch.float16, requires_grad=True)
(half * 2).backward(torch.ones(1, dtype=torch.float64))
say(half.grad.dtype)
