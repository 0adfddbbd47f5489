/**
 * @file Errors of linear algebra routines, and operators by elimination: LU, operators that use it, inverses and linear
 * equations.
 * @mirrors aten/src/ATen/native/BatchLinearAlgebra.cpp
 * @see BatchLinearAlgebraKernel.ts (the code for each matrix), lapack/getrf.ts (the elimination)
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import {
  _linalg_broadcast_batch_dims,
  batched_matrix_contiguous_strides,
  checkFloatingOrComplex,
  checkInputsSolver,
  cloneBatchedColumnMajor,
  linalg_solve_is_vector_rhs,
  squareCheckInputs,
} from "#aten/native/LinearAlgebraUtils";
import { numbers } from "#aten/native/lapack/matrices";
import { MetaBase } from "#aten/TensorMeta";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_CHECK_LINALG, TORCH_INTERNAL_ASSERT, TORCH_WARN_ONCE } from "#c10/util/Exception";

const ints = TensorOptions.EMPTY.dtype(ScalarType.Int);

// Errors ------------------------------------------------------------------------------------------------------------------

/** The meaning of a positive LAPACK code depends on the routine, which is identified by the operator's name. */
function positive_error(name: string, info: number): [kind: "linalg" | "value" | "unknown", text: string] {
  if (name.includes("inv"))
    return [
      "linalg",
      `: The diagonal element ${info} is zero, the inversion could not be completed because the input matrix is singular.`,
    ];
  if (name.includes("solve")) return ["linalg", ": The solver failed because the input matrix is singular."];
  if (name.includes("cholesky"))
    return [
      "linalg",
      `: The factorization could not be completed because the input is not positive-definite (the leading minor of order ${info} is not positive-definite).`,
    ];
  if (name.includes("eig") || name.includes("syevd"))
    return [
      "linalg",
      `: The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated eigenvalues (error code: ${info}).`,
    ];
  if (name.includes("lstsq"))
    return [
      "linalg",
      `: The least squares solution could not be computed because the input matrix does not have full rank (error code: ${info}).`,
    ];
  if (name.includes("lu_factor"))
    return [
      "value",
      `: U[${info},${info}] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)`,
    ];
  return ["unknown", `: Unknown error code: ${info}.`];
}

// _linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()         CompositeExplicitAutograd
export function _linalg_check_errors(infos: Tensor, api_name: string, is_matrix: boolean): void {
  TORCH_INTERNAL_ASSERT(infos.scalar_type() === ScalarType.Int);
  TORCH_INTERNAL_ASSERT(infos.is_contiguous());
  if (infos.is_meta() || !infos.any().item().toBool()) return;
  const flat = numbers(infos);
  const found = Array.from({ length: flat.length }, (_, i) => flat.read(i)[0]);
  const i = found.findIndex((each) => each !== 0);
  const batch_str = is_matrix ? "" : `: (Batch element ${i})`;
  if (api_name.includes("svd") && found[i] < 0)
    TORCH_CHECK_LINALG(
      false,
      `${api_name}${batch_str}: The algorithm failed to converge because the input matrix contained non-finite values.`,
    );
  TORCH_INTERNAL_ASSERT(found[i] > 0, api_name, batch_str, ": Argument ", -found[i], " has illegal value.");
  const [kind, text] = api_name.includes("svd")
    ? [
        "linalg",
        `: The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated singular values (error code: ${found[i]}).`,
      ]
    : positive_error(api_name, found[i]);
  TORCH_CHECK_LINALG(kind !== "linalg", api_name, batch_str, text);
  TORCH_CHECK(kind !== "value", api_name, batch_str, text);
  TORCH_INTERNAL_ASSERT(false, api_name, batch_str, text);
}

// lu_factor ---------------------------------------------------------------------------------------------------------------

/** Overwrites `input`, which holds the matrices. */
export const lu_factor_stub =
  DEFINE_DISPATCH<(input: Tensor, pivots: Tensor, info: Tensor, compute_pivots: boolean) => void>("lu_factor_stub");

