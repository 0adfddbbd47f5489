/**
 * @file Drivers of batch norm with SIMD: contiguous float32 images, rows in parallel.
 * @mirrors aten/src/ATen/native/cpu/batch_norm_kernel.cpp
 */
import { memory_of, regions_of, with_addresses } from "#aten/cpu/vec/heap";
import { empty_cpu } from "#aten/EmptyTensor";
import type { Tensor } from "#aten/generated/core/TensorBody";
import {
  batch_norm_cpu_backward_stub,
  batch_norm_cpu_collect_stats_stub,
  batch_norm_cpu_stub,
} from "#aten/native/batch_norm";
import { type ChannelLoops, default_loops } from "#aten/native/cpu/batch_norm_channels";
import {
  batch_norm_cpu_backward_kernel,
  batch_norm_cpu_collect_stats_kernel,
  batch_norm_cpu_kernel,
} from "#aten/native/cpu/batch_norm_kernel";
import { default_loop } from "#aten/native/cpu/default_loop";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { batch_norm_kernel_vec } from "#aten/native/cpu/vec/generated/batch_norm/kernel";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { GRAIN_SIZE } from "#aten/Parallel";
import { parallel_kernel, told_of_threads } from "#aten/ParallelNative";
import { heap_memory } from "#c10/core/CPUHeap";
import { ScalarType } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";

/** Smallest number of positions in a channel for which SIMD is faster. */
const SHORTEST = 8;
const { Float } = ScalarType;

/** N instances of C channels; each channel has n elements. */
interface Rows {
  readonly C: number;
  readonly n: number;
  readonly rows: number;
}

function rows_of(image: Tensor): Rows {
  const [N, C] = image.sizes();
  return { C, n: image.numel() / (N * C), rows: N * C };
}

function why_not(images: readonly Tensor[]): string | null {
  if (images.some((t) => !batch_norm_kernel_vec.has(t.scalar_type()))) return "no SIMD kernel for this dtype";
  if (!images.every((t) => t.is_contiguous())) return "not contiguous (channels last)";
  if (images[0].numel() === 0 || rows_of(images[0]).n < SHORTEST) return `channels of fewer than ${SHORTEST} elements`;
  return heap_memory() === null ? "no heap" : null;
}

/**
 * Returns what `vectors` returns. Runs `plain` instead if there is a reason against SIMD, or if `vectors` returns false
 * because scratch memory is missing. A trace records either one as a loop.
 */
function run<T>(name: string, images: readonly Tensor[], vectors: () => T | false, plain: () => T): T {
  const why = why_not(images);
  const loop = (): T => {
    const made = why === null && vectors();
    return made === false ? plain() : made;
  };
  if (tracer === null) return loop();
  const [image] = images;
  const shape = image.sizes().slice();
  const data =
    why === null
      ? vector_loop(
          name,
          "batch_norm/kernel",
          batch_norm_kernel_vec,
          Float,
          shape,
          memory_of(images.map((t) => t.impl_)),
        )
      : default_loop(name, "batch_norm_kernel", image.scalar_type(), shape, why);
  return traceCall("loop", `at::native::${name}`, loop, [], data, told_of_threads) as T;
}

const grain_of = ({ n }: Rows): number => Math.max(1, Math.floor(GRAIN_SIZE / (4 * n)));

/** A new float32 tensor in the heap that holds `values`. */
function floats(values: ArrayLike<number>): Tensor {
  const t = empty_cpu([values.length], Float);
  elements(t).set(values);
  return t;
}

function elements(t: Tensor): Float32Array {
  return (t.data_view() as Float32Array).subarray(t.data_offset(), t.data_offset() + t.numel());
}

/** Adds the sums of all rows that belong to the same channel. */
function by_channel(of_rows: Tensor, C: number): Float64Array {
  const sums = new Float64Array(C);
  const rows = elements(of_rows);
  for (let i = 0, c = 0; i < rows.length; i++, c = c + 1 === C ? 0 : c + 1) sums[c] += rows[i];
  return sums;
}

