/**
 * @file Helpers that compute mean and variance of a row with SIMD. The `@vec` files of this folder import them; they
 * are compiled into their modules.
 * @mirrors aten/src/ATen/native/cpu/moments_utils.h
 * @see ../moments_utils.ts (the version without SIMD)
 */
import {
  type float,
  fmadd,
  type int,
  lane,
  load,
  load_one,
  min,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  sqrt,
  store_one,
  to_float,
  type Vec,
} from "#aten/cpu/vec/Vec";
import { sum_of_lanes } from "./functions.ts";

// Rounding: a row is read twice, for its mean and for the squared distances from the mean. Each pass reads a block at a
// time, and blocks are combined as the version without SIMD combines chunks (Note [Rowwise moments]). Elements are read
// 16 bytes at a time; the remaining ones are read one by one.

/** @inline */
export function sum_of(x: ptr, n: int): float {
  const bytes = n * sizeof<scalar_t>();
  let s0: Vec = 0;
  let s1: Vec = 0;
  let s2: Vec = 0;
  let s3: Vec = 0;
  let p = x;
  const whole = x + (bytes & -64);
  for (; p < whole; p += 64) {
    s0 += load(p);
    s1 += load(p + 16);
    s2 += load(p + 32);
    s3 += load(p + 48);
  }
  const vectors = x + (bytes & -16);
  for (; p < vectors; p += 16) s0 += load(p);
  let sum: float = sum_of_lanes(s0 + s1 + (s2 + s3));
  for (; p < x + bytes; p += sizeof<scalar_t>()) sum += load_one(p);
  return sum;
}

/**
 * Sum of (x - mean)^2.
 * @inline
 */
export function squares_about(mean: float, x: ptr, n: int): float {
  const bytes = n * sizeof<scalar_t>();
  const m: Vec = splat(mean);
  let s0: Vec = 0;
  let s1: Vec = 0;
  let s2: Vec = 0;
  let s3: Vec = 0;
  let p = x;
  const whole = x + (bytes & -64);
  for (; p < whole; p += 64) {
    const d0: Vec = load(p) - m;
    const d1: Vec = load(p + 16) - m;
    const d2: Vec = load(p + 32) - m;
    const d3: Vec = load(p + 48) - m;
    s0 = fmadd(d0, d0, s0);
    s1 = fmadd(d1, d1, s1);
    s2 = fmadd(d2, d2, s2);
    s3 = fmadd(d3, d3, s3);
  }
  const vectors = x + (bytes & -16);
  for (; p < vectors; p += 16) {
    const d: Vec = load(p) - m;
    s0 = fmadd(d, d, s0);
  }
  let sum: float = sum_of_lanes(s0 + s1 + (s2 + s3));
  for (; p < x + bytes; p += sizeof<scalar_t>()) {
    const d: float = load_one(p) - mean;
    sum += d * d;
  }
  return sum;
}

/**
 * Mean and 1 / sqrt(variance + eps) of a row, block by block.
 * @inline
 */
export function row_moments(mean_to: ptr, rstd_to: ptr, x: ptr, n: int, eps: float): void {
  let mean: float = 0;
  let squares: float = 0;
  for (let count = 0; count < n; count += 1024) {
    const more = min(1024, n - count);
    const from = x + count * sizeof<scalar_t>();
    const of_block: float = sum_of(from, more) / to_float(more);
    const delta: float = of_block - mean;
    const share: float = to_float(more) / to_float(count + more);
    squares += squares_about(of_block, from, more) + delta * delta * share * to_float(count);
    mean += delta * share;
  }
  const deviation: Vec = sqrt(splat(squares / to_float(n) + eps));
  store_one(mean_to, mean);
  store_one(rstd_to, 1 / lane(deviation, 0));
}