export abstract class structured_linalg_lu_factor_ex extends MetaBase {
  meta(A: Tensor, _pivot: boolean, _check_errors: boolean): void {
    TORCH_CHECK(
      A.dim() >= 2,
      "torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: ",
      A.sizes(),
      " instead",
    );
    const [sizes, k] = [A.sizes(), Math.min(A.size(-2), A.size(-1))];
    this.set_output_strided(0, sizes, batched_matrix_contiguous_strides(sizes, true), A.options());
    const ints = A.options().dtype(ScalarType.Int);
    this.set_output_contiguous(1, [...sizes.slice(0, -2), k], ints);
    this.set_output_contiguous(2, sizes.slice(0, -2), ints);
  }
}

// linalg_lu_factor_ex.out                                                           CPU
export abstract class structured_linalg_lu_factor_ex_out extends structured_linalg_lu_factor_ex {
  impl(A: Tensor, pivot: boolean, check_errors: boolean, LU: Tensor, pivots: Tensor, info: Tensor): void {
    if (A.numel() === 0) {
      info.zero_(); // a matrix without elements has an info, too
      return;
    }
    if (!LU.is_same(A)) LU.copy_(A);
    lu_factor_stub.call(A.device().type(), LU, pivots, info, pivot);
    if (check_errors) at._linalg_check_errors(info, "torch.linalg.lu_factor_ex", A.dim() === 2);
  }
}

// linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)      CompositeImplicitAutograd
export function linalg_lu_factor(A: Tensor, pivot: boolean): [Tensor, Tensor] {
  const [LU, pivots, info] = at.linalg_lu_factor_ex(A, pivot, false);
  at._linalg_check_errors(info, "torch.linalg.lu_factor", A.dim() === 2);
  return [LU, pivots];
}

export function linalg_lu_factor_out(A: Tensor, pivot: boolean, LU: Tensor, pivots: Tensor): [Tensor, Tensor] {
  const info = at.empty_memory_format([0], A.options().dtype(ScalarType.Int));
  at.linalg_lu_factor_ex_out(A, pivot, false, LU, pivots, info);
  at._linalg_check_errors(info, "torch.linalg.lu_factor", A.dim() === 2);
  return [LU, pivots];
}

/** Overwrites `perm`, which holds 0, 1, 2, ...; `pivots` count from 1. */
export const unpack_pivots_stub =
  DEFINE_DISPATCH<(perm: Tensor, pivots: Tensor, dim_size: number, max_pivot: number) => void>("unpack_pivots_stub");

// lu_unpack, lu -------------------------------------------------------------------------------------------------------------

/** Announces the outputs P, L and U; an output that is not requested has no elements. */
function set_PLU(meta: MetaBase, LU: Tensor, data: boolean, pivots: boolean): void {
  const batch = LU.sizes().slice(0, -2);
  const [m, n] = [LU.size(-2), LU.size(-1)];
  const k = Math.min(m, n);
  meta.set_output_contiguous(0, pivots ? [...batch, m, m] : [0], LU.options());
  meta.set_output_contiguous(1, data ? [...batch, m, k] : [0], LU.options());
  meta.set_output_contiguous(2, data ? [...batch, k, n] : [0], LU.options());
}

export abstract class structured_lu_unpack extends MetaBase {
  meta(LU: Tensor, pivots: Tensor, unpack_data: boolean, unpack_pivots: boolean): void {
    TORCH_CHECK(
      LU.dim() >= 2,
      "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: ",
      LU.sizes(),
      " instead",
    );
    TORCH_CHECK(
      !unpack_pivots || pivots.scalar_type() === ScalarType.Int,
      "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n",
      "Note: this function is intended to be used with the output produced by torch.linalg.lu_factor",
    );
    set_PLU(this, LU, unpack_data, unpack_pivots);
  }
}

