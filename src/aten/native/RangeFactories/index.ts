/**
 * @file `arange`, and the older `range`: evenly spaced numbers, counted in the result's dtype.
 * @mirrors aten/src/ATen/native/RangeFactories.cpp
 */
import { printDouble } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { TensorIterator } from "#aten/TensorIterator";
import type { Device } from "#c10/core/Device";
import type { Layout } from "#c10/core/Layout";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED, TORCH_CHECK_VALUE, TORCH_WARN } from "#c10/util/Exception";

export const range_stub = DEFINE_DISPATCH<(iter: TensorIterator, start: Scalar, step: Scalar) => void>("range_stub");
export const arange_stub =
  DEFINE_DISPATCH<(iter: TensorIterator, start: Scalar, end: Scalar, step: Scalar) => void>("arange_stub");

/** Dtype of `arange` without an explicit dtype: int64 for integer arguments, else the default dtype. */
function rangeOptions(
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
  ...bounds: Scalar[]
): TensorOptions {
  const integral = bounds.every((bound) => bound.isIntegral(true));
  return new TensorOptions(dtype ?? (integral ? ScalarType.Long : null), layout, device, pin_memory);
}

// arange(Scalar end, *, <options>) -> Tensor                                     CompositeExplicitAutograd
export function arange(
  end: Scalar,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  return arange_start(Scalar.ZERO, end, dtype, layout, device, pin_memory);
}

// arange.start(Scalar start, Scalar end, *, <options>) -> Tensor                 CompositeExplicitAutograd
export function arange_start(
  start: Scalar,
  end: Scalar,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  return arange_start_step(start, end, Scalar.ONE, dtype, layout, device, pin_memory);
}

// arange.start_step(Scalar start, Scalar end, Scalar step=1, *, <options>) -> Tensor     CompositeExplicitAutograd
export function arange_start_step(
  start: Scalar,
  end: Scalar,
  step: Scalar,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  const options = rangeOptions(dtype, layout, device, pin_memory, start, end, step);
  return at.arange_start_out(start, end, step, at.empty_memory_format([0], options));
}

// arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)                        CompositeExplicitAutograd
export function arange_out(end: Scalar, result: Tensor): Tensor {
  return at.arange_start_out(Scalar.ZERO, end, Scalar.ONE, result);
}

function arange_check_bounds(start: Scalar, end: Scalar, step: Scalar): void {
  const xstart = start.toNumber();
  const xend = end.toNumber();
  const xstep = step.toNumber();
  TORCH_CHECK(xstep > 0 || xstep < 0, "step must be nonzero");
  TORCH_CHECK(
    Number.isFinite(xstart) && Number.isFinite(xend),
    "unsupported range: ",
    printDouble(xstart),
    " -> ",
    printDouble(xend),
  );
  TORCH_CHECK(
    (xstep > 0 && xend >= xstart) || (xstep < 0 && xend <= xstart),
    "upper bound and lower bound inconsistent with step sign",
  );
}

/**
 * Count of numbers in [start, end). It is computed in double for every dtype except int64, whose bounds may need all 64
 * bits.
 */
function compute_arange_size(start: Scalar, end: Scalar, step: Scalar, dtype: ScalarType): number {
  arange_check_bounds(start, end, step);
  let size: number;
  if (dtype === ScalarType.Long) {
    const xstep = step.toBigInt();
    const distance = end.toBigInt() - start.toBigInt();
    const sgn = xstep > 0n ? 1n : -1n;
    TORCH_CHECK_VALUE(xstep !== 0n, "step must be nonzero"); // 0.3 becomes 0 as an integer
    size = Number((distance + xstep - sgn) / xstep);
  } else {
    size = Math.ceil((end.toDouble() - start.toDouble()) / step.toDouble());
  }
  TORCH_CHECK(size >= 0 && size < 2 ** 63, "invalid size, possible overflow?");
  return size;
}

