/**
 * @file Kernels with SIMD for the distances of one row from many rows, for each `p` that needs no powers.
 * @mirrors aten/src/ATen/native/Distance.h
 * @differs Ours adds terms in the order of vectors of 16 bytes (../../DistanceOpsKernel.ts adds one after the other);
 * PyTorch's vectors are wider.
 * @see driver.ts (the caller)
 * @vec DistanceOpsKernel: float32, float64
 */
import {
  abs,
  type float,
  type int,
  lane,
  load,
  load_one,
  type Mask,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  sqrt,
  store_one,
  type Vec,
} from "#aten/cpu/vec/Vec";
import { greater, greater_one, greatest_of_lanes, sum_of_lanes } from "#aten/native/cpu/vec/functions";

/** @inline */
function abs_one(x: float): float {
  return lane(abs(splat(x)), 0);
}

/** 1 in each lane where the two values differ; NaN stays NaN. @inline */
function differ(diff: Vec): Vec {
  const some: Mask = diff > 0;
  return some ? 1 : diff;
}

/** out[j] = number of positions at which row j differs from x. There are `count` contiguous rows of `nbytes`. */
export function distances_zero(out: ptr, x: ptr, rows: ptr, count: int, nbytes: int): void {
  const whole = nbytes & -16;
  for (let j = 0; j < count; j++) {
    let sum: Vec = 0;
    let b = 0;
    for (; b < whole; b += 16) sum += differ(abs(load(x + b) - load(rows + b)));
    let total: float = sum_of_lanes(sum);
    for (; b < nbytes; b += sizeof<scalar_t>()) {
      const diff: float = abs_one(load_one(x + b) - load_one(rows + b));
      total += diff > 0 ? 1 : diff;
    }
    store_one(out, total);
    out += sizeof<scalar_t>();
    rows += nbytes;
  }
}

/** out[j] = sum of absolute differences. */
export function distances_one(out: ptr, x: ptr, rows: ptr, count: int, nbytes: int): void {
  const whole = nbytes & -16;
  const pairs = nbytes & -32;
  for (let j = 0; j < count; j++) {
    let sum: Vec = 0;
    let other: Vec = 0;
    let b = 0;
    for (; b < pairs; b += 32) {
      sum += abs(load(x + b) - load(rows + b));
      other += abs(load(x + b + 16) - load(rows + b + 16));
    }
    for (; b < whole; b += 16) sum += abs(load(x + b) - load(rows + b));
    let total: float = sum_of_lanes(sum + other);
    for (; b < nbytes; b += sizeof<scalar_t>()) total += abs_one(load_one(x + b) - load_one(rows + b));
    store_one(out, total);
    out += sizeof<scalar_t>();
    rows += nbytes;
  }
}

/** out[j] = square root of the sum of squared differences. */
export function distances_two(out: ptr, x: ptr, rows: ptr, count: int, nbytes: int): void {
  const whole = nbytes & -16;
  const pairs = nbytes & -32;
  for (let j = 0; j < count; j++) {
    let sum: Vec = 0;
    let other: Vec = 0;
    let b = 0;
    for (; b < pairs; b += 32) {
      const v: Vec = load(x + b) - load(rows + b);
      const w: Vec = load(x + b + 16) - load(rows + b + 16);
      sum += v * v;
      other += w * w;
    }
    for (; b < whole; b += 16) {
      const v: Vec = load(x + b) - load(rows + b);
      sum += v * v;
    }
    let total: float = sum_of_lanes(sum + other);
    for (; b < nbytes; b += sizeof<scalar_t>()) {
      const diff: float = load_one(x + b) - load_one(rows + b);
      total += diff * diff;
    }
    store_one(out, lane(sqrt(splat(total)), 0));
    out += sizeof<scalar_t>();
    rows += nbytes;
  }
}

/** out[j] = largest absolute difference, or NaN if one of them is NaN. */
export function distances_inf(out: ptr, x: ptr, rows: ptr, count: int, nbytes: int): void {
  const whole = nbytes & -16;
  for (let j = 0; j < count; j++) {
    let max: Vec = 0;
    let b = 0;
    for (; b < whole; b += 16) max = greater(max, abs(load(x + b) - load(rows + b)));
    let greatest: float = greatest_of_lanes(max);
    for (; b < nbytes; b += sizeof<scalar_t>())
      greatest = greater_one(greatest, abs_one(load_one(x + b) - load_one(rows + b)));
    store_one(out, greatest);
    out += sizeof<scalar_t>();
    rows += nbytes;
  }
}
