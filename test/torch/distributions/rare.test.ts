/** Rarer distributions, transforms and registries: tools/oracle/user_programs/distributions_rare.py in TypeScript, line for line. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";
import { said_or_error, floats as t } from "./helpers.ts";

const D = torch.distributions as Any;
const C = D.constraints;

const [loc, scale, probs, others] = [t([-0.5, 0, 2]), t([0.5, 1, 3]), t([0.2, 0.5, 0.9]), t([1, 2, 3])];
const factor: Any = t([[1], [0.5], [-2]]);
const factors: Any = torch.cat([factor, factor.mul(0.5).add(1)], -1);
const tril: Any = t([
  [1, 0],
  [0.5, 2],
]);
const covariance: Any = torch.matmul(tril, tril.mT);
const first = torch.slice(null, 2);

const about = {
  subject: "distributions_rare",
  with_bits: ["rarer distributions: samples, densities, moments, expand", "bits of samples"],
};

user_programs(about, {
  "rarer distributions: samples, densities, moments, expand"({ say, fails }) {
    const made: Any[] = [
      new D.ContinuousBernoulli(probs),
      new D.ContinuousBernoulli({ logits: loc }),
      new D.ContinuousBernoulli(0.3),
      new D.ContinuousBernoulli(probs.double(), { lims: [0.4, 0.6] }),
      new D.VonMises(loc, scale),
      new D.VonMises(loc.double(), 40),
      new D.VonMises(0.5, 1e-3),
      new D.Pareto(scale, probs),
      new D.Pareto(2, t([0.5, 1.5, 4])),
      new D.Weibull(scale, probs),
      new D.Weibull(1.5, 2),
      new D.Kumaraswamy(scale, probs),
      new D.Kumaraswamy(2, others),
      new D.FisherSnedecor(scale, t([1, 3, 5])),
      new D.FisherSnedecor(3, 8),
      new D.LogisticNormal(loc, scale),
      new D.LogisticNormal(0, 1),
      new D.RelaxedBernoulli(t(0.7), probs),
      new D.RelaxedBernoulli(t([2]), { logits: loc }),
      new D.LowRankMultivariateNormal(loc, factor, scale),
      new D.LowRankMultivariateNormal(torch.zeros(2, 3), factors, scale),
      new D.GeneralizedPareto(loc, scale, t([-0.5, 0, 0.3])),
      new D.GeneralizedPareto(0, 1, 2),
      new D.InverseGamma(scale, probs),
      new D.InverseGamma(3, 2),
      new D.LKJCholesky(3),
      new D.LKJCholesky(4, t([0.5, 2])),
      new D.Wishart(t(4), covariance),
      new D.Wishart(t([2.5, 3, 7]), { scale_tril: tril }),
      new D.Wishart(5, { precision_matrix: covariance.add(0.1) }),
    ];
    const show = (x: Any): void => say(x.dtype, x.shape, x);
    for (const d of made) {
      say(d);
      say(d.batch_shape, d.event_shape, d.has_rsample, d.has_enumerate_support, d.support);
      torch.manual_seed(3);
      const x = d.sample([2]);
      show(x);
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
      ];
      for (const what of whats) said_or_error(say, () => show(what()));
      const e = d.expand([2, ...d.batch_shape]);
      say(e, e.batch_shape, e.event_shape);
      torch.manual_seed(3);
      const y = e.sample();
      show(y);
      say(torch.equal(y, x), torch.equal(e.log_prob(y), d.log_prob(y)));
    }
  },

  "bits of samples"({ say }) {
    // The others stand behind log, exp, sqrt or matmul, whose last bit may differ.
    for (const d of [
      new D.VonMises(loc, scale),
      new D.VonMises(0.5, 1e-3),
      new D.FisherSnedecor(scale, t([1, 3, 5])),
      new D.GeneralizedPareto(loc, scale, t([-0.5, 0, 0.3])),
    ]) {
      torch.manual_seed(7);
      say(d.constructor.name, d.sample([5]).view(torch.int32).tolist());
    }
  },

  "matrices of what has them"({ say }) {
    for (const d of [
      new D.LowRankMultivariateNormal(t([0, 1, 2]), factor, scale),
      new D.Wishart(t([4, 5]), covariance),
      new D.Wishart(4, { scale_tril: tril }),
      new D.Wishart(4, { precision_matrix: covariance }),
    ])
      say(d.scale_tril, d.covariance_matrix, d.precision_matrix, d.arg_constraints);
    torch.manual_seed(1);
    say(new D.Wishart(2.5, { scale_tril: tril }).rsample([2], 2));
    say(new D.Wishart(t([2.5, 4]), { scale_tril: tril }).rsample({ max_try_correction: 0 }));
  },

  "gradients of rarer distributions"({ say }) {
    const leaf = (...values: number[]): Any => t(values).requires_grad_();
    const show = (title: string, y: Any, params: Any[]): void => {
      if (!y.requires_grad) {
        say(title, "no graph");
        return;
      }
      let grads: Any[];
      try {
        grads = torch.autograd.grad(y.sum(), params, { retain_graph: true, allow_unused: true }) as Any[];
      } catch (error) {
        if ((error as Error).name !== "RuntimeError") throw error;
        say(title, (error as Error).message);
        return;
      }
      say(title, y.grad_fn.name(), ...grads.map((g) => (g === null ? g : [...g.view(-1)])));
    };
    const of = (cls: Any) => (params: Any[]) => new cls(...params);
    const cases: [params: Any[], make: (params: Any[]) => Any][] = [
      [[leaf(0.2, 0.9)], of(D.ContinuousBernoulli)],
      [[leaf(-0.2, 0.9)], ([logits]) => new D.ContinuousBernoulli({ logits })],
      [[leaf(-0.5, 2), leaf(0.5, 30)], of(D.VonMises)],
      [[leaf(0.5, 2), leaf(0.5, 3)], of(D.Pareto)],
      [[leaf(0.5, 2), leaf(0.5, 3)], of(D.Weibull)],
      [[leaf(0.5, 2), leaf(0.5, 3)], of(D.Kumaraswamy)],
      [[leaf(0.5, 2), leaf(0.5, 3)], of(D.FisherSnedecor)],
      [[leaf(-0.5, 2), leaf(0.5, 1)], of(D.LogisticNormal)],
      [[leaf(2), leaf(0.3, 0.8)], of(D.RelaxedBernoulli)],
      [
        [leaf(-0.5, 2), leaf(0.5, 3), leaf(0.7, 0.2)],
        ([m, w, d]) => new D.LowRankMultivariateNormal(m, w.unsqueeze(-1), d),
      ],
      [[leaf(-0.5, 2), leaf(0.5, 3), leaf(0.7, 0)], of(D.GeneralizedPareto)],
      [[leaf(0.5, 2), leaf(0.5, 3)], of(D.InverseGamma)],
      [[leaf(0.5, 2)], ([c]) => new D.LKJCholesky(3, c)],
      [[leaf(4, 5), leaf(0.5, 3)], ([df, s]) => new D.Wishart(df, torch.diag(s).add(0.1))],
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

  "what rarer distributions refuse"({ say, fails }) {
    const eye: Any = torch.eye(2);
    const ones = (...shape: number[]): Any => torch.ones(shape);
    fails(() => new D.ContinuousBernoulli());
    fails(() => new D.ContinuousBernoulli(0.5, 0.5));
    fails(() => new D.ContinuousBernoulli(t([1.5]), { validate_args: true }));
    say(new D.ContinuousBernoulli(t([1.5])));
    fails(() => new D.ContinuousBernoulli(0.5).log_prob(t(1.5)));
    fails(() => new D.VonMises(0, -1));
    fails(() => new D.Pareto(1, t([-1])));
    fails(() => new D.Pareto(1, 2).log_prob(t(0.5)));
    fails(() => new D.Weibull(t([0]), 1));
    fails(() => new D.Kumaraswamy(1, 0));
    fails(() => new D.FisherSnedecor(-1, 1));
    fails(() => new D.LogisticNormal(0, -1));
    fails(() => new D.RelaxedBernoulli(t(1)));
    fails(() => new D.RelaxedBernoulli(t(1), t([2])));
    fails(() => new D.RelaxedBernoulli(t(1), 0.5).log_prob(t(2)));
    fails(() => new D.LowRankMultivariateNormal(t(0), eye, t([1, 1])));
    fails(() => new D.LowRankMultivariateNormal(t([0, 1]), t([1]), t([1, 1])));
    fails(() => new D.LowRankMultivariateNormal(t([0, 1]), ones(3, 1), t([1, 1])));
    fails(() => new D.LowRankMultivariateNormal(t([0, 1]), ones(2, 1), t([1])));
    fails(() => new D.LowRankMultivariateNormal(torch.zeros(3, 2), ones(2, 2, 1), t([1, 1])));
    fails(() => new D.LowRankMultivariateNormal(t([0, 1]), ones(2, 1), t([1, -0.5])));
    fails(() => new D.GeneralizedPareto(0, -1, 1));
    fails(() => new D.GeneralizedPareto(0, 1, -0.5).log_prob(t(3)));
    fails(() => new D.GeneralizedPareto(0, 1, torch.tensor([0.5], { dtype: torch.double })).log_prob(t([3])));
    fails(() => new D.InverseGamma(0, 1));
    fails(() => new D.Wishart(3));
    fails(() => new D.Wishart(3, eye, eye));
    fails(() => new D.Wishart(3, t([1])));
    fails(() => new D.Wishart(1, eye));
    fails(() => new D.Wishart(t([1, 3]), eye));
    fails(
      () =>
        new D.Wishart(
          3,
          t([
            [1, 2],
            [2, 1],
          ]),
        ),
    );
    say(new D.Wishart(1.5, eye));
    fails(() => new D.Wishart(3, eye).log_prob(eye.neg()));
    fails(() => new D.LKJCholesky(1));
    fails(() => new D.LKJCholesky(3, -1));
    fails(() => new D.LKJCholesky(2).log_prob(eye.add(1)));
    class A extends D.VonMises {}
    const cls = A as Any;
    const a = new cls(t([0]), t([1]), { validate_args: false }).expand([2]);
    say(a.constructor.name, a, a._validate_args);
    class B extends D.Pareto {
      constructor(scale: Any) {
        super(scale, 1);
      }
    }
    fails(() => (new B(1) as Any).expand([2]));
  },

  "divergences of rarer distributions"({ say }) {
    const tril3: Any = t([
      [1, 0, 0],
      [0.5, 2, 0],
      [-1, 0.3, 0.5],
    ]);
    const rare: Any[] = [
      new D.ContinuousBernoulli(probs),
      new D.ContinuousBernoulli({ logits: loc }),
      new D.Pareto(scale, others),
      new D.Pareto(1, probs),
      new D.VonMises(loc, scale),
      new D.Weibull(scale, others),
      new D.Weibull(scale, 2),
      new D.Kumaraswamy(scale, others),
      new D.FisherSnedecor(scale, others),
      new D.RelaxedBernoulli(t(1), probs),
      new D.InverseGamma(scale, probs),
      new D.InverseGamma(others, scale),
      new D.GeneralizedPareto(loc, scale, 0.5),
      new D.LogisticNormal(loc, scale),
      new D.LogisticNormal(loc, 1),
      new D.LowRankMultivariateNormal(loc, factor, scale),
      new D.LowRankMultivariateNormal(scale, factors, others),
      new D.LowRankMultivariateNormal(loc.at(first), factor.at(first), scale.at(first)),
      new D.LowRankMultivariateNormal(torch.stack([loc, scale]), factor, scale),
      new D.Wishart(t(4), torch.eye(3)),
      new D.Wishart(5, { scale_tril: tril3 }),
      new D.LKJCholesky(3),
    ];
    const common: Any[] = [
      new D.Normal(loc, scale),
      new D.Beta(scale, others),
      new D.Exponential(scale),
      new D.Gamma(scale, probs),
      new D.Uniform(loc, loc.add(scale)),
      new D.Uniform(t([0.1, 1.5, 4]), t([0.2, 2, 5])),
      new D.Gumbel(loc, scale),
      new D.Laplace(loc, scale),
      new D.MultivariateNormal(loc, { scale_tril: tril3 }),
      new D.MultivariateNormal(torch.stack([scale, loc]), torch.matmul(tril3, tril3.mT)),
      new D.MultivariateNormal(loc.at(first), torch.eye(2)),
      new D.Bernoulli(probs),
    ];
    for (const p of [...rare, ...common])
      for (const q of [...rare, ...common]) {
        if (p === q || (common.includes(p) && common.includes(q))) continue;
        said_or_error(say, () => {
          say(p.constructor.name, q.constructor.name, D.kl_divergence(p, q));
        });
      }
  },

  "transforms of vectors, matrices and parts"({ say, fails }) {
    const x: Any = t([
      [0.2, -0.5, 1.5],
      [0.7, 0.1, -2],
    ]).requires_grad_();
    const m: Any = t([
      [
        [0.3, 0],
        [0.5, -2],
      ],
      [
        [1, 0.5],
        [0.5, 1],
      ],
    ]).requires_grad_();
    const exp = (): Any => new D.ExpTransform();
    const affine = (...args: Any[]): Any => new D.AffineTransform(...args);
    for (const [f, z] of [
      [new D.SoftmaxTransform(), x],
      [new D.StickBreakingTransform(), x],
      [new D.CorrCholeskyTransform(), x],
      [new D.LowerCholeskyTransform(), m],
      [new D.PositiveDefiniteTransform(), m],
      [new D.CatTransform([exp(), affine(1, -2)], 1, [1, 2]), x],
      [new D.CatTransform([exp(), D.identity_transform], 0), x],
      [new D.CatTransform([affine(0, 3, { event_dim: 1 }), affine(0, 2, { event_dim: 1 })], 1, { lengths: [1, 2] }), x],
      [new D.StackTransform([exp(), new D.TanhTransform()]), x],
      [new D.StackTransform([exp(), new D.TanhTransform(), new D.SigmoidTransform()], { dim: -1 }), x],
      [new D.CumulativeDistributionTransform(new D.Normal(0.5, 2)), x],
      [new D.CumulativeDistributionTransform(new D.Exponential(1.5)), x.detach().abs().requires_grad_()],
    ]) {
      say(f);
      for (const what of [
        () => f.domain,
        () => f.codomain,
        () => f.bijective,
        () => f.sign,
        () => f.event_dim,
        () => f.inv.domain,
        () => f.forward_shape(z.shape),
        () => f.inverse_shape(f(z).shape),
        () => f.forward_shape([]),
        () => f.inverse_shape([4]),
      ])
        said_or_error(say, () => say(what()));
      const y = f(z);
      say(y, f.inv(y));
      said_or_error(say, () => {
        const j = f.log_abs_det_jacobian(z, y);
        say(j, ...(j.requires_grad ? (torch.autograd.grad(j.sum(), z) as Any[]) : []));
      });
      const cached = f.with_cache(1);
      say(f.__eq__(f), f.inv.inv === f, cached === f, cached.constructor.name);
    }
    say(
      new D.SoftmaxTransform().__eq__(new D.SoftmaxTransform()),
      new D.StickBreakingTransform().__eq__(new D.SoftmaxTransform()),
      new D.CorrCholeskyTransform().__eq__(new D.CorrCholeskyTransform()),
      new D.LowerCholeskyTransform().__eq__(new D.LowerCholeskyTransform()),
      new D.PositiveDefiniteTransform().__eq__(new D.LowerCholeskyTransform()),
      new D.CatTransform([]).__eq__(new D.CatTransform([])),
    );
    say(new D.CatTransform([exp()], 0, [4]).length, new D.CatTransform([exp(), exp()]).length);
    const part = x.at(torch.slice(), torch.slice(null, 1));
    fails(() => new D.CatTransform([3]));
    fails(() => new D.CatTransform([exp()], 0, [1, 2]));
    fails(() => new D.CatTransform([exp()], 3)(x));
    fails(() => new D.CatTransform([exp()], 1)(x));
    fails(() => new D.CatTransform([exp()], 1).inv(x));
    fails(() => new D.CatTransform([exp()], 1, [3]).log_abs_det_jacobian(x, part));
    fails(() => new D.StackTransform([3]));
    fails(() => new D.StackTransform([exp()], 3)(x));
    fails(() => new D.StackTransform([exp()], 1)(x));
    fails(() => new D.StackTransform([exp()], 1).inv(x));
    fails(() => new D.StackTransform([exp(), exp()]).log_abs_det_jacobian(x, x.at(torch.slice(null, 1))));
    fails(() => new D.CorrCholeskyTransform().forward_shape([4]));
    fails(() => new D.CorrCholeskyTransform().inverse_shape([4, 3]));
    const f = new D.StickBreakingTransform({ cache_size: 1 });
    const y = f(x);
    say(f.inv(y) === x);
  },

  "the registries of constraints"({ say, fails }) {
    const x: Any = t([
      [0.2, -0.5, 1.5],
      [0.7, 0, -2],
    ]);
    const m: Any = t([
      [
        [0.3, 0],
        [0.5, -2],
      ],
      [
        [1, 0.5],
        [0.5, 1],
      ],
    ]);
    for (const registry of [D.biject_to, D.transform_to])
      for (const [c, z] of [
        [C.real, x],
        [C.real_vector, x],
        [C.positive, x],
        [C.nonnegative, x],
        [C.greater_than(0.5), x],
        [C.greater_than_eq(others), x],
        [C.less_than(2), x],
        [C.unit_interval, x],
        [C.interval(-1, 2.5), x],
        [C.interval(0, others), x],
        [C.half_open_interval(t([0, 2, 3]), 4), x],
        [C.half_open_interval(0, 1), x],
        [C.simplex, x],
        [C.lower_cholesky, m],
        [C.corr_cholesky, x],
        [C.positive_definite, m],
        [C.positive_semidefinite, m],
        [C.independent(C.positive, 1), x],
        [C.cat([C.positive, C.unit_interval], 1, [1, 2]), x],
        [C.stack([C.real, C.positive]), x],
        [C.boolean, x],
        [C.nonnegative_integer, x],
        [C.one_hot, x],
        [C.symmetric, m],
        [C.dependent, x],
        [D.Uniform.support, x],
        [new D.Uniform(0, 2).support, x],
        [new D.Pareto(others, 1).support, x],
        [new D.GeneralizedPareto(0, 1, -0.5).support, x],
        [D.Normal.arg_constraints.scale, x],
      ])
        said_or_error(say, () => {
          const f = registry(c);
          const y = f(z);
          say(c, f, y, f.inv(y), c.check(y));
        });
    const registry = new D.constraint_registry.ConstraintRegistry();
    fails(() => registry(C.real));
    const exp = (): Any => new D.ExpTransform();
    say(registry.register(C.real, exp)(3), registry(C.real));
    registry.register(C.interval)((c: Any) => new D.AffineTransform(c.lower_bound, 1));
    say(registry(C.interval(2, 3)), registry(C.unit_interval).loc, registry(C.unit_interval)(t([1])));
    class Odd extends C.Constraint {}
    const odd = (): Any => new (Odd as Any)();
    fails(() => registry(odd()));
    fails(() => registry.register(3, exp));
    fails(() => registry.register(3)(exp));
    registry.register(Odd, () => new D.TanhTransform());
    D.transform_to.register(odd(), () => new D.TanhTransform());
    say(registry(odd()), D.transform_to(odd()));
    fails(() => D.biject_to(odd()));
  },
});
