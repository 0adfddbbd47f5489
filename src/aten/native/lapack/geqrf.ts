/**
 * @file A = Q R by reflections: each makes one column zero below the diagonal.
 * @original LAPACK's larfg, geqr2, org2r and orm2r, written here, with their signs; PyTorch links a library.
 */

/** The reflection I - tau v v^T, v[0] = 1, that takes `x` to (beta, 0, ...): beta over x[0], v over the rest. Beta has the sign that x[0] has not. */
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

/** Applies the reflection of the vector below (j, j) of `v` to `columns` columns of `c` from the first on, in rows j to m. */
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

/** Writes R over the upper half of `a`, the vectors of the reflections below it; returns their factors tau. */
export function geqr2(a: Float64Array, m: number, n: number): Float64Array {
  const tau = new Float64Array(Math.min(m, n));
  for (let j = 0; j < tau.length; j++) {
    tau[j] = larfg(m - j, a, j + j * m);
    reflect(a, j, m, tau[j], a, j + 1, n);
  }
  return tau;
}

/** The first `columns` columns of Q, of what geqr2 left. Those before a reflection's are unit vectors still, which it leaves. */
export function org2r(a: Float64Array, m: number, columns: number, tau: ArrayLike<number>): Float64Array {
  const q = new Float64Array(m * columns);
  for (let j = 0; j < Math.min(m, columns); j++) q[j + j * m] = 1;
  for (let j = tau.length - 1; j >= 0; j--) reflect(a, j, m, tau[j], q, j, columns);
  return q;
}

/** C = Q C, or Q^T C, of the m x m Q that geqr2 left, for C of m rows. */
export function orm2r(a: Float64Array, m: number, tau: ArrayLike<number>, c: Float64Array, transpose: boolean): void {
  const [k, columns] = [tau.length, c.length / m];
  for (let s = 0; s < k; s++) {
    const j = transpose ? s : k - 1 - s;
    reflect(a, j, m, tau[j], c, 0, columns);
  }
}
