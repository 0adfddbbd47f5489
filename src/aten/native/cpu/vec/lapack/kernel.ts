/**
 * @file The unblocked parts of the factorizations of lapack/, with SIMD: what is left when products of blocks do the
 * rest.
 * @original Our own version of LAPACK's potf2, geqr2, larft and getf2, and of BLAS's trsm for few rows; PyTorch links a
 * library.
 * @see blocks.ts (the caller), ../../../lapack/ (the same routines in JavaScript)
 * @vec LapackKernel: float64
 */
import {
  abs,
  fill,
  type float,
  type int,
  interleave_high,
  interleave_low,
  lane,
  load,
  load_int,
  load_one,
  load_splat,
  type ptr,
  splat,
  sqrt,
  store,
  store_int,
  store_one,
  type Vec,
} from "#aten/cpu/vec/Vec";
import { greater, greater_one, greatest_of_lanes, sum_of_lanes } from "#aten/native/cpu/vec/functions";

// All strides are in bytes. A column is contiguous unless the kernel has a stride for its elements.

/** Copies `columns` columns, `fcs` apart, into contiguous rows, `tors` apart. */
export function transpose_columns(to: ptr, tors: int, from: ptr, fcs: int, rows: int, columns: int): void {
  let c = 0;
  for (; c + 2 <= columns; c += 2) {
    let x = from + c * fcs;
    let p = to + c * 8;
    let left = rows;
    for (; left >= 2; left -= 2) {
      const first: Vec = load(x);
      const second: Vec = load(x + fcs);
      store(p, interleave_low(first, second));
      store(p + tors, interleave_high(first, second));
      x += 16;
      p += 2 * tors;
    }
    if (left > 0) {
      store_one(p, load_one(x));
      store_one(p + 8, load_one(x + fcs));
    }
  }
  if (c < columns) {
    let x = from + c * fcs;
    let p = to + c * 8;
    for (let left = rows; left > 0; left--) {
      store_one(p, load_one(x));
      x += 8;
      p += tors;
    }
  }
}

/** Solves for 64 bytes of each row. */
function solve_wide(n: int, a: ptr, ars: int, acs: int, unit: int, b: ptr, brs: int): void {
  let x = b;
  for (let i = 0; i < n; i++) {
    let c0: Vec = load(x);
    let c1: Vec = load(x + 16);
    let c2: Vec = load(x + 32);
    let c3: Vec = load(x + 48);
    let at = a + i * ars;
    for (let p = b, left = i; left > 0; left--) {
      const factor: Vec = load_splat(at);
      c0 -= factor * load(p);
      c1 -= factor * load(p + 16);
      c2 -= factor * load(p + 32);
      c3 -= factor * load(p + 48);
      p += brs;
      at += acs;
    }
    if (unit === 0) {
      const diagonal: Vec = load_splat(at);
      c0 = c0 / diagonal;
      c1 = c1 / diagonal;
      c2 = c2 / diagonal;
      c3 = c3 / diagonal;
    }
    store(x, c0);
    store(x + 16, c1);
    store(x + 32, c2);
    store(x + 48, c3);
    x += brs;
  }
}

/** Solves for 16 bytes of each row. */
function solve_narrow(n: int, a: ptr, ars: int, acs: int, unit: int, b: ptr, brs: int): void {
  let x = b;
  for (let i = 0; i < n; i++) {
    let c: Vec = load(x);
    let at = a + i * ars;
    for (let p = b, left = i; left > 0; left--) {
      c -= load_splat(at) * load(p);
      p += brs;
      at += acs;
    }
    if (unit === 0) c = c / load_splat(at);
    store(x, c);
    x += brs;
  }
}

/** Solves for one column. */
function solve_one(n: int, a: ptr, ars: int, acs: int, unit: int, b: ptr, brs: int): void {
  let x = b;
  for (let i = 0; i < n; i++) {
    let c: float = load_one(x);
    let at = a + i * ars;
    for (let p = b, left = i; left > 0; left--) {
      c -= load_one(at) * load_one(p);
      p += brs;
      at += acs;
    }
    if (unit === 0) c = c / load_one(at);
    store_one(x, c);
    x += brs;
  }
}

/**
 * B = A^-1 B for the `n` by `n` lower triangle A. The rows of B have `bytes` contiguous bytes and are `brs` apart. For an
 * upper triangle, the caller passes the last element and negative strides. If `unit` is 1, the diagonal of A is not read
 * and taken to be ones.
 */
