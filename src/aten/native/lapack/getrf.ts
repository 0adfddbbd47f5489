/**
 * @file LU decomposition A = P L U: Gaussian elimination with partial pivoting.
 * @original Our own version of LAPACK's getrf and getrs; PyTorch links a library.
 * @see ../cpu/vec/lapack/blocks.ts (getrf with SIMD)
 */
import { DEFINE_DISPATCH, REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { DeviceType } from "#c10/core/DeviceType";
import { trsm } from "./trsm.ts";

type GetrfFn = (a: Float64Array, m: number, n: number, ipiv: Int32Array) => number;
export const lapackLu_stub = DEFINE_DISPATCH<GetrfFn>("lapackLu_stub");

function swap_rows(a: Float64Array, m: number, n: number, i: number, k: number): void {
  if (i === k) return;
  for (let at = 0; at < m * n; at += m) [a[at + i], a[at + k]] = [a[at + k], a[at + i]];
}

/**
 * Writes L (without its diagonal of ones) and U to `a`, and the row exchanges, counted from 1, to `ipiv`. Returns the
 * number of the first zero pivot, or 0.
 */
export function getrf(a: Float64Array, m: number, n: number, ipiv: Int32Array): number {
  return lapackLu_stub.call(DeviceType.CPU, a, m, n, ipiv);
}

/** The routine in JavaScript. */
export function getf2(a: Float64Array, m: number, n: number, ipiv: Int32Array): number {
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

/** B = A^-1 B or A^-T B, from the result of getrf for the n x n matrix A. */
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

/** Positions of the rows after all exchanges. */
export function permutation_of(ipiv: ArrayLike<number>, k: number, m: number): number[] {
  const rows = Array.from({ length: m }, (_, i) => i);
  for (let j = 0; j < k; j++) [rows[j], rows[ipiv[j] - 1]] = [rows[ipiv[j] - 1], rows[j]];
  return rows;
}

REGISTER_DEFAULT_DISPATCH(lapackLu_stub, getf2, "getf2");
