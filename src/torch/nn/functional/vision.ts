/**
 * @file The functions of `torch.nn.functional` that lay images out anew: shuffles of pixels and channels, columns of blocks.
 * @mirrors torch/nn/functional.py#unfold
 */
import { _C } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { _pair, type Sizes } from "#torch/nn/modules/utils";

const _VF = _C._VariableFunctions;

/** Every `upscale_factor ** 2` channels laid out as squares of pixels. */
export const pixel_shuffle = _VF.pixel_shuffle;

/** `pixel_shuffle` undone. */
export const pixel_unshuffle = _VF.pixel_unshuffle;

/** The channels of several groups dealt out in turn. */
export const channel_shuffle = _VF.channel_shuffle;

/** `channel_shuffle`, as the backend has it. */
export const native_channel_shuffle = _VF.native_channel_shuffle;

/** The blocks of `kernel_size`, as columns.   `(N, C, H, W) -> (N, C * kH * kW, blocks)` */
export const unfold = def_overridable(
  "unfold(input: Tensor, kernel_size, dilation=1, padding=0, stride=1)",
  (input: Tensor, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes): Tensor =>
    _C._nn.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride)),
  "torch.nn.functional.unfold",
);

/** Columns put back where blocks were, and added where they overlap.   `(N, C * kH * kW, blocks) -> (N, C, H, W)` */
export const fold = def_overridable(
  "fold(input: Tensor, output_size, kernel_size, dilation=1, padding=0, stride=1)",
  (input: Tensor, output_size: Sizes, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes): Tensor =>
    _C._nn.col2im(input, _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride)),
  "torch.nn.functional.fold",
);
