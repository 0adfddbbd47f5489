/**
 * @file Division and least common multiple of int32 for WGSL, in kernel text. As in CUDA, a divisor of 0 is no error.
 * @mirrors c10/util/generic_math.h
 */
import { calc_gcd, type int32 } from "#aten/Dispatch";
import { abs } from "#c10/util/math";

/** Rounded towards minus infinity. */
export function div_floor(a: int32, b: int32): int32 {
  const mod: int32 = a % b;
  const quotient: int32 = a / b;
  return mod !== 0 && b < 0 !== mod < 0 ? quotient - 1 : quotient;
}

/** If the product is too large, it wraps before its absolute value is taken. */
export function calc_lcm(a: int32, b: int32): int32 {
  const divisor: int32 = calc_gcd(a, b);
  const product: int32 = (a / divisor) * b;
  return divisor === 0 ? 0 : abs(product);
}
