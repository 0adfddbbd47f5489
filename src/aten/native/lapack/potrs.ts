/**
 * @file Solver for a positive definite matrix, given its Cholesky factor.
 * @original Our own version of LAPACK's potrs; PyTorch links a library.
 */
import { trsm } from "./trsm.ts";
import { type StridedMatrix, trsv } from "./trsv.ts";

/** B = (L L^T)^-1 B, or (U^T U)^-1 B. */
export function potrs(factor: Float64Array, n: number, b: Float64Array, upper: boolean): void {
  trsm(factor, n, b, { upper, transposed: upper, unit: false });
  trsm(factor, n, b, { upper, transposed: !upper, unit: false });
}

/** Solution for few columns: the factor is read where it lies. */
export function potrs_in_place(factor: StridedMatrix, n: number, b: Float64Array, upper: boolean): void {
  trsv(factor, n, b, { upper, transposed: upper, unit: false });
  trsv(factor, n, b, { upper, transposed: !upper, unit: false });
}
