/**
 * @file Helpers of fractional max pooling, shared by images and volumes.
 * @mirrors aten/src/ATen/native/FractionalMaxPooling.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import { round_to_bfloat16 } from "#c10/util/BFloat16";
import { TORCH_CHECK } from "#c10/util/Exception";
import { round_to_half } from "#c10/util/Half";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";
import { contiguously } from "./Pool/index.ts";
import type { Volumes } from "./Pool/Pool3d.ts";

/** Sizes of a window: depth, height, width. */
export interface Window {
  readonly kT: number;
  readonly kH: number;
  readonly kW: number;
}

/**
 * All tensors are contiguous. `starts` holds, for each plane, the starts of windows: oT depths, oH heights, oW widths.
 */
export const fractional_max_pool_kernel =
  DEFINE_DISPATCH<
    (output: Tensor, indices: Tensor, input: Tensor, starts: Int32Array, window: Window, volumes: Volumes) => void
  >("fractional_max_pool_kernel");

export function fractional_max_pool_check_shape(dim: number, input: Tensor, samples: Tensor): void {
  TORCH_CHECK(input.scalar_type() === samples.scalar_type(), "Expect _random_samples to have the same dtype as input");
  const ndim = samples.dim();
  TORCH_CHECK(ndim === 3, `Expect _random_samples to have 3 dimensions, got ${ndim}`);
  const [N, C, D] = samples.sizes();
  const batched = input.dim() === dim + 2;
  TORCH_CHECK(N >= (batched ? input.size(0) : 1), "Expect _random_samples.size(0) no less then input batch size.");
  TORCH_CHECK(C === input.size(batched ? 1 : 0), "Expect _random_samples.size(1) equals to input channel size.");
  TORCH_CHECK(D === dim, `Expect _random_samples.size(2) equals to ${dim}; got ${D}.`);
}

function rounding(dtype: ScalarType): (x: number) => number {
  if (dtype === ScalarType.Half) return round_to_half;
  if (dtype === ScalarType.BFloat16) return round_to_bfloat16;
  return dtype === ScalarType.Float ? Math.fround : (x) => x;
}

/** Starts of `output_size` windows; the last window ends with the input. They are computed in the samples' dtype. */
function generate_intervals(
  sample: number,
  input_size: number,
  output_size: number,
  pool_size: number,
  round: (x: number) => number,
): number[] {
  const alpha = round(round(input_size - pool_size) / round(output_size - 1));
  const begin = Math.trunc(round(sample * alpha));
  return Array.from({ length: output_size }, (_, i) =>
    i === output_size - 1 ? input_size - pool_size : Math.trunc(round(round(round(i) + sample) * alpha)) - begin,
  );
}

/**
 * `order` is the number of a plane's sample for depth, height and width; -1 means none, because there is one window.
 */
export function fractional_max_pool_into(
  results: readonly [output: Tensor, indices: Tensor],
  input: Tensor,
  samples: Tensor,
  order: readonly number[],
  window: Window,
  volumes: Volumes,
): void {
  const { T, H, W, oT, oH, oW, planes } = volumes;
  const round = rounding(samples.scalar_type());
  const wide = samples.to_device(Device.of(DeviceType.CPU), ScalarType.Double).contiguous();
  const [values, at_] = [wide.data_view() as Float64Array, wide.data_offset()];
  const count = samples.size(2);
  const starts: number[] = [];
  const dims = [
    [T, oT, window.kT],
    [H, oH, window.kH],
    [W, oW, window.kW],
  ] as const;
  for (let p = 0; p < planes; p++) {
    for (const [d, [size, windows, k]] of dims.entries()) {
      const sample = order[d] === -1 ? 0 : values[at_ + p * count + order[d]];
      starts.push(...generate_intervals(sample, size, windows, k, round));
    }
  }
  contiguously(results, ([output, indices]) =>
    fractional_max_pool_kernel.call(
      input.device_type(),
      output,
      indices,
      input.contiguous(),
      Int32Array.from(starts),
      window,
      volumes,
    ),
  );
}
