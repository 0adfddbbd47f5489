/**
 * @file Kernels of the maximum and minimum of all elements.
 * @mirrors aten/src/ATen/native/cpu/ReduceAllOpsKernel.cpp
 */
import {
  AT_DISPATCH,
  type data,
  type Instantiations,
  load,
  lower_bound,
  type scalar_t,
  upper_bound,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { max_all_stub, min_all_stub } from "#aten/native/ReduceAllOps";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { nothing, traceCall, tracer } from "#c10/util/Trace";
import { default_loop } from "./default_loop.ts";
import { max_all_instances, min_all_instances } from "./generated/ReduceAllOpsKernel.ts";

/**
 * Maximum; NaN if any element is NaN. Without elements (possible with `out`), the smallest value of the dtype.
 * @template max_all: Bool, all types and halves
 */
export function max_all(x: data<scalar_t>, xo: number, n: number): scalar_t {
  let max: scalar_t = lower_bound<scalar_t>();
  for (let i = 0; i < n; i++) {
    const v: scalar_t = load(x, xo + i);
    if (v > max || v !== v) max = v;
  }
  return max;
}

/**
 * Minimum; NaN if any element is NaN. Without elements, the largest value of the dtype.
 * @template min_all: Bool, all types and halves
 */
export function min_all(x: data<scalar_t>, xo: number, n: number): scalar_t {
  let min: scalar_t = upper_bound<scalar_t>();
  for (let i = 0; i < n; i++) {
    const v: scalar_t = load(x, xo + i);
    if (v < min || v !== v) min = v;
  }
  return min;
}

/** `why` is the reason, for a trace, why SIMD did not run. */
function reduce_all_impl(
  name: "max_all" | "min_all",
  instances: Instantiations<typeof max_all>,
  result: Tensor,
  input: Tensor,
  why: string | null,
): void {
  const dtype = input.scalar_type();
  const fn = AT_DISPATCH(instances, dtype);
  const args: Parameters<typeof fn> = [input.data_view(), input.data_offset(), input.numel()];
  const data = tracer === null ? {} : default_loop(name, "ReduceAllOpsKernel", dtype, input.sizes(), why);
  const value: number | bigint =
    tracer === null ? fn(...args) : traceCall("loop", `at::native::${name}`, fn, args, data, nothing);
  if (dtype === ScalarType.Bool) result.fill__Scalar(Scalar.fromBool(Number(value) !== 0));
  else result.fill__Scalar(isFloatingType(dtype) ? Scalar.fromDouble(Number(value)) : Scalar.fromInt(value));
}

export function min_all_kernel_impl(result: Tensor, input: Tensor, why: string | null = null): void {
  reduce_all_impl("min_all", min_all_instances, result, input, why);
}

export function max_all_kernel_impl(result: Tensor, input: Tensor, why: string | null = null): void {
  reduce_all_impl("max_all", max_all_instances, result, input, why);
}

REGISTER_DEFAULT_DISPATCH(min_all_stub, min_all_kernel_impl, "min_all_kernel_impl");
REGISTER_DEFAULT_DISPATCH(max_all_stub, max_all_kernel_impl, "max_all_kernel_impl");
