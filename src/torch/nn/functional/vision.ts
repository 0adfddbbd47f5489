/**
 * @file Functions of `torch.nn.functional` that rearrange images: pixel shuffle, channel shuffle, and blocks as columns.
 * @mirrors torch/nn/functional.py#unfold
 */
import { _C } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { _pair, type Sizes } from "#torch/nn/modules/utils";

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
export const unfold = def_overridable(
  "unfold(input: Tensor, kernel_size, dilation=1, padding=0, stride=1)",
  (input: Tensor, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes): Tensor =>
    _C._nn.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride)),
  "torch.nn.functional.unfold",
);

/** Columns put back at the positions of their blocks; overlapping blocks are added.   `(N, C * kH * kW, blocks) -> (N, C, H, W)` */
export const fold = def_overridable(
  "fold(input: Tensor, output_size, kernel_size, dilation=1, padding=0, stride=1)",
  (input: Tensor, output_size: Sizes, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes): Tensor =>
    _C._nn.col2im(input, _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride)),
  "torch.nn.functional.fold",
);
