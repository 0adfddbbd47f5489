/**
 * @file Solver for a triangular matrix and few columns, which reads the matrix where it lies.
 * @original Our own version of BLAS's trsv; PyTorch links a library.
 *
 * A solution takes n * n / 2 products for each column. The copy in doubles that other routines work on (`Items.take`)
 * would take longer than that.
 */
import type { Triangle } from "./trsm.ts";

/** A float32 or float64 matrix in the memory of its tensor: element (i, j) is `view[at + i * row + j * column]`. */
export interface StridedMatrix {
  readonly view: Float32Array | Float64Array;
  readonly at: number;
  readonly row: number;
  readonly column: number;
}

/** x = A^-1 x or A^-T x, for the n x n triangle A and the n numbers of `x` from `begin` on. */
function solve_column(a: StridedMatrix, n: number, x: Float64Array, begin: number, triangle: Triangle): void {
  const { upper, transposed, unit } = triangle;
  const [row, column] = transposed ? [a.column, a.row] : [a.row, a.column];
  const backwards = upper !== transposed;
  const { view, at } = a;
  // Memory is read in its order: down a column as soon as an unknown is known, or along a row when it is sought.
  const by_columns = row <= column;
  for (let s = 0; s < n; s++) {
    const j = backwards ? n - 1 - s : s;
    const [from, to] = backwards === by_columns ? [0, j] : [j + 1, n];
    const diagonal = unit ? 1 : view[at + j * (row + column)];
    if (by_columns) {
      const known = x[begin + j] / diagonal;
      x[begin + j] = known;
      for (let i = from, p = at + from * row + j * column; i < to; i++, p += row) x[begin + i] -= known * view[p];
    } else {
      let sum = x[begin + j];
      for (let i = from, p = at + j * row + from * column; i < to; i++, p += column) sum -= view[p] * x[begin + i];
      x[begin + j] = sum / diagonal;
    }
  }
}

/** B = A^-1 B or A^-T B, for the n x n triangle A and the columns of `b`. */
export function trsv(a: StridedMatrix, n: number, b: Float64Array, triangle: Triangle): void {
  for (let begin = 0; begin < b.length; begin += n) solve_column(a, n, b, begin, triangle);
}

/** Largest number of columns for which this is faster than a copy and the routine for many columns. */
export const MOST_COLUMNS = 2;
