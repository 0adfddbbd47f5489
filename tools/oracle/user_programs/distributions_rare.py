# rarer distributions: samples, densities, moments, expand
D = torch.distributions
t = torch.tensor
loc, scale, probs = t([-0.5, 0.0, 2.0]), t([0.5, 1.0, 3.0]), t([0.2, 0.5, 0.9])
tril = t([[1.0, 0.0], [0.5, 2.0]])
factor = t([[1.0], [0.5], [-2.0]])
made = [
    D.ContinuousBernoulli(probs), D.ContinuousBernoulli(logits=loc), D.ContinuousBernoulli(0.3), D.ContinuousBernoulli(probs.double(), lims=(0.4, 0.6)),
    D.VonMises(loc, scale), D.VonMises(loc.double(), 40), D.VonMises(0.5, 1e-3), D.Pareto(scale, probs), D.Pareto(2, t([0.5, 1.5, 4.0])), D.Weibull(scale, probs), D.Weibull(1.5, 2.0),
    D.Kumaraswamy(scale, probs), D.Kumaraswamy(2.0, t([1.0, 2.0, 3.0])), D.FisherSnedecor(scale, t([1.0, 3.0, 5.0])), D.FisherSnedecor(3, 8),
    D.LogisticNormal(loc, scale), D.LogisticNormal(0.0, 1.0), D.RelaxedBernoulli(t(0.7), probs), D.RelaxedBernoulli(t([2.0]), logits=loc),
    D.LowRankMultivariateNormal(loc, factor, scale), D.LowRankMultivariateNormal(torch.zeros(2, 3), torch.cat([factor, factor * 0.5 + 1], -1), scale),
    D.GeneralizedPareto(loc, scale, t([-0.5, 0.0, 0.3])), D.GeneralizedPareto(0.0, 1.0, 2.0), D.InverseGamma(scale, probs), D.InverseGamma(3, 2),
    D.LKJCholesky(3), D.LKJCholesky(4, t([0.5, 2.0])), D.Wishart(t(4.0), tril @ tril.mT), D.Wishart(t([2.5, 3.0, 7.0]), scale_tril=tril), D.Wishart(5, precision_matrix=tril @ tril.mT + 0.1),
]
def show(x):
    say(x.dtype, list(x.shape), x)
for d in made:
    say(d)
    say(list(d.batch_shape), list(d.event_shape), d.has_rsample, d.has_enumerate_support, d.support)
    torch.manual_seed(3)
    x = d.sample((2,))
    show(x)
    show(d.sample())
    if d.has_rsample:
        show(d.rsample(torch.Size([1])))
    else:
        fails(lambda: d.rsample())
    show(d.log_prob(x))
    whats = [lambda: d.cdf(x), lambda: d.icdf(torch.full_like(x, 0.3)), d.entropy, d.perplexity, lambda: d.mean, lambda: d.mode, lambda: d.variance,
             lambda: d.stddev, d.enumerate_support]
    for what in whats:
        try:
            show(what())
        except NotImplementedError as e:
            say(type(e).__name__, *e.args)
    e = d.expand([2, *d.batch_shape])
    say(e, list(e.batch_shape), list(e.event_shape))
    torch.manual_seed(3)
    y = e.sample()
    show(y)
    say(torch.equal(y, x), torch.equal(e.log_prob(y), d.log_prob(y)))

# bits of samples
D = torch.distributions
t = torch.tensor
loc, scale, probs = t([-0.5, 0.0, 2.0]), t([0.5, 1.0, 3.0]), t([0.2, 0.5, 0.9])
#: the others stand behind log, exp, sqrt or matmul, whose last bit may differ.
for d in (D.VonMises(loc, scale), D.VonMises(0.5, 1e-3), D.FisherSnedecor(scale, t([1.0, 3.0, 5.0])), D.GeneralizedPareto(loc, scale, t([-0.5, 0.0, 0.3]))):
    torch.manual_seed(7)
    say(type(d).__name__, d.sample((5,)).view(torch.int32).tolist())

