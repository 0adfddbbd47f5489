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

# a single weighted observation becomes 0 in the caller's memory
one = lambda: torch.ones(1, dtype=torch.long)
for x in (torch.tensor(4), torch.tensor(4.0), torch.tensor([4.0]), torch.tensor([[4.0], [5.0]])):
    for weights in ({}, {"fweights": one()}, {"aweights": torch.ones(1)}, {"fweights": one(), "aweights": torch.ones(1)}):
        say(torch.cov(x, **weights), x, x._version)
fails(lambda: torch.cov(torch.tensor(4), aweights=torch.ones(1, dtype=torch.float64)))
v = torch.tensor(4)
say(torch.cov(v, fweights=v), v, v._version)
x = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
say(torch.cov(x, fweights=torch.tensor([1, 2])), x._version)
x = torch.tensor([[4.0]], requires_grad=True)
fails(lambda: torch.cov(x, fweights=one()))
fails(lambda: torch.cov(x[0], fweights=one()))
torch.cov(x * 2, fweights=one() * 3).sum().backward()
say(x.grad)

# the gradient of a product that meets zeros is no in-place result
for x in (torch.tensor([0.0, 2.0, 3.0]), torch.tensor([[1.0, 0.0, 0.0], [2.0, 3.0, 4.0]]), torch.tensor([1.5, 2.0])):
    for dim in (0, -1):
        with torch.no_grad():
            g = torch.ops.aten.cumprod_backward.default(torch.ones_like(x), x, dim, x.cumprod(dim))
        say(g, g._version)
        g = torch.ops.aten.cumprod_backward.default(torch.ones_like(x), x, dim, x.cumprod(dim))
        say(g, g._version)

# pooling by a norm of order 0
for order in (0, 0.0):
    fails(lambda: nn.LPPool2d(order, 2)(torch.ones(1, 2, 2)))
    fails(lambda: nn.functional.lp_pool1d(torch.ones(1, 4), order, 2))
fails(lambda: nn.functional.lp_pool1d(torch.ones(1, 4), 0, 0))
say(nn.functional.lp_pool1d(torch.ones(1, 4), -1, 2))

# shapes that are tensors, or hold some
T = torch.tensor
for shapes in ((T([2, 1]), T([3])), (T(2), 3), ((2, 3), T([1])), ((T(3), 2), 1), ((T(3),), (T(1),)), ((2, T(1)), 3), ((T([1, 2]),),), ((2, 1), T(2.5))):
    fails(lambda: torch.broadcast_shapes(*shapes))
fails(lambda: torch.broadcast_shapes(None, 2, 3))
say(list(torch.broadcast_shapes(None, 2, (3, 1))))

# Meta tensors are checked by PyTorch's formulas in Python
m = lambda *sizes, **options: torch.empty(sizes, device="meta", **options)
for bias in (m(4), m(2, 4), m(1), m(), m(2), m(3, 4), m(4, dtype=torch.float64), torch.ones(4)):
    fails(lambda: say(torch._addmm_activation(bias, m(2, 3), m(3, 4))))
    fails(lambda: say(torch._addmm_activation(bias, m(2, 3), m(3, 4), use_gelu=True, beta=2)))
fails(lambda: torch._addmm_activation(m(4), m(2, 3), m(4, 4)))
fails(lambda: torch._addmm_activation(m(4), m(2), m(3, 4)))
fails(lambda: torch._addmm_activation(m(4), m(2, 3), m(3)))
say(torch._addmm_activation(m(4), m(2, 3, dtype=torch.int64), m(3, 4)))
say(torch._addmm_activation(m(4, dtype=torch.float16), m(2, 3, dtype=torch.float16), m(3, 4, dtype=torch.float16)))
say(torch._addmm_activation(m(4), m(2, 3), m(3, 4), out=m(0)))
fails(lambda: torch.meshgrid(m(3, 1), indexing="ij"))
fails(lambda: torch.meshgrid(torch.ones(1, 2), indexing="ij"))

# heads are counted by the projection, not by its bias
f = torch._transform_bias_rescale_qkv
for qkv, bias, heads in (((2, 3, 12), (12,), 2), ((2, 3, 12), (12,), 3), ((2, 3, 13), (13,), 2), ((2, 3, 4, 12), (12,), 2), ((3, 12), (12,), 2), ((2, 3, 12), (2, 6), 2)):
    fails(lambda: say([list(x.shape) for x in f(torch.ones(qkv), torch.ones(bias), heads)]))
say(list(f(torch.ones(1, 1, 12), torch.arange(12.0).reshape(2, 6), 2)))

# what a sparse gradient asks first
f = torch.ops.aten.embedding_backward.default
fails(lambda: f(torch.ones(3, 2), torch.ones(3), 4, -1, False, True))
fails(lambda: f(torch.ones(3, 2), torch.ones(3), 4, -1, True, True))
fails(lambda: f(torch.ones(3, 2), torch.tensor([0, 1, 2]), 4, -1, True, True))

