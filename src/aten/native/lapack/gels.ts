/**
 * @file Least-squares solvers: the shortest `x` among those that minimize |A x - b|. `gels` and `gelsy` use
 * reflections, `gelss` and `gelsd` singular values.
 * @original Our own version of LAPACK's routines of these names; PyTorch links a library.
 *
 * All take `b` with max(m, n) rows and write the solution to its first n rows. If m > n, the other rows get the
 * residual's components orthogonal to A.
 */
import { DOUBLE } from "./bdsqr.ts";
import { lapackGeqrf, lapackOrmqr, larfg } from "./geqrf.ts";
import { gesvd } from "./gesvd.ts";
import { transposed } from "./matrix.ts";
import { trsm } from "./trsm.ts";

/** Copies the first `rows` rows of each column of `from` into columns of `into_rows` rows; the rest is zeros. */
function top(from: Float64Array, from_rows: number, rows: number, into_rows: number): Float64Array {
  const columns = from_rows === 0 ? 0 : from.length / from_rows;
  const into = new Float64Array(into_rows * columns);
  for (let j = 0; j < columns; j++)
    into.set(from.subarray(j * from_rows, j * from_rows + Math.min(rows, into_rows)), j * into_rows);
  return into;
}

/** Writes `rows` rows of each column of `x` to the first rows of `b`. */
function put(b: Float64Array, b_rows: number, x: Float64Array, rows: number): void {
  for (let j = 0; j * b_rows < b.length; j++) b.set(x.subarray(j * rows, (j + 1) * rows), j * b_rows);
}

const UPPER = { upper: true, transposed: false, unit: false };
const UPPER_T = { upper: true, transposed: true, unit: false };

/** Solves with A of full rank. Returns the number of the first zero on the diagonal of R, or 0. */
export function gels(a: Float64Array, m: number, n: number, b: Float64Array): number {
  if (a.every((x) => x === 0)) {
    if (a.length > 0 || m === 0) b.fill(0);
    return 0;
  }
  const rows = Math.max(m, n);
  const tall = m >= n;
  const qr = tall ? a : transposed(a, m, n); // for a wide A: A^T = Q R, so x = Q R^-T b
  const [p, k] = tall ? [m, n] : [n, m];
  const tau = lapackGeqrf(qr, p, k);
  for (let j = 0; j < k; j++) if (qr[j + j * p] === 0) return j + 1;
  const r = top(qr, p, k, k);
  if (tall) {
    lapackOrmqr(qr, m, tau, b, true);
    const x = top(b, rows, n, n);
    trsm(r, n, x, UPPER);
    put(b, rows, x, n);
  } else {
    const y = top(b, rows, m, m);
    trsm(r, m, y, UPPER_T);
    const x = top(y, m, m, n);
    lapackOrmqr(qr, n, tau, x, false);
    put(b, rows, x, n);
  }
  return 0;
}

/**
 * QR with column pivoting: the longest remaining column comes first. `order[j]` is the original position of column j.
 */
function geqp3(a: Float64Array, m: number, n: number, order: Int32Array): Float64Array {
  const tau = new Float64Array(Math.min(m, n));
  for (let j = 0; j < n; j++) order[j] = j;
  for (let j = 0; j < tau.length; j++) {
    let [best, longest] = [j, -1];
    for (let c = j; c < n; c++) {
      let length = 0;
      for (let i = j; i < m; i++) length = Math.hypot(length, a[i + c * m]);
      if (length > longest) [best, longest] = [c, length];
    }
    if (best !== j) {
      const column = a.slice(best * m, (best + 1) * m);
      a.copyWithin(best * m, j * m, (j + 1) * m);
      a.set(column, j * m);
      [order[j], order[best]] = [order[best], order[j]];
    }
    tau[j] = larfg(m - j, a, j + j * m);
    for (let c = j + 1; c < n; c++) {
      let dot = a[j + c * m];
      for (let i = j + 1; i < m; i++) dot += a[i + j * m] * a[i + c * m];
      dot *= tau[j];
      a[j + c * m] -= dot;
      for (let i = j + 1; i < m; i++) a[i + c * m] -= a[i + j * m] * dot;
    }
  }
  return tau;
}

/**
 * One step of the condition estimate: the largest or smallest singular value of ((sest, 0), (alpha, gamma)), and its
 * left vector.
 */
