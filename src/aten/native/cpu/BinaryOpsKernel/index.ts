/**
 * @file Kernels of binary operators: the scalar functions, and the kernels that run them. (`add` and `sub` come from
 * ufunc/add.ts.)
 * @mirrors aten/src/ATen/native/cpu/BinaryOpsKernel.cpp
 */
import {
  type bool,
  type captured,
  type captured_opmath,
  type Loops,
  type opmath_t,
  round_to,
  type scalar_t,
} from "#aten/Dispatch";
import {
  bitwise_and_stub,
  bitwise_or_stub,
  bitwise_xor_stub,
  div_floor_stub,
  div_true_stub,
  div_trunc_stub,
  eq_stub,
  ge_stub,
  gt_stub,
  le_stub,
  logical_and_stub,
  logical_or_stub,
  logical_xor_stub,
  lshift_stub,
  lt_stub,
  maximum_stub,
  minimum_stub,
  mul_stub,
  ne_stub,
  rshift_stub,
  sigmoid_backward_stub,
  tanh_backward_stub,
} from "#aten/native/BinaryOps/index";
import {
  bitwise_and_loops,
  bitwise_or_loops,
  bitwise_xor_loops,
  div_floor_elements_loops,
  div_floor_opmath_loops,
  div_true_loops,
  div_true_opmath_loops,
  div_trunc_loops,
  div_trunc_opmath_loops,
  eq_loops,
  eq_scalar_t_loops,
  ge_loops,
  ge_scalar_t_loops,
  gt_loops,
  gt_scalar_t_loops,
  le_loops,
  le_scalar_t_loops,
  logical_and_loops,
  logical_and_scalar_t_loops,
  logical_or_loops,
  logical_or_scalar_t_loops,
  logical_xor_loops,
  logical_xor_scalar_t_loops,
  lshift_loops,
  lt_loops,
  lt_scalar_t_loops,
  maximum_loops,
  minimum_loops,
  mul_loops,
  mul_opmath_loops,
  ne_loops,
  ne_scalar_t_loops,
  rshift_loops,
  sigmoid_backward_loops,
  tanh_backward_loops,
} from "#aten/native/cpu/generated/BinaryOpsKernel/index";
import { cpu_kernel } from "#aten/native/cpu/Loops/index";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { _local_scalar_dense_cpu } from "#aten/native/Scalar";
import type { TensorIteratorBase } from "#aten/TensorIterator";
import { Scalar } from "#c10/core/Scalar";
import { elementSize, isReducedFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { copysign, div_floor, floor, max_propagate_nan, min_propagate_nan, trunc } from "#c10/util/math";

// ---- arithmetic

/** @loop mul_cpu: Bool, all types and halves, barebones unsigned types */
export function mul(self: scalar_t, other: scalar_t): scalar_t {
  return self * other;
}

// A number next to halves is not rounded to a half first, although it was rounded when it became an operand. See
// number_of.

/** @loop mul_cpu: reduced floating types */
export function mul_opmath(self: scalar_t, _other: scalar_t, b: captured_opmath): scalar_t {
  return self * b;
}

/** @loop div_cpu: reduced floating types */
export function div_true_opmath(self: scalar_t, _other: scalar_t, b: captured_opmath): scalar_t {
  return self / b;
}

/** @loop div_floor_cpu: reduced floating types */
export function div_floor_opmath(self: scalar_t, _other: scalar_t, b: captured_opmath): scalar_t {
  return div_floor(self, b);
}

/** @loop div_cpu: floating types and halves */
export function div_true(self: scalar_t, other: scalar_t): scalar_t {
  return self / other;
}

/** @loop div_trunc_cpu: all types and halves */
export function div_trunc(self: scalar_t, other: scalar_t): scalar_t {
  return trunc(round_to<scalar_t>(self / other)); // the quotient is rounded to the dtype first: 2.9999999999 is 3 in float32
}
export function div_trunc$integral(self: scalar_t, other: scalar_t): scalar_t {
  TORCH_CHECK(other !== 0, "ZeroDivisionError");
  return self / other;
}

/** @loop div_trunc_cpu: reduced floating types */
export function div_trunc_opmath(self: scalar_t, _other: scalar_t, b: captured_opmath): scalar_t {
  return trunc(round_to<opmath_t>(self / b));
}

/** @loop div_floor_cpu: all types and halves */
export function div_floor_elements(self: scalar_t, other: scalar_t): scalar_t {
  return div_floor(self, other);
}
/** Every step is rounded to a half, so the subtracted remainder may be lost by rounding. */
export function div_floor_elements$reduced(self: scalar_t, other: scalar_t): scalar_t {
  const mod = self % other;
  const whole = round_to<scalar_t>(round_to<scalar_t>(self - mod) / other);
  const div = mod !== 0 && other < 0 !== mod < 0 ? round_to<scalar_t>(whole - 1) : whole;
  const below = floor(div);
  if (other === 0) return self / other;
  if (div === 0) return copysign(0, self / other);
  return div - below > 0.5 ? below + 1 : below;
}
export function div_floor_elements$integral(self: scalar_t, other: scalar_t): scalar_t {
  TORCH_CHECK(other !== 0, "ZeroDivisionError");
  return div_floor(self, other);
}

/** @loop bitwise_and_cpu: Bool, integral types, barebones unsigned types */
export function bitwise_and(self: scalar_t, other: scalar_t): scalar_t {
  return self & other;
}

/** @loop bitwise_or_cpu: Bool, integral types, barebones unsigned types */
export function bitwise_or(self: scalar_t, other: scalar_t): scalar_t {
  return self | other;
}

/** @loop bitwise_xor_cpu: Bool, integral types, barebones unsigned types */
export function bitwise_xor(self: scalar_t, other: scalar_t): scalar_t {
  return self ^ other;
}

/**
 * A shift by the number of bits in the type or more, or by a negative number, gives 0.
 * @loop lshift_cpu: integral types
 */
export function lshift(self: scalar_t, other: scalar_t, bits: captured): scalar_t {
  if (other < 0 || other >= bits) return 0;
  return self << other;
}

/** The sign is kept: a negative number finally becomes -1. @loop rshift_cpu: integral types */
export function rshift(self: scalar_t, other: scalar_t, max_shift: captured): scalar_t {
  if (other < 0 || other >= max_shift) return self >> max_shift;
  return self >> other;
}

/** @loop maximum_cpu: Bool, all types and halves */
export function maximum(self: scalar_t, other: scalar_t): scalar_t {
  return max_propagate_nan(self, other);
}

/** @loop minimum_cpu: Bool, all types and halves */
export function minimum(self: scalar_t, other: scalar_t): scalar_t {
  return min_propagate_nan(self, other);
}

// ---- comparison
// Note [special-case bool outputs]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A comparison normally gives bool. If the output has another dtype, the result is 0 or 1 in the inputs' dtype, and the
// iterator casts it. So each of these functions has two kinds of loops; the kernel chooses by the dtype of the output.

/** @loop lt_cpu: Bool, all types and halves */
export function lt(self: scalar_t, other: scalar_t): bool | scalar_t {
  return self < other;
}
/** @loop le_cpu: Bool, all types and halves */
export function le(self: scalar_t, other: scalar_t): bool | scalar_t {
  return self <= other;
}
/** @loop gt_cpu: Bool, all types and halves */
export function gt(self: scalar_t, other: scalar_t): bool | scalar_t {
  return self > other;
}
/** @loop ge_cpu: Bool, all types and halves */
export function ge(self: scalar_t, other: scalar_t): bool | scalar_t {
  return self >= other;
}
/** @loop eq_cpu: Bool, all types and halves, barebones unsigned types */
export function eq(self: scalar_t, other: scalar_t): bool | scalar_t {
  return self === other;
}
/** @loop ne_cpu: Bool, all types and halves, barebones unsigned types */
export function ne(self: scalar_t, other: scalar_t): bool | scalar_t {
  return self !== other;
}
/** @loop logical_and_cpu: Bool, all types and halves */
export function logical_and(self: scalar_t, other: scalar_t): bool | scalar_t {
  return self !== 0 && other !== 0;
}
/** @loop logical_or_cpu: Bool, all types and halves */
export function logical_or(self: scalar_t, other: scalar_t): bool | scalar_t {
  return self !== 0 || other !== 0;
}
/** @loop logical_xor_cpu: Bool, all types and halves */
export function logical_xor(self: scalar_t, other: scalar_t): bool | scalar_t {
  return (self !== 0) !== (other !== 0);
}

// ---- backward of activations, in terms of their outputs

/** @loop sigmoid_backward_cpu: floating types and halves */
export function sigmoid_backward(grad: scalar_t, output: scalar_t): scalar_t {
  return grad * (1 - output) * output;
}
/** @loop tanh_backward_cpu: floating types and halves */
export function tanh_backward(grad: scalar_t, output: scalar_t): scalar_t {
  return grad * (1 - output * output);
}

// ---- kernels

function comparison_kernel(iter: TensorIteratorBase, to_bool: Loops, to_scalar_t: Loops): void {
  cpu_kernel(iter, iter.dtype() === ScalarType.Bool ? to_bool : to_scalar_t);
}

/** If the second operand is a number and meets reduced floats, that number as a float; otherwise null. */
function number_of(iter: TensorIteratorBase): Scalar | null {
  if (!isReducedFloatingType(iter.common_dtype()) || !iter.is_cpu_scalar(2)) return null;
  const operand = iter.operand(2);
  const number = _local_scalar_dense_cpu(operand.original_tensor_ ?? operand.tensor());
  // The memory is read as a float, so a number that is too large becomes infinite instead of an error.
  return number.isFloatingPoint() ? Scalar.fromDouble(Math.fround(number.toDouble())) : number;
}

function mul_kernel(iter: TensorIteratorBase): void {
  const number = number_of(iter);
  if (number === null) cpu_kernel(iter, mul_loops);
  else cpu_kernel(iter, mul_opmath_loops, number);
}
function div_true_kernel(iter: TensorIteratorBase): void {
  const number = number_of(iter);
  if (number === null) cpu_kernel(iter, div_true_loops);
  else cpu_kernel(iter, div_true_opmath_loops, number);
}
function div_trunc_kernel(iter: TensorIteratorBase): void {
  const number = number_of(iter);
  if (number === null) cpu_kernel(iter, div_trunc_loops);
  else cpu_kernel(iter, div_trunc_opmath_loops, number);
}
function div_floor_kernel(iter: TensorIteratorBase): void {
  const number = number_of(iter);
  if (number === null) cpu_kernel(iter, div_floor_elements_loops);
  else cpu_kernel(iter, div_floor_opmath_loops, number);
}
function bitwise_and_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, bitwise_and_loops);
}
function bitwise_or_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, bitwise_or_loops);
}
function bitwise_xor_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, bitwise_xor_loops);
}
function lshift_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, lshift_loops, Scalar.fromInt(8 * elementSize(iter.dtype())));
}
function rshift_kernel(iter: TensorIteratorBase): void {
  const sign_bit = iter.dtype() === ScalarType.Byte ? 0 : 1;
  cpu_kernel(iter, rshift_loops, Scalar.fromInt(8 * elementSize(iter.dtype()) - sign_bit));
}
export function maximum_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, maximum_loops);
}
export function minimum_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, minimum_loops);
}
function lt_kernel(iter: TensorIteratorBase): void {
  comparison_kernel(iter, lt_loops, lt_scalar_t_loops);
}
function le_kernel(iter: TensorIteratorBase): void {
  comparison_kernel(iter, le_loops, le_scalar_t_loops);
}
function gt_kernel(iter: TensorIteratorBase): void {
  comparison_kernel(iter, gt_loops, gt_scalar_t_loops);
}
function ge_kernel(iter: TensorIteratorBase): void {
  comparison_kernel(iter, ge_loops, ge_scalar_t_loops);
}
function eq_kernel(iter: TensorIteratorBase): void {
  comparison_kernel(iter, eq_loops, eq_scalar_t_loops);
}
function ne_kernel(iter: TensorIteratorBase): void {
  comparison_kernel(iter, ne_loops, ne_scalar_t_loops);
}
function logical_and_kernel(iter: TensorIteratorBase): void {
  comparison_kernel(iter, logical_and_loops, logical_and_scalar_t_loops);
}
function logical_or_kernel(iter: TensorIteratorBase): void {
  comparison_kernel(iter, logical_or_loops, logical_or_scalar_t_loops);
}
function logical_xor_kernel(iter: TensorIteratorBase): void {
  comparison_kernel(iter, logical_xor_loops, logical_xor_scalar_t_loops);
}
function sigmoid_backward_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, sigmoid_backward_loops);
}
function tanh_backward_kernel(iter: TensorIteratorBase): void {
  cpu_kernel(iter, tanh_backward_loops);
}