# matrices of what has them
D = torch.distributions
t = torch.tensor
tril = t([[1.0, 0.0], [0.5, 2.0]])
for d in (D.LowRankMultivariateNormal(t([0.0, 1.0, 2.0]), t([[1.0], [0.5], [-2.0]]), t([0.5, 1.0, 3.0])), D.Wishart(t([4.0, 5.0]), tril @ tril.mT), D.Wishart(4, scale_tril=tril),
          D.Wishart(4, precision_matrix=tril @ tril.mT)):
    say(d.scale_tril, d.covariance_matrix, d.precision_matrix, d.arg_constraints)
torch.manual_seed(1)
say(D.Wishart(2.5, scale_tril=tril).rsample((2,), 2))
say(D.Wishart(t([2.5, 4.0]), scale_tril=tril).rsample(max_try_correction=0))

# gradients of rarer distributions
D = torch.distributions
def leaf(*values):
    return torch.tensor(values, requires_grad=True)
def show(title, y, params):
    if not y.requires_grad:
        return say(title, "no graph")
    try:
        grads = torch.autograd.grad(y.sum(), params, retain_graph=True, allow_unused=True)
    except RuntimeError as e:
        return say(title, *e.args)
    say(title, y.grad_fn.name(), *[g if g is None else list(g.view(-1)) for g in grads])
for params, make in [
    ((leaf(0.2, 0.9),), D.ContinuousBernoulli), ((leaf(-0.2, 0.9),), lambda p: D.ContinuousBernoulli(logits=p)), ((leaf(-0.5, 2.0), leaf(0.5, 30.0)), D.VonMises),
    ((leaf(0.5, 2.0), leaf(0.5, 3.0)), D.Pareto), ((leaf(0.5, 2.0), leaf(0.5, 3.0)), D.Weibull), ((leaf(0.5, 2.0), leaf(0.5, 3.0)), D.Kumaraswamy),
    ((leaf(0.5, 2.0), leaf(0.5, 3.0)), D.FisherSnedecor), ((leaf(-0.5, 2.0), leaf(0.5, 1.0)), D.LogisticNormal), ((leaf(2.0), leaf(0.3, 0.8)), D.RelaxedBernoulli),
    ((leaf(-0.5, 2.0), leaf(0.5, 3.0), leaf(0.7, 0.2)), lambda m, w, d: D.LowRankMultivariateNormal(m, w.unsqueeze(-1), d)),
    ((leaf(-0.5, 2.0), leaf(0.5, 3.0), leaf(0.7, 0.0)), D.GeneralizedPareto), ((leaf(0.5, 2.0), leaf(0.5, 3.0)), D.InverseGamma), ((leaf(0.5, 2.0),), lambda c: D.LKJCholesky(3, c)),
    ((leaf(4.0, 5.0), leaf(0.5, 3.0)), lambda df, s: D.Wishart(df, torch.diag(s) + 0.1)),
]:
    d = make(*params)
    say(type(d).__name__)
    torch.manual_seed(5)
    x = d.sample((3,))
    say(x.requires_grad)
    if d.has_rsample:
        torch.manual_seed(5)
        x_ = d.rsample((3,))
        say(x_.grad_fn.name())
        show("rsample", x_ * torch.arange(1.0, 1 + x_.size(-1)), params)
    show("log_prob", d.log_prob(x), params)
    try:
        show("entropy", d.entropy(), params)
    except NotImplementedError:
        say("no entropy")

