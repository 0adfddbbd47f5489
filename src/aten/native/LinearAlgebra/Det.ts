/**
 * @file Determinants and their logarithms, from the pivots of an elimination.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import {
  batched_matrix_contiguous_strides,
  checkFloatingOrComplex,
  squareCheckInputs,
} from "#aten/native/LinearAlgebraUtils";
import { MetaBase } from "#aten/TensorMeta";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";

function set_LU(meta: MetaBase, A: Tensor, first: number): void {
  const sizes = A.sizes();
  meta.set_output_strided(first, sizes, batched_matrix_contiguous_strides(sizes, true), A.options());
  meta.set_output_contiguous(first + 1, sizes.slice(0, -1), A.options().dtype(ScalarType.Int));
}

/** Determinant of each P: -1 to the number of exchanges, because a pivot says with which row a row was exchanged. */
function lu_det_P(pivots: Tensor): Tensor {
  const places = at.arange_start(Scalar.ONE, Scalar.fromInt(pivots.size(-1) + 1), pivots.options());
  return places
    .ne_Tensor(pivots)
    .sum_dim_IntList([-1], false, ScalarType.Long)
    .fmod__Scalar(Scalar.fromInt(2))
    .mul__Scalar(Scalar.fromInt(-2))
    .add__Scalar(Scalar.ONE);
}

/**
 * The transpose of a contiguous matrix is already column-major; then LU belongs to A^T, which has the same determinant.
 */
function lu_of_transpose(A: Tensor): boolean {
  return A.is_contiguous() && !A.is_complex();
}

function lu_factor(A: Tensor, LU: Tensor, pivots: Tensor): void {
  const info = at.empty_memory_format([0], A.options().dtype(ScalarType.Int));
  at.linalg_lu_factor_ex_out(lu_of_transpose(A) ? A.mH() : A, true, false, LU, pivots, info);
}

// det -----------------------------------------------------------------------------------------------------------------------

export abstract class structured__linalg_det extends MetaBase {
  meta(A: Tensor): void {
    squareCheckInputs(A, "linalg.det");
    checkFloatingOrComplex(A, "linalg.det");
    this.set_output_contiguous(0, A.sizes().slice(0, -2), A.options());
    set_LU(this, A, 1);
  }
}

// _linalg_det.result                                                                CPU
export abstract class structured__linalg_det_out extends structured__linalg_det {
  impl(A: Tensor, result: Tensor, LU: Tensor, pivots: Tensor): void {
    lu_factor(A, LU, pivots);
    const of_U = at.prod_dim_int(LU.diagonal(0, -2, -1), -1);
    at.mul_out(lu_det_P(pivots), of_U, result);
  }
}

// linalg_det(Tensor A) -> Tensor                                                    CompositeImplicitAutograd
export function linalg_det(A: Tensor): Tensor {
  return at._linalg_det(A)[0];
}

export function linalg_det_out(A: Tensor, result: Tensor): Tensor {
  const LU = at.empty_memory_format([0], A.options());
  const pivots = at.empty_memory_format([0], A.options().dtype(ScalarType.Int));
  return at._linalg_det_result(A, result, LU, pivots)[0];
}

/** Alias under the older name. */
export function det(self: Tensor): Tensor {
  return at.linalg_det(self);
}

// slogdet -------------------------------------------------------------------------------------------------------------------

export abstract class structured__linalg_slogdet extends MetaBase {
  meta(A: Tensor): void {
    squareCheckInputs(A, "linalg.slogdet");
    checkFloatingOrComplex(A, "linalg.slogdet", false);
    const batch = A.sizes().slice(0, -2);
    this.set_output_contiguous(0, batch, A.options());
    this.set_output_contiguous(1, batch, A.options());
    set_LU(this, A, 2);
  }
}

// _linalg_slogdet.sign                                                              CPU
export abstract class structured__linalg_slogdet_out extends structured__linalg_slogdet {
  impl(A: Tensor, sign: Tensor, logabsdet: Tensor, LU: Tensor, pivots: Tensor): void {
    lu_factor(A, LU, pivots);
    const diag_U = LU.diagonal(0, -2, -1);
    const det_P = lu_det_P(pivots);
    at.mul_out(diag_U.sgn().prod_dim_int(-1), det_P, sign);
    at.sum_IntList_out(diag_U.abs().log_(), [-1], false, null, logabsdet);
  }
}

// linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)                       CompositeImplicitAutograd
export function linalg_slogdet(A: Tensor): [Tensor, Tensor] {
  const [sign, logabsdet] = at._linalg_slogdet(A);
  return [sign, logabsdet];
}

export function linalg_slogdet_out(A: Tensor, sign: Tensor, logabsdet: Tensor): [Tensor, Tensor] {
  const LU = at.empty_memory_format([0], A.options());
  const pivots = at.empty_memory_format([0], A.options().dtype(ScalarType.Int));
  at._linalg_slogdet_sign(A, sign, logabsdet, LU, pivots);
  return [sign, logabsdet];
}

/** Alias under the older name. */
export function slogdet(A: Tensor): [Tensor, Tensor] {
  return at.linalg_slogdet(A);
}

export function slogdet_out(A: Tensor, sign: Tensor, logabsdet: Tensor): [Tensor, Tensor] {
  return at.linalg_slogdet_out(A, sign, logabsdet);
}

// logdet(Tensor self) -> Tensor                                                     CompositeImplicitAutograd
export function logdet(A: Tensor): Tensor {
  squareCheckInputs(A, "logdet");
  checkFloatingOrComplex(A, "logdet", false);
  const [sign, logabsdet] = at.linalg_slogdet(A);
  return at.where_ScalarSelf(sign.eq_Scalar(Scalar.fromDouble(-1)), Scalar.fromDouble(Number.NaN), logabsdet);
}
