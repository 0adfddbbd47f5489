/**
 * @file Cholesky decomposition of positive definite matrices, L L^T, and operators that use L: solving and inverting.
 * @mirrors aten/src/ATen/native/BatchLinearAlgebra.cpp
 * @see BatchLinearAlgebraKernel.ts, lapack/potrf.ts (the factorization)
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import {
  _linalg_broadcast_batches,
  batched_matrix_contiguous_strides,
  checkFloatingOrComplex,
  checkLinalgCompatibleDtype,
  checkSameDevice,
  cloneBatchedColumnMajor,
  squareCheckInputs,
} from "#aten/native/LinearAlgebraUtils";
import { Items, matrices, release } from "#aten/native/lapack/matrices";
import { potrs, potrs_in_place } from "#aten/native/lapack/potrs";
import { MOST_COLUMNS } from "#aten/native/lapack/trsv";
import { resize_output } from "#aten/native/Resize";
import { MetaBase } from "#aten/TensorMeta";
import { check_type } from "#aten/TensorMethods";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT, TORCH_WARN_ONCE } from "#c10/util/Exception";

/** Overwrites `input`, which holds the matrices; the other half stays. */
export const cholesky_stub = DEFINE_DISPATCH<(input: Tensor, info: Tensor, upper: boolean) => void>("cholesky_stub");
/** Overwrites `result`, which holds the factors. */
export const cholesky_inverse_stub =
  DEFINE_DISPATCH<(result: Tensor, info: Tensor, upper: boolean) => Tensor>("cholesky_inverse_stub");

function check_out(fn_name: string, result: Tensor, input: Tensor): void {
  checkSameDevice(fn_name, result, input);
  checkLinalgCompatibleDtype(fn_name, result.scalar_type(), input.scalar_type());
}

function copy_out(value: Tensor, result: Tensor): Tensor {
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
    if (L.numel() === 0) {
      info.zero_();
      return;
    }
    if (upper) at.triu_out(A, 0, L);
    else at.tril_out(A, 0, L);
    cholesky_stub.call(L.device().type(), L, info, upper);
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

// ---- cholesky: the older operator
// -----------------------------------------------------------------------------------------

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
  if (self.numel() === 0) return at.empty_like(self, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  squareCheckInputs(self, "cholesky");
  const result = cloneBatchedColumnMajor(self);
  const info = at.empty_memory_format(self.sizes().slice(0, -2), self.options().dtype(ScalarType.Int));
  cholesky_stub.call(self.device().type(), result, info, upper);
  at._linalg_check_errors(info, "cholesky", self.dim() === 2);
  return upper ? result.triu_() : result.tril_();
}

// cholesky.out                                                                      CPU
export function cholesky_out(self: Tensor, upper: boolean, result: Tensor): Tensor {
  warn_cholesky();
  check_out("cholesky", result, self);
  return copy_out(at.cholesky(self, upper), result);
}

// cholesky_solve ------------------------------------------------------------------------------------------------------------

// cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor            CompositeExplicitAutograd
export function cholesky_solve(self: Tensor, A: Tensor, upper: boolean): Tensor {
  TORCH_CHECK(self.dim() >= 2, "b should have at least 2 dimensions, but has ", self.dim(), " dimensions instead");
  TORCH_CHECK(A.dim() >= 2, "u should have at least 2 dimensions, but has ", A.dim(), " dimensions instead");
  const [self_, A_] = _linalg_broadcast_batches(self, A, "cholesky_solve");
  return at._cholesky_solve_helper(self_, A_, upper);
}

// cholesky_solve.out                                                                CompositeExplicitAutograd
export function cholesky_solve_out(self: Tensor, A: Tensor, upper: boolean, result: Tensor): Tensor {
  check_out("cholesky_solve", result, self);
  return copy_out(at.cholesky_solve(self, A, upper), result);
}

// _cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor               CPU
export function _cholesky_solve_helper_cpu(self: Tensor, A: Tensor, upper: boolean): Tensor {
  const result = cloneBatchedColumnMajor(self);
  const factor = cloneBatchedColumnMajor(A);
  const count = self
    .sizes()
    .slice(0, -2)
    .reduce((n, size) => n * size, 1);
  const infos = at.zeros([count], self.options().dtype(ScalarType.Int)); // the routine never fails
  const items = matrices(result, "cholesky_solve_cpu");
  check_type(factor, self.scalar_type());
  const factors = new Items(factor, 2);
  for (let b = 0; b < items.length && b < factors.length; b++) {
    const x = items.take(b);
    const [n, columns] = [factors.m, x.subarray(0, factors.m * items.n)]; // like LAPACK, which does not check the shapes
    const lying = items.n <= MOST_COLUMNS ? factors.where_it_lies(b) : null;
    if (lying === null) potrs(factors.take(b), n, columns, upper);
    else potrs_in_place(lying, n, columns, upper);
    items.write(b, x);
    release();
  }
  at._linalg_check_errors(infos, "cholesky_solve_cpu", self.dim() === 2);
  return result;
}

// cholesky_inverse ----------------------------------------------------------------------------------------------------------

/** Overwrites `result`, which is empty or in LAPACK's layout. */
function cholesky_inverse_out_info(result: Tensor, info: Tensor, input: Tensor, upper: boolean): Tensor {
  if (result.numel() === 0) {
    result.resize_(input.mT().sizes() as number[]);
    result.transpose_(-2, -1);
  }
  TORCH_INTERNAL_ASSERT(result.mT().is_contiguous());
  TORCH_INTERNAL_ASSERT(sizes_equal(result.sizes(), input.sizes()));
  result.copy_(input);
  info.fill__Scalar(Scalar.ZERO);
  return cholesky_inverse_stub.call(result.device().type(), result, info, upper);
}

/**
 * Whether a kernel may write to `result`: it has the input's dtype, and is empty or has the input's shape in
 * column-major order.
 */
export function is_batched_column_major(result: Tensor, input: Tensor): boolean {
  if (result.scalar_type() !== input.scalar_type()) return false;
  if (result.numel() === 0) return true;
  return result.dim() >= 2 && result.mT().is_contiguous() && sizes_equal(result.sizes(), input.sizes());
}

// cholesky_inverse.out                                                              CPU
export function cholesky_inverse_out(input: Tensor, upper: boolean, result: Tensor): Tensor {
  squareCheckInputs(input, "cholesky_inverse");
  check_out("cholesky_inverse", result, input);
  const batch = input.sizes().slice(0, -2);
  const count = batch.reduce((n, size) => n * size, 1);
  const info = at.zeros([Math.max(1, count)], input.options().dtype(ScalarType.Int));
  if (is_batched_column_major(result, input)) cholesky_inverse_out_info(result, info, input, upper);
  else {
    const empty = at.empty_memory_format([0], input.options());
    copy_out(cholesky_inverse_out_info(empty, info, input, upper), result);
  }
  at._linalg_check_errors(info, "cholesky_inverse", result.dim() === 2);
  return result;
}

// cholesky_inverse(Tensor self, bool upper=False) -> Tensor                         CPU
export function cholesky_inverse(input: Tensor, upper: boolean): Tensor {
  const result = at.empty_memory_format([0], input.options());
  return at.cholesky_inverse_out(input, upper, result);
}
