/**
 * @file In-place distributions: Cauchy, log-normal, exponential, geometric; and normal numbers with tensors of means or
 * deviations.
 * @mirrors aten/src/ATen/native/Distributions.cpp
 */
import type { Generator } from "#aten/core/Generator";
import { printDouble } from "#aten/core/ivalue";
import { infer_size_dimvector } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { resize_output } from "#aten/native/Resize";
import { optionsOf } from "#aten/native/TensorFactories/index";
import { TensorIterator } from "#aten/TensorIterator";
import type { Device } from "#c10/core/Device";
import type { Layout } from "#c10/core/Layout";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, type ScalarType, toString } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";
import { check_normal_std, normal_ } from "./index.ts";

type Gen = Generator | null;

type OneParameter = (iter: TensorIterator, parameter: number, gen: Gen) => void;
type TwoParameters = (iter: TensorIterator, location: number, scale: number, gen: Gen) => void;
export const cauchy_stub = DEFINE_DISPATCH<TwoParameters>("cauchy_stub");
export const log_normal_stub = DEFINE_DISPATCH<TwoParameters>("log_normal_stub");
export const exponential_stub = DEFINE_DISPATCH<OneParameter>("exponential_stub");
export const geometric_stub = DEFINE_DISPATCH<OneParameter>("geometric_stub");

// cauchy_(Tensor(a!) self, float median=0, float sigma=1, *, Generator? generator=None) -> Tensor(a!)     CPU
export function cauchy_(self: Tensor, median: number, sigma: number, gen: Gen): Tensor {
  TORCH_CHECK(sigma > 0, "cauchy_ expects sigma > 0.0, but found sigma=", printDouble(sigma));
  TORCH_CHECK(
    isFloatingType(self.scalar_type()),
    "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you specified ",
    typeMetaName(self.scalar_type()),
  );
  if (self.numel() === 0) return self;
  const iter = TensorIterator.borrowing_nullary_op(self);
  cauchy_stub.call(iter.device_type(0), iter, median, sigma, gen);
  return self;
}

// log_normal_(Tensor(a!) self, float mean=1, float std=2, *, Generator? generator=None) -> Tensor(a!)     CPU
export function log_normal_(self: Tensor, mean: number, std: number, gen: Gen): Tensor {
  TORCH_CHECK(std > 0, "log_normal_ expects std > 0.0, but found std=", printDouble(std));
  if (self.numel() === 0) return self;
  const iter = TensorIterator.borrowing_nullary_op(self);
  log_normal_stub.call(iter.device_type(0), iter, mean, std, gen);
  return self;
}

// exponential_(Tensor(a!) self, float lambd=1, *, Generator? generator=None) -> Tensor(a!)     CPU
export function exponential_(self: Tensor, lambda: number, gen: Gen): Tensor {
  TORCH_CHECK(lambda > 0, "exponential_ expects lambda > 0.0, but found lambda=", printDouble(lambda));
  if (self.numel() === 0) return self;
  TORCH_CHECK(
    isFloatingType(self.scalar_type()),
    "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you specified ",
    toString(self.scalar_type()),
  );
  const iter = TensorIterator.borrowing_nullary_op(self);
  exponential_stub.call(iter.device_type(0), iter, lambda, gen);
  return self;
}

// geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)     CPU
export function geometric_(self: Tensor, p: number, gen: Gen): Tensor {
  TORCH_CHECK(0 < p && p < 1, "geometric_ expects p to be in (0, 1), but got p=", printDouble(p));
  if (self.numel() === 0) return self;
  const iter = TensorIterator.borrowing_nullary_op(self);
  geometric_stub.call(iter.device_type(0), iter, p, gen);
  return self;
}

// normal -----------------------------------------------------------------------------------------------------------------

function check_normal_tensor_std(std: Tensor): void {
  TORCH_CHECK(
    std.numel() === 0 || std.is_meta() || std.min().ge_Scalar(Scalar.ZERO).item().toBool(),
    "normal expects all elements of std >= 0.0",
  );
}

/** Calls `normal_`; on Meta only the shape is computed. */
function filled(output: Tensor, mean: number, std: number, gen: Gen): Tensor {
  return output.is_meta() ? output : normal_(output, mean, std, gen);
}

