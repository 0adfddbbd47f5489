/**
 * @file The two passes of `nonzero`: count, then write the coordinates.
 * @mirrors aten/src/ATen/native/TensorAdvancedIndexing.cpp#nonzero_out_cpu
 * @differs A file of its own, so that codegen can make one text per dtype; one thread, so no prefix sums of the threads' counts.
 */
import { AT_DISPATCH, type captured, cast, type data, type int64, load, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { count_nonzero_instances, nonzero_instances } from "./generated/NonzeroKernel.ts";

/**
 * Row-major over any strides: the last dimension by itself, the others like an odometer.
 * @template nonzero_count_cpu: all types, Bool, Half, BFloat16
 */
export function count_nonzero(
  self: data<scalar_t>,
  offset: number,
  sizes: captured<readonly number[]>,
  strides: captured<readonly number[]>,
  numel: number,
): number {
  const last = sizes.length - 1;
  const n = last >= 0 ? sizes[last] : 1;
  const step = last >= 0 ? strides[last] : 0;
  const counter = new Array<number>(sizes.length).fill(0);
  let count = 0;
  let at = offset;
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

/** @template nonzero_cpu: all types, Bool, Half, BFloat16 */
export function nonzero(
  self: data<scalar_t>,
  offset: number,
  sizes: captured<readonly number[]>,
  strides: captured<readonly number[]>,
  numel: number,
  out: data<int64>,
  out_offset: number,
  row_stride: number,
  column_stride: number,
): void {
  const last = sizes.length - 1;
  const n = sizes[last];
  const step = strides[last];
  const counter = new Array<number>(sizes.length).fill(0);
  let at = offset;
  let row = out_offset;
  for (let done = 0; done < numel; done += n) {
    for (let i = 0; i < n; i++) {
      if (load(self, at + i * step) !== 0) {
        for (let d = 0; d < last; d++) store(out, row + d * column_stride, cast<int64>(counter[d]));
        store(out, row + last * column_stride, cast<int64>(i));
        row += row_stride;
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
  return fn(impl.data_view(), impl.data_offset(), impl.sizes(), impl.strides(), impl.numel());
}

export function nonzero_kernel(self: Tensor, result: Tensor): void {
  const impl = self.impl_;
  const fn = AT_DISPATCH(nonzero_instances, impl.dtype());
  fn(
    impl.data_view(),
    impl.data_offset(),
    impl.sizes(),
    impl.strides(),
    impl.numel(),
    result.impl_.data_view(),
    result.impl_.data_offset(),
    result.strides()[0],
    result.strides()[1],
  );
}
