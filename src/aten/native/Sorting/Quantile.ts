/**
 * @file Quantiles: the value below which a given share of a line's elements lie, read from the sorted line.
 * @mirrors aten/src/ATen/native/Sorting.cpp
 */
import { printDouble } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { resize_output } from "#aten/native/Resize";
import { areAnyTensorSubclassLike, is_scalar_tensor_true } from "#aten/TensorSubclassLikeUtils";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

const MODES = ["linear", "lower", "higher", "midpoint", "nearest"] as const;
type QuantileInterpolationMode = (typeof MODES)[number];

function get_quantile_interpolation_mode(interpolation: string): QuantileInterpolationMode {
  const mode = MODES.find((each) => each === interpolation);
  TORCH_CHECK(
    mode !== undefined,
    "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got ",
    interpolation,
  );
  return mode;
}

function quantile_checks(self: Tensor, q: Tensor): void {
  TORCH_CHECK(self.numel() > 0, "quantile() input tensor must be non-empty");
  TORCH_CHECK(q.dim() <= 1, "quantile() q must be a scalar or 1D tensor");
  TORCH_CHECK(
    self.scalar_type() === ScalarType.Float || self.scalar_type() === ScalarType.Double,
    "quantile() input tensor must be either float or double dtype",
  );
  TORCH_CHECK(self.scalar_type() === q.scalar_type(), "quantile() q tensor must be same dtype as the input tensor");
  TORCH_CHECK(self.device().eq(q.device()), "quantile() q tensor must be on the same device as the input tensor");
}

function quantile_output_shape(
  original_dim: number | null,
  self: Tensor,
  q: Tensor,
  keepdim: boolean,
  wrapped_dim: number,
): number[] {
  let out_shape: number[] = [];
  if (original_dim !== null && self.dim() > 0)
    out_shape = keepdim ? (self.sizes() as number[]).with(wrapped_dim, 1) : self.sizes().toSpliced(wrapped_dim, 1);
  else if (keepdim) out_shape = new Array<number>(self.dim()).fill(1);
  return q.dim() > 0 ? [q.numel(), ...out_shape] : out_shape;
}

/** `out_shape` is the shape of all quantiles, also if there is only one. */
function quantile_compute(
  self: Tensor,
  q: Tensor,
  orginal_dim: number | null,
  interpolation: QuantileInterpolationMode,
  ignore_nan: boolean,
  wrapped_dim: number,
  out_shape_: readonly number[],
): Tensor {
  if (self.device().is_cpu() && !areAnyTensorSubclassLike([self, q])) {
    const in_range = q.ge_Scalar(Scalar.ZERO).logical_and_(q.le_Scalar(Scalar.ONE)).all();
    TORCH_CHECK(is_scalar_tensor_true(in_range), "quantile() q values must be in the range [0, 1]");
  }
  // The dim to reduce becomes the last one.
  let sorted: Tensor;
  if (orginal_dim === null) sorted = self.flatten_using_ints().sort()[0];
  else if (wrapped_dim === self.dim() - 1) sorted = self.sort()[0];
  else sorted = self.unsqueeze(-1).transpose_int(wrapped_dim, -1).sort()[0];
  const out_shape = q.dim() === 0 ? [q.numel(), ...out_shape_] : out_shape_;
  sorted = sorted.view([...out_shape.slice(1), sorted.size(-1)]);
  const n = sorted.size(-1);
  TORCH_CHECK(n <= 2 ** 24, "quantile() input tensor is too large"); // up to there, ranks are exact in float32

  let ranks: Tensor;
  if (ignore_nan) {
    // Count of elements that are not NaN; if all are NaN, the rank is 0, and the result is NaN.
    const counted = sorted.isnan().logical_not_().sum_dim_IntList([-1], true);
    ranks = q.mul_Tensor(counted.sub_Scalar(Scalar.ONE));
    ranks.masked_fill__Scalar(ranks.lt_Scalar(Scalar.ZERO), Scalar.ZERO);
  } else {
    // NaN comes last in the sorted line; if there is one, it is the result.
    const last_index = Scalar.fromInt(n - 1);
    const [all, some] = at.broadcast_tensors([q.mul_Scalar(last_index), sorted.isnan().any_dim(-1, true)]);
    ranks = at.masked_fill_Scalar(all as Tensor, some as Tensor, last_index);
  }
  if (interpolation === "lower") ranks.floor_();
  else if (interpolation === "higher") ranks.ceil_();
  else if (interpolation === "nearest") ranks.round_();

  const ranks_below = ranks.toType(ScalarType.Long);
  let values_below = sorted.gather(-1, ranks_below);
  if (interpolation === "linear" || interpolation === "midpoint") {
    const weights =
      interpolation === "midpoint" ? at.full_like(ranks, Scalar.fromDouble(0.5)) : ranks.sub_Tensor(ranks_below);
    const ranks_above = ranks.ceil_().toType(ScalarType.Long);
    values_below = values_below.lerp__Tensor(sorted.gather(-1, ranks_above), weights);
  }
  // The quantiles are in the last dim and must be moved to the first.
  return q.dim() === 0 ? values_below.squeeze__dim(-1) : values_below.unsqueeze_(0).transpose_(0, -1).squeeze__dim(-1);
}

