/**
 * @file Cholesky decomposition A = L L^T of a positive definite matrix; L has a positive diagonal.
 * @original Our own version of LAPACK's potrf; PyTorch links a library.
 * @see ../cpu/vec/lapack/blocks.ts (the same with SIMD)
 */
import { DEFINE_DISPATCH, REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { DeviceType } from "#c10/core/DeviceType";

export const lapackCholesky_stub =
  DEFINE_DISPATCH<(a: Float64Array, n: number, upper: boolean) => number>("lapackCholesky_stub");

/**
 * Writes L, or its transpose if `upper`, to that half of `a`. Returns the order of the first leading minor that is not
 * positive, or 0.
 */
export function potrf(a: Float64Array, n: number, upper: boolean): number {
  return lapackCholesky_stub.call(DeviceType.CPU, a, n, upper);
}

// The columns of L are computed one after the other. If L is stored in columns, each previous column is subtracted from
// the part below the diagonal. If its transpose is stored, rows of L are contiguous, and dot products of rows are
// subtracted. Each element gets its terms in the same order in both cases.

/** The routine in JavaScript. */
export function potf2(a: Float64Array, n: number, upper: boolean): number {
  const [along, across] = upper ? [n, 1] : [1, n]; // strides from an element of L to the one below it and to the one next to it
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

/** Subtracts the column at `from`, times its element in row j, from the column at `at`, in the rows below j. */
function subtract_column(a: Float64Array, at: number, from: number, j: number, n: number): void {
  const factor = a[from + j];
  for (let i = j + 1; i < n; i++) a[at + i] -= a[from + i] * factor;
}

/** Subtracts from element j of the row at `at` the dot product of the first j elements of the two rows. */
function subtract_product(a: Float64Array, at: number, from: number, j: number): void {
  let s = a[at + j];
  for (let k = 0; k < j; k++) s -= a[at + k] * a[from + k];
  a[at + j] = s;
}

REGISTER_DEFAULT_DISPATCH(lapackCholesky_stub, potf2, "potf2");
