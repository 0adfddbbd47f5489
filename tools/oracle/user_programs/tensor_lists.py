# an operator that takes a list of tensors
cat = torch.library.custom_op("lists::cat", lambda xs, d: torch.cat(xs, d), mutates_args=(), schema="(Tensor[] xs, int d) -> Tensor")
def setup(ctx, inputs, output):
    ctx.n = [x.shape[0] for x in inputs[0]]
def backward(ctx, g):
    say(list(ctx.needs_input_grad))
    return list(g.split(ctx.n, 0)), None
cat.register_autograd(backward, setup_context=setup)
a, b = torch.ones(2, requires_grad=True), torch.ones(3)
y = cat([a, b], 0)
say(y.grad_fn.name(), len(y.grad_fn.next_functions))
(y * torch.arange(5)).sum().backward()
say(a.grad.tolist(), b.grad)
y = cat([a, b, a * 2], 0)
(y * torch.arange(7)).sum().backward()
say(a.grad.tolist())
say(cat([b], 0).requires_grad)
with torch.no_grad():
    say(cat([a, b], 0).requires_grad)
fails(lambda: say(cat([], 0).tolist()))
leaf = torch.ones(2, requires_grad=True)
say(torch.autograd.grad(cat([leaf, leaf], 0).sum(), leaf)[0].tolist())

# an operator that returns a list of tensors
split = torch.library.custom_op("lists::split", lambda x, n: [t.clone() for t in x.split(n)], mutates_args=(), schema="(Tensor x, int n) -> Tensor[]")
def backward(ctx, g):
    say(type(g).__name__, [None if t is None else t.tolist() for t in g])
    return torch.cat(g), None
split.register_autograd(backward, setup_context=lambda ctx, inputs, output: say("outputs", len(output)))
x = torch.ones(5, requires_grad=True)
outs = split(x, 2)
say(len(outs), [t.requires_grad for t in outs], outs[1].grad_fn.name(), outs[2].output_nr)
(outs[0].sum() + 3 * outs[2].sum()).backward()
say(x.grad.tolist())
def as_it_is(ctx, g):
    ctx.set_materialize_grads(False)
    return torch.ones(5), None
split.register_autograd(as_it_is, setup_context=lambda ctx, inputs, output: None)
x = torch.ones(5, requires_grad=True)
split(x, 2)[1].sum().backward()
say(x.grad.tolist())

# lists on both sides, and tensors beside them
both = torch.library.custom_op("lists::both", lambda xs, y, zs: ([x * y for x in xs], y * 2, [z * 3 for z in zs]), mutates_args=(),
                               schema="(Tensor[] xs, Tensor y, Tensor[] zs) -> (Tensor[], Tensor, Tensor[])")
def setup(ctx, inputs, output):
    xs, y, zs = inputs
    ctx.save_for_backward(y, *xs)
    ctx.n = len(xs)
def backward(ctx, gxs, gy, gzs):
    say(list(ctx.needs_input_grad), [t.tolist() for t in gxs], gy.tolist(), [t.tolist() for t in gzs])
    y, *xs = ctx.saved_tensors
    return [g * y for g in gxs], sum((g * x for g, x in zip(gxs, xs)), gy * 2), [g * 3 for g in gzs]
both.register_autograd(backward, setup_context=setup)
def leaf(v):
    return torch.tensor([float(v)], requires_grad=True)
x1, x2, y, z = leaf(1), leaf(2), leaf(3), torch.tensor([4.0])
xs, yy, zs = both([x1, x2], y, [z])
say([t.tolist() for t in xs], yy.tolist(), [t.tolist() for t in zs])
say([t.requires_grad for t in (*xs, yy, *zs)])
(xs[0] + xs[1] * 2 + yy).sum().backward()
say(x1.grad.tolist(), x2.grad.tolist(), y.grad.tolist(), z.grad)
xs, yy, zs = both([], y, [leaf(5), leaf(6)])
say(xs, len(zs))
(zs[1] + yy).sum().backward()
say(y.grad.tolist())

# a list that holds None
opt = torch.library.custom_op("lists::opt", lambda xs: sum(x for x in xs if x is not None) * 2, mutates_args=(), schema="(Tensor?[] xs) -> Tensor")
def backward(ctx, g):
    say(list(ctx.needs_input_grad))
    return [g * 2 for _ in range(2)]
opt.register_autograd(backward, setup_context=lambda ctx, inputs, output: None)
a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
y = opt([a, None])
say(y.requires_grad)
y = opt([a, b])
y.sum().backward()
say(a.grad.tolist(), b.grad.tolist())
maybe = torch.library.custom_op("lists::maybe", lambda x, xs=None: x * 2 if xs is None else x * 0 if not xs else x * sum(xs), mutates_args=(), schema="(Tensor x, Tensor[]? xs=None) -> Tensor")
def backward(ctx, g):
    say(list(ctx.needs_input_grad), ctx.n)
    return g * 5, None if ctx.n is None else [g] * ctx.n
