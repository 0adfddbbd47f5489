/**
 * @file Kullback-Leibler divergences between distributions of different families.
 * @mirrors torch/distributions/kl.py#_kl_bernoulli_poisson
 */
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Bernoulli } from "#torch/distributions/bernoulli";
import { Beta } from "#torch/distributions/beta";
import { Binomial } from "#torch/distributions/binomial";
import { ContinuousBernoulli } from "#torch/distributions/continuous_bernoulli";
import type { Distribution } from "#torch/distributions/distribution";
import { Exponential } from "#torch/distributions/exponential";
import { Gamma } from "#torch/distributions/gamma";
import { Gumbel } from "#torch/distributions/gumbel";
import { Laplace } from "#torch/distributions/laplace";
import { Normal } from "#torch/distributions/normal";
import { Pareto } from "#torch/distributions/pareto";
import { Poisson } from "#torch/distributions/poisson";
import { Uniform } from "#torch/distributions/uniform";
import { euler_constant as _euler_gamma } from "#torch/distributions/utils";
import { own_pairs, register_kl } from "./index.ts";

type Class<D> = Function & { readonly prototype: D };

/** Registers pairs with an infinite divergence: each of `types_q` lacks values that `type_p` can draw. */
function register_infinite<P extends Distribution>(
  type_p: Class<P>,
  types_q: readonly Class<Distribution>[],
  parameter: (p: P) => Tensor,
): void {
  for (const type_q of types_q)
    register_kl(type_p, type_q)((p) => torch.full_like(parameter(p), Number.POSITIVE_INFINITY));
}

function _kl_bernoulli_poisson(p: Bernoulli, q: Poisson): Tensor {
  return p.entropy().neg().sub(p.probs.mul(q.rate.log()).sub(q.rate));
}

function _kl_beta_continuous_bernoulli(p: Beta, q: ContinuousBernoulli): Tensor {
  return p.entropy().neg().sub(p.mean.mul(q.logits)).sub(torch.log1p(q.probs.neg())).sub(q._cont_bern_log_norm());
}

function _kl_beta_exponential(p: Beta, q: Exponential): Tensor {
  return p.entropy().neg().sub(q.rate.log()).add(q.rate.mul(p.mean));
}

function _kl_beta_gamma(p: Beta, q: Gamma): Tensor {
  const t1 = p.entropy().neg();
  const t2 = q.concentration.lgamma().sub(q.concentration.mul(q.rate.log()));
  const total = p.concentration1.add(p.concentration0);
  const t3 = q.concentration.sub(1).mul(p.concentration1.digamma().sub(total.digamma()));
  const t4 = q.rate.mul(p.concentration1).div(total);
  return t1.add(t2).sub(t3).add(t4);
}

function _kl_beta_normal(p: Beta, q: Normal): Tensor {
  const E_beta = p.mean;
  const var_normal = q.scale.pow(2);
  const t1 = p.entropy().neg();
  const t2 = var_normal.mul(2).mul(Math.PI).log().mul(0.5);
  const var_beta = E_beta.mul(E_beta.__rsub__(1)).div(p.concentration1.add(p.concentration0).add(1));
  const t3 = var_beta.add(E_beta.pow(2)).mul(0.5);
  const t4 = q.loc.mul(E_beta);
  const t5 = q.loc.pow(2).mul(0.5);
  return t1.add(t2).add(t3.sub(t4).add(t5).div(var_normal));
}

function _kl_beta_uniform(p: Beta, q: Uniform): Tensor {
  const result = p.entropy().neg().add(q.high.sub(q.low).log());
  return result.set_at(Number.POSITIVE_INFINITY, q.low.gt(0).bitwise_or(q.high.lt(1)));
}

function _kl_continuous_bernoulli_exponential(p: ContinuousBernoulli, q: Exponential): Tensor {
  return p.entropy().neg().sub(torch.log(q.rate)).add(q.rate.mul(p.mean));
}

function _kl_continuous_bernoulli_normal(p: ContinuousBernoulli, q: Normal): Tensor {
  const t1 = p.entropy().neg();
  const t2 = torch
    .square(q.loc.div(q.scale))
    .add(Math.log(2 * Math.PI))
    .mul(0.5)
    .add(torch.log(q.scale));
  const t3 = p.variance.add(torch.square(p.mean)).sub(q.loc.mul(2).mul(p.mean)).div(torch.square(q.scale).mul(2));
  return t1.add(t2).add(t3);
}

function _kl_continuous_bernoulli_uniform(p: ContinuousBernoulli, q: Uniform): Tensor {
  const result = p.entropy().neg().add(q.high.sub(q.low).log());
  return infinite_where(torch.max(torch.ge(q.low, 0), torch.le(q.high, 1)), result);
}

