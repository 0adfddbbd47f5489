/**
 * @file Kernels of `arange` and `range`.
 * @mirrors aten/src/ATen/native/cpu/RangeFactoriesKernel.cpp
 */
import { AT_DISPATCH, type acc_t, cast, type data, round_to, type scalar_t, sizeof, store } from "#aten/Dispatch";
import {
  arange_floating_instances,
  arange_integral_instances,
  range_floating_instances,
} from "#aten/native/cpu/generated/RangeFactoriesKernel/index";
import { functions_of } from "#aten/native/cpu/vec/driver";
import { RangeFactoriesKernel_vec } from "#aten/native/cpu/vec/generated/range/kernel";
import { type RowLoop, type Rows, takes_rows, told_of_rows } from "#aten/native/cpu/vec/row_driver";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { arange_stub, range_stub } from "#aten/native/RangeFactories/index";
import type { TensorIterator } from "#aten/TensorIterator";
import type { Scalar } from "#c10/core/Scalar";
import { elementSize, isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { fma } from "#c10/util/math";
import { traceCall, tracer } from "#c10/util/Trace";

/** @template arange_cpu: integral types */
export function arange_integral(out: data<scalar_t>, offset: number, n: number, start: number, step: number): void {
  for (let i = 0; i < n; i++) store(out, offset + i, cast<scalar_t>(start + step * i));
}

// Note [arange repeats the vector's rounding]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// PyTorch's AVX2 loop computes the first element of each vector register from the index, rounds it to the dtype, and
// adds steps for the other lanes. It handles two registers per turn, and the remaining elements one by one. The rounded
// base gives other last digits than `start + step * i`, so the same blocks are used here. Multiply-adds are fused.

/** Vector size of AVX2. */
const VECTOR_NBYTES = 32;

/**
 * `exact` is true if products with the step are never rounded, so that no fused multiply-add is needed.
 * @template arange_cpu: floating types and halves
 */
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

/**
 * Computes each element from its index: no vectors, no fused multiply-add.
 * @template range_cpu: floating types and halves
 */
export function range_floating(out: data<scalar_t>, offset: number, n: number, start: acc_t, step: acc_t): void {
  for (let i = 0; i < n; i++) store(out, offset + i, cast<scalar_t>(start + step * cast<acc_t>(i)));
}

/** `arange` for numbers beyond 2^53: slow, but exact modulo 2^64. */
function arange_int64(out: BigInt64Array, offset: number, n: number, start: bigint, step: bigint): void {
  for (let i = 0, value = start; i < n; i++, value += step) out[offset + i] = value;
}

type Fill = (iter: TensorIterator, start: Scalar, step: Scalar) => void;
/** A loop, as a kernel calls it, and the name of its function. */
type Way = readonly [symbol: string, fill: Fill];

/** A bound in the type of the count: float32 for reduced types, double for float32 and float64. */
function bound_in(dtype: ScalarType, bound: Scalar): number {
  return dtype === ScalarType.Half || dtype === ScalarType.BFloat16 ? bound.toFloat() : bound.toDouble();
}

function arange_in_floats(iter: TensorIterator, scalar_start: Scalar, scalar_step: Scalar): void {
  const dtype = iter.dtype();
  const [start, step] = [bound_in(dtype, scalar_start), bound_in(dtype, scalar_step)];
  const exact = Math.fround(step) === step; // times a lane's number, it has 28 bits
  const fill = AT_DISPATCH(arange_floating_instances, dtype);
  fill(iter.data_view(0), iter.data_offset(0), iter.numel(), start, step, exact);
}

function range_in_floats(iter: TensorIterator, scalar_start: Scalar, scalar_step: Scalar): void {
  const dtype = iter.dtype();
  const [start, step] = [bound_in(dtype, scalar_start), bound_in(dtype, scalar_step)];
  AT_DISPATCH(range_floating_instances, dtype)(iter.data_view(0), iter.data_offset(0), iter.numel(), start, step);
}

function in_integers(iter: TensorIterator, start: Scalar, step: Scalar): void {
  const fill = AT_DISPATCH(arange_integral_instances, iter.dtype());
  fill(iter.data_view(0), iter.data_offset(0), iter.numel(), start.toLong(), step.toLong());
}

function in_bigints(iter: TensorIterator, start: Scalar, step: Scalar): void {
  const out = iter.data_view(0) as BigInt64Array;
  arange_int64(out, iter.data_offset(0), iter.numel(), start.toBigInt(), step.toBigInt());
}

function with_vectors(iter: TensorIterator, start: Scalar, step: Scalar): void {
  const dtype = iter.dtype();
  const { arange_of_integers: fill } = functions_of(RangeFactoriesKernel_vec, dtype);
  // One type for all modules: the int64 module takes bigints.
  const bound = (value: Scalar) => (dtype === ScalarType.Long ? value.toBigInt() : value.toLong()) as number;
  fill(iter.data_offset(0) * elementSize(dtype), iter.numel(), bound(start), bound(step));
}

/** Whether all numbers up to one step beyond the last are exact in double. */
function are_exact(start: Scalar, step: Scalar, n: number): boolean {
  const first = start.toLong();
  return Number.isSafeInteger(first) && Number.isSafeInteger(first + step.toLong() * n);
}

function fill_range(iter: TensorIterator, start: Scalar, step: Scalar, in_floats: Way): void {
  const rows: Rows = { n: iter.numel(), tensors: [iter.output().impl_] };
  let way = in_floats;
  if (takes_rows(RangeFactoriesKernel_vec, rows)) way = ["arange_of_integers", with_vectors];
  else if (!isFloatingType(iter.dtype()))
    way = are_exact(start, step, rows.n) ? ["arange_integral", in_integers] : ["arange_int64", in_bigints];
  if (tracer === null) way[1](iter, start, step);
  else callSlow(way, [iter, start, step], rows);
}

function callSlow([symbol, fill]: Way, args: Parameters<Fill>, rows: Rows): void {
  const loop: RowLoop = {
    modules: RangeFactoriesKernel_vec,
    symbol: "arange_of_integers",
    file: "range/kernel",
    plain: [symbol, "RangeFactoriesKernel/index"],
  };
  const told = told_of_rows(loop, rows, [rows.n]);
  traceCall("loop", told["scalar"] as string, fill, args, told);
}

function arange_kernel(iter: TensorIterator, start: Scalar, _end: Scalar, step: Scalar): void {
  fill_range(iter, start, step, ["arange_floating", arange_in_floats]);
}

function range_kernel(iter: TensorIterator, start: Scalar, step: Scalar): void {
  fill_range(iter, start, step, ["range_floating", range_in_floats]);
}

REGISTER_DISPATCH(range_stub, range_kernel, "range_kernel");
REGISTER_DISPATCH(arange_stub, arange_kernel, "arange_kernel");
