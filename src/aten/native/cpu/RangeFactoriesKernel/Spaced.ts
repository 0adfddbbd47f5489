/**
 * @file Kernels of `linspace` and `logspace`.
 * @mirrors aten/src/ATen/native/cpu/RangeFactoriesKernel.cpp
 */
import { AT_DISPATCH, cast, type data, type opmath_t, round_to, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import {
  linspace_instances,
  linspace_reduced_instances,
  logspace_floating_instances,
  logspace_integral_instances,
} from "#aten/native/cpu/generated/RangeFactoriesKernel/Spaced";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { linspace_stub, logspace_stub } from "#aten/native/RangeFactories/Spaced";
import { toOpMathType } from "#aten/OpMathType";
import type { TensorIterator } from "#aten/TensorIterator";
import { reducedFloatingType, round_to_reduced } from "#c10/core/ReducedFloatingType";
import type { Scalar } from "#c10/core/Scalar";
import { isFloatingType, isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";
import { fma } from "#c10/util/math";

// Note [Counting from both ends]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// If all values were counted from `start`, the last value would miss `end` because of the rounded step. So the second
// half is counted back from `end`: both ends are exact, and the values are symmetric. Multiply-adds are fused.

/**
 * `exact` is true if products with the step are never rounded, so that no fused multiply-add is needed.
 * @template linspace_cpu: all types
 */
export function linspace(
  out: data<scalar_t>,
  offset: number,
  steps: number,
  start: number,
  end: number,
  step: number,
  exact: boolean,
): void {
  const halfway = Math.floor(steps / 2);
  if (exact) {
    for (let i = 0; i < halfway; i++) store(out, offset + i, cast<scalar_t>(step * i + start));
    for (let i = halfway; i < steps; i++) store(out, offset + i, cast<scalar_t>(end - step * (steps - i - 1)));
    return;
  }
  for (let i = 0; i < halfway; i++) store(out, offset + i, cast<scalar_t>(fma(step, i, start)));
  for (let i = halfway; i < steps; i++) store(out, offset + i, cast<scalar_t>(fma(-step, steps - i - 1, end)));
}

/** Halves are rounded after each operation. @template linspace_cpu: reduced floating types */
export function linspace_reduced(
  out: data<scalar_t>,
  offset: number,
  steps: number,
  start: number,
  end: number,
  step: number,
  _exact: boolean,
): void {
  const halfway = Math.floor(steps / 2);
  for (let i = 0; i < halfway; i++) {
    const distance = cast<number>(round_to<scalar_t>(step * cast<number>(round_to<scalar_t>(i))));
    store(out, offset + i, cast<scalar_t>(start + distance));
  }
  for (let i = halfway; i < steps; i++) {
    const distance = cast<number>(round_to<scalar_t>(step * cast<number>(round_to<scalar_t>(steps - i - 1))));
    store(out, offset + i, cast<scalar_t>(end - distance));
  }
}

/** @template logspace_cpu: integral types */
export function logspace_integral(
  out: data<scalar_t>,
  offset: number,
  steps: number,
  start: number,
  end: number,
  step: number,
  base: number,
): void {
  const halfway = Math.floor(steps / 2);
  for (let i = 0; i < halfway; i++) store(out, offset + i, cast<scalar_t>(base ** fma(step, i, start)));
  for (let i = halfway; i < steps; i++) store(out, offset + i, cast<scalar_t>(base ** fma(-step, steps - i - 1, end)));
}

/** The exponent is rounded; for halves it is a float32. @template logspace_cpu: floating types and halves */
export function logspace_floating(
  out: data<scalar_t>,
  offset: number,
  steps: number,
  start: number,
  end: number,
  step: number,
  base: number,
): void {
  const halfway = Math.floor(steps / 2);
  for (let i = 0; i < halfway; i++)
    store(out, offset + i, cast<scalar_t>(base ** cast<number>(round_to<opmath_t>(fma(step, i, start)))));
  for (let i = halfway; i < steps; i++)
    store(out, offset + i, cast<scalar_t>(base ** cast<number>(round_to<opmath_t>(fma(-step, steps - i - 1, end)))));
}

type Round = (x: number) => number;

/** Rounding function of the dtype. Integers are computed in double. */
function rounding(dtype: ScalarType): Round {
  const reduced = reducedFloatingType(dtype);
  if (reduced !== null) return (x) => round_to_reduced(reduced, x);
  return dtype === ScalarType.Float ? Math.fround : (x) => x;
}

/** Both ends in the dtype, and the step between values, rounded by `round`. */
function spacing(
  scalar_start: Scalar,
  scalar_end: Scalar,
  steps: number,
  dtype: ScalarType,
  round: Round,
): [start: number, end: number, step: number] {
  const [start, end] = [Number(scalar_start.to(dtype)), Number(scalar_end.to(dtype))];
  return [start, end, round(round(end - start) / round(steps - 1))];
}

/** Products of a float with numbers up to this one fit into the 53 bits of a double. */
const MOST_EXACT = 2 ** 29;

function linspace_kernel(iter: TensorIterator, scalar_start: Scalar, scalar_end: Scalar, steps: number): void {
  const dtype = iter.dtype();
  const fn = AT_DISPATCH(isReducedFloatingType(dtype) ? linspace_reduced_instances : linspace_instances, dtype);
  const [start, end, step] = spacing(scalar_start, scalar_end, steps, dtype, rounding(dtype));
  const exact = Math.fround(step) === step && steps <= MOST_EXACT;
  fn(iter.data_view(0), iter.data_offset(0), steps, start, end, step, exact);
}

function logspace_kernel(r: Tensor, scalar_start: Scalar, scalar_end: Scalar, steps: number, base: number): void {
  const dtype = r.scalar_type();
  const fn = AT_DISPATCH(isFloatingType(dtype) ? logspace_floating_instances : logspace_integral_instances, dtype);
  const round = rounding(toOpMathType(dtype));
  const [start, end, step] = spacing(scalar_start, scalar_end, steps, dtype, round);
  fn(r.impl_.data_view(), r.impl_.data_offset(), steps, start, end, step, round(base));
}

REGISTER_DEFAULT_DISPATCH(linspace_stub, linspace_kernel, "linspace_kernel");
REGISTER_DEFAULT_DISPATCH(logspace_stub, logspace_kernel, "logspace_kernel");
