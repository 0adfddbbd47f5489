/**
 * @file Kernels of matrix products with SIMD.
 * @mirrors aten/src/ATen/native/cpu/BlasKernel.cpp
 * @differs Ours is a kernel of our own, also for integers; PyTorch calls a BLAS library for floats.
 * @see ../../BlasKernel.ts (the version without SIMD, for every dtype)
 * @vec BlasKernel: float32, float64, int32, int64
 */
import {
  type float,
  fmadd,
  type int,
  load,
  load_one,
  load_splat,
  min,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  store,
  store_one,
  type Vec,
} from "#aten/cpu/vec/Vec";
import { sum_of_lanes } from "#aten/native/cpu/vec/functions";
import { pack_pixels } from "#aten/native/cpu/vec/im2col";

// Note [Gemm with vectors]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// A tile of C has a few rows and two vectors (WIDTH bytes) of columns. It stays in registers while k advances: for each
// k, two vectors of B and one number of each row of A are read. Strides are in bytes, so a transposed operand costs
// nothing. The columns of C must be contiguous; otherwise the caller computes C' = B' A'.
//
// There are three ways to read the operands:
//
//   packed     A in strips of ROWS rows, B in strips of WIDTH bytes, each strip in the order in which the tile reads it. PANEL
//              of k, STRIP_ROWS of A and STRIP_COLUMNS of B are packed at a time: a strip of B then stays in the first-level
//              cache, and the strips of A in the second
//   unpacked   both in place: if the columns of B are contiguous and B fits into the caches, copying costs more than it saves
//   dots       both in place: if k is contiguous in A and in B, read a vector of k at a time and add up the lanes at the end
//
// A tile at the edge of C is computed whole, into `spare`, and only the part inside C is copied. Such a tile reads past
// the edge of an operand (packed operands have zeros there), but these products are never used.

const ROWS = 4;
export const WIDTH = 32;
export const PANEL = 256;
const STRIP_ROWS = 60;
const STRIP_COLUMNS = 2048; // bytes
/** Size of B in bytes up to which B is not packed. */
const SMALL = 65536;

/**
 * Size of A in bytes up to which A stays in the caches while B is read; then contiguous terms are multiplied in place
 * ("dots").
 */
const MOST_DOTS = 262144;
/** Smallest number of terms for which adding up the lanes at the end pays off. */
const FEWEST_DOTS = 32;
/**
 * Number of terms that are added one after the other, as many in a lane as PANEL. A larger number increases the
 * rounding error.
 */
const DOTS_PANEL = 1024;

const SPARE = ROWS * WIDTH;
/** Size of `work` in bytes: `spare`, strips of A, strips of B. */
export const WORK_BYTES = SPARE + STRIP_ROWS * PANEL * 8 + STRIP_COLUMNS * PANEL;

/** @inline */
function store_row(c: ptr, v0: Vec, v1: Vec, alpha: Vec): void {
  store(c, alpha * v0);
  store(c + 16, alpha * v1);
}

/** @inline */
function add_row(c: ptr, v0: Vec, v1: Vec, alpha: Vec, beta: Vec): void {
  store(c, beta * load(c) + alpha * v0);
  store(c + 16, beta * load(c + 16) + alpha * v1);
}

/**
 * Multiplies four rows by WIDTH bytes of columns. The step from one k to the next is `as` in A and `bs` in B. Rows of A
 * are `ars` apart. Only `rows` of them exist; the last one stands in for those that are missing.
 */
