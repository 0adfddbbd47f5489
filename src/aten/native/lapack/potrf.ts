/**
 * @file A = L L^T of a positive definite matrix, with a positive diagonal.
 * @original LAPACK's potrf, written here; PyTorch links a library.
 */

// Column by column, from the columns before it: of L stored in columns, each is subtracted from what is below the diagonal; of its transpose,
// where L's rows are side by side, products of rows are. Every element gets its terms in the same order.

/** Writes L, or its transpose for `upper`, over that half of `a`. Returns the order of the first minor that is not positive, or 0. */
export function potrf(a: Float64Array, n: number, upper: boolean): number {
  const [along, across] = upper ? [n, 1] : [1, n]; // from an element of L to the one below it, and beside it
  for (let j = 0; j < n; j++) {
    const diagonal = j + j * n;
    for (let k = 0; k < j; k++) a[diagonal] -= a[j * along + k * across] ** 2;
    if (!(a[diagonal] > 0)) return j + 1;
    a[diagonal] = Math.sqrt(a[diagonal]);
    if (upper) for (let i = j + 1; i < n; i++) subtract_product(a, i * n, j * n, j);
    else for (let k = 0; k < j; k++) subtract_column(a, j * n, k * n, j, n);
    for (let i = j + 1; i < n; i++) a[i * along + j * across] /= a[diagonal];
  }
  return 0;
}

/** From what is below row j in the column at `at`, that in the column at `from`, times its element in row j. */
function subtract_column(a: Float64Array, at: number, from: number, j: number, n: number): void {
  const factor = a[from + j];
  for (let i = j + 1; i < n; i++) a[at + i] -= a[from + i] * factor;
}

/** From place j of the row at `at`, the product of what is before it with what is there in the row at `from`. */
function subtract_product(a: Float64Array, at: number, from: number, j: number): void {
  let s = a[at + j];
  for (let k = 0; k < j; k++) s -= a[at + k] * a[from + k];
  a[at + j] = s;
}