// lu_unpack.out                                                                     CPU
export abstract class structured_lu_unpack_out extends structured_lu_unpack {
  impl(LU: Tensor, pivots: Tensor, data: boolean, unpack_pivots: boolean, P: Tensor, L: Tensor, U: Tensor): void {
    const [m, n] = [LU.size(-2), LU.size(-1)];
    // LU may share memory with L or U, so the other one is read first.
    if (data && (m > n || LU.is_same(L))) {
      at.triu_out(m === n ? LU : LU.narrow(-2, 0, n), 0, U);
      at.tril_out(LU, -1, L);
      L.diagonal(0, -2, -1).fill__Scalar(Scalar.ONE);
    } else if (data) {
      at.tril_out(m === n ? LU : LU.narrow(-1, 0, m), -1, L);
      L.diagonal(0, -2, -1).fill__Scalar(Scalar.ONE);
      at.triu_out(LU, 0, U);
    }
    if (!unpack_pivots) return;
    const longs = pivots.options().dtype(ScalarType.Long);
    const perm = at.arange(Scalar.fromInt(m), longs).expand(P.sizes().slice(0, -1)).contiguous();
    unpack_pivots_stub.call(pivots.device().type(), perm, pivots.contiguous(), Math.min(m, n), m);
    P.zero_();
    P.scatter__value(-2, perm.unsqueeze(-2), Scalar.ONE);
  }
}

export abstract class structured_linalg_lu extends MetaBase {
  meta(A: Tensor, pivot: boolean): void {
    TORCH_CHECK(
      A.dim() >= 2,
      "linalg.lu: Expected tensor with 2 or more dimensions. Got size: ",
      A.sizes(),
      " instead",
    );
    set_PLU(this, A, true, pivot);
  }
}

// linalg_lu.out                                                                     CPU
export abstract class structured_linalg_lu_out extends structured_linalg_lu {
  impl(A: Tensor, pivot: boolean, P: Tensor, L: Tensor, U: Tensor): void {
    const LU = A.size(-2) > A.size(-1) ? L : U; // the one that has A's size
    const pivots = at.empty_memory_format([0], A.options().dtype(ScalarType.Int));
    const info = at.empty_memory_format([0], A.options().dtype(ScalarType.Int));
    at.linalg_lu_factor_ex_out(A, pivot, false, LU, pivots, info);
    at.lu_unpack_out(LU, pivots, true, pivot, P, L, U);
  }
}

// lu_solve ------------------------------------------------------------------------------------------------------------------

/** Overwrites `B`. */
export const lu_solve_stub =
  DEFINE_DISPATCH<(LU: Tensor, pivots: Tensor, B: Tensor, transposed: boolean) => void>("lu_solve_stub");

export abstract class structured_linalg_lu_solve extends MetaBase {
  meta(LU: Tensor, pivots: Tensor, B: Tensor, left: boolean, _adjoint: boolean): void {
    checkFloatingOrComplex(LU, "torch.linalg.lu_solve");
    TORCH_CHECK(
      LU.scalar_type() === B.scalar_type(),
      "linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type ",
      toString(LU.scalar_type()),
      " and B of type ",
      toString(B.scalar_type()),
      " instead",
    );
    TORCH_CHECK(
      pivots.scalar_type() === ScalarType.Int,
      "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32",
    );
    squareCheckInputs(LU, "torch.linalg.lu_solve");
    checkInputsSolver(LU, B, left, "linalg.lu_solve");
    TORCH_CHECK(
      LU.size(-1) === pivots.size(-1),
      "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix",
    );
    TORCH_CHECK(
      sizes_equal(LU.sizes().slice(0, -1), pivots.sizes()),
      "linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with shape ",
      pivots.sizes(),
      " instead",
    );
    const [sizes] = _linalg_broadcast_batch_dims(B, LU);
    this.set_output_strided(0, sizes, batched_matrix_contiguous_strides(sizes, left), B.options());
  }
}

