/**
 * @file Driver of the gradient of a convolution's weights by Winograd tiles: products of sixteen matrices, summed over
 * the tiles of several instances at once.
 * @original PyTorch leaves this to oneDNN.
 * @see kernel.ts (the kernels and the Note), driver.ts (the conditions)
 */
import { regions_of, with_addresses } from "#aten/cpu/vec/heap";
import { empty_cpu } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { conv_weight_backward_stub } from "#aten/native/ConvolutionMM";
import { gemm_stub, type Matrix, matrix_in_rows, transposed } from "#aten/native/CPUBlas";
import { conv_weight_backward_kernel } from "#aten/native/cpu/ConvolutionMMKernel";
import { functions_of } from "#aten/native/cpu/vec/driver";
import { vol2col_vec } from "#aten/native/cpu/vec/generated/vol2col/kernel";
import { winograd_vec } from "#aten/native/cpu/vec/generated/winograd/kernel";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { divup } from "#aten/Parallel";
import { parallel_kernel } from "#aten/ParallelNative";
import { free_cpu } from "#c10/core/CPUAllocator";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import { as_tiles, lines_of, type Tiled, traced, WORTH_A_THREAD } from "./driver.ts";

/** Number of fours of tiles whose matrices are in memory at once. */
const FOURS_AT_ONCE = 256;
/** Bytes left free between matrices, so that the sixteen do not all start in the same cache set. */
const GAP = 64;

/** Calls `call` for each instance that has some of the planes [begin, end); an instance has `n` planes. */
function of_instances(
  n: number,
  begin: number,
  end: number,
  call: (instance: number, first: number, count: number) => void,
): void {
  for (let i = Math.floor(begin / n); i * n < end; i++) {
    const first = Math.max(0, begin - i * n);
    call(i, first, Math.min(n, end - i * n) - first);
  }
}

/** Sixteen matrices of `rows` by `columns`, and the bytes from one to the next. */
class Sixteen {
  readonly tensor: Tensor;
  readonly step: number;
  private readonly columns: number;

  constructor(rows: number, columns: number) {
    this.columns = columns;
    this.step = rows * columns * 4 + GAP;
    this.tensor = empty_cpu([this.step * 4], ScalarType.Float);
  }

  matrix(): Matrix {
    return { ...matrix_in_rows(this.tensor, 0, this.columns), batchStride: this.step / 4 };
  }
}

/** Computes the weights' gradient. Returns false, without writing anything, if there is no scratch memory. */
function weights_by_tiles(weight: Tensor, small: Tensor, image: Tensor, t: Tiled): boolean {
  const { batch, rows, channels } = t;
  const [[height, width], [H, W], [top, left]] = [t.size, t.read, t.padding];
  const [down, fours] = lines_of(t);
  const each = down * fours;
  // Size of the output rounded up to whole tiles; the image has two more lines and columns.
  const [high, line] = [2 * down, 8 * fours * 4];
  const plane = (high + 2) * (line + 8);
  // Number of instances handled at once: enough for long sums, but not so many that the whole batch must be in memory.
  const group = Math.min(batch, Math.max(1, Math.floor(FOURS_AT_ONCE / each)));
  const row = group * each * 4;
  const x = empty_cpu([(group * channels * plane) / 4], ScalarType.Float);
  const dy = empty_cpu([(group * rows * high * line) / 4], ScalarType.Float);
  const [pixels, grads, products] = [new Sixteen(channels, row), new Sixteen(rows, row), new Sixteen(rows, channels)];
  const { pad_image } = functions_of(vol2col_vec, ScalarType.Float);
  const f = functions_of(winograd_vec, ScalarType.Float);
  const grain = divup(WORTH_A_THREAD, each * 128);
  const transformed = (n: number, some: number): boolean =>
    with_addresses(
      regions_of([pixels.tensor, grads.tensor, x, dy, image, small]),
      ([to_x, to_dy, at_x, at_dy, from_x, from_dy]) => {
        const [image_at, small_at] = [from_x + n * channels * H * W * 4, from_dy + n * rows * height * width * 4];
        pad_image(at_x, image_at, some * channels, H, W * 4, high + 2, line + 8, top, left * 4);
        pad_image(at_dy, small_at, some * rows, height, width * 4, high, line, 0, 0);
        parallel_kernel(f.winograd_pixels, -1, 0, some * channels, grain, (g, begin, end) =>
          of_instances(channels, begin, end, (i, c, count) => {
            const to = to_x + (c * row + i * each * 4) * 4;
            g(to, pixels.step, row * 4, at_x + (i * channels + c) * plane, count, line + 8, plane, down, fours);
          }),
        );
        parallel_kernel(f.winograd_gradients, -1, 0, some * rows, grain, (g, begin, end) =>
          of_instances(rows, begin, end, (i, k, count) => {
            const to = to_dy + (k * row + i * each * 4) * 4;
            g(to, grads.step, row * 4, at_dy + (i * rows + k) * high * line, count, line, down, fours);
          }),
        );
      },
      2,
    );
  let done = true;
  for (let n = 0; n < batch; n += group) {
    const some = Math.min(group, batch - n);
    done = transformed(n, some);
    if (!done) break;
    const [a, b, c] = [grads.matrix(), transposed(pixels.matrix()), products.matrix()];
    const beta = n === 0 ? 0 : 1;
    gemm_stub.call(DeviceType.CPU, ScalarType.Float, rows, channels, some * each * 4, 1, a, b, beta, c, 16);
  }
  done &&= with_addresses(regions_of([weight, products.tensor]), ([to, m]) =>
    f.winograd_weights_gradient(to, m, products.step, rows * channels),
  );
  for (const each of [x, dy, pixels.tensor, grads.tensor, products.tensor])
    free_cpu(each.storage().data_ptr(), each.storage().nbytes());
  return done;
}

const conv_weight_backward_vec: typeof conv_weight_backward_kernel = (weight, small, image, sizes) => {
  const plain = (): void => conv_weight_backward_kernel(weight, small, image, sizes);
  const tiled = as_tiles(image.scalar_type(), sizes, false);
  if (tiled === null) plain();
  else
    traced(
      "winograd_weights",
      [weight, small, image],
      tiled,
      () => weights_by_tiles(weight, small, image, tiled),
      plain,
    );
};

REGISTER_ARCH_DISPATCH(
  conv_weight_backward_stub,
  CPUCapability.SIMD128,
  conv_weight_backward_vec,
  "conv_weight_backward_vec",
);