const vector_loops: ChannelLoops = {
  sums: (input) =>
    run(
      "batch_norm_sums",
      [input],
      () => {
        const all = rows_of(input);
        const sums = empty_cpu([all.rows], Float);
        const { row_sums } = functions_of(batch_norm_kernel_vec, Float);
        const done = with_addresses(regions_of([sums, input]), ([to, x]) =>
          parallel_kernel(row_sums, -1, 0, all.rows, grain_of(all), (f, begin, end) =>
            f(to + begin * 4, x + begin * all.n * 4, end - begin, all.n),
          ),
        );
        return done && by_channel(sums, all.C);
      },
      () => default_loops.sums(input),
    ),

  var_sums: (input, mean) =>
    run(
      "batch_norm_var_sums",
      [input],
      () => {
        const all = rows_of(input);
        const [sums, means] = [empty_cpu([all.rows], Float), floats(mean)];
        const { row_squares } = functions_of(batch_norm_kernel_vec, Float);
        const done = with_addresses(regions_of([sums, input, means]), ([to, x, m]) =>
          parallel_kernel(row_squares, -1, 0, all.rows, grain_of(all), (f, begin, end) =>
            f(to + begin * 4, x + begin * all.n * 4, m, end - begin, begin % all.C, all.C, all.n),
          ),
        );
        if (!done) return false;
        // `mean` was rounded to a float. The squares are taken about the rounded mean, so its rounding error is
        // subtracted.
        const count = input.numel() / all.C;
        return by_channel(sums, all.C).map((sum, c) =>
          Math.max(0, sum - count * (Math.fround(mean[c]) - mean[c]) ** 2),
        );
      },
      () => default_loops.var_sums(input, mean),
    ),

  transform: (output, input, alpha, beta) =>
    run<unknown>(
      "batch_norm",
      [input, output],
      () => transform(output, input, alpha, beta),
      () => default_loops.transform(output, input, alpha, beta),
    ),

  backward_sums: (grad_output, input, mean) =>
    run(
      "batch_norm_backward_sums",
      [input, grad_output],
      () => {
        const all = rows_of(input);
        const [sums, dots, means] = [empty_cpu([all.rows], Float), empty_cpu([all.rows], Float), floats(mean)];
        const { gradient_sums } = functions_of(batch_norm_kernel_vec, Float);
        const done = with_addresses(
          regions_of([sums, dots, grad_output, input, means]),
          ([s, d, dy, x, m]) =>
            parallel_kernel(gradient_sums, -1, 0, all.rows, grain_of(all), (f, begin, end) => {
              const [at, row] = [begin * all.n * 4, begin * 4];
              f(s + row, d + row, dy + at, x + at, m, end - begin, begin % all.C, all.C, all.n);
            }),
          2,
        );
        return done && ([by_channel(sums, all.C), by_channel(dots, all.C)] as const);
      },
      () => default_loops.backward_sums(grad_output, input, mean),
    ),

  grad_input_train: (grad_input, grad_output, input, by) =>
    run<unknown>(
      "batch_norm_backward",
      [input, grad_output, grad_input],
      () => {
        const all = rows_of(input);
        const numbers = [by.mean, by.grad_mean, by.k, by.scale].map(floats);
        const { gradient_rows } = functions_of(batch_norm_kernel_vec, Float);
        return with_addresses(regions_of([grad_input, grad_output, input, ...numbers]), ([dx, dy, x, m, g, k, scale]) =>
          parallel_kernel(gradient_rows, -1, 0, all.rows, grain_of(all), (f, begin, end) => {
            const at = begin * all.n * 4;
            f(dx + at, dy + at, x + at, m, g, k, scale, end - begin, begin % all.C, all.C, all.n);
          }),
        );
      },
      () => default_loops.grad_input_train(grad_input, grad_output, input, by),
    ),

  grad_input_eval: (grad_input, grad_output, scale) =>
    run<unknown>(
      "batch_norm_backward",
      [grad_output, grad_input],
      // Adding -0 changes nothing, not even the sign of a zero.
      () => transform(grad_input, grad_output, floats(scale), floats(Array.from(scale, () => -0))),
      () => default_loops.grad_input_eval(grad_input, grad_output, scale),
    ),
};

/** Returns false if the heap has no space for the operands. */
function transform(output: Tensor, input: Tensor, alpha: Tensor, beta: Tensor): boolean {
  const all = rows_of(input);
  const { transform_rows } = functions_of(batch_norm_kernel_vec, Float);
  return with_addresses(regions_of([output, input, alpha, beta]), ([y, x, a, b]) =>
    parallel_kernel(transform_rows, -1, 0, all.rows, grain_of(all), (f, begin, end) => {
      const at = begin * all.n * 4;
      f(y + at, x + at, a, b, end - begin, begin % all.C, all.C, all.n);
    }),
  );
}

REGISTER_ARCH_DISPATCH(
  batch_norm_cpu_stub,
  CPUCapability.SIMD128,
  (output, input, weight, bias, statistics) =>
    batch_norm_cpu_kernel(output, input, weight, bias, statistics, vector_loops),
  "batch_norm_cpu_kernel_vec",
);
REGISTER_ARCH_DISPATCH(
  batch_norm_cpu_collect_stats_stub,
  CPUCapability.SIMD128,
  (mean, var_sum, input) => batch_norm_cpu_collect_stats_kernel(mean, var_sum, input, vector_loops),
  "batch_norm_cpu_collect_stats_kernel_vec",
);
REGISTER_ARCH_DISPATCH(
  batch_norm_cpu_backward_stub,
  CPUCapability.SIMD128,
  (grads, grad_output, input, weight, statistics) =>
    batch_norm_cpu_backward_kernel(grads, grad_output, input, weight, statistics, null, vector_loops),
  "batch_norm_cpu_backward_kernel_vec",
);
