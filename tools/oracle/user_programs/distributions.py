# every distribution: samples, densities, moments, expand
D = torch.distributions
t = torch.tensor
loc, scale, probs = t([-0.5, 0.0, 2.0]), t([0.5, 1.0, 3.0]), t([0.2, 0.5, 0.9])
rows = t([[0.1, 0.2, 0.7], [0.5, 0.5, 1.0]])
tril = t([[1.0, 0.0], [0.5, 2.0]])
made = [
    D.Normal(0, 1), D.Normal(loc, scale), D.Normal(loc.double(), 2),
    D.Bernoulli(probs), D.Bernoulli(logits=loc), D.Bernoulli(0.3),
    D.Categorical(rows), D.Categorical(logits=loc), D.Uniform(0, 2), D.Uniform(loc, loc + scale),
    D.OneHotCategorical(rows), D.OneHotCategoricalStraightThrough(logits=rows),
    D.Exponential(scale), D.Exponential(1.5), D.Laplace(loc, scale), D.Cauchy(loc, scale), D.Gumbel(loc, scale), D.Gumbel(0.5, 2.0),
    D.HalfNormal(scale), D.HalfCauchy(scale), D.LogNormal(loc, scale), D.Poisson(scale), D.Poisson(t([20.0, 0.0])),
    D.Gamma(scale, probs), D.Gamma(0.5, 2), D.Chi2(scale), D.Beta(scale, probs), D.Beta(0.5, 2), D.Dirichlet(rows), D.Dirichlet(scale), D.Binomial(5, probs), D.Binomial(t([3, 40, 500]), logits=loc),
    D.StudentT(scale, loc, probs), D.StudentT(3), D.NegativeBinomial(scale, probs), D.NegativeBinomial(t([0, 2, 40]), logits=loc), D.RelaxedOneHotCategorical(t(0.7), rows), D.RelaxedOneHotCategorical(t([2.0]), logits=loc),
    D.Geometric(probs), D.Geometric(logits=loc), D.Multinomial(5, rows), D.Multinomial(3, logits=loc),
    D.MultivariateNormal(loc, torch.eye(3)), D.MultivariateNormal(rows[:, :2], scale_tril=tril),
    D.MultivariateNormal(loc[:2], precision_matrix=tril @ tril.mT),
    D.Independent(D.Normal(rows, 1), 1), D.Independent(D.Bernoulli(rows), 0),
    D.TransformedDistribution(D.Normal(loc, scale), [D.TanhTransform(), D.AffineTransform(1, -2)]),
    D.TransformedDistribution(D.Uniform(t([0.0, 0.0]), 1), D.SigmoidTransform().inv),
    D.MixtureSameFamily(D.Categorical(probs), D.Normal(loc, scale)),
    D.MixtureSameFamily(D.Categorical(rows), D.Independent(D.Normal(torch.zeros(2, 3, 2), scale[:2]), 1)),
]
def show(x):
    say(x.dtype, list(x.shape), x)
for d in made:
    say(d)
    say(list(d.batch_shape), list(d.event_shape), d.has_rsample, d.has_enumerate_support, d.support)
    torch.manual_seed(3)
    x = d.sample((2,))
    show(x)
    if x.dtype == torch.float32 and not isinstance(d, (D.Gumbel, D.LogNormal, D.RelaxedOneHotCategorical, D.MultivariateNormal)):  # behind exp, log or matmul, whose last bit may differ
        say(x.contiguous().view(torch.int32).tolist())
    show(d.sample())
    if d.has_rsample:
        show(d.rsample(torch.Size([1])))
    else:
        fails(lambda: d.rsample())
    show(d.log_prob(x))
    whats = (lambda: d.cdf(x), lambda: d.icdf(torch.full_like(x, 0.3)), d.entropy, d.perplexity, lambda: d.mean, lambda: d.mode, lambda: d.variance,
                 lambda: d.stddev, d.enumerate_support, lambda: d.enumerate_support(False))
    for what in whats:
        if isinstance(d, D.Gamma) and what == whats[0]:
            continue  # waits for gammainc
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

# gradients of samples, densities and entropies
D = torch.distributions
def leaf(*values):
    return torch.tensor(values, requires_grad=True)
def show(title, y, params):
    if not y.requires_grad:
        return say(title, "no graph")
    say(title, y.grad_fn.name(), *[g if g is None else list(g.view(-1)) for g in torch.autograd.grad(y.sum(), params, retain_graph=True, allow_unused=True)])
