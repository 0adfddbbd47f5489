/** torch.distributions as PyTorch's: tools/oracle/user_programs/distributions.py in TypeScript, line for line. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";
import { said_or_error, floats as t } from "./helpers.ts";

const D = torch.distributions as Any;

const about = { subject: "distributions", with_bits: ["every distribution: samples, densities, moments, expand"] };

user_programs(about, {
  "every distribution: samples, densities, moments, expand"({ say, fails }) {
    const [loc, scale, probs] = [t([-0.5, 0, 2]), t([0.5, 1, 3]), t([0.2, 0.5, 0.9])];
    const rows: Any = t([
      [0.1, 0.2, 0.7],
      [0.5, 0.5, 1],
    ]);
    const tril: Any = t([
      [1, 0],
      [0.5, 2],
    ]);
    const first = torch.slice(null, 2);
    const made: Any[] = [
      new D.Normal(0, 1),
      new D.Normal(loc, scale),
      new D.Normal(loc.double(), 2),
      new D.Bernoulli(probs),
      new D.Bernoulli({ logits: loc }),
      new D.Bernoulli(0.3),
      new D.Categorical(rows),
      new D.Categorical({ logits: loc }),
      new D.Uniform(0, 2),
      new D.Uniform(loc, loc.add(scale)),
      new D.OneHotCategorical(rows),
      new D.OneHotCategoricalStraightThrough({ logits: rows }),
      new D.Exponential(scale),
      new D.Exponential(1.5),
      new D.Laplace(loc, scale),
      new D.Cauchy(loc, scale),
      new D.Gumbel(loc, scale),
      new D.Gumbel(0.5, 2),
      new D.HalfNormal(scale),
      new D.HalfCauchy(scale),
      new D.LogNormal(loc, scale),
      new D.Poisson(scale),
      new D.Poisson(t([20, 0])),
      new D.Gamma(scale, probs),
      new D.Gamma(0.5, 2),
      new D.Chi2(scale),
      new D.Beta(scale, probs),
      new D.Beta(0.5, 2),
      new D.Dirichlet(rows),
      new D.Dirichlet(scale),
      new D.Binomial(5, probs),
      new D.Binomial(torch.tensor([3, 40, 500]), { logits: loc }),
      new D.StudentT(scale, loc, probs),
      new D.StudentT(3),
      new D.NegativeBinomial(scale, probs),
      new D.NegativeBinomial(torch.tensor([0, 2, 40]), { logits: loc }),
      new D.RelaxedOneHotCategorical(t(0.7), rows),
      new D.RelaxedOneHotCategorical(t([2]), { logits: loc }),
      new D.Geometric(probs),
      new D.Geometric({ logits: loc }),
      new D.Multinomial(5, rows),
      new D.Multinomial(3, { logits: loc }),
      new D.MultivariateNormal(loc, torch.eye(3)),
      new D.MultivariateNormal(rows.at("...", first), { scale_tril: tril }),
      new D.MultivariateNormal(loc.at(first), { precision_matrix: torch.matmul(tril, tril.mT) }),
      new D.Independent(new D.Normal(rows, 1), 1),
      new D.Independent(new D.Bernoulli(rows), 0),
      new D.TransformedDistribution(new D.Normal(loc, scale), [new D.TanhTransform(), new D.AffineTransform(1, -2)]),
      new D.TransformedDistribution(new D.Uniform(t([0, 0]), 1), new D.SigmoidTransform().inv),
      new D.MixtureSameFamily(new D.Categorical(probs), new D.Normal(loc, scale)),
      new D.MixtureSameFamily(
        new D.Categorical(rows),
        new D.Independent(new D.Normal(torch.zeros(2, 3, 2), scale.at(first)), 1),
      ),
    ];
    const show = (x: Any): void => say(x.dtype, x.shape, x);
    for (const d of made) {
      say(d);
      say(d.batch_shape, d.event_shape, d.has_rsample, d.has_enumerate_support, d.support);
      torch.manual_seed(3);
      const x = d.sample([2]);
      show(x);
      const inexact = [D.Gumbel, D.LogNormal, D.RelaxedOneHotCategorical, D.MultivariateNormal]; // behind exp, log or matmul, whose last bit may differ
      if (x.dtype === torch.float32 && !inexact.some((cls) => d instanceof cls))
        say(x.contiguous().view(torch.int32).tolist());
      show(d.sample());
      if (d.has_rsample) show(d.rsample(torch.Size([1])));
      else fails(() => d.rsample());
      show(d.log_prob(x));
      const whats = [
        () => d.cdf(x),
        () => d.icdf(torch.full_like(x, 0.3)),
        () => d.entropy(),
        () => d.perplexity(),
        () => d.mean,
        () => d.mode,
        () => d.variance,
        () => d.stddev,
        () => d.enumerate_support(),
        () => d.enumerate_support(false),
      ];
      const waits = d instanceof D.Gamma ? 1 : 0; // its cdf, for gammainc
      for (const what of whats.slice(waits)) said_or_error(say, () => show(what()));
      const e = d.expand([2, ...d.batch_shape]);
      say(e, e.batch_shape, e.event_shape);
      torch.manual_seed(3);
      const y = e.sample();
      show(y);
      say(torch.equal(y, x), torch.equal(e.log_prob(y), d.log_prob(y)));
    }
  },

  "gradients of samples, densities and entropies"({ say }) {
    const leaf = (...values: number[]): Any => t(values).requires_grad_();
    const show = (title: string, y: Any, params: Any[]): void => {
      if (!y.requires_grad) {
        say(title, "no graph");
        return;
      }
      const grads = torch.autograd.grad(y.sum(), params, { retain_graph: true, allow_unused: true }) as Any[];
      say(title, y.grad_fn.name(), ...grads.map((g) => (g === null ? g : [...g.view(-1)])));
    };
    const of = (cls: Any) => (params: Any[]) => new cls(...params);
    const cases: [params: Any[], make: (params: Any[]) => Any][] = [
      [[leaf(-0.5, 2), leaf(0.5, 3)], of(D.Normal)],
      [[leaf(0.2, 0.9)], of(D.Bernoulli)],
      [[leaf(-0.2, 0.9)], ([logits]) => new D.Bernoulli({ logits })],
      [[leaf(0.2, 0.9, 0.5)], of(D.Categorical)],
      [[leaf(0.2, 0.9, -0.5)], ([logits]) => new D.Categorical({ logits })],
      [[leaf(-1, 0), leaf(1, 3)], of(D.Uniform)],
      [[leaf(0.2, 0.9, 0.5)], of(D.OneHotCategoricalStraightThrough)],
      [[leaf(0.5, 3)], of(D.Exponential)],
      [[leaf(-0.5, 2), leaf(0.5, 3)], of(D.Laplace)],
      [[leaf(-0.5, 2), leaf(0.5, 3)], of(D.Cauchy)],
      [[leaf(-0.5, 2), leaf(0.5, 3)], of(D.Gumbel)],
      [[leaf(0.5, 3)], of(D.HalfNormal)],
      [[leaf(0.5, 3)], of(D.HalfCauchy)],
      [[leaf(-0.5, 2), leaf(0.5, 0.8)], of(D.LogNormal)],
      [[leaf(0.5, 3), leaf(0.4, 2)], of(D.Gamma)],
      [[leaf(0.5, 9), leaf(3, 20)], of(D.Beta)],
      [[leaf(0.5, 9, 1)], of(D.Dirichlet)],
      [[leaf(0.5, 3)], of(D.Chi2)],
      [[leaf(0.5, 3), leaf(0.4, 2), leaf(1.5, 0.5)], of(D.StudentT)],
      [[leaf(3, 1.5), leaf(0.37, 0.83)], of(D.NegativeBinomial)],
      [[leaf(0.7), leaf(0.4, 0.8, 2)], of(D.RelaxedOneHotCategorical)],
      [[leaf(0.5, 3)], of(D.Poisson)],
      [[leaf(0.2, 0.9)], of(D.Geometric)],
      [[leaf(-0.2, 0.9)], ([logits]) => new D.Geometric({ logits })],
      [[leaf(0.2, 0.9, 0.5)], ([p]) => new D.Multinomial(4, p)],
      [[leaf(-0.5, 2), leaf(0.5, 3)], ([m, s]) => new D.MultivariateNormal(m, { scale_tril: torch.diag(s) })],
      [[leaf(-0.5, 2), leaf(0.5, 3)], ([m, s]) => new D.MultivariateNormal(m, torch.diag(s).add(0.1))],
      [[leaf(-0.5, 2), leaf(0.5, 3)], ([m, s]) => new D.Independent(new D.Normal(m, s), 1)],
      [
        [leaf(-0.5, 2), leaf(0.5, 3)],
        ([m, s]) =>
          new D.TransformedDistribution(new D.Normal(m, s), [new D.SigmoidTransform(), new D.AffineTransform(m, s)]),
      ],
      [
        [leaf(0.3, 0.7), leaf(-0.5, 2), leaf(0.5, 3)],
        ([p, m, s]) => new D.MixtureSameFamily(new D.Categorical(p), new D.Normal(m, s)),
      ],
    ];
    for (const [params, make] of cases) {
      const d = make(params);
      say(d.constructor.name);
      torch.manual_seed(5);
      const x = d.sample([3]);
      say(x.requires_grad);
      if (d.has_rsample) {
        torch.manual_seed(5);
        const drawn = d.rsample([3]);
        say(drawn.grad_fn.name());
        show("rsample", drawn.mul(torch.arange(1, 1 + drawn.size(-1))), params);
      }
      show("log_prob", d.log_prob(x), params);
      try {
        show("entropy", d.entropy(), params);
      } catch (error) {
        if ((error as Error).name !== "NotImplementedError") throw error;
        say("no entropy");
      }
    }
  },

  "entropies and divergences of exponential families by autograd"({ say, fails }) {
    const [a, b] = [t([0.5, 3]), t([0.7, 0.2])];
    const entropy = D.ExponentialFamily.prototype.entropy;
    for (const p of [new D.Normal(a, b), new D.Bernoulli(b), new D.Exponential(a), new D.Gamma(a, b)])
      say(entropy.call(p), p.entropy());
    fails(() => new D.Poisson(a).entropy());
    fails(() => new D.ExponentialFamily().entropy());
  },

  binomials({ say }) {
    for (const b of [
      new D.Binomial(3, t([0.2, 0, 1])),
      new D.Binomial(torch.tensor([3, 4]), { logits: t([0, -2]) }),
      new D.Binomial(2, 0.5),
    ]) {
      say(b, b.batch_shape, b.total_count, b.support);
      say(b.mean, b.mode, b.variance, b.stddev, b.probs, b.logits);
      say(b.log_prob(t([[1], [0], [2]])));
      try {
        say(b.entropy(), b.enumerate_support(), b.enumerate_support(false));
      } catch (error) {
        say((error as Error).message);
      }
      say(b.expand([2, ...b.batch_shape]));
    }
    const l: Any = t([0, 2]).requires_grad_();
    const log_prob = new D.Binomial(3, { logits: l }).log_prob(t([1, 3]));
    say((torch.autograd.grad(log_prob.sum(), l) as Any[])[0]);
  },
});
