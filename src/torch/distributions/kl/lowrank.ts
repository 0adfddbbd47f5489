/**
 * @file Kullback-Leibler divergences between multivariate normal distributions, one or both with a low-rank covariance.
 * @mirrors torch/distributions/kl.py#_kl_lowrankmultivariatenormal_lowrankmultivariatenormal
 */
import { ValueError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { Distribution } from "#torch/distributions/distribution";
import {
  _batch_lowrank_logdet,
  _batch_lowrank_mahalanobis,
  LowRankMultivariateNormal,
} from "#torch/distributions/lowrank_multivariate_normal";
import { _batch_mahalanobis, MultivariateNormal } from "#torch/distributions/multivariate_normal";
import { own_pairs, register_kl } from "./index.ts";
import { _batch_trace_XXT } from "./same.ts";

/** The event size of both distributions. */
function common_size(p: Distribution, q: Distribution, who: string): number {
  const [n] = p.event_shape;
  if (n !== q.event_shape[0])
    throw new ValueError(
      `KL-divergence between two ${who} with${" ".repeat(26)}different event shapes cannot be computed`,
    );
  return n;
}

/** `log |covariance|`. */
function log_det(d: LowRankMultivariateNormal): Tensor {
  return _batch_lowrank_logdet(d._unbroadcasted_cov_factor, d._unbroadcasted_cov_diag, d._capacitance_tril);
}

/** `log |covariance|`. */
function full_log_det(d: MultivariateNormal): Tensor {
  return d._unbroadcasted_scale_tril.diagonal({ dim1: -2, dim2: -1 }).log().sum(-1).mul(2);
}

function mahalanobis(q: LowRankMultivariateNormal, p_loc: Tensor): Tensor {
  const { _unbroadcasted_cov_factor: W, _unbroadcasted_cov_diag: D } = q;
  return _batch_lowrank_mahalanobis(W, D, q.loc.sub(p_loc), q._capacitance_tril);
}

/** `A` in `qcov^-1 = qD^-1 - A^T A`. */
function _correction(q: LowRankMultivariateNormal): Tensor {
  const qWt_qDinv = q._unbroadcasted_cov_factor.mT.div(q._unbroadcasted_cov_diag.unsqueeze(-2));
  return torch.linalg.solve_triangular(q._capacitance_tril, qWt_qDinv, { upper: false });
}

/**
 * Half of the sum of: the difference of the log-determinants, the trace of `qcov^-1 pcov`, and the squared distance of the means, minus n.
 */
function half_sum(term1: Tensor, term2: Tensor, term3: Tensor, n: number): Tensor {
  return term1.add(term2).add(term3).sub(n).mul(0.5);
}

function _kl_lowrankmultivariatenormal_lowrankmultivariatenormal(
  p: LowRankMultivariateNormal,
  q: LowRankMultivariateNormal,
): Tensor {
  const n = common_size(p, q, "Low Rank Multivariate Normals");
  const A = _correction(q);
  const { _unbroadcasted_cov_factor: pW, _unbroadcasted_cov_diag: pD } = p;
  const qD = q._unbroadcasted_cov_diag;
  const term21 = pD.div(qD).sum(-1);
  const term22 = _batch_trace_XXT(pW.mul(qD.rsqrt().unsqueeze(-1)));
  const term23 = _batch_trace_XXT(A.mul(pD.sqrt().unsqueeze(-2)));
  const term24 = _batch_trace_XXT(A.matmul(pW));
  const term2 = term21.add(term22).sub(term23).sub(term24);
  return half_sum(log_det(q).sub(log_det(p)), term2, mahalanobis(q, p.loc), n);
}

function _kl_multivariatenormal_lowrankmultivariatenormal(p: MultivariateNormal, q: LowRankMultivariateNormal): Tensor {
  const n = common_size(p, q, "(Low Rank) Multivariate Normals");
  const A = _correction(q);
  const p_tril = p._unbroadcasted_scale_tril;
  const term21 = _batch_trace_XXT(p_tril.mul(q._unbroadcasted_cov_diag.rsqrt().unsqueeze(-1)));
  const term22 = _batch_trace_XXT(A.matmul(p_tril));
  return half_sum(log_det(q).sub(full_log_det(p)), term21.sub(term22), mahalanobis(q, p.loc), n);
}

function _kl_lowrankmultivariatenormal_multivariatenormal(p: LowRankMultivariateNormal, q: MultivariateNormal): Tensor {
  const n = common_size(p, q, "(Low Rank) Multivariate Normals");
  const q_tril = q._unbroadcasted_scale_tril;
  const { _unbroadcasted_cov_factor: pW, _unbroadcasted_cov_diag: pD } = p;
  const batch = torch.broadcast_shapes(q_tril.shape.slice(0, -2), pW.shape.slice(0, -2));
  const trace = (matrix: Tensor, columns: number): Tensor =>
    _batch_trace_XXT(
      torch.linalg.solve_triangular(q_tril.expand([...batch, n, n]), matrix.expand([...batch, n, columns]), {
        upper: false,
      }),
    );
  const term2 = trace(pW, p.cov_factor.size(-1)).add(trace(torch.diag_embed(pD.sqrt()), n));
  const term3 = _batch_mahalanobis(q_tril, q.loc.sub(p.loc));
  return half_sum(full_log_det(q).sub(log_det(p)), term2, term3, n);
}

own_pairs(() => {
  register_kl(
    LowRankMultivariateNormal,
    LowRankMultivariateNormal,
  )(_kl_lowrankmultivariatenormal_lowrankmultivariatenormal);
  register_kl(MultivariateNormal, LowRankMultivariateNormal)(_kl_multivariatenormal_lowrankmultivariatenormal);
  register_kl(LowRankMultivariateNormal, MultivariateNormal)(_kl_lowrankmultivariatenormal_multivariatenormal);
});
