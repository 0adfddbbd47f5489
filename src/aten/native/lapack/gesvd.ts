/**
 * @file A = U S V^T by turning pairs of columns until all stand at right angles (one-sided Jacobi): their lengths are the singular values.
 * @original LAPACK's gesdd, which PyTorch calls, goes another way: columns of U and V may have other signs here.
 */
import { geqr2, org2r } from "./geqrf.ts";
import { transposed } from "./matrix.ts";

const EPS = 2 ** -52;

export interface Svd {
  /** m x m or m x k, and k values, the greatest first, and n x n or k x n; k = min(m, n). */
  readonly u: Float64Array;
  readonly s: Float64Array;
  readonly vh: Float64Array;
}

function turn(a: Float64Array, m: number, p: number, q: number, c: number, s: number): void {
  for (let i = 0; i < m; i++) {
    const [x, y] = [a[i + p * m], a[i + q * m]];
    a[i + p * m] = c * x - s * y;
    a[i + q * m] = s * x + c * y;
  }
}

function dot(a: Float64Array, m: number, p: number, q: number): number {
  let sum = 0;
  for (let i = 0; i < m; i++) sum += a[i + p * m] * a[i + q * m];
  return sum;
}

/** Turns the columns of the m x n matrix `a`, and those of `v` with them. */
function jacobi(a: Float64Array, m: number, n: number, v: Float64Array): boolean {
  // Of a column that is all but zero nothing is left but rounding, whose direction would turn for ever.
  const zero = a.reduce((sum, x) => sum + x * x, 0) * EPS * EPS;
  for (let sweep = 0; sweep < 60; sweep++) {
    let turned = false;
    for (let p = 0; p < n - 1; p++)
      for (let q = p + 1; q < n; q++) {
        const [alpha, beta, gamma] = [dot(a, m, p, p), dot(a, m, q, q), dot(a, m, p, q)];
        if (gamma === 0 || alpha <= zero || beta <= zero || Math.abs(gamma) <= EPS * Math.sqrt(alpha * beta)) continue;
        turned = true;
        const zeta = (beta - alpha) / (2 * gamma);
        const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.hypot(1, zeta));
        const c = 1 / Math.hypot(1, t);
        turn(a, m, p, q, c, c * t);
        turn(v, n, p, q, c, c * t);
      }
    if (!turned) return true;
  }
  return false;
}

/** `columns` orthonormal columns, of which the first `known` are those of `a`, up to rounding. */
function completed(a: Float64Array, m: number, known: number, columns: number): Float64Array {
  const qr = a.slice(0, m * known);
  const tau = geqr2(qr, m, known);
  const q = org2r(qr, m, columns, tau);
  q.set(a.subarray(0, m * known));
  return q;
}

/** Null if it does not converge. `a` is used up. */
export function gesvd(a: Float64Array, m: number, n: number, full: boolean): Svd | null {
  if (m < n) {
    const t = gesvd(transposed(a, m, n), n, m, full);
    if (t === null) return null;
    const [rows, columns] = full ? [n, m] : [m, m]; // of V^T here, and of its U
    return { u: transposed(t.vh, columns, m), s: t.s, vh: transposed(t.u, n, rows) };
  }
  // Lengths are squared on the way: far from 1, they would not be numbers any more.
  const scale = a.reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1;
  for (let i = 0; i < a.length; i++) a[i] /= scale;
  const v = new Float64Array(n * n);
  for (let j = 0; j < n; j++) v[j + j * n] = 1;
  if (!jacobi(a, m, n, v)) return null;

  const lengths = Array.from({ length: n }, (_, j) => Math.sqrt(dot(a, m, j, j)));
  const order = [...lengths.keys()].sort((i, j) => lengths[j] - lengths[i]);
  const s = Float64Array.from(order, (j) => lengths[j] * scale);
  const u = new Float64Array(m * n);
  const vt = new Float64Array(n * n);
  // A column that is all but zero has no direction: the rest of a basis gives it one.
  const rank = order.filter((j) => lengths[j] > EPS * Math.hypot(...lengths)).length;
  order.forEach((from, to) => {
    if (to < rank) for (let i = 0; i < m; i++) u[i + to * m] = a[i + from * m] / lengths[from];
    for (let i = 0; i < n; i++) vt[to + i * n] = v[i + from * n];
  });
  const columns = full ? m : n;
  return { u: rank === columns ? u : completed(u, m, rank, columns), s, vh: vt };
}
