/**
 * @file Drivers of 3x3 convolution with stride 1, and of its gradient for the image, by Winograd tiles; they need
 * enough channels on both sides.
 * @original In PyTorch oneDNN chooses the algorithm.
 * @differs Ours sums products of transformed pixels and transformed weights; PyTorch asks oneDNN for a direct sum of
 * products.
 * @see kernel.ts (the kernel), weights_driver.ts (the weights' gradient), ../blas/conv_driver.ts (the fallback)
 */
import { memory_of, regions_of, with_addresses, workspace } from "#aten/cpu/vec/heap";
import { empty_cpu } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { type ConvSizes, conv_input_backward_stub } from "#aten/native/ConvolutionMM";
import { conv_input_backward_kernel } from "#aten/native/cpu/ConvolutionMMKernel";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { vol2col_vec } from "#aten/native/cpu/vec/generated/vol2col/kernel";
import { winograd_vec } from "#aten/native/cpu/vec/generated/winograd/kernel";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { divup } from "#aten/Parallel";
import { parallel_kernel, told_of_threads } from "#aten/ParallelNative";
import { free_cpu } from "#c10/core/CPUAllocator";
import { heap_memory } from "#c10/core/CPUHeap";
import { ScalarType } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";
import { WEIGHTS_BYTES, WORK_BYTES } from "./kernel.ts";

/** Smallest number of input and output channels: with fewer, the transforms cost as much as they save. */
const FEWEST_CHANNELS = 16;
/** Largest number of input channels: with more, the sums become long, and a thread needs too much scratch memory. */
const MOST_CHANNELS = 1024;
/**
 * Cost of four tiles, and cost of transforming the weights, in places of the direct sum (measured from 16 to 512
 * channels: 7 and 11).
 */
const [PLACES_OF_FOUR, PLACES_OF_WEIGHTS] = [8, 12];
export const WORTH_A_THREAD = 65536;

/**
 * A 3x3 convolution with stride 1, or its gradient for the image, which is such a convolution with the weights turned
 * around.
 */
export interface Tiled {
  readonly batch: number;
  /** Channels of the output (`rows`) and of the input. */
  readonly rows: number;
  readonly channels: number;
  /** Size of the output, and of the input (`read`). */
  readonly size: readonly [height: number, width: number];
  readonly read: readonly [height: number, width: number];
  readonly padding: readonly [height: number, width: number];
  readonly turned: boolean;
}

const all = (values: readonly number[], value: number): boolean => values.every((v) => v === value);

/**
 * The tiles of a convolution, or null if tiles are not the best way to compute it. `turned` is true for the gradient of
 * the image.
 */
export function as_tiles(dtype: ScalarType, sizes: ConvSizes, turned: boolean): Tiled | null {
  const { batch, groups, C, K, image, small, kernel, stride, padding, dilation } = sizes;
  const [[, H, W], [, h, w], [, pH, pW]] = [image, small, padding];
  const flat = image[0] === 1 && kernel[0] === 1 && padding[0] === 0;
  if (!flat || kernel[1] !== 3 || kernel[2] !== 3 || !all(stride, 1) || !all(dilation, 1)) return null;
  if (dtype !== ScalarType.Float || groups !== 1 || h !== H + 2 * pH - 2 || w !== W + 2 * pW - 2) return null;
  const t: Tiled = turned
    ? { batch, rows: C, channels: K, size: [H, W], read: [h, w], padding: [2 - pH, 2 - pW], turned }
    : { batch, rows: K, channels: C, size: [h, w], read: [H, W], padding: [pH, pW], turned };
  if (Math.min(C, K) < FEWEST_CHANNELS || t.channels > MOST_CHANNELS || Math.min(...t.padding) < 0) return null;
  const [down, fours] = lines_of(t);
  const tiled = batch * down * fours * PLACES_OF_FOUR + PLACES_OF_WEIGHTS;
  if (tiled >= batch * t.size[0] * t.size[1]) return null;
  return heap_memory() !== null && workspace(work_bytes(t)) !== 0 ? t : null;
}

/** Number of lines of tiles, and number of groups of four tiles in a line. */
export function lines_of({ size: [height, width] }: Tiled): [down: number, fours: number] {
  return [divup(height, 2), divup(width, 8)];
}

function work_bytes({ channels }: Tiled): number {
  return WORK_BYTES.once + channels * WORK_BYTES.channel;
}

