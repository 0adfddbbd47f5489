/**
 * @file Formulas of forward mode for norms, normalization layers and convolution. `x_p` is a value, `x_t` its tangent.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 */
import { toAccumulateType } from "#aten/AccumulateType";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { isFwGradDefined } from "./ForwardMode.ts";
import { unsqueeze_multiple } from "./index.ts";

// Norms

export function norm_jvp(
  self_p: Tensor,
  self_t: Tensor,
  p_: Scalar | null,
  norm: Tensor,
  dim_: readonly number[] = [],
  keepdim = true,
): Tensor {
  TORCH_INTERNAL_ASSERT(!self_t._is_zerotensor());
  const dim = dim_ as number[];
  const ndim = self_p.dim();
  const p = p_ === null ? 2 : p_.toDouble();
  const sum = (t: Tensor): Tensor => t.sum_dim_IntList(dim, keepdim);
  const power = Scalar.fromDouble;
  if (p === 0) return at.zeros_like(norm);
  if (p === 1) return sum(self_p.sgn().mul_Tensor(self_t));
  const is_zero = (t: Tensor): Tensor => t.eq_Scalar(Scalar.ZERO);
  if (p === 2) return sum(self_p.mul_Tensor(self_t)).div__Tensor(norm).masked_fill__Scalar(is_zero(norm), Scalar.ZERO);
  if (!Number.isFinite(p)) {
    // Equal extremes share the tangent; if the norm is NaN, the NaNs share it.
    const restored = keepdim || ndim === 0 ? norm : unsqueeze_multiple(norm, dim, ndim);
    const both_nan = self_p.isnan().logical_and_(restored.isnan());
    const is_eq_max = self_p.abs().eq_Tensor(restored).logical_or_(both_nan).type_as(norm);
    let nb_max = is_eq_max.count_nonzero_dim_IntList(dim);
    if (ndim !== 0) nb_max = unsqueeze_multiple(nb_max, dim, ndim);
    return sum(self_p.sgn().mul_Tensor(self_t).mul_Tensor(is_eq_max).div_Tensor(nb_max));
  }
  if (p < 1) {
    const slope = self_p
      .abs()
      .pow__Scalar(power(p - 1))
      .masked_fill__Scalar(is_zero(self_p), Scalar.ZERO);
    return sum(slope.mul_Tensor(self_p.sgn()).mul_Tensor(self_t)).mul_Tensor(norm.pow_Tensor_Scalar(power(1 - p)));
  }
  const slope = self_p.abs().pow__Scalar(power(p < 2 ? p - 1 : p - 2));
  const sumpow_t = sum(slope.mul_Tensor(p < 2 ? self_p.sgn() : self_p).mul_Tensor(self_t));
  return sumpow_t.div_Tensor(norm.pow_Tensor_Scalar(power(p - 1))).masked_fill__Scalar(is_zero(norm), Scalar.ZERO);
}

export function linalg_vector_norm_jvp(
  self_p: Tensor,
  self_t: Tensor,
  scalar_ord: Scalar,
  norm: Tensor,
  opt_dim: readonly number[] | null,
  keepdim: boolean,
): Tensor {
  return norm_jvp(self_p, self_t, scalar_ord, norm, opt_dim ?? [], keepdim);
}

/** Rows that are longer than `maxnorm` are scaled by maxnorm / (norm + 1e-7). */
export function renorm_jvp(self_p: Tensor, self_t: Tensor, p: Scalar, dim_: number, maxnorm: Scalar): Tensor {
  const dim = maybe_wrap_dim(dim_, self_p.dim());
  const reduce_dims = [...self_p.sizes().keys()].filter((d) => d !== dim);
  const acc_type = toAccumulateType(self_p.scalar_type(), self_p.device().type());
  const norm = at.linalg_vector_norm(self_p, p, reduce_dims, true, acc_type);
  const norm_t = linalg_vector_norm_jvp(self_p, self_t, p, norm, reduce_dims, true);
  const invnorm = norm.add_Scalar(Scalar.fromDouble(1e-7)).reciprocal();
  const across = self_t.sub_Tensor(self_p.mul_Tensor(invnorm).mul_Tensor(norm_t));
  const scaled = invnorm.mul_Scalar(maxnorm).mul_Tensor(across).to_dtype(self_t.scalar_type());
  return at.where_self(norm.gt_Scalar(maxnorm), scaled, self_t);
}

// Normalization layers