// linalg_lu_solve.out                                                               CPU
/** X A = B is solved as A^T X^T = B^T. */
export abstract class structured_linalg_lu_solve_out extends structured_linalg_lu_solve {
  impl(LU: Tensor, pivots: Tensor, B: Tensor, left: boolean, adjoint: boolean, result: Tensor): void {
    if (result.numel() === 0) return;
    if (!left) result.transpose_(-2, -1);
    if (!result.is_same(B)) result.copy_(left ? B : B.mH());
    const LU_ = LU.mT().is_contiguous() ? LU : cloneBatchedColumnMajor(LU);
    lu_solve_stub.call(LU_.device().type(), LU_, pivots.contiguous(), result, left === adjoint);
    if (!left) result.transpose_(-2, -1);
  }
}

// lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor                 CompositeImplicitAutograd
function warn_lu_solve(): void {
  TORCH_WARN_ONCE(
    "torch.lu_solve is deprecated in favor of torch.linalg.lu_solve",
    "and will be removed in a future PyTorch release.\n",
    "Note that torch.linalg.lu_solve has its arguments reversed.\n",
    "X = torch.lu_solve(B, LU, pivots)\n",
    "should be replaced with\n",
    "X = torch.linalg.lu_solve(LU, pivots, B)",
  );
}

export function lu_solve(self: Tensor, LU_data: Tensor, LU_pivots: Tensor): Tensor {
  warn_lu_solve();
  return at.linalg_lu_solve(LU_data, LU_pivots, self);
}

export function lu_solve_out(self: Tensor, LU_data: Tensor, LU_pivots: Tensor, out: Tensor): Tensor {
  warn_lu_solve();
  return at.linalg_lu_solve_out(LU_data, LU_pivots, self, true, false, out);
}

// solve ---------------------------------------------------------------------------------------------------------------------

export abstract class structured__linalg_solve_ex extends MetaBase {
  meta(A: Tensor, B: Tensor, left: boolean, _check_errors: boolean): void {
    checkFloatingOrComplex(A, "linalg.solve");
    TORCH_CHECK(
      A.scalar_type() === B.scalar_type(),
      "linalg.solve: Expected A and B to have the same dtype, but found A of type ",
      toString(A.scalar_type()),
      " and B of type ",
      toString(B.scalar_type()),
      " instead",
    );
    const vector_case = linalg_solve_is_vector_rhs(A, B);
    const B_ = vector_case ? B.unsqueeze(-1) : B;
    checkInputsSolver(A, B_, left, "linalg.solve");
    TORCH_CHECK(
      left || !vector_case,
      "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. ",
      "In this case linalg.solve is equivalent to B / A.squeeze(-1)",
    );
    const [sizes] = _linalg_broadcast_batch_dims(B_, A);
    const result_shape = vector_case ? sizes.slice(0, -1) : sizes;
    this.set_output_strided(0, result_shape, batched_matrix_contiguous_strides(result_shape, left), B.options());
    this.set_output_strided(1, A.sizes(), batched_matrix_contiguous_strides(A.sizes(), true), A.options());
    const ints = A.options().dtype(ScalarType.Int);
    this.set_output_contiguous(2, A.sizes().slice(0, -1), ints);
    this.set_output_contiguous(3, A.sizes().slice(0, -2), ints);
  }
}

// _linalg_solve_ex.result                                                           CPU
export abstract class structured__linalg_solve_ex_out extends structured__linalg_solve_ex {
  impl(
    A: Tensor,
    B: Tensor,
    left: boolean,
    check_errors: boolean,
    result: Tensor,
    LU: Tensor,
    pivots: Tensor,
    info: Tensor,
  ): void {
    at.linalg_lu_factor_ex_out(A, true, false, LU, pivots, info);
    if (check_errors) at._linalg_check_errors(info, "torch.linalg.solve_ex", A.dim() === 2);
    const vector_case = linalg_solve_is_vector_rhs(LU, B);
    const [result_, B_] = vector_case ? [result.unsqueeze(-1), B.unsqueeze(-1)] : [result, B];
    at.linalg_lu_solve_out(LU, pivots, B_, left, false, result_);
  }
}

// linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info)
//                                                                                    CompositeImplicitAutograd
export function linalg_solve_ex(A: Tensor, B: Tensor, left: boolean, check_errors: boolean): [Tensor, Tensor] {
  const [result, , , info] = at._linalg_solve_ex(A, B, left, check_errors);
  return [result, info];
}

