/**
 * @file Kullback-Leibler divergences between two distributions of one family.
 * @mirrors torch/distributions/kl.py#_kl_normal_normal
 */
import { NotImplementedError, ValueError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Bernoulli } from "#torch/distributions/bernoulli";
import { Beta } from "#torch/distributions/beta";
import { Binomial } from "#torch/distributions/binomial";
import { Categorical } from "#torch/distributions/categorical";
import { Cauchy } from "#torch/distributions/cauchy";
import { ContinuousBernoulli } from "#torch/distributions/continuous_bernoulli";
import { Dirichlet } from "#torch/distributions/dirichlet";
import { ExponentialFamily } from "#torch/distributions/exp_family";
import { Exponential } from "#torch/distributions/exponential";
import { Gamma } from "#torch/distributions/gamma";
import { Geometric } from "#torch/distributions/geometric";
import { Gumbel } from "#torch/distributions/gumbel";
import { HalfNormal } from "#torch/distributions/half_normal";
import { Independent } from "#torch/distributions/independent";
import { Laplace } from "#torch/distributions/laplace";
import { _batch_mahalanobis, MultivariateNormal } from "#torch/distributions/multivariate_normal";
import { Normal } from "#torch/distributions/normal";
import { OneHotCategorical } from "#torch/distributions/one_hot_categorical";
import { Pareto } from "#torch/distributions/pareto";
import { Poisson } from "#torch/distributions/poisson";
import { TransformedDistribution } from "#torch/distributions/transformed_distribution";
import { same_transforms } from "#torch/distributions/transforms/base";
import { Uniform } from "#torch/distributions/uniform";
import { euler_constant as _euler_gamma, _sum_rightmost } from "#torch/distributions/utils";
import * as F from "#torch/nn/functional/index";
import { kl_divergence, own_pairs, register_kl } from "./index.ts";

const inf = Number.POSITIVE_INFINITY;

// Values with probability 0 under p contribute 0; values with probability 0 under q only contribute infinity.
function _kl_bernoulli_bernoulli(p: Bernoulli, q: Bernoulli): Tensor {
  const t1 = p.probs.mul(F.softplus(q.logits.neg()).sub(F.softplus(p.logits.neg())));
  t1.set_at(inf, q.probs.eq(0)).set_at(0, p.probs.eq(0));
  const t2 = p.probs.__rsub__(1).mul(F.softplus(q.logits).sub(F.softplus(p.logits)));
  t2.set_at(inf, q.probs.eq(1)).set_at(0, p.probs.eq(1));
  return t1.add(t2);
}

function _kl_beta_beta(p: Beta, q: Beta): Tensor {
  const sum_params_p = p.concentration1.add(p.concentration0);
  const sum_params_q = q.concentration1.add(q.concentration0);
  const t1 = q.concentration1.lgamma().add(q.concentration0.lgamma()).add(sum_params_p.lgamma());
  const t2 = p.concentration1.lgamma().add(p.concentration0.lgamma()).add(sum_params_q.lgamma());
  const t3 = p.concentration1.sub(q.concentration1).mul(torch.digamma(p.concentration1));
  const t4 = p.concentration0.sub(q.concentration0).mul(torch.digamma(p.concentration0));
  const t5 = sum_params_q.sub(sum_params_p).mul(torch.digamma(sum_params_p));
  return t1.sub(t2).add(t3).add(t4).add(t5);
}

function _kl_binomial_binomial(p: Binomial, q: Binomial): Tensor {
  if (p.total_count.lt(q.total_count).any().item())
    throw new NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented");
  const each = p.probs.mul(p.logits.sub(q.logits)).add(p.probs.neg().log1p()).sub(q.probs.neg().log1p());
  return p.total_count.mul(each).set_at(inf, p.total_count.gt(q.total_count));
}

function _kl_categorical_categorical(p: Categorical, q: Categorical): Tensor {
  const t = p.probs.mul(p.logits.sub(q.logits));
  t.set_at(inf, q.probs.eq(0).expand_as(t)).set_at(0, p.probs.eq(0).expand_as(t));
  return t.sum(-1);
}

function _kl_continuous_bernoulli_continuous_bernoulli(p: ContinuousBernoulli, q: ContinuousBernoulli): Tensor {
  const t1 = p.mean.mul(p.logits.sub(q.logits));
  const t2 = p._cont_bern_log_norm().add(torch.log1p(p.probs.neg()));
  const t3 = q._cont_bern_log_norm().neg().sub(torch.log1p(q.probs.neg()));
  return t1.add(t2).add(t3);
}