/**
 * result = convolution of `image` and `weight`, plus `bias`. Returns false, without writing anything, if there is no
 * scratch memory.
 */
function by_tiles(result: Tensor, image: Tensor, weight: Tensor, bias_: Tensor | null, t: Tiled): boolean {
  const bias = bias_?.to_dtype(ScalarType.Float).contiguous() ?? null; // if the image is bfloat16, so may be the bias
  const { batch, rows, channels, turned } = t;
  const [[height, width], [H, W], [top, left]] = [t.size, t.read, t.padding];
  const [down, fours] = lines_of(t);
  // Size of the image with its margin of zeros, which reaches as far as the last tiles.
  const [high, wide] = [2 * down + 2, 8 * fours + 2];
  const padded = empty_cpu([batch, channels, high, wide], ScalarType.Float);
  const strips = divup(rows, 4);
  const made = empty_cpu([strips * ((WEIGHTS_BYTES.once + channels * WEIGHTS_BYTES.channel) / 4)], ScalarType.Float);
  const { pad_image } = functions_of(vol2col_vec, ScalarType.Float);
  const { winograd_weights, winograd } = functions_of(winograd_vec, ScalarType.Float);
  const regions = regions_of([result, padded, made, image, weight, ...(bias === null ? [] : [bias])]);
  const done = with_addresses(regions, ([to, x, u, from, w, b = 0]) => {
    pad_image(x, from, batch * channels, H, W * 4, high, wide * 4, top, left * 4);
    // If the weights are turned around, the last of the nine comes first, and (K, C, 3, 3) is read as (C, K, 3, 3).
    const [row, channel] = turned ? [36, rows * 36] : [channels * 36, 36];
    winograd_weights(u, turned ? w + 32 : w, rows, channels, row, channel, turned ? -4 : 4);
    const work = workspace(work_bytes(t));
    const plane = high * wide * 4;
    const each = down * fours;
    const grain = divup(WORTH_A_THREAD, rows * channels * 64);
    // The two groups of a strip stay together within an instance. The split among threads changes no result.
    parallel_kernel(
      winograd,
      0,
      0,
      batch * each,
      grain,
      (f, begin, end) => {
        for (let n = Math.floor(begin / each); n * each < end; n++) {
          const [first, last] = [Math.max(0, begin - n * each), Math.min(each, end - n * each)];
          const [image_at, to_at] = [x + n * channels * plane, to + n * rows * height * width * 4];
          // biome-ignore format: one operand group per line
          f(
            work, first, last, fours, rows, channels, u, b,
            image_at, wide * 4, plane, to_at, height, width,
          );
        }
      },
      2,
    );
  });
  for (const t of [padded, made]) free_cpu(t.storage().data_ptr(), t.storage().nbytes());
  return done;
}

/**
 * Runs `vectors`, or `plain` if that returns false because there is no scratch memory. A trace records it as a loop.
 */
export function traced(
  name: string,
  tensors: readonly Tensor[],
  tiled: Tiled,
  vectors: () => boolean,
  plain: () => void,
): void {
  const run = (): void => {
    if (!vectors()) plain();
  };
  if (tracer === null) run();
  else {
    const memory = memory_of(tensors.map((t) => t.impl_));
    const shape = [tiled.batch, tiled.rows, tiled.channels, ...tiled.size];
    const data = vector_loop(name, "winograd/kernel", winograd_vec, ScalarType.Float, shape, memory);
    traceCall("loop", data["scalar"] as string, run, [], data, told_of_threads);
  }
}

export function run_tiles(
  result: Tensor,
  image: Tensor,
  weight: Tensor,
  bias: Tensor | null,
  tiled: Tiled,
  plain: () => void,
): void {
  traced("winograd", [result, image, weight], tiled, () => by_tiles(result, image, weight, bias, tiled), plain);
}

const conv_input_backward_vec: typeof conv_input_backward_kernel = (image, small, weight, sizes) => {
  const plain = (): void => conv_input_backward_kernel(image, small, weight, sizes);
  const tiled = as_tiles(image.scalar_type(), sizes, true);
  if (tiled === null) plain();
  else run_tiles(image, small, weight, null, tiled, plain);
};

REGISTER_ARCH_DISPATCH(
  conv_input_backward_stub,
  CPUCapability.SIMD128,
  conv_input_backward_vec,
  "conv_input_backward_vec",
);
