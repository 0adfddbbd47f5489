/**
 * @file Solver for a positive definite matrix, given its Cholesky factor.
 * @original Our own version of LAPACK's potrs; PyTorch links a library.
 */
import { trsm } from "./trsm.ts";

/** B = (L L^T)^-1 B, or (U^T U)^-1 B. */
export function potrs(factor: Float64Array, n: number, b: Float64Array, upper: boolean): void {
  trsm(factor, n, b, { upper, transposed: upper, unit: false });
  trsm(factor, n, b, { upper, transposed: !upper, unit: false });
}
