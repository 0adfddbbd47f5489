/**
 * @file Floor division of float32, as in Python: the same steps as PyTorch's vectors.
 * @mirrors aten/src/ATen/native/cpu/BinaryOpsKernel.cpp#div_floor_floating_vec
 * @see functions.ts
 */
import { bit_cast, cast, type float32, type float64, type int32 } from "#aten/Dispatch";
import { abs, floor, trunc } from "#c10/util/math";

/** A power of two. Beyond it a - mod equals a, and a quotient that is one less is the same float. */
const NO_REMAINDER_FROM = 33554432;
const SIGN_BIT = -2147483648;

/**
 * The remainder has the sign of a. Below 2^25 the quotient in doubles is never rounded up to an integer, and its
 * products with b are exact. Not valid for infinite b.
 */
export function remainder_of_floats(a: float64, b: float64): float64 {
  const quotient = a / b;
  return abs(quotient) < NO_REMAINDER_FROM ? a - trunc(quotient) * b : a - a;
}

export function div_floor(a: float32, b: float32): float32 {
  const quotient = a / b;
  const rest = cast<float32>(remainder_of_floats(cast<float64>(a), cast<float64>(b)));
  const mod = abs(b) === Infinity && abs(a) < Infinity ? a : rest;
  const whole = (a - mod) / b;
  const div = mod !== 0 && b < 0 !== mod < 0 ? whole - 1 : whole;
  const below = floor(div);
  const zero = bit_cast<float32>(bit_cast<int32>(quotient) & SIGN_BIT);
  const nearest = div - below > 0.5 ? below + 1 : below;
  return b === 0 ? quotient : div === 0 ? zero : nearest;
}
