/**
 * @file Solving equations with triangular matrices.
 * @mirrors aten/src/ATen/native/BatchLinearAlgebra.cpp
 * @see BatchLinearAlgebraKernel.ts, lapack/trsm.ts (the substitution)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import {
  _linalg_broadcast_batch_dims,
  _linalg_broadcast_batches,
  batched_matrix_contiguous_strides,
  checkInputsSolver,
  cloneBatchedColumnMajor,
  is_row_or_column_contiguous,
  linearSolveCheckInputs,
} from "#aten/native/LinearAlgebraUtils";
import type { Triangle } from "#aten/native/lapack/trsm";
import { resize_output, resize_output_check } from "#aten/native/Resize";
import { MetaBase } from "#aten/TensorMeta";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { TORCH_CHECK, TORCH_WARN_ONCE } from "#c10/util/Exception";

/** Overwrites `B`, which is column-major. A's memory is read as column-major, too: if A is row-major, that is A^T. */
export const triangular_solve_stub =
  DEFINE_DISPATCH<(A: Tensor, B: Tensor, left: boolean, triangle: Triangle) => void>("triangular_solve_stub");

// linalg_solve_triangular.out                                                       CPU
/** If `out` is row-major, it is solved as X^T, on the other side. */
export function linalg_solve_triangular_out(
  A: Tensor,
  B: Tensor,
  upper: boolean,
  left: boolean,
  unitriangular: boolean,
  out: Tensor,
): Tensor {
  checkInputsSolver(A, B, left, "linalg.solve_triangular");
  const [B_, A_] = _linalg_broadcast_batches(B, A, null);
  const avoid_copy_A = A_.transpose_int(-2, -1).is_contiguous() && A_.is_conj();
  if (avoid_copy_A) resize_output(out, B_.sizes());
  else if (resize_output_check(out, B_.sizes())) {
    out.resize_(B_.transpose_int(-2, -1).sizes() as number[], MemoryFormat.Contiguous);
    out.transpose_(-2, -1);
  }
  let out_f = out;
  if (!is_row_or_column_contiguous(out)) out_f = cloneBatchedColumnMajor(B_);
  else if (!out.is_same(B_)) out_f.copy_(B_);
  const transpose = out_f.stride(-1) === 1;
  if (transpose) out_f.transpose_(-2, -1);
  let A_f = A_;
  let A_is_f_contig = (A_f.stride(-1) === 1) === transpose;
  if (!is_row_or_column_contiguous(A_f)) {
    if (out_f.is_neg()) A_f = A_f._neg_view();
    A_f = transpose ? A_f.clone(MemoryFormat.Contiguous) : cloneBatchedColumnMajor(A_f);
    A_is_f_contig = true;
  } else if (A_f.is_neg() !== out_f.is_neg()) A_f = out_f.is_neg() ? A_f.neg() : A_f.resolve_neg();
  const in_columns = A_f.stride(-1) !== 1;
  triangular_solve_stub.call(A_f.device().type(), A_f, out_f, left !== transpose, {
    upper: upper === in_columns,
    transposed: !A_is_f_contig,
    unit: unitriangular,
  });
  if (transpose) out_f.transpose_(-2, -1);
  return out_f.is_same(out) ? out : out.copy_(out_f);
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

// ---- triangular_solve: the older operator
// ---------------------------------------------------------------------------------

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
    this.set_output_raw_strided(0, self_sizes, batched_matrix_contiguous_strides(self_sizes, true), self.options());
    this.set_output_raw_strided(1, A_sizes, batched_matrix_contiguous_strides(A_sizes, true), A.options());
  }
}

function triangular_solve_out_impl(
  result: Tensor,
  clone_input: Tensor,
  input: Tensor,
  other: Tensor,
  triangle: Triangle,
): void {
  TORCH_WARN_ONCE(
    "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangular",
    "and will be removed in a future PyTorch release.\n",
    "torch.linalg.solve_triangular has its arguments reversed and does not return a copy of one of the inputs.\n",
    "X = torch.triangular_solve(B, A).solution\n",
    "should be replaced with\n",
    "X = torch.linalg.solve_triangular(A, B).",
  );
  for (const [empty, like] of [
    [result, other],
    [clone_input, input],
  ] as const) {
    if (empty.numel() > 0) continue;
    empty.resize_(like.mT().sizes() as number[], MemoryFormat.Contiguous);
    empty.transpose_(-2, -1);
  }
  result.copy_(other);
  clone_input.copy_(input);
  triangular_solve_stub.call(input.device().type(), clone_input, result, true, triangle);
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
    const [self_, A_] = _linalg_broadcast_batches(self, A, "triangular_solve");
    const triangle = { upper, transposed: transpose, unit: unitriangular };
    const in_columns = (t: Tensor): boolean => t.transpose_int(-2, -1).is_contiguous();
    if (in_columns(result) && in_columns(clone_A)) {
      triangular_solve_out_impl(result, clone_A, A_, self_, triangle);
      return;
    }
    const result_tmp = at.empty_memory_format([0], self.options());
    const clone_A_tmp = at.empty_memory_format([0], A.options());
    triangular_solve_out_impl(result_tmp, clone_A_tmp, A_, self_, triangle);
    result.copy_(result_tmp);
    clone_A.copy_(clone_A_tmp);
  }
}