export function trsm_rows(n: int, a: ptr, ars: int, acs: int, unit: int, b: ptr, brs: int, bytes: int): void {
  let j = 0;
  for (; j + 64 <= bytes; j += 64) solve_wide(n, a, ars, acs, unit, b + j, brs);
  for (; j + 16 <= bytes; j += 16) solve_narrow(n, a, ars, acs, unit, b + j, brs);
  if (j < bytes) solve_one(n, a, ars, acs, unit, b + j, brs);
}

/** y -= factor * x for `n` numbers. @inline */
function subtract(n: int, factor: float, x: ptr, y: ptr): void {
  const s: Vec = splat(factor);
  let left = n;
  for (; left >= 4; left -= 4) {
    store(y, load(y) - s * load(x));
    store(y + 16, load(y + 16) - s * load(x + 16));
    x += 32;
    y += 32;
  }
  for (; left > 0; left--) {
    store_one(y, load_one(y) - factor * load_one(x));
    x += 8;
    y += 8;
  }
}

/**
 * Cholesky factor of the `n` by `n` matrix A - S, whose lower half is written to the lower half of A. The columns of S
 * are contiguous and `scs` apart; S is overwritten. Returns the order of the first leading minor that is not positive,
 * or 0.
 */
export function potf2(n: int, s: ptr, scs: int, a: ptr, ars: int, acs: int): int {
  for (let c = 0; c < n; c++) {
    let from = a + c * (ars + acs);
    const end = s + c * scs + n * 8;
    for (let p = s + c * (scs + 8); p < end; p += 8) {
      store_one(p, load_one(from) - load_one(p));
      from += ars;
    }
  }
  let info = 0;
  for (let c = 0; c < n; c++) {
    const diagonal = s + c * (scs + 8);
    const pivot: float = load_one(diagonal);
    if (!(pivot > 0)) {
      info = c + 1;
      break;
    }
    const root: float = lane(sqrt(splat(pivot)), 0);
    store_one(diagonal, root);
    const end = s + c * scs + n * 8;
    for (let p = diagonal + 8; p < end; p += 8) store_one(p, load_one(p) / root);
    let to = diagonal + scs + 8;
    let left = n - c - 1;
    for (let p = diagonal + 8; p < end; p += 8) {
      subtract(left, load_one(p), p, to);
      to += scs + 8;
      left--;
    }
  }
  for (let c = 0; c < n; c++) {
    let to = a + c * (ars + acs);
    const end = s + c * scs + n * 8;
    for (let p = s + c * (scs + 8); p < end; p += 8) {
      store_one(to, load_one(p));
      to += ars;
    }
  }
  return info;
}

/** Largest absolute value of `n` contiguous numbers; NaN if any is NaN. */
function amax(n: int, x: ptr): float {
  let most: Vec = 0;
  let left = n;
  for (; left >= 2; left -= 2) {
    most = greater(most, abs(load(x)));
    x += 16;
  }
  let largest: float = greatest_of_lanes(most);
  if (left > 0) largest = greater_one(largest, lane(abs(load_splat(x)), 0));
  return largest;
}

/** 2-norm of `n` contiguous numbers. If the squares are out of range, all numbers are first divided by the largest. */
function nrm2(n: int, x: ptr): float {
  let s0: Vec = 0;
  let s1: Vec = 0;
  let p = x;
  let left = n;
  for (; left >= 4; left -= 4) {
    const v: Vec = load(p);
    const w: Vec = load(p + 16);
    s0 += v * v;
    s1 += w * w;
    p += 32;
  }
  let sum: float = sum_of_lanes(s0 + s1);
  for (; left > 0; left--) {
    const v: float = load_one(p);
    sum += v * v;
    p += 8;
  }
  if (sum > 1e-280 && sum < 1e300) return lane(sqrt(splat(sum)), 0);
  const largest: float = amax(n, x);
  if (!(largest > 0)) return largest;
  sum = 0;
  p = x;
  for (left = n; left > 0; left--) {
    const v: float = load_one(p) / largest;
    sum += v * v;
    p += 8;
  }
  return largest * lane(sqrt(splat(sum)), 0);
}

