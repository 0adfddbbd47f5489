/**
 * @file Kernels of maximum and minimum along dims, and their indices, with SIMD. Results have the same bits as those of
 * ../../ReduceOpsKernel/index.ts and ../../TensorCompareKernel/Reduce.ts.
 * @mirrors aten/src/ATen/native/cpu/ReduceOpsKernel.cpp
 * @see driver.ts (the caller)
 * @vec ReduceOpsKernel: float32, float64, float16, bfloat16
 */
import {
  any,
  type float,
  type int,
  lane,
  lanes,
  load,
  load_one,
  type Mask,
  min,
  pmax,
  pmin,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  store,
  store_int,
  store_one,
  type Vec,
  vec_bytes,
} from "#aten/cpu/vec/Vec";

// Note [Extremes that ignore NaN]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// pmin and pmax are one instruction each and ignore a NaN in the new value. A mask therefore records whether there was
// a NaN. If so, which is rare, the result is NaN, or the columns are read again with a slower loop that keeps NaN.
// `least` is a literal: 1 for the minimum.

/** Extreme of each lane; of equal values, the first. @inline */
function extreme(m: Vec, v: Vec, least: int): Vec {
  return least === 1 ? pmin(m, v) : pmax(m, v);
}

/** Extreme of each lane; a NaN in the new value is kept. @inline */
function extreme_or_nan(m: Vec, v: Vec, least: int): Vec {
  return v !== v ? v : extreme(m, v, least);
}

/** @inline */
function extreme_one(m: float, v: float, least: int): float {
  return (least === 1 ? v < m : v > m) || v !== v ? v : m;
}

/** Address of the first of `n` contiguous elements that is `value` or NaN. Precondition: there is one. */
function place_of(x: ptr, n: int, value: float): ptr {
  const wanted: Vec = splat(value);
  const whole = x + ((n * sizeof<scalar_t>()) & -vec_bytes<scalar_t>());
  let p = x;
  for (; p < whole; p += vec_bytes<scalar_t>()) {
    const v: Vec = load(p);
    if (any(v === wanted || v !== v)) break;
  }
  const end = x + n * sizeof<scalar_t>();
  for (; p < end; p += sizeof<scalar_t>()) {
    const v: float = load_one(p);
    if (v === value || v !== v) break;
  }
  return p;
}

/** Extreme of n > 0 contiguous elements, or NaN. If both 0 and -0 occur, either may be returned. @inline */
function row_extreme(x: ptr, n: int, least: int): float {
  const start = least === 1 ? Infinity : -Infinity;
  let m0: Vec = start;
  let m1: Vec = start;
  let m2: Vec = start;
  let m3: Vec = start;
  let nan: Mask = m0 !== m0;
  const bytes = n * sizeof<scalar_t>();
  const end = x + bytes;
  const whole = x + (bytes & -(4 * vec_bytes<scalar_t>()));
  let p = x;
  for (; p < whole; p += 4 * vec_bytes<scalar_t>()) {
    const v0: Vec = load(p);
    const v1: Vec = load(p + vec_bytes<scalar_t>());
    const v2: Vec = load(p + 2 * vec_bytes<scalar_t>());
    const v3: Vec = load(p + 3 * vec_bytes<scalar_t>());
    nan = nan || v0 !== v0 || v1 !== v1 || v2 !== v2 || v3 !== v3;
    m0 = extreme(m0, v0, least);
    m1 = extreme(m1, v1, least);
    m2 = extreme(m2, v2, least);
    m3 = extreme(m3, v3, least);
  }
  const m: Vec = extreme(extreme(m0, m1, least), extreme(m2, m3, least), least);
  let best: float = extreme_one(lane(m, 0), lane(m, 1), least);
  if (lanes<scalar_t>() === 4) {
    best = extreme_one(best, lane(m, lanes<scalar_t>() - 2), least);
    best = extreme_one(best, lane(m, lanes<scalar_t>() - 1), least);
  }
  for (; p < end; p += sizeof<scalar_t>()) best = extreme_one(best, load_one(p), least);
  if (any(nan)) best = NaN;
  return best;
}

function row_greatest(x: ptr, n: int): float {
  return row_extreme(x, n, 0);
}

function row_smallest(x: ptr, n: int): float {
  return row_extreme(x, n, 1);
}

/** out[j] = extreme of out[j] and row j of x, whose `n` elements are contiguous. Strides are in bytes. @inline */
function values_inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int, least: int): void {
  let to = out;
  let from = x;
  for (let j = 0; j < count; j++) {
    let best: float = 0;
    if (least === 1) best = row_smallest(from, n);
    else best = row_greatest(from, n);
    if (best === 0) best = load_one(place_of(from, n, best)); // 0 or -0: take the one that comes first
    store_one(to, extreme_one(load_one(to), best, least));
    to += between_out;
    from += between;
  }
}

