/**
 * @file Equations of triangular matrices.
 * @mirrors aten/src/ATen/native/BatchLinearAlgebra.cpp
 * @see lapack/trsm.ts (the substitution)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";
import {
  _linalg_broadcast_batch_dims,
  batched_matrix_contiguous_strides,
  checkInputsSolver,
  linearSolveCheckInputs,
} from "./LinearAlgebraUtils.ts";
import { matrices } from "./lapack/matrices.ts";
import { type Triangle, trsm } from "./lapack/trsm.ts";
import { resize_output_check } from "./Resize.ts";

/** result = op(A)^-1 B, for batches of the same shape. */
function apply_triangular_solve(A: Tensor, B: Tensor, result: Tensor, triangle: Triangle): void {
  const label = "triangular_solve_cpu";
  const [from, right_hand, into] = [matrices(A, label), matrices(B, label), matrices(result, label)];
  for (let b = 0; b < into.length; b++) {
    const x = right_hand.read(b);
    trsm(from.read(b), from.n, x, triangle);
    into.write(b, x);
  }
}

// linalg_solve_triangular.out                                                       CPU
/** X A = B is A^T X^T = B^T, where the other half of the matrix is filled. */
export function linalg_solve_triangular_out(
  A: Tensor,
  B: Tensor,
  upper: boolean,
  left: boolean,
  unitriangular: boolean,
  out: Tensor,
): Tensor {
  checkInputsSolver(A, B, left, "linalg.solve_triangular");
  const [B_sizes, A_sizes] = _linalg_broadcast_batch_dims(B, A);
  const [A_, B_] = [A.expand(A_sizes), B.expand(B_sizes).to_dtype(A.scalar_type())];
  if (resize_output_check(out, B_sizes)) out.resize_(B_.mT().sizes() as number[]).transpose_(-2, -1);
  const result = out.scalar_type() === A.scalar_type() ? out : at.empty_like(out, A.options());
  const triangle = { upper, transposed: !left, unit: unitriangular };
  if (left) apply_triangular_solve(A_, B_, result, triangle);
  else apply_triangular_solve(A_, B_.mT(), result.mT(), triangle);
  return result.is_same(out) ? out : out.copy_(result);
}

// linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor   CPU
export function linalg_solve_triangular(
  A: Tensor,
  B: Tensor,
  upper: boolean,
  left: boolean,
  unitriangular: boolean,
): Tensor {
  const out = at.empty_memory_format([0], A.options());
  return linalg_solve_triangular_out(A, B, upper, left, unitriangular, out);
}

// triangular_solve: the older one -------------------------------------------------------------------------------------------

export abstract class structured_triangular_solve extends MetaBase {
  meta(self: Tensor, A: Tensor, _upper: boolean, _transpose: boolean, _unitriangular: boolean): void {
    for (const [name, t] of [
      ["b", self],
      ["A", A],
    ] as const)
      TORCH_CHECK(
        t.dim() >= 2,
        `torch.triangular_solve: Expected ${name} to have at least 2 dimensions, but it has ${t.dim()} dimensions instead`,
      );
    linearSolveCheckInputs(self, A, "triangular_solve");
    const [self_sizes, A_sizes] = _linalg_broadcast_batch_dims(self, A);
    this.set_output_strided(0, self_sizes, batched_matrix_contiguous_strides(self_sizes, true), self.options());
    this.set_output_strided(1, A_sizes, batched_matrix_contiguous_strides(A_sizes, true), A.options());
  }
}

// triangular_solve.X                                                                CPU
export abstract class structured_triangular_solve_out extends structured_triangular_solve {
  impl(
    self: Tensor,
    A: Tensor,
    upper: boolean,
    transpose: boolean,
    unitriangular: boolean,
    result: Tensor,
    clone_A: Tensor,
  ): void {
    TORCH_WARN_ONCE(
      "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangular",
      "and will be removed in a future PyTorch release.\n",
      "torch.linalg.solve_triangular has its arguments reversed and does not return a copy of one of the inputs.\n",
      "X = torch.triangular_solve(B, A).solution\n",
      "should be replaced with\n",
      "X = torch.linalg.solve_triangular(A, B).",
    );
    const [self_sizes, A_sizes] = _linalg_broadcast_batch_dims(self, A);
    clone_A.copy_(A.expand(A_sizes));
    const triangle = { upper, transposed: transpose, unit: unitriangular };
    apply_triangular_solve(clone_A, self.expand(self_sizes), result, triangle);
  }
}