function tile(
  a: ptr,
  ars: int,
  rows: int,
  as: int,
  b: ptr,
  bs: int,
  k: int,
  c: ptr,
  crs: int,
  alpha: float,
  beta: float,
): void {
  let c00: Vec = 0;
  let c01: Vec = 0;
  let c10: Vec = 0;
  let c11: Vec = 0;
  let c20: Vec = 0;
  let c21: Vec = 0;
  let c30: Vec = 0;
  let c31: Vec = 0;
  let p0 = a;
  let p1 = p0 + min(1, rows - 1) * ars;
  let p2 = p0 + min(2, rows - 1) * ars;
  let p3 = p0 + min(3, rows - 1) * ars;
  for (let left = k; left > 0; left--) {
    const b0: Vec = load(b);
    const b1: Vec = load(b + 16);
    const a0: Vec = load_splat(p0);
    c00 = fmadd(a0, b0, c00);
    c01 = fmadd(a0, b1, c01);
    const a1: Vec = load_splat(p1);
    c10 = fmadd(a1, b0, c10);
    c11 = fmadd(a1, b1, c11);
    const a2: Vec = load_splat(p2);
    c20 = fmadd(a2, b0, c20);
    c21 = fmadd(a2, b1, c21);
    const a3: Vec = load_splat(p3);
    c30 = fmadd(a3, b0, c30);
    c31 = fmadd(a3, b1, c31);
    b += bs;
    p0 += as;
    p1 += as;
    p2 += as;
    p3 += as;
  }
  const s: Vec = splat(alpha);
  if (beta === 0) {
    store_row(c, c00, c01, s);
    store_row(c + crs, c10, c11, s);
    store_row(c + 2 * crs, c20, c21, s);
    store_row(c + 3 * crs, c30, c31, s);
  } else {
    const t: Vec = splat(beta);
    add_row(c, c00, c01, s, t);
    add_row(c + crs, c10, c11, s, t);
    add_row(c + 2 * crs, c20, c21, s, t);
    add_row(c + 3 * crs, c30, c31, s, t);
  }
}

/** Copies `rows` rows of `bytes` bytes from the tile in `spare` into C. */
function store_edge(spare: ptr, c: ptr, crs: int, rows: int, bytes: int, beta: float): void {
  for (let r = 0; r < rows; r++) {
    const from = spare + r * WIDTH;
    const to = c + r * crs;
    for (let j = 0; j < bytes; j += sizeof<scalar_t>()) {
      if (beta === 0) store_one(to + j, load_one(from + j));
      else store_one(to + j, beta * load_one(to + j) + load_one(from + j));
    }
  }
}

/** Packs A into strips of ROWS rows, ordered by k; missing rows become zeros. */
function pack_rows(to: ptr, a: ptr, ars: int, as: int, rows: int, k: int): void {
  for (let i = 0; i < rows; i += ROWS) {
    for (let r = 0; r < ROWS; r++) {
      let p = to + r * sizeof<scalar_t>();
      const end = p + k * (ROWS * sizeof<scalar_t>());
      let from = a + (i + r) * ars;
      if (i + r < rows) {
        for (; p < end; p += ROWS * sizeof<scalar_t>()) {
          store_one(p, load_one(from));
          from += as;
        }
      } else for (; p < end; p += ROWS * sizeof<scalar_t>()) store_one(p, 0);
    }
    to += k * (ROWS * sizeof<scalar_t>());
  }
}

/** Packs B into strips of WIDTH bytes of columns, ordered by k; missing columns become zeros. */
function pack_columns(to: ptr, b: ptr, bs: int, bcs: int, bytes: int, k: int): void {
  for (let j = 0; j < bytes; j += WIDTH) {
    const wide = min(WIDTH, bytes - j);
    if (bcs === sizeof<scalar_t>() && wide === WIDTH) {
      let from = b + j;
      const end = to + k * WIDTH;
      for (; to < end; to += WIDTH) {
        store(to, load(from));
        store(to + 16, load(from + 16));
        from += bs;
      }
    } else {
      let column = b + (j >> (sizeof<scalar_t>() === 4 ? 2 : 3)) * bcs;
      for (let at = 0; at < WIDTH; at += sizeof<scalar_t>()) {
        let p = to + at;
        const end = p + k * WIDTH;
        let from = column;
        if (at < wide) {
          for (; p < end; p += WIDTH) {
            store_one(p, load_one(from));
            from += bs;
          }
        } else for (; p < end; p += WIDTH) store_one(p, 0);
        column += bcs;
      }
      to += k * WIDTH;
    }
  }
}

