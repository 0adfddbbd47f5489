/**
 * @file Transforms to the simplex, to correlation matrices and to positive definite matrices.
 * @mirrors torch/distributions/transforms.py#StickBreakingTransform
 */
import { ValueError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { class_attributes } from "#torch/distributions/class_attributes";
import {
  type Constraint,
  corr_cholesky,
  independent,
  lower_cholesky,
  positive_definite,
  real,
  real_vector,
  simplex,
} from "#torch/distributions/constraints";
import { type Size, tril_matrix_to_vec, vec_to_tril_matrix } from "#torch/distributions/utils";
import * as F from "#torch/nn/functional/index";
import { def_transform, Transform } from "./base.ts";
import { _clipped_sigmoid } from "./pointwise.ts";

function refuse_fewer_dims(shape: Size, dims: number): void {
  if (shape.length < dims) throw new ValueError("Too few dimensions on input");
}

/** All elements except the last along the last dim. */
function without_last(x: Tensor): Tensor {
  return x.at("...", torch.slice(null, -1));
}

/**
 * Maps a vector of length `D * (D - 1) / 2` to the Cholesky factor of a correlation matrix with `D` rows: a signed stick-breaking in each
 * row, in which the squares sum to 1.
 */
export class CorrCholeskyTransform extends Transform {
  static {
    class_attributes(CorrCholeskyTransform, { domain: real_vector, codomain: corr_cholesky, bijective: true });
    def_transform(CorrCholeskyTransform, null, { log_abs_det_jacobian: "(self, x, y, intermediates=None)" });
  }

  override _call(x: Tensor): Tensor {
    const tanh = torch.tanh(x);
    const { eps } = torch.finfo(tanh.dtype);
    const r = vec_to_tril_matrix(tanh.clamp({ min: -1 + eps, max: 1 - eps }), -1);
    const z = r.pow(2);
    const z1m_cumprod_sqrt = z.__rsub__(1).sqrt().cumprod(-1);
    const unit_diagonal = r.add(torch.eye(r.size(-1), { dtype: r.dtype, device: r.device }));
    return unit_diagonal.mul(F.pad(without_last(z1m_cumprod_sqrt), [1, 0], { value: 1 }));
  }

  override _inverse(y: Tensor): Tensor {
    const y_cumsum = torch.cumsum(y.mul(y), { dim: -1 }).__rsub__(1);
    const y_cumsum_shifted = F.pad(without_last(y_cumsum), [1, 0], { value: 1 });
    const y_vec = tril_matrix_to_vec(y, -1);
    const y_cumsum_vec = tril_matrix_to_vec(y_cumsum_shifted, -1);
    const t = y_vec.div(y_cumsum_vec.sqrt());
    return t.log1p().sub(t.neg().log1p()).div(2); // atanh
  }

  // Uses `x` and the elements of `y` below the diagonal, which have equal number.
  override log_abs_det_jacobian(x: Tensor, y: Tensor): Tensor {
    const y1m_cumsum = y.mul(y).cumsum({ dim: -1 }).__rsub__(1);
    const y1m_cumsum_tril = tril_matrix_to_vec(y1m_cumsum, -2); // one diagonal lower: the remainder to the left of each element
    const stick_breaking_logdet = y1m_cumsum_tril.log().sum(-1).mul(0.5);
    const tanh_logdet = x
      .add(F.softplus(x.mul(-2)))
      .sub(Math.log(2))
      .sum({ dim: -1 })
      .mul(-2);
    return stick_breaking_logdet.add(tanh_logdet);
  }

  override forward_shape(shape: Size): number[] {
    refuse_fewer_dims(shape, 1);
    const N = shape[shape.length - 1];
    const D = Math.round((0.25 + 2 * N) ** 0.5 + 0.5);
    if ((D * (D - 1)) / 2 !== N) throw new ValueError("Input is not a flattened lower-diagonal number");
    return [...shape.slice(0, -1), D, D];
  }

  override inverse_shape(shape: Size): number[] {
    refuse_fewer_dims(shape, 2);
    const [rows, D] = shape.slice(-2);
    if (rows !== D) throw new ValueError("Input is not square");
    return [...shape.slice(0, -2), (D * (D - 1)) / 2];
  }
}

/** `y = exp(x) / sum(exp(x))` along the last dim. It is not bijective, because a constant added to all of `x` is lost. */
export class SoftmaxTransform extends Transform {
  static {
    class_attributes(SoftmaxTransform, { domain: real_vector, codomain: simplex });
    def_transform(SoftmaxTransform);
  }

  override __eq__(other: unknown): boolean {
    return other instanceof SoftmaxTransform;
  }

  override _call(x: Tensor): Tensor {
    const probs = x.sub(x.max(-1, true)[0]).exp();
    return probs.div(probs.sum(-1, true));
  }

  override _inverse(y: Tensor): Tensor {
    return y.log();
  }

  override forward_shape(shape: Size): number[] {
    refuse_fewer_dims(shape, 1);
    return [...shape];
  }

  override inverse_shape(shape: Size): number[] {
    refuse_fewer_dims(shape, 1);
    return [...shape];
  }
}

/**
 * Stick-breaking: maps a vector to a simplex with one coordinate more. Each coordinate takes a fraction, given by a sigmoid, of the rest
 * left by those before.
 */
export class StickBreakingTransform extends Transform {
  static {
    class_attributes(StickBreakingTransform, { domain: real_vector, codomain: simplex, bijective: true });
    def_transform(StickBreakingTransform);
  }

  override __eq__(other: unknown): boolean {
    return other instanceof StickBreakingTransform;
  }

  /** `x` shifted so that 0 gives equal parts. */
  private _centered(x: Tensor): Tensor {
    const K = x.size(-1);
    const offset = x
      .new_ones([K])
      .cumsum(-1)
      .__rsub__(K + 1);
    return x.sub(offset.log());
  }

  override _call(x: Tensor): Tensor {
    const z = _clipped_sigmoid(this._centered(x));
    const z_cumprod = z.__rsub__(1).cumprod(-1);
    return F.pad(z, [0, 1], { value: 1 }).mul(F.pad(z_cumprod, [1, 0], { value: 1 }));
  }

  override _inverse(y: Tensor): Tensor {
    const y_crop = without_last(y);
    const offset = y
      .new_ones([y_crop.size(-1)])
      .cumsum(-1)
      .__rsub__(y.size(-1));
    // The remainder may round to 0 or below if the last coordinate is almost 0.
    const sf = torch.clamp(y_crop.cumsum(-1).__rsub__(1), { min: torch.finfo(y.dtype).tiny });
    return y_crop.log().sub(sf.log()).add(offset.log());
  }

  // 1 - sigmoid(x) = exp(-x) * sigmoid(x)
  override log_abs_det_jacobian(x: Tensor, y: Tensor): Tensor {
    const centered = this._centered(x);
    return centered.neg().add(F.logsigmoid(centered)).add(without_last(y).log()).sum(-1);
  }

  override forward_shape(shape: Size): number[] {
    refuse_fewer_dims(shape, 1);
    return [...shape.slice(0, -1), shape[shape.length - 1] + 1];
  }

  override inverse_shape(shape: Size): number[] {
    refuse_fewer_dims(shape, 1);
    return [...shape.slice(0, -1), shape[shape.length - 1] - 1];
  }
}

/** The elements of matrices below the diagonal, with another diagonal. */
function with_diagonal(x: Tensor, diagonal: Tensor): Tensor {
  return x.tril(-1).add(diagonal.diag_embed());
}

/** Maps a matrix to a lower triangular matrix with a positive diagonal, the `exp` of the diagonal of `x`. */
export class LowerCholeskyTransform extends Transform {
  static {
    class_attributes(LowerCholeskyTransform, { codomain: lower_cholesky });
    def_transform(LowerCholeskyTransform);
  }

  static get domain(): Constraint {
    return independent(real, 2);
  }

  override get domain(): Constraint {
    return LowerCholeskyTransform.domain;
  }

  override __eq__(other: unknown): boolean {
    return other instanceof LowerCholeskyTransform;
  }

  override _call(x: Tensor): Tensor {
    return with_diagonal(x, x.diagonal({ dim1: -2, dim2: -1 }).exp());
  }

  override _inverse(y: Tensor): Tensor {
    return with_diagonal(y, y.diagonal({ dim1: -2, dim2: -1 }).log());
  }
}

/** Maps a matrix to a positive definite matrix `L L^T`, where `L` is the result of `LowerCholeskyTransform`. */
export class PositiveDefiniteTransform extends Transform {
  static {
    class_attributes(PositiveDefiniteTransform, { codomain: positive_definite });
    def_transform(PositiveDefiniteTransform);
  }

  static get domain(): Constraint {
    return independent(real, 2);
  }

  override get domain(): Constraint {
    return PositiveDefiniteTransform.domain;
  }

  override __eq__(other: unknown): boolean {
    return other instanceof PositiveDefiniteTransform;
  }

  override _call(x: Tensor): Tensor {
    const L = new LowerCholeskyTransform()(x);
    return torch.matmul(L, L.mT);
  }

  override _inverse(y: Tensor): Tensor {
    return new LowerCholeskyTransform().inv(torch.linalg.cholesky(y));
  }
}
