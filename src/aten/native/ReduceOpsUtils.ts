/**
 * @file Helpers of all reductions: the reduced dims, the result's shape and dtype, and the iterator over input and
 * result.
 * @mirrors aten/src/ATen/native/ReduceOpsUtils.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorIterator } from "#aten/TensorIterator";
import type { MetaBase } from "#aten/TensorMeta";
import { maybe_wrap_dims } from "#aten/WrapDimUtils";
import { dim_list_to_bitset } from "#aten/WrapDimUtilsMulti";
import { toString as layout_name } from "#c10/core/Layout";
import { isComplexType, isIntegralType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_INDEX } from "#c10/util/Exception";
import { resize_output } from "./Resize.ts";

/** Converts `int?` to `int[]?`. */
export function optional_to_arrayref(dim: number | null): number[] | null {
  return dim === null ? null : [dim];
}

/**
 * `mask[d]` tells whether dim d is reduced. Absent dims mean all dims; empty ones too, unless the operator says that
 * they mean none.
 */
export function make_dim_mask(opt_dims: readonly number[] | null, ndim: number, allow_empty_dims = false): boolean[] {
  return dim_list_to_bitset(opt_dims, ndim, !allow_empty_dims);
}

export function shape_from_dim_mask(self: Tensor, mask: readonly boolean[], keepdim: boolean): number[] {
  const shape: number[] = [];
  for (const [d, size] of self.sizes().entries()) {
    if (!mask[d]) shape.push(size);
    else if (keepdim) shape.push(1);
  }
  return shape;
}

export function get_reduction_shape(
  self: Tensor,
  dims: readonly number[] | null,
  keepdim: boolean,
  allow_empty_dims = false,
): number[] {
  return shape_from_dim_mask(self, make_dim_mask(dims, self.dim(), allow_empty_dims), keepdim);
}

/** Announces the one output of a reduction. */
export function resize_reduction(
  meta: MetaBase,
  self: Tensor,
  opt_dims: readonly number[] | null,
  keepdim: boolean,
  out_dtype: ScalarType,
  allow_empty_dims = false,
): void {
  // All dims are checked before duplicates are found.
  const dims = opt_dims === null ? null : maybe_wrap_dims(opt_dims, self.dim());
  const shape = get_reduction_shape(self, dims, keepdim, allow_empty_dims);
  meta.set_output_raw_strided(0, shape, [], self.options().dtype(out_dtype));
}

/** Announces values and their indices. */
export function resize_reduction_with_indices(
  meta: MetaBase,
  self: Tensor,
  dim: number,
  keepdim: boolean,
  out_dtype: ScalarType,
): void {
  const shape = get_reduction_shape(self, [dim], keepdim);
  meta.set_output_raw_strided(0, shape, [], self.options().dtype(out_dtype));
  meta.set_output_raw_strided(1, shape, [], self.options().dtype(ScalarType.Long));
}

/** The requested dtype; else the input's, with integers widened to int64 if the operator sums. */
export function get_dtype_from_self(self: Tensor, dtype: ScalarType | null, promote_integers: boolean): ScalarType {
  if (dtype !== null) return dtype;
  const src = self.scalar_type();
  return promote_integers && isIntegralType(src, true) ? ScalarType.Long : src;
}

/** Like `get_dtype_from_self`, but an `out=` tensor decides if no dtype is requested. */
export function infer_dtype_from_optional(
  self: Tensor,
  opt_dtype: ScalarType | null,
  result: Tensor | undefined,
): ScalarType {
  if (result?.defined()) return opt_dtype ?? result.scalar_type();
  return get_dtype_from_self(self, opt_dtype, true);
}

/**
 * View of `result` with the reduced dims as size 1 and stride 0, so that the iterator sees both operands with one
 * shape.
 */
export function review_reduce_result(result: Tensor, ndim: number, mask: readonly boolean[], keepdim: boolean): Tensor {
  if (keepdim) return result;
  const shape = [...result.sizes()];
  const stride = [...result.strides()];
  for (let d = 0; d < ndim; d++) {
    if (!mask[d]) continue;
    shape.splice(d, 0, 1);
    stride.splice(d, 0, 0);
  }
  return result.as_strided(shape, stride);
}