/**
 * The "unpacked" way of the Note. `bytes` is the length of a row of C.
 * @parameters Note [Parameters of a vector kernel] in Vec.ts.
 */
function gemm_unpacked(
  work: ptr,
  m: int,
  bytes: int,
  k: int,
  alpha: float,
  a: ptr,
  ars: int,
  as: int,
  b: ptr,
  bs: int,
  beta: float,
  c: ptr,
  crs: int,
): void {
  for (let j = 0; j < bytes; j += WIDTH) {
    const wide = min(WIDTH, bytes - j);
    for (let i = 0; i < m; i += ROWS) {
      const from = a + i * ars;
      const to = c + i * crs + j;
      const rows = min(ROWS, m - i);
      if (wide === WIDTH && rows === ROWS) tile(from, ars, ROWS, as, b + j, bs, k, to, crs, alpha, beta);
      else {
        tile(from, ars, rows, as, b + j, bs, k, work, WIDTH, alpha, 0);
        store_edge(work, to, crs, rows, wide, beta);
      }
    }
  }
}

/** Dot product of two contiguous vectors: four SIMD vectors of partial sums, then the remaining elements. */
export function dot_contiguous(n: int, x: ptr, y: ptr): float {
  let s0: Vec = 0;
  let s1: Vec = 0;
  let s2: Vec = 0;
  let s3: Vec = 0;
  const bytes = n * sizeof<scalar_t>();
  const end = x + bytes;
  const whole = x + (bytes & -64);
  for (; x < whole; x += 64, y += 64) {
    s0 = fmadd(load(x), load(y), s0);
    s1 = fmadd(load(x + 16), load(y + 16), s1);
    s2 = fmadd(load(x + 32), load(y + 32), s2);
    s3 = fmadd(load(x + 48), load(y + 48), s3);
  }
  const vectors = x + (bytes & 48);
  for (; x < vectors; x += 16, y += 16) s0 = fmadd(load(x), load(y), s0);
  let sum: float = sum_of_lanes(s0 + s1 + (s2 + s3));
  for (; x < end; x += sizeof<scalar_t>(), y += sizeof<scalar_t>()) sum += load_one(x) * load_one(y);
  return sum;
}

/** c = alpha * A x + beta * c: one dot product for each of the `m` rows of A. */
function gemv_rows(m: int, k: int, alpha: float, a: ptr, ars: int, x: ptr, beta: float, c: ptr, cs: int): void {
  for (let i = 0; i < m; i++) {
    const sum: float = alpha * dot_contiguous(k, a, x);
    if (beta === 0) store_one(c, sum);
    else store_one(c, beta * load_one(c) + sum);
    a += ars;
    c += cs;
  }
}

/**
 * c = alpha * x B + beta * c for one row of C, eight SIMD vectors at a time. `wide` is the number of bytes to compute,
 * a multiple of 128; the caller computes the rest of the row.
 */
