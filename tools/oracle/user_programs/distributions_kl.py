# divergences of every pair
D = torch.distributions
t = torch.tensor
loc, scale, probs = t([-0.5, 0.0, 2.0]), t([0.5, 1.0, 3.0]), t([0.2, 0.5, 1.0])
tril = t([[1.0, 0.0, 0.0], [0.5, 2.0, 0.0], [-1.0, 0.3, 0.5]])
made = [
    D.Normal(loc, scale), D.Normal(0, t([1.0, 2.0, 3.0])), D.Bernoulli(probs), D.Bernoulli(t([0.0, 0.3, 1.0])), D.Categorical(probs), D.Categorical(logits=loc),
    D.Categorical(t([0.0, 0.5, 0.5])), D.Uniform(loc, loc + scale), D.Uniform(0, t([1.0, 2.0, 3.0])), D.OneHotCategorical(probs), D.OneHotCategorical(logits=loc),
    D.Exponential(scale), D.Exponential(t([1.0, 2.0, 3.0])), D.Laplace(loc, scale), D.Laplace(0, t([1.0, 2.0, 3.0])), D.Cauchy(loc, scale), D.Cauchy(0, t([1.0, 2.0, 3.0])),
    D.Gumbel(loc, scale), D.Gumbel(0, t([1.0, 2.0, 3.0])), D.HalfNormal(scale), D.HalfNormal(t([1.0, 2.0, 3.0])), D.LogNormal(loc, scale), D.LogNormal(0, t([1.0, 2.0, 3.0])),
    D.Poisson(scale), D.Poisson(t([1.0, 2.0, 3.0])), D.Geometric(probs), D.Geometric(logits=loc), D.Multinomial(2, probs), D.MultivariateNormal(loc, tril @ tril.mT), D.MultivariateNormal(scale, scale_tril=tril),
    D.MultivariateNormal(loc[:2], torch.eye(2)), D.Independent(D.Normal(loc, scale), 1), D.Independent(D.Normal(loc, 1), 1), D.Independent(D.Normal(loc, 1), 0),
    D.Gamma(scale, probs), D.Gamma(2, t([1.0, 2.0, 3.0])), D.Beta(scale, probs), D.Beta(2, t([1.0, 2.0, 3.0])), D.Dirichlet(scale), D.Dirichlet(t([1.0, 2.0, 3.0])), D.Chi2(scale), D.Uniform(t([0.1, 0.0, 0.5]), 1),
    D.Binomial(3, probs), D.Binomial(t([3, 4, 5]), logits=loc), D.TransformedDistribution(D.Normal(loc, scale), [D.AffineTransform(0, 2)]),
    D.TransformedDistribution(D.Normal(loc, 1), [D.AffineTransform(0, 2)]), D.TransformedDistribution(D.Normal(loc, 1), [D.AffineTransform(0, scale)]),
]
for p in made:
    for q in made:
        if p is q:
            continue  # 0, but for what rounding leaves
        try:
            say(type(p).__name__, type(q).__name__, D.kl_divergence(p, q))
        except (NotImplementedError, ValueError) as e:
            say(type(e).__name__, *e.args)
m = D.Normal(t([0.5], requires_grad=True), t([2.0], requires_grad=True))
D.kl_divergence(m, D.Normal(0, 1)).sum().backward()
say(m.loc.grad, m.scale.grad)

# divergences of a user's classes
D = torch.distributions
class A(D.Normal):
    pass
class B(A):
    pass
class C(D.Laplace):
    def __init__(self, loc, scale):
        super().__init__(loc, scale)
say(D.kl_divergence(A(0, 1), B(1, 1)))
fails(lambda: D.kl_divergence(A(0, 1), D.Bernoulli(0.5)))
one, two = D.register_kl(A, D.Normal)(lambda p, q: "one"), D.register_kl(D.Normal, A)(lambda p, q: "two")
say(one(1, 2), D.kl_divergence(A(0, 1), D.Normal(0, 1)), D.kl_divergence(D.Normal(0, 1), B(0, 1)))
say(D.kl_divergence(B(0, 1), B(0, 1)))
say(D.kl_divergence(B(0, 1), B(0, 1)))
D.register_kl(A, A)(one)
say(D.kl_divergence(B(0, 1), B(0, 1)))
fails(lambda: D.register_kl(3, A))
say(B(0, 1), type(B(0, 1).expand([2])).__name__, B(0, 1).expand([2]))
fails(lambda: C(0, 1).expand([2]))
say(C(0, 1).log_prob(torch.tensor(1.0)))
