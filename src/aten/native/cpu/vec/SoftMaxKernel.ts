/**
 * @file softmax and log_softmax with vectors, and their gradients: along the last dim, where a row's elements are neighbours, and along others,
 * where rows lie side by side.
 * @mirrors aten/src/ATen/native/cpu/SoftMaxKernel.cpp
 * @see softmax_driver.ts (who calls them), ../SoftMaxKernel.ts (the same without vectors)
 * @vec SoftMaxKernel: float32, float64
 */

import {
  type float,
  type int,
  load,
  load_one,
  pmax,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  store,
  store_one,
  type Vec,
} from "#aten/cpu/vec/Vec";
import { exp_nonpositive, exp_of, log_from_one, sum_of_lanes } from "./functions.ts";

// Rounding: a sum of exponentials has two vectors of partial sums in float, where DEFAULT has one double. PyTorch divides by the sum; here a row
// is divided once, for its factor, since dividing four lanes takes as long as multiplying six times as many: 1.5 ulp at most instead of 0.5, where
// PyTorch's exponential (`exp_u20`) has up to 20.
// `tail` is the pad for what is left of a row: the last elements, then -Infinity, whose exponential is 0.

/** Bytes of the pad. */
export const PAD_BYTES = 16;

/** The `bytes` < 16 at `x` as a vector that -Infinity fills up. @inline */
function load_tail(pad: ptr, x: ptr, bytes: int): Vec {
  store(pad, -Infinity);
  for (let k = 0; k < bytes; k += sizeof<scalar_t>()) store_one(pad + k, load_one(x + k));
  return load(pad);
}

/** @inline */
function store_tail(pad: ptr, out: ptr, bytes: int, v: Vec): void {
  store(pad, v);
  for (let k = 0; k < bytes; k += sizeof<scalar_t>()) store_one(out + k, load_one(pad + k));
}

/** @inline */
function splat_max(pad: ptr, v: Vec): Vec {
  store(pad, v);
  let max: Vec = splat(load_one(pad));
  for (let k = sizeof<scalar_t>(); k < 16; k += sizeof<scalar_t>()) max = pmax(max, splat(load_one(pad + k)));
  return max;
}

/** The greatest of a row, in every lane. A NaN may be passed over: the sum will be NaN anyhow. */
function row_max(pad: ptr, x: ptr, bytes: int): Vec {
  let m0: Vec = -Infinity;
  let m1: Vec = -Infinity;
  let m2: Vec = -Infinity;
  let m3: Vec = -Infinity;
  const whole = x + (bytes & -64);
  let p = x;
  for (; p < whole; p += 64) {
    m0 = pmax(m0, load(p));
    m1 = pmax(m1, load(p + 16));
    m2 = pmax(m2, load(p + 32));
    m3 = pmax(m3, load(p + 48));
  }
  const vectors = x + (bytes & -16);
  for (; p < vectors; p += 16) m0 = pmax(m0, load(p));
  if ((bytes & 15) > 0) m0 = pmax(m0, load_tail(pad, p, bytes & 15));
  return splat_max(pad, pmax(pmax(m0, m1), pmax(m2, m3)));
}

/** out *= by. */
function scale(pad: ptr, out: ptr, bytes: int, by: Vec): void {
  const whole = out + (bytes & -64);
  let p = out;
  for (; p < whole; p += 64) {
    store(p, load(p) * by);
    store(p + 16, load(p + 16) * by);
    store(p + 32, load(p + 32) * by);
    store(p + 48, load(p + 48) * by);
  }
  const vectors = out + (bytes & -16);
  for (; p < vectors; p += 16) store(p, load(p) * by);
  if ((bytes & 15) > 0) store_tail(pad, p, bytes & 15, load_tail(pad, p, bytes & 15) * by);
}

/** The sum of exp(x - max); with `keep` the exponentials go to `out`. */
function exponentials(pad: ptr, out: ptr, x: ptr, bytes: int, max: Vec, keep: int): float {
  let s0: Vec = 0;
  let s1: Vec = 0;
  const whole = x + (bytes & -32);
  let p = x;
  let to = out;
  for (; p < whole; p += 32, to += 32) {
    const e0: Vec = exp_nonpositive(load(p) - max);
    const e1: Vec = exp_nonpositive(load(p + 16) - max);
    s0 += e0;
    s1 += e1;
    if (keep !== 0) {
      store(to, e0);
      store(to + 16, e1);
    }
  }
  // What is left: one vector, or less, or both.
  for (let left = bytes & 31; left > 0; left -= 16) {
    let v: Vec = 0;
    if (left >= 16) v = load(p);
    else v = load_tail(pad, p, left);
    const e: Vec = exp_nonpositive(v - max);
    s0 += e;
    if (keep !== 0) {
      if (left >= 16) store(to, e);
      else store_tail(pad, to, left, e);
    }
    p += 16;
    to += 16;
  }
  return sum_of_lanes(s0 + s1);
}

