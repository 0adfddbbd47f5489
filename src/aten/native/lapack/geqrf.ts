/**
 * @file QR decomposition A = Q R by Householder reflections: each one makes a column zero below the diagonal.
 * @original Our own version of LAPACK's larfg, geqr2, org2r and orm2r, with their signs; PyTorch links a library.
 */

/**
 * Reflection I - tau v v^T, v[0] = 1, that maps `x` to (beta, 0, ...). Writes beta to x[0] and the rest of v to the
 * rest of x. Beta has the opposite sign of x[0]. Returns tau.
 */
export function larfg(n: number, x: Float64Array, at: number): number {
  let norm = 0;
  for (let i = 1; i < n; i++) norm = Math.hypot(norm, x[at + i]);
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

/** Writes R to the upper half of `a` and the vectors of the reflections below it. Returns their factors tau. */
export function geqr2(a: Float64Array, m: number, n: number): Float64Array {
  const tau = new Float64Array(Math.min(m, n));
  for (let j = 0; j < tau.length; j++) {
    tau[j] = larfg(m - j, a, j + j * m);
    reflect(a, j, m, tau[j], a, j + 1, n);
  }
  return tau;
}

/**
 * The first `columns` columns of Q, from the result of geqr2. Columns before a reflection's own are still unit vectors,
 * which the reflection does not change.
 */
export function org2r(a: Float64Array, m: number, columns: number, tau: ArrayLike<number>): Float64Array {
  const q = new Float64Array(m * columns);
  for (let j = 0; j < Math.min(m, columns); j++) q[j + j * m] = 1;
  for (let j = tau.length - 1; j >= 0; j--) reflect(a, j, m, tau[j], q, j, columns);
  return q;
}

/** C = Q C or Q^T C, for the m x m matrix Q of geqr2 and C with m rows. */
export function orm2r(a: Float64Array, m: number, tau: ArrayLike<number>, c: Float64Array, transpose: boolean): void {
  const [k, columns] = [tau.length, c.length / m];
  for (let s = 0; s < k; s++) {
    const j = transpose ? s : k - 1 - s;
    reflect(a, j, m, tau[j], c, 0, columns);
  }
}
