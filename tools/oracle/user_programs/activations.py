# how they print
say(nn.ELU(), nn.ELU(0.5, True), nn.CELU(inplace=True), nn.SELU(), nn.SELU(True))
say(nn.Softplus(), nn.Softplus(0.5, 3.5), nn.Hardtanh(), nn.Hardtanh(-0.5, 2.5, inplace=True), nn.ReLU6(), nn.ReLU6(True))
say(nn.Hardsigmoid(True), nn.Hardswish(), nn.Softshrink(), nn.Hardshrink(1.5), nn.Mish(), nn.Mish(True), nn.LogSigmoid())
say(nn.Softsign(), nn.Tanhshrink(), nn.GLU(), nn.GLU(1), nn.RReLU(), nn.RReLU(0.25, 0.5, True), nn.Softmin(), nn.Softmin(1), nn.Softmax2d())

# what they refuse
x = torch.ones(3)
fails(lambda: nn.Hardtanh(1.5, 1.5))
fails(lambda: nn.Hardtanh(min_value=0.5, max_value=0.25))
fails(lambda: nn.functional.hardtanh(x, 2.0, 1.0))
fails(lambda: nn.functional.hardtanh(x > 0))
fails(lambda: nn.functional.hardtanh(torch.ones(3, dtype=torch.uint8), -1.0, 1.0))
fails(lambda: nn.functional.celu(x, 0.0))
fails(lambda: nn.functional.softshrink(x, -0.5))
fails(lambda: nn.functional.softshrink(x.half(), 1e6))
fails(lambda: nn.functional.softshrink(x.long()))
fails(lambda: nn.functional.glu(x))
fails(lambda: nn.functional.glu(x[0]))
fails(lambda: nn.functional.glu(x, 3))
fails(lambda: nn.functional.rrelu(x, 0.5, 0.25))
fails(lambda: nn.functional.rrelu(x, float("nan")))
fails(lambda: nn.functional.rrelu(x.half(), training=True))
fails(lambda: nn.functional.rrelu(x.neg(), 0.5, 0.25, True, True))
fails(lambda: nn.Softmax2d()(x))
fails(lambda: nn.functional.elu(x.long()))

# rrelu draws
x = torch.tensor([-1.5, 0.5, -0.25, 0.0, -3.0])
torch.manual_seed(3)
say(nn.functional.rrelu(x, training=True))
say(nn.functional.rrelu(x.double(), 0.25, 0.75, training=True))
say(nn.functional.rrelu(x.bfloat16(), training=True))
say(nn.functional.rrelu(x))
m = nn.RReLU(0.5, 1.0)
say(m(x.reshape(5, 1).expand(5, 2).t()))
say(m.eval()(x))
y = x.clone().requires_grad_()
noise = torch.ones(5)
torch.ops.aten.rrelu_with_noise(y, noise, 0.125, 0.5, True).sum().backward()
say(noise, y.grad)
say(torch.rand(1))

# in place, then backward
for f in (nn.functional.elu_, nn.functional.celu_, nn.functional.selu_, nn.functional.hardtanh_, nn.functional.relu_):
    x = torch.tensor([-1.5, 0.5, 2.5], requires_grad=True)
    y = x * 1
    z = f(y)
    say(z is y, type(z.grad_fn).__name__)
    z.backward(torch.tensor([1.0, 2.0, 3.0]))
    say(z.detach(), x.grad)
x = torch.ones(2, requires_grad=True) * 1
y = nn.functional.elu(x, -0.5, inplace=True)
fails(lambda: y.sum().backward())

# the second gradient
f = nn.functional
for name in ("elu", "celu", "selu", "softplus", "mish", "logsigmoid", "hardswish", "hardtanh", "softshrink", "hardshrink", "softsign", "tanhshrink"):
    x = torch.tensor([-2.5, -0.25, 0.75, 3.5], dtype=torch.float64, requires_grad=True)
    (g,) = torch.autograd.grad(getattr(f, name)(x).sum(), x, create_graph=True)
    say(name, g.detach())
    if g.requires_grad:
        say(torch.autograd.grad(g.square().sum(), x, allow_unused=True)[0])
x = torch.tensor([-2.5, -0.25, 0.75, 3.5], dtype=torch.float64, requires_grad=True)
(g,) = torch.autograd.grad(f.glu(x), x, torch.tensor([1.0, 2.0], dtype=torch.float64), create_graph=True)
say(g.detach(), torch.autograd.grad(g.square().sum(), x)[0])
(g,) = torch.autograd.grad(f.hardsigmoid(x).sum(), x, create_graph=True)
fails(lambda: torch.autograd.grad(g.sum(), x))