/** `result`, but infinite where `outside` is true. */
function infinite_where(outside: Tensor, result: Tensor): Tensor {
  return torch.where(outside, torch.ones_like(result).mul(Number.POSITIVE_INFINITY), result);
}

function _kl_exponential_gamma(p: Exponential, q: Gamma): Tensor {
  const ratio = q.rate.div(p.rate);
  const t1 = q.concentration.neg().mul(torch.log(ratio));
  return t1
    .add(ratio)
    .add(q.concentration.lgamma())
    .add(q.concentration.mul(_euler_gamma))
    .sub(1 + _euler_gamma);
}

function _kl_exponential_gumbel(p: Exponential, q: Gumbel): Tensor {
  const scale_rate_prod = p.rate.mul(q.scale);
  const loc_scale_ratio = q.loc.div(q.scale);
  const t1 = scale_rate_prod.log().sub(1);
  const t2 = torch.exp(loc_scale_ratio).mul(scale_rate_prod).div(scale_rate_prod.add(1));
  return t1.sub(loc_scale_ratio).add(t2).add(scale_rate_prod.reciprocal());
}

function _kl_exponential_normal(p: Exponential, q: Normal): Tensor {
  const var_normal = q.scale.pow(2);
  const rate_sqr = p.rate.pow(2);
  const t1 = torch.log(rate_sqr.mul(var_normal).mul(2).mul(Math.PI)).mul(0.5);
  const t2 = rate_sqr.reciprocal();
  const t3 = q.loc.div(p.rate);
  const t4 = q.loc.pow(2).mul(0.5);
  return t1.sub(1).add(t2.sub(t3).add(t4).div(var_normal));
}

function _kl_gamma_exponential(p: Gamma, q: Exponential): Tensor {
  return p.entropy().neg().sub(q.rate.log()).add(q.rate.mul(p.concentration).div(p.rate));
}

function _kl_gamma_gumbel(p: Gamma, q: Gumbel): Tensor {
  const beta_scale_prod = p.rate.mul(q.scale);
  const loc_scale_ratio = q.loc.div(q.scale);
  const shape = p.concentration;
  const t1 = shape.sub(1).mul(shape.digamma()).sub(shape.lgamma()).sub(shape);
  const t2 = beta_scale_prod.log().add(shape.div(beta_scale_prod));
  const powers = beta_scale_prod.reciprocal().add(1).pow(shape.neg());
  const t3 = torch.exp(loc_scale_ratio).mul(powers).sub(loc_scale_ratio);
  return t1.add(t2).add(t3);
}

function _kl_gamma_normal(p: Gamma, q: Normal): Tensor {
  const var_normal = q.scale.pow(2);
  const beta_sqr = p.rate.pow(2);
  const shape = p.concentration;
  const t1 = torch.log(beta_sqr.mul(var_normal).mul(2).mul(Math.PI)).mul(0.5).sub(shape).sub(shape.lgamma());
  const t2 = shape.pow(2).add(shape).mul(0.5).div(beta_sqr);
  const t3 = q.loc.mul(shape).div(p.rate);
  const t4 = q.loc.pow(2).mul(0.5);
  return t1.add(shape.sub(1).mul(shape.digamma())).add(t2.sub(t3).add(t4).div(var_normal));
}

function _kl_gumbel_normal(p: Gumbel, q: Normal): Tensor {
  const param_ratio = p.scale.div(q.scale);
  const t1 = param_ratio.div(Math.sqrt(2 * Math.PI)).log();
  const t2 = param_ratio.mul(Math.PI).mul(0.5).pow(2).div(3);
  const t3 = p.loc.add(p.scale.mul(_euler_gamma)).sub(q.loc).div(q.scale).pow(2).mul(0.5);
  return t1
    .neg()
    .add(t2)
    .add(t3)
    .sub(_euler_gamma + 1);
}

function _kl_laplace_normal(p: Laplace, q: Normal): Tensor {
  const var_normal = q.scale.pow(2);
  const scale_sqr_var_ratio = p.scale.pow(2).div(var_normal);
  const t1 = torch.log(scale_sqr_var_ratio.mul(2).div(Math.PI)).mul(0.5);
  const t2 = p.loc.pow(2).mul(0.5);
  const t3 = p.loc.mul(q.loc);
  const t4 = q.loc.pow(2).mul(0.5);
  return t1.neg().add(scale_sqr_var_ratio).add(t2.sub(t3).add(t4).div(var_normal)).sub(1);
}

