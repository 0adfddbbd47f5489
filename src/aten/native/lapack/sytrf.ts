/**
 * @file Decomposition A = L D L^T of a symmetric matrix: elimination with pivots on the diagonal, or with 2 x 2 blocks
 * if these are small (Bunch-Kaufman).
 * @original Our own version of LAPACK's sytf2 and sytrs for the lower half; PyTorch links a library.
 */

/** Bunch-Kaufman constant: it minimizes the growth of elements for any choice of pivots. */
const ALPHA = (1 + Math.sqrt(17)) / 8;

/** Row of the largest element of `a[from..to-1, j]`. */
function largest_of_column(a: Float64Array, n: number, j: number, from: number, to: number): number {
  let p = from;
  for (let i = from + 1; i < to; i++) if (Math.abs(a[i + j * n]) > Math.abs(a[p + j * n])) p = i;
  return p;
}

/** Row that is exchanged with the pivot's row `k`, and the size of the pivot (1, or 2 for a block). */
function choose_pivot(a: Float64Array, n: number, k: number): { kp: number; kstep: 1 | 2 } {
  const diagonal = Math.abs(a[k + k * n]);
  const imax = largest_of_column(a, n, k, k + 1, n);
  const colmax = k + 1 < n ? Math.abs(a[imax + k * n]) : 0;
  if (diagonal >= ALPHA * colmax) return { kp: k, kstep: 1 };
  let rowmax = 0;
  for (let j = k; j < imax; j++) rowmax = Math.max(rowmax, Math.abs(a[imax + j * n]));
  for (let i = imax + 1; i < n; i++) rowmax = Math.max(rowmax, Math.abs(a[i + imax * n]));
  if (diagonal >= ALPHA * colmax * (colmax / rowmax)) return { kp: k, kstep: 1 };
  return { kp: imax, kstep: Math.abs(a[imax + imax * n]) >= ALPHA * rowmax ? 1 : 2 };
}

function swap(a: Float64Array, i: number, k: number): void {
  [a[i], a[k]] = [a[k], a[i]];
}

/** Exchanges rows and columns `kk` and `kp` of the remaining matrix, of which the lower half is stored. */
function swap_symmetric(a: Float64Array, n: number, kk: number, kp: number): void {
  for (let i = kp + 1; i < n; i++) swap(a, i + kk * n, i + kp * n);
  for (let j = kk + 1; j < kp; j++) swap(a, j + kk * n, kp + j * n);
  swap(a, kk + kk * n, kp + kp * n);
}

function eliminate_one(a: Float64Array, n: number, k: number): void {
  const reciprocal = 1 / a[k + k * n];
  for (let j = k + 1; j < n; j++) {
    const factor = reciprocal * a[j + k * n];
    for (let i = j; i < n; i++) a[i + j * n] -= a[i + k * n] * factor;
  }
  for (let i = k + 1; i < n; i++) a[i + k * n] *= reciprocal;
}

function eliminate_two(a: Float64Array, n: number, k: number): void {
  if (k + 2 >= n) return;
  const d21 = a[k + 1 + k * n];
  const d11 = a[k + 1 + (k + 1) * n] / d21;
  const d22 = a[k + k * n] / d21;
  const scale = 1 / (d11 * d22 - 1) / d21;
  for (let j = k + 2; j < n; j++) {
    const [first, second] = [a[j + k * n], a[j + (k + 1) * n]];
    const wk = scale * (d11 * first - second);
    const wkp1 = scale * (d22 * second - first);
    for (let i = j; i < n; i++) a[i + j * n] -= a[i + k * n] * wk + a[i + (k + 1) * n] * wkp1;
    a[j + k * n] = wk;
    a[j + (k + 1) * n] = wkp1;
  }
}

/**
 * Writes L (without its diagonal of ones) and D to the lower half of `a`. `ipiv` holds, counted from 1, the row
 * exchanged with each pivot's row. For a block, both entries are negative and refer to its second row. Returns the
 * number of the first zero pivot, or 0.
 */
export function sytrf(a: Float64Array, n: number, ipiv: Int32Array): number {
  let info = 0;
  for (let k = 0; k < n; ) {
    const diagonal = a[k + k * n];
    const below = k + 1 < n ? a[largest_of_column(a, n, k, k + 1, n) + k * n] : 0;
    if (Number.isNaN(diagonal) || (diagonal === 0 && below === 0)) {
      if (info === 0) info = k + 1;
      ipiv[k] = ++k;
      continue;
    }
    const { kp, kstep } = choose_pivot(a, n, k);
    const kk = k + kstep - 1;
    if (kp !== kk) {
      swap_symmetric(a, n, kk, kp);
      if (kstep === 2) swap(a, kk + k * n, kp + k * n);
    }
    if (kstep === 1) eliminate_one(a, n, k);
    else eliminate_two(a, n, k);
    ipiv.fill(kstep === 1 ? kp + 1 : -(kp + 1), k, k + kstep);
    k += kstep;
  }
  return info;
}

/** B = A^-1 B, from the result of sytrf for the n x n matrix A. */
export function sytrs(a: Float64Array, n: number, ipiv: ArrayLike<number>, b: Float64Array): void {
  for (let at = 0; at < b.length; at += n) solve_column(a, n, ipiv, b.subarray(at, at + n));
}

function solve_column(a: Float64Array, n: number, ipiv: ArrayLike<number>, b: Float64Array): void {
  for (let k = 0; k < n; ) {
    if (ipiv[k] > 0) {
      swap(b, k, ipiv[k] - 1);
      for (let i = k + 1; i < n; i++) b[i] -= a[i + k * n] * b[k];
      b[k] /= a[k + k * n];
      k += 1;
    } else {
      swap(b, k + 1, -ipiv[k] - 1);
      for (let i = k + 2; i < n; i++) b[i] -= a[i + k * n] * b[k] + a[i + (k + 1) * n] * b[k + 1];
      const d21 = a[k + 1 + k * n];
      const [d11, d22] = [a[k + k * n] / d21, a[k + 1 + (k + 1) * n] / d21];
      const denominator = d11 * d22 - 1;
      const [first, second] = [b[k] / d21, b[k + 1] / d21];
      b[k] = (d22 * first - second) / denominator;
      b[k + 1] = (d11 * second - first) / denominator;
      k += 2;
    }
  }
  for (let k = n - 1; k >= 0; ) {
    const kstep = ipiv[k] > 0 ? 1 : 2;
    for (let j = k; j > k - kstep && j >= 0; j--) for (let i = k + 1; i < n; i++) b[j] -= a[i + j * n] * b[i];
    swap(b, k, Math.abs(ipiv[k]) - 1);
    k -= kstep;
  }
}
