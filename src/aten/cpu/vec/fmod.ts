/**
 * @file The exact remainder of float32 division: `%` in a scalar function.
 *
 *   x - trunc(x / y) y
 *
 * is exact in doubles if the quotient has at most 29 bits: y has 24 bits and the product 53, and the remainder is a
 * multiple of y's last place. Larger quotients are rare: for them multiples of y * 2^319 are subtracted first, then of
 * y * 2^290, and so on.
 * @mirrors aten/src/ATen/cpu/vec/vec128/vec128_float_neon.h#fmod
 * @differs Computed as above; PyTorch calls Sleef, or std::fmod. All are exact.
 * @see functions.ts
 */
import { C10_UNLIKELY, cast, type float32, type float64 } from "#aten/Dispatch";
import { abs, trunc } from "#c10/util/math";
import { signed } from "./functions_float64.ts";

/** 2^29 */
const STEP = 536870912;

/**
 * The remainder for x >= 0, y > 0 and a quotient below 2^29. If the quotient was rounded up to the next integer, one y
 * too many was subtracted.
 */
export function rest(x: float64, y: float64): float64 {
  const left = x - trunc(x / y) * y;
  return left < 0 ? left + y : left;
}

/** The remainder for quotients below 2^116. */
export function rest_of_four(x: float64, y: float64): float64 {
  const y1 = y * STEP;
  const y2 = y1 * STEP;
  return rest(rest(rest(rest(x, y2 * STEP), y2), y1), y);
}

/** 2^116 */
const FOUR_STEPS = 8.307674973655724e34;

/** The result has the sign of x. Quotients of floats are below 2^277. */
export function fmod(x: float32, y: float32): float32 {
  const v: float64 = cast<float64>(x);
  const a = abs(v);
  const b = abs(cast<float64>(y));
  const b4 = b * FOUR_STEPS;
  const by_steps = rest_of_four(rest_of_four(rest_of_four(a, b4 * FOUR_STEPS), b4), b);
  const left = C10_UNLIKELY(a >= b * STEP) ? by_steps : rest(a, b);
  const result = b === Infinity && a < Infinity ? a : left;
  return cast<float32>(signed(result, v));
}
