/**
 * @file Functions of `torch.nn.functional` that rearrange images: pixel shuffle, channel shuffle, and blocks as columns.
 * @mirrors torch/nn/functional.py#unfold
 */
import { _C } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { _pair, type Sizes } from "#torch/nn/modules/utils";
import { handle_torch_function, has_torch_function_unary } from "#torch/overrides";

const _VF = _C._VariableFunctions;

/** Groups of `upscale_factor ** 2` channels rearranged as squares of pixels. */
export const pixel_shuffle = _VF.pixel_shuffle;

/** The inverse of `pixel_shuffle`. */
export const pixel_unshuffle = _VF.pixel_unshuffle;

/** The channels reordered: one from each group in turn. */
export const channel_shuffle = _VF.channel_shuffle;

/** `channel_shuffle` as a backend implements it. */
export const native_channel_shuffle = _VF.native_channel_shuffle;

/** Sliding blocks of `kernel_size` as columns.   `(N, C, H, W) -> (N, C * kH * kW, blocks)` */
export const unfold = def(
  "unfold(input, kernel_size, dilation=1, padding=0, stride=1)",
  (input: Tensor, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes): Tensor => {
    if (has_torch_function_unary(input))
      return handle_torch_function(unfold, [input], input, kernel_size, { dilation, padding, stride }) as Tensor;
    return _C._nn.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride));
  },
  "torch.nn.functional.unfold",
);

/** Columns put back at the positions of their blocks; overlapping blocks are added.   `(N, C * kH * kW, blocks) -> (N, C, H, W)` */
export const fold = def(
  "fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1)",
  (input: Tensor, output_size: Sizes, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes): Tensor => {
    if (has_torch_function_unary(input)) {
      const kwargs = { dilation, padding, stride };
      return handle_torch_function(fold, [input], input, output_size, kernel_size, kwargs) as Tensor;
    }
    return _C._nn.col2im(input, _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride));
  },
  "torch.nn.functional.fold",
);
