/**
 * @file Positive definite matrices as L L^T, and what follows from L: solutions and inverses.
 * @mirrors aten/src/ATen/native/BatchLinearAlgebra.cpp
 * @see lapack/potrf.ts (the factorization)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";
import {
  _linalg_broadcast_batch_dims,
  batched_matrix_contiguous_strides,
  checkFloatingOrComplex,
  checkLinalgCompatibleDtype,
  cloneBatchedColumnMajor,
  linearSolveCheckInputs,
  squareCheckInputs,
} from "./LinearAlgebraUtils.ts";
import { matrices, numbers } from "./lapack/matrices.ts";
import { potrf } from "./lapack/potrf.ts";
import { trsm } from "./lapack/trsm.ts";
import { resize_output } from "./Resize.ts";

/** Over `result`, which holds the matrices; the half that is not written stays. */
function cholesky_kernel(result: Tensor, info: Tensor, upper: boolean): void {
  const [items, infos] = [matrices(result, "cholesky_cpu"), numbers(info)];
  info.zero_();
  for (let b = 0; b < items.length; b++) {
    const a = items.read(b);
    infos.write(b, [potrf(a, items.n, upper)]);
    items.write(b, a);
  }
}

function copy_out(fn_name: string, input: Tensor, value: Tensor, result: Tensor): Tensor {
  checkLinalgCompatibleDtype(fn_name, result, input);
  resize_output(result, value.sizes());
  return result.copy_(value);
}

// cholesky_ex ---------------------------------------------------------------------------------------------------------------

export abstract class structured_linalg_cholesky_ex extends MetaBase {
  meta(A: Tensor, _upper: boolean, _check_errors: boolean): void {
    squareCheckInputs(A, "linalg.cholesky");
    checkFloatingOrComplex(A, "linalg.cholesky");
    const sizes = A.sizes();
    this.set_output_strided(0, sizes, batched_matrix_contiguous_strides(sizes, true), A.options());
    this.set_output_contiguous(1, sizes.slice(0, -2), A.options().dtype(ScalarType.Int));
  }
}

// linalg_cholesky_ex.L                                                              CPU
export abstract class structured_linalg_cholesky_ex_out extends structured_linalg_cholesky_ex {
  impl(A: Tensor, upper: boolean, check_errors: boolean, L: Tensor, info: Tensor): void {
    info.zero_();
    if (L.numel() === 0) return;
    if (upper) at.triu_out(A, 0, L);
    else at.tril_out(A, 0, L);
    cholesky_kernel(L, info, upper);
    if (check_errors) at._linalg_check_errors(info, "linalg.cholesky_ex", A.dim() === 2);
  }
}

// linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor                       CompositeImplicitAutograd
export function linalg_cholesky(A: Tensor, upper: boolean): Tensor {
  const [L, info] = at.linalg_cholesky_ex(A, upper, false);
  at._linalg_check_errors(info, "linalg.cholesky", A.dim() === 2);
  return L;
}

export function linalg_cholesky_out(A: Tensor, upper: boolean, L: Tensor): Tensor {
  const info = at.empty_memory_format([0], A.options().dtype(ScalarType.Int));
  at.linalg_cholesky_ex_L(A, upper, false, L, info);
  at._linalg_check_errors(info, "linalg.cholesky", A.dim() === 2);
  return L;
}

// cholesky: the older one ---------------------------------------------------------------------------------------------------

function warn_cholesky(): void {
  TORCH_WARN_ONCE(
    "torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be ",
    "removed in a future PyTorch release.\n",
    "L = torch.cholesky(A)\n",
    "should be replaced with\n",
    "L = torch.linalg.cholesky(A)\n",
    "and\n",
    "U = torch.cholesky(A, upper=True)\n",
    "should be replaced with\n",
    "U = torch.linalg.cholesky(A).mH\n",
    "This transform will produce equivalent results for all valid (symmetric positive definite) inputs.",
  );
}