function laic1(largest: boolean, sest: number, alpha: number, gamma: number): [value: number, s: number, c: number] {
  const scale = Math.max(sest, Math.abs(alpha), Math.abs(gamma));
  if (scale === 0) return [0, 0, 1];
  const [f, g, h] = [sest / scale, alpha / scale, gamma / scale];
  const [p, q, r] = [f * f, f * g, g * g + h * h]; // the matrix ((p, q), (q, r)) is the product with the transpose
  const half = (p - r) / 2;
  const root = Math.hypot(half, q);
  const most = Math.sqrt((p + r) / 2 + root);
  // The eigenvector of the larger eigenvalue, from the row without cancellation.
  const [x, y] = half >= 0 ? [half + root, q] : [q, root - half];
  const length = Math.hypot(x, y) || 1;
  const [s, c] = length === 1 && x === 0 && y === 0 ? [1, 0] : [x / length, y / length];
  return largest ? [most * scale, s, c] : [((f * Math.abs(h)) / most) * scale, -c, s];
}

/**
 * Number of leading columns of R whose estimated condition number (largest over smallest singular value) is at most 1 /
 * rcond.
 */
function rank_of(r: Float64Array, m: number, k: number, rcond: number): number {
  let smax = k === 0 ? 0 : Math.abs(r[0]);
  if (smax === 0) return 0;
  let smin = smax;
  let [xmin, xmax] = [[1], [1]];
  const along = (x: readonly number[], column: number): number =>
    x.reduce((sum, each, i) => sum + each * r[i + column * m], 0);
  for (let rank = 1; rank < k; rank++) {
    const gamma = r[rank + rank * m];
    const [sminpr, s1, c1] = laic1(false, smin, along(xmin, rank), gamma);
    const [smaxpr, s2, c2] = laic1(true, smax, along(xmax, rank), gamma);
    if (!(smaxpr * rcond <= sminpr)) return rank;
    [xmin, xmax] = [
      [...xmin.map((x) => x * s1), c1],
      [...xmax.map((x) => x * s2), c2],
    ];
    [smin, smax] = [sminpr, smaxpr];
  }
  return k;
}

/** Solves with A of any rank: parts below `rcond` are treated as zero. Returns the rank. */
export function gelsy(a: Float64Array, m: number, n: number, b: Float64Array, rcond: number): number {
  const rows = Math.max(m, n);
  const order = new Int32Array(n);
  const tau = geqp3(a, m, n, order);
  const rank = rank_of(a, m, tau.length, rcond);
  if (rank === 0) {
    b.fill(0);
    return 0;
  }
  // The shortest x with (R11 R12) x = c is Q T^-T c, where (R11 R12)^T = Q T.
  const qt = new Float64Array(n * rank);
  for (let j = 0; j < n; j++) for (let i = 0; i < rank && i <= j; i++) qt[j + i * n] = a[i + j * m];
  const c = m === 0 ? b : top(b, rows, m, m);
  lapackOrmqr(a, m, tau, c, true);
  const y = top(c, m, rank, rank);
  let x: Float64Array;
  if (rank < n) {
    const factors = lapackGeqrf(qt, n, rank);
    trsm(top(qt, n, rank, rank), rank, y, UPPER_T);
    x = top(y, rank, rank, n);
    lapackOrmqr(qt, n, factors, x, false);
  } else {
    trsm(top(a, m, n, n), n, y, UPPER);
    x = y;
  }
  for (let at = 0, to = 0; at < x.length; at += n, to += rows) for (let j = 0; j < n; j++) b[to + order[j]] = x[at + j];
  return rank;
}

/**
 * Solves by singular values, which are written to `s`. Values of at most rcond times the largest are treated as zero.
 * Returns the rank, or -1.
 */
export function gelsd(a: Float64Array, m: number, n: number, b: Float64Array, s: Float64Array, rcond: number): number {
  const rows = Math.max(m, n);
  const k = Math.min(m, n);
  const tall = m > n;
  let [matrix, p] = [a, m];
  if (tall) {
    lapackOrmqr(a, m, lapackGeqrf(a, m, n), b, true);
    [matrix, p] = [top(a, m, n, n), n];
    for (let j = 0; j < n; j++) for (let i = j + 1; i < n; i++) matrix[i + j * n] = 0;
  }
  const found = gesvd(matrix, p, n, false, DOUBLE);
  if (found === null) return -1;
  s.set(found.s);
  let rank = 0;
  while (rank < k && found.s[rank] > rcond * found.s[0]) rank++;
  const c = top(b, rows, p, p);
  const x = new Float64Array((c.length / p) * n);
  for (let at = 0, to = 0; at < c.length; at += p, to += n)
    for (let l = 0; l < rank; l++) {
      let dot = 0;
      for (let i = 0; i < p; i++) dot += found.u[i + l * p] * c[at + i];
      dot /= found.s[l];
      for (let j = 0; j < n; j++) x[to + j] += dot * found.vh[l + j * k];
    }
  put(b, rows, x, n);
  return rank;
}