def setup(ctx, inputs, output):
    ctx.n = None if inputs[1] is None else len(inputs[1])
maybe.register_autograd(backward, setup_context=setup)
for xs in (None, [], [torch.ones(2)], [torch.ones(2, requires_grad=True), torch.ones(2)]):
    a = torch.ones(2, requires_grad=True)
    def attempt():
        maybe(a, xs).sum().backward()
        say(a.grad.tolist())
    fails(attempt)
fails(lambda: maybe(torch.ones(2, requires_grad=True)).sum().backward())
fails(lambda: maybe(torch.ones(2), [torch.ones(2, requires_grad=True)]).sum().backward())

# gradients of another structure
def first_lines(f):
    try:
        f()
    except Exception as e:
        say(type(e).__name__, " ".join(str(e).split()))
    else:
        say("no error")
op = torch.library.custom_op("lists::op", lambda xs, n, y: sum(xs) * y, mutates_args=(), schema="(Tensor[] xs, int[] n, Tensor y) -> Tensor")
returned = [
    lambda g: ([g, g], None, g), lambda g: ([g], None, g), lambda g: ([g, g, g], None, g), lambda g: ([None, g], None, None), lambda g: ([None, None], None, None),
    lambda g: (None, None, g), lambda g: (g, None, g), lambda g: ([g, g], None), lambda g: ([g, g], None, g, None), lambda g: ([g, g], [None, None], g),
    lambda g: ([g, 5], None, g), lambda g: ([g, g], None, [g]), lambda g: ([g, g], g, g), lambda g: None, lambda g: g, lambda g: ([g, torch.ones(3)], None, g), lambda g: ([[g, g]], None, g),
]
for back in returned:
    op.register_autograd(lambda ctx, g: back(g))
    a, b, y = (torch.ones(2, requires_grad=True) for _ in range(3))
    def attempt():
        op([a, b], [1, 2], y).sum().backward()
        say([None if t.grad is None else t.grad.tolist() for t in (a, b, y)])
    first_lines(attempt)
one = torch.library.custom_op("lists::one", lambda xs: sum(xs), mutates_args=(), schema="(Tensor[] xs) -> Tensor")
for back in (lambda g: [g, g], lambda g: ([g, g],), lambda g: [None, g], lambda g: ([g],), lambda g: [g, g, g], lambda g: None):
    one.register_autograd(lambda ctx, g: back(g))
    a, b = (torch.ones(2, requires_grad=True) for _ in range(2))
    def attempt():
        one([a, b]).sum().backward()
        say([None if t.grad is None else t.grad.tolist() for t in (a, b)])
    first_lines(attempt)

# contexts, and what is not registered
op = torch.library.custom_op("lists::named", lambda xs: sum(xs), mutates_args=(), schema="(Tensor[] xs) -> Tensor")
a = torch.ones(2, requires_grad=True)
fails(lambda: op([a]).sum().backward())
def taken(ctx, inputs, output):
    ctx._pt_metadata = 5
op.register_autograd(lambda ctx, g: [g], setup_context=taken)
fails(lambda: op([a]))
def broken(ctx, inputs, output):
    raise ValueError("no")
op.register_autograd(lambda ctx, g: [g], setup_context=broken)
fails(lambda: op([a]))
kw = torch.library.custom_op("lists::kw", lambda xs, *, s: [x * s for x in xs], mutates_args=(), schema="(Tensor[] xs, *, float s) -> Tensor[]")
def setup(ctx, inputs, keyword_only_inputs, output):
    ctx.s = keyword_only_inputs["s"]
def backward(ctx, g):
    say(list(ctx.needs_input_grad))
    return [t * ctx.s for t in g]
kw.register_autograd(backward, setup_context=setup)
b = torch.ones(2, requires_grad=True)
p, q = kw([a, b], s=2.5)
(p + q * 2).sum().backward()
say(a.grad.tolist(), b.grad.tolist())
twice = torch.library.custom_op("lists::twice", lambda xs: [x * x for x in xs], mutates_args=(), schema="(Tensor[] xs) -> Tensor[]")
def backward(ctx, g):
    return [2 * x * t for x, t in zip(ctx.saved_tensors, g)]
twice.register_autograd(backward, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs[0]))
x, y = torch.tensor([2.0], requires_grad=True), torch.tensor([3.0], requires_grad=True)
p, q = twice([x, y])
g = torch.autograd.grad((p * q).sum(), [x, y], create_graph=True)
say([t.tolist() for t in g])
h = torch.autograd.grad(g[0].sum(), [x, y])
say([t.tolist() for t in h])