# what rarer distributions refuse
D = torch.distributions
t = torch.tensor
eye = torch.eye(2)
fails(lambda: D.ContinuousBernoulli())
fails(lambda: D.ContinuousBernoulli(0.5, 0.5))
fails(lambda: D.ContinuousBernoulli(t([1.5]), validate_args=True))
say(D.ContinuousBernoulli(t([1.5])))
fails(lambda: D.ContinuousBernoulli(0.5).log_prob(t(1.5)))
fails(lambda: D.VonMises(0.0, -1.0))
fails(lambda: D.Pareto(1.0, t([-1.0])))
fails(lambda: D.Pareto(1.0, 2.0).log_prob(t(0.5)))
fails(lambda: D.Weibull(t([0.0]), 1.0))
fails(lambda: D.Kumaraswamy(1.0, 0.0))
fails(lambda: D.FisherSnedecor(-1.0, 1.0))
fails(lambda: D.LogisticNormal(0.0, -1.0))
fails(lambda: D.RelaxedBernoulli(t(1.0)))
fails(lambda: D.RelaxedBernoulli(t(1.0), t([2.0])))
fails(lambda: D.RelaxedBernoulli(t(1.0), 0.5).log_prob(t(2.0)))
fails(lambda: D.LowRankMultivariateNormal(t(0.0), eye, t([1.0, 1.0])))
fails(lambda: D.LowRankMultivariateNormal(t([0.0, 1.0]), t([1.0]), t([1.0, 1.0])))
fails(lambda: D.LowRankMultivariateNormal(t([0.0, 1.0]), torch.ones(3, 1), t([1.0, 1.0])))
fails(lambda: D.LowRankMultivariateNormal(t([0.0, 1.0]), torch.ones(2, 1), t([1.0])))
fails(lambda: D.LowRankMultivariateNormal(torch.zeros(3, 2), torch.ones(2, 2, 1), t([1.0, 1.0])))
fails(lambda: D.LowRankMultivariateNormal(t([0.0, 1.0]), torch.ones(2, 1), t([1.0, -0.5])))
fails(lambda: D.GeneralizedPareto(0.0, -1.0, 1.0))
fails(lambda: D.GeneralizedPareto(0.0, 1.0, -0.5).log_prob(t(3.0)))
fails(lambda: D.GeneralizedPareto(0.0, 1.0, t([0.5], dtype=torch.double)).log_prob(t([3.0])))
fails(lambda: D.InverseGamma(0.0, 1.0))
fails(lambda: D.Wishart(3))
fails(lambda: D.Wishart(3, eye, eye))
fails(lambda: D.Wishart(3, t([1.0])))
fails(lambda: D.Wishart(1, eye))
fails(lambda: D.Wishart(t([1.0, 3.0]), eye))
fails(lambda: D.Wishart(3, t([[1.0, 2.0], [2.0, 1.0]])))
say(D.Wishart(1.5, eye))
fails(lambda: D.Wishart(3, eye).log_prob(-eye))
fails(lambda: D.LKJCholesky(1))
fails(lambda: D.LKJCholesky(3, -1.0))
fails(lambda: D.LKJCholesky(2).log_prob(eye + 1))
class A(D.VonMises):
    pass
a = A(t([0.0]), t([1.0]), validate_args=False).expand([2])
say(type(a).__name__, a, a.__dict__["_validate_args"])
class B(D.Pareto):
    def __init__(self, scale):
        super().__init__(scale, 1)
fails(lambda: B(1).expand([2]))

# divergences of rarer distributions
D = torch.distributions
t = torch.tensor
loc, scale, probs, others = t([-0.5, 0.0, 2.0]), t([0.5, 1.0, 3.0]), t([0.2, 0.5, 0.9]), t([1.0, 2.0, 3.0])
tril = t([[1.0, 0.0, 0.0], [0.5, 2.0, 0.0], [-1.0, 0.3, 0.5]])
factor = t([[1.0], [0.5], [-2.0]])
rare = [D.ContinuousBernoulli(probs), D.ContinuousBernoulli(logits=loc), D.Pareto(scale, others), D.Pareto(1, probs), D.VonMises(loc, scale), D.Weibull(scale, others), D.Weibull(scale, 2.0), D.Kumaraswamy(scale, others),
        D.FisherSnedecor(scale, others), D.RelaxedBernoulli(t(1.0), probs), D.InverseGamma(scale, probs), D.InverseGamma(others, scale), D.GeneralizedPareto(loc, scale, 0.5), D.LogisticNormal(loc, scale), D.LogisticNormal(loc, 1),
        D.LowRankMultivariateNormal(loc, factor, scale), D.LowRankMultivariateNormal(scale, torch.cat([factor, factor * 0.5 + 1], -1), others), D.LowRankMultivariateNormal(loc[:2], factor[:2], scale[:2]),
        D.LowRankMultivariateNormal(torch.stack([loc, scale]), factor, scale), D.Wishart(t(4.0), torch.eye(3)), D.Wishart(5.0, scale_tril=tril), D.LKJCholesky(3)]
