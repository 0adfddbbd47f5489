/**
 * @file Equations of a positive definite matrix, of its factor.
 * @original LAPACK's potrs, written here; PyTorch links a library.
 */
import { trsm } from "./trsm.ts";

/** B = (L L^T)^-1 B, or (U^T U)^-1 B. */
export function potrs(factor: Float64Array, n: number, b: Float64Array, upper: boolean): void {
  trsm(factor, n, b, { upper, transposed: upper, unit: false });
  trsm(factor, n, b, { upper, transposed: !upper, unit: false });
}
