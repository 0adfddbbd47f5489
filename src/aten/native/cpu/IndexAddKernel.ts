/**
 * @file Kernel of `index_add` for vectors.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp#index_add_cpu_out
 * @differs Ours is in a file of its own, so that codegen can make one loop per dtype; in PyTorch it is in
 * TensorAdvancedIndexing.cpp.
 */
import {
  AT_DISPATCH,
  type captured,
  cast,
  type int64,
  load,
  round_to,
  type row,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { index_add_stub } from "#aten/native/TensorAdvancedIndexing/IndexAdd";
import type { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK_INDEX } from "#c10/util/Exception";
import { index_add_instances } from "./generated/IndexAddKernel.ts";

/** Halves are rounded after the product and after the sum. @template index_add_: Bool, all types and halves */
export function index_add(
  self: row<scalar_t>,
  index: row<int64>,
  source: row<scalar_t>,
  n: number,
  numel: number,
  alpha: captured,
): void {
  for (let i = 0; i < n; i++) {
    const to = cast<number>(load(index, i));
    TORCH_CHECK_INDEX(to >= 0 && to < numel, "index out of range in self");
    const scaled = round_to<scalar_t>(load(source, i) * alpha);
    store(self, to, cast<scalar_t>(load(self, to) + scaled));
  }
}

function stride_of(t: Tensor): number {
  return t.dim() === 0 ? 1 : t.strides()[0];
}

function index_add_kernel(result: Tensor, index: Tensor, source: Tensor, alpha: Scalar): void {
  const [out, x, src] = [result.impl_, index.impl_, source.impl_];
  const fn = AT_DISPATCH(index_add_instances, out.dtype());
  fn(
    out.data_view(),
    out.data_offset(),
    stride_of(result),
    x.data_view(),
    x.data_offset(),
    stride_of(index),
    src.data_view(),
    src.data_offset(),
    stride_of(source),
    index.numel(),
    result.numel(),
    alpha.to(out.dtype()) as number, // kernel text handles numbers; the instance has the dtype's own type
  );
}

REGISTER_DEFAULT_DISPATCH(index_add_stub, index_add_kernel, "index_add_cpu_kernel");
