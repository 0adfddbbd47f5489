/**
 * @file A = L L^T of a positive definite matrix, with a positive diagonal.
 * @original LAPACK's potrf, written here; PyTorch links a library.
 */

/** Writes L, or its transpose for `upper`, over that half of `a`. Returns the order of the first minor that is not positive, or 0. */
export function potrf(a: Float64Array, n: number, upper: boolean): number {
  const at = upper ? (i: number, j: number) => j + i * n : (i: number, j: number) => i + j * n; // of L, i >= j
  for (let j = 0; j < n; j++) {
    let d = a[at(j, j)];
    for (let k = 0; k < j; k++) d -= a[at(j, k)] ** 2;
    a[at(j, j)] = d;
    if (!(d > 0)) return j + 1;
    d = Math.sqrt(d);
    a[at(j, j)] = d;
    for (let i = j + 1; i < n; i++) {
      let s = a[at(i, j)];
      for (let k = 0; k < j; k++) s -= a[at(i, k)] * a[at(j, k)];
      a[at(i, j)] = s / d;
    }
  }
  return 0;
}
