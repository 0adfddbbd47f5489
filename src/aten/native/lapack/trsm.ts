/**
 * @file Solver for a triangular matrix by substitution, one unknown after the other.
 * @original Our own version of BLAS's trsm; PyTorch links a library.
 * @see ../cpu/vec/lapack/blocks.ts (the same with SIMD)
 */
import { DEFINE_DISPATCH, REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { DeviceType } from "#c10/core/DeviceType";
import { transposed as transpose_of } from "./matrix.ts";

export interface Triangle {
  /** Whether the upper half of the matrix is read; otherwise the lower half. */
  readonly upper: boolean;
  readonly transposed: boolean;
  /** Whether the diagonal is taken to be ones, whatever is stored there. */
  readonly unit: boolean;
}

type TrsmFn = (a: Float64Array, n: number, b: Float64Array, triangle: Triangle, left: boolean) => void;
export const blasTriangularSolve_stub = DEFINE_DISPATCH<TrsmFn>("blasTriangularSolve_stub");

/**
 * B = A^-1 B or A^-T B, for the n x n triangle A and the n x k matrix B. If `left` is false, B = B A^-1 or B A^-T, for the k
 * x n matrix B.
 */
export function trsm(a: Float64Array, n: number, b: Float64Array, triangle: Triangle, left = true): void {
  if (b.length > 0) blasTriangularSolve_stub.call(DeviceType.CPU, a, n, b, triangle, left);
}

/** The routine in JavaScript. X A = B is solved as A^T X^T = B^T. */
export function trsm_by_substitution(
  a: Float64Array,
  n: number,
  b: Float64Array,
  triangle: Triangle,
  left: boolean,
): void {
  const { upper, transposed, unit } = triangle;
  if (!left) {
    const k = b.length / n;
    const x = transpose_of(b, k, n);
    trsm_by_substitution(a, n, x, { upper, transposed: !transposed, unit }, true);
    b.set(transpose_of(x, n, k));
    return;
  }
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

REGISTER_DEFAULT_DISPATCH(blasTriangularSolve_stub, trsm_by_substitution, "trsm_by_substitution");
