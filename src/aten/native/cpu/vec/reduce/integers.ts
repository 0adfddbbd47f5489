/**
 * @file Kernels of sums, products and extremes of integers along dims, with SIMD. For integers the order makes no
 * difference, so a row is read four vectors at a time.
 * @mirrors aten/src/ATen/native/cpu/ReduceOpsKernel.cpp
 * @see driver.ts (the caller); ../../SumKernel.ts, ../../ReduceOpsKernel/index.ts (the version without SIMD)
 * @vec IntegerReduceKernel: int32, int64
 */
import {
  type float,
  type int,
  lane,
  lanes,
  load,
  load_one,
  min,
  type ptr,
  type scalar_t,
  sizeof,
  store,
  store_one,
  type Vec,
} from "#aten/cpu/vec/Vec";

// The operation is a literal argument, so each function gets a specialized loop.
const SUM = 0;
const PRODUCT = 1;
const GREATEST = 2;
const SMALLEST = 3;

/** @inline */
function combine(a: Vec, b: Vec, what: int): Vec {
  return what === SUM ? a + b : what === PRODUCT ? a * b : (what === GREATEST ? b > a : b < a) ? b : a;
}

/** @inline */
function combine_one(a: float, b: float, what: int): float {
  return what === SUM ? a + b : what === PRODUCT ? a * b : (what === GREATEST ? b > a : b < a) ? b : a;
}

/** out[j] = out[j] combined with the `n` contiguous elements of row j of x. Strides are in bytes. @inline */
function inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int, what: int): void {
  const bytes = n * sizeof<scalar_t>();
  for (let j = 0; j < count; j++) {
    const to = out + j * between_out;
    let p = x + j * between;
    const end = p + bytes;
    const whole = p + (bytes & -64);
    let one: float = load_one(to);
    if (p < whole) {
      let m0: Vec = load(p);
      let m1: Vec = load(p + 16);
      let m2: Vec = load(p + 32);
      let m3: Vec = load(p + 48);
      for (p += 64; p < whole; p += 64) {
        m0 = combine(m0, load(p), what);
        m1 = combine(m1, load(p + 16), what);
        m2 = combine(m2, load(p + 32), what);
        m3 = combine(m3, load(p + 48), what);
      }
      const m: Vec = combine(combine(m0, m1, what), combine(m2, m3, what), what);
      one = combine_one(one, lane(m, 0), what);
      one = combine_one(one, lane(m, 1), what);
      if (lanes<scalar_t>() === 4) {
        one = combine_one(one, lane(m, lanes<scalar_t>() - 2), what);
        one = combine_one(one, lane(m, lanes<scalar_t>() - 1), what);
      }
    }
    for (; p < end; p += sizeof<scalar_t>()) one = combine_one(one, load_one(p), what);
    store_one(to, one);
  }
}

/** Size of the columns, in bytes, that stay in the first-level cache while all rows are read. */
const STRIPE = 8192;

/**
 * out[j] = out[j] combined with column j of x. Columns and outputs are contiguous, rows `stride` bytes apart. @inline
 */
function outer(out: ptr, x: ptr, stride: int, columns: int, n: int, what: int): void {
  const bytes = columns * sizeof<scalar_t>();
  const vectors = bytes & -16;
  for (let at = 0; at < vectors; at += STRIPE) {
    const until = at + min(STRIPE, vectors - at);
    let row = x;
    let i = 0;
    for (; i + 4 <= n; i += 4) {
      const x1 = row + stride;
      const x2 = x1 + stride;
      const x3 = x2 + stride;
      for (let k = at; k < until; k += 16) {
        const low: Vec = combine(load(row + k), load(x1 + k), what);
        const high: Vec = combine(load(x2 + k), load(x3 + k), what);
        store(out + k, combine(load(out + k), combine(low, high, what), what));
      }
      row = x3 + stride;
    }
    for (; i < n; i++) {
      for (let k = at; k < until; k += 16) store(out + k, combine(load(out + k), load(row + k), what));
      row += stride;
    }
  }
  for (let k = vectors; k < bytes; k += sizeof<scalar_t>()) {
    let one: float = load_one(out + k);
    let p = x + k;
    for (let i = 0; i < n; i++) {
      one = combine_one(one, load_one(p), what);
      p += stride;
    }
    store_one(out + k, one);
  }
}

export function sum_inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  inner(out, between_out, x, between, count, n, SUM);
}

export function sum_outer(out: ptr, x: ptr, stride: int, columns: int, n: int): void {
  outer(out, x, stride, columns, n, SUM);
}

export function prod_inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  inner(out, between_out, x, between, count, n, PRODUCT);
}

export function prod_outer(out: ptr, x: ptr, stride: int, columns: int, n: int): void {
  outer(out, x, stride, columns, n, PRODUCT);
}

export function max_values_inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  inner(out, between_out, x, between, count, n, GREATEST);
}

export function max_values_outer(out: ptr, x: ptr, stride: int, columns: int, n: int): void {
  outer(out, x, stride, columns, n, GREATEST);
}

export function min_values_inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  inner(out, between_out, x, between, count, n, SMALLEST);
}

export function min_values_outer(out: ptr, x: ptr, stride: int, columns: int, n: int): void {
  outer(out, x, stride, columns, n, SMALLEST);
}