// normal.Tensor_float_out(Tensor mean, float std=1, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)     CPU
export function normal_out_Tensor_float_out(mean: Tensor, std: number, gen: Gen, output: Tensor): Tensor {
  check_normal_std(std);
  const std_tensor = at.empty_like(output, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  resize_output(output, infer_size_dimvector(mean.sizes(), std_tensor.sizes()));
  return filled(output, 0, std, gen).add__Tensor(mean);
}

// normal.Tensor_float(Tensor mean, float std=1, *, Generator? generator=None) -> Tensor     CPU
export function normal_Tensor_float(mean: Tensor, std: number, gen: Gen): Tensor {
  check_normal_std(std);
  const ret = at.empty_like(mean, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  return normal_out_Tensor_float_out(mean, std, gen, ret);
}

// normal.float_Tensor_out(float mean, Tensor std, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)     CPU
export function normal_out_float_Tensor_out(mean: number, std: Tensor, gen: Gen, output: Tensor): Tensor {
  check_normal_tensor_std(std);
  const mean_tensor = at.full([], Scalar.fromDouble(mean), output.options());
  resize_output(output, infer_size_dimvector(mean_tensor.sizes(), std.sizes()));
  return filled(output, 0, 1, gen).mul__Tensor(std).add__Tensor(mean_tensor);
}

// normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor     CPU
export function normal_float_Tensor(mean: number, std: Tensor, gen: Gen): Tensor {
  check_normal_tensor_std(std);
  const ret = at.empty_like(std, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  return normal_out_float_Tensor_out(mean, std, gen, ret);
}

// normal.Tensor_Tensor_out(Tensor mean, Tensor std, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)     CPU
export function normal_out_Tensor_Tensor_out(mean: Tensor, std: Tensor, gen: Gen, output: Tensor): Tensor {
  check_normal_tensor_std(std);
  resize_output(output, infer_size_dimvector(mean.sizes(), std.sizes()));
  return filled(output, 0, 1, gen).mul__Tensor(std).add__Tensor(mean);
}

// normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor     CPU
export function normal_Tensor_Tensor(mean: Tensor, std: Tensor, gen: Gen): Tensor {
  check_normal_tensor_std(std);
  const shape = infer_size_dimvector(mean.sizes(), std.sizes());
  const ret = at.empty_memory_format(shape, mean.options(), MemoryFormat.Contiguous);
  return normal_out_Tensor_Tensor_out(mean, std, gen, ret);
}

// Same six schemas                                                               Meta
export function normal_meta_Tensor_float(mean: Tensor, std: number, gen: Gen): Tensor {
  return normal_Tensor_float(mean, std, gen);
}
export function normal_meta_float_Tensor(mean: number, std: Tensor, gen: Gen): Tensor {
  return normal_float_Tensor(mean, std, gen);
}
export function normal_meta_Tensor_Tensor(mean: Tensor, std: Tensor, gen: Gen): Tensor {
  return normal_Tensor_Tensor(mean, std, gen);
}
export function normal_out_meta_Tensor_float_out(mean: Tensor, std: number, gen: Gen, output: Tensor): Tensor {
  return normal_out_Tensor_float_out(mean, std, gen, output);
}
export function normal_out_meta_float_Tensor_out(mean: number, std: Tensor, gen: Gen, output: Tensor): Tensor {
  return normal_out_float_Tensor_out(mean, std, gen, output);
}
export function normal_out_meta_Tensor_Tensor_out(mean: Tensor, std: Tensor, gen: Gen, output: Tensor): Tensor {
  return normal_out_Tensor_Tensor_out(mean, std, gen, output);
}

// normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, <options>) -> Tensor     CompositeExplicitAutograd
export function normal_float_float(
  mean: number,
  std: number,
  size: number[],
  generator: Gen,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  check_normal_std(std);
  const result = at.empty_memory_format(size, optionsOf(dtype, layout, device, pin_memory));
  return result.normal_(mean, std, generator);
}

// normal.float_float_out(float mean, float std, SymInt[] size, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)
export function normal_out_float_float_out(
  mean: number,
  std: number,
  size: number[],
  generator: Gen,
  result: Tensor,
): Tensor {
  check_normal_std(std);
  result.resize_(size);
  return result.normal_(mean, std, generator);
}
