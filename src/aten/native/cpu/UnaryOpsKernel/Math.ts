/**
 * @file Kernels of unary functions that round numbers or return parts of them: round, frac, signbit, frexp, nan_to_num;
 * also logit and sinc.
 * @mirrors aten/src/ATen/native/cpu/UnaryOpsKernel.cpp
 * @see index.ts
 */
import {
  type bool,
  type captured,
  type captured_opmath,
  cast,
  type int32,
  type opmath_t,
  round_to,
  type scalar_t,
} from "#aten/Dispatch";
import { one_less } from "#aten/native/cpu/BinaryOpsKernel/Math";
import { direct_copy_kernel } from "#aten/native/cpu/CopyKernel";
import {
  angle_loops,
  frac_loops,
  frexp_loops,
  logit_clamped_loops,
  logit_loops,
  nan_to_num_loops,
  round_of_loops,
  round_to_decimals_loops,
  round_to_negative_decimals_loops,
  signbit_of_loops,
  sinc_loops,
} from "#aten/native/cpu/generated/UnaryOpsKernel/Math";
import { cpu_kernel, cpu_kernel_multiple_outputs } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { frexp_exponent, frexp_mantissa } from "#aten/native/Math/index";
import { angle_stub, conj_physical_stub } from "#aten/native/UnaryOps/Complex";
import {
  frac_stub,
  frexp_stub,
  logit_stub,
  nan_to_num_stub,
  round_decimals_stub,
  round_stub,
  signbit_stub,
  sinc_stub,
} from "#aten/native/UnaryOps/Math";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { reducedFloatingType } from "#c10/core/ReducedFloatingType";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { isnan, log, nearbyint, signbit, sin, trunc } from "#c10/util/math";

// ---- rounding

/** @loop round_vml_cpu: floating types and halves */
export function round_of(a: scalar_t): scalar_t {
  return nearbyint(a);
}

/** @loop round_cpu: floating types and halves */
export function round_to_decimals(a: scalar_t, ten_pow_decimals: captured_opmath): scalar_t {
  return nearbyint(round_to<opmath_t>(a * ten_pow_decimals)) / ten_pow_decimals;
}

/** Rounds to tens, hundreds, ... @loop round_cpu: floating types and halves */
export function round_to_negative_decimals(a: scalar_t, ten_pow_decimals: captured_opmath): scalar_t {
  return nearbyint(round_to<opmath_t>(a / ten_pow_decimals)) * ten_pow_decimals;
}

/** @loop frac_cpu: floating types and halves */
export function frac(a: scalar_t): scalar_t {
  return a - trunc(a);
}

// ---- parts

/** Angle of a real number: 0 or pi; NaN stays NaN. @loop angle_cpu: floating types and halves */
export function angle(a: scalar_t): scalar_t {
  return isnan(a) ? a : a < 0 ? Math.PI : 0;
}

type self_t = number;
/** @loop signbit_cpu self_t: all types and halves */
export function signbit_of(a: self_t): bool {
  return signbit(a);
}
export function signbit_of$integral(a: self_t): bool {
  return a < 0;
}

/** @loop frexp_cpu: floating types and halves */
export function frexp(a: scalar_t): [scalar_t, int32] {
  const exponent = frexp_exponent(a);
  return [frexp_mantissa(a, exponent), cast<int32>(exponent)];
}

/** @loop nan_to_num: floating types and halves */
export function nan_to_num(
  a: scalar_t,
  nan: captured<number>,
  posinf: captured<number>,
  neginf: captured<number>,
): scalar_t {
  if (isnan(a)) return nan;
  return a === Infinity ? posinf : a === -Infinity ? neginf : a;
}

// ---- functions

/** log(x / (1 - x)). @loop logit_cpu: floating types and halves */
export function logit(x: scalar_t): scalar_t {
  return log(round_to<scalar_t>(x / round_to<scalar_t>(1 - x)));
}

/** @loop logit_cpu: floating types and halves */
export function logit_clamped(a: scalar_t, lo: captured, hi: captured): scalar_t {
  const x = a < lo ? lo : a > hi ? hi : a;
  return log(round_to<scalar_t>(x / round_to<scalar_t>(1 - x)));
}

/** sin(pi a) / (pi a) @loop sinc_cpu: floating types and halves */
export function sinc(a: scalar_t, pi: captured_opmath): scalar_t {
  const product = round_to<opmath_t>(pi * a);
  return a === 0 ? 1 : sin(product) / product;
}

// ---- kernels

/** The largest finite number of a floating dtype. */
function highest_of(dtype: ScalarType): number {
  return reducedFloatingType(dtype)?.max ?? (dtype === ScalarType.Float ? 3.4028234663852886e38 : Number.MAX_VALUE);
}

function angle_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, angle_loops);
}
/** The conjugate of real numbers is a copy. */
function conj_kernel(iter: TensorIteratorBase): void {
  direct_copy_kernel(iter);
}
function round_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, round_of_loops);
}
function round_decimals_kernel(iter: TensorIteratorBase, decimals: number): void {
  const ten_pow_decimals = Scalar.fromDouble(10 ** Math.abs(Number(decimals)));
  cpu_kernel(iter, decimals < 0 ? round_to_negative_decimals_loops : round_to_decimals_loops, ten_pow_decimals);
}
function frac_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, frac_loops);
}
function signbit_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, signbit_of_loops);
}
function frexp_kernel(iter: TensorIteratorBase): void {
  cpu_kernel_multiple_outputs(iter, frexp_loops);
}
function nan_to_num_kernel(
  iter: TensorIteratorBase,
  nan: number | null,
  pos_inf: number | null,
  neg_inf: number | null,
): void {
  const highest = highest_of(iter.dtype());
  cpu_kernel(iter, nan_to_num_loops, nan ?? 0, pos_inf ?? highest, neg_inf ?? -highest);
}
function logit_kernel(iter: TensorIteratorBase, eps: Scalar): void {
  if (eps.toDouble() < 0) cpu_kernel(iter, logit_loops);
  else cpu_kernel(iter, logit_clamped_loops, eps, one_less(eps, iter.dtype()));
}
function sinc_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, sinc_loops, Scalar.fromDouble(Math.PI));
}

REGISTER_DISPATCH(angle_stub, angle_kernel, "angle_kernel");
REGISTER_DISPATCH(conj_physical_stub, conj_kernel, "conj_kernel");
REGISTER_DISPATCH(round_stub, round_kernel, "round_kernel");
REGISTER_DISPATCH(round_decimals_stub, round_decimals_kernel, "round_decimals_kernel");
REGISTER_DISPATCH(frac_stub, frac_kernel, "frac_kernel");
REGISTER_DISPATCH(signbit_stub, signbit_kernel, "signbit_kernel");
REGISTER_DISPATCH(frexp_stub, frexp_kernel, "frexp_kernel");
REGISTER_DISPATCH(nan_to_num_stub, nan_to_num_kernel, "nan_to_num_kernel");
REGISTER_DISPATCH(logit_stub, logit_kernel, "logit_kernel");
REGISTER_DISPATCH(sinc_stub, sinc_kernel, "sinc_kernel");
