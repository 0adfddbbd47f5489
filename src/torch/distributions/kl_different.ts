/**
 * @file Divergences of distributions of two families.
 * @mirrors torch/distributions/kl.py#_kl_bernoulli_poisson
 */
import type { Tensor } from "#torch/_tensor";
import { torch } from "#torch/_torch";
import { Bernoulli } from "./bernoulli.ts";
import { Binomial } from "./binomial.ts";
import type { Distribution } from "./distribution.ts";
import { Exponential } from "./exponential.ts";
import { Gumbel } from "./gumbel.ts";
import { register_kl } from "./kl.ts";
import { Laplace } from "./laplace.ts";
import { Normal } from "./normal.ts";
import { Poisson } from "./poisson.ts";
import { Uniform } from "./uniform.ts";
import { euler_constant as _euler_gamma } from "./utils.ts";

type Class<D> = Function & { readonly prototype: D };

/** Each of `types_q` lacks values that a `type_p` draws. */
function register_infinite<P extends Distribution>(
  type_p: Class<P>,
  types_q: readonly Class<Distribution>[],
  parameter: (p: P) => Tensor,
): void {
  for (const type_q of types_q)
    register_kl(type_p, type_q)((p) => torch.full_like(parameter(p), Number.POSITIVE_INFINITY));
}

register_kl(Bernoulli, Poisson)((p, q) => p.entropy().neg().sub(p.probs.mul(q.rate.log()).sub(q.rate)));

register_infinite(Exponential, [Uniform], (p) => p.rate);

register_kl(
  Exponential,
  Gumbel,
)((p, q) => {
  const scale_rate_prod = p.rate.mul(q.scale);
  const loc_scale_ratio = q.loc.div(q.scale);
  const t1 = scale_rate_prod.log().sub(1);
  const t2 = torch.exp(loc_scale_ratio).mul(scale_rate_prod).div(scale_rate_prod.add(1));
  return t1.sub(loc_scale_ratio).add(t2).add(scale_rate_prod.reciprocal());
});

register_kl(
  Exponential,
  Normal,
)((p, q) => {
  const var_normal = q.scale.pow(2);
  const rate_sqr = p.rate.pow(2);
  const t1 = torch.log(rate_sqr.mul(var_normal).mul(2).mul(Math.PI)).mul(0.5);
  const t2 = rate_sqr.reciprocal();
  const t3 = q.loc.div(p.rate);
  const t4 = q.loc.pow(2).mul(0.5);
  return t1.sub(1).add(t2.sub(t3).add(t4).div(var_normal));
});

register_infinite(Gumbel, [Exponential, Uniform], (p) => p.loc);

register_kl(
  Gumbel,
  Normal,
)((p, q) => {
  const param_ratio = p.scale.div(q.scale);
  const t1 = param_ratio.div(Math.sqrt(2 * Math.PI)).log();
  const t2 = param_ratio.mul(Math.PI).mul(0.5).pow(2).div(3);
  const t3 = p.loc.add(p.scale.mul(_euler_gamma)).sub(q.loc).div(q.scale).pow(2).mul(0.5);
  return t1
    .neg()
    .add(t2)
    .add(t3)
    .sub(_euler_gamma + 1);
});

register_infinite(Laplace, [Exponential, Uniform], (p) => p.loc);

register_kl(
  Laplace,
  Normal,
)((p, q) => {
  const var_normal = q.scale.pow(2);
  const scale_sqr_var_ratio = p.scale.pow(2).div(var_normal);
  const t1 = torch.log(scale_sqr_var_ratio.mul(2).div(Math.PI)).mul(0.5);
  const t2 = p.loc.pow(2).mul(0.5);
  const t3 = p.loc.mul(q.loc);
  const t4 = q.loc.pow(2).mul(0.5);
  return t1.neg().add(scale_sqr_var_ratio).add(t2.sub(t3).add(t4).div(var_normal)).sub(1);
});

register_infinite(Normal, [Exponential, Uniform], (p) => p.loc);

register_kl(
  Normal,
  Gumbel,
)((p, q) => {
  const mean_scale_ratio = p.loc.div(q.scale);
  const var_scale_sqr_ratio = p.scale.div(q.scale).pow(2);
  const loc_scale_ratio = q.loc.div(q.scale);
  const t1 = var_scale_sqr_ratio.log().mul(0.5);
  const t2 = mean_scale_ratio.sub(loc_scale_ratio);
  const t3 = torch.exp(mean_scale_ratio.neg().add(var_scale_sqr_ratio.mul(0.5)).add(loc_scale_ratio));
  return t1
    .neg()
    .add(t2)
    .add(t3)
    .sub(0.5 * (1 + Math.log(2 * Math.PI)));
});

register_kl(
  Normal,
  Laplace,
)((p, q) => {
  const loc_diff = p.loc.sub(q.loc);
  const scale_ratio = p.scale.div(q.scale);
  const loc_diff_scale_ratio = loc_diff.div(p.scale);
  const t1 = torch.log(scale_ratio);
  const t2 = p.scale.mul(Math.sqrt(2 / Math.PI)).mul(torch.exp(loc_diff_scale_ratio.pow(2).mul(-0.5)));
  const t3 = loc_diff.mul(torch.erf(loc_diff_scale_ratio.mul(Math.sqrt(0.5))));
  return t1
    .neg()
    .add(t2.add(t3).div(q.scale))
    .sub(0.5 * (1 + Math.log(0.5 * Math.PI)));
});

register_infinite(Poisson, [Bernoulli, Binomial], (p) => p.rate);

register_kl(
  Uniform,
  Exponential,
)((p, q) => {
  const result = q.rate.mul(p.high.add(p.low)).div(2).sub(p.high.sub(p.low).mul(q.rate).log());
  return result.set_at(Number.POSITIVE_INFINITY, p.low.lt(0));
});

register_kl(
  Uniform,
  Gumbel,
)((p, q) => {
  const common_term = q.scale.div(p.high.sub(p.low));
  const high_loc_diff = p.high.sub(q.loc).div(q.scale);
  const low_loc_diff = p.low.sub(q.loc).div(q.scale);
  const t1 = common_term.log().add(high_loc_diff.add(low_loc_diff).mul(0.5));
  const t2 = common_term.mul(torch.exp(high_loc_diff.neg()).sub(torch.exp(low_loc_diff.neg())));
  return t1.sub(t2);
});

register_kl(
  Uniform,
  Normal,
)((p, q) => {
  const common_term = p.high.sub(p.low);
  const t1 = q.scale
    .mul(Math.sqrt(Math.PI * 2))
    .div(common_term)
    .log();
  const t2 = common_term.pow(2).div(12);
  const t3 = p.high.add(p.low).sub(q.loc.mul(2)).div(2).pow(2);
  return t1.add(t2.add(t3).mul(0.5).div(q.scale.pow(2)));
});