function gemv_columns(wide: int, k: int, alpha: float, x: ptr, xs: int, b: ptr, bs: int, beta: float, c: ptr): void {
  const s: Vec = splat(alpha);
  const t: Vec = splat(beta);
  for (let j = 0; j < wide; j += 128) {
    let c0: Vec = 0;
    let c1: Vec = 0;
    let c2: Vec = 0;
    let c3: Vec = 0;
    let c4: Vec = 0;
    let c5: Vec = 0;
    let c6: Vec = 0;
    let c7: Vec = 0;
    let from = x;
    let p = b + j;
    for (let left = k; left > 0; left--) {
      const a: Vec = load_splat(from);
      c0 = fmadd(a, load(p), c0);
      c1 = fmadd(a, load(p + 16), c1);
      c2 = fmadd(a, load(p + 32), c2);
      c3 = fmadd(a, load(p + 48), c3);
      c4 = fmadd(a, load(p + 64), c4);
      c5 = fmadd(a, load(p + 80), c5);
      c6 = fmadd(a, load(p + 96), c6);
      c7 = fmadd(a, load(p + 112), c7);
      p += bs;
      from += xs;
    }
    const to = c + j;
    if (beta === 0) {
      store_row(to, c0, c1, s);
      store_row(to + 32, c2, c3, s);
      store_row(to + 64, c4, c5, s);
      store_row(to + 96, c6, c7, s);
    } else {
      add_row(to, c0, c1, s, t);
      add_row(to + 32, c2, c3, s, t);
      add_row(to + 64, c4, c5, s, t);
      add_row(to + 96, c6, c7, s, t);
    }
  }
}

/**
 * Dot products of up to four rows of A with two columns of B, the second `bcs` bytes after the first. k is contiguous
 * in both.
 */
function dots(work: ptr, k: int, alpha: float, a: ptr, ars: int, rows: int, b: ptr, bcs: int): void {
  let c00: Vec = 0;
  let c01: Vec = 0;
  let c10: Vec = 0;
  let c11: Vec = 0;
  let c20: Vec = 0;
  let c21: Vec = 0;
  let c30: Vec = 0;
  let c31: Vec = 0;
  let p0 = a;
  let p1 = p0 + min(1, rows - 1) * ars;
  let p2 = p0 + min(2, rows - 1) * ars;
  let p3 = p0 + min(3, rows - 1) * ars;
  let q0 = b;
  let q1 = b + bcs;
  const bytes = k * sizeof<scalar_t>();
  const end = b + bytes;
  for (const whole = b + (bytes & -16); q0 < whole; q0 += 16, q1 += 16) {
    const b0: Vec = load(q0);
    const b1: Vec = load(q1);
    const a0: Vec = load(p0);
    c00 = fmadd(a0, b0, c00);
    c01 = fmadd(a0, b1, c01);
    const a1: Vec = load(p1);
    c10 = fmadd(a1, b0, c10);
    c11 = fmadd(a1, b1, c11);
    const a2: Vec = load(p2);
    c20 = fmadd(a2, b0, c20);
    c21 = fmadd(a2, b1, c21);
    const a3: Vec = load(p3);
    c30 = fmadd(a3, b0, c30);
    c31 = fmadd(a3, b1, c31);
    p0 += 16;
    p1 += 16;
    p2 += 16;
    p3 += 16;
  }
  let s00: float = sum_of_lanes(c00);
  let s01: float = sum_of_lanes(c01);
  let s10: float = sum_of_lanes(c10);
  let s11: float = sum_of_lanes(c11);
  let s20: float = sum_of_lanes(c20);
  let s21: float = sum_of_lanes(c21);
  let s30: float = sum_of_lanes(c30);
  let s31: float = sum_of_lanes(c31);
  for (; q0 < end; q0 += sizeof<scalar_t>(), q1 += sizeof<scalar_t>()) {
    const b0 = load_one(q0);
    const b1 = load_one(q1);
    const a0 = load_one(p0);
    s00 += a0 * b0;
    s01 += a0 * b1;
    const a1 = load_one(p1);
    s10 += a1 * b0;
    s11 += a1 * b1;
    const a2 = load_one(p2);
    s20 += a2 * b0;
    s21 += a2 * b1;
    const a3 = load_one(p3);
    s30 += a3 * b0;
    s31 += a3 * b1;
    p0 += sizeof<scalar_t>();
    p1 += sizeof<scalar_t>();
    p2 += sizeof<scalar_t>();
    p3 += sizeof<scalar_t>();
  }
  store_one(work, alpha * s00);
  store_one(work + sizeof<scalar_t>(), alpha * s01);
  store_one(work + WIDTH, alpha * s10);
  store_one(work + WIDTH + sizeof<scalar_t>(), alpha * s11);
  store_one(work + 2 * WIDTH, alpha * s20);
  store_one(work + 2 * WIDTH + sizeof<scalar_t>(), alpha * s21);
  store_one(work + 3 * WIDTH, alpha * s30);
  store_one(work + 3 * WIDTH + sizeof<scalar_t>(), alpha * s31);
}