/** `rows` rows of `n` contiguous elements. */
export function softmax_lastdim(pad: ptr, out: ptr, x: ptr, rows: int, n: int): void {
  const bytes = n * sizeof<scalar_t>();
  for (let r = 0; r < rows; r++) {
    const at = r * bytes;
    const sum: float = exponentials(pad, out + at, x + at, bytes, row_max(pad, x + at, bytes), 1);
    scale(pad, out + at, bytes, splat(1 / sum));
  }
}

/** The same for x - max - log(sum). */
export function log_softmax_lastdim(pad: ptr, out: ptr, x: ptr, rows: int, n: int): void {
  const bytes = n * sizeof<scalar_t>();
  for (let r = 0; r < rows; r++) {
    const from = x + r * bytes;
    const to = out + r * bytes;
    const max: Vec = row_max(pad, from, bytes);
    const log: Vec = log_from_one(splat(exponentials(pad, to, from, bytes, max, 0)));
    const vectors = bytes & -16;
    for (let k = 0; k < vectors; k += 16) store(to + k, load(from + k) - max - log);
    if (vectors < bytes)
      store_tail(pad, to + vectors, bytes & 15, load_tail(pad, from + vectors, bytes & 15) - max - log);
  }
}

/** Sum of x, or of x * y where `with_y`. */
function row_sum(x: ptr, y: ptr, bytes: int, with_y: int): float {
  let s0: Vec = 0;
  let s1: Vec = 0;
  const whole = x + (bytes & -32);
  let p = x;
  let q = y;
  if (with_y !== 0)
    for (; p < whole; p += 32, q += 32) {
      s0 += load(p) * load(q);
      s1 += load(p + 16) * load(q + 16);
    }
  else
    for (; p < whole; p += 32, q += 32) {
      s0 += load(p);
      s1 += load(p + 16);
    }
  let sum: float = sum_of_lanes(s0 + s1);
  for (const end = x + bytes; p < end; p += sizeof<scalar_t>(), q += sizeof<scalar_t>()) {
    if (with_y !== 0) sum += load_one(p) * load_one(q);
    else sum += load_one(p);
  }
  return sum;
}

/** grad_input = y * (g - sum(g * y)), of `rows` rows of `n` contiguous elements. */
export function softmax_backward_lastdim(pad: ptr, gi: ptr, g: ptr, y: ptr, rows: int, n: int): void {
  const bytes = n * sizeof<scalar_t>();
  for (let r = 0; r < rows; r++) {
    const sum: Vec = splat(row_sum(g, y, bytes, 1));
    const vectors = bytes & -16;
    for (let k = 0; k < vectors; k += 16) store(gi + k, load(y + k) * (load(g + k) - sum));
    if (vectors < bytes) {
      const v: Vec = load_tail(pad, y + vectors, bytes & 15);
      store_tail(pad, gi + vectors, bytes & 15, v * (load_tail(pad, g + vectors, bytes & 15) - sum));
    }
    gi += bytes;
    g += bytes;
    y += bytes;
  }
}

/** grad_input = g - exp(y) * sum(g). */
export function log_softmax_backward_lastdim(pad: ptr, gi: ptr, g: ptr, y: ptr, rows: int, n: int): void {
  const bytes = n * sizeof<scalar_t>();
  for (let r = 0; r < rows; r++) {
    const sum: Vec = splat(row_sum(g, g, bytes, 0));
    const vectors = bytes & -16;
    for (let k = 0; k < vectors; k += 16) store(gi + k, load(g + k) - exp_of(load(y + k)) * sum);
    if (vectors < bytes) {
      const e: Vec = exp_of(load_tail(pad, y + vectors, bytes & 15));
      store_tail(pad, gi + vectors, bytes & 15, load_tail(pad, g + vectors, bytes & 15) - e * sum);
    }
    gi += bytes;
    g += bytes;
    y += bytes;
  }
}