REGISTER_DISPATCH(mul_stub, mul_kernel, "mul_kernel");
REGISTER_DISPATCH(div_true_stub, div_true_kernel, "div_true_kernel");
REGISTER_DISPATCH(div_trunc_stub, div_trunc_kernel, "div_trunc_kernel");
REGISTER_DISPATCH(div_floor_stub, div_floor_kernel, "div_floor_kernel");
REGISTER_DISPATCH(bitwise_and_stub, bitwise_and_kernel, "bitwise_and_kernel");
REGISTER_DISPATCH(bitwise_or_stub, bitwise_or_kernel, "bitwise_or_kernel");
REGISTER_DISPATCH(bitwise_xor_stub, bitwise_xor_kernel, "bitwise_xor_kernel");
REGISTER_DISPATCH(lshift_stub, lshift_kernel, "lshift_kernel");
REGISTER_DISPATCH(rshift_stub, rshift_kernel, "rshift_kernel");
REGISTER_DISPATCH(maximum_stub, maximum_kernel, "maximum_kernel");
REGISTER_DISPATCH(minimum_stub, minimum_kernel, "minimum_kernel");
REGISTER_DISPATCH(lt_stub, lt_kernel, "lt_kernel");
REGISTER_DISPATCH(le_stub, le_kernel, "le_kernel");
REGISTER_DISPATCH(gt_stub, gt_kernel, "gt_kernel");
REGISTER_DISPATCH(ge_stub, ge_kernel, "ge_kernel");
REGISTER_DISPATCH(eq_stub, eq_kernel, "eq_kernel");
REGISTER_DISPATCH(ne_stub, ne_kernel, "ne_kernel");
REGISTER_DISPATCH(logical_and_stub, logical_and_kernel, "logical_and_kernel");
REGISTER_DISPATCH(logical_or_stub, logical_or_kernel, "logical_or_kernel");
REGISTER_DISPATCH(logical_xor_stub, logical_xor_kernel, "logical_xor_kernel");
REGISTER_DISPATCH(sigmoid_backward_stub, sigmoid_backward_kernel, "sigmoid_backward_kernel");
REGISTER_DISPATCH(tanh_backward_stub, tanh_backward_kernel, "tanh_backward_kernel");
