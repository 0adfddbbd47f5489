/**
 * @file Kernels of softmax, log_softmax and their gradients with SIMD: along the last dim, where a row is contiguous,
 * and along other dims, where neighbouring rows are interleaved.
 * @mirrors aten/src/ATen/native/cpu/SoftMaxKernel.cpp
 * @see driver.ts (the caller), ../../SoftMaxKernel.ts (the version without SIMD)
 * @vec SoftMaxKernel: float32, float64, float16, bfloat16
 */

import {
  type float,
  type int,
  load_int,
  load_one_opmath,
  load_opmath,
  min,
  pmax,
  type ptr,
  rounded,
  type scalar_t,
  sizeof,
  splat,
  store_int,
  store_opmath,
  type Vec,
} from "#aten/cpu/vec/Vec";
import { exp_nonpositive, exp_of, log_from_one, narrow, sum_of_lanes, widen } from "#aten/native/cpu/vec/functions";

// Rounding: a sum of exponentials uses two vectors of float partial sums; the version without SIMD uses one double.
// PyTorch divides each element by the sum. Here one division per row gives a factor, because dividing four lanes takes
// as long as multiplying six times as many. The error is at most 1.5 ulp instead of 0.5; PyTorch's exponential
// (`exp_u20`) has up to 20.
// Rows of halves are converted to floats in scratch memory, computed there, and rounded once when they are stored.
// `tail` is the pad for the rest of a row: its last elements, then -Infinity, whose exponential is 0.

/** Size of the pad in bytes. After it there is space for a row of floats. */
export const PAD_BYTES = 16;

/** Size of `n` elements in bytes, in the dtype of the computation. @inline */
function opmath_bytes(n: int): int {
  return sizeof<scalar_t>() === 8 ? n << 3 : n << 2;
}

/** Loads the last `bytes` bytes at `x`, fewer than a vector has, and fills the vector up with -Infinity. @inline */
function load_tail(pad: ptr, x: ptr, bytes: int): Vec {
  store_opmath(pad, -Infinity);
  for (let k = 0; k < bytes; k += 4) store_int(pad + k, load_int(x + k));
  return load_opmath(pad);
}

/** @inline */
function store_tail(pad: ptr, out: ptr, bytes: int, v: Vec): void {
  store_opmath(pad, v);
  for (let k = 0; k < bytes; k += 4) store_int(out + k, load_int(pad + k));
}

/** @inline */
function splat_max(pad: ptr, v: Vec): Vec {
  store_opmath(pad, v);
  let max: Vec = splat(load_one_opmath(pad));
  for (let k = opmath_bytes(1); k < 16; k += opmath_bytes(1)) max = pmax(max, splat(load_one_opmath(pad + k)));
  return max;
}

/** Converts `n` halves to floats. */
function to_floats(to: ptr, x: ptr, n: int): void {
  widen(to, x, n, sizeof<scalar_t>());
}

function to_halves(to: ptr, x: ptr, n: int): void {
  narrow(to, x, n);
}

/** Maximum of a row, in every lane. It may ignore a NaN: the sum will be NaN in that case. */
function row_max(pad: ptr, x: ptr, bytes: int): Vec {
  let m0: Vec = -Infinity;
  let m1: Vec = -Infinity;
  let m2: Vec = -Infinity;
  let m3: Vec = -Infinity;
  const whole = x + (bytes & -64);
  let p = x;
  for (; p < whole; p += 64) {
    m0 = pmax(m0, load_opmath(p));
    m1 = pmax(m1, load_opmath(p + 16));
    m2 = pmax(m2, load_opmath(p + 32));
    m3 = pmax(m3, load_opmath(p + 48));
  }
  const vectors = x + (bytes & -16);
  for (; p < vectors; p += 16) m0 = pmax(m0, load_opmath(p));
  if ((bytes & 15) > 0) m0 = pmax(m0, load_tail(pad, p, bytes & 15));
  return splat_max(pad, pmax(pmax(m0, m1), pmax(m2, m3)));
}

/** out *= by, for each element. */
function scale(pad: ptr, out: ptr, bytes: int, by: Vec): void {
  const whole = out + (bytes & -64);
  let p = out;
  for (; p < whole; p += 64) {
    store_opmath(p, load_opmath(p) * by);
    store_opmath(p + 16, load_opmath(p + 16) * by);
    store_opmath(p + 32, load_opmath(p + 32) * by);
    store_opmath(p + 48, load_opmath(p + 48) * by);
  }
  const vectors = out + (bytes & -16);
  for (; p < vectors; p += 16) store_opmath(p, load_opmath(p) * by);
  if ((bytes & 15) > 0) store_tail(pad, p, bytes & 15, load_tail(pad, p, bytes & 15) * by);
}