function _kl_normal_gumbel(p: Normal, q: Gumbel): Tensor {
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
}

function _kl_normal_laplace(p: Normal, q: Laplace): Tensor {
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
}

function _kl_pareto_exponential(p: Pareto, q: Exponential): Tensor {
  const scale_rate_prod = p.scale.mul(q.rate);
  const t1 = p.alpha.div(scale_rate_prod).log();
  const t2 = p.alpha.reciprocal();
  const t3 = p.alpha.mul(scale_rate_prod).div(p.alpha.sub(1));
  return t1.sub(t2).add(t3).sub(1).set_at(Number.POSITIVE_INFINITY, p.alpha.le(1));
}

function _kl_pareto_gamma(p: Pareto, q: Gamma): Tensor {
  const common_term = p.scale.log().add(p.alpha.reciprocal());
  const t1 = p.alpha.log().sub(common_term);
  const t2 = q.concentration.lgamma().sub(q.concentration.mul(q.rate.log()));
  const t3 = q.concentration.__rsub__(1).mul(common_term);
  const t4 = q.rate.mul(p.alpha).mul(p.scale).div(p.alpha.sub(1));
  return t1.add(t2).add(t3).add(t4).sub(1).set_at(Number.POSITIVE_INFINITY, p.alpha.le(1));
}

function _kl_pareto_normal(p: Pareto, q: Normal): Tensor {
  const var_normal = q.scale.pow(2).mul(2);
  const common_term = p.scale.div(p.alpha.sub(1));
  const t1 = q.scale
    .mul(Math.sqrt(2 * Math.PI))
    .mul(p.alpha)
    .div(p.scale)
    .log();
  const t2 = p.alpha.reciprocal();
  const t3 = p.alpha.mul(common_term.pow(2)).div(p.alpha.sub(2));
  const t4 = p.alpha.mul(common_term).sub(q.loc).pow(2);
  const result = t1.sub(t2).add(t3.add(t4).div(var_normal)).sub(1);
  return result.set_at(Number.POSITIVE_INFINITY, p.alpha.le(2));
}

/** `high log(high) - low log(low)`, with 0 log(0) = 0. */
function x_log_x_between(high: Tensor, low: Tensor): Tensor {
  return torch.special.xlogy(high, high).sub(torch.special.xlogy(low, low));
}

function _kl_uniform_beta(p: Uniform, q: Beta): Tensor {
  const common_term = p.high.sub(p.low);
  const t1 = torch.log(common_term);
  const logs = x_log_x_between(p.high, p.low).sub(common_term);
  const t2 = q.concentration1.sub(1).mul(logs).div(common_term);
  const mirrored = x_log_x_between(p.high.__rsub__(1), p.low.__rsub__(1)).add(common_term);
  const t3 = q.concentration0.sub(1).mul(mirrored).div(common_term);
  const log_gammas = q.concentration1.lgamma().add(q.concentration0.lgamma());
  const t4 = log_gammas.sub(q.concentration1.add(q.concentration0).lgamma());
  const result = t3.add(t4).sub(t1).sub(t2);
  return result.set_at(Number.POSITIVE_INFINITY, p.high.gt(1).bitwise_or(p.low.lt(0)));
}

function _kl_uniform_continuous_bernoulli(p: Uniform, q: ContinuousBernoulli): Tensor {
  const result = p.entropy().neg().sub(p.mean.mul(q.logits)).sub(torch.log1p(q.probs.neg()));
  const outside = torch.max(torch.ge(p.high, 1), torch.le(p.low, 0));
  return infinite_where(outside, result.sub(q._cont_bern_log_norm()));
}

function _kl_uniform_gamma(p: Uniform, q: Gamma): Tensor {
  const common_term = p.high.sub(p.low);
  const t2 = q.concentration.lgamma().sub(q.concentration.mul(q.rate.log()));
  const logs = x_log_x_between(p.high, p.low).sub(common_term);
  const t3 = q.concentration.__rsub__(1).mul(logs).div(common_term);
  const t4 = q.rate.mul(p.high.add(p.low)).div(2);
  const result = common_term.log().neg().add(t2).add(t3).add(t4);
  return result.set_at(Number.POSITIVE_INFINITY, p.low.lt(0));
}

function _kl_uniform_exponential(p: Uniform, q: Exponential): Tensor {
  const result = q.rate.mul(p.high.add(p.low)).div(2).sub(p.high.sub(p.low).mul(q.rate).log());
  return result.set_at(Number.POSITIVE_INFINITY, p.low.lt(0));
}

