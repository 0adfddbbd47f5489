/**
 * @file Images as columns, and back, one image after the other.
 * @mirrors aten/src/ATen/native/im2col.h
 * @differs An image is a volume of depth 1: the loops are those of vol2col.ts.
 */
import { AT_DISPATCH } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { col2im_stub, im2col_stub, type Sliding } from "#aten/native/Im2Col";
import { col2vol_instances, vol2col_instances } from "./generated/vol2col.ts";
import type { Columns } from "./vol2col.ts";

function columns_of(im: Tensor, window: Sliding, [height_col, width_col]: readonly number[]): Columns {
  const [, channels, height, width] = im.sizes();
  const [kH, kW] = window.kernel_size;
  const [dilationH, dilationW] = window.dilation;
  const [pH, pW] = window.padding;
  const [dH, dW] = window.stride;
  // biome-ignore format: a line for each kind
  return {
    channels, depth: 1, height, width, depth_col: 1, height_col, width_col,
    kT: 1, kH, kW, pT: 0, pH, pW, dT: 1, dH, dW, dilationT: 1, dilationH, dilationW,
  };
}

function im2col_kernel(col: Tensor, im: Tensor, window: Sliding, blocks: readonly number[]): void {
  const columns = columns_of(im, window, blocks);
  const vol2col = AT_DISPATCH(vol2col_instances, im.scalar_type());
  const n = im.size(0);
  for (let i = 0; i < n; i++) {
    // biome-ignore format: an operand a line
    vol2col(
      col.data_view(), col.data_offset() + i * (col.numel() / n),
      im.data_view(), im.data_offset() + i * (im.numel() / n),
      columns,
    );
  }
}

function col2im_kernel(im: Tensor, col: Tensor, window: Sliding, blocks: readonly number[]): void {
  const columns = columns_of(im, window, blocks);
  const col2vol = AT_DISPATCH(col2vol_instances, im.scalar_type());
  const n = im.size(0);
  for (let i = 0; i < n; i++) {
    // biome-ignore format: an operand a line
    col2vol(
      im.data_view(), im.data_offset() + i * (im.numel() / n),
      col.data_view(), col.data_offset() + i * (col.numel() / n),
      columns,
    );
  }
}

REGISTER_DISPATCH(im2col_stub, im2col_kernel, "im2col_kernel");
REGISTER_DISPATCH(col2im_stub, col2im_kernel, "col2im_kernel");