/** The "dots" way of the Note. */
function gemm_dots(
  work: ptr,
  m: int,
  n: int,
  k: int,
  alpha: float,
  a: ptr,
  ars: int,
  b: ptr,
  bcs: int,
  beta: float,
  c: ptr,
  crs: int,
): void {
  for (let j = 0; j < n; j += 2) {
    const columns = min(2, n - j);
    for (let i = 0; i < m; i += ROWS) {
      const rows = min(ROWS, m - i);
      dots(work, k, alpha, a + i * ars, ars, rows, b + j * bcs, (columns - 1) * bcs);
      store_edge(work, c + i * crs + j * sizeof<scalar_t>(), crs, rows, columns * sizeof<scalar_t>(), beta);
    }
  }
}

/** C = alpha * A B + beta * C for `rows` rows by `bytes` bytes. A and B are packed in strips of `panel` terms. */
function multiply_strips(
  work: ptr,
  pa0: ptr,
  rows: int,
  pb: ptr,
  bytes: int,
  panel: int,
  c: ptr,
  crs: int,
  alpha: float,
  beta: float,
): void {
  const as_packed = ROWS * sizeof<scalar_t>();
  for (let j = 0; j < bytes; j += WIDTH) {
    const wide = min(WIDTH, bytes - j);
    let pa = pa0;
    for (let i = 0; i < rows; i += ROWS) {
      const to = c + i * crs + j;
      if (wide === WIDTH && i + ROWS <= rows)
        tile(pa, sizeof<scalar_t>(), ROWS, as_packed, pb, WIDTH, panel, to, crs, alpha, beta);
      else {
        tile(pa, sizeof<scalar_t>(), ROWS, as_packed, pb, WIDTH, panel, work, WIDTH, alpha, 0);
        store_edge(work, to, crs, min(ROWS, rows - i), wide, beta);
      }
      pa += panel * as_packed;
    }
    pb += panel * WIDTH;
  }
}

/**
 * C = alpha * A B + beta * C. Strides are in bytes; rows of C are contiguous and `crs` apart. If beta is 0, C is not
 * read. The call may compute an `m` by `n` part of a product that is `high` by `wide`: the size of the whole product
 * decides how it is computed, so a part gets the same sums as the whole.
 * @parameters Note [Parameters of a vector kernel] in Vec.ts.
 */