/** Sum of exp(x - max). If `keep` is 1, the exponentials are stored in `out`. */
function exponentials(pad: ptr, out: ptr, x: ptr, bytes: int, max: Vec, keep: int): float {
  let s0: Vec = 0;
  let s1: Vec = 0;
  const whole = x + (bytes & -32);
  let p = x;
  let to = out;
  for (; p < whole; p += 32, to += 32) {
    const e0: Vec = exp_nonpositive(load_opmath(p) - max);
    const e1: Vec = exp_nonpositive(load_opmath(p + 16) - max);
    s0 += e0;
    s1 += e1;
    if (keep !== 0) {
      store_opmath(to, e0);
      store_opmath(to + 16, e1);
    }
  }
  // The rest of the row: a whole vector, a part of one, or both.
  for (let left = bytes & 31; left > 0; left -= 16) {
    let v: Vec = 0;
    if (left >= 16) v = load_opmath(p);
    else v = load_tail(pad, p, left);
    const e: Vec = exp_nonpositive(v - max);
    s0 += e;
    if (keep !== 0) {
      if (left >= 16) store_opmath(to, e);
      else store_tail(pad, to, left, e);
    }
    p += 16;
    to += 16;
  }
  return sum_of_lanes(s0 + s1);
}

/** softmax of `rows` rows of `n` contiguous elements. */
export function softmax_lastdim(pad: ptr, out: ptr, x: ptr, rows: int, n: int): void {
  const bytes = opmath_bytes(n);
  for (; rows > 0; rows--, x += n * sizeof<scalar_t>(), out += n * sizeof<scalar_t>()) {
    let from = x;
    let to = out;
    if (sizeof<scalar_t>() === 2) {
      from = pad + PAD_BYTES;
      to = from;
      to_floats(from, x, n);
    }
    const sum: float = exponentials(pad, to, from, bytes, row_max(pad, from, bytes), 1);
    scale(pad, to, bytes, splat(1 / sum));
    if (sizeof<scalar_t>() === 2) to_halves(out, to, n);
  }
}

/**
 * log_softmax of such rows: x - max - log(sum). PyTorch stores the sums of several rows, and then their logarithms, in
 * the tensor's dtype, so halves are rounded both times.
 */
export function log_softmax_lastdim(pad: ptr, out: ptr, x: ptr, rows: int, n: int): void {
  const bytes = opmath_bytes(n);
  for (; rows > 0; rows--, x += n * sizeof<scalar_t>(), out += n * sizeof<scalar_t>()) {
    let from = x;
    let to = out;
    if (sizeof<scalar_t>() === 2) {
      from = pad + PAD_BYTES;
      to = from;
      to_floats(from, x, n);
    }
    const max: Vec = row_max(pad, from, bytes);
    const log: Vec = rounded(log_from_one(rounded(splat(exponentials(pad, to, from, bytes, max, 0)))));
    const vectors = bytes & -16;
    for (let k = 0; k < vectors; k += 16) store_opmath(to + k, load_opmath(from + k) - max - log);
    if (vectors < bytes) {
      const left = bytes & 15;
      store_tail(pad, to + vectors, left, load_tail(pad, from + vectors, left) - max - log);
    }
    if (sizeof<scalar_t>() === 2) to_halves(out, to, n);
  }
}

/** Sum of x, or of x * y if `with_y` is 1. */
function row_sum(x: ptr, y: ptr, bytes: int, with_y: int): float {
  let s0: Vec = 0;
  let s1: Vec = 0;
  const whole = x + (bytes & -32);
  let p = x;
  let q = y;
  if (with_y !== 0)
    for (; p < whole; p += 32, q += 32) {
      s0 += load_opmath(p) * load_opmath(q);
      s1 += load_opmath(p + 16) * load_opmath(q + 16);
    }
  else
    for (; p < whole; p += 32, q += 32) {
      s0 += load_opmath(p);
      s1 += load_opmath(p + 16);
    }
  let sum: float = sum_of_lanes(s0 + s1);
  for (const end = x + bytes; p < end; p += opmath_bytes(1), q += opmath_bytes(1)) {
    if (with_y !== 0) sum += load_one_opmath(p) * load_one_opmath(q);
    else sum += load_one_opmath(p);
  }
  return sum;
}

/**
 * Gradient of one row: grad_input = y * (g - sum(g * y)) for softmax, g - exp(y) * sum(g) for log_softmax. `gi` may be
 * `g`.
 */
