/**
 * @file Functions of linear algebra that PyTorch has removed; each raises an error that names the replacement.
 * @mirrors torch/_linalg_utils.py
 * @differs Ours names the tensor of `eig` `input`, since `self` is the receiver here; PyTorch names it `self`. The helpers of PyTorch's
 * lobpcg do not exist here.
 */
import { RuntimeError } from "#c10/util/Exception";
import { type NotBuilt, raising } from "./_not_built.ts";

function removed(signature: string, ...instead: string[]): NotBuilt {
  const text = `This function was deprecated since version 1.9 and is now removed.${instead.join("\n")}`;
  return raising(signature, () => new RuntimeError(text));
}

/** @throws {RuntimeError} always */
export const matrix_rank: NotBuilt = removed(
  "matrix_rank(input, tol=None, symmetric=False, *, out=None)",
  "",
  "Please use the `torch.linalg.matrix_rank` function instead. The parameter 'symmetric' was renamed in `torch.linalg.matrix_rank()` to 'hermitian'.",
);
/** @throws {RuntimeError} always */
export const solve: NotBuilt = removed(
  "solve(input, A, *, out=None)",
  " `torch.solve` is deprecated in favor of `torch.linalg.solve`. `torch.linalg.solve` has its arguments reversed and does not return the LU factorization.",
  "",
  "To get the LU factorization see `torch.lu`, which can be used with `torch.lu_solve` or `torch.lu_unpack`.",
  "X = torch.solve(B, A).solution should be replaced with:",
  "X = torch.linalg.solve(A, B)",
);
/** @throws {RuntimeError} always */
export const lstsq: NotBuilt = removed(
  "lstsq(input, A, *, out=None)",
  " `torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.",
  "`torch.linalg.lstsq` has reversed arguments and does not return the QR decomposition in the returned tuple (although it returns other information about the problem).",
  "",
  "To get the QR decomposition consider using `torch.linalg.qr`.",
  "",
  "The returned solution in `torch.lstsq` stored the residuals of the solution in the last m - n columns of the returned value whenever m > n. In torch.linalg.lstsq, the residuals are in the field 'residuals' of the returned named tuple.",
  "",
  "The unpacking of the solution, as in",
  "X, _ = torch.lstsq(B, A).solution[:A.size(1)]",
  "should be replaced with:",
  "X = torch.linalg.lstsq(A, B).solution",
);
/** @throws {RuntimeError} always */
export const _symeig: NotBuilt = removed(
  "_symeig(input, eigenvectors=False, upper=True, *, out=None)",
  " The default behavior has changed from using the upper triangular portion of the matrix by default to using the lower triangular portion.",
  "",
  "L, _ = torch.symeig(A, upper=upper) should be replaced with:",
  "L = torch.linalg.eigvalsh(A, UPLO='U' if upper else 'L')",
  "",
  "and",
  "",
  "L, V = torch.symeig(A, eigenvectors=True) should be replaced with:",
  "L, V = torch.linalg.eigh(A, UPLO='U' if upper else 'L')",
);
/** @throws {RuntimeError} always */
export const eig: NotBuilt = removed(
  "eig(input, eigenvectors=False, *, e=None, v=None)",
  " `torch.linalg.eig` returns complex tensors of dtype `cfloat` or `cdouble` rather than real tensors mimicking complex tensors.",
  "",
  "L, _ = torch.eig(A) should be replaced with:",
  "L_complex = torch.linalg.eigvals(A)",
  "",
  "and",
  "",
  "L, V = torch.eig(A, eigenvectors=True) should be replaced with:",
  "L_complex, V_complex = torch.linalg.eig(A)",
);
