/**
 * @file Formulas of forward mode for reductions, selections and lists of tensors. `x_p` is a value, `x_t` its tangent.
 * @mirrors torch/csrc/autograd/FunctionsManual.cpp
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { Device } from "#c10/core/Device";
import type { Layout } from "#c10/core/Layout";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { isFwGradDefinedTensorList, tangent_or_zeros } from "./ForwardMode.ts";
import { restore_reduced_dims, unsqueeze_multiple } from "./index.ts";

const ZERO = Scalar.fromDouble(0);

/** The mean or sum of a loss that was computed for each element; see at::Reduction. */
export function apply_loss_reduction(unreduced: Tensor, reduction: number): Tensor {
  if (reduction === 1) return unreduced.mean();
  return reduction === 2 ? unreduced.sum() : unreduced;
}

/**
 * The operator with its options one by one.
 * @mirrors aten/src/ATen/templates/Functions.h#_to_copy
 */
export function _to_copy_scattered(
  self: Tensor,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
  non_blocking: boolean,
  memory_format: MemoryFormat | null,
): Tensor {
  const options = TensorOptions.EMPTY.dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory);
  return at._to_copy(self, options, non_blocking, memory_format);
}

// Sums of exponentials

/** exp(x - max x), which does not overflow. */
function shifted_exp(self_p: Tensor, dim: readonly number[]): Tensor {
  return self_p.numel() > 0 ? self_p.sub_Tensor(at.amax(self_p, dim as number[], true)).exp() : self_p.exp();
}

export function logsumexp_jvp(self_p: Tensor, self_t: Tensor, dim: readonly number[], keepdim: boolean): Tensor {
  TORCH_INTERNAL_ASSERT(!self_t._is_zerotensor());
  const exp = shifted_exp(self_p, dim);
  const sumexp_p = exp.sum_dim_IntList(dim as number[], keepdim);
  const sumexp_t = exp.mul_Tensor(self_t).sum_dim_IntList(dim as number[], keepdim);
  return sumexp_t.div_Tensor(sumexp_p);
}

/** Rows that are wholly -infinity have the tangent 0. */
export function safe_logsumexp_jvp(self_p: Tensor, self_t: Tensor, dim: readonly number[], keepdim: boolean): Tensor {
  const lse_jvp = logsumexp_jvp(self_p, self_t, dim, keepdim);
  const masked = self_p.eq_Scalar(Scalar.fromDouble(-Infinity)).all_dims(dim as number[], keepdim);
  return lse_jvp.masked_fill_Scalar(masked, ZERO);
}

export function logcumsumexp_jvp(self_p: Tensor, self_t: Tensor, dim: number): Tensor {
  const exp = shifted_exp(self_p, [dim]);
  const cumsumexp_p = exp.cumsum(dim);
  const cumsumexp_t = exp.mul_Tensor(self_t).cumsum(dim);
  const eps = self_p.scalar_type() === ScalarType.Double ? 2 ** -52 : 2 ** -23;
  return cumsumexp_t.div_Tensor(cumsumexp_p.add_Scalar(Scalar.fromDouble(eps)));
}

/** result * cumsum(x_t / x) up to the first zero; from there the tangent of the zero, times the other elements. */
export function cumprod_jvp(self_t: Tensor, self_p: Tensor, result: Tensor, dim: number): Tensor {
  const gradient = self_t.div_Tensor(self_p).cumsum(dim).mul_Tensor(result);
  const zeros = self_p.eq_Scalar(Scalar.ZERO);
  if (self_p.dim() === 0) return at.where_self(zeros, self_t, gradient);
  const zeros_so_far = zeros.cumsum(dim);
  const first = zeros.logical_and(zeros_so_far.eq_Scalar(Scalar.ONE));
  const of_zero = at.where_self(first, self_t, self_p).cumprod(dim);
  return at.where_self(zeros_so_far.eq_Scalar(Scalar.ZERO), gradient, of_zero);
}

// Extremes

