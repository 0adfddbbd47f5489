# a view that a Function changes
def maker(change, back=lambda ctx, g: g * 2):
    class Change(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *args):
            return change(ctx, *args)
        @staticmethod
        def backward(ctx, *g):
            return back(ctx, *g)
    return Change
def twice(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    return x
Twice = maker(twice)
def leaf():
    return torch.ones(2, 3, requires_grad=True)
views = {
    "row": lambda t: t[0], "t": lambda t: t.t(), "view": lambda t: t.view(6), "narrow": lambda t: t.narrow(1, 0, 2), "diagonal": lambda t: t.diagonal(),
    "view of a view": lambda t: t.t()[0], "chunk": lambda t: t.chunk(2)[0], "split": lambda t: t.split(1)[1], "unbind": lambda t: t.unbind(0)[0],
    "detach": lambda t: t.detach(), "expand": lambda t: t[0:1].expand(1, 3), "view_as": lambda t: t.view_as(t), "itself": lambda t: t,
}
bases = {"leaf": leaf, "not a leaf": lambda: leaf() * 1, "plain": lambda: torch.ones(2, 3)}
for base_name, make in bases.items():
    for name, view in views.items():
        base = make()
        x = view(base)
        said = []
        def attempt():
            y = Twice.apply(x)
            said.extend([y is x, y.requires_grad, None if y.grad_fn is None else y.grad_fn.name(), None if base.grad_fn is None else base.grad_fn.name()])
            if y.requires_grad:
                y.sum().backward()
        fails(attempt)
        say(base_name, "|", name, "|", *said, x._version, base.detach().reshape(-1).tolist()[0:4])

# views made without recording
def twice(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    return x
class Twice(torch.autograd.Function):
    forward = staticmethod(twice)
    @staticmethod
    def backward(ctx, g):
        return g * 2
class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return twice(ctx, x), x * 2
    @staticmethod
    def backward(ctx, g, h):
        return g
class Row(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x[0]
    @staticmethod
    def backward(ctx, g):
        return torch.stack([g, g * 0])
class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x
    @staticmethod
    def backward(ctx, g):
        return g
def no_grad_view(t):
    with torch.no_grad():
        return t[0]
def no_grad_unbind(t):
    with torch.no_grad():
        return t.unbind(0)[0]
def inference_view(t):
    with torch.inference_mode():
        return t[0]
makers = {"unbind": lambda t: t.unbind(0)[0], "no_grad": no_grad_view, "no_grad, unbind": no_grad_unbind, "inference": inference_view, "Function": Row.apply, "Function, as it is": Same.apply}
for base_name, make in {"leaf": lambda: torch.ones(2, 2, requires_grad=True), "not a leaf": lambda: torch.ones(2, 2, requires_grad=True) * 1, "plain": lambda: torch.ones(2, 2)}.items():
    for name, view in makers.items():
        x = view(make())
        say(base_name, "|", name)
        fails(lambda: say(Twice.apply(x).requires_grad))
        fails(lambda: Two.apply(view(make())))
        with torch.no_grad():
            fails(lambda: say(Twice.apply(x).requires_grad))
with torch.inference_mode():
    made = torch.ones(2, 2)
fails(lambda: Twice.apply(made))
fails(lambda: Twice.apply(made[0]))
with torch.inference_mode():
    fails(lambda: say(Twice.apply(made)._is_view()))
    fails(lambda: say(Twice.apply(made[0]).is_inference()))

# a plain view and another input that requires grad
class AddTo(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        x.add_(y)
        ctx.mark_dirty(x)
        return x
    @staticmethod
    def backward(ctx, g):
        return g, g.clone()
def no_grad_view(t):
    with torch.no_grad():
        return t[0]
for name, base in {"plain": torch.ones(2, 2), "leaf": torch.ones(2, 2, requires_grad=True), "not a leaf": torch.ones(2, 2, requires_grad=True) * 1}.items():
    for how, view in {"row": lambda t: t[0], "unbind": lambda t: t.unbind(0)[0], "no_grad": no_grad_view, "detach": lambda t: t.detach()[1], "itself": lambda t: t}.items():
        y = torch.ones(2, requires_grad=True)
        x = view(base)
        say(name, "|", how)
        def attempt():
            out = AddTo.apply(x, y)
            say(out is x, out.grad_fn.name(), None if base.grad_fn is None else base.grad_fn.name())
            base.sum().backward()
            say(None if y.grad is None else y.grad.tolist())
        fails(attempt)

# several outputs, and inputs that do not come back
def maker(change):
    class Change(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *args):
            return change(ctx, *args)
        @staticmethod
        def backward(ctx, *g):
            return g[0]
    return Change
def two(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    return x, x * 2
def other_first(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    return x * 2, x
def and_number(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    return x, 5
def twice_the_same(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    return x, x
def not_returned(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    return x * 1
def a_view(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    return x.view_as(x)
def not_marked(ctx, x):
    x.mul_(2)
    return x
def none_differentiable(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    ctx.mark_non_differentiable(x)
    return x
def two_one_not(ctx, x):
    x.mul_(2)
    y = x * 2
    ctx.mark_dirty(x)
    ctx.mark_non_differentiable(y)
    return x, y
def fresh(ctx, x):
    y = x * 2
    ctx.mark_dirty(y)
    return y
def view_of_fresh(ctx, x):
    y = (x * 2).view(-1)
    ctx.mark_dirty(y)
    return y
def view_of_input(ctx, x):
    y = x.view(-1)
    y.mul_(2)
    ctx.mark_dirty(y)
    return y
def number(ctx, x):
    ctx.mark_dirty(5)
    return x
def nothing(ctx, x):
    ctx.mark_dirty(None)
    return x
def no_arguments(ctx, x):
    ctx.mark_dirty()
    return x
def marked_twice(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x, x)
    return x
def not_changed(ctx, x):
    ctx.mark_dirty(x)
    return x
def data_changed(ctx, x):
    x.data.mul_(2)
    ctx.mark_dirty(x)
    return x
changes = [two, other_first, and_number, twice_the_same, not_returned, a_view, not_marked, none_differentiable, two_one_not, fresh, view_of_fresh, view_of_input,
           number, nothing, no_arguments, marked_twice, not_changed, data_changed]
inputs = {
    "leaf": lambda: torch.ones(2, 2, requires_grad=True), "not a leaf": lambda: torch.ones(2, 2, requires_grad=True) * 1, "plain": lambda: torch.ones(2, 2),
    "view of leaf": lambda: torch.ones(2, 2, requires_grad=True)[0], "view": lambda: (torch.ones(2, 2, requires_grad=True) * 1)[0], "plain view": lambda: torch.ones(2, 2)[0],
    "integers": lambda: torch.ones(2, 2, dtype=torch.int64),
}
for change in changes:
    for name, make in inputs.items():
        x = make()
        say(change.__name__, "|", name)
        def attempt():
            out = maker(change).apply(x)
            outs = out if isinstance(out, (tuple, list)) else [out]
            for o in outs:
                if isinstance(o, torch.Tensor):
                    say(o is x, o.requires_grad, o.is_leaf, o._is_view(), None if o.grad_fn is None else o.grad_fn.name(), o._version)
            outs[0].mul_(3)
            if outs[0].requires_grad:
                outs[0].sum().backward()
        fails(attempt)

# the change without a graph
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x
    @staticmethod
    def backward(ctx, g):
        return g * 2
with torch.no_grad():
    for make in (lambda: torch.ones(2, requires_grad=True), lambda: torch.ones(2, requires_grad=True)[0:1], lambda: (torch.ones(2, requires_grad=True) * 1)[0:1], lambda: torch.ones(2)):
        x = make()
        def attempt():
            out = Twice.apply(x)
            say(out is x, out.requires_grad, out.is_leaf, out._version)
        fails(attempt)
base = torch.ones(2, requires_grad=True)
with torch.no_grad():
    x = base[0:1]
    Twice.apply(x)
say(base.tolist(), x.requires_grad)
fails(lambda: say(x.grad_fn is None))
fails(lambda: Twice.apply(x))

# hooks and gradients of what is changed
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x
    @staticmethod
    def backward(ctx, g):
        return g * 2
leaf = torch.ones(2, requires_grad=True)
x = leaf * 1
x.register_hook(lambda g: say("before", g.tolist()))
x.retain_grad()
y = Twice.apply(x)
y.register_hook(lambda g: say("after", g.tolist()))
y.sum().backward()
say(x.grad.tolist() if x.grad is not None else None, leaf.grad.tolist())
leaf = torch.ones(2, 2, requires_grad=True)
base = leaf * 1
base.register_hook(lambda g: say("base", g.tolist()))
row = base[0]
row.register_hook(lambda g: say("row", g.tolist()))
Twice.apply(row)
base.sum().backward()
say(leaf.grad.tolist())
leaf = torch.ones(2, 2, requires_grad=True)
base = leaf * 1
first, second = base[0], base[1]
Twice.apply(first)
Twice.apply(second)
base[0].mul_(3)
(base * first).sum().backward()
say(leaf.grad.tolist(), base.grad_fn.name(), first.grad_fn.name(), second.grad_fn.name())
x = torch.ones(2)
x.grad = torch.ones(2)
Twice.apply(x)
say(x.grad)

# what is no tensor
def tell(marks):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            marks(ctx, x)
            return x * 2
        @staticmethod
        def backward(ctx, g):
            return g
    fails(lambda: F.apply(torch.ones(1, requires_grad=True)))
tell(lambda ctx, x: ctx.mark_dirty(5))
tell(lambda ctx, x: ctx.mark_non_differentiable(5))
tell(lambda ctx, x: ctx.mark_non_differentiable(x, None))
tell(lambda ctx, x: ctx.save_for_backward(5))
tell(lambda ctx, x: ctx.save_for_backward(x, "a"))
for name in ("dirty_tensors", "non_differentiable", "to_save"):
    for value in (5, None, ()):
        tell(lambda ctx, x: setattr(ctx, name, value))