export function make_reduction(
  self: Tensor,
  result: Tensor,
  opt_dims: readonly number[] | null,
  keepdim: boolean,
  in_dtype: ScalarType,
): TensorIterator {
  const ndim = self.dim();
  const mask = make_dim_mask(opt_dims, ndim);
  const viewed_result = review_reduce_result(result, ndim, mask, keepdim);
  return TensorIterator.reduce_op(viewed_result, self.scalar_type() === in_dtype ? self : self.to_dtype(in_dtype));
}

/** The requested dtype; else the result's. */
export function get_dtype_from_result(result: Tensor, dtype: ScalarType | null): ScalarType {
  TORCH_CHECK(
    result.defined(),
    "Cannot create a new tensor inside a reduction op. You likely tried to call an operator with an out argument but the out argument was an undefined tensor.",
  );
  return dtype ?? result.scalar_type();
}

/** Gives a result its shape before the reduction. */
export function create_reduction_result(
  self: Tensor,
  dims: readonly number[] | null,
  keepdim: boolean,
  dtype: ScalarType,
): Tensor {
  return at.empty_memory_format(get_reduction_shape(self, dims, keepdim), self.options().dtype(dtype));
}

function resized(result: Tensor, self: Tensor, mask: readonly boolean[], keepdim: boolean): Tensor {
  resize_output(result, shape_from_dim_mask(self, mask, keepdim));
  return review_reduce_result(result, self.dim(), mask, keepdim);
}

/** `make_reduction` for operators that are not structured: `result`, which must have `dtype`, gets its shape here. */
export function make_reduction_resizing(
  name: string,
  result: Tensor,
  self: Tensor,
  dims: readonly number[] | null,
  keepdim: boolean,
  dtype: ScalarType,
): TensorIterator {
  TORCH_CHECK(
    result.scalar_type() === dtype,
    name,
    ": provided dtype must match dtype of result. Got ",
    toString(result.scalar_type()),
    " and ",
    toString(dtype),
    ".",
  );
  const viewed_result = resized(result, self, make_dim_mask(dims, self.dim()), keepdim);
  return TensorIterator.reduce_op(viewed_result, self.toType(dtype));
}

/** Like make_reduction_resizing, with two results of `dtype`. */
export function make_reduction_resizing2(
  result1: Tensor,
  result2: Tensor,
  self: Tensor,
  dims: readonly number[] | null,
  keepdim: boolean,
  dtype: ScalarType,
): TensorIterator {
  const mask = make_dim_mask(dims, self.dim());
  const viewed_result1 = resized(result1, self, mask, keepdim);
  const viewed_result2 = resized(result2, self, mask, keepdim);
  return TensorIterator.reduce_op2(viewed_result1, viewed_result2, self.toType(dtype));
}

/** Makes a reduction in the result's dtype. */
export function make_reduction_from_out_ty(
  self: Tensor,
  result: Tensor,
  opt_dims: readonly number[] | null,
  keepdim: boolean,
  out_dtype: ScalarType,
): TensorIterator {
  return make_reduction(self, result, opt_dims, keepdim, out_dtype);
}

/** Throws for the first property of an `out` tensor that differs from the required one. */
export function check_scalar_type_device_layout_equal(out: Tensor, self: Tensor): void {
  const check = (name: string, wanted: unknown, found: unknown): void =>
    TORCH_CHECK(wanted === found, "expected ", name, " ", wanted, " but found ", found);
  check("scalar_type", toString(self.scalar_type()), toString(out.scalar_type()));
  check("device", self.device().str(), out.device().str());
  check("layout", layout_name(self.layout()), layout_name(out.layout()));
}

/** Refuses a dim of size 0 for a reduction without neutral element. */
export function zero_numel_check_dims(self: Tensor, dims: number | readonly number[], fn_name: string): void {
  if (typeof dims === "number") {
    if (self.dim() === 0) {
      const fits = dims === 0 || dims === -1;
      TORCH_CHECK_INDEX(fits, fn_name, ": Expected reduction dim -1 or 0 for scalar but got ", dims);
    } else {
      TORCH_CHECK_INDEX(self.size(dims) !== 0, fn_name, ": Expected reduction dim ", dims, " to have non-zero size.");
    }
    return;
  }
  TORCH_CHECK(
    dims.length !== 0,
    fn_name,
    ": Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.",
  );
  for (const dim of dims) zero_numel_check_dims(self, dim, fn_name);
}

export function check_unsupported_complex(name: string, self: Tensor): void {
  TORCH_CHECK(!isComplexType(self.scalar_type()), name, ": does not support complex input");
}