export function clamp_jvp(
  self_p: Tensor,
  self_t: Tensor,
  min_p: Tensor,
  min_t: Tensor,
  max_p: Tensor,
  max_t: Tensor,
): Tensor {
  if (min_p.defined() && max_p.defined()) {
    const below_max = at.where_self(self_p.gt_Tensor(max_p), max_t, self_t);
    const inside = at.where_self(self_p.lt_Tensor(min_p), min_t, below_max);
    return at.where_self(min_p.gt_Tensor(max_p), max_t, inside);
  }
  if (min_p.defined()) return at.where_self(self_p.gt_Tensor(min_p), self_t, min_t);
  if (max_p.defined()) return at.where_self(self_p.lt_Tensor(max_p), self_t, max_t);
  return self_t;
}

export function amaxamin_jvp(x: Tensor, dx: Tensor, result: Tensor, dim: readonly number[], keepdim: boolean): Tensor {
  const restored = keepdim ? result : unsqueeze_multiple(result, dim, x.dim());
  return mean_where(x.eq_Tensor(restored), dx, dim as number[], keepdim);
}

export function aminmax_jvp(
  self_p: Tensor,
  self_t: Tensor,
  result: Tensor,
  dim: number | null,
  keepdim: boolean,
): Tensor {
  const dims = dim === null ? [] : [dim];
  return mean_where(self_p.eq_Tensor(restore_reduced_dims(result, dims, keepdim)), self_t, dims, keepdim);
}

/** Equal extremes share the change. */
function mean_where(mask: Tensor, t: Tensor, dim: number[], keepdim: boolean): Tensor {
  const count = mask.sum_dim_IntList(dim, keepdim);
  return at.where_ScalarOther(mask, t, ZERO).sum_dim_IntList(dim, keepdim).div_Tensor(count);
}

export function evenly_read_jvp(fw_grad: Tensor, input: Tensor, value: Tensor): Tensor {
  const mask = input.eq_Tensor(value);
  return at.sum(mask.mul_Tensor(fw_grad.div_Tensor(mask.sum())));
}

export function gather_with_keepdimed_indices(input: Tensor, dim: number, indices: Tensor, keepdim: boolean): Tensor {
  if (keepdim) return at.gather(input, dim, indices);
  return at.gather(input, dim, indices.unsqueeze(dim)).squeeze_dim(dim);
}

/** For an extreme, the elements that equal it share the change. A product has no formula. */
export function scatter_reduce_jvp(
  self_p: Tensor,
  self_t: Tensor,
  dim: number,
  index: Tensor,
  src_p: Tensor,
  src_t: Tensor,
  reduce: string,
  include_self: boolean,
  result: Tensor,
): Tensor {
  if (reduce === "sum" || reduce === "mean")
    return at.scatter_reduce_two(self_t, dim, index, src_t, reduce, include_self);
  if (reduce !== "amin" && reduce !== "amax") return new Tensor();
  const mask_src = src_p.eq_Tensor(at.gather(result, dim, index));
  const mask_self = self_p.eq_Tensor(result);
  const sum = (self: Tensor, src: Tensor): Tensor => at.scatter_reduce_two(self, dim, index, src, "sum", include_self);
  const dtype = self_t.scalar_type();
  const count = sum(mask_self.to_dtype(dtype), mask_src.to_dtype(dtype));
  const changes = sum(at.where_ScalarOther(mask_self, self_t, ZERO), at.where_ScalarOther(mask_src, src_t, ZERO));
  return changes.div__Tensor(count);
}

// Lists of tensors. Their formulas are asked at every call, so they look for tangents themselves.

function of_tangents(tensors: readonly Tensor[], fn: (tangents: Tensor[]) => Tensor): Tensor {
  return isFwGradDefinedTensorList(tensors) ? fn(tensors.map(tangent_or_zeros)) : new Tensor();
}

export function cat_jvp(tensors: readonly Tensor[], dim: number): Tensor {
  return of_tangents(tensors, (tangents) => at.cat(tangents, dim));
}

export function block_diag_jvp(tensors: readonly Tensor[]): Tensor {
  return of_tangents(tensors, (tangents) => at.block_diag(tangents));
}

export function stack_jvp(tensors: readonly Tensor[], dim: number): Tensor {
  return of_tangents(tensors, (tangents) => at.stack(tangents, dim));
}