/** The tangent of (x - mean) / std over `dims`; mean and 1 / std are given with these dimensions. */
function normalized_t(input_p: Tensor, input_t: Tensor, mean_p: Tensor, invstd_p: Tensor, dims: number[]): Tensor {
  const centered_t = input_t.sub_Tensor(input_t.mean_dim(dims, true));
  const centered_p = input_p.sub_Tensor(mean_p);
  const covariance = centered_t.mul_Tensor(centered_p).mean_dim(dims, true);
  const invstd_t = covariance.mul_Tensor(invstd_p.pow_Tensor_Scalar(Scalar.fromInt(3))).neg();
  return centered_t.mul_Tensor(invstd_p).add_Tensor(centered_p.mul_Tensor(invstd_t));
}

/** The tangent of `input * weight + bias`; `input_p` is needed only with a weight. */
function _affine_jvp(
  input_p: () => Tensor,
  input_t: Tensor,
  weight_p: Tensor,
  weight_t: Tensor,
  bias_t: Tensor,
): Tensor {
  const scaled = weight_p.defined() ? input_t.mul_Tensor(weight_p).add_Tensor(input_p().mul_Tensor(weight_t)) : input_t;
  return bias_t.defined() ? scaled.add_Tensor(bias_t) : scaled;
}

function viewed(t: Tensor, sizes: number[]): Tensor {
  return t.defined() ? t.view(sizes) : t;
}

export function batch_norm_jvp(
  input_p: Tensor,
  input_t: Tensor,
  weight_p: Tensor,
  weight_t: Tensor,
  _bias_p: Tensor,
  bias_t: Tensor,
  running_mean: Tensor | null,
  running_var: Tensor | null,
  saved_mean: Tensor,
  saved_invstd: Tensor,
  train: boolean,
  eps: number,
): Tensor {
  const dims = [...input_t.sizes().keys()].filter((d) => d !== 1);
  const view_size = input_t.sizes().map((n, d) => (d === 1 ? n : 1));
  let mean_p: Tensor;
  let invstd_p: Tensor;
  let result_t: Tensor;
  if (train) {
    mean_p = saved_mean.view(view_size);
    invstd_p = saved_invstd.view(view_size);
    result_t = normalized_t(input_p, input_t, mean_p, invstd_p, dims);
  } else {
    for (const t of [running_mean, running_var])
      TORCH_CHECK(
        !isFwGradDefined(t),
        "batch_norm is not differentiable wrt running_mean and running_var, they cannot have forward grad defined",
      );
    TORCH_INTERNAL_ASSERT(
      running_mean !== null && running_var !== null,
      "Expect running_mean and running_var to have value when train=false",
    );
    mean_p = running_mean.view(view_size);
    invstd_p = running_var.add_Scalar(Scalar.fromDouble(eps)).sqrt().reciprocal().view(view_size);
    result_t = input_t.mul_Tensor(invstd_p);
  }
  const result_p = (): Tensor => input_p.sub_Tensor(mean_p).mul_Tensor(invstd_p);
  return _affine_jvp(
    result_p,
    result_t,
    viewed(weight_p, view_size),
    viewed(weight_t, view_size),
    viewed(bias_t, view_size),
  );
}

export function layer_norm_jvp(
  input_p: Tensor,
  input_t: Tensor,
  weight_p: Tensor,
  weight_t: Tensor,
  _bias_p: Tensor,
  bias_t: Tensor,
  saved_mean: Tensor,
  saved_invstd: Tensor,
  normalized_shape: readonly number[],
): Tensor {
  const axis = input_p.dim() - normalized_shape.length;
  const dims = normalized_shape.map((_, i) => axis + i);
  const view_size = input_t.sizes().map((n, d) => (d < axis ? n : 1));
  const mean_p = saved_mean.view(view_size);
  const invstd_p = saved_invstd.view(view_size);
  const result_t = normalized_t(input_p, input_t, mean_p, invstd_p, dims);
  return _affine_jvp(() => input_p.sub_Tensor(mean_p).mul_Tensor(invstd_p), result_t, weight_p, weight_t, bias_t);
}

/** One row for each group of each sample. */
function by_group(input: Tensor, groups: number): Tensor {
  const N = input.size(0);
  return input.reshape([1, N * groups, N > 0 ? -1 : 1]);
}

