/**
 * @file Determinants, and their logarithms: of the pivots of an elimination.
 * @mirrors aten/src/ATen/native/LinearAlgebra.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { lu_of_transpose } from "./BatchLinearAlgebra.ts";
import { batched_matrix_contiguous_strides, checkFloatingOrComplex, squareCheckInputs } from "./LinearAlgebraUtils.ts";
import { Items, numbers, vectors } from "./lapack/matrices.ts";

function set_LU(meta: MetaBase, A: Tensor, first: number): void {
  const sizes = A.sizes();
  meta.set_output_strided(first, sizes, batched_matrix_contiguous_strides(sizes, true), A.options());
  meta.set_output_contiguous(first + 1, sizes.slice(0, -1), A.options().dtype(ScalarType.Int));
}

/** The diagonal of each U, and the sign of each P: of every exchange of two rows, -1. */
function* pivots_of(
  A: Tensor,
  LU: Tensor,
  pivots: Tensor,
): Generator<[b: number, diagonal: Float64Array, sign: number]> {
  const info = at.empty_memory_format([0], pivots.options());
  at.linalg_lu_factor_ex_out(lu_of_transpose(A) ? A.mT() : A, true, false, LU, pivots, info);
  const [diagonals, exchanges] = [new Items(LU.diagonal(0, -2, -1), 1), vectors(pivots)];
  for (let b = 0; b < diagonals.length; b++) {
    const moved = exchanges.read(b).filter((p, i) => p !== i + 1).length;
    yield [b, diagonals.read(b), moved % 2 === 0 ? 1 : -1];
  }
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
    result.fill__Scalar(Scalar.ONE); // of a matrix without elements
    const into = numbers(result);
    for (const [b, diagonal, sign] of pivots_of(A, LU, pivots)) into.write(b, [diagonal.reduce((x, d) => x * d, sign)]);
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

/** The older name. */
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
    sign.fill__Scalar(Scalar.ONE);
    logabsdet.zero_();
    const [signs, logs] = [numbers(sign), numbers(logabsdet)];
    for (const [b, diagonal, permutation_sign] of pivots_of(A, LU, pivots)) {
      signs.write(b, [diagonal.reduce((x, d) => x * Math.sign(d), permutation_sign)]);
      logs.write(b, [diagonal.reduce((x, d) => x + Math.log(Math.abs(d)), 0)]);
    }
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

/** The older name. */
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
  return at.where_ScalarSelf(sign.eq_Scalar(Scalar.fromInt(-1)), Scalar.fromDouble(Number.NaN), logabsdet);
}
