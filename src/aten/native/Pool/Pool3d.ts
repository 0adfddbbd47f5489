/**
 * @file Sizes and checks of pooling windows over volumes.
 * @mirrors aten/src/ATen/native/Pool.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { check_dim_size } from "#aten/TensorUtils/index";
import { TORCH_CHECK } from "#c10/util/Exception";
import { type Images, pooling_output_shape, safe_downcast, type Window2d } from "./index.ts";

/** Sizes of volumes (N, C, T, H, W) or (C, T, H, W), and of the pooled result. */
export interface Volumes {
  readonly planes: number;
  readonly T: number;
  readonly H: number;
  readonly W: number;
  readonly oT: number;
  readonly oH: number;
  readonly oW: number;
}

/** Sizes for adaptive pooling to given output sizes. */
export function adaptive_volumes_of(input: Tensor, [oT, oH, oW]: readonly number[]): Volumes {
  const sizes = input.sizes();
  const [T, H, W] = sizes.slice(-3);
  return { planes: sizes.slice(0, -3).reduce((n, size) => n * size, 1), T, H, W, oT, oH, oW };
}

/** Only the batch may be empty. `what` is the name of `t` in the message. */
export function check_not_empty(name: string, what: string, t: Tensor): void {
  for (let i = 1; i < t.dim(); i++)
    TORCH_CHECK(
      t.size(i) > 0,
      `${name}(): Expected ${what} to have non-zero size for non-batch dimensions, but ${what} has sizes `,
      t.sizes(),
      ` with dimension ${i} being empty`,
    );
}

/** Sizes of a window over a volume: depth (time), height, width. */
export interface Window3d {
  readonly kT: number;
  readonly kH: number;
  readonly kW: number;
  readonly dT: number;
  readonly dH: number;
  readonly dW: number;
  readonly padT: number;
  readonly padH: number;
  readonly padW: number;
  readonly dilationT: number;
  readonly dilationH: number;
  readonly dilationW: number;
}

/** Three numbers from a list of one or three. */
function unpack(list: readonly number[], message: string): readonly number[] {
  TORCH_CHECK(list.length === 1 || list.length === 3, message);
  for (const n of list) safe_downcast(n);
  return list.length === 1 ? [list[0], list[0], list[0]] : list;
}

/** @param must the start of the messages of operator `name`: "must either be" or "must be" */
export function window3d(
  name: string,
  must: string,
  kernel_size: readonly number[],
  stride: readonly number[],
  padding: readonly number[],
  dilation: readonly number[] = [1],
): Window3d {
  const sizes = "a single int, or a tuple of three ints";
  const kernel = unpack(kernel_size, `${name}: kernel_size ${must} ${sizes}`);
  const step = stride.length === 0 ? kernel : unpack(stride, `${name}: stride ${must} omitted, ${sizes}`);
  const pad = unpack(padding, `${name}: padding ${must} ${sizes}`);
  const gaps = unpack(dilation, `${name}: dilation must be either ${sizes}`);
  const [kT, kH, kW] = kernel;
  const [dT, dH, dW] = step;
  const [padT, padH, padW] = pad;
  const [dilationT, dilationH, dilationW] = gaps;
  return { kT, kH, kW, dT, dH, dW, padT, padH, padW, dilationT, dilationH, dilationW };
}

/** Sizes of input and result. */
export function volumes_of(input: Tensor, w: Window3d, ceil_mode: boolean): Volumes {
  const ndim = input.dim();
  TORCH_CHECK(ndim === 4 || ndim === 5, "non-empty 4D or 5D (batch mode) tensor expected for input");
  const [T, H, W] = input.sizes().slice(-3);
  return adaptive_volumes_of(input, [
    pooling_output_shape(T, w.kT, w.padT, w.dT, w.dilationT, ceil_mode),
    pooling_output_shape(H, w.kH, w.padH, w.dH, w.dilationH, ceil_mode),
    pooling_output_shape(W, w.kW, w.padW, w.dW, w.dilationW, ceil_mode),
  ]);
}

/** If `check_input_size`, the window must fit into the input without padding. */
export function pool3d_shape_check(
  name: string,
  input: Tensor,
  w: Window3d,
  volumes: Volumes,
  check_input_size: boolean,
): void {
  const { kT, kH, kW, dT, dH, dW, padT, padH, padW, dilationT, dilationH, dilationW } = w;
  const { T, H, W, oT, oH, oW } = volumes;
  const ndim = input.dim();
  TORCH_CHECK(
    kT > 0 && kW > 0 && kH > 0,
    `kernel size should be greater than zero, but got kT: ${kT} kH: ${kH} kW: ${kW}`,
  );
  TORCH_CHECK(dT > 0 && dW > 0 && dH > 0, `stride should be greater than zero, but got dT: ${dT} dH: ${dH} dW: ${dW}`);
  TORCH_CHECK(
    dilationT > 0 && dilationW > 0 && dilationH > 0,
    `dilation should be greater than zero, but got dilationT: ${dilationT} dilationH: ${dilationH} dilationW: ${dilationW}`,
  );
  for (let i = ndim === 5 ? 1 : 0; i < ndim; i++)
    TORCH_CHECK(
      input.size(i) > 0,
      `${name}: Expected input's non-batch dimensions to have positive length, but input has a shape of `,
      input.sizes(),
      ` and non-batch dimension ${input.size(i)} has length zero!`,
    );
  if (check_input_size)
    TORCH_CHECK(
      T >= kT && H >= kH && W >= kW,
      `input image (T: ${T} H: ${H} W: ${W}) smaller than kernel size (kT: ${kT} kH: ${kH} kW: ${kW})`,
    );
  TORCH_CHECK(
    Math.trunc(kT / 2) >= padT && Math.trunc(kW / 2) >= padW && Math.trunc(kH / 2) >= padH,
    "pad should be smaller than or equal to half of kernel size, but got ",
    `kT: ${kT} kW: ${kW} kH: ${kH} padT: ${padT} padW: ${padW} padH: ${padH}`,
  );
  const planes = input.size(-4);
  TORCH_CHECK(
    oT >= 1 && oW >= 1 && oH >= 1,
    `Given input size: (${planes}x${T}x${H}x${W}). Calculated output size: (${planes}x${oT}x${oH}x${oW}). `,
    "Output size is too small",
  );
}

/** Checks that a gradient, or indices, have the sizes of the result. */
export function check_volume_sizes(input: Tensor, t: Tensor, spatial: readonly number[]): void {
  const ndim = input.dim();
  for (const [i, size] of [input.size(-4), ...spatial].entries()) check_dim_size(t, ndim, ndim - 4 + i, size);
}

export function pooled_volume_sizes(input: Tensor, { oT, oH, oW }: Volumes): number[] {
  return [...input.sizes().slice(0, -3), oT, oH, oW];
}

/** Sizes for loops over planes, which need not know that planes have depth. */
export function as_images({ planes, T, H, W, oT, oH, oW }: Volumes): Images {
  return { planes, H: T * H, W, oH: oT * oH, oW };
}

/** Sizes for kernels that only handle volumes: an image has depth 1, and so does its window. */
export function volumes_of_images({ planes, H, W, oH, oW }: Images): Volumes {
  return { planes, T: 1, H, W, oT: 1, oH, oW };
}
export function flat_window(window: Window2d): Window3d {
  return { kT: 1, dT: 1, padT: 0, dilationT: 1, ...window };
}
