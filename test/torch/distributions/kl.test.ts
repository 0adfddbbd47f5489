/** Divergences as PyTorch's: tools/oracle/user_programs/distributions_kl.py in TypeScript, line for line. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";
import { said_or_error, floats as t } from "./helpers.ts";

const D = torch.distributions as Any;

user_programs("distributions_kl", {
  "divergences of every pair"({ say }) {
    const [loc, scale, probs] = [t([-0.5, 0, 2]), t([0.5, 1, 3]), t([0.2, 0.5, 1])];
    const tril: Any = t([
      [1, 0, 0],
      [0.5, 2, 0],
      [-1, 0.3, 0.5],
    ]);
    const others = t([1, 2, 3]);
    const of = (base: Any, loc: Any, scale: Any): Any =>
      new D.TransformedDistribution(base, [new D.AffineTransform(loc, scale)]);
    const made: Any[] = [
      new D.Normal(loc, scale),
      new D.Normal(0, others),
      new D.Bernoulli(probs),
      new D.Bernoulli(t([0, 0.3, 1])),
      new D.Categorical(probs),
      new D.Categorical({ logits: loc }),
      new D.Categorical(t([0, 0.5, 0.5])),
      new D.Uniform(loc, loc.add(scale)),
      new D.Uniform(0, others),
      new D.OneHotCategorical(probs),
      new D.OneHotCategorical({ logits: loc }),
      new D.Exponential(scale),
      new D.Exponential(others),
      new D.Laplace(loc, scale),
      new D.Laplace(0, others),
      new D.Cauchy(loc, scale),
      new D.Cauchy(0, others),
      new D.Gumbel(loc, scale),
      new D.Gumbel(0, others),
      new D.HalfNormal(scale),
      new D.HalfNormal(others),
      new D.LogNormal(loc, scale),
      new D.LogNormal(0, others),
      new D.Poisson(scale),
      new D.Poisson(others),
      new D.Geometric(probs),
      new D.Geometric({ logits: loc }),
      new D.Multinomial(2, probs),
      new D.MultivariateNormal(loc, torch.matmul(tril, tril.mT)),
      new D.MultivariateNormal(scale, { scale_tril: tril }),
      new D.MultivariateNormal(loc.at(torch.slice(null, 2)), torch.eye(2)),
      new D.Independent(new D.Normal(loc, scale), 1),
      new D.Independent(new D.Normal(loc, 1), 1),
      new D.Independent(new D.Normal(loc, 1), 0),
      new D.Gamma(scale, probs),
      new D.Gamma(2, others),
      new D.Beta(scale, probs),
      new D.Beta(2, others),
      new D.Dirichlet(scale),
      new D.Dirichlet(others),
      new D.Chi2(scale),
      new D.Uniform(t([0.1, 0, 0.5]), 1),
      new D.Binomial(3, probs),
      new D.Binomial(torch.tensor([3, 4, 5]), { logits: loc }),
      of(new D.Normal(loc, scale), 0, 2),
      of(new D.Normal(loc, 1), 0, 2),
      of(new D.Normal(loc, 1), 0, scale),
    ];
    for (const p of made)
      for (const q of made) {
        if (p === q) continue; // 0, but for what rounding leaves
        said_or_error(say, () => {
          say(p.constructor.name, q.constructor.name, D.kl_divergence(p, q));
        });
      }
    const m = new D.Normal(t([0.5]).requires_grad_(), t([2]).requires_grad_());
    D.kl_divergence(m, new D.Normal(0, 1)).sum().backward();
    say(m.loc.grad, m.scale.grad);
  },

  "divergences of a user's classes"({ say, fails }) {
    class A extends D.Normal {}
    class B extends A {}
    class C extends D.Laplace {
      constructor(loc: Any, scale: Any) {
        super(loc, scale);
      }
    }
    const of = (cls: Any, loc: number, scale: number): Any => new cls(loc, scale);
    say(D.kl_divergence(of(A, 0, 1), of(B, 1, 1)));
    fails(() => D.kl_divergence(of(A, 0, 1), new D.Bernoulli(0.5)));
    const one = D.register_kl(A, D.Normal)(() => "one");
    D.register_kl(D.Normal, A)(() => "two");
    say(one(1, 2), D.kl_divergence(of(A, 0, 1), new D.Normal(0, 1)), D.kl_divergence(new D.Normal(0, 1), of(B, 0, 1)));
    say(D.kl_divergence(of(B, 0, 1), of(B, 0, 1)));
    say(D.kl_divergence(of(B, 0, 1), of(B, 0, 1)));
    D.register_kl(A, A)(one);
    say(D.kl_divergence(of(B, 0, 1), of(B, 0, 1)));
    fails(() => D.register_kl(3, A));
    const expanded = of(B, 0, 1).expand([2]);
    say(of(B, 0, 1), expanded.constructor.name, expanded);
    fails(() => of(C, 0, 1).expand([2]));
    say(of(C, 0, 1).log_prob(t(1)));
  },
});