// Other dims. Elements of a row are `apart` bytes from each other, which is as far as rows lie side by side. STRIP bytes of rows are computed
// together, or, at the end, as many as there are.

/** Bytes of rows that lie side by side, of which a kernel takes one strip after the other. */
export const STRIP = 64;

/** @inline */
function load_part(pad: ptr, x: ptr, bytes: int): Vec {
  let v: Vec = 0;
  if (bytes >= 16) v = load(x);
  else v = load_tail(pad, x, bytes);
  return v;
}

/** @inline */
function store_part(pad: ptr, out: ptr, bytes: int, v: Vec): void {
  if (bytes >= 16) store(out, v);
  else store_tail(pad, out, bytes, v);
}

/** A whole strip. */
function softmax_strip(out: ptr, x: ptr, apart: int, n: int, log: int): void {
  let m0: Vec = -Infinity;
  let m1: Vec = -Infinity;
  let m2: Vec = -Infinity;
  let m3: Vec = -Infinity;
  let p = x;
  for (let left = n; left > 0; left--, p += apart) {
    m0 = pmax(m0, load(p));
    m1 = pmax(m1, load(p + 16));
    m2 = pmax(m2, load(p + 32));
    m3 = pmax(m3, load(p + 48));
  }
  let s0: Vec = 0;
  let s1: Vec = 0;
  let s2: Vec = 0;
  let s3: Vec = 0;
  p = x;
  let to = out;
  for (let left = n; left > 0; left--, p += apart, to += apart) {
    const e0: Vec = exp_nonpositive(load(p) - m0);
    const e1: Vec = exp_nonpositive(load(p + 16) - m1);
    const e2: Vec = exp_nonpositive(load(p + 32) - m2);
    const e3: Vec = exp_nonpositive(load(p + 48) - m3);
    s0 += e0;
    s1 += e1;
    s2 += e2;
    s3 += e3;
    if (log === 0) {
      store(to, e0);
      store(to + 16, e1);
      store(to + 32, e2);
      store(to + 48, e3);
    }
  }
  p = x;
  to = out;
  if (log === 0) {
    s0 = 1 / s0;
    s1 = 1 / s1;
    s2 = 1 / s2;
    s3 = 1 / s3;
    for (let left = n; left > 0; left--, to += apart) {
      store(to, load(to) * s0);
      store(to + 16, load(to + 16) * s1);
      store(to + 32, load(to + 32) * s2);
      store(to + 48, load(to + 48) * s3);
    }
  } else {
    const l0: Vec = log_from_one(s0);
    const l1: Vec = log_from_one(s1);
    const l2: Vec = log_from_one(s2);
    const l3: Vec = log_from_one(s3);
    for (let left = n; left > 0; left--, p += apart, to += apart) {
      store(to, load(p) - m0 - l0);
      store(to + 16, load(p + 16) - m1 - l1);
      store(to + 32, load(p + 32) - m2 - l2);
      store(to + 48, load(p + 48) - m3 - l3);
    }
  }
}

/** One vector of rows, or the `bytes` < 16 that are left. */
function softmax_part(pad: ptr, out: ptr, x: ptr, apart: int, n: int, bytes: int, log: int): void {
  let max: Vec = -Infinity;
  for (let k = 0; k < n; k++) max = pmax(max, load_part(pad, x + k * apart, bytes));
  let sum: Vec = 0;
  for (let k = 0; k < n; k++) {
    const e: Vec = exp_nonpositive(load_part(pad, x + k * apart, bytes) - max);
    sum += e;
    if (log === 0) store_part(pad, out + k * apart, bytes, e);
  }
  if (log === 0) {
    sum = 1 / sum;
    for (let k = 0; k < n; k++) store_part(pad, out + k * apart, bytes, load_part(pad, out + k * apart, bytes) * sum);
  } else {
    const l: Vec = log_from_one(sum);
    for (let k = 0; k < n; k++) store_part(pad, out + k * apart, bytes, load_part(pad, x + k * apart, bytes) - max - l);
  }
}