function quantile_impl(
  self: Tensor,
  q: Tensor,
  dim: number | null,
  keepdim: boolean,
  interpolation: string,
  ignore_nan: boolean,
): Tensor {
  const mode = get_quantile_interpolation_mode(interpolation);
  quantile_checks(self, q);
  const wrapped_dim = maybe_wrap_dim(dim ?? 0, self.dim());
  const out_shape = quantile_output_shape(dim, self, q, keepdim, wrapped_dim);
  return quantile_compute(self, q, dim, mode, ignore_nan, wrapped_dim, out_shape);
}

function quantile_out_impl(
  self: Tensor,
  q: Tensor,
  dim: number | null,
  keepdim: boolean,
  interpolation: string,
  ignore_nan: boolean,
  out: Tensor,
): Tensor {
  const mode = get_quantile_interpolation_mode(interpolation);
  quantile_checks(self, q);
  TORCH_CHECK(self.scalar_type() === out.scalar_type(), "quantile() out tensor must be same dtype as the input tensor");
  TORCH_CHECK(self.device().eq(out.device()), "quantile() out tensor must be on the same device as the input tensor");
  const wrapped_dim = maybe_wrap_dim(dim ?? 0, self.dim());
  const out_shape = quantile_output_shape(dim, self, q, keepdim, wrapped_dim);
  resize_output(out, out_shape);
  return out.copy_(quantile_compute(self, q, dim, mode, ignore_nan, wrapped_dim, out_shape));
}

/** C++ has one overload for a number and one for a tensor. */
function as_tensor(q: Tensor | number, self: Tensor): Tensor {
  if (typeof q !== "number") return q;
  TORCH_CHECK(q >= 0 && q <= 1, "quantile() q must be in the range [0, 1] but got ", printDouble(q));
  return at.scalar_tensor(Scalar.fromDouble(q), self.options());
}

type Q = Tensor | number;

// quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor
//                                                                                    CompositeImplicitAutograd
export function quantile(self: Tensor, q: Q, dim: number | null, keepdim: boolean, interpolation: string): Tensor {
  return quantile_impl(self, as_tensor(q, self), dim, keepdim, interpolation, false);
}

export function quantile_out(
  self: Tensor,
  q: Q,
  dim: number | null,
  keepdim: boolean,
  interpolation: string,
  out: Tensor,
): Tensor {
  return quantile_out_impl(self, as_tensor(q, self), dim, keepdim, interpolation, false, out);
}

// nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor
//                                                                                    CompositeImplicitAutograd
export function nanquantile(self: Tensor, q: Q, dim: number | null, keepdim: boolean, interpolation: string): Tensor {
  return quantile_impl(self, as_tensor(q, self), dim, keepdim, interpolation, true);
}

export function nanquantile_out(
  self: Tensor,
  q: Q,
  dim: number | null,
  keepdim: boolean,
  interpolation: string,
  out: Tensor,
): Tensor {
  return quantile_out_impl(self, as_tensor(q, self), dim, keepdim, interpolation, true, out);
}
