/**
 * @file The multivariate normal distribution with a low-rank plus diagonal covariance: `cov_factor cov_factor^T + diag(cov_diag)`.
 * @mirrors torch/distributions/lowrank_multivariate_normal.py
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { having, THPSize_repr, with_method } from "#torch/_C";
import { Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes, lazy_property } from "./class_attributes.ts";
import { type Constraint, independent, positive, real, real_vector } from "./constraints.ts";
import { Distribution, def_distribution, type ExpandArgs, type SampleArgs, type ValueArgs } from "./distribution.ts";
import { _batch_mahalanobis, _batch_mv } from "./multivariate_normal.ts";
import { _standard_normal, type Size } from "./utils.ts";

/** Adds 1 to the diagonals of `K`, in place. */
function add_identity_(K: Tensor, n: number): Tensor {
  K.view(-1, n * n)
    .at(torch.slice(), torch.slice(null, null, n + 1))
    .add_(1);
  return K;
}

/** The Cholesky factor of the capacitance matrix `I + W^T D^-1 W`.   `(*, n, m), (*, n) -> (*, m, m)` */
function _batch_capacitance_tril(W: Tensor, D: Tensor): Tensor {
  const Wt_Dinv = W.mT.div(D.unsqueeze(-2));
  return torch.linalg.cholesky(add_identity_(torch.matmul(Wt_Dinv, W).contiguous(), W.size(-1)));
}

/** `log |W W^T + D|`, computed from the determinant of the capacitance matrix. */
export function _batch_lowrank_logdet(_W: Tensor, D: Tensor, capacitance_tril: Tensor): Tensor {
  return capacitance_tril.diagonal({ dim1: -2, dim2: -1 }).log().sum(-1).mul(2).add(D.log().sum(-1));
}

/** `x^T (W W^T + D)^-1 x`, computed by the Woodbury identity. */
export function _batch_lowrank_mahalanobis(W: Tensor, D: Tensor, x: Tensor, capacitance_tril: Tensor): Tensor {
  const Wt_Dinv_x = _batch_mv(W.mT.div(D.unsqueeze(-2)), x);
  const mahalanobis_term1 = x.pow(2).div(D).sum(-1);
  return mahalanobis_term1.sub(_batch_mahalanobis(capacitance_tril, Wt_Dinv_x));
}

const LowRankMultivariateNormal_init = new Init(
  "LowRankMultivariateNormal.__init__(self, loc, cov_factor, cov_diag, validate_args=None)",
  types<[loc: Tensor, cov_factor: Tensor, cov_diag: Tensor, validate_args: boolean | null]>,
);

/**
 * Multivariate normal distribution around `loc`. All computations use matrices of the size of the rank, the number of columns of
 * `cov_factor`.
 */
export class LowRankMultivariateNormal extends Distribution {
  static override readonly __module__: string = "torch.distributions.lowrank_multivariate_normal";
  declare loc: Tensor;
  declare cov_factor: Tensor;
  declare cov_diag: Tensor;
  declare _unbroadcasted_cov_factor: Tensor;
  declare _unbroadcasted_cov_diag: Tensor;
  declare _capacitance_tril: Tensor;
  declare readonly scale_tril: Tensor;
  declare readonly covariance_matrix: Tensor;
  declare readonly precision_matrix: Tensor;

  static {
    class_attributes(LowRankMultivariateNormal, { support: real_vector, has_rsample: true });
    lazy_property(LowRankMultivariateNormal, "variance", (self) => self._compute_variance());
    lazy_property(LowRankMultivariateNormal, "scale_tril", (self) => self._compute_scale_tril());
    lazy_property(LowRankMultivariateNormal, "covariance_matrix", (self) => self._compute_covariance_matrix());
    lazy_property(LowRankMultivariateNormal, "precision_matrix", (self) => self._compute_precision_matrix());
    def_distribution(LowRankMultivariateNormal, LowRankMultivariateNormal_init);
  }

  static override get arg_constraints(): Readonly<Record<string, Constraint>> {
    return { loc: real_vector, cov_factor: independent(real, 2), cov_diag: independent(positive, 1) };
  }

  override get arg_constraints(): Readonly<Record<string, Constraint>> {
    return LowRankMultivariateNormal.arg_constraints;
  }

  constructor(...args: InitArgs<typeof LowRankMultivariateNormal_init>) {
    const [loc, cov_factor, cov_diag, validate_args] = LowRankMultivariateNormal_init.bind(args);
    if (with_method(loc, "dim").dim() < 1) throw new ValueError("loc must be at least one-dimensional.");
    const event_shape = loc.shape.slice(-1);
    const [n] = event_shape;
    if (with_method(cov_factor, "dim").dim() < 2)
      throw new ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions");
    if (cov_factor.shape.at(-2) !== n)
      throw new ValueError(`cov_factor must be a batch of matrices with shape ${n} x m`);
    if (having(cov_diag, "shape").shape.at(-1) !== n)
      throw new ValueError(`cov_diag must be a batch of vectors with shape ${THPSize_repr(event_shape)}`);
    super();
    const [loc_, factor, diag] = broadcast_columns(loc, cov_factor, cov_diag);
    this.cov_factor = factor;
    this.loc = loc_.at("...", 0);
    this.cov_diag = diag.at("...", 0);
    this._unbroadcasted_cov_factor = cov_factor;
    this._unbroadcasted_cov_diag = cov_diag;
    this._capacitance_tril = _batch_capacitance_tril(cov_factor, cov_diag);
    super.__init__(this.loc.shape.slice(0, -1), event_shape, validate_args);
  }

