/**
 * @file Singular value decomposition A = U S V^T: reflections make the matrix bidiagonal, then rotations make it
 * diagonal.
 * @original Our own version of LAPACK's gebd2, ormbr, bdsdc and gesdd. Signs are those of the library that PyTorch
 * links, up to 25 rows or columns. For larger matrices, LAPACK uses divide and conquer, and columns of U and V may have
 * other signs here.
 */
import { bdsqr, lartg, type Precision } from "./bdsqr.ts";
import { lapackGeqrf, lapackOrmqr, larfg } from "./geqrf.ts";
import { transposed } from "./matrix.ts";

export interface Svd {
  /** m x m or m x k; then k values, the largest first; then n x n or k x n; k = min(m, n). */
  readonly u: Float64Array;
  readonly s: Float64Array;
  readonly vh: Float64Array;
}

/**
 * Reflections of the columns (`q`, on or below the diagonal d) and of the rows (`p`), each stored in columns of its own
 * matrix, with their factors.
 */
interface Bidiagonal {
  readonly d: Float64Array;
  readonly e: Float64Array;
  readonly q: Float64Array;
  readonly tauq: Float64Array;
  readonly p: Float64Array;
  readonly taup: Float64Array;
}

/**
 * Applies I - tau v v^T from the left to the columns of `a` (m rows), from `first` on. v starts at row `from`, where it
 * is 1.
 */
function reflect(v: Float64Array, from: number, tau: number, a: Float64Array, m: number, first: number): void {
  if (tau === 0) return;
  for (let at = first * m; at < a.length; at += m) {
    let dot = 0;
    for (let i = from; i < m; i++) dot += v[i] * a[at + i];
    dot *= tau;
    for (let i = from; i < m; i++) a[at + i] -= v[i] * dot;
  }
}

/**
 * Applies I - tau v v^T from the right to the rows from `first` on. v starts at column `from`. The products of all rows
 * are computed together.
 */
function reflect_rows(v: Float64Array, from: number, tau: number, a: Float64Array, m: number, first: number): void {
  if (tau === 0) return;
  const dots = new Float64Array(m);
  for (let j = from; j < v.length; j++) for (let i = first; i < m; i++) dots[i] += a[i + j * m] * v[j];
  for (let i = first; i < m; i++) dots[i] *= tau;
  for (let j = from; j < v.length; j++) for (let i = first; i < m; i++) a[i + j * m] -= v[j] * dots[i];
}

/** Bidiagonal form of the m x n matrix `a`, which is overwritten: upper if m >= n, else lower. */
function gebd2(a: Float64Array, m: number, n: number): Bidiagonal {
  const k = Math.min(m, n);
  const upper = m >= n;
  const [d, e] = [new Float64Array(k), new Float64Array(Math.max(k - 1, 0))];
  const [q, tauq, p, taup] = [
    new Float64Array(m * k),
    new Float64Array(k),
    new Float64Array(n * k),
    new Float64Array(k),
  ];
  const column = (i: number, from: number): number => {
    if (from >= m) return 0;
    const v = q.subarray(i * m, (i + 1) * m);
    for (let r = from; r < m; r++) v[r] = a[r + i * m];
    tauq[i] = larfg(m - from, v, from);
    const beta = v[from];
    v[from] = 1;
    reflect(v, from, tauq[i], a, m, i + 1);
    return beta;
  };
  const row = (i: number, from: number): number => {
    if (from >= n) return 0;
    const v = p.subarray(i * n, (i + 1) * n);
    for (let c = from; c < n; c++) v[c] = a[i + c * m];
    taup[i] = larfg(n - from, v, from);
    const beta = v[from];
    v[from] = 1;
    reflect_rows(v, from, taup[i], a, m, i + 1);
    return beta;
  };
  for (let i = 0; i < k; i++) {
    d[i] = upper ? column(i, i) : row(i, i);
    const beside = upper ? row(i, i + 1) : column(i, i + 1);
    if (i < k - 1) e[i] = beside;
  }
  return { d, e, q, tauq, p, taup };
}

function identity(rows: number, columns: number): Float64Array {
  const a = new Float64Array(rows * columns);
  for (let i = 0; i < Math.min(rows, columns); i++) a[i + i * rows] = 1;
  return a;
}

/** `small` in the upper left corner of a `rows` x `columns` identity matrix. */
function bordered(small: Float64Array, k: number, rows: number, columns: number): Float64Array {
  const a = identity(rows, columns);
  for (let j = 0; j < k; j++) a.set(small.subarray(j * k, (j + 1) * k), j * rows);
  return a;
}

/** SVD by direct bidiagonalization. */
function direct(a: Float64Array, m: number, n: number, full: boolean, precision: Precision): Svd | null {
  const k = Math.min(m, n);
  const upper = m >= n;
  const { d, e, q, tauq, p, taup } = gebd2(a, m, n);
  // Rotations make a lower bidiagonal matrix upper; they are applied to U at the end.
  const turns: [c: number, s: number][] = [];
  for (let i = 0; i < k - 1 && !upper; i++) {
    const [c, s, r] = lartg(d[i], e[i]);
    [d[i], e[i], d[i + 1]] = [r, s * d[i + 1], c * d[i + 1]];
    turns.push([c, s]);
  }
  const [small_u, small_v] = [identity(k, k), identity(k, k)];
  if (k === 1 && d[0] < 0) [d[0], small_u[0]] = [-d[0], -1]; // the sign goes to U here, and to V^T below
  if (!bdsqr(k, d, e, small_u, small_v, precision)) return null;
  for (let i = turns.length - 1; i >= 0; i--) {
    const [c, s] = turns[i];
    for (let at = i; at < small_u.length; at += k) {
      const [x, y] = [small_u[at], small_u[at + 1]];
      small_u[at] = c * x - s * y;
      small_u[at + 1] = s * x + c * y;
    }
  }
  const u = bordered(small_u, k, m, full ? m : k);
  for (let i = k - 1; i >= 0; i--) reflect(q.subarray(i * m, (i + 1) * m), upper ? i : i + 1, tauq[i], u, m, 0);
  const rows = full ? n : k;
  const v = bordered(small_v, k, n, rows);
  for (let i = k - 1; i >= 0; i--) reflect(p.subarray(i * n, (i + 1) * n), upper ? i + 1 : i, taup[i], v, n, 0);
  return { u, s: d, vh: transposed(v, n, rows) };
}

/**
 * SVD of the m x n matrix `a`, which is overwritten. If `full`, U and V^T are square. Returns null if it does not
 * converge.
 */
export function gesvd(a: Float64Array, m: number, n: number, full: boolean, precision: Precision): Svd | null {
  if (m < Math.floor(1.5 * n)) return direct(a, m, n, full, precision);
  // The singular values of a tall matrix are those of R.
  const tau = lapackGeqrf(a, m, n);
  const r = new Float64Array(n * n);
  for (let j = 0; j < n; j++) for (let i = 0; i <= j; i++) r[i + j * n] = a[i + j * m];
  const small = direct(r, n, n, false, precision);
  if (small === null) return null;
  const u = bordered(small.u, n, m, full ? m : n);
  lapackOrmqr(a, m, tau, u, false);
  return { u, s: small.s, vh: small.vh };
}
