/**
 * @file Kernel of `arange`.
 * @mirrors aten/src/ATen/native/RangeFactories.h
 */
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { arange_stub } from "#aten/native/RangeFactories/index";
import type { TensorIterator } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { isFloatingType } from "#c10/core/ScalarType";
import { GpuKernel } from "./KernelText.ts";
import { operand_view, STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

const RESULTS: Readonly<Record<string, string>> = {
  f32: "fma(p.float_step, f32(i), p.float_start)",
  i32: "bitcast<i32>(p.start_low + p.step_low * i)",
  "vec2<u32>":
    "i64_add(vec2<u32>(p.start_low, p.start_high), i64_mul(vec2<u32>(p.step_low, p.step_high), vec2<u32>(i, 0u)))",
};

const kernel = new GpuKernel("arange", {
  reads: [],
  writes: ["out"],
  fields: [
    ...["n: u32", "float_start: f32", "float_step: f32"],
    ...["start_low: u32", "start_high: u32", "step_low: u32", "step_high: u32"],
  ],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: (context) => ({ main: `${strided_indices(1)}\n  store_out(i, ${RESULTS[context.type("out")]});` }),
});

/** An int64 as two 32-bit words. */
function words(value: bigint): number[] {
  return [Number(BigInt.asUintN(32, value)), Number(BigInt.asIntN(32, value >> 32n))];
}

// Precondition: the output is contiguous; the operator ensures that.
function arange_kernel(iter: TensorIterator, start: Scalar, _end: Scalar, step: Scalar): void {
  const n = iter.numel();
  if (n === 0) return;
  const is_float = isFloatingType(iter.dtype());
  const numbers = is_float ? [start.toDouble(), step.toDouble(), 0, 0, 0, 0] : [];
  const values = is_float ? numbers : [0, 0, ...words(start.toBigInt()), ...words(step.toBigInt())];
  kernel.launch(0, [operand_view(iter, 0)], [n, ...values], ...strided_groups(n), 1);
}

REGISTER_PRIVATEUSE1_DISPATCH(arange_stub, arange_kernel, "arange_kernel_webgpu");
