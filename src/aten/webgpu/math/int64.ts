/**
 * @file Division and least common multiple of int64 for WGSL, in kernel text. As in CUDA, a divisor of 0 is no error.
 * @mirrors c10/util/generic_math.h
 */
import { calc_gcd, type int64 } from "#aten/Dispatch";
import { abs } from "#c10/util/math";

/** Rounded towards minus infinity. */
export function div_floor(a: int64, b: int64): int64 {
  const mod: int64 = a % b;
  const quotient: int64 = a / b;
  return mod !== 0 && b < 0 !== mod < 0 ? quotient - 1 : quotient;
}

/** If the product is too large, it wraps before its absolute value is taken. */
export function calc_lcm(a: int64, b: int64): int64 {
  const divisor: int64 = calc_gcd(a, b);
  const product: int64 = (a / divisor) * b;
  return divisor === 0 ? 0 : abs(product);
}
