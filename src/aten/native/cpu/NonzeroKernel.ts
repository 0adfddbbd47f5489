/**
 * @file Kernels of `nonzero`: one pass counts, another writes the coordinates.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp#nonzero_out_cpu
 * @differs Ours uses one thread and needs no prefix sums of the threads' counts; PyTorch does, in
 * TensorAdvancedIndexing.cpp. Ours is in a file of its own, so that codegen can make one loop per dtype.
 */
import {
  AT_DISPATCH,
  type captured,
  cast,
  type data,
  type int64,
  load,
  type row,
  row_at,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { count_nonzero_instances, nonzero_instances } from "./generated/NonzeroKernel.ts";

/**
 * Row-major order for any strides: the last dimension is a loop, the others count like an odometer.
 * @template nonzero_count_cpu: Bool, all types and halves
 */
export function count_nonzero(self: data<scalar_t>, impl: captured<TensorImpl>): number {
  const sizes = impl.sizes();
  const strides = impl.strides();
  const numel = cast<number>(impl.numel());
  const last = sizes.length - 1;
  const n = last >= 0 ? sizes[last] : 1;
  const step = last >= 0 ? strides[last] : 0;
  const counter = new Array<number>(sizes.length).fill(0);
  let count = 0;
  let at = cast<number>(impl.data_offset());
  for (let done = 0; done < numel; done += n) {
    for (let i = 0; i < n; i++) {
      if (load(self, at + i * step) !== 0) count++;
    }
    for (let d = last - 1; d >= 0; d--) {
      counter[d] = counter[d] + 1;
      at += strides[d];
      if (counter[d] !== sizes[d]) break;
      at -= strides[d] * sizes[d];
      counter[d] = 0;
    }
  }
  return count;
}

/** Writes at most `limit` rows. @template nonzero_cpu: Bool, all types and halves */
export function nonzero(self: data<scalar_t>, impl: captured<TensorImpl>, out: row<row<int64>>, limit: number): void {
  const sizes = impl.sizes();
  const strides = impl.strides();
  const numel = cast<number>(impl.numel());
  const last = sizes.length - 1;
  const n = sizes[last];
  const step = strides[last];
  const counter = new Array<number>(sizes.length).fill(0);
  let at = cast<number>(impl.data_offset());
  let found = 0;
  for (let done = 0; done < numel; done += n) {
    for (let i = 0; i < n; i++) {
      if (load(self, at + i * step) !== 0) {
        const coordinates = row_at(out, found);
        for (let d = 0; d < last; d++) store(coordinates, d, cast<int64>(counter[d]));
        store(coordinates, last, cast<int64>(i));
        found++;
        if (found === limit) return;
      }
    }
    for (let d = last - 1; d >= 0; d--) {
      counter[d] = counter[d] + 1;
      at += strides[d];
      if (counter[d] !== sizes[d]) break;
      at -= strides[d] * sizes[d];
      counter[d] = 0;
    }
  }
}

export function count_nonzero_kernel(self: Tensor): number {
  const impl = self.impl_;
  const fn = AT_DISPATCH(count_nonzero_instances, impl.dtype());
  return fn(impl.data_view(), impl);
}

export function nonzero_kernel(self: Tensor, result: Tensor): void {
  const impl = self.impl_;
  const fn = AT_DISPATCH(nonzero_instances, impl.dtype());
  const [row_stride, column_stride] = result.strides() as [number, number];
  const [out, offset, limit] = [result.impl_.data_view(), result.impl_.data_offset(), result.size(0)];
  fn(impl.data_view(), impl, out, offset, row_stride, column_stride, limit);
}
