/**
 * @file Sizes and checks of pooling windows over images.
 * @mirrors aten/src/ATen/native/Pool.h
 */
import { empty_cpu_options } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { copy_ } from "#aten/native/Copy";
import { check_dim_size } from "#aten/TensorUtils/index";
import { get_channels_last_strides_2d, MemoryFormat } from "#c10/core/MemoryFormat";
import { TORCH_CHECK } from "#c10/util/Exception";

/** Sizes of a window over an image: height, width. */
export interface Window2d {
  readonly kH: number;
  readonly kW: number;
  readonly dH: number;
  readonly dW: number;
  readonly padH: number;
  readonly padW: number;
  readonly dilationH: number;
  readonly dilationW: number;
}

/** Sizes of images (N, C, H, W) or (C, H, W), and of the pooled result. */
export interface Images {
  readonly planes: number;
  readonly H: number;
  readonly W: number;
  readonly oH: number;
  readonly oW: number;
}

/** With `ceil_mode`, the last window may start inside the image and end after it. */
export function pooling_output_shape(
  inputSize: number,
  kernelSize: number,
  pad: number,
  stride: number,
  dilation: number,
  ceil_mode: boolean,
): number {
  TORCH_CHECK(stride !== 0, "stride should not be zero");
  TORCH_CHECK(pad >= 0, "pad must be non-negative, but got pad: ", pad);
  TORCH_CHECK(
    pad <= Math.trunc(((kernelSize - 1) * dilation + 1) / 2),
    "pad should be at most half of effective kernel size, but got pad=",
    `${pad}, kernel_size=${kernelSize} and dilation=${dilation}`,
  );
  const reach = inputSize + 2 * pad - dilation * (kernelSize - 1) - 1 + (ceil_mode ? stride - 1 : 0);
  const outputSize = Math.floor(reach / stride) + 1;
  return ceil_mode && (outputSize - 1) * stride >= inputSize + pad ? outputSize - 1 : outputSize;
}

/** Checks that a number fits into 32 bits, as the numbers of a window do in C++. */
export function safe_downcast(v: number): number {
  TORCH_CHECK(v >= -(2 ** 31) && v < 2 ** 31, "value cannot be converted to type int without overflow");
  return v;
}

/** Two numbers from a list of one or two. */
function unpack(list: readonly number[], message: string): [number, number] {
  TORCH_CHECK(list.length === 1 || list.length === 2, message);
  const first = safe_downcast(list[0]);
  return [first, list.length === 1 ? first : safe_downcast(list[1])];
}

/** @param name of the operator, for its messages; without `dilation`, the window has no gaps */
export function window2d(
  name: string,
  kernel_size: readonly number[],
  stride: readonly number[],
  padding: readonly number[],
  dilation: readonly number[] = [1],
): Window2d {
  const [kH, kW] = unpack(kernel_size, `${name}: kernel_size must either be a single int, or a tuple of two ints`);
  const [dH, dW] =
    stride.length === 0
      ? [kH, kW]
      : unpack(stride, `${name}: stride must either be omitted, a single int, or a tuple of two ints`);
  const [padH, padW] = unpack(padding, `${name}: padding must either be a single int, or a tuple of two ints`);
  const [dilationH, dilationW] = unpack(
    dilation,
    `${name}: dilation must be either a single int, or a tuple of two ints`,
  );
  return { kH, kW, dH, dW, padH, padW, dilationH, dilationW };
}

export function output_width(W: number, window: Window2d, ceil_mode: boolean): number {
  return pooling_output_shape(W, window.kW, window.padW, window.dW, window.dilationW, ceil_mode);
}

/** Sizes of input and result. */
export function images_of(input: Tensor, window: Window2d, ceil_mode: boolean): Images {
  const [H, W] = [input.size(-2), input.size(-1)];
  const oH = pooling_output_shape(H, window.kH, window.padH, window.dH, window.dilationH, ceil_mode);
  const oW = output_width(W, window, ceil_mode);
  const planes = input
    .sizes()
    .slice(0, -2)
    .reduce((n, size) => n * size, 1);
  return { planes, H, W, oH, oW };
}

