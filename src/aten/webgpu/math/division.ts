/**
 * @file Floor division of float32 for WGSL, in kernel text, with the steps of C++. `%` is exact.
 * @mirrors c10/util/generic_math.h
 */
import type { float32 } from "#aten/Dispatch";
import { copysign, floor } from "#c10/util/math";

export function div_floor(a: float32, b: float32): float32 {
  const mod = a % b;
  const whole = (a - mod) / b;
  const div = mod !== 0 && b < 0 !== mod < 0 ? whole - 1 : whole;
  const below = floor(div);
  const nearest = div - below > 0.5 ? below + 1 : below;
  return b === 0 ? a / b : div === 0 ? copysign(0, a / b) : nearest;
}