const arangeTypes: ReadonlySet<ScalarType> = new Set([
  ScalarType.Byte,
  ScalarType.Char,
  ScalarType.Short,
  ScalarType.Int,
  ScalarType.Long,
  ScalarType.Half,
  ScalarType.BFloat16,
  ScalarType.Float,
  ScalarType.Double,
]);

// arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)     CPU, Meta
export function arange_out_start_out(start: Scalar, end: Scalar, step: Scalar, result: Tensor): Tensor {
  const dtype = result.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(arangeTypes.has(dtype), '"arange_cpu" not implemented for \'', toString(dtype), "'");
  const size = compute_arange_size(start, end, step, dtype);
  const numel = result.numel();
  if (numel !== size) {
    if (numel > 0) {
      TORCH_WARN(
        "The number of elements in the out tensor of shape ",
        result.sizes(),
        " is ",
        numel,
        " which does not match the computed number of elements ",
        size,
        ". Note that this may occur as a result of rounding error. The out tensor will be resized to a tensor of shape (",
        size,
        ",).",
      );
    }
    result.resize_([size]);
  }
  if (result.is_meta()) return result;
  const r = result.is_contiguous() ? result : result.contiguous();
  arange_stub.call(r.device().type(), TensorIterator.borrowing_nullary_op(r), start, end, step);
  if (!result.is_contiguous()) result.copy_(r);
  return result;
}

// range.step(Scalar start, Scalar end, Scalar step=1, *, <options>) -> Tensor       CompositeExplicitAutograd
export function range_step(
  start: Scalar,
  end: Scalar,
  step: Scalar,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  const options = new TensorOptions(dtype, layout, device, pin_memory);
  return at.range_out(start, end, step, at.empty_memory_format([0], options));
}

// range(Scalar start, Scalar end, *, <options>) -> Tensor                           CompositeExplicitAutograd
export function range(
  start: Scalar,
  end: Scalar,
  dtype: ScalarType | null,
  layout: Layout | null,
  device: Device | null,
  pin_memory: boolean | null,
): Tensor {
  return range_step(start, end, Scalar.ONE, dtype, layout, device, pin_memory);
}

// range.out_(Scalar start, Scalar end, *, Tensor(a!) out) -> Tensor(a!)             CompositeExplicitAutograd
export function range_out_no_step(start: Scalar, end: Scalar, out: Tensor): Tensor {
  return range_out(start, end, Scalar.ONE, out);
}

/** Count of numbers in [start, end], including both ends: in float32 for halves, in 64 bits for integers. */
function compute_range_size(start: Scalar, end: Scalar, step: Scalar, dtype: ScalarType): number {
  if (dtype === ScalarType.Half || dtype === ScalarType.BFloat16) {
    const distance = Math.fround(Math.fround(end.toFloat()) - Math.fround(start.toFloat()));
    return Math.trunc(Math.fround(Math.fround(distance / Math.fround(step.toFloat())) + 1));
  }
  if (dtype === ScalarType.Float || dtype === ScalarType.Double)
    return Math.trunc((end.toDouble() - start.toDouble()) / step.toDouble() + 1);
  const xstep = step.toBigInt();
  TORCH_CHECK(xstep !== 0n, "step must be nonzero"); // 0.3 becomes 0 as an integer
  return Number((end.toBigInt() - start.toBigInt()) / xstep + 1n);
}

// range.out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)     CPU, Meta
/** @differs Ours refuses a step that is 0 as an integer; PyTorch's process ends with a division by zero. */
export function range_out(start: Scalar, end: Scalar, step: Scalar, result: Tensor): Tensor {
  const dtype = result.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(arangeTypes.has(dtype), '"range_cpu" not implemented for \'', toString(dtype), "'");
  arange_check_bounds(start, end, step);
  const size = compute_range_size(start, end, step, dtype);
  if (result.numel() !== size) result.resize_([size]);
  if (result.is_meta()) return result;
  const r = result.is_contiguous() ? result : result.contiguous();
  range_stub.call(r.device().type(), TensorIterator.borrowing_nullary_op(r), start, step);
  if (!result.is_contiguous()) result.copy_(r);
  return result;
}