function _kl_uniform_gumbel(p: Uniform, q: Gumbel): Tensor {
  const common_term = q.scale.div(p.high.sub(p.low));
  const high_loc_diff = p.high.sub(q.loc).div(q.scale);
  const low_loc_diff = p.low.sub(q.loc).div(q.scale);
  const t1 = common_term.log().add(high_loc_diff.add(low_loc_diff).mul(0.5));
  const t2 = common_term.mul(torch.exp(high_loc_diff.neg()).sub(torch.exp(low_loc_diff.neg())));
  return t1.sub(t2);
}

function _kl_uniform_normal(p: Uniform, q: Normal): Tensor {
  const common_term = p.high.sub(p.low);
  const t1 = q.scale
    .mul(Math.sqrt(Math.PI * 2))
    .div(common_term)
    .log();
  const t2 = common_term.pow(2).div(12);
  const t3 = p.high.add(p.low).sub(q.loc.mul(2)).div(2).pow(2);
  return t1.add(t2.add(t3).mul(0.5).div(q.scale.pow(2)));
}

function _kl_uniform_pareto(p: Uniform, q: Pareto): Tensor {
  const support_uniform = p.high.sub(p.low);
  const t1 = q.alpha.mul(q.scale.pow(q.alpha)).mul(support_uniform).log();
  const t2 = x_log_x_between(p.high, p.low).sub(support_uniform).div(support_uniform);
  const result = t2.mul(q.alpha.add(1)).sub(t1);
  return result.set_at(Number.POSITIVE_INFINITY, p.low.lt(q.scale));
}

own_pairs(() => {
  register_kl(Bernoulli, Poisson)(_kl_bernoulli_poisson);
  register_kl(Beta, ContinuousBernoulli)(_kl_beta_continuous_bernoulli);
  register_infinite(Beta, [Pareto], (p) => p.concentration1);
  register_kl(Beta, Exponential)(_kl_beta_exponential);
  register_kl(Beta, Gamma)(_kl_beta_gamma);
  register_kl(Beta, Normal)(_kl_beta_normal);
  register_kl(Beta, Uniform)(_kl_beta_uniform);
  register_infinite(ContinuousBernoulli, [Pareto], (p) => p.probs);
  register_kl(ContinuousBernoulli, Exponential)(_kl_continuous_bernoulli_exponential);
  register_kl(ContinuousBernoulli, Normal)(_kl_continuous_bernoulli_normal);
  register_kl(ContinuousBernoulli, Uniform)(_kl_continuous_bernoulli_uniform);
  register_infinite(Exponential, [Beta, ContinuousBernoulli, Pareto, Uniform], (p) => p.rate);
  register_kl(Exponential, Gamma)(_kl_exponential_gamma);
  register_kl(Exponential, Gumbel)(_kl_exponential_gumbel);
  register_kl(Exponential, Normal)(_kl_exponential_normal);
  register_infinite(Gamma, [Beta, ContinuousBernoulli, Pareto, Uniform], (p) => p.concentration);
  register_kl(Gamma, Exponential)(_kl_gamma_exponential);
  register_kl(Gamma, Gumbel)(_kl_gamma_gumbel);
  register_kl(Gamma, Normal)(_kl_gamma_normal);
  register_infinite(Gumbel, [Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform], (p) => p.loc);
  register_kl(Gumbel, Normal)(_kl_gumbel_normal);
  register_infinite(Laplace, [Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform], (p) => p.loc);
  register_kl(Laplace, Normal)(_kl_laplace_normal);
  register_infinite(Normal, [Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform], (p) => p.loc);
  register_kl(Normal, Gumbel)(_kl_normal_gumbel);
  register_kl(Normal, Laplace)(_kl_normal_laplace);
  register_infinite(Pareto, [Beta, ContinuousBernoulli, Uniform], (p) => p.scale);
  register_kl(Pareto, Exponential)(_kl_pareto_exponential);
  register_kl(Pareto, Gamma)(_kl_pareto_gamma);
  register_kl(Pareto, Normal)(_kl_pareto_normal);
  register_infinite(Poisson, [Bernoulli, Binomial], (p) => p.rate);
  register_kl(Uniform, Beta)(_kl_uniform_beta);
  register_kl(Uniform, ContinuousBernoulli)(_kl_uniform_continuous_bernoulli);
  register_kl(Uniform, Gamma)(_kl_uniform_gamma);
  register_kl(Uniform, Exponential)(_kl_uniform_exponential);
  register_kl(Uniform, Gumbel)(_kl_uniform_gumbel);
  register_kl(Uniform, Normal)(_kl_uniform_normal);
  register_kl(Uniform, Pareto)(_kl_uniform_pareto);
});
