/**
 * @file LDL^T decomposition of symmetric matrices, and solving with it.
 * @mirrors aten/src/ATen/native/BatchLinearAlgebra.cpp
 * @see BatchLinearAlgebraKernel.ts, lapack/sytrf.ts (the factorization)
 */
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import {
  _linalg_broadcast_batch_dims,
  batched_matrix_contiguous_strides,
  checkFloatingOrComplex,
  cloneBatchedColumnMajor,
  linearSolveCheckInputs,
  squareCheckInputs,
} from "#aten/native/LinearAlgebraUtils";
import { MetaBase } from "#aten/TensorMeta";
import { isIntegralType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Overwrites `LD`, which holds the lower half of the matrices. */
export const ldl_factor_stub = DEFINE_DISPATCH<(LD: Tensor, pivots: Tensor, info: Tensor) => void>("ldl_factor_stub");
/** Overwrites `result`, which holds the right-hand sides. */
export const ldl_solve_stub = DEFINE_DISPATCH<(LD: Tensor, pivots: Tensor, result: Tensor) => void>("ldl_solve_stub");

export abstract class structured_linalg_ldl_factor_ex extends MetaBase {
  meta(self: Tensor, _hermitian: boolean, _check_errors: boolean): void {
    squareCheckInputs(self, "torch.linalg.ldl_factor_ex");
    checkFloatingOrComplex(self, "torch.linalg.ldl_factor_ex");
    const sizes = self.sizes();
    const ints = self.options().dtype(ScalarType.Int);
    this.set_output_strided(0, sizes, batched_matrix_contiguous_strides(sizes, true), self.options());
    this.set_output_contiguous(1, sizes.slice(0, -1), ints);
    this.set_output_contiguous(2, sizes.slice(0, -2), ints);
  }
}

// linalg_ldl_factor_ex.out                                                          CPU
/** A real matrix is hermitian if it is symmetric. */
export abstract class structured_linalg_ldl_factor_ex_out extends structured_linalg_ldl_factor_ex {
  impl(self: Tensor, _hermitian: boolean, check_errors: boolean, LD: Tensor, pivots: Tensor, info: Tensor): void {
    if (self.numel() === 0) {
      info.zero_();
      return;
    }
    at.tril_out(self, 0, LD);
    ldl_factor_stub.call(self.device().type(), LD, pivots, info);
    if (check_errors) at._linalg_check_errors(info, "torch.linalg.ldl_factor_ex", self.dim() === 2);
  }
}

// linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)     CompositeImplicitAutograd
export function linalg_ldl_factor(self: Tensor, hermitian: boolean): [Tensor, Tensor] {
  const [LD, pivots, info] = at.linalg_ldl_factor_ex(self, hermitian, false);
  at._linalg_check_errors(info, "torch.linalg.ldl_factor", self.dim() === 2);
  return [LD, pivots];
}

export function linalg_ldl_factor_out(self: Tensor, hermitian: boolean, LD: Tensor, pivots: Tensor): [Tensor, Tensor] {
  const info = at.empty_memory_format([0], self.options().dtype(ScalarType.Int));
  at.linalg_ldl_factor_ex_out(self, hermitian, false, LD, pivots, info);
  at._linalg_check_errors(info, "torch.linalg.ldl_factor", self.dim() === 2);
  return [LD, pivots];
}

export abstract class structured_linalg_ldl_solve extends MetaBase {
  meta(LD: Tensor, pivots: Tensor, B: Tensor, _hermitian: boolean): void {
    const name = "torch.linalg.ldl_solve";
    squareCheckInputs(LD, name);
    checkFloatingOrComplex(LD, name);
    linearSolveCheckInputs(B, LD, name);
    TORCH_CHECK(
      B.dim() >= 2,
      name,
      ": Expected B to have at least 2 dimensions, but it has ",
      B.dim(),
      " dimensions instead",
    );
    TORCH_CHECK(
      sizes_equal(LD.sizes().slice(0, -1), pivots.sizes()),
      name,
      ": Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape ",
      pivots.sizes(),
      " instead",
    );
    TORCH_CHECK(
      isIntegralType(pivots.scalar_type(), false),
      name,
      ": Expected pivots to be integers. Got ",
      toString(pivots.scalar_type()),
    );
    const [sizes] = _linalg_broadcast_batch_dims(B, LD);
    this.set_output_strided(0, sizes, batched_matrix_contiguous_strides(sizes, true), B.options());
  }
}

// linalg_ldl_solve.out                                                              CPU
export abstract class structured_linalg_ldl_solve_out extends structured_linalg_ldl_solve {
  impl(LD: Tensor, pivots: Tensor, B: Tensor, _hermitian: boolean, result: Tensor): void {
    if (LD.numel() === 0 || pivots.numel() === 0) return;
    const LD_ = LD.mT().is_contiguous() ? LD : cloneBatchedColumnMajor(LD);
    result.copy_(B);
    ldl_solve_stub.call(B.device().type(), LD_, pivots.contiguous(), result);
  }
}
