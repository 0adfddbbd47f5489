/**
 * @file The rows of `tril` and `triu`.
 * @mirrors aten/src/ATen/native/TriangularOps.cpp
 * @differs A file of its own, so that codegen can make one text per dtype; any strides of a batch are walked, where PyTorch copies first.
 */
import { AT_DISPATCH, cast, type Instantiations, load, type row, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { tril_stub, triu_stub } from "#aten/native/TriangularOps";
import { tril_row_instances, triu_row_instances } from "./generated/TriangularOpsKernel.ts";

/** The first `kept` elements stay. @template tril: Bool, all types and halves */
export function tril_row(out: row<scalar_t>, self: row<scalar_t>, n: number, kept: number): void {
  for (let j = 0; j < kept; j++) store(out, j, load(self, j));
  for (let j = kept; j < n; j++) store(out, j, cast<scalar_t>(0));
}

/** All but the first `gone` elements stay. @template triu: Bool, all types and halves */
export function triu_row(out: row<scalar_t>, self: row<scalar_t>, n: number, gone: number): void {
  for (let j = 0; j < gone; j++) store(out, j, cast<scalar_t>(0));
  for (let j = gone; j < n; j++) store(out, j, load(self, j));
}

/** Row `i` of each matrix; `shift` more than `i` elements lie before the boundary. */
function for_each_row(instances: Instantiations<typeof tril_row>, result: Tensor, self: Tensor, shift: number): void {
  const fn = AT_DISPATCH(instances, self.scalar_type());
  const sizes = self.sizes();
  const [to_strides, from_strides] = [result.strides(), self.strides()];
  const last = sizes.length - 1;
  const n = sizes[last];
  const [out, x] = [result.impl_.data_view(), self.impl_.data_view()];
  let to = result.impl_.data_offset();
  let from = self.impl_.data_offset();
  const position = new Array<number>(last).fill(0);
  for (let left = self.numel() / n; left > 0; left--) {
    const boundary = Math.min(Math.max(position[last - 1] + shift, 0), n);
    fn(out, to, to_strides[last], x, from, from_strides[last], n, boundary);
    for (let d = last - 1; d >= 0; d--) {
      to += to_strides[d];
      from += from_strides[d];
      if (++position[d] < sizes[d]) break;
      to -= to_strides[d] * sizes[d];
      from -= from_strides[d] * sizes[d];
      position[d] = 0;
    }
  }
}

function tril_kernel(result: Tensor, self: Tensor, k: number): void {
  for_each_row(tril_row_instances, result, self, k + 1);
}
function triu_kernel(result: Tensor, self: Tensor, k: number): void {
  for_each_row(triu_row_instances, result, self, k);
}

REGISTER_DISPATCH(tril_stub, tril_kernel, "tril_cpu_kernel");
REGISTER_DISPATCH(triu_stub, triu_kernel, "triu_cpu_kernel");