export function linalg_solve_ex_out(
  A: Tensor,
  B: Tensor,
  left: boolean,
  check_errors: boolean,
  result: Tensor,
  info: Tensor,
): [Tensor, Tensor] {
  const LU = B.new_empty([0]);
  const pivots = B.new_empty([0], ints);
  at._linalg_solve_ex_result(A, B, left, check_errors, result, LU, pivots, info);
  return [result, info];
}

// linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor                     CompositeImplicitAutograd
export function linalg_solve(A: Tensor, B: Tensor, left: boolean): Tensor {
  const [result, info] = at.linalg_solve_ex(A, B, left, false);
  at._linalg_check_errors(info, "torch.linalg.solve", A.dim() === 2);
  return result;
}

export function linalg_solve_out(A: Tensor, B: Tensor, left: boolean, result: Tensor): Tensor {
  const info = B.new_empty([0], ints);
  at.linalg_solve_ex_out(A, B, left, false, result, info);
  at._linalg_check_errors(info, "torch.linalg.solve", A.dim() === 2);
  return result;
}

// inv -----------------------------------------------------------------------------------------------------------------------

export abstract class structured_linalg_inv_ex extends MetaBase {
  meta(A: Tensor, _check_errors: boolean): void {
    squareCheckInputs(A, "linalg.inv");
    checkFloatingOrComplex(A, "linalg.inv", false);
    const sizes = A.sizes();
    this.set_output_strided(0, sizes, batched_matrix_contiguous_strides(sizes, true), A.options());
    this.set_output_contiguous(1, sizes.slice(0, -2), A.options().dtype(ScalarType.Int));
  }
}

// linalg_inv_ex.inverse                                                             CPU
/** The inverse is the solution of A X = I. */
export abstract class structured_linalg_inv_ex_out extends structured_linalg_inv_ex {
  impl(A: Tensor, check_errors: boolean, result: Tensor, info: Tensor): void {
    result.zero_();
    result.diagonal(0, -2, -1).fill__Scalar(Scalar.ONE);
    at.linalg_solve_ex_out(A, result, true, false, result, info);
    if (check_errors) at._linalg_check_errors(info, "linalg.inv_ex", A.dim() === 2);
  }
}

// linalg_inv(Tensor A) -> Tensor                                                    CompositeImplicitAutograd
export function linalg_inv(A: Tensor): Tensor {
  const [result, info] = at.linalg_inv_ex(A);
  at._linalg_check_errors(info, "linalg.inv", A.dim() === 2);
  return result;
}

export function linalg_inv_out(A: Tensor, result: Tensor): Tensor {
  const info = at.empty_memory_format([0], A.options().dtype(ScalarType.Int));
  at.linalg_inv_ex_inverse(A, false, result, info);
  at._linalg_check_errors(info, "linalg.inv", A.dim() === 2);
  return result;
}

/** Alias under the older name. */
export function inverse(A: Tensor): Tensor {
  return at.linalg_inv(A);
}

export function inverse_out(A: Tensor, result: Tensor): Tensor {
  return at.linalg_inv_out(A, result);
}

// _lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, Tensor pivots, Tensor info)     CompositeImplicitAutograd
/** Deprecated operator. `check_errors` makes no difference, as in PyTorch. */
export function _lu_with_info(self: Tensor, pivot: boolean, _check_errors: boolean): [Tensor, Tensor, Tensor] {
  TORCH_WARN_ONCE(
    "torch.lu is deprecated in favor of torch.linalg.lu_factor / torch.linalg.lu_factor_ex and will be " +
      "removed in a future PyTorch release.\n" +
      "LU, pivots = torch.lu(A, compute_pivots)\n" +
      "should be replaced with\n" +
      "LU, pivots = torch.linalg.lu_factor(A, compute_pivots)\n" +
      "and\n" +
      "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\n" +
      "should be replaced with\n" +
      "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)",
  );
  return at.linalg_lu_factor_ex(self, pivot, false);
}
