/**
 * @file `im2col` (`F.unfold`): the blocks under a sliding window, as columns. Col2Im.ts is the inverse.
 * @mirrors aten/src/ATen/native/Im2Col.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

/** Sizes of a sliding window, (height, width) each. */
export interface Sliding {
  readonly kernel_size: readonly number[];
  readonly dilation: readonly number[];
  readonly padding: readonly number[];
  readonly stride: readonly number[];
}

/** Converts `col` in (N, C * kernel, blocks) from `im` in (N, C, H, W); both are contiguous. */
export const im2col_stub =
  DEFINE_DISPATCH<(col: Tensor, im: Tensor, window: Sliding, blocks: readonly number[]) => void>("im2col_stub");
/** Adds to `im`. */
export const col2im_stub =
  DEFINE_DISPATCH<(im: Tensor, col: Tensor, window: Sliding, blocks: readonly number[]) => void>("col2im_stub");

const NAMES = ["kernel_size", "dilation", "padding", "stride"] as const;

export function check_pairs(lists: Readonly<Record<string, readonly number[]>>): void {
  for (const [name, list] of Object.entries(lists))
    TORCH_CHECK(list.length === 2, `It is expected ${name} equals to 2, but got size ${list.length}`);
}

/** Accepts floating dtypes and bool. */
export function check_im2col_type(dtype: ScalarType, label: string): void {
  const { Float, Double, Half, BFloat16, Bool } = ScalarType;
  TORCH_CHECK_NOT_IMPLEMENTED(
    [Float, Double, Half, BFloat16, Bool].some((known) => known === dtype),
    `"${label}" not implemented for '${toString(dtype)}'`,
  );
}

/** Calls `run` with bytes in place of bools. */
export function as_bytes(self: Tensor, run: (self: Tensor) => Tensor): Tensor {
  return self.scalar_type() === ScalarType.Bool
    ? run(self.to_dtype(ScalarType.Byte)).to_dtype(ScalarType.Bool)
    : run(self);
}

export function pair_repr(list: readonly number[]): string {
  return `(${list.join(", ")})`;
}

export function check_window({ kernel_size, dilation, padding, stride }: Sliding): void {
  const positive = (list: readonly number[], what: string, of: string) =>
    TORCH_CHECK(
      list[0] > 0 && list[1] > 0,
      `${what} should be greater than zero, but got ${of}_height: ${list[0]} ${of}_width: ${list[1]}`,
    );
  positive(kernel_size, "kernel size", "kernel");
  positive(dilation, "dilation", "dilation");
  TORCH_CHECK(
    padding[0] >= 0 && padding[1] >= 0,
    `padding should be non-negative, but got pad_height: ${padding[0]} pad_width: ${padding[1]}`,
  );
  positive(stride, "stride", "stride");
}

/** Number of blocks along height and width. */
export function blocks_of(image: readonly number[], { kernel_size, dilation, padding, stride }: Sliding): number[] {
  return image.map((size, d) => {
    const reach = size + 2 * padding[d] - (dilation[d] * (kernel_size[d] - 1) + 1);
    return Math.floor(reach / stride[d]) + 1;
  });
}

function im2col_shape_check(input: Tensor, window: Sliding): void {
  check_window(window);
  const sizes = input.sizes();
  const ndim = sizes.length;
  const filled = (from: number) => sizes.slice(from).every((size) => size !== 0);
  input.size(2); // throws an IndexError before the check
  TORCH_CHECK(
    (ndim === 3 && filled(0)) || (ndim === 4 && filled(1)),
    "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: ",
    sizes,
  );
  const image = sizes.slice(-2);
  const blocks = blocks_of(image, window);
  TORCH_CHECK(
    blocks.every((n) => n >= 1),
    `Given input with spatial size ${pair_repr(image)}, kernel_size=${pair_repr(window.kernel_size)}, `,
    `dilation=${pair_repr(window.dilation)}, padding=${pair_repr(window.padding)}, `,
    `calculated shape of the array of sliding blocks as ${pair_repr(blocks)}, but its components must be at least one.`,
  );
}

function im2col_result(self: Tensor, window: Sliding): Tensor {
  check_pairs(Object.fromEntries(NAMES.map((name) => [name, window[name]])));
  im2col_shape_check(self, window);
  const batched = self.dim() === 4;
  const input = (batched ? self : self.unsqueeze(0)).contiguous();
  const [n, c, ...image] = input.sizes();
  const blocks = blocks_of(image, window);
  const [kH, kW] = window.kernel_size;
  check_im2col_type(self.scalar_type(), "im2col_out_cpu");
  const output = as_bytes(input, (im) => {
    const col = at
      .empty_like(im, TensorOptions.EMPTY, MemoryFormat.Contiguous)
      .resize_([n, c * kH * kW, blocks[0] * blocks[1]]); // with at least the memory of the input
    if (n !== 0) im2col_stub.call(im.device_type(), col, im, window, blocks);
    return col;
  });
  return batched ? output : output.squeeze_dim(0);
}

// im2col.out                                                                         CPU
export function im2col_out_cpu(
  self: Tensor,
  kernel_size: number[],
  dilation: number[],
  padding: number[],
  stride: number[],
  output: Tensor,
): Tensor {
  const result = im2col_result(self, { kernel_size, dilation, padding, stride });
  output.resize_(result.sizes().slice());
  return output.copy_(result);
}

// im2col                                                                             CPU
export function im2col_cpu(
  self: Tensor,
  kernel_size: number[],
  dilation: number[],
  padding: number[],
  stride: number[],
): Tensor {
  return im2col_result(self, { kernel_size, dilation, padding, stride });
}
