/**
 * @file The loops of `arange` and `range`.
 * @mirrors aten/src/ATen/native/cpu/RangeFactoriesKernel.cpp
 */
import { AT_DISPATCH, type acc_t, cast, type data, round_to, type scalar_t, sizeof, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { arange_stub, range_stub } from "#aten/native/RangeFactories";
import type { TensorIterator } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { elementSize, isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { fma } from "#c10/util/math";
import {
  arange_floating_instances,
  arange_integral_instances,
  range_floating_instances,
} from "./generated/RangeFactoriesKernel.ts";
import { takes_rows } from "./VecLoops.ts";
import { functions_of } from "./vec/driver.ts";
import { RangeFactoriesKernel_vec } from "./vec/generated/RangeFactoriesKernel.ts";

/** @template arange_cpu: integral types */
export function arange_integral(out: data<scalar_t>, offset: number, n: number, start: number, step: number): void {
  for (let i = 0; i < n; i++) store(out, offset + i, cast<scalar_t>(start + step * i));
}

// Note [arange repeats the vector's rounding]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// PyTorch's AVX2 loop computes the first element of each vector register from the index, rounds it to the dtype, and steps from there
// for the other lanes; two registers a turn, and what is left over is computed element by element. The rounded
// base makes other last digits than `start + step * i` would, so the same blocks are walked here. Multiply-adds are fused.

/** Of AVX2. */
const VECTOR_NBYTES = 32;

/** `exact`: no product of the step is rounded, so that nothing need be fused. @template arange_cpu: floating types and halves */
export function arange_floating(
  out: data<scalar_t>,
  offset: number,
  n: number,
  start: number,
  step: number,
  exact: boolean,
): void {
  const lanes = VECTOR_NBYTES / sizeof<scalar_t>();
  const in_vectors = n - (n % (2 * lanes));
  for (let i = 0; i < in_vectors; i += lanes) {
    const base = cast<number>(round_to<scalar_t>(fma(step, i, start)));
    if (exact) {
      for (let lane = 0; lane < lanes; lane++) store(out, offset + i + lane, cast<scalar_t>(step * lane + base));
    } else {
      for (let lane = 0; lane < lanes; lane++) store(out, offset + i + lane, cast<scalar_t>(fma(step, lane, base)));
    }
  }
  for (let i = in_vectors; i < n; i++) store(out, offset + i, cast<scalar_t>(fma(step, i, start)));
}

/** One by one, each from its index: no vectors, no fused multiply-add. @template range_cpu: floating types and halves */
export function range_floating(out: data<scalar_t>, offset: number, n: number, start: acc_t, step: acc_t): void {
  for (let i = 0; i < n; i++) store(out, offset + i, cast<scalar_t>(start + step * cast<acc_t>(i)));
}

/** Beyond 2^53: slow, exact modulo 2^64. */
function arange_int64(out: BigInt64Array, offset: number, n: number, start: bigint, step: bigint): void {
  for (let i = 0, value = start; i < n; i++, value += step) out[offset + i] = value;
}

function arange_kernel(iter: TensorIterator, scalar_start: Scalar, _end: Scalar, scalar_step: Scalar): void {
  const dtype = iter.dtype();
  const out = iter.data_view(0);
  const offset = iter.data_offset(0);
  const n = iter.numel();
  if (isFloatingType(dtype)) {
    // Reduced types count in float32, float32 and float64 in double.
    const reduced = dtype === ScalarType.Half || dtype === ScalarType.BFloat16;
    const start = reduced ? scalar_start.toFloat() : scalar_start.toDouble();
    const step = reduced ? scalar_step.toFloat() : scalar_step.toDouble();
    const exact = Math.fround(step) === step; // times a lane's number it has 28 bits
    AT_DISPATCH(arange_floating_instances, dtype)(out, offset, n, start, step, exact);
    return;
  }
  fill_integral(iter, scalar_start, scalar_step);
}

/** False, and nothing was done, where JavaScript has to do it. */
function fill_with_vectors(out: Tensor, n: number, start: bigint, step: bigint): boolean {
  if (!takes_rows(RangeFactoriesKernel_vec, n, out.impl_)) return false;
  const dtype = out.scalar_type();
  const [from, by] = (dtype === ScalarType.Long ? [start, step] : [Number(start), Number(step)]) as [number, number];
  functions_of(RangeFactoriesKernel_vec, dtype).arange_of_integers(out.data_offset() * elementSize(dtype), n, from, by);
  return true;
}

function fill_integral(iter: TensorIterator, scalar_start: Scalar, scalar_step: Scalar): void {
  const [dtype, out, offset, n] = [iter.dtype(), iter.data_view(0), iter.data_offset(0), iter.numel()];
  const start = scalar_start.toBigInt();
  const step = scalar_step.toBigInt();
  if (fill_with_vectors(iter.output(), n, start, step)) return;
  const last = Number(start) + Number(step) * n;
  if (Number.isSafeInteger(Number(start)) && Number.isSafeInteger(last)) {
    AT_DISPATCH(arange_integral_instances, dtype)(out, offset, n, Number(start), Number(step));
  } else {
    arange_int64(out as BigInt64Array, offset, n, start, step);
  }
}

function range_kernel(iter: TensorIterator, scalar_start: Scalar, scalar_step: Scalar): void {
  const dtype = iter.dtype();
  if (!isFloatingType(dtype)) {
    fill_integral(iter, scalar_start, scalar_step);
    return;
  }
  const reduced = dtype === ScalarType.Half || dtype === ScalarType.BFloat16;
  const start = reduced ? scalar_start.toFloat() : scalar_start.toDouble();
  const step = reduced ? scalar_step.toFloat() : scalar_step.toDouble();
  AT_DISPATCH(range_floating_instances, dtype)(iter.data_view(0), iter.data_offset(0), iter.numel(), start, step);
}

REGISTER_DISPATCH(range_stub, range_kernel, "range_kernel");
REGISTER_DISPATCH(arange_stub, arange_kernel, "arange_kernel");