export function gemm(
  work: ptr,
  high: int,
  wide: int,
  m: int,
  n: int,
  k: int,
  alpha: float,
  a: ptr,
  ars: int,
  as: int,
  b: ptr,
  bs: int,
  bcs: int,
  beta: float,
  c: ptr,
  crs: int,
): void {
  const bytes = n * sizeof<scalar_t>();
  if (as === sizeof<scalar_t>() && bs === sizeof<scalar_t>()) {
    if (wide === 1) {
      gemv_rows(m, k, alpha, a, ars, b, beta, c, crs);
      return;
    }
    if (high === 1) {
      gemv_rows(n, k, alpha, b, bcs, a, beta, c, sizeof<scalar_t>());
      return;
    }
    if (high * k * sizeof<scalar_t>() <= MOST_DOTS && k >= FEWEST_DOTS) {
      for (let p = 0; p < k; p += DOTS_PANEL) {
        const at = p * sizeof<scalar_t>();
        const factor: float = p === 0 ? beta : 1;
        gemm_dots(work, m, n, min(DOTS_PANEL, k - p), alpha, a + at, ars, b + at, bcs, factor, c, crs);
      }
      return;
    }
  }
  if (k === 0 || (bcs === sizeof<scalar_t>() && (wide * k * sizeof<scalar_t>() <= SMALL || high <= 2 * ROWS))) {
    let done = 0;
    if (high === 1) {
      done = bytes & -128;
      gemv_columns(done, k, alpha, a, as, b, bs, beta, c);
    }
    gemm_unpacked(work, m, bytes - done, k, alpha, a, ars, as, b + done, bs, beta, c + done, crs);
    return;
  }
  const packed_a = work + SPARE;
  const packed_b = packed_a + STRIP_ROWS * PANEL * 8;
  const strip_columns = STRIP_COLUMNS >> (sizeof<scalar_t>() === 4 ? 2 : 3);
  for (let p = 0; p < k; p += PANEL) {
    const panel = min(PANEL, k - p);
    const factor: float = p === 0 ? beta : 1;
    for (let j0 = 0; j0 < n; j0 += strip_columns) {
      const columns = min(strip_columns, n - j0) * sizeof<scalar_t>();
      pack_columns(packed_b, b + p * bs + j0 * bcs, bs, bcs, columns, panel);
      for (let i0 = 0; i0 < m; i0 += STRIP_ROWS) {
        const rows = min(STRIP_ROWS, m - i0);
        pack_rows(packed_a, a + i0 * ars + p * as, ars, as, rows, panel);
        multiply_strips(
          work,
          packed_a,
          rows,
          packed_b,
          columns,
          panel,
          c + i0 * crs + j0 * sizeof<scalar_t>(),
          crs,
          alpha,
          factor,
        );
      }
    }
  }
}

/**
 * C = A B + beta * C, where the matrix B (terms by places) is never written to memory as a whole. Its element for term
 * (channel, y, x) and place (h, w) is in the image at `channel * plane + y * down + x * right + h * strideH + w *
 * strideW`. `step` channels are packed at once: at most PANEL terms. Rows of A are contiguous and `ars` apart.
 * @parameters Note [Parameters of a vector kernel] in Vec.ts.
 */
export function conv2d(
  work: ptr,
  m: int,
  places: int,
  width: int,
  channels: int,
  step: int,
  a: ptr,
  ars: int,
  image: ptr,
  plane: int,
  kH: int,
  kW: int,
  down: int,
  right: int,
  strideH: int,
  strideW: int,
  beta: float,
  c: ptr,
  crs: int,
): void {
  const packed_a = work + SPARE;
  const packed_b = packed_a + STRIP_ROWS * PANEL * 8;
  const strip_columns = STRIP_COLUMNS >> (sizeof<scalar_t>() === 4 ? 2 : 3);
  const terms = kH * kW;
  for (let p = 0; p < channels; p += step) {
    const some = min(step, channels - p);
    const panel = some * terms;
    const factor: float = p === 0 ? beta : 1;
    let h = 0;
    let w = 0;
    for (let j0 = 0; j0 < places; j0 += strip_columns) {
      const count = min(strip_columns, places - j0);
      pack_pixels(packed_b, image + p * plane, some, plane, kH, kW, down, right, strideH, strideW, count, width, h, w);
      for (w += strip_columns; w >= width; w -= width) h++;
      for (let i0 = 0; i0 < m; i0 += STRIP_ROWS) {
        const rows = min(STRIP_ROWS, m - i0);
        pack_rows(packed_a, a + i0 * ars + p * terms * sizeof<scalar_t>(), ars, sizeof<scalar_t>(), rows, panel);
        multiply_strips(
          work,
          packed_a,
          rows,
          packed_b,
          count * sizeof<scalar_t>(),
          panel,
          c + i0 * crs + j0 * sizeof<scalar_t>(),
          crs,
          1,
          factor,
        );
      }
    }
  }
}