/** Checks that the input is an image or a batch of images. */
export function check_pool2d_format(input: Tensor): void {
  const format = input.suggest_memory_format();
  const ndim = input.dim();
  if (format === MemoryFormat.ChannelsLast)
    TORCH_CHECK(ndim === 4, "non-empty 4D (batch mode) tensor expected for input with channels_last layout");
  else if (format === MemoryFormat.Contiguous)
    TORCH_CHECK(ndim === 3 || ndim === 4, "non-empty 3D or 4D (batch mode) tensor expected for input");
  else TORCH_CHECK(false, "Unsupport memory format. Supports only ChannelsLast, Contiguous");
}

export function pool2d_shape_check(input: Tensor, window: Window2d, { H, W, oH, oW }: Images): void {
  const { kH, kW, dH, dW, padH, padW, dilationH, dilationW } = window;
  const ndim = input.dim();
  TORCH_CHECK(kW > 0 && kH > 0, `kernel size should be greater than zero, but got kH: ${kH} kW: ${kW}`);
  TORCH_CHECK(dW > 0 && dH > 0, `stride should be greater than zero, but got dH: ${dH} dW: ${dW}`);
  TORCH_CHECK(
    dilationH > 0 && dilationW > 0,
    `dilation should be greater than zero, but got dilationH: ${dilationH} dilationW: ${dilationW}`,
  );
  const sizes = input.sizes();
  TORCH_CHECK(
    (ndim === 3 || ndim === 4) && sizes.every((size, d) => size !== 0 || (ndim === 4 && d === 0)),
    input.suggest_memory_format() === MemoryFormat.ChannelsLast
      ? "Expected 4D (batch mode) tensor expected for input with channels_last layout with optional 0 dim batch size for input, but got: "
      : "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:",
    sizes,
  );
  TORCH_CHECK(
    Math.trunc(kW / 2) >= padW && Math.trunc(kH / 2) >= padH,
    "pad should be smaller than or equal to half of kernel size, but got ",
    `padW = ${padW}, padH = ${padH}, kW = ${kW}, kH = ${kH}`,
  );
  const planes = input.size(-3);
  TORCH_CHECK(
    oW >= 1 && oH >= 1,
    `Given input size: (${planes}x${H}x${W}). Calculated output size: (${planes}x${oH}x${oW}). Output size is too small`,
  );
}

/** Checks that a gradient, or indices, have the sizes of the result. */
export function check_result_sizes(input: Tensor, t: Tensor, { oH, oW }: Images): void {
  const ndim = input.dim();
  check_dim_size(t, ndim, ndim - 3, input.size(-3));
  check_dim_size(t, ndim, ndim - 2, oH);
  check_dim_size(t, ndim, ndim - 1, oW);
}

export function pooled_sizes(input: Tensor, { oH, oW }: Images): number[] {
  return [...input.sizes().slice(0, -2), oH, oW];
}

/** Strides of the result; channels last is kept. */
export function pooled_strides(input: Tensor, sizes: readonly number[]): readonly number[] {
  return input.suggest_memory_format() === MemoryFormat.ChannelsLast ? get_channels_last_strides_2d(sizes) : [];
}

/** A contiguous tensor with the elements of `t`; on the CPU it is copied without the dispatcher. */
export function contiguous_copy(t: Tensor): Tensor {
  if (t.is_contiguous() || !t.is_cpu()) return t.contiguous();
  return copy_(empty_cpu_options(t.sizes(), t.options()), t, false);
}

/**
 * `contiguously` without the dispatcher on the CPU.
 * @differs PyTorch has a loop of its own for channels last.
 */
export function in_contiguous_memory(results: readonly Tensor[], write: (results: readonly Tensor[]) => void): void {
  const to = results.map(contiguous_copy);
  write(to);
  for (const [i, t] of results.entries()) {
    if (to[i].is_same(t)) continue;
    if (t.is_cpu()) copy_(t, to[i], false);
    else t.copy_(to[i]);
  }
}

/** Calls `write` with contiguous tensors, and makes sure that what is written ends up in `results`. */
export function contiguously(results: readonly Tensor[], write: (results: readonly Tensor[]) => void): void {
  const to = results.map((t) => t.contiguous());
  write(to);
  for (const [i, t] of results.entries()) if (!to[i].is_same(t)) t.copy_(to[i]);
}
