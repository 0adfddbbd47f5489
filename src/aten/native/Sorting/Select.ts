/**
 * @file Operators that select one element of each line: kthvalue, median, nanmedian, and mode (the most frequent
 * element).
 * @mirrors aten/src/ATen/native/Sorting.cpp
 * @see cpu/SortingSelectKernel.ts (the algorithms)
 */
import { check_all_types_and2 } from "#aten/Dispatch";
import { empty_cpu_options } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_overlap } from "#aten/MemoryOverlap";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { get_reduction_shape, zero_numel_check_dims } from "#aten/native/ReduceOpsUtils";
import { resize_output } from "#aten/native/Resize";
import { as_strided_tensorimpl } from "#aten/native/TensorShape/index";
import { maybe_wrap_dim } from "#aten/WrapDimUtils";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";

type SelectFn = (values: Tensor, indices: Tensor, self: Tensor, dim: number) => void;
/** `values` and `indices` have size 1 in `dim`. Precondition: there are elements. */
export const kthvalue_stub =
  DEFINE_DISPATCH<(values: Tensor, indices: Tensor, self: Tensor, dim: number, k: number) => void>("kthvalue_stub");
export const median_stub = DEFINE_DISPATCH<SelectFn>("median_stub");
export const nanmedian_stub = DEFINE_DISPATCH<SelectFn>("nanmedian_stub");
export const mode_stub = DEFINE_DISPATCH<SelectFn>("mode_stub");

function outputs_of(self: Tensor): [values: Tensor, indices: Tensor] {
  const values = at.empty_memory_format([0], self.options());
  return [values, at.empty_memory_format([0], self.options().dtype(ScalarType.Long))];
}

// kthvalue --------------------------------------------------------------------------------------------------------------

function _reduction_with_indices_resize_output(
  values: Tensor,
  indices: Tensor,
  self: Tensor,
  dim: number,
  keepdim: boolean,
): void {
  const result_sizes = self.dim() === 0 ? [] : (self.sizes() as number[]).with(dim, 1);
  TORCH_CHECK(
    self.scalar_type() === values.scalar_type() && self.device().eq(values.device()),
    "output values must be of same type as input",
  );
  TORCH_CHECK(indices.scalar_type() === ScalarType.Long, "output indices must be of scalar type Long");
  TORCH_CHECK(self.device().eq(indices.device()), "output indices must be on same device as input");
  for (const out of [values, indices]) {
    if (!keepdim && out.dim() === self.dim() - 1) out.unsqueeze_(dim); // keeps the strides of the given tensor
    resize_output(out, result_sizes);
  }
}

// kthvalue.values                                                                   CPU
export function kthvalue_out_cpu(
  self: Tensor,
  k: number,
  dim_: number,
  keepdim: boolean,
  values: Tensor,
  indices: Tensor,
): [Tensor, Tensor] {
  const dim = maybe_wrap_dim(dim_, self.dim());
  zero_numel_check_dims(self, dim, "kthvalue()");
  const slice_size = self.dim() === 0 ? 1 : self.size(dim);
  TORCH_CHECK(k >= 1 && k <= slice_size, "kthvalue(): selected number k out of range for dimension ", dim);
  assert_no_overlap(self, values);
  _reduction_with_indices_resize_output(values, indices, self, dim, keepdim);
  if (self.dim() === 0 && self.numel() === 1) {
    values.copy_(self);
    indices.zero_();
    return [values, indices];
  }
  kthvalue_stub.call(self.device_type(), values, indices, self, dim, k);
  if (!keepdim) {
    values.squeeze__dim(dim);
    indices.squeeze__dim(dim);
  }
  return [values, indices];
}

// kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)   CompositeExplicitAutograd
export function kthvalue(self: Tensor, k: number, dim: number, keepdim: boolean): [Tensor, Tensor] {
  return at.kthvalue_values(self, k, dim, keepdim, ...outputs_of(self));
}

// median, nanmedian -----------------------------------------------------------------------------------------------------

/** Name of a type: types that are newer than Python's own tensor types have only the C++ name. */
function type_name(t: Tensor): string {
  const name = toString(t.scalar_type());
  return name === "Bool" || name === "BFloat16" ? `CPU${name}Type` : `torch.${name}Tensor`;
}