function _kl_dirichlet_dirichlet(p: Dirichlet, q: Dirichlet): Tensor {
  const sum_p_concentration = p.concentration.sum(-1);
  const t1 = sum_p_concentration.lgamma().sub(q.concentration.sum(-1).lgamma());
  const t2 = p.concentration.lgamma().sub(q.concentration.lgamma()).sum(-1);
  const t3 = p.concentration.sub(q.concentration);
  const t4 = p.concentration.digamma().sub(sum_p_concentration.digamma().unsqueeze(-1));
  return t1.sub(t2).add(t3.mul(t4).sum(-1));
}

function _kl_exponential_exponential(p: Exponential, q: Exponential): Tensor {
  const rate_ratio = q.rate.div(p.rate);
  return rate_ratio.log().neg().add(rate_ratio).sub(1);
}

// Computed as the Bregman divergence of the log normalizers.
function _kl_expfamily_expfamily(p: ExponentialFamily, q: ExponentialFamily): Tensor {
  if (p.constructor !== q.constructor)
    throw new NotImplementedError(
      `The cross KL-divergence between different exponential families cannot ${" ".repeat(28)}be computed using Bregman divergences`,
    );
  const [p_nparams, lg_normal, gradients] = p._normalizer_and_gradients();
  const q_nparams = q._natural_params;
  return p_nparams.reduce(
    (result, pnp, i) => result.sub(_sum_rightmost(q_nparams[i].sub(pnp).mul(gradients[i]), q.event_shape.length)),
    q._log_normalizer(...q_nparams).sub(lg_normal),
  );
}

function _kl_gamma_gamma(p: Gamma, q: Gamma): Tensor {
  const t1 = q.concentration.mul(p.rate.div(q.rate).log());
  const t2 = torch.lgamma(q.concentration).sub(torch.lgamma(p.concentration));
  const t3 = p.concentration.sub(q.concentration).mul(torch.digamma(p.concentration));
  const t4 = q.rate.sub(p.rate).mul(p.concentration.div(p.rate));
  return t1.add(t2).add(t3).add(t4);
}

function _kl_gumbel_gumbel(p: Gumbel, q: Gumbel): Tensor {
  const ct1 = p.scale.div(q.scale);
  const ct2 = q.loc.div(q.scale);
  const ct3 = p.loc.div(q.scale);
  const t1 = ct1.log().neg().sub(ct2).add(ct3);
  const t2 = ct1.mul(_euler_gamma);
  const t3 = torch.exp(ct2.add(ct1.add(1).lgamma()).sub(ct3));
  return t1
    .add(t2)
    .add(t3)
    .sub(1 + _euler_gamma);
}

function _kl_geometric_geometric(p: Geometric, q: Geometric): Tensor {
  return p.entropy().neg().sub(torch.log1p(q.probs.neg()).div(p.probs)).sub(q.logits);
}

function _kl_halfnormal_halfnormal(p: HalfNormal, q: HalfNormal): Tensor {
  return _kl_normal_normal(p.base_dist, q.base_dist);
}

function _kl_laplace_laplace(p: Laplace, q: Laplace): Tensor {
  const scale_ratio = p.scale.div(q.scale);
  const loc_abs_diff = p.loc.sub(q.loc).abs();
  const t2 = loc_abs_diff.div(q.scale);
  const t3 = scale_ratio.mul(torch.exp(loc_abs_diff.neg().div(p.scale)));
  return scale_ratio.log().neg().add(t2).add(t3).sub(1);
}

/** The trace of `X X^T`.   `(*, n, m) -> (*)` */
export function _batch_trace_XXT(bmat: Tensor): Tensor {
  const flat_trace = bmat
    .reshape(-1, bmat.size(-2) * bmat.size(-1))
    .pow(2)
    .sum(-1);
  return flat_trace.reshape(bmat.shape.slice(0, -2));
}

function _kl_multivariatenormal_multivariatenormal(p: MultivariateNormal, q: MultivariateNormal): Tensor {
  const [n] = p.event_shape;
  if (n !== q.event_shape[0])
    throw new ValueError(
      `KL-divergence between two Multivariate Normals with${" ".repeat(26)}different event shapes cannot be computed`,
    );
  const [p_tril, q_tril] = [p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril];
  const log_det = (tril: Tensor): Tensor => tril.diagonal({ dim1: -2, dim2: -1 }).log().sum(-1);
  const half_term1 = log_det(q_tril).sub(log_det(p_tril));
  const batch = torch.broadcast_shapes(q_tril.shape.slice(0, -2), p_tril.shape.slice(0, -2));
  const solved = torch.linalg.solve_triangular(q_tril.expand([...batch, n, n]), p_tril.expand([...batch, n, n]), {
    upper: false,
  });
  const term3 = _batch_mahalanobis(q_tril, q.loc.sub(p.loc));
  return half_term1.add(_batch_trace_XXT(solved).add(term3).sub(n).mul(0.5));
}

