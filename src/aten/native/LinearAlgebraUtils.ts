/**
 * @file Checks of the arguments of linear algebra operators, and the layout of their results.
 * @mirrors aten/src/ATen/native/LinearAlgebraUtils.h
 */

import { infer_size_dimvector, sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { canCast, isComplexType, isFloatingType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

export function checkFloatingOrComplex(t: Tensor, f_name: string, allow_low_precision_dtypes = true): void {
  const dtype = t.scalar_type();
  TORCH_CHECK(
    isFloatingType(dtype) || isComplexType(dtype),
    f_name,
    ": Expected a floating point or complex tensor as input. Got ",
    toString(dtype),
  );
  TORCH_CHECK(
    allow_low_precision_dtypes || dtype === ScalarType.Float || dtype === ScalarType.Double || isComplexType(dtype),
    f_name,
    ": Low precision dtypes not supported. Got ",
    toString(dtype),
  );
}

export function checkIsMatrix(A: Tensor, f_name: string, arg_name = "A"): void {
  TORCH_CHECK(A.dim() >= 2, f_name, ": The input tensor ", arg_name, " must have at least 2 dimensions.");
}

export function squareCheckInputs(self: Tensor, f_name: string, arg_name = "A"): void {
  checkIsMatrix(self, f_name, arg_name);
  TORCH_CHECK(
    self.size(-1) === self.size(-2),
    f_name,
    ": ",
    arg_name,
    " must be batches of square matrices, but they are ",
    self.size(-2),
    " by ",
    self.size(-1),
    " matrices",
  );
}

export function checkInputsSolver(A: Tensor, B: Tensor, left: boolean, f_name: string): void {
  squareCheckInputs(A, f_name, "A");
  checkIsMatrix(B, f_name, "B");
  TORCH_CHECK(
    left ? A.size(-2) === B.size(-2) : A.size(-1) === B.size(-1),
    f_name,
    ": Incompatible shapes of A and B for the equation ",
    left ? "AX = B" : "XA = B",
    ` (${A.size(-2)}x${A.size(-1)} and ${B.size(-2)}x${B.size(-1)})`,
  );
}

/** Checks of the older solvers, in which `self` is the right-hand side. */
export function linearSolveCheckInputs(self: Tensor, A: Tensor, name: string): void {
  TORCH_CHECK(
    self.device().eq(A.device()),
    "Expected b and A to be on the same device, but found b on ",
    self.device(),
    " and A on ",
    A.device(),
    " instead.",
  );
  TORCH_CHECK(
    self.scalar_type() === A.scalar_type(),
    "Expected b and A to have the same dtype, but found b of type ",
    toString(self.scalar_type()),
    " and A of type ",
    toString(A.scalar_type()),
    " instead.",
  );
  const [m, n] = [A.size(-2), A.size(-1)];
  TORCH_CHECK(n === m, "A must be batches of square matrices, but they are ", m, " by ", n, " matrices");
  TORCH_CHECK(
    n === self.size(-2),
    `Incompatible matrix sizes for ${name}: each A matrix is ${n} by ${n}`,
    ` but each b matrix is ${self.size(-2)} by ${self.size(-1)}`,
  );
}

/** Shapes of both with their batch dims broadcast. */
export function _linalg_broadcast_batch_dims(arg1: Tensor, arg2: Tensor): [number[], number[]] {
  const batch = infer_size_dimvector(arg1.sizes().slice(0, -2), arg2.sizes().slice(0, -2));
  return [
    [...batch, ...arg1.sizes().slice(-2)],
    [...batch, ...arg2.sizes().slice(-2)],
  ];
}

/** Both with their batch dims broadcast. If `name` is given, the checks of a solver come first. */
export function _linalg_broadcast_batches(arg1: Tensor, arg2: Tensor, name: string | null): [Tensor, Tensor] {
  if (name !== null) linearSolveCheckInputs(arg1, arg2, name);
  const [size1, size2] = _linalg_broadcast_batch_dims(arg1, arg2);
  const expanded = (t: Tensor, size: number[]): Tensor => (sizes_equal(size, t.sizes()) ? t : t.expand(size));
  return [expanded(arg1, size1), expanded(arg2, size2)];
}

/** Whether the right-hand side is one vector, or one vector per matrix of the batch. */
export function linalg_solve_is_vector_rhs(input: Tensor, other: Tensor): boolean {
  if (other.dim() === 1) return true;
  return input.dim() - 1 === other.dim() && String(other.sizes()) === String(input.sizes().slice(0, -1));
}

/** Strides of contiguous matrices, row-major, or column-major as in LAPACK. */
export function batched_matrix_contiguous_strides(sizes: readonly number[], f_contig = false): number[] {
  const strides = new Array<number>(sizes.length).fill(1);
  for (let d = sizes.length - 2; d >= 0; d--) strides[d] = strides[d + 1] * Math.max(sizes[d + 1], 1);
  if (f_contig && sizes.length >= 2) {
    strides[sizes.length - 1] = Math.max(sizes[sizes.length - 2], 1);
    strides[sizes.length - 2] = 1;
  }
  return strides;
}

export function cloneBatchedColumnMajor(src: Tensor): Tensor {
  return src.mT().clone(MemoryFormat.Contiguous).transpose_(-2, -1);
}

export function checkUplo(uplo: string): void {
  TORCH_CHECK(/^[ulUL]$/.test(uplo), "Expected UPLO argument to be 'L' or 'U', but got ", uplo);
}

/** Meaning of the mode of a QR decomposition: whether Q is computed, and whether it is reduced. */
export function _parse_qr_mode(mode: string): [compute_q: boolean, reduced: boolean] {
  TORCH_CHECK(
    mode === "reduced" || mode === "complete" || mode === "r",
    "qr received unrecognized mode '",
    mode,
    "' but expected one of 'reduced' (default), 'r', or 'complete'",
  );
  return [mode !== "r", mode !== "complete"];
}

export function checkSameDevice(fn_name: string, result: Tensor, input: Tensor, result_name = "result"): void {
  TORCH_CHECK(
    result.device().eq(input.device()),
    `${fn_name}: Expected ${result_name} and input tensors to be on the same device, but got ${result_name} on `,
    result.device(),
    " and input on ",
    input.device(),
  );
}

export function checkLinalgCompatibleDtype(
  fn_name: string,
  out_type: ScalarType,
  result_type: ScalarType,
  out_name = "result",
): void {
  TORCH_CHECK(
    canCast(result_type, out_type),
    `${fn_name}: Expected ${out_name} to be safely castable from `,
    toString(result_type),
    ` dtype, but got ${out_name} with dtype `,
    toString(out_type),
  );
}

/** Distance from 1 to the next number. */
export function _get_epsilon(dtype: ScalarType): number {
  TORCH_CHECK(
    dtype === ScalarType.Float || dtype === ScalarType.Double,
    "This function doesn't handle types other than float and double",
  );
  return dtype === ScalarType.Float ? 2 ** -23 : 2 ** -52;
}

export function is_row_or_column_contiguous(t: Tensor): boolean {
  return t.is_contiguous() || t.transpose_int(-2, -1).is_contiguous();
}
