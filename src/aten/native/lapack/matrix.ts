/**
 * @file Helper for one matrix stored in columns: its transpose.
 * @original
 */

/** The n x m transpose of an m x n matrix. */
export function transposed(a: Float64Array, m: number, n: number): Float64Array {
  const t = new Float64Array(m * n);
  for (let j = 0; j < n; j++) for (let i = 0; i < m; i++) t[j + i * n] = a[i + j * m];
  return t;
}
