/**
 * @file The rows of `tril` and `triu`.
 * @mirrors aten/src/ATen/native/TriangularOps.cpp
 * @differs A file of its own, so that codegen can make one text per dtype.
 */
import { AT_DISPATCH, cast, type Instantiations, load, type row, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { tril_stub, triu_stub } from "#aten/native/TriangularOps";
import { tril_row_instances, triu_row_instances } from "./generated/TriangularOpsKernel.ts";

/** The first `kept` elements stay; in place only the others are written. @template tril: Bool, all types and halves */
export function tril_row(out: row<scalar_t>, self: row<scalar_t>, n: number, kept: number, inplace: boolean): void {
  for (let j = kept; j < n; j++) store(out, j, cast<scalar_t>(0));
  if (!inplace) for (let j = 0; j < kept; j++) store(out, j, load(self, j));
}

/** All but the first `gone` elements stay; in place only those are written. @template triu: Bool, all types and halves */
export function triu_row(out: row<scalar_t>, self: row<scalar_t>, n: number, gone: number, inplace: boolean): void {
  for (let j = 0; j < gone; j++) store(out, j, cast<scalar_t>(0));
  if (!inplace) for (let j = gone; j < n; j++) store(out, j, load(self, j));
}

/** A dim of stride 0 shows the same matrices again. */
function batchCountTrilTriu(batched_matrices: Tensor): number {
  let result = 1;
  for (let d = 0; d < batched_matrices.dim() - 2; d++)
    if (batched_matrices.stride(d) !== 0) result *= batched_matrices.size(d);
  return result;
}

/** From matrix to matrix, row to row, column to column. */
function matrix_strides(t: Tensor): [batch: number, row: number, column: number] {
  const batch = t.dim() > 2 && t.stride(-3) > 0 ? t.stride(-3) : 1;
  return [batch, t.stride(-2), t.stride(-1)];
}

function same_memory(a: Tensor, b: Tensor): boolean {
  return a.storage() === b.storage() && a.storage_offset() === b.storage_offset();
}

/** Row `i` of each matrix; `shift` more than `i` elements lie before the boundary. */
function apply_triu_tril(
  instances: Instantiations<typeof tril_row>,
  result: Tensor,
  self: Tensor,
  inplace: boolean,
  shift: number,
): void {
  const fn = AT_DISPATCH(instances, self.scalar_type());
  const [n, m] = [self.size(-2), self.size(-1)];
  const from_strides = matrix_strides(self);
  const to_strides = same_memory(result, self) ? from_strides : matrix_strides(result);
  const [out, x] = [result.impl_.data_view(), self.impl_.data_view()];
  const batchsize = batchCountTrilTriu(result);
  for (let b = 0; b < batchsize; b++) {
    let to = result.impl_.data_offset() + b * to_strides[0];
    let from = self.impl_.data_offset() + b * from_strides[0];
    for (let i = 0; i < n; i++, to += to_strides[1], from += from_strides[1]) {
      const boundary = Math.min(Math.max(i + shift, 0), m);
      fn(out, to, to_strides[2], x, from, from_strides[2], m, boundary, inplace);
    }
  }
}

function tril_kernel(result: Tensor, self: Tensor, inplace: boolean, k: number): void {
  apply_triu_tril(tril_row_instances, result, self, inplace, k + 1);
}
function triu_kernel(result: Tensor, self: Tensor, inplace: boolean, k: number): void {
  apply_triu_tril(triu_row_instances, result, self, inplace, k);
}

REGISTER_DEFAULT_DISPATCH(tril_stub, tril_kernel, "tril_cpu_kernel");
REGISTER_DEFAULT_DISPATCH(triu_stub, triu_kernel, "triu_cpu_kernel");
