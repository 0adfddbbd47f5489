/**
 * @file Kernel of 2-norms of rows with SIMD. It adds in the same order as ../../ReduceOpsKernel/Norm.ts, so the results
 * have the same bits.
 * @mirrors aten/src/ATen/native/cpu/ReduceOpsKernel.cpp
 * @see norm_driver.ts (the caller)
 * @vec ReduceOpsNormKernel: float32, float64, float16, bfloat16
 */
import {
  type float,
  type int,
  lane,
  lanes,
  load,
  load_one,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  sqrt,
  store_one,
  type Vec,
  vec_bytes,
} from "#aten/cpu/vec/Vec";

/** Adds the lanes to `sum`, one after the other. @inline */
function plus_lanes(sum: float, v: Vec): float {
  let s: float = sum + lane(v, 0);
  s += lane(v, 1);
  if (lanes<scalar_t>() === 4) {
    s += lane(v, lanes<scalar_t>() - 2);
    s += lane(v, lanes<scalar_t>() - 1);
  }
  return s;
}

/** out[j] = 2-norm of row j of x, whose `n` elements are contiguous. Strides are in bytes. */
export function norm_two_rows(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  const bytes = n * sizeof<scalar_t>();
  for (let j = 0; j < count; j++) {
    let p = x + j * between;
    const end = p + bytes;
    const whole = p + (bytes & -32);
    let low: Vec = 0;
    let high: Vec = 0;
    for (; p < whole; p += 2 * vec_bytes<scalar_t>()) {
      const v: Vec = load(p);
      const w: Vec = load(p + vec_bytes<scalar_t>());
      low += v * v;
      high += w * w;
    }
    let sum: float = plus_lanes(plus_lanes(0, low), high);
    for (; p < end; p += sizeof<scalar_t>()) {
      const v: float = load_one(p);
      sum += v * v;
    }
    store_one(out + j * between_out, lane(sqrt(splat(sum)), 0));
  }
}