// cholesky(Tensor self, bool upper=False) -> Tensor                                 CPU
export function cholesky(self: Tensor, upper: boolean): Tensor {
  warn_cholesky();
  if (self.numel() === 0) return at.empty_like(self);
  squareCheckInputs(self, "cholesky");
  const result = cloneBatchedColumnMajor(self);
  const info = at.empty_memory_format(self.sizes().slice(0, -2), self.options().dtype(ScalarType.Int));
  cholesky_kernel(result, info, upper);
  at._linalg_check_errors(info, "cholesky", self.dim() === 2);
  return upper ? result.triu_() : result.tril_();
}

// cholesky.out                                                                      CPU
export function cholesky_out(self: Tensor, upper: boolean, result: Tensor): Tensor {
  return copy_out("cholesky", self, at.cholesky(self, upper), result);
}

// cholesky_solve ------------------------------------------------------------------------------------------------------------

// cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor            CompositeExplicitAutograd
export function cholesky_solve(self: Tensor, A: Tensor, upper: boolean): Tensor {
  TORCH_CHECK(self.dim() >= 2, "b should have at least 2 dimensions, but has ", self.dim(), " dimensions instead");
  TORCH_CHECK(A.dim() >= 2, "u should have at least 2 dimensions, but has ", A.dim(), " dimensions instead");
  linearSolveCheckInputs(self, A, "cholesky_solve");
  const [self_sizes, A_sizes] = _linalg_broadcast_batch_dims(self, A);
  return at._cholesky_solve_helper(self.expand(self_sizes), A.expand(A_sizes), upper);
}

// cholesky_solve.out                                                                CompositeExplicitAutograd
export function cholesky_solve_out(self: Tensor, A: Tensor, upper: boolean, result: Tensor): Tensor {
  return copy_out("cholesky_solve", self, at.cholesky_solve(self, A, upper), result);
}

/** B = (L L^T)^-1 B, or (U^T U)^-1 B. */
function potrs(factor: Float64Array, n: number, b: Float64Array, upper: boolean): void {
  trsm(factor, n, b, { upper, transposed: upper, unit: false });
  trsm(factor, n, b, { upper, transposed: !upper, unit: false });
}

// _cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor               CPU
export function _cholesky_solve_helper_cpu(self: Tensor, A: Tensor, upper: boolean): Tensor {
  const result = cloneBatchedColumnMajor(self);
  const [factors, items] = [matrices(A, "cholesky_solve_cpu"), matrices(result, "cholesky_solve_cpu")];
  for (let b = 0; b < items.length; b++) {
    const x = items.read(b);
    potrs(factors.read(b), factors.n, x, upper);
    items.write(b, x);
  }
  return result;
}

// cholesky_inverse ----------------------------------------------------------------------------------------------------------

// cholesky_inverse(Tensor self, bool upper=False) -> Tensor                         CPU
export function cholesky_inverse(input: Tensor, upper: boolean): Tensor {
  squareCheckInputs(input, "cholesky_inverse");
  const result = cloneBatchedColumnMajor(input);
  const info = at.zeros(input.sizes().slice(0, -2), input.options().dtype(ScalarType.Int));
  const [items, infos] = [matrices(result, "cholesky_inverse_out_cpu"), numbers(info)];
  const n = items.n;
  for (let b = 0; b < items.length; b++) {
    const factor = items.read(b);
    const x = Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0));
    infos.write(b, [Array.from({ length: n }, (_, i) => factor[i + i * n]).indexOf(0) + 1]);
    potrs(factor, n, x, upper);
    items.write(b, x);
  }
  at._linalg_check_errors(info, "cholesky_inverse", input.dim() === 2);
  return result;
}

// cholesky_inverse.out                                                              CPU
export function cholesky_inverse_out(input: Tensor, upper: boolean, result: Tensor): Tensor {
  return copy_out("cholesky_inverse", input, cholesky_inverse(input, upper), result);
}