function median_with_indices(
  self: Tensor,
  dim_: number,
  keepdim: boolean,
  values: Tensor,
  indices: Tensor,
  ignore_nan: boolean,
): [Tensor, Tensor] {
  const dim = maybe_wrap_dim(dim_, self.dim());
  zero_numel_check_dims(self, dim, "median()");
  TORCH_CHECK(
    indices.scalar_type() === ScalarType.Long,
    "Expected tensor for argument #1 'indices' to have scalar type Long; but got ",
    type_name(indices),
    " instead (while checking arguments for median)",
  );
  TORCH_CHECK(
    values.scalar_type() === self.scalar_type(),
    "Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; but type ",
    type_name(values),
    " does not equal ",
    type_name(self),
    " (while checking arguments for median)",
  );
  const out_shape = get_reduction_shape(self, [dim], keepdim);
  resize_output(values, out_shape);
  resize_output(indices, out_shape);
  const restored = (t: Tensor): Tensor => (keepdim && self.dim() > 0 ? t : t.unsqueeze(dim));
  const stub = ignore_nan ? nanmedian_stub : median_stub;
  const last = Math.max(self.dim(), 1) - 1;
  const moved = (t: Tensor): Tensor => (dim === last ? t : t.unsqueeze(-1).transpose_(dim, -1).squeeze__dim(dim));
  // The evaluation order of PyTorch's calls.
  const [own_values, own_indices] = [restored(values), restored(indices)];
  const line = moved(self.dim() > 0 ? self : self.unsqueeze(0)).contiguous();
  stub.call(self.device_type(), moved(own_values), moved(own_indices), line, last);
  return [values, indices];
}

// median.dim_values                                                                 CPU
export function median_out_cpu(
  self: Tensor,
  dim: number,
  keepdim: boolean,
  values: Tensor,
  indices: Tensor,
): [Tensor, Tensor] {
  return median_with_indices(self, dim, keepdim, values, indices, false);
}

// median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)   CompositeExplicitAutograd
export function median_dim(self: Tensor, dim: number, keepdim: boolean): [Tensor, Tensor] {
  return at.median_dim_values(self, dim, keepdim, ...outputs_of(self));
}

// nanmedian.dim_values                                                              CPU
export function nanmedian_out_cpu(
  self: Tensor,
  dim: number,
  keepdim: boolean,
  values: Tensor,
  indices: Tensor,
): [Tensor, Tensor] {
  return median_with_indices(self, dim, keepdim, values, indices, true);
}

// nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)   CompositeExplicitAutograd
export function nanmedian_dim(self: Tensor, dim: number, keepdim: boolean): [Tensor, Tensor] {
  return at.nanmedian_dim_values(self, dim, keepdim, ...outputs_of(self));
}

function median_of_all(self: Tensor, ignore_nan: boolean): Tensor {
  if (self.numel() === 0) {
    const nan = at.full([], Scalar.fromDouble(Number.NaN), new TensorOptions().device(self.device()));
    return nan.to_dtype(self.scalar_type());
  }
  check_all_types_and2(self.scalar_type(), "median_cpu");
  const all = self.clone();
  const out = at.empty_memory_format([], self.options());
  const longs = self.options().dtype(ScalarType.Long);
  const indices = self.is_cpu() ? empty_cpu_options([1], longs) : at.empty_memory_format([1], longs); // not returned
  const stub = ignore_nan ? nanmedian_stub : median_stub;
  const vector = (t: Tensor): Tensor => as_strided_tensorimpl(t, [t.numel()], [1], null);
  stub.call(self.device_type(), vector(out), indices, vector(all), 0);
  return out;
}

// median(Tensor self) -> Tensor                                                     CPU
export function median_cpu(self: Tensor): Tensor {
  return median_of_all(self, false);
}

// nanmedian(Tensor self) -> Tensor                                                  CPU
export function nanmedian_cpu(self: Tensor): Tensor {
  return median_of_all(self, true);
}

// mode ------------------------------------------------------------------------------------------------------------------

function check_mode_output(t: Tensor, wanted: ScalarType, name: string): void {
  TORCH_CHECK(
    t.scalar_type() === wanted,
    "expected scalar type '",
    toString(wanted),
    "' but got '",
    toString(t.scalar_type()),
    "' for ",
    name,
    " output",
  );
}

// mode.values                                                                       CompositeExplicitAutograd
export function mode_out(
  self: Tensor,
  dim_: number,
  keepdim: boolean,
  values: Tensor,
  indices: Tensor,
): [Tensor, Tensor] {
  check_mode_output(values, self.scalar_type(), "values");
  check_mode_output(indices, ScalarType.Long, "indices");
  const dim = maybe_wrap_dim(dim_, self.dim());
  if (self.numel() === 0) {
    zero_numel_check_dims(self, dim, "mode()");
    const sizes = get_reduction_shape(self, [dim], keepdim);
    resize_output(values, sizes);
    resize_output(indices, sizes);
  } else if (self.dim() === 0) {
    values.resize_([]).fill__Tensor(self);
    indices.resize_([]).fill__Scalar(Scalar.ZERO);
  } else {
    const sizes = (self.sizes() as number[]).with(dim, 1);
    if (!keepdim) {
      if (values.dim() >= dim) values.unsqueeze_(dim);
      if (indices.dim() >= dim) indices.unsqueeze_(dim);
    }
    resize_output(values, sizes);
    resize_output(indices, sizes);
    mode_stub.call(self.device_type(), values, indices, self, dim);
    if (!keepdim) {
      values.squeeze__dim(dim);
      indices.squeeze__dim(dim);
    }
  }
  return [values, indices];
}

// mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)   CPU
export function mode(self: Tensor, dim: number, keepdim: boolean): [Tensor, Tensor] {
  return mode_out(self, dim, keepdim, ...outputs_of(self));
}