  override expand(...args: ExpandArgs): this;
  override expand(batch_shape: Size, _instance: Distribution | null): Distribution {
    const new_ = this._get_checked_instance(LowRankMultivariateNormal, _instance);
    const shape = torch.Size(batch_shape);
    const loc_shape = [...shape, ...this._event_shape];
    new_.loc = this.loc.expand(loc_shape);
    new_.cov_diag = this.cov_diag.expand(loc_shape);
    new_.cov_factor = this.cov_factor.expand([...loc_shape, this.cov_factor.size(-1)]);
    new_._unbroadcasted_cov_factor = this._unbroadcasted_cov_factor;
    new_._unbroadcasted_cov_diag = this._unbroadcasted_cov_diag;
    new_._capacitance_tril = this._capacitance_tril;
    return this._expanded(new_, shape);
  }

  override get mean(): Tensor {
    return this.loc;
  }

  override get mode(): Tensor {
    return this.loc;
  }

  /** A matrix expanded to the batch. */
  private _of_batch(matrix: Tensor): Tensor {
    return matrix.expand([...this._batch_shape, ...this._event_shape, ...this._event_shape]);
  }

  private _compute_variance(): Tensor {
    const variances = this._unbroadcasted_cov_factor.pow(2).sum(-1).add(this._unbroadcasted_cov_diag);
    return variances.expand([...this._batch_shape, ...this._event_shape]);
  }

  // W W^T + D = sqrt(D) (I + sqrt(D)^-1 W W^T sqrt(D)^-1) sqrt(D); the matrix in the middle has no eigenvalue below 1.
  private _compute_scale_tril(): Tensor {
    const cov_diag_sqrt = this._unbroadcasted_cov_diag.sqrt().unsqueeze(-1);
    const Dinvsqrt_W = this._unbroadcasted_cov_factor.div(cov_diag_sqrt);
    const K = add_identity_(torch.matmul(Dinvsqrt_W, Dinvsqrt_W.mT).contiguous(), this._event_shape[0]);
    return this._of_batch(cov_diag_sqrt.mul(torch.linalg.cholesky(K)));
  }

  private _compute_covariance_matrix(): Tensor {
    const W = this._unbroadcasted_cov_factor;
    return this._of_batch(torch.matmul(W, W.mT).add(torch.diag_embed(this._unbroadcasted_cov_diag)));
  }

  // D^-1 - D^-1 W C^-1 W^T D^-1, where C is the capacitance
  private _compute_precision_matrix(): Tensor {
    const Wt_Dinv = this._unbroadcasted_cov_factor.mT.div(this._unbroadcasted_cov_diag.unsqueeze(-2));
    const A = torch.linalg.solve_triangular(this._capacitance_tril, Wt_Dinv, { upper: false });
    return this._of_batch(torch.diag_embed(this._unbroadcasted_cov_diag.reciprocal()).sub(torch.matmul(A.mT, A)));
  }

  override rsample(...args: SampleArgs): Tensor;
  override rsample(sample_shape: Size): Tensor {
    const shape = this._extended_shape(sample_shape);
    const W_shape = [...shape.slice(0, -1), this.cov_factor.size(-1)];
    const eps_W = _standard_normal(W_shape, this.loc);
    const eps_D = _standard_normal(shape, this.loc);
    return this.loc
      .add(_batch_mv(this._unbroadcasted_cov_factor, eps_W))
      .add(this._unbroadcasted_cov_diag.sqrt().mul(eps_D));
  }

  private get _log_det(): Tensor {
    return _batch_lowrank_logdet(this._unbroadcasted_cov_factor, this._unbroadcasted_cov_diag, this._capacitance_tril);
  }

  override log_prob(...args: ValueArgs): Tensor;
  override log_prob(value: Tensor): Tensor {
    if (this._validate_args) this._validate_sample(value);
    const M = _batch_lowrank_mahalanobis(
      this._unbroadcasted_cov_factor,
      this._unbroadcasted_cov_diag,
      value.sub(this.loc),
      this._capacitance_tril,
    );
    const constant = this._event_shape[0] * Math.log(2 * Math.PI);
    return this._log_det.add(constant).add(M).mul(-0.5);
  }

  override entropy(): Tensor {
    const H = this._log_det.add(this._event_shape[0] * (1 + Math.log(2 * Math.PI))).mul(0.5);
    return this._batch_shape.length === 0 ? H : H.expand(this._batch_shape);
  }
}

/** The three parameters expanded to one batch shape; vectors become matrices of one column. */
function broadcast_columns(loc: Tensor, cov_factor: Tensor, cov_diag: Tensor): Tensor[] {
  try {
    return torch.broadcast_tensors(loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1));
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    const [a, b, c] = [loc, cov_factor, cov_diag].map((x) => THPSize_repr(x.shape));
    throw new ValueError(`Incompatible batch shapes: loc ${a}, cov_factor ${b}, cov_diag ${c}`);
  }
}