function backward_row(pad: ptr, gi: ptr, g: ptr, y: ptr, bytes: int, log: int): void {
  const sum: Vec = splat(row_sum(g, y, bytes, 1 - log));
  const vectors = bytes & -16;
  if (log === 0)
    for (let k = 0; k < vectors; k += 16) store_opmath(gi + k, load_opmath(y + k) * (load_opmath(g + k) - sum));
  else
    for (let k = 0; k < vectors; k += 16) store_opmath(gi + k, load_opmath(g + k) - exp_of(load_opmath(y + k)) * sum);
  if (vectors < bytes) {
    const v: Vec = load_tail(pad, g + vectors, bytes & 15);
    const w: Vec = load_tail(pad, y + vectors, bytes & 15);
    if (log === 0) store_tail(pad, gi + vectors, bytes & 15, w * (v - sum));
    else store_tail(pad, gi + vectors, bytes & 15, v - exp_of(w) * sum);
  }
}

/** Gradients of `rows` rows of `n` contiguous elements. */
function backward_rows(pad: ptr, gi: ptr, g: ptr, y: ptr, rows: int, n: int, log: int): void {
  const bytes = opmath_bytes(n);
  const apart = n * sizeof<scalar_t>();
  for (; rows > 0; rows--, gi += apart, g += apart, y += apart) {
    if (sizeof<scalar_t>() === 2) {
      const wide_g = pad + PAD_BYTES;
      const wide_y = wide_g + ((bytes + 15) & -16);
      to_floats(wide_g, g, n);
      to_floats(wide_y, y, n);
      backward_row(pad, wide_g, wide_g, wide_y, bytes, log);
      to_halves(gi, wide_g, n);
    } else backward_row(pad, gi, g, y, bytes, log);
  }
}

export function softmax_backward_lastdim(pad: ptr, gi: ptr, g: ptr, y: ptr, rows: int, n: int): void {
  backward_rows(pad, gi, g, y, rows, n, 0);
}

export function log_softmax_backward_lastdim(pad: ptr, gi: ptr, g: ptr, y: ptr, rows: int, n: int): void {
  backward_rows(pad, gi, g, y, rows, n, 1);
}

// Other dims. The elements of a row are `apart` bytes apart, and the rows that start within these `apart` bytes are
// interleaved. STRIP bytes of neighbouring rows are computed together; the last strip may be narrower. A strip of
// halves is converted to floats in scratch memory, where its elements are STRIP bytes apart.

/** Width of a strip of rows in bytes, in the dtype of the computation. */
export const STRIP = 64;
const STRIP_OF_HALVES = 32;

/** Converts up to STRIP bytes of `n` elements of neighbouring rows to floats. */
function widen_strip(room: ptr, x: ptr, bytes: int, apart: int, n: int): void {
  const count = min(bytes, STRIP_OF_HALVES) >> 1;
  for (; n > 0; n--, room += STRIP, x += apart) to_floats(room, x, count);
}

function narrow_strip(out: ptr, room: ptr, bytes: int, apart: int, n: int): void {
  const count = min(bytes, STRIP_OF_HALVES) >> 1;
  for (; n > 0; n--, room += STRIP, out += apart) to_halves(out, room, count);
}

/** @inline */
function load_part(pad: ptr, x: ptr, bytes: int): Vec {
  let v: Vec = 0;
  if (bytes >= 16) v = load_opmath(x);
  else v = load_tail(pad, x, bytes);
  return v;
}

/** @inline */
function store_part(pad: ptr, out: ptr, bytes: int, v: Vec): void {
  if (bytes >= 16) store_opmath(out, v);
  else store_tail(pad, out, bytes, v);
}

/** softmax or log_softmax of one whole strip. */
function softmax_strip(out: ptr, x: ptr, apart: int, n: int, log: int): void {
  let m0: Vec = -Infinity;
  let m1: Vec = -Infinity;
  let m2: Vec = -Infinity;
  let m3: Vec = -Infinity;
  let p = x;
  for (let left = n; left > 0; left--, p += apart) {
    m0 = pmax(m0, load_opmath(p));
    m1 = pmax(m1, load_opmath(p + 16));
    m2 = pmax(m2, load_opmath(p + 32));
    m3 = pmax(m3, load_opmath(p + 48));
  }
  let s0: Vec = 0;
  let s1: Vec = 0;
  let s2: Vec = 0;
  let s3: Vec = 0;
  p = x;
  let to = out;
  for (let left = n; left > 0; left--, p += apart, to += apart) {
    const e0: Vec = exp_nonpositive(load_opmath(p) - m0);
    const e1: Vec = exp_nonpositive(load_opmath(p + 16) - m1);
    const e2: Vec = exp_nonpositive(load_opmath(p + 32) - m2);
    const e3: Vec = exp_nonpositive(load_opmath(p + 48) - m3);
    s0 += e0;
    s1 += e1;
    s2 += e2;
    s3 += e3;
    if (log === 0) {
      store_opmath(to, e0);
      store_opmath(to + 16, e1);
      store_opmath(to + 32, e2);
      store_opmath(to + 48, e3);
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
      store_opmath(to, load_opmath(to) * s0);
      store_opmath(to + 16, load_opmath(to + 16) * s1);
      store_opmath(to + 32, load_opmath(to + 32) * s2);
      store_opmath(to + 48, load_opmath(to + 48) * s3);
    }
  } else {
    const l0: Vec = log_from_one(s0);
    const l1: Vec = log_from_one(s1);
    const l2: Vec = log_from_one(s2);
    const l3: Vec = log_from_one(s3);
    for (let left = n; left > 0; left--, p += apart, to += apart) {
      store_opmath(to, load_opmath(p) - m0 - l0);
      store_opmath(to + 16, load_opmath(p + 16) - m1 - l1);
      store_opmath(to + 32, load_opmath(p + 32) - m2 - l2);
      store_opmath(to + 48, load_opmath(p + 48) - m3 - l3);
    }
  }
}

