/**
 * @file Kernels of products of floats along dims, with SIMD. They multiply in the same order as
 * ../../ReduceOpsKernel/index.ts, so the results have the same bits.
 * @mirrors aten/src/ATen/native/cpu/ReduceOpsKernel.cpp
 * @see driver.ts (the caller); integers.ts (integers, in any order)
 * @vec ProdKernel: float32, float64, float16, bfloat16
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
  rounded,
  type scalar_t,
  sizeof,
  splat,
  store,
  store_one,
  type Vec,
  vec_bytes,
} from "#aten/cpu/vec/Vec";

function rounded_half(x: float): float {
  return lane(rounded(splat(x)), 0);
}

/** @inline */
function rounded_one(x: float): float {
  return sizeof<scalar_t>() === 2 ? rounded_half(x) : x;
}

/** @inline */
function times(v: Vec, at: ptr): Vec {
  return sizeof<scalar_t>() === 2 ? rounded(v * load(at)) : v * load(at);
}

/** Multiplies `product` by the lanes, one after the other. @inline */
function times_lanes(product: float, v: Vec): float {
  let p: float = rounded_one(product * lane(v, 0));
  p = rounded_one(p * lane(v, 1));
  if (lanes<scalar_t>() === 4) {
    p = rounded_one(p * lane(v, lanes<scalar_t>() - 2));
    p = rounded_one(p * lane(v, lanes<scalar_t>() - 1));
  }
  return p;
}

function product_of_four(a: Vec, b: Vec, c: Vec, d: Vec): Vec {
  return rounded(rounded(a * b) * rounded(c * d));
}

/**
 * Multiplies `product` by the elements from `x` to `whole`. Four vectors of 32 bytes are partial products; each is two
 * SIMD vectors of ours. They are combined at the end, lane by lane.
 */
function times_columns(product: float, x: ptr, whole: ptr): float {
  let p = x;
  let a0: Vec = load(p);
  let a1: Vec = load(p + vec_bytes<scalar_t>());
  let b0: Vec = load(p + 32);
  let b1: Vec = load(p + 32 + vec_bytes<scalar_t>());
  let c0: Vec = load(p + 64);
  let c1: Vec = load(p + 64 + vec_bytes<scalar_t>());
  let d0: Vec = load(p + 96);
  let d1: Vec = load(p + 96 + vec_bytes<scalar_t>());
  for (p += 128; p < whole; p += 128) {
    a0 = times(a0, p);
    a1 = times(a1, p + vec_bytes<scalar_t>());
    b0 = times(b0, p + 32);
    b1 = times(b1, p + 32 + vec_bytes<scalar_t>());
    c0 = times(c0, p + 64);
    c1 = times(c1, p + 64 + vec_bytes<scalar_t>());
    d0 = times(d0, p + 96);
    d1 = times(d1, p + 96 + vec_bytes<scalar_t>());
  }
  return times_lanes(times_lanes(product, product_of_four(a0, b0, c0, d0)), product_of_four(a1, b1, c1, d1));
}

/**
 * out[j] *= product of row j of x, whose `n` elements are contiguous, four vectors of 32 bytes at a time. Strides are
 * in bytes.
 */
export function prod_inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  const bytes = n * sizeof<scalar_t>();
  for (let j = 0; j < count; j++) {
    const to = out + j * between_out;
    let p = x + j * between;
    const end = p + bytes;
    const whole = p + (bytes & -128);
    let product: float = load_one(to);
    if (p < whole) {
      let of_lanes: float = times_columns(1, p, whole);
      if (sizeof<scalar_t>() === 2) of_lanes = times_columns(of_lanes, p + 16, whole + 16);
      product = rounded_one(product * of_lanes);
      p = whole;
    }
    for (; p < end; p += sizeof<scalar_t>()) product = rounded_one(product * load_one(p));
    store_one(to, product);
  }
}

/** Size of the columns, in bytes, that stay in the first-level cache while all rows are read. */
const STRIPE = 8192;

/** out[j] *= column j of x, row by row. Columns and outputs are contiguous, rows `stride` bytes apart. */
export function prod_outer(out: ptr, x: ptr, stride: int, columns: int, n: int): void {
  const bytes = columns * sizeof<scalar_t>();
  const vectors = bytes & -vec_bytes<scalar_t>();
  for (let at = 0; at < vectors; at += STRIPE) {
    const until = at + min(STRIPE, vectors - at);
    let row = x;
    let i = 0;
    for (; i + 4 <= n; i += 4) {
      const x1 = row + stride;
      const x2 = x1 + stride;
      const x3 = x2 + stride;
      for (let k = at; k < until; k += vec_bytes<scalar_t>())
        store(out + k, times(times(times(times(load(out + k), row + k), x1 + k), x2 + k), x3 + k));
      row = x3 + stride;
    }
    for (; i < n; i++) {
      for (let k = at; k < until; k += vec_bytes<scalar_t>()) store(out + k, times(load(out + k), row + k));
      row += stride;
    }
  }
  for (let k = vectors; k < bytes; k += sizeof<scalar_t>()) {
    let product: float = load_one(out + k);
    let p = x + k;
    for (let i = 0; i < n; i++) {
      product = rounded_one(product * load_one(p));
      p += stride;
    }
    store_one(out + k, product);
  }
}
