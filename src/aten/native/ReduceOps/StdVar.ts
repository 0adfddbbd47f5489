/**
 * @file Variance and standard deviation, alone or together with the mean.
 * @mirrors aten/src/ATen/native/ReduceOps.cpp
 * @see cpu/ReduceOpsKernel/StdVar.ts (the arithmetic)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { get_dtype_from_result, make_reduction_resizing, make_reduction_resizing2 } from "#aten/native/ReduceOpsUtils";
import type { TensorIterator } from "#aten/TensorIterator";
import { DeviceType } from "#c10/core/DeviceType";
import { Layout, toString as layout_name } from "#c10/core/Layout";
import { Scalar } from "#c10/core/Scalar";
import { canCast, isComplexType, isFloatingType, isReducedFloatingType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN } from "#c10/util/Exception";
import { std_var_all_cpu } from "./StdVarAll.ts";

/**
 * `correction` is subtracted from the number of elements. If `take_sqrt`, the result is the standard deviation. A
 * second output receives the mean.
 */
export const std_var_stub =
  DEFINE_DISPATCH<(iter: TensorIterator, correction: number, take_sqrt: boolean) => void>("std_var_stub");

function warn_invalid_degrees_of_freedom(fname: string, iter: TensorIterator, correction: number): void {
  const outputs = iter.num_output_elements();
  const reducing_over_num_elements = outputs === 0 ? 0 : Math.floor(iter.numel() / outputs);
  if (!(reducing_over_num_elements - correction <= 0)) return; // there is no warning for NaN either
  TORCH_WARN(
    fname,
    "(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel divided by output numel).",
  );
}

function check_input(self: Tensor, supports: string, only_support: string): void {
  TORCH_CHECK(self.layout() === Layout.Strided, supports, layout_name(self.layout()));
  TORCH_CHECK(isFloatingType(self.scalar_type()) || isComplexType(self.scalar_type()), only_support);
}

type Dims = number[] | null;

function std_var_out(
  fname: "std" | "var",
  result: Tensor,
  self: Tensor,
  dim: Dims,
  correction_opt: Scalar | null,
  keepdim: boolean,
): Tensor {
  check_input(
    self,
    "std and var only supports strided layout, got: ",
    "std and var only support floating point and complex dtypes",
  );
  const take_sqrt = fname === "std";
  const correction = (correction_opt ?? Scalar.ONE).toDouble();
  const iter = make_reduction_resizing(fname, result, self, dim, keepdim, get_dtype_from_result(result, null));
  TORCH_CHECK(
    canCast(self.scalar_type(), result.scalar_type()),
    "result type ",
    toString(self.scalar_type()),
    " can't be cast to the desired output type ",
    toString(result.scalar_type()),
  );
  warn_invalid_degrees_of_freedom(fname, iter, correction);
  if (iter.numel() === 0) result.fill__Scalar(Scalar.fromDouble(Number.NaN));
  else if (result.numel() === 1 && iter.device_type() === DeviceType.CPU && !isReducedFloatingType(iter.common_dtype()))
    result.fill__Scalar(Scalar.fromDouble(std_var_all_cpu(self, correction, take_sqrt)));
  else std_var_stub.call(iter.device_type(), iter, correction, take_sqrt);
  return result;
}

function std_var_mean(
  fname: "std_mean" | "var_mean",
  self: Tensor,
  dim: Dims,
  correction_opt: Scalar | null,
  keepdim: boolean,
): [Tensor, Tensor] {
  const result1 = at.empty_memory_format([0], self.options());
  const result2 = at.empty_memory_format([0], self.options());
  check_input(
    self,
    `${fname} only supports strided layout, got: `,
    `${fname} only support floating point and complex dtypes`,
  );
  const correction = (correction_opt ?? Scalar.ONE).toDouble();
  const dtype = get_dtype_from_result(result1, null);
  const iter = make_reduction_resizing2(result1, result2, self, dim, keepdim, dtype);
  warn_invalid_degrees_of_freedom(fname, iter, correction);
  if (iter.numel() === 0) {
    result1.fill__Scalar(Scalar.fromDouble(Number.NaN));
    result2.fill__Scalar(Scalar.fromDouble(Number.NaN));
  } else std_var_stub.call(iter.device_type(), iter, correction, fname === "std_mean");
  return [result1, result2];
}