/** `strips` strips of a tensor, from the one that begins `first` bytes within a row of them on. */
function forward_strips(pad: ptr, out: ptr, x: ptr, first: int, strips: int, apart: int, n: int, log: int): void {
  for (; strips > 0; strips--) {
    const bytes = apart - first;
    if (bytes >= STRIP) softmax_strip(out + first, x + first, apart, n, log);
    else
      for (let k = 0; k < bytes; k += 16) softmax_part(pad, out + first + k, x + first + k, apart, n, bytes - k, log);
    first += STRIP;
    if (first >= apart) {
      first = 0;
      out += n * apart;
      x += n * apart;
    }
  }
}

export function softmax_strips(pad: ptr, out: ptr, x: ptr, first: int, strips: int, apart: int, n: int): void {
  forward_strips(pad, out, x, first, strips, apart, n, 0);
}

export function log_softmax_strips(pad: ptr, out: ptr, x: ptr, first: int, strips: int, apart: int, n: int): void {
  forward_strips(pad, out, x, first, strips, apart, n, 1);
}

/** A whole strip of a gradient. */
function backward_strip(gi: ptr, g: ptr, y: ptr, apart: int, n: int, log: int): void {
  let s0: Vec = 0;
  let s1: Vec = 0;
  let s2: Vec = 0;
  let s3: Vec = 0;
  let p = g;
  let q = y;
  for (let left = n; left > 0; left--, p += apart, q += apart) {
    if (log === 0) {
      s0 += load(p) * load(q);
      s1 += load(p + 16) * load(q + 16);
      s2 += load(p + 32) * load(q + 32);
      s3 += load(p + 48) * load(q + 48);
    } else {
      s0 += load(p);
      s1 += load(p + 16);
      s2 += load(p + 32);
      s3 += load(p + 48);
    }
  }
  p = g;
  q = y;
  for (let left = n; left > 0; left--, p += apart, q += apart, gi += apart) {
    if (log === 0) {
      store(gi, load(q) * (load(p) - s0));
      store(gi + 16, load(q + 16) * (load(p + 16) - s1));
      store(gi + 32, load(q + 32) * (load(p + 32) - s2));
      store(gi + 48, load(q + 48) * (load(p + 48) - s3));
    } else {
      store(gi, load(p) - exp_of(load(q)) * s0);
      store(gi + 16, load(p + 16) - exp_of(load(q + 16)) * s1);
      store(gi + 32, load(p + 32) - exp_of(load(q + 32)) * s2);
      store(gi + 48, load(p + 48) - exp_of(load(q + 48)) * s3);
    }
  }
}

/** One vector of rows, or the `bytes` < 16 that are left, of a gradient. */
function backward_part(pad: ptr, gi: ptr, g: ptr, y: ptr, apart: int, n: int, bytes: int, log: int): void {
  let sum: Vec = 0;
  for (let k = 0; k < n; k++) {
    const v: Vec = load_part(pad, g + k * apart, bytes);
    if (log === 0) sum += v * load_part(pad, y + k * apart, bytes);
    else sum += v;
  }
  for (let k = 0; k < n; k++) {
    const at = k * apart;
    const v: Vec = load_part(pad, g + at, bytes);
    const w: Vec = load_part(pad, y + at, bytes);
    if (log === 0) store_part(pad, gi + at, bytes, w * (v - sum));
    else store_part(pad, gi + at, bytes, v - exp_of(w) * sum);
  }
}

/** As forward_strips. */
function backward_strips(
  pad: ptr,
  gi: ptr,
  g: ptr,
  y: ptr,
  first: int,
  strips: int,
  apart: int,
  n: int,
  log: int,
): void {
  for (; strips > 0; strips--) {
    const bytes = apart - first;
    if (bytes >= STRIP) backward_strip(gi + first, g + first, y + first, apart, n, log);
    else for (let k = first; k < apart; k += 16) backward_part(pad, gi + k, g + k, y + k, apart, n, apart - k, log);
    first += STRIP;
    if (first >= apart) {
      first = 0;
      gi += n * apart;
      g += n * apart;
      y += n * apart;
    }
  }
}

export function softmax_backward_strips(
  pad: ptr,
  gi: ptr,
  g: ptr,
  y: ptr,
  first: int,
  strips: int,
  apart: int,
  n: int,
): void {
  backward_strips(pad, gi, g, y, first, strips, apart, n, 0);
}

export function log_softmax_backward_strips(
  pad: ptr,
  gi: ptr,
  g: ptr,
  y: ptr,
  first: int,
  strips: int,
  apart: int,
  n: int,
): void {
  backward_strips(pad, gi, g, y, first, strips, apart, n, 1);
}