common = [D.Normal(loc, scale), D.Beta(scale, others), D.Exponential(scale), D.Gamma(scale, probs), D.Uniform(loc, loc + scale), D.Uniform(t([0.1, 1.5, 4.0]), t([0.2, 2.0, 5.0])), D.Gumbel(loc, scale), D.Laplace(loc, scale),
          D.MultivariateNormal(loc, scale_tril=tril), D.MultivariateNormal(torch.stack([scale, loc]), tril @ tril.mT), D.MultivariateNormal(loc[:2], torch.eye(2)), D.Bernoulli(probs)]
for p in [*rare, *common]:
    for q in [*rare, *common]:
        if p is q or (p in common and q in common):
            continue
        try:
            say(type(p).__name__, type(q).__name__, D.kl_divergence(p, q))
        except (NotImplementedError, ValueError) as e:
            say(type(e).__name__, *e.args)

# transforms of vectors, matrices and parts
D = torch.distributions
t = torch.tensor
x = t([[0.2, -0.5, 1.5], [0.7, 0.1, -2.0]], requires_grad=True)
m = t([[[0.3, 0.0], [0.5, -2.0]], [[1.0, 0.5], [0.5, 1.0]]], requires_grad=True)
for f, z in ((D.SoftmaxTransform(), x), (D.StickBreakingTransform(), x), (D.CorrCholeskyTransform(), x), (D.LowerCholeskyTransform(), m), (D.PositiveDefiniteTransform(), m),
             (D.CatTransform([D.ExpTransform(), D.AffineTransform(1, -2)], 1, [1, 2]), x), (D.CatTransform([D.ExpTransform(), D.identity_transform], 0), x),
             (D.CatTransform([D.AffineTransform(0, 3, event_dim=1), D.AffineTransform(0, 2, event_dim=1)], 1, lengths=[1, 2]), x),
             (D.StackTransform([D.ExpTransform(), D.TanhTransform()]), x), (D.StackTransform([D.ExpTransform(), D.TanhTransform(), D.SigmoidTransform()], dim=-1), x),
             (D.CumulativeDistributionTransform(D.Normal(0.5, 2.0)), x), (D.CumulativeDistributionTransform(D.Exponential(1.5)), x.detach().abs().requires_grad_())):
    say(f)
    for what in (lambda: f.domain, lambda: f.codomain, lambda: f.bijective, lambda: f.sign, lambda: f.event_dim, lambda: f.inv.domain, lambda: list(f.forward_shape(z.shape)), lambda: list(f.inverse_shape(f(z).shape)),
                 lambda: list(f.forward_shape(torch.Size([]))), lambda: list(f.inverse_shape(torch.Size([4])))):
        try:
            say(what())
        except (NotImplementedError, ValueError) as e:
            say(type(e).__name__, *e.args)
    y = f(z)
    say(y, f.inv(y))
    try:
        j = f.log_abs_det_jacobian(z, y)
        say(j, *(torch.autograd.grad(j.sum(), z) if j.requires_grad else ()))
    except NotImplementedError as e:
        say(type(e).__name__, *e.args)
    say(f == f, f.inv.inv is f, f.with_cache(1) is f, type(f.with_cache(1)).__name__)
say(D.SoftmaxTransform() == D.SoftmaxTransform(), D.StickBreakingTransform() == D.SoftmaxTransform(), D.CorrCholeskyTransform() == D.CorrCholeskyTransform(), D.LowerCholeskyTransform() == D.LowerCholeskyTransform(),
    D.PositiveDefiniteTransform() == D.LowerCholeskyTransform(), D.CatTransform([]) == D.CatTransform([]))