/** The `correction` for a value of `unbiased`. */
function correction_of(unbiased: boolean): Scalar {
  return unbiased ? Scalar.ONE : Scalar.ZERO;
}

// std(Tensor self, bool unbiased=True) -> Tensor                                   CompositeImplicitAutograd
export function std(self: Tensor, unbiased: boolean): Tensor {
  return at.std_correction(self, null, correction_of(unbiased), false);
}

// std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor   CompositeImplicitAutograd
export function std_dim(self: Tensor, dim: Dims, unbiased: boolean, keepdim: boolean): Tensor {
  return at.std_correction(self, dim, correction_of(unbiased), keepdim);
}

// std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor   CPU
export function std_correction(self: Tensor, dim: Dims, correction: Scalar | null, keepdim: boolean): Tensor {
  return std_var_out("std", at.empty_memory_format([0], self.options()), self, dim, correction, keepdim);
}

export function std_out(self: Tensor, dim: Dims, unbiased: boolean, keepdim: boolean, result: Tensor): Tensor {
  return at.std_correction_out(self, dim, correction_of(unbiased), keepdim, result);
}

export function std_out_correction_out(
  self: Tensor,
  dim: Dims,
  correction: Scalar | null,
  keepdim: boolean,
  result: Tensor,
): Tensor {
  return std_var_out("std", result, self, dim, correction, keepdim);
}

// std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)                    CompositeImplicitAutograd
export function std_mean(self: Tensor, unbiased: boolean): [Tensor, Tensor] {
  return at.std_mean_correction(self, null, correction_of(unbiased), false);
}

export function std_mean_dim(self: Tensor, dim: Dims, unbiased: boolean, keepdim: boolean): [Tensor, Tensor] {
  return at.std_mean_correction(self, dim, correction_of(unbiased), keepdim);
}

// std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)   CPU
export function std_mean_correction(
  self: Tensor,
  dim: Dims,
  correction: Scalar | null,
  keepdim: boolean,
): [Tensor, Tensor] {
  return std_var_mean("std_mean", self, dim, correction, keepdim);
}

// var(Tensor self, bool unbiased=True) -> Tensor                                   CompositeImplicitAutograd
export function var_(self: Tensor, unbiased: boolean): Tensor {
  return at.var_correction(self, null, correction_of(unbiased), false);
}

// var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor   CompositeImplicitAutograd
export function var_dim(self: Tensor, dim: Dims, unbiased: boolean, keepdim: boolean): Tensor {
  return at.var_correction(self, dim, correction_of(unbiased), keepdim);
}

// var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor   CPU
export function var_correction(self: Tensor, dim: Dims, correction: Scalar | null, keepdim: boolean): Tensor {
  return std_var_out("var", at.empty_memory_format([0], self.options()), self, dim, correction, keepdim);
}

export function var_out(self: Tensor, dim: Dims, unbiased: boolean, keepdim: boolean, result: Tensor): Tensor {
  return at.var_correction_out(self, dim, correction_of(unbiased), keepdim, result);
}

export function var_out_correction_out(
  self: Tensor,
  dim: Dims,
  correction: Scalar | null,
  keepdim: boolean,
  result: Tensor,
): Tensor {
  return std_var_out("var", result, self, dim, correction, keepdim);
}

// var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)                    CompositeImplicitAutograd
export function var_mean(self: Tensor, unbiased: boolean): [Tensor, Tensor] {
  return at.var_mean_correction(self, null, correction_of(unbiased), false);
}

export function var_mean_dim(self: Tensor, dim: Dims, unbiased: boolean, keepdim: boolean): [Tensor, Tensor] {
  return at.var_mean_correction(self, dim, correction_of(unbiased), keepdim);
}

// var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)   CPU
export function var_mean_correction(
  self: Tensor,
  dim: Dims,
  correction: Scalar | null,
  keepdim: boolean,
): [Tensor, Tensor] {
  return std_var_mean("var_mean", self, dim, correction, keepdim);
}
