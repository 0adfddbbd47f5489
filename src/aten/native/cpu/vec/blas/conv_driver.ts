/**
 * @file Driver of convolution as a matrix product that reads the pixels in place, without writing the columns of im2col
 * first.
 * @original PyTorch leaves this to oneDNN.
 * @see kernel.ts#conv2d (the kernel), ../winograd/driver.ts (tried first), ../../ConvolutionMMKernel.ts (the fallback)
 */
import { memory_of, regions_of, with_addresses, workspace } from "#aten/cpu/vec/heap";
import { empty_cpu } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { type ConvSizes, conv_forward_stub } from "#aten/native/ConvolutionMM";
import { conv_forward_kernel, is_columns, matrices_of } from "#aten/native/cpu/ConvolutionMMKernel";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { BlasKernel_vec } from "#aten/native/cpu/vec/generated/blas/kernel";
import { vol2col_vec } from "#aten/native/cpu/vec/generated/vol2col/kernel";
import { as_tiles, run_tiles, WORTH_A_THREAD } from "#aten/native/cpu/vec/winograd/driver";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { divup } from "#aten/Parallel";
import { parallel_kernel, told_of_threads } from "#aten/ParallelNative";
import { free_cpu } from "#c10/core/CPUAllocator";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize, ScalarType } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";
import { PANEL, WORK_BYTES } from "./kernel.ts";

/** Smallest number of output channels: with fewer, the packed strips are not reused often enough. */
const FEWEST_ROWS = 12;
/** Smallest number of multiply-adds per image; see gemm_driver.ts. */
const FEWEST = 1024;
const WHOLE_ROWS = 4;
const WORK_PARAMETER = 0;

/** BlasKernel also has integers, which have no convolution here. */
function is_vector_float(dtype: ScalarType): boolean {
  return dtype === ScalarType.Float || dtype === ScalarType.Double;
}

function reads_pixels(image: Tensor, sizes: ConvSizes): boolean {
  const { rows, terms, places } = matrices_of(sizes);
  const flat = sizes.image[0] === 1 && sizes.kernel[0] === 1 && sizes.small[0] === 1 && sizes.padding[0] === 0;
  if (!flat || is_columns(sizes) || !is_vector_float(image.scalar_type())) return false;
  if (rows < FEWEST_ROWS || rows * terms * places < FEWEST || sizes.kernel[1] * sizes.kernel[2] > PANEL) return false;
  return heap_memory() !== null && workspace(WORK_BYTES) !== 0;
}

/**
 * Calls `use` with the image and the height and width of its planes. If the convolution has padding, the image is first
 * copied into one with a margin of zeros.
 */
function with_margin(image: Tensor, sizes: ConvSizes, use: (image: Tensor, height: number, width: number) => boolean) {
  const { batch, C, image: volume, padding } = sizes;
  const [, H, W] = volume;
  const [, pH, pW] = padding;
  if (pH === 0 && pW === 0) return use(image, H, W);
  const [high, wide] = [H + 2 * pH, W + 2 * pW];
  const dtype = image.scalar_type();
  const size = elementSize(dtype);
  const padded = empty_cpu([batch, C, high, wide], dtype);
  const { pad_image } = functions_of(vol2col_vec, dtype);
  const done =
    with_addresses(regions_of([padded, image]), ([to, from]) =>
      pad_image(to, from, batch * C, H, W * size, high, wide * size, pH, pW * size),
    ) && use(padded, high, wide);
  free_cpu(padded.storage().data_ptr(), padded.storage().nbytes());
  return done;
}

function vectors(small: Tensor, image: Tensor, weight: Tensor, beta: number, sizes: ConvSizes): boolean {
  const { batch, groups, C, kernel, small: volume, stride, dilation } = sizes;
  const { rows, terms, places } = matrices_of(sizes);
  const dtype = image.scalar_type();
  const size = elementSize(dtype);
  const channels = C / groups;
  const [, kH, kW] = kernel;
  const step = Math.floor(PANEL / (kH * kW));
  const { conv2d } = functions_of(BlasKernel_vec, dtype);
  const grain = Math.max(FEWEST_ROWS, divup(WORTH_A_THREAD, places * terms));
  return with_margin(image, sizes, (x, height, width) =>
    with_addresses(regions_of([small, x, weight]), ([to, from, weights]) => {
      const work = workspace(WORK_BYTES);
      const [line, plane] = [width * size, height * width * size];
      for (let g = 0; g < batch * groups; g++) {
        const [at_x, at_y] = [from + g * channels * plane, to + g * rows * places * size];
        const at_w = weights + (g % groups) * rows * terms * size;
        parallel_kernel(
          conv2d,
          WORK_PARAMETER,
          0,
          rows,
          grain,
          (f, begin, end) =>
            // biome-ignore format: one group of operands per line
            f(
              work, end - begin, places, volume[2], channels, step,
              at_w + begin * terms * size, terms * size, at_x, plane, kH, kW,
              dilation[1] * line, dilation[2] * size, stride[1] * line, stride[2] * size,
              beta, at_y + begin * places * size, places * size,
            ),
          WHOLE_ROWS,
        );
      }
    }),
  );
}

const conv_forward_vec: typeof conv_forward_kernel = (small, image, weight, bias, sizes, room) => {
  const plain = (): void => conv_forward_kernel(small, image, weight, bias, sizes, room);
  const tiled = as_tiles(image.scalar_type(), sizes, false);
  if (tiled !== null) {
    run_tiles(small, image, weight, bias, tiled, plain);
    return;
  }
  if (!reads_pixels(image, sizes)) {
    plain();
    return;
  }
  if (bias !== null) small.copy_(bias.reshape([-1, ...small.sizes().slice(2).fill(1)]));
  const run = (): void => {
    if (!vectors(small, image, weight, bias === null ? 0 : 1, sizes)) plain();
  };
  if (tracer === null) run();
  else {
    const { rows, terms, places } = matrices_of(sizes);
    const memory = memory_of([small.impl_, image.impl_, weight.impl_]);
    const shape = [sizes.batch * sizes.groups, rows, places, terms];
    const data = vector_loop("conv2d", "blas/kernel", BlasKernel_vec, image.scalar_type(), shape, memory);
    traceCall("loop", data["scalar"] as string, run, [], data, told_of_threads);
  }
};

REGISTER_ARCH_DISPATCH(conv_forward_stub, CPUCapability.SIMD128, conv_forward_vec, "conv_forward_vec");
