/** Constraints, transforms, utilities: tools/oracle/user_programs/distributions_parts.py in TypeScript, line for line. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";
import { said_or_error, floats as t } from "./helpers.ts";

const D = torch.distributions as Any;
const C = D.constraints;

user_programs("distributions_parts", {
  constraints({ say, fails }) {
    const x = t([
      [0, 1],
      [0.5, 0.5],
      [-1, 2],
      [3, Number.NaN],
    ]);
    for (const c of [
      C.boolean,
      C.one_hot,
      C.nonnegative_integer,
      C.positive_integer,
      C.integer_interval(0, 2),
      C.real,
      C.real_vector,
      C.positive,
      C.nonnegative,
      C.greater_than(0.5),
      C.greater_than_eq(t([0.5, 1])),
      C.less_than(1),
      C.less_than(t(0.5)),
      C.unit_interval,
      C.interval(0, t([1, 0.2])),
      C.half_open_interval(0.5, 2),
      C.simplex,
      C.multinomial(2),
      C.independent(C.positive, 1),
      C.cat([C.real, C.positive], 1),
      C.cat([C.real, C.positive], 0, [1, 3]),
      C.stack([C.real, C.positive], 1),
      C.independent(C.independent(C.real, 1), 1),
    ])
      say(c, c.is_discrete, c.event_dim, c.check(x));
    const m: Any = t([1, 0, 0.5, 2, 1, 0.5, 0.5, 1, 1, 2, 2, 1, 1, 0, 0.6, 0.8, 1, 2, 0, 1]).view(5, 2, 2);
    for (const c of [
      C.lower_triangular,
      C.lower_cholesky,
      C.corr_cholesky,
      C.square,
      C.symmetric,
      C.positive_semidefinite,
      C.positive_definite,
    ])
      say(c, c.is_discrete, c.event_dim, c.check(m), c.check(m.at(torch.slice(null, 3))), c.check(m.at(1)));
    say(C.square.check(torch.zeros(3, 2, 4)));
    say(
      C.is_dependent(C.dependent),
      C.is_dependent(C.real),
      C.is_dependent(D.Uniform.support),
      C.is_dependent(D.Normal.support),
      D.Categorical.support.is_discrete,
      D.Categorical.support.event_dim,
    );
    fails(() => C.dependent.check(x));
    fails(() => C.dependent.is_discrete);
    fails(() => D.Independent.support.event_dim);
    fails(() => C.independent(3, 1));
    fails(() => C.independent(C.real, -1));
    fails(() => C.independent(C.real, 1.5));
    fails(() => C.independent(C.real, 3).check(x));
    fails(() => C.cat([3]));
    fails(() => C.cat([C.real], { lengths: [1, 2] }));
    fails(() => C.stack([C.real], 2).check(x));
    fails(() => new C.Constraint().check(x));
    say(D.Normal.arg_constraints, D.Categorical.has_enumerate_support, D.Normal.has_rsample);
  },

  transforms({ say, fails }) {
    const x: Any = t([
      [0.2, -0.5],
      [1.5, 0.7],
    ]).requires_grad_();
    for (const f of [
      new D.ExpTransform(),
      new D.PowerTransform(t([2, 3])),
      new D.PowerTransform(2),
      new D.SigmoidTransform(),
      new D.SoftplusTransform(),
      new D.TanhTransform(),
      new D.AbsTransform(),
      new D.AffineTransform(1, -2),
      new D.AffineTransform(t([1, 2]), t([-2, 3])),
      new D.AffineTransform(0, 3, { event_dim: 1 }),
      new D.ReshapeTransform([2], [2, 1]),
      D.identity_transform,
      new D.ComposeTransform([new D.ExpTransform(), new D.AffineTransform(0, 2)]),
      new D.IndependentTransform(new D.ExpTransform(), 1),
      new D.ComposeTransform([
        new D.IndependentTransform(new D.TanhTransform(), 1),
        new D.AffineTransform(0, t([1, 2])),
        new D.ReshapeTransform([2], [1, 2]),
      ]),
    ]) {
      say(f, f.domain, f.codomain, f.bijective, f.inv, f.inv.domain, f.inv.codomain, f.inv.bijective);
      said_or_error(say, () => say(f.sign));
      said_or_error(say, () => say(f.event_dim));
      said_or_error(say, () => say(f.inv.sign));
      const z = f instanceof D.PowerTransform ? x.abs() : x;
      const y = f(z);
      say(y, f.inv(y), f.forward_shape([3, 2]), f.inverse_shape(y.shape));
      if (f.bijective) {
        const j = f.log_abs_det_jacobian(z, y);
        say(j, f.inv.log_abs_det_jacobian(y, z));
        if (j.requires_grad) say((torch.autograd.grad(j.sum(), x) as Any[])[0]);
      }
      const exp = new D.ExpTransform();
      say(f.__eq__(f), f.inv.inv === f, f.__eq__(exp), f.inv.__eq__(exp.inv));
    }
    const affine = (loc: Any, scale: Any): Any => new D.AffineTransform(loc, scale);
    say(
      affine(0, 1).__eq__(affine(0, t([1, 1]))),
      affine(0, 1).__eq__(affine(0, 2)),
      new D.PowerTransform(2).__eq__(new D.PowerTransform(2)),
    );
    const composed = (...parts: Any[]): Any => new D.ComposeTransform(parts);
    say(
      composed(new D.ExpTransform()).__eq__(composed(new D.ExpTransform())),
      composed().__eq__(composed(new D.ExpTransform())),
    );
    const big = t([30]);
    say(new D.TanhTransform().inv(new D.TanhTransform()(big)));
    const f = new D.TanhTransform({ cache_size: 1 });
    const y = f(big);
    say(f.inv(y) === big, f(big) === y);
    say(f.with_cache(1) === f, f.with_cache(0) === f, affine(0, 1).with_cache().event_dim);
    fails(() => new D.ExpTransform(2));
    fails(() => new D.IndependentTransform(new D.ExpTransform(), 3)(x));
    fails(() => new D.ReshapeTransform([2], [3]));
    fails(() => new D.ReshapeTransform([2], [2, 1]).forward_shape([3]));
    fails(() => new D.ReshapeTransform([2], [2, 1]).inverse_shape([3]));
    fails(() => new D.transforms.Transform()(x));
  },

  utilities({ say, fails }) {
    const U = D.utils;
    const [ints, column] = [torch.tensor([1, 2]), t([[1], [2]])];
    say(U.broadcast_all(1, 2.5, true), U.broadcast_all(ints, 3), U.broadcast_all(column, ints, 3));
    fails(() => U.broadcast_all([1], 2));
    const p: Any = t([0, 0.3, 1]);
    say(
      U.clamp_probs(p),
      U.clamp_probs(p.double()),
      U.probs_to_logits(p),
      U.probs_to_logits(p, true),
      U.logits_to_probs(p),
      U.logits_to_probs(p, { is_binary: true }),
    );
    const m = torch.arange(new torch.Float(9)).view(3, 3);
    for (const diag of [-1, 0, 1]) {
      const v = U.tril_matrix_to_vec(m, diag);
      say(v, U.vec_to_tril_matrix(v, diag));
    }
    fails(() => U.tril_matrix_to_vec(m, 3));
    fails(() => U.vec_to_tril_matrix(torch.zeros(4)));
  },
});