/** C = (I - tau v v') C for four columns of `n` rows, `ccs` apart. */
function reflect_four(n: int, tau: float, v: ptr, c: ptr, ccs: int): void {
  let d0: Vec = 0;
  let d1: Vec = 0;
  let d2: Vec = 0;
  let d3: Vec = 0;
  let x = v;
  let p = c;
  let left = n;
  for (; left >= 2; left -= 2) {
    const w: Vec = load(x);
    d0 += w * load(p);
    d1 += w * load(p + ccs);
    d2 += w * load(p + 2 * ccs);
    d3 += w * load(p + 3 * ccs);
    x += 16;
    p += 16;
  }
  let f0: float = sum_of_lanes(d0);
  let f1: float = sum_of_lanes(d1);
  let f2: float = sum_of_lanes(d2);
  let f3: float = sum_of_lanes(d3);
  if (left > 0) {
    const w: float = load_one(x);
    f0 += w * load_one(p);
    f1 += w * load_one(p + ccs);
    f2 += w * load_one(p + 2 * ccs);
    f3 += w * load_one(p + 3 * ccs);
  }
  f0 = f0 * tau;
  f1 = f1 * tau;
  f2 = f2 * tau;
  f3 = f3 * tau;
  const s0: Vec = splat(f0);
  const s1: Vec = splat(f1);
  const s2: Vec = splat(f2);
  const s3: Vec = splat(f3);
  x = v;
  p = c;
  for (left = n; left >= 2; left -= 2) {
    const w: Vec = load(x);
    store(p, load(p) - w * s0);
    store(p + ccs, load(p + ccs) - w * s1);
    store(p + 2 * ccs, load(p + 2 * ccs) - w * s2);
    store(p + 3 * ccs, load(p + 3 * ccs) - w * s3);
    x += 16;
    p += 16;
  }
  if (left > 0) {
    const w: float = load_one(x);
    store_one(p, load_one(p) - w * f0);
    store_one(p + ccs, load_one(p + ccs) - w * f1);
    store_one(p + 2 * ccs, load_one(p + 2 * ccs) - w * f2);
    store_one(p + 3 * ccs, load_one(p + 3 * ccs) - w * f3);
  }
}

/** c = (I - tau v v') c for one column of `n` rows. */
function reflect_one(n: int, tau: float, v: ptr, c: ptr): void {
  let sum: Vec = 0;
  let x = v;
  let p = c;
  let left = n;
  for (; left >= 2; left -= 2) {
    sum += load(x) * load(p);
    x += 16;
    p += 16;
  }
  let dot: float = sum_of_lanes(sum);
  if (left > 0) dot += load_one(x) * load_one(p);
  subtract(n, dot * tau, v, c);
}

/**
 * QR decomposition of `m` rows by `n` columns, `acs` apart: R on and above the diagonal, the vectors of the reflections
 * below it, and their factors at `tau`. The sign of R's diagonal is opposite to that of the number it replaces.
 */
export function geqr2(m: int, n: int, a: ptr, acs: int, tau: ptr): void {
  for (let j = 0; j < n && j < m; j++) {
    const v = a + j * (acs + 8);
    const rows = m - j;
    const alpha: float = load_one(v);
    const norm: float = nrm2(rows - 1, v + 8);
    if (norm === 0) store_one(tau + j * 8, 0);
    else {
      // The 2-norm of two numbers, without overflow: the larger one times the root of 1 + (smaller / larger)^2.
      const size: float = lane(abs(splat(alpha)), 0);
      const larger: float = size > norm ? size : norm;
      const smaller: float = size > norm ? norm : size;
      const ratio: float = smaller / larger;
      const length: float = larger * lane(sqrt(splat(1 + ratio * ratio)), 0);
      const beta: float = alpha >= 0 ? -length : length;
      const divisor: float = alpha - beta;
      const d: Vec = splat(divisor);
      let p = v + 8;
      let left = rows - 1;
      for (; left >= 2; left -= 2) {
        store(p, load(p) / d);
        p += 16;
      }
      if (left > 0) store_one(p, load_one(p) / divisor);
      const factor: float = (beta - alpha) / beta;
      store_one(tau + j * 8, factor);
      store_one(v, 1);
      let c = v + acs;
      let columns = n - j - 1;
      for (; columns >= 4; columns -= 4) {
        reflect_four(rows, factor, v, c, acs);
        c += 4 * acs;
      }
      for (; columns > 0; columns--) {
        reflect_one(rows, factor, v, c);
        c += acs;
      }
      store_one(v, beta);
    }
  }
}

