# saved tensors that change
allow = torch.autograd.graph.allow_mutation_on_saved_tensors
def leaf(*values):
    return torch.tensor(values, requires_grad=True)
with allow():
    a = leaf(1.0, 2.0, 3.0)
    b = a.clone()
    out = (b**2).sum()
    b.sin_()
    out.backward()
    say(a.grad, b)
with allow():
    a = leaf(0.5, 1.5)
    b = a.exp()
    c = b.sin()
    b.mul_(2)
    d = b * c
    b.add_(1)
    c.zero_()
    d.sum().backward()
    say(a.grad)
with allow():
    a = leaf(0.5, 1.5, 2.5)
    b = a.clone()
    view = b.view(3)
    out = b * view * b
    view.zero_()
    out.sum().backward()
    say(a.grad, b)
with allow():
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    out = a.clone() * b
    with torch.no_grad():
        a.mul_(5)
        torch._foreach_add_([a, b], 1.0)
        torch.add(a, 7.0, out=b)
    out.sum().backward()
    say(a.grad, b.grad, a, b)
with allow():
    a = leaf(1.0, 2.0)
    out = a.sin()
    with torch.no_grad():
        torch.sort(torch.tensor([3.0, 1.0]))
        a.fill_(0)
    out.sum().backward(retain_graph=True)
    out.sum().backward()
    say(a.grad)
m = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
with torch.no_grad():
    for i, p in enumerate(m.parameters()):
        p.copy_(torch.arange(p.numel()).view(p.shape) * 0.5 - 0.25 * i)
with allow():
    loss = m(torch.tensor([[1.0, 2.0]])).sum()
    with torch.no_grad():
        for p in m.parameters():
            p.mul_(0)
    loss.backward()
say([p.grad for p in m.parameters()])

# outside of where they may change
allow = torch.autograd.graph.allow_mutation_on_saved_tensors
def leaf(*values):
    return torch.tensor(values, requires_grad=True)
a = leaf(1.0, 2.0)
out = (a.clone() ** 2).sum()
def change():
    b = a.clone()
    out = (b**2).sum()
    b.sin_()
    out.backward()
fails(change)
with allow():
    out = (a.clone() ** 2).sum()
fails(lambda: out.backward())
with allow():
    fails(lambda: out.backward())
def nested():
    with allow():
        pass
with allow():
    fails(nested)
    out = (a.clone() ** 2).sum()
    fails(lambda: out.backward())
def raises():
    with allow():
        raise ValueError("inside")
fails(raises)
with allow():
    change()
say(a.grad)
fails(lambda: allow(1))
