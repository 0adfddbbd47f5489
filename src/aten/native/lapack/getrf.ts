/**
 * @file A = P L U: elimination, where of each column the largest element left becomes the pivot.
 * @original LAPACK's getrf and getrs, written here; PyTorch links a library.
 */
import { trsm } from "./trsm.ts";

function swap_rows(a: Float64Array, m: number, n: number, i: number, k: number): void {
  if (i === k) return;
  for (let at = 0; at < m * n; at += m) [a[at + i], a[at + k]] = [a[at + k], a[at + i]];
}

/** Writes L (its diagonal of ones is not stored) and U over `a`, the row exchanges, from 1, into `ipiv`. Returns the first zero pivot's number, or 0. */
export function getrf(a: Float64Array, m: number, n: number, ipiv: number[] | Int32Array): number {
  let info = 0;
  for (let j = 0; j < Math.min(m, n); j++) {
    let p = j;
    for (let i = j + 1; i < m; i++) if (Math.abs(a[i + j * m]) > Math.abs(a[p + j * m])) p = i;
    ipiv[j] = p + 1;
    if (a[p + j * m] === 0) {
      if (info === 0) info = j + 1;
      continue;
    }
    swap_rows(a, m, n, j, p);
    const pivot = a[j + j * m];
    for (let i = j + 1; i < m; i++) a[i + j * m] /= pivot;
    for (let k = j + 1; k < n; k++) {
      const factor = a[j + k * m];
      if (factor !== 0) for (let i = j + 1; i < m; i++) a[i + k * m] -= a[i + j * m] * factor;
    }
  }
  return info;
}

/** B = A^-1 B, or A^-T B, of what getrf left of the n x n matrix A. */
export function getrs(
  lu: Float64Array,
  n: number,
  ipiv: ArrayLike<number>,
  b: Float64Array,
  transposed: boolean,
): void {
  const columns = n === 0 ? 0 : b.length / n;
  if (transposed) {
    trsm(lu, n, b, { upper: true, transposed: true, unit: false });
    trsm(lu, n, b, { upper: false, transposed: true, unit: true });
    for (let j = n - 1; j >= 0; j--) swap_rows(b, n, columns, j, ipiv[j] - 1);
  } else {
    for (let j = 0; j < n; j++) swap_rows(b, n, columns, j, ipiv[j] - 1);
    trsm(lu, n, b, { upper: false, transposed: false, unit: true });
    trsm(lu, n, b, { upper: true, transposed: false, unit: false });
  }
}

/** The rows' places after all exchanges. */
export function permutation_of(ipiv: ArrayLike<number>, k: number, m: number): number[] {
  const rows = Array.from({ length: m }, (_, i) => i);
  for (let j = 0; j < k; j++) [rows[j], rows[ipiv[j] - 1]] = [rows[ipiv[j] - 1], rows[j]];
  return rows;
}