function _kl_normal_normal(p: Normal, q: Normal): Tensor {
  const var_ratio = p.scale.div(q.scale).pow(2);
  const t1 = p.loc.sub(q.loc).div(q.scale).pow(2);
  return var_ratio.add(t1).sub(1).sub(var_ratio.log()).mul(0.5);
}

function _kl_onehotcategorical_onehotcategorical(p: OneHotCategorical, q: OneHotCategorical): Tensor {
  return _kl_categorical_categorical(p._categorical, q._categorical);
}

function _kl_pareto_pareto(p: Pareto, q: Pareto): Tensor {
  const scale_ratio = p.scale.div(q.scale);
  const alpha_ratio = q.alpha.div(p.alpha);
  const t1 = q.alpha.mul(scale_ratio.log());
  return t1.sub(alpha_ratio.log()).add(alpha_ratio).sub(1).set_at(inf, p.scale.lt(q.scale));
}

function _kl_poisson_poisson(p: Poisson, q: Poisson): Tensor {
  return p.rate.mul(p.rate.log().sub(q.rate.log())).sub(p.rate.sub(q.rate));
}

// If both have the same transforms, the divergence equals that of the base distributions.
function _kl_transformed_transformed(p: TransformedDistribution, q: TransformedDistribution): Tensor {
  if (!same_transforms(p.transforms, q.transforms)) throw new NotImplementedError("");
  if (p.event_shape.join() !== q.event_shape.join()) throw new NotImplementedError("");
  return kl_divergence(p.base_dist, q.base_dist);
}

function _kl_uniform_uniform(p: Uniform, q: Uniform): Tensor {
  return q.high
    .sub(q.low)
    .div(p.high.sub(p.low))
    .log()
    .set_at(inf, q.low.gt(p.low).bitwise_or(q.high.lt(p.high)));
}

function _kl_independent_independent(p: Independent, q: Independent): Tensor {
  if (p.reinterpreted_batch_ndims !== q.reinterpreted_batch_ndims) throw new NotImplementedError("");
  return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims);
}

function _kl_cauchy_cauchy(p: Cauchy, q: Cauchy): Tensor {
  const t1 = p.scale.add(q.scale).pow(2).add(p.loc.sub(q.loc).pow(2)).log();
  return t1.sub(p.scale.mul(4).mul(q.scale).log());
}

own_pairs(() => {
  register_kl(Bernoulli, Bernoulli)(_kl_bernoulli_bernoulli);
  register_kl(Beta, Beta)(_kl_beta_beta);
  register_kl(Binomial, Binomial)(_kl_binomial_binomial);
  register_kl(Categorical, Categorical)(_kl_categorical_categorical);
  register_kl(ContinuousBernoulli, ContinuousBernoulli)(_kl_continuous_bernoulli_continuous_bernoulli);
  register_kl(Dirichlet, Dirichlet)(_kl_dirichlet_dirichlet);
  register_kl(Exponential, Exponential)(_kl_exponential_exponential);
  register_kl(ExponentialFamily, ExponentialFamily)(_kl_expfamily_expfamily);
  register_kl(Gamma, Gamma)(_kl_gamma_gamma);
  register_kl(Gumbel, Gumbel)(_kl_gumbel_gumbel);
  register_kl(Geometric, Geometric)(_kl_geometric_geometric);
  register_kl(HalfNormal, HalfNormal)(_kl_halfnormal_halfnormal);
  register_kl(Laplace, Laplace)(_kl_laplace_laplace);
  register_kl(MultivariateNormal, MultivariateNormal)(_kl_multivariatenormal_multivariatenormal);
  register_kl(Normal, Normal)(_kl_normal_normal);
  register_kl(OneHotCategorical, OneHotCategorical)(_kl_onehotcategorical_onehotcategorical);
  register_kl(Pareto, Pareto)(_kl_pareto_pareto);
  register_kl(Poisson, Poisson)(_kl_poisson_poisson);
  register_kl(TransformedDistribution, TransformedDistribution)(_kl_transformed_transformed);
  register_kl(Uniform, Uniform)(_kl_uniform_uniform);
  register_kl(Independent, Independent)(_kl_independent_independent);
  register_kl(Cauchy, Cauchy)(_kl_cauchy_cauchy);
});