/** Copies the vectors of `n` reflections of `m` rows: zeros above the diagonal, ones on it, and the numbers below it. */
export function copy_reflections(m: int, n: int, v: ptr, vcs: int, a: ptr, acs: int): void {
  for (let j = 0; j < n; j++) {
    let to = v + j * vcs;
    const diagonal = to + j * 8;
    const end = to + m * 8;
    for (; to < diagonal; to += 8) store_one(to, 0);
    store_one(to, 1);
    let from = a + j * (acs + 8) + 8;
    for (to += 8; to + 16 <= end; to += 16) {
      store(to, load(from));
      from += 16;
    }
    if (to < end) store_one(to, load_one(from));
  }
}

/**
 * The upper triangle T for which I - V T V' is the product of `n` reflections. G is V' V. Both have contiguous rows, `trs`
 * and `grs` apart. The rest of T becomes zero.
 */
export function larft(n: int, g: ptr, grs: int, t: ptr, trs: int, tau: ptr): void {
  for (let j = 0; j < n; j++) {
    const factor: float = load_one(tau + j * 8);
    for (let i = 0; i < j; i++) {
      let sum: float = 0;
      let row = t + i * (trs + 8);
      const end = t + i * trs + j * 8;
      for (let p = g + i * grs + j * 8; row < end; row += 8) {
        sum += load_one(row) * load_one(p);
        p += grs;
      }
      store_one(end, -factor * sum);
    }
    store_one(t + j * (trs + 8), factor);
    for (let i = j + 1; i < n; i++) store_one(t + i * trs + j * 8, 0);
  }
}

/** Overwrites `columns` columns of `m` rows with those of the identity, from column `first` of it on. */
export function unit_columns(m: int, first: int, columns: int, a: ptr, acs: int): void {
  for (let j = 0; j < columns; j++) {
    fill(a, 0, m * 8);
    if (first + j < m) store_one(a + (first + j) * 8, 1);
    a += acs;
  }
}

/** Exchanges `columns` numbers, `step` apart. */
function swap_rows(columns: int, x: ptr, y: ptr, step: int): void {
  for (let left = columns; left > 0; left--) {
    const v: float = load_one(x);
    store_one(x, load_one(y));
    store_one(y, v);
    x += step;
    y += step;
  }
}

/**
 * Exchanges row i with row `ipiv[i - first]`, counted from 1, in `columns` columns: for i from `first` to `end` - 1, in
 * order.
 */
export function laswp(columns: int, a: ptr, acs: int, first: int, end: int, ipiv: ptr): void {
  for (let i = first; i < end; i++) {
    const other = load_int(ipiv) - 1;
    if (other !== i) swap_rows(columns, a + i * 8, a + other * 8, acs);
    ipiv += 4;
  }
}

/**
 * LU decomposition of `m` rows by `n` columns with row pivots. The number of the row that was exchanged with row j, counted
 * from 1, is written to `ipiv` after `offset` is added. Returns the number of the first zero pivot, or 0.
 */
export function getf2(m: int, n: int, a: ptr, acs: int, ipiv: ptr, offset: int): int {
  let info = 0;
  for (let j = 0; j < n && j < m; j++) {
    const diagonal = a + j * (acs + 8);
    const rows = m - j - 1;
    let most: float = lane(abs(load_splat(diagonal)), 0);
    let best = diagonal;
    let row = j;
    let p = diagonal;
    for (let i = j + 1; i < m; i++) {
      p += 8;
      const size: float = lane(abs(load_splat(p)), 0);
      if (size > most) {
        most = size;
        best = p;
        row = i;
      }
    }
    store_int(ipiv + j * 4, row + 1 + offset);
    const pivot: float = load_one(best);
    if (pivot === 0) {
      if (info === 0) info = j + 1;
    } else {
      if (row !== j) swap_rows(n, a + j * 8, a + row * 8, acs);
      const d: Vec = splat(pivot);
      p = diagonal + 8;
      let left = rows;
      for (; left >= 2; left -= 2) {
        store(p, load(p) / d);
        p += 16;
      }
      if (left > 0) store_one(p, load_one(p) / pivot);
      let c = diagonal + acs;
      for (let k = j + 1; k < n; k++) {
        subtract(rows, load_one(c), diagonal + 8, c + 8);
        c += acs;
      }
    }
  }
  return info;
}
