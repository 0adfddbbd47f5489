/**
 * @file Blocks of images to columns, and back.
 * @mirrors torch/csrc/api/include/torch/nn/functional/fold.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TORCH_CHECK } from "#c10/util/Exception";
import type { FoldOptions, UnfoldOptions } from "../options/fold.ts";

export function fold(input: Tensor, options: FoldOptions): Tensor {
  TORCH_CHECK(
    input.dim() === 3 || input.dim() === 2,
    "Input Error: Only unbatched (2D) or batched (3D) input Tensors are supported (got ",
    input.dim(),
    "D)",
  );
  const { kernel_size, dilation, padding, stride } = windows(options);
  return at.col2im(input, options.output_size(), kernel_size, dilation, padding, stride);
}

export function unfold(input: Tensor, options: UnfoldOptions): Tensor {
  TORCH_CHECK(input.dim() === 4, "Input Error: Only 4D input Tensors are supported (got ", input.dim(), "D)");
  const { kernel_size, dilation, padding, stride } = windows(options);
  return at.im2col(input, kernel_size, dilation, padding, stride);
}

function windows(options: FoldOptions | UnfoldOptions) {
  return {
    kernel_size: options.kernel_size(),
    dilation: options.dilation(),
    padding: options.padding(),
    stride: options.stride(),
  } as const;
}
