# one input, one output
F = torch.autograd.functional
x = torch.tensor([[0.5, -1.25], [2.0, 0.75]], dtype=torch.float64)
f = lambda x: x.exp().sum(1)
say(F.jacobian(f, x))
say(F.vjp(f, x, torch.tensor([1.5, -0.5], dtype=torch.float64)))
say(F.jvp(f, x, torch.ones_like(x)))
g = lambda x: (x.pow(3) * x.flip(0)).sum()
say(F.hessian(g, x))
say(F.vhp(g, x, x))
say(F.hvp(g, x, x))
say(F.vjp(lambda x: x.sum(), x), F.jvp(lambda x: x * x.new_ones(3), torch.tensor([2.5])))
say(F.hvp(lambda x: x.pow(4).sum(), torch.tensor([2.5])), F.vhp(lambda x: x.pow(4).sum(), torch.tensor(1.5)))
say(F.jacobian(lambda x: x.sin(), torch.tensor(0.5)), F.hessian(lambda x: x.sin(), torch.tensor(0.5)))
say(x.requires_grad, x.grad)

# tuples in, tuples out
F = torch.autograd.functional
x, y = torch.tensor([0.5, -1.5]), torch.tensor([[2.5], [1.25]])
f = lambda x, y: (x * y, y.sum(), x.exp())
say(F.jacobian(f, (x, y)))
say(tuple(F.jacobian(f, (x, y))[2][1].shape))
say(F.jacobian(lambda x, y: x.sum() * y, (x, y)))
say(F.jacobian(lambda x: (x, x.sum()), x))
say(F.jacobian(lambda x: (x * 2,), x), F.jacobian(lambda x: x * 2, (x,)))
v = (torch.ones(2, 2), torch.tensor(0.5), torch.tensor([1.5, -1.0]))
say(F.vjp(f, (x, y), v))
say(F.jvp(f, (x, y), (x, y)))
g = lambda x, y: (x.pow(3) * y.square()).sum()
say(F.hessian(g, (x, y)))
say(F.vhp(g, (x, y), (y.reshape(2), y)))
say(F.hvp(g, (x, y), (y.reshape(2), y)))
say(F.hessian(lambda x: x.pow(3).sum(), (x,)), F.hvp(lambda x: x.prod(), (x,), (x,)), F.vhp(lambda x: x.prod(), x, (x,)))

# what the results do not depend on
F = torch.autograd.functional
x, y = torch.tensor([0.5, -1.5]), torch.tensor([2.5])
say(F.jacobian(lambda x, y: (x * 2, torch.ones(2)), (x, y)))
say(F.vjp(lambda x, y: x.sum(), (x, y)))
say(F.jvp(lambda x, y: (x * 2, torch.ones(2)), (x, y), (x, y)))
say(F.hessian(lambda x, y: x.square().sum(), (x, y)))
say(F.hessian(lambda x: x.sum(), x), F.vhp(lambda x: x.sum(), x, x), F.hvp(lambda x: x.sum(), x, x))
say(F.vjp(lambda x: torch.tensor(1.5), x), F.vhp(lambda x: torch.tensor(1.5), x, x))
say(F.vjp(lambda x: x.detach().sum(), x), F.hvp(lambda x: x.detach().sum(), x, x))

# strict
F = torch.autograd.functional
x, y = torch.tensor([0.5, -1.5]), torch.tensor([2.5, 0.5])
both = lambda f, *args, **kwargs: [fails(lambda: f(*args, strict=True, create_graph=c, **kwargs)) for c in (False, True)]
zero = lambda x: torch.zeros(())
linear = lambda x: x.sum()
square = lambda x: x.square().sum()
for f in (F.jacobian, F.hessian):
    both(f, zero, x)
    both(f, linear, x)
    both(f, square, x)
    both(f, lambda x, y: x.pow(3).sum(), (x, y))
    both(f, lambda x, y: (x.pow(3) * y.square()).sum(), (x, y))
for f in (F.vjp, F.jvp, F.vhp, F.hvp):
    v = torch.ones(()) if f is F.vjp else x
    both(f, zero, x, v)
    both(f, linear, x, v)
    both(f, square, x, v)
    both(f, lambda x: x.pow(3).sum(), x.clone().requires_grad_(), v)
    w = v if f is F.vjp else (x, y)
    both(f, lambda x, y: x.pow(3).sum(), (x, y), w)
    both(f, lambda x, y: (x.sum() * y.pow(3)).sum(), (x.clone().requires_grad_(), y.clone().requires_grad_()), w)
both(F.jacobian, lambda x: (x * 2, torch.ones(2)), x)
both(F.jacobian, lambda x, y: (x * 2, y * x.exp()), (x, y))
both(F.jacobian, lambda x, y: (y * x.exp(), x * 2), (x.clone().requires_grad_(), y.clone().requires_grad_()))
both(F.jvp, lambda x: (x * 2, torch.ones(2)), x, x)

# create_graph
F = torch.autograd.functional
x = torch.tensor([0.5, -1.5, 2.0], requires_grad=True)
v = torch.tensor([1.5, 0.5, -0.25], requires_grad=True)
w = torch.tensor(2.5, requires_grad=True)
f = lambda x: (x.pow(3) * x.flip(0)).sum()
for h in (F.jacobian, F.hessian):
    r = h(f, x, create_graph=True)
    say(r, torch.autograd.grad(r.square().sum(), x)[0])
