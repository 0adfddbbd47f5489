# distributions of numbers that are none, infinite or at a pole
nan, inf = float("nan"), float("inf")
for rate in (nan, inf, 1e19):
    fails(lambda: say(torch.poisson(torch.tensor([rate]))))
for concentration in ([nan, nan], [nan, 1.0], [inf, 1.0], [inf, inf], [0.0, 0.0], [-1.0, 1.0], [1.0, nan, 2.0]):
    for dtype in (torch.float32, torch.float64):
        torch.manual_seed(0)
        say(torch._sample_dirichlet(torch.tensor(concentration, dtype=dtype)))
alpha = torch.tensor([nan, nan, 0.0, -1.0, -1.5, 0.001, 1.0, 50.0, 5.0, inf, 3.0, 0.0])
x = torch.tensor([nan, 2.0, 2.0, 2.0, 0.001, -2.0, -2.0, 60.0, nan, 3.0, inf, 0.5])
say(torch._standard_gamma_grad(alpha, x))
say(torch._standard_gamma_grad(alpha.double(), x.double()))
x = torch.tensor([nan, 0.25, 0.5, 0.75, inf, -inf, 2.0, 0.5, 0.25])
alpha = torch.tensor([1.5, nan, 0.0, 1.5, 0.5, 0.5, -1.0, -1.0, 0.0])
total = torch.tensor([2.5, 2.5, 101.0, nan, 0.0, 0.0, 2.5, 2.5, 2.0])
say(torch._dirichlet_grad(x, alpha, total))
say(torch._dirichlet_grad(x.double(), alpha.double(), total.double()))
x = torch.tensor([[nan, 3.0, -0.25]], requires_grad=True)
torch.manual_seed(0)
torch._standard_gamma(x).sum().backward()
say(x.grad)