say(D.CatTransform([D.ExpTransform()], 0, [4]).length, D.CatTransform([D.ExpTransform(), D.ExpTransform()]).length)
fails(lambda: D.CatTransform([3]))
fails(lambda: D.CatTransform([D.ExpTransform()], 0, [1, 2]))
fails(lambda: D.CatTransform([D.ExpTransform()], 3)(x))
fails(lambda: D.CatTransform([D.ExpTransform()], 1)(x))
fails(lambda: D.CatTransform([D.ExpTransform()], 1).inv(x))
fails(lambda: D.CatTransform([D.ExpTransform()], 1, [3]).log_abs_det_jacobian(x, x[:, :1]))
fails(lambda: D.StackTransform([3]))
fails(lambda: D.StackTransform([D.ExpTransform()], 3)(x))
fails(lambda: D.StackTransform([D.ExpTransform()], 1)(x))
fails(lambda: D.StackTransform([D.ExpTransform()], 1).inv(x))
fails(lambda: D.StackTransform([D.ExpTransform(), D.ExpTransform()]).log_abs_det_jacobian(x, x[:1]))
fails(lambda: D.CorrCholeskyTransform().forward_shape(torch.Size([4])))
fails(lambda: D.CorrCholeskyTransform().inverse_shape(torch.Size([4, 3])))
f = D.StickBreakingTransform(cache_size=1)
y = f(x)
say(f.inv(y) is x)

# the registries of constraints
D = torch.distributions
C = D.constraints
t = torch.tensor
x = t([[0.2, -0.5, 1.5], [0.7, 0.0, -2.0]])
m = t([[[0.3, 0.0], [0.5, -2.0]], [[1.0, 0.5], [0.5, 1.0]]])
for registry in (D.biject_to, D.transform_to):
    for c, z in ((C.real, x), (C.real_vector, x), (C.positive, x), (C.nonnegative, x), (C.greater_than(0.5), x), (C.greater_than_eq(t([1.0, 2.0, 3.0])), x), (C.less_than(2), x), (C.unit_interval, x), (C.interval(-1, 2.5), x),
                 (C.interval(0, t([1.0, 2.0, 3.0])), x), (C.half_open_interval(t([0.0, 2.0, 3.0]), 4), x), (C.half_open_interval(0, 1), x), (C.simplex, x), (C.lower_cholesky, m), (C.corr_cholesky, x), (C.positive_definite, m), (C.positive_semidefinite, m),
                 (C.independent(C.positive, 1), x), (C.cat([C.positive, C.unit_interval], 1, [1, 2]), x), (C.stack([C.real, C.positive]), x), (C.boolean, x), (C.nonnegative_integer, x), (C.one_hot, x), (C.symmetric, m), (C.dependent, x), (D.Uniform.support, x),
                 (D.Uniform(0, 2).support, x), (D.Pareto(t([1.0, 2.0, 3.0]), 1).support, x), (D.GeneralizedPareto(0.0, 1.0, -0.5).support, x), (D.Normal.arg_constraints["scale"], x)):
        try:
            f = registry(c)
        except NotImplementedError as e:
            say(type(e).__name__, *e.args)
            continue
        y = f(z)
        say(c, f, y, f.inv(y), c.check(y))
registry = D.constraint_registry.ConstraintRegistry()
fails(lambda: registry(C.real))
say(registry.register(C.real, lambda c: D.ExpTransform())(3), registry(C.real))
registry.register(C.interval)(lambda c: D.AffineTransform(c.lower_bound, 1))
say(registry(C.interval(2, 3)), registry(C.unit_interval).loc, registry(C.unit_interval)(t([1.0])))
class Odd(C.Constraint):
    pass
fails(lambda: registry(Odd()))
fails(lambda: registry.register(3, lambda c: D.ExpTransform()))
fails(lambda: registry.register(3)(lambda c: D.ExpTransform()))
registry.register(Odd, lambda c: D.TanhTransform())
D.transform_to.register(Odd(), lambda c: D.TanhTransform())
say(registry(Odd()), D.transform_to(Odd()))
fails(lambda: D.biject_to(Odd()))