for h, u in ((F.vjp, w), (F.jvp, v), (F.vhp, v), (F.hvp, v)):
    out, r = h(f, x, u, create_graph=True)
    say(out, r, torch.autograd.grad(r.square().sum() + out, (x, u)))
    out, r = h(f, x, u)
    say(out, r, out.requires_grad, r.requires_grad)
r = F.jacobian(lambda x: x * 2, torch.ones(2), create_graph=True)
say(r, r.requires_grad)
r = F.hessian(lambda x: x.square().sum(), x, create_graph=True)
say(r, r.requires_grad)
say(F.jacobian(lambda x: F.jacobian(torch.exp, x, create_graph=True), torch.tensor([0.5, 1.5])))
say(x.grad, v.grad, w.grad)

# the user's grad mode
F = torch.autograd.functional
x = torch.tensor([0.5, -1.5], requires_grad=True)
f = lambda x: x.pow(3).sum()
seen = []
def g(x):
    seen.append((torch.is_grad_enabled(), x.requires_grad, x.is_leaf))
    return f(x)
with torch.no_grad():
    for h in (F.jacobian, F.hessian):
        r = h(g, x)
        q = h(g, x, create_graph=True)
        say(r, r.requires_grad, q, q.requires_grad, torch.is_grad_enabled())
    for h, u in ((F.vjp, torch.tensor(1.5)), (F.jvp, x), (F.vhp, x), (F.hvp, x)):
        out, r = h(g, x, u)
        say(r, out.requires_grad, r.requires_grad, torch.is_grad_enabled())
        out, r = h(g, x, u, create_graph=True)
        say(r, out.requires_grad, r.requires_grad, torch.is_grad_enabled())
        fails(lambda: h(lambda x: x.reshape(5), x, u))
        say(torch.is_grad_enabled())
say(*seen)
say(torch.is_grad_enabled())

# what is refused
F = torch.autograd.functional
x, y = torch.tensor([0.5, -1.5]), torch.tensor([2.5])
f = lambda *x: sum(t.exp().sum() for t in x)
for h in (F.jacobian, F.hessian, F.vjp, F.jvp, F.vhp, F.hvp):
    v = () if h in (F.jacobian, F.hessian) else (x,)
    fails(lambda: h(f, 5, *v))
    fails(lambda: h(f, (x, None), *v))
    fails(lambda: h(f, "x", *v))
    fails(lambda: h(lambda x: 5, x, *v))
    fails(lambda: h(lambda x: (x.sum(), 1.5), x, *v))
    fails(lambda: h(lambda x: None, x, *v))
    fails(lambda: h(5, x, *v))
    fails(lambda: h(f, torch.ones(2, dtype=torch.int64), *v))
for h in (F.hessian, F.vhp, F.hvp):
    v = () if h is F.hessian else (x,)
    fails(lambda: h(lambda x: x, x, *v))
    fails(lambda: h(lambda x: (x.sum(),), x, *v))
    fails(lambda: h(lambda x: (x.sum(), x.sum()), x, *v))
    say(h(lambda x: x.exp().sum().reshape(1, 1), x, *v))
for h in (F.jvp, F.vhp, F.hvp):
    fails(lambda: h(f, x))
    fails(lambda: h(f, (y, y)))
    fails(lambda: h(f, x, (x, x)))
    fails(lambda: h(f, (x, y), x))
    fails(lambda: h(f, (x, y), (x, x)))
    fails(lambda: h(f, x, y))
    fails(lambda: h(f, x, 5))
    fails(lambda: h(f, (x, y), (x, None)))
fails(lambda: F.vjp(lambda x: x * 2, x))
fails(lambda: F.vjp(lambda x: (x.sum(), x.sum()), x))
fails(lambda: F.vjp(lambda x: x * 2, x, y))
fails(lambda: F.vjp(lambda x: (x, x), x, (x, y)))
fails(lambda: F.vjp(lambda x: (x, x), x, x))
fails(lambda: F.vjp(lambda x: x, x, (x, x)))
fails(lambda: F.vjp(lambda x: x, x, 5))
fails(lambda: F.jacobian(lambda x: (), x))
fails(lambda: F.jacobian(lambda x: x, torch.ones(0)))

# strategies
F = torch.autograd.functional
x = torch.tensor([0.5, -1.5])
f = lambda x: x.exp().sum()
fails(lambda: F.jacobian(f, x, strategy="sideways"))
fails(lambda: F.hessian(f, x, outer_jacobian_strategy="sideways"))
fails(lambda: F.jacobian(f, x, strategy="forward-mode"))
fails(lambda: F.jacobian(f, 5, strategy="forward-mode"))
fails(lambda: F.jacobian(f, x, strategy="forward-mode", strict=True))
fails(lambda: F.jacobian(f, x, strategy="forward-mode", create_graph=True))
fails(lambda: F.hessian(f, x, outer_jacobian_strategy="forward-mode"))
fails(lambda: F.hessian(f, x, outer_jacobian_strategy="forward-mode", strict=True))
fails(lambda: F.hessian(f, x, outer_jacobian_strategy="forward-mode", create_graph=True))
fails(lambda: F.hessian(f, x, outer_jacobian_strategy="forward-mode", strict=True, vectorize=True))
fails(lambda: F.jacobian(f, x, strict=True, vectorize=True))
fails(lambda: F.hessian(f, x, strict=True, vectorize=True))
fails(lambda: F.jacobian(lambda x: torch.ones(1), x, strict=True, vectorize=True))
