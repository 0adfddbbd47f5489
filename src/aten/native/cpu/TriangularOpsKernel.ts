/**
 * @file Kernels of `tril` and `triu`, row by row.
 * @mirrors aten/src/ATen/native/TriangularOps.cpp
 * @differs Ours is in a file of its own, so that codegen can make one loop per dtype; in PyTorch it is in
 * TriangularOps.cpp.
 */
import { AT_DISPATCH, cast, load, type row, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { tril_stub, triu_stub } from "#aten/native/TriangularOps";
import { tril_row_instances, triu_row_instances } from "./generated/TriangularOpsKernel.ts";
import { type Strides, type Triangles, triangles_loop } from "./vec/triangular/driver.ts";

/** The first `kept` elements stay; in place, only the others are written. @template tril: Bool, all types and halves */
export function tril_row(out: row<scalar_t>, self: row<scalar_t>, n: number, kept: number, inplace: boolean): void {
  for (let j = kept; j < n; j++) store(out, j, cast<scalar_t>(0));
  if (!inplace) for (let j = 0; j < kept; j++) store(out, j, load(self, j));
}

/** The first `gone` elements become 0; in place, only those are written. @template triu: Bool, all types and halves */
export function triu_row(out: row<scalar_t>, self: row<scalar_t>, n: number, gone: number, inplace: boolean): void {
  for (let j = 0; j < gone; j++) store(out, j, cast<scalar_t>(0));
  if (!inplace) for (let j = gone; j < n; j++) store(out, j, load(self, j));
}

/** Number of different matrices: a dim with stride 0 repeats the same ones. */
function batchCountTrilTriu(batched_matrices: Tensor): number {
  let result = 1;
  for (let d = 0; d < batched_matrices.dim() - 2; d++)
    if (batched_matrices.stride(d) !== 0) result *= batched_matrices.size(d);
  return result;
}

function matrix_strides(t: Tensor): Strides {
  const batch = t.dim() > 2 && t.stride(-3) > 0 ? t.stride(-3) : 1;
  return [batch, t.stride(-2), t.stride(-1)];
}

function same_memory(a: Tensor, b: Tensor): boolean {
  return a.storage() === b.storage() && a.storage_offset() === b.storage_offset();
}

/** Handles row by row. In place, only elements that become 0 are written. */
function triangles_plain({ result, self, inplace, batchsize, to, from, shift, lower }: Triangles): void {
  const fn = AT_DISPATCH(lower ? tril_row_instances : triu_row_instances, self.scalar_type());
  const [n, m] = [self.size(-2), self.size(-1)];
  const [out, x] = [result.impl_.data_view(), self.impl_.data_view()];
  for (let b = 0; b < batchsize; b++) {
    let at = result.impl_.data_offset() + b * to[0];
    let read = self.impl_.data_offset() + b * from[0];
    for (let i = 0; i < n; i++, at += to[1], read += from[1]) {
      const boundary = Math.min(Math.max(i + shift, 0), m);
      fn(out, at, to[2], x, read, from[2], m, boundary, inplace);
    }
  }
}

function apply_triu_tril(result: Tensor, self: Tensor, inplace: boolean, shift: number, lower: boolean): void {
  AT_DISPATCH(lower ? tril_row_instances : triu_row_instances, self.scalar_type()); // a dtype without a kernel is refused first
  const from = matrix_strides(self);
  const to = same_memory(result, self) ? from : matrix_strides(result);
  const batchsize = batchCountTrilTriu(result);
  triangles_loop({ result, self, inplace, batchsize, to, from, shift, lower }, triangles_plain);
}

function tril_kernel(result: Tensor, self: Tensor, inplace: boolean, k: number): void {
  apply_triu_tril(result, self, inplace, k + 1, true);
}
function triu_kernel(result: Tensor, self: Tensor, inplace: boolean, k: number): void {
  apply_triu_tril(result, self, inplace, k, false);
}

REGISTER_DISPATCH(tril_stub, tril_kernel, "tril_cpu_kernel");
REGISTER_DISPATCH(triu_stub, triu_kernel, "triu_cpu_kernel");
