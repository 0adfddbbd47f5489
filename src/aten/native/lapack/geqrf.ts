/**
 * @file QR decomposition A = Q R by Householder reflections: each one makes a column zero below the diagonal.
 * @original Our own version of LAPACK's larfg, geqr2, org2r and orm2r, with their signs; PyTorch links a library.
 * @see ../cpu/vec/lapack/blocks.ts (the same with SIMD)
 */
import { DEFINE_DISPATCH, REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { DeviceType } from "#c10/core/DeviceType";

export const lapackGeqrf_stub =
  DEFINE_DISPATCH<(a: Float64Array, m: number, n: number) => Float64Array>("lapackGeqrf_stub");
export const lapackOrgqr_stub =
  DEFINE_DISPATCH<(a: Float64Array, m: number, columns: number, tau: Float64Array) => void>("lapackOrgqr_stub");
export const lapackOrmqr_stub =
  DEFINE_DISPATCH<(a: Float64Array, m: number, tau: Float64Array, c: Float64Array, transpose: boolean) => void>(
    "lapackOrmqr_stub",
  );

/** Writes R to the upper half of `a` and the vectors of the reflections below it. Returns their factors tau. */
export function lapackGeqrf(a: Float64Array, m: number, n: number): Float64Array {
  return lapackGeqrf_stub.call(DeviceType.CPU, a, m, n);
}

/** Replaces the result of geqrf, which has `columns` columns, by the first columns of Q. */
export function lapackOrgqr(a: Float64Array, m: number, columns: number, tau: Float64Array): void {
  lapackOrgqr_stub.call(DeviceType.CPU, a, m, columns, tau);
}

/** C = Q C or Q^T C, for the m x m matrix Q of geqrf and C with m rows. */
export function lapackOrmqr(a: Float64Array, m: number, tau: Float64Array, c: Float64Array, transpose: boolean): void {
  lapackOrmqr_stub.call(DeviceType.CPU, a, m, tau, c, transpose);
}

/** 2-norm of `n` numbers. If the squares are out of range, all numbers are first divided by the largest. */
function nrm2(n: number, x: Float64Array, at: number): number {
  let sum = 0;
  for (let i = at; i < at + n; i++) sum += x[i] * x[i];
  if (sum > 1e-280 && sum < 1e300) return Math.sqrt(sum);
  let largest = 0;
  for (let i = at; i < at + n; i++) largest = Math.max(largest, Math.abs(x[i]));
  if (!(largest > 0)) return largest;
  sum = 0;
  for (let i = at; i < at + n; i++) sum += (x[i] / largest) ** 2;
  return largest * Math.sqrt(sum);
}

/**
 * Reflection I - tau v v^T, v[0] = 1, that maps `x` to (beta, 0, ...). Writes beta to x[0] and the rest of v to the
 * rest of x. Beta has the opposite sign of x[0]. Returns tau.
 */
export function larfg(n: number, x: Float64Array, at: number): number {
  const norm = nrm2(n - 1, x, at + 1);
  if (norm === 0) return 0;
  const alpha = x[at];
  const beta = alpha >= 0 ? -Math.hypot(alpha, norm) : Math.hypot(alpha, norm);
  for (let i = 1; i < n; i++) x[at + i] /= alpha - beta;
  x[at] = beta;
  return (beta - alpha) / beta;
}

/**
 * Applies the reflection whose vector is below (j, j) in `v` to `columns` columns of `c`, from the first given one on,
 * in rows j to m.
 */
function reflect(
  v: Float64Array,
  j: number,
  m: number,
  tau: number,
  c: Float64Array,
  first: number,
  end: number,
): void {
  if (tau === 0) return;
  for (let k = first; k < end; k++) {
    let dot = c[j + k * m];
    for (let i = j + 1; i < m; i++) dot += v[i + j * m] * c[i + k * m];
    dot *= tau;
    c[j + k * m] -= dot;
    for (let i = j + 1; i < m; i++) c[i + k * m] -= v[i + j * m] * dot;
  }
}

/** `geqrf` in JavaScript. */
export function geqr2(a: Float64Array, m: number, n: number): Float64Array {
  const tau = new Float64Array(Math.min(m, n));
  for (let j = 0; j < tau.length; j++) {
    tau[j] = larfg(m - j, a, j + j * m);
    reflect(a, j, m, tau[j], a, j + 1, n);
  }
  return tau;
}

/** `orgqr` in JavaScript. Columns before a reflection's own are still unit vectors, which it does not change. */
export function org2r(a: Float64Array, m: number, columns: number, tau: Float64Array): void {
  const q = new Float64Array(m * columns);
  for (let j = 0; j < Math.min(m, columns); j++) q[j + j * m] = 1;
  for (let j = tau.length - 1; j >= 0; j--) reflect(a, j, m, tau[j], q, j, columns);
  a.set(q);
}

/** `ormqr` in JavaScript. */
export function orm2r(a: Float64Array, m: number, tau: Float64Array, c: Float64Array, transpose: boolean): void {
  const [k, columns] = [tau.length, c.length / m];
  for (let s = 0; s < k; s++) {
    const j = transpose ? s : k - 1 - s;
    reflect(a, j, m, tau[j], c, 0, columns);
  }
}

REGISTER_DEFAULT_DISPATCH(lapackGeqrf_stub, geqr2, "geqr2");
REGISTER_DEFAULT_DISPATCH(lapackOrgqr_stub, org2r, "org2r");
REGISTER_DEFAULT_DISPATCH(lapackOrmqr_stub, orm2r, "orm2r");