export function max_values_inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  values_inner(out, between_out, x, between, count, n, 0);
}

export function min_values_inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  values_inner(out, between_out, x, between, count, n, 1);
}

/** Size of the columns, in bytes, that stay in the first-level cache while all rows are read. */
const STRIPE = 8192;

/**
 * Combines `n` rows, four at a time, over `bytes` bytes of columns. Returns 1 if a column had a NaN; `out` does not
 * show it. @inline
 */
function stripe(out: ptr, x: ptr, stride: int, bytes: int, n: int, least: int): int {
  let nan: Mask = splat(0) !== splat(0);
  let row = x;
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const x1 = row + stride;
    const x2 = x1 + stride;
    const x3 = x2 + stride;
    for (let k = 0; k < bytes; k += vec_bytes<scalar_t>()) {
      const v0: Vec = load(row + k);
      const v1: Vec = load(x1 + k);
      const v2: Vec = load(x2 + k);
      const v3: Vec = load(x3 + k);
      nan = nan || v0 !== v0 || v1 !== v1 || v2 !== v2 || v3 !== v3;
      const m: Vec = extreme(extreme(load(out + k), v0, least), v1, least);
      store(out + k, extreme(extreme(m, v2, least), v3, least));
    }
    row = x3 + stride;
  }
  for (; i < n; i++) {
    for (let k = 0; k < bytes; k += vec_bytes<scalar_t>()) {
      const v: Vec = load(row + k);
      nan = nan || v !== v;
      store(out + k, extreme(load(out + k), v, least));
    }
    row += stride;
  }
  let found = 0;
  if (any(nan)) found = 1;
  return found;
}

/**
 * out[j] = extreme of out[j] and column j of x. Columns and outputs are contiguous, rows `stride` bytes apart. @inline
 */
function values_outer(out: ptr, x: ptr, stride: int, columns: int, n: int, least: int): void {
  const bytes = columns * sizeof<scalar_t>();
  const vectors = bytes & -vec_bytes<scalar_t>();
  for (let at = 0; at < vectors; at += STRIPE) {
    const width = min(STRIPE, vectors - at);
    if (stripe(out + at, x + at, stride, width, n, least) === 1) {
      for (let i = 0; i < n; i++) {
        const from = x + at + i * stride;
        for (let k = 0; k < width; k += vec_bytes<scalar_t>())
          store(out + at + k, extreme_or_nan(load(out + at + k), load(from + k), least));
      }
    }
  }
  for (let k = vectors; k < bytes; k += sizeof<scalar_t>()) {
    let best: float = load_one(out + k);
    let p = x + k;
    for (let i = 0; i < n; i++) {
      best = extreme_one(best, load_one(p), least);
      p += stride;
    }
    store_one(out + k, best);
  }
}

export function max_values_outer(out: ptr, x: ptr, stride: int, columns: int, n: int): void {
  values_outer(out, x, stride, columns, n, 0);
}

export function min_values_outer(out: ptr, x: ptr, stride: int, columns: int, n: int): void {
  values_outer(out, x, stride, columns, n, 1);
}

/**
 * First extreme, or first NaN, and its index (int64), for each of `count` rows of n > 0 contiguous elements.
 * `values` may be 0: none.
 * @inline
 */
function rows(
  values: ptr,
  apart: int,
  indices: ptr,
  between: int,
  x: ptr,
  step: int,
  count: int,
  n: int,
  least: int,
): void {
  let value = values;
  let index = indices;
  let from = x;
  for (let j = 0; j < count; j++) {
    let best: float = 0;
    if (least === 1) best = row_smallest(from, n);
    else best = row_greatest(from, n);
    const place = place_of(from, n, best);
    if (values !== 0) store_one(value, load_one(place));
    store_int(index, (place - from) >> (sizeof<scalar_t>() === 8 ? 3 : sizeof<scalar_t>() >> 1));
    store_int(index + 4, 0);
    value += apart;
    index += between;
    from += step;
  }
}

export function max_rows(
  values: ptr,
  apart: int,
  indices: ptr,
  between: int,
  x: ptr,
  step: int,
  count: int,
  n: int,
): void {
  rows(values, apart, indices, between, x, step, count, n, 0);
}

export function min_rows(
  values: ptr,
  apart: int,
  indices: ptr,
  between: int,
  x: ptr,
  step: int,
  count: int,
  n: int,
): void {
  rows(values, apart, indices, between, x, step, count, n, 1);
}
