/**
 * @file Kernels of im2col and col2im, one image after the other.
 * @mirrors aten/src/ATen/native/im2col.h
 * @differs Ours treats an image as a volume of depth 1 and uses the loops of vol2col.ts; PyTorch has loops of their own
 * for images.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { col2im_stub, im2col_stub, type Sliding } from "#aten/native/Im2Col";
import { DeviceType } from "#c10/core/DeviceType";
import { type Columns, col2vol_stub, vol2col_stub } from "./vol2col.ts";

function columns_of(im: Tensor, window: Sliding, [height_col, width_col]: readonly number[]): Columns {
  const [, channels, height, width] = im.sizes();
  const [kH, kW] = window.kernel_size;
  const [dilationH, dilationW] = window.dilation;
  const [pH, pW] = window.padding;
  const [dH, dW] = window.stride;
  // biome-ignore format: one line per kind
  return {
    channels, depth: 1, height, width, depth_col: 1, height_col, width_col,
    kT: 1, kH, kW, pT: 0, pH, pW, dT: 1, dH, dW, dilationT: 1, dilationH, dilationW,
  };
}

function im2col_kernel(col: Tensor, im: Tensor, window: Sliding, blocks: readonly number[]): void {
  const columns = columns_of(im, window, blocks);
  const n = im.size(0);
  for (let i = 0; i < n; i++) vol2col_stub.call(DeviceType.CPU, col.select_int(0, i), im.select_int(0, i), 0, columns);
}

function col2im_kernel(im: Tensor, col: Tensor, window: Sliding, blocks: readonly number[]): void {
  const columns = columns_of(im, window, blocks);
  const n = im.size(0);
  for (let i = 0; i < n; i++) col2vol_stub.call(DeviceType.CPU, im.select_int(0, i), 0, col.select_int(0, i), columns);
}

REGISTER_DEFAULT_DISPATCH(im2col_stub, im2col_kernel, "im2col_kernel");
REGISTER_DEFAULT_DISPATCH(col2im_stub, col2im_kernel, "col2im_kernel");