export function group_norm_jvp(
  input_p: Tensor,
  input_t: Tensor,
  weight_p: Tensor,
  weight_t: Tensor,
  _bias_p: Tensor,
  bias_t: Tensor,
  saved_mean: Tensor,
  saved_invstd: Tensor,
  groups: number,
): Tensor {
  const shape = [...input_p.sizes()];
  const rows = [1, input_p.size(0) * groups, 1];
  const view_size = shape.map((n, d) => (d === 1 ? n : 1));
  const rows_p = by_group(input_p, groups);
  const mean_p = saved_mean.view(rows);
  const invstd_p = saved_invstd.view(rows);
  const result_t = normalized_t(rows_p, by_group(input_t, groups), mean_p, invstd_p, [2]).view(shape);
  return _affine_jvp(
    () => rows_p.sub_Tensor(mean_p).mul_Tensor(invstd_p).view(shape),
    result_t,
    viewed(weight_p, view_size),
    viewed(weight_t, view_size),
    viewed(bias_t, view_size),
  );
}

export function group_norm_mean_jvp(input_t: Tensor, mean_p: Tensor, groups: number): Tensor {
  return by_group(input_t, groups)
    .mean_dim([2])
    .view([...mean_p.sizes()]);
}

/** d(1 / std) = -(1 / std)^3 * mean((dx - mean(dx)) * (x - mean)). */
export function group_norm_invstd_jvp(
  input_p: Tensor,
  input_t: Tensor,
  mean_p: Tensor,
  invstd_p: Tensor,
  groups: number,
): Tensor {
  const rows = [1, input_p.size(0) * groups, 1];
  const rows_t = by_group(input_t, groups);
  const centered_t = rows_t.sub_Tensor(rows_t.mean_dim([2], true));
  const centered_p = by_group(input_p, groups).sub_Tensor(mean_p.view(rows));
  const covariance = centered_t.mul_Tensor(centered_p).mean_dim([2], true);
  const invstd_t = covariance.mul_Tensor(invstd_p.view(rows).pow_Tensor_Scalar(Scalar.fromInt(3))).neg();
  return invstd_t.view([...invstd_p.sizes()]);
}

// Convolution, which is linear in input, weight and bias

export function convolution_jvp(
  input_p: Tensor,
  input_t: Tensor,
  weight_p: Tensor,
  weight_t: Tensor,
  _bias_p: Tensor,
  bias_t: Tensor,
  stride: readonly number[],
  padding: readonly number[],
  dilation: readonly number[],
  transposed: boolean,
  output_padding: readonly number[],
  groups: number,
): Tensor {
  const conv = (input: Tensor, weight: Tensor, bias: Tensor | null): Tensor =>
    at.convolution(
      input,
      weight,
      bias,
      stride as number[],
      padding as number[],
      dilation as number[],
      transposed,
      output_padding as number[],
      groups,
    );
  const of_weight = conv(input_p, weight_t, bias_t.defined() ? bias_t : null);
  return conv(input_t, weight_p, null).add_Tensor(of_weight);
}

/**
 * The tangent of a convolution.
 * @parameters PyTorch's own.
 */
export function _convolution_jvp(
  input_p: Tensor,
  input_t: Tensor,
  weight_p: Tensor,
  weight_t: Tensor,
  _bias_p: Tensor,
  bias_t: Tensor,
  stride: readonly number[],
  padding: readonly number[],
  dilation: readonly number[],
  transposed: boolean,
  output_padding: readonly number[],
  groups: number,
  benchmark: boolean,
  deterministic: boolean,
  cudnn_enabled: boolean,
  allow_tf32: boolean,
): Tensor {
  const conv = (input: Tensor, weight: Tensor, bias: Tensor | null): Tensor =>
    at._convolution(
      input,
      weight,
      bias,
      stride as number[],
      padding as number[],
      dilation as number[],
      transposed,
      output_padding as number[],
      groups,
      benchmark,
      deterministic,
      cudnn_enabled,
      allow_tf32,
    );
  const of_weight = conv(input_p, weight_t, bias_t.defined() ? bias_t : null);
  return conv(input_t, weight_p, null).add_Tensor(of_weight);
}

export function convolution_backward_jvp_grad_bias(grad_out_t: Tensor, grad_bias: Tensor): Tensor {
  if (!grad_bias.defined()) return new Tensor();
  const ndim = grad_out_t.dim();
  TORCH_CHECK(
    ndim >= 3 && ndim <= 5,
    "convolution_backward_jvp_grad_bias expected dim of grad_out_t to be 3, 4, or 5, but got: ",
    ndim,
  );
  return grad_out_t.sum_dim_IntList([...grad_out_t.sizes().keys()].filter((d) => d !== 1));
}
