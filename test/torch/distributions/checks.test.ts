/** Refusals of distributions: tools/oracle/user_programs/distributions_checks.py in TypeScript, line for line. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";
import { floats as t } from "./helpers.ts";

const D = torch.distributions as Any;
const NaN_ = Number.NaN;

user_programs("distributions_checks", {
  "what distributions refuse"({ fails }) {
    const half = t([0.5, 0.5]);
    const two = t([0, 1]);
    fails(() => new D.Normal(0, 0));
    fails(() => new D.Normal(t([0, NaN_]), 1));
    fails(() => new D.Normal("a", 1));
    fails(() => new D.Normal(null, 1));
    fails(() => new D.Normal(0));
    fails(() => new D.Normal(0, 1, true, 3));
    fails(() => new D.Normal(0, 1, { scale: 3 }));
    fails(() => new D.Normal(0, t([1, -2, 3]).view(3, 1)));
    fails(() => new D.Bernoulli());
    fails(() => new D.Bernoulli(0.5, 0.5));
    fails(() => new D.Bernoulli(t([0.5, 1.5])));
    fails(() => new D.Bernoulli({ logits: NaN_ }));
    fails(() => new D.Categorical());
    fails(() => new D.Categorical(t([0.5, -0.5, 1])));
    fails(() => new D.Categorical(t(0.5)));
    fails(() => new D.Categorical({ logits: t(0.5) }));
    fails(() => new D.Categorical({ logits: t([[1, NaN_]]) }));
    fails(() => new D.Uniform(1, 0));
    fails(() => new D.Uniform(t([0, 2]), 1));
    fails(() => new D.Exponential(-1));
    fails(() => new D.Poisson(-1));
    fails(() => new D.Geometric(0));
    fails(() => new D.Geometric(t([0.5, 0])));
    fails(() => new D.Geometric(2));
    fails(() => new D.Binomial(-1, 0.5));
    fails(() => new D.Binomial(1.5, 0.5));
    fails(() => new D.Gamma(0, 1));
    fails(() => new D.Beta(t([1, -1]), 1));
    fails(() => new D.Dirichlet(t(1)));
    fails(() => new D.Dirichlet(t([1, 0])));
    fails(() => new D.Chi2(-1));
    fails(() => new D.Dirichlet(t([1, 1])).log_prob(t([0.5, 0.6])));
    fails(() => new D.Beta(1, 1).log_prob(t(1.5)));
    fails(() => new D.Multinomial(torch.tensor([2]), half));
    fails(() => new D.OneHotCategorical(t(1)));
    fails(() => new D.Gumbel(0, -1));
    fails(() => new D.HalfNormal(-1));
    fails(() => new D.LogNormal(0, -1));
    fails(() => new D.LogNormal(t([0]), t([-1])));
    fails(() => new D.MultivariateNormal(t(0), torch.eye(2)));
    fails(() => new D.MultivariateNormal(two));
    fails(() => new D.MultivariateNormal(two, torch.eye(2), torch.eye(2)));
    fails(() => new D.MultivariateNormal(two, t([1, 1])));
    fails(() => new D.MultivariateNormal(two, { scale_tril: t([1, 1]) }));
    fails(() => new D.MultivariateNormal(two, { precision_matrix: t([1, 1]) }));
    const matrix = (a: number, b: number, c: number, d: number): Any => t([a, b, c, d]).view(2, 2);
    fails(() => new D.MultivariateNormal(two, matrix(1, 2, 2, 1)));
    fails(() => new D.MultivariateNormal(two, matrix(1, 2, 0, 1)));
    fails(() => new D.MultivariateNormal(two, { scale_tril: matrix(1, 2, 0, 1) }));
    fails(() => new D.MultivariateNormal(two, torch.eye(3)));
    fails(() => new D.Independent(new D.Normal(0, 1), 1));
    fails(() => new D.Independent(new D.Normal(t([0]), 1), 1).enumerate_support());
    fails(() => new D.MixtureSameFamily(new D.Normal(0, 1), new D.Normal(0, 1)));
    fails(() => new D.MixtureSameFamily(new D.Categorical(half), 3));
    fails(() => new D.MixtureSameFamily(new D.Categorical(half), new D.Normal(torch.zeros(3), 1)));
    fails(() => new D.MixtureSameFamily(new D.Categorical(torch.ones(2, 2)), new D.Normal(torch.zeros(3, 2), 1)));
    fails(() => new D.TransformedDistribution(new D.Normal(0, 1), 3));
    fails(() => new D.TransformedDistribution(new D.Normal(0, 1), [3]));
    fails(() => new D.TransformedDistribution(new D.Normal(0, 1), new D.AffineTransform(0, 1, { event_dim: 1 })));
    const n = new D.Normal(two, 1);
    fails(() => n.log_prob(3));
    fails(() => n.log_prob(t([1, 2, 3])));
    fails(() => n.log_prob(t([1, NaN_])));
    fails(() => n.cdf(t(NaN_)));
    fails(() => new D.Bernoulli(0.5).log_prob(t([0.5])));
    fails(() => new D.Bernoulli(t([0.5])).log_prob(torch.tensor(2)));
    fails(() => new D.Categorical(half).log_prob(torch.tensor([0, 2])));
    fails(() => new D.OneHotCategorical(half).log_prob(t([1, 1])));
    fails(() => new D.OneHotCategorical(half).log_prob(t([1])));
    fails(() => new D.Uniform(0, 1).log_prob(t(2)));
    fails(() => new D.Exponential(1).log_prob(t(-2)));
    fails(() => new D.Poisson(1).log_prob(t(1.5)));
    fails(() => new D.Multinomial(2, half).log_prob(t([2, 1])));
    fails(() => new D.Independent(new D.Normal(torch.zeros(2, 3), 1), 1).log_prob(torch.zeros(4)));
    fails(() => new D.LogNormal(0, 1).log_prob(t(-1)));
    fails(() => new D.MultivariateNormal(torch.zeros(2), torch.eye(2)).log_prob(t([NaN_, 0])));
    fails(() => n.expand([3]));
    fails(() => n.sample(3));
    fails(() => new D.Distribution().log_prob(t(1)));
    fails(() => new D.Multinomial(2, half).mode);
    fails(() => new D.Binomial(torch.tensor([1, 2]), 0.5).enumerate_support());
    fails(() => new D.Binomial(torch.tensor([1, 2]), 0.5).entropy());
  },

  "without checks"({ say, fails }) {
    const unchecked = { validate_args: false };
    const n = new D.Normal(0, -1, unchecked);
    say(n, n.log_prob(t(NaN_)), n.expand([2])._validate_args);
    say(new D.Uniform(0, 1, unchecked).log_prob(t([2, 1, 0])), new D.Bernoulli(0.5, unchecked).log_prob(t(0.5)));
    D.Distribution.set_default_validate_args(false);
    say(new D.Normal(0, -1), new D.Exponential(t([-1])));
    say(D.Normal._validate_args, n._validate_args);
    fails(() => new D.Normal(0, -1, { validate_args: true }));
    fails(() => D.Distribution.set_default_validate_args(3));
    D.Distribution.set_default_validate_args(true);
    fails(() => new D.Normal(0, -1));
    say(new D.Normal(0, 1).sample_n(2).shape.join() === "2");
  },

  "a user's distribution"({ say, fails }) {
    class Bare extends D.Distribution {
      static readonly __module__ = "program";

      sample(sample_shape: number[] = []): Any {
        return torch.zeros((this as Any)._extended_shape(sample_shape));
      }
    }
    const b = new (Bare as Any)([2]);
    say(b.batch_shape, b.sample([3]), b.has_rsample, b.has_enumerate_support);
    b._validate_sample(torch.zeros(2));
    const zeros = torch.zeros(2);
    fails(() => b.mean);
    fails(() => b.variance);
    fails(() => b.stddev);
    fails(() => b.support);
    fails(() => b.arg_constraints);
    fails(() => b.rsample());
    fails(() => b.entropy());
    fails(() => b.perplexity());
    fails(() => b.enumerate_support());
    fails(() => b.log_prob(zeros));
    fails(() => b.cdf(zeros));
    fails(() => b.icdf(zeros));
    fails(() => b.expand([2]));
  },
});
