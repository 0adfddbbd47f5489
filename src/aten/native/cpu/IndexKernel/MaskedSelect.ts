/**
 * @file Kernels of `masked_select` and `masked_scatter_`: both read a mask in row-major order, together with a packed
 * tensor.
 * @mirrors aten/src/ATen/native/cpu/IndexKernel.cpp
 */
import {
  AT_DISPATCH,
  type bool,
  type captured,
  cast,
  type data,
  load,
  type row,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { masked_scatter_instances, masked_select_instances } from "#aten/native/cpu/generated/IndexKernel/MaskedSelect";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { masked_scatter_stub, masked_select_stub } from "#aten/native/TensorAdvancedIndexing/MaskedSelect";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { TORCH_CHECK } from "#c10/util/Exception";

/**
 * Row-major order for any strides: the last dimension is a loop, the others count like an odometer.
 * @template masked_select: Bool, all types and halves
 */
export function masked_select(
  out: row<scalar_t>,
  self: data<scalar_t>,
  self_impl: captured<TensorImpl>,
  mask: data<bool>,
  mask_impl: captured<TensorImpl>,
): void {
  const sizes = self_impl.sizes();
  const self_strides = self_impl.strides();
  const mask_strides = mask_impl.strides();
  const numel = cast<number>(self_impl.numel());
  const last = sizes.length - 1;
  const n = last >= 0 ? sizes[last] : 1;
  const self_step = last >= 0 ? self_strides[last] : 0;
  const mask_step = last >= 0 ? mask_strides[last] : 0;
  const counter = new Array<number>(sizes.length).fill(0);
  let from = cast<number>(self_impl.data_offset());
  let asked = cast<number>(mask_impl.data_offset());
  let taken = 0;
  for (let done = 0; done < numel; done += n) {
    for (let i = 0; i < n; i++) {
      if (load(mask, asked + i * mask_step)) {
        store(out, taken, load(self, from + i * self_step));
        taken++;
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
 * Writes the source's elements in order to the true places of the mask. Returns the number of elements that were
 * missing in the source.
 * @template masked_scatter: Bool, all types and halves
 */
export function masked_scatter(
  self: data<scalar_t>,
  self_impl: captured<TensorImpl>,
  mask: data<bool>,
  mask_impl: captured<TensorImpl>,
  source: row<scalar_t>,
  source_numel: number,
): number {
  const sizes = self_impl.sizes();
  const self_strides = self_impl.strides();
  const mask_strides = mask_impl.strides();
  const numel = cast<number>(self_impl.numel());
  const last = sizes.length - 1;
  const n = last >= 0 ? sizes[last] : 1;
  const self_step = last >= 0 ? self_strides[last] : 0;
  const mask_step = last >= 0 ? mask_strides[last] : 0;
  const counter = new Array<number>(sizes.length).fill(0);
  let to = cast<number>(self_impl.data_offset());
  let asked = cast<number>(mask_impl.data_offset());
  let taken = 0;
  for (let done = 0; done < numel; done += n) {
    for (let i = 0; i < n; i++) {
      if (load(mask, asked + i * mask_step)) {
        if (taken < source_numel) store(self, to + i * self_step, load(source, taken));
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
  const stride = result.strides()[0];
  fn(out.data_view(), out.data_offset(), stride, input.data_view(), input, m.data_view(), m);
}

function masked_scatter_kernel(self: Tensor, mask: Tensor, source: Tensor): void {
  const [out, m, input] = [self.impl_, mask.impl_, source.impl_];
  const fn = AT_DISPATCH(masked_scatter_instances, out.dtype());
  const missing = fn(out.data_view(), out, m.data_view(), m, input.data_view(), input.data_offset(), 1, input.numel());
  TORCH_CHECK(missing <= 0, "Number of elements of source < number of ones in mask");
}

REGISTER_DEFAULT_DISPATCH(masked_select_stub, masked_select_kernel, "masked_select_kernel");
REGISTER_DEFAULT_DISPATCH(masked_scatter_stub, masked_scatter_kernel, "masked_scatter_kernel");