/** softmax or log_softmax of one vector of rows, or of the last `bytes` < 16. */
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

/** Computes `strips` strips of a tensor. The first one begins `first` bytes after the start of its group of rows. */
function forward_strips(pad: ptr, out: ptr, x: ptr, first: int, strips: int, apart: int, n: int, log: int): void {
  for (; strips > 0; strips--) {
    const bytes = apart - first;
    if (sizeof<scalar_t>() === 2) {
      const room = pad + PAD_BYTES;
      widen_strip(room, x + first, bytes, apart, n);
      softmax_strip(room, room, STRIP, n, log);
      narrow_strip(out + first, room, bytes, apart, n);
    } else if (bytes >= STRIP) softmax_strip(out + first, x + first, apart, n, log);
    else
      for (let k = 0; k < bytes; k += 16) softmax_part(pad, out + first + k, x + first + k, apart, n, bytes - k, log);
    first += sizeof<scalar_t>() === 2 ? STRIP_OF_HALVES : STRIP;
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

/** Gradient of one whole strip. */
function backward_strip(gi: ptr, g: ptr, y: ptr, apart: int, n: int, log: int): void {
  let s0: Vec = 0;
  let s1: Vec = 0;
  let s2: Vec = 0;
  let s3: Vec = 0;
  let p = g;
  let q = y;
  for (let left = n; left > 0; left--, p += apart, q += apart) {
    if (log === 0) {
      s0 += load_opmath(p) * load_opmath(q);
      s1 += load_opmath(p + 16) * load_opmath(q + 16);
      s2 += load_opmath(p + 32) * load_opmath(q + 32);
      s3 += load_opmath(p + 48) * load_opmath(q + 48);
    } else {
      s0 += load_opmath(p);
      s1 += load_opmath(p + 16);
      s2 += load_opmath(p + 32);
      s3 += load_opmath(p + 48);
    }
  }
  p = g;
  q = y;
  for (let left = n; left > 0; left--, p += apart, q += apart, gi += apart) {
    if (log === 0) {
      store_opmath(gi, load_opmath(q) * (load_opmath(p) - s0));
      store_opmath(gi + 16, load_opmath(q + 16) * (load_opmath(p + 16) - s1));
      store_opmath(gi + 32, load_opmath(q + 32) * (load_opmath(p + 32) - s2));
      store_opmath(gi + 48, load_opmath(q + 48) * (load_opmath(p + 48) - s3));
    } else {
      store_opmath(gi, load_opmath(p) - exp_of(load_opmath(q)) * s0);
      store_opmath(gi + 16, load_opmath(p + 16) - exp_of(load_opmath(q + 16)) * s1);
      store_opmath(gi + 32, load_opmath(p + 32) - exp_of(load_opmath(q + 32)) * s2);
      store_opmath(gi + 48, load_opmath(p + 48) - exp_of(load_opmath(q + 48)) * s3);
    }
  }
}

/** Gradient of one vector of rows, or of the last `bytes` < 16. */
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

/** Gradients of strips; parameters as in forward_strips. */
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
    if (sizeof<scalar_t>() === 2) {
      const wide_g = pad + PAD_BYTES;
      const wide_y = wide_g + n * STRIP;
      widen_strip(wide_g, g + first, bytes, apart, n);
      widen_strip(wide_y, y + first, bytes, apart, n);
      backward_strip(wide_g, wide_g, wide_y, STRIP, n, log);
      narrow_strip(gi + first, wide_g, bytes, apart, n);
    } else if (bytes >= STRIP) backward_strip(gi + first, g + first, y + first, apart, n, log);
    else for (let k = first; k < apart; k += 16) backward_part(pad, gi + k, g + k, y + k, apart, n, apart - k, log);
    first += sizeof<scalar_t>() === 2 ? STRIP_OF_HALVES : STRIP;
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
