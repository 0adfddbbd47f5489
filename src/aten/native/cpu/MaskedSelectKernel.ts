/**
 * @file The loops of `masked_select` and `masked_scatter_`: both walk a mask in row-major order beside a packed tensor.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 */
import { AT_DISPATCH, type bool, type captured, type data, load, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { masked_scatter_stub, masked_select_stub } from "#aten/native/MaskedSelect";
import { TORCH_CHECK } from "#c10/util/Exception";
import { masked_scatter_instances, masked_select_instances } from "./generated/MaskedSelectKernel.ts";

/**
 * Row-major over any strides: the last dimension by itself, the others like an odometer. Precondition: at least one dimension.
 * @template masked_select: all types, Bool, Half, BFloat16
 */
export function masked_select(
  out: data<scalar_t>,
  out_offset: number,
  out_stride: number,
  self: data<scalar_t>,
  self_offset: number,
  self_strides: captured<readonly number[]>,
  mask: data<bool>,
  mask_offset: number,
  mask_strides: captured<readonly number[]>,
  sizes: captured<readonly number[]>,
  numel: number,
): void {
  const last = sizes.length - 1;
  const n = sizes[last];
  const self_step = self_strides[last];
  const mask_step = mask_strides[last];
  const counter = new Array<number>(sizes.length).fill(0);
  let from = self_offset;
  let asked = mask_offset;
  let to = out_offset;
  for (let done = 0; done < numel; done += n) {
    for (let i = 0; i < n; i++) {
      if (load(mask, asked + i * mask_step)) {
        store(out, to, load(self, from + i * self_step));
        to += out_stride;
      }
    }
    for (let d = last - 1; d >= 0; d--) {
      counter[d] = counter[d] + 1;
      from += self_strides[d];
      asked += mask_strides[d];
      if (counter[d] !== sizes[d]) break;
      from -= self_strides[d] * sizes[d];
      asked -= mask_strides[d] * sizes[d];
      counter[d] = 0;
    }
  }
}

/**
 * The same walk, writing: `self` receives the source's elements one after the other. Returns how many more it needed.
 * @template masked_scatter: all types, Bool, Half, BFloat16
 */
export function masked_scatter(
  self: data<scalar_t>,
  self_offset: number,
  self_strides: captured<readonly number[]>,
  mask: data<bool>,
  mask_offset: number,
  mask_strides: captured<readonly number[]>,
  sizes: captured<readonly number[]>,
  numel: number,
  source: data<scalar_t>,
  source_offset: number,
  source_numel: number,
): number {
  const last = sizes.length - 1;
  const n = sizes[last];
  const self_step = self_strides[last];
  const mask_step = mask_strides[last];
  const counter = new Array<number>(sizes.length).fill(0);
  let to = self_offset;
  let asked = mask_offset;
  let taken = 0;
  for (let done = 0; done < numel; done += n) {
    for (let i = 0; i < n; i++) {
      if (load(mask, asked + i * mask_step)) {
        if (taken < source_numel) store(self, to + i * self_step, load(source, source_offset + taken));
        taken++;
      }
    }
    for (let d = last - 1; d >= 0; d--) {
      counter[d] = counter[d] + 1;
      to += self_strides[d];
      asked += mask_strides[d];
      if (counter[d] !== sizes[d]) break;
      to -= self_strides[d] * sizes[d];
      asked -= mask_strides[d] * sizes[d];
      counter[d] = 0;
    }
  }
  return taken - source_numel;
}

function masked_select_kernel(result: Tensor, self: Tensor, mask: Tensor): void {
  const [out, input, m] = [result.impl_, self.impl_, mask.impl_];
  const fn = AT_DISPATCH(masked_select_instances, input.dtype());
  const scalar = self.dim() === 0; // walked as if it had one dimension
  fn(
    out.data_view(),
    out.data_offset(),
    result.strides()[0],
    input.data_view(),
    input.data_offset(),
    scalar ? [0] : input.strides(),
    m.data_view(),
    m.data_offset(),
    scalar ? [0] : m.strides(),
    scalar ? [1] : input.sizes(),
    input.numel(),
  );
}

function masked_scatter_kernel(self: Tensor, mask: Tensor, source: Tensor): void {
  const [out, m, input] = [self.impl_, mask.impl_, source.impl_];
  const fn = AT_DISPATCH(masked_scatter_instances, out.dtype());
  const scalar = self.dim() === 0;
  const missing = fn(
    out.data_view(),
    out.data_offset(),
    scalar ? [0] : out.strides(),
    m.data_view(),
    m.data_offset(),
    scalar ? [0] : m.strides(),
    scalar ? [1] : out.sizes(),
    out.numel(),
    input.data_view(),
    input.data_offset(),
    input.numel(),
  );
  TORCH_CHECK(missing <= 0, "Number of elements of source < number of ones in mask");
}

REGISTER_DISPATCH(masked_select_stub, masked_select_kernel, "masked_select_kernel");
REGISTER_DISPATCH(masked_scatter_stub, masked_scatter_kernel, "masked_scatter_kernel");