for params, make in [
    ((leaf(-0.5, 2.0), leaf(0.5, 3.0)), D.Normal), ((leaf(0.2, 0.9),), D.Bernoulli), ((leaf(-0.2, 0.9),), lambda p: D.Bernoulli(logits=p)),
    ((leaf(0.2, 0.9, 0.5),), D.Categorical), ((leaf(0.2, 0.9, -0.5),), lambda p: D.Categorical(logits=p)),
    ((leaf(-1.0, 0.0), leaf(1.0, 3.0)), D.Uniform), ((leaf(0.2, 0.9, 0.5),), D.OneHotCategoricalStraightThrough), ((leaf(0.5, 3.0),), D.Exponential),
    ((leaf(-0.5, 2.0), leaf(0.5, 3.0)), D.Laplace), ((leaf(-0.5, 2.0), leaf(0.5, 3.0)), D.Cauchy), ((leaf(-0.5, 2.0), leaf(0.5, 3.0)), D.Gumbel),
    ((leaf(0.5, 3.0),), D.HalfNormal), ((leaf(0.5, 3.0),), D.HalfCauchy), ((leaf(-0.5, 2.0), leaf(0.5, 0.8)), D.LogNormal),
    ((leaf(0.5, 3.0), leaf(0.4, 2.0)), D.Gamma), ((leaf(0.5, 9.0), leaf(3.0, 20.0)), D.Beta), ((leaf(0.5, 9.0, 1.0),), D.Dirichlet), ((leaf(0.5, 3.0),), D.Chi2),
    ((leaf(0.5, 3.0), leaf(0.4, 2.0), leaf(1.5, 0.5)), D.StudentT), ((leaf(3.0, 1.5), leaf(0.37, 0.83)), D.NegativeBinomial), ((leaf(0.7), leaf(0.4, 0.8, 2.0)), D.RelaxedOneHotCategorical),
    ((leaf(0.5, 3.0),), D.Poisson), ((leaf(0.2, 0.9),), D.Geometric), ((leaf(-0.2, 0.9),), lambda p: D.Geometric(logits=p)),
    ((leaf(0.2, 0.9, 0.5),), lambda p: D.Multinomial(4, p)), ((leaf(-0.5, 2.0), leaf(0.5, 3.0)), lambda m, s: D.MultivariateNormal(m, scale_tril=torch.diag(s))),
    ((leaf(-0.5, 2.0), leaf(0.5, 3.0)), lambda m, s: D.MultivariateNormal(m, torch.diag(s) + 0.1)),
    ((leaf(-0.5, 2.0), leaf(0.5, 3.0)), lambda m, s: D.Independent(D.Normal(m, s), 1)),
    ((leaf(-0.5, 2.0), leaf(0.5, 3.0)), lambda m, s: D.TransformedDistribution(D.Normal(m, s), [D.SigmoidTransform(), D.AffineTransform(m, s)])),
    ((leaf(0.3, 0.7), leaf(-0.5, 2.0), leaf(0.5, 3.0)), lambda p, m, s: D.MixtureSameFamily(D.Categorical(p), D.Normal(m, s))),
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

# entropies and divergences of exponential families by autograd
D = torch.distributions
a, b = torch.tensor([0.5, 3.0]), torch.tensor([0.7, 0.2])
for p, q in ((D.Normal(a, b), D.Normal(b, a)), (D.Bernoulli(b), D.Bernoulli(b / 2)), (D.Exponential(a), D.Exponential(b)), (D.Gamma(a, b), D.Gamma(b, a))):
    say(D.ExponentialFamily.entropy(p), p.entropy())
fails(lambda: D.Poisson(a).entropy())
fails(lambda: D.ExponentialFamily().entropy())

# binomials
D = torch.distributions
t = torch.tensor
for b in (D.Binomial(3, t([0.2, 0.0, 1.0])), D.Binomial(t([3, 4]), logits=t([0.0, -2.0])), D.Binomial(2, 0.5)):
    say(b, list(b.batch_shape), b.total_count, b.support)
    say(b.mean, b.mode, b.variance, b.stddev, b.probs, b.logits)
    say(b.log_prob(t([[1.0], [0.0], [2.0]])))
    try:
        say(b.entropy(), b.enumerate_support(), b.enumerate_support(False))
    except NotImplementedError as e:
        say(*e.args)
    say(b.expand([2, *b.batch_shape]))
l = t([0.0, 2.0], requires_grad=True)
say(torch.autograd.grad(D.Binomial(3, logits=l).log_prob(t([1.0, 3.0])).sum(), l)[0])
