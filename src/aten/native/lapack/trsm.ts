/**
 * @file Solver for a triangular matrix by substitution, one unknown after the other.
 * @original Our own version of BLAS's trsm, from the left; PyTorch links a library.
 */
export interface Triangle {
  /** Whether the upper half of the matrix is read; otherwise the lower half. */
  readonly upper: boolean;
  readonly transposed: boolean;
  /** Whether the diagonal is taken to be ones, whatever is stored there. */
  readonly unit: boolean;
}

/** B = A^-1 B or A^-T B, for the n x n triangle A and the n x k matrix B. */
export function trsm(a: Float64Array, n: number, b: Float64Array, { upper, transposed, unit }: Triangle): void {
  const backwards = upper !== transposed;
  for (let c = 0; c < b.length; c += n) {
    for (let s = 0; s < n; s++) {
      const j = backwards ? n - 1 - s : s;
      if (!unit) b[c + j] /= a[j + j * n];
      const x = b[c + j];
      const [from, to] = backwards ? [0, j] : [j + 1, n];
      if (transposed) for (let i = from, at = j + from * n; i < to; i++, at += n) b[c + i] -= x * a[at];
      else for (let i = from, at = j * n + from; i < to; i++, at++) b[c + i] -= x * a[at];
    }
  }
}
