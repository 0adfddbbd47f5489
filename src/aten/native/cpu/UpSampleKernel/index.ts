/**
 * @file Kernels of resampling, one dim after the other.
 * @mirrors aten/src/ATen/native/cpu/UpSampleKernel.cpp
 * @differs Ours has one pair of loops over tables of neighbours, for every filter and number of dims; PyTorch nests the
 * dims if there is no antialiasing, and has versions for channels last. The sums are the same except for rounding.
 */
import { AT_DISPATCH, type captured, cast, type data, type int32, load, type scalar_t, store } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import {
  resample_backward_instances,
  resample_instances,
  resample_uint8_instances,
} from "#aten/native/cpu/generated/UpSampleKernel/index";
import { type Resample, resample_loop } from "#aten/native/cpu/vec/upsample/driver";
import { REGISTER_DEFAULT_DISPATCH, REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { type Interpolation, upsample_backward_kernel, upsample_kernel } from "#aten/native/UpSample";
import { ScalarType } from "#c10/core/ScalarType";
import { multiply_integers } from "#c10/util/accumulate";
import { compute_index_ranges_int16_weights, type Taps, taps_of } from "./Weights.ts";

/** One dim: `outer` lines of `from` elements become `to` elements; each element is `inner` contiguous numbers. */
export interface Lines {
  readonly outer: number;
  readonly from: number;
  readonly to: number;
  readonly inner: number;
  readonly taps: number;
}

/** @template upsample: floating types */
export function resample(
  output: data<scalar_t>,
  output_at: number,
  input: data<scalar_t>,
  input_at: number,
  counts: data<int32>,
  indices: data<int32>,
  weights: data<scalar_t>,
  lines: captured<Lines>,
): void {
  const inner = cast<number>(lines.inner);
  const taps = cast<number>(lines.taps);
  const to = cast<number>(lines.to);
  let at = output_at;
  for (let o = 0; o < cast<number>(lines.outer); o++) {
    const line = input_at + o * cast<number>(lines.from) * inner;
    for (let i = 0; i < to; i++) {
      const first = i * taps;
      const end = first + cast<number>(load(counts, i));
      for (let k = 0; k < inner; k++) {
        let sum: scalar_t = 0;
        for (let t = first; t < end; t++) {
          sum += load(weights, t) * load(input, line + cast<number>(load(indices, t)) * inner + k);
        }
        store(output, at, sum);
        at++;
      }
    }
  }
}

/** Weights are integer multiples of 1 / `unit`. @template upsample: Byte */
export function resample_uint8(
  output: data<scalar_t>,
  output_at: number,
  input: data<scalar_t>,
  input_at: number,
  counts: data<int32>,
  indices: data<int32>,
  weights: data<int32>,
  unit: number,
  lines: captured<Lines>,
): void {
  const inner = cast<number>(lines.inner);
  const taps = cast<number>(lines.taps);
  const to = cast<number>(lines.to);
  let at = output_at;
  for (let o = 0; o < cast<number>(lines.outer); o++) {
    const line = input_at + o * cast<number>(lines.from) * inner;
    for (let i = 0; i < to; i++) {
      const first = i * taps;
      const end = first + cast<number>(load(counts, i));
      for (let k = 0; k < inner; k++) {
        let sum = unit / 2;
        for (let t = first; t < end; t++) {
          const x = cast<number>(load(input, line + cast<number>(load(indices, t)) * inner + k));
          sum += cast<number>(load(weights, t)) * x;
        }
        store(output, at, cast<scalar_t>(Math.min(Math.max(Math.floor(sum / unit), 0), 255)));
        at++;
      }
    }
  }
}

/** Adds to every neighbour its share of the gradient. @template upsample_backward: floating types */
export function resample_backward(
  grad_input: data<scalar_t>,
  input_at: number,
  grad_output: data<scalar_t>,
  output_at: number,
  counts: data<int32>,
  indices: data<int32>,
  weights: data<scalar_t>,
  lines: captured<Lines>,
): void {
  const inner = cast<number>(lines.inner);
  const taps = cast<number>(lines.taps);
  const to = cast<number>(lines.to);
  for (let o = 0; o < cast<number>(lines.outer); o++) {
    const line = input_at + o * cast<number>(lines.from) * inner;
    for (let i = 0; i < to; i++) {
      const first = i * taps;
      const end = first + cast<number>(load(counts, i));
      const from = output_at + (o * to + i) * inner;
      for (let t = first; t < end; t++) {
        const place = line + cast<number>(load(indices, t)) * inner;
        for (let k = 0; k < inner; k++) {
          const sum: scalar_t = load(grad_input, place + k) + load(weights, t) * load(grad_output, from + k);
          store(grad_input, place + k, sum);
        }
      }
    }
  }
}

/** The lines along dim `d` of `sizes`. */
function lines_of(sizes: readonly number[], d: number, to: number, taps: Taps): Lines {
  return {
    outer: multiply_integers(sizes.slice(0, d)),
    from: sizes[d],
    to,
    inner: multiply_integers(sizes.slice(d + 1)),
    taps: taps.width,
  };
}

function weights_as(weights: Float64Array, dtype: ScalarType): Float32Array | Float64Array {
  return dtype === ScalarType.Float ? Float32Array.from(weights) : weights;
}

function with_size(t: Tensor, d: number, size: number): Tensor {
  return at.empty_memory_format(t.sizes().with(d, size), t.options());
}

const resample_plain: Resample = (output, input, taps, lines) => {
  const dtype = input.scalar_type();
  if (dtype === ScalarType.Byte) {
    const { taps: whole, precision } = compute_index_ranges_int16_weights(taps);
    // biome-ignore format: one operand group per line
    AT_DISPATCH(resample_uint8_instances, dtype)(
      output.data_view(), output.data_offset(),
      input.data_view(), input.data_offset(),
      whole.counts, whole.indices, Int32Array.from(whole.weights), 2 ** precision, lines,
    );
    return;
  }
  // biome-ignore format: one operand group per line
  AT_DISPATCH(resample_instances, dtype)(
    output.data_view(), output.data_offset(),
    input.data_view(), input.data_offset(),
    taps.counts, taps.indices, weights_as(taps.weights, dtype), lines,
  );
};

/** Resamples along dim `d`. */
function resample_dim(output: Tensor, input: Tensor, d: number, how: Interpolation): void {
  const [from, to] = [input.size(d), output.size(d)];
  const taps = taps_of(how, from, to, d - 2, input.scalar_type());
  resample_loop(output, input, taps, lines_of(input.sizes(), d, to, taps), resample_plain);
}

/** Resamples the last dim first. */
function upsample_kernel_impl(output: Tensor, input: Tensor, how: Interpolation): void {
  const dim = input.dim() - 2;
  let rest = input;
  for (let d = dim + 1; d >= 2; d--) {
    const to = d === 2 ? output : with_size(rest, d, output.size(d));
    resample_dim(to, rest, d, how);
    rest = to;
  }
}

/** Handles the first dim first. */
function upsample_backward_kernel_impl(grad_input: Tensor, grad_output: Tensor, how: Interpolation): void {
  const dtype = grad_output.scalar_type();
  const last = grad_output.dim() - 1;
  let rest = grad_output;
  for (let d = 2; d <= last; d++) {
    const [from, to] = [grad_input.size(d), rest.size(d)];
    const next = d === last ? grad_input : with_size(rest, d, from).zero_();
    const taps = taps_of(how, from, to, d - 2, dtype);
    // biome-ignore format: one operand group per line
    AT_DISPATCH(resample_backward_instances, dtype)(
      next.data_view(), next.data_offset(),
      rest.data_view(), rest.data_offset(),
      taps.counts, taps.indices, weights_as(taps.weights, dtype), lines_of(next.sizes(), d, to, taps),
    );
    rest = next;
  }
}

REGISTER_DISPATCH(upsample_kernel, upsample_kernel_impl, "upsample_kernel_impl");
REGISTER_DEFAULT_DISPATCH(upsample_backward_kernel, upsample_backward_kernel_impl, "upsample_backward_kernel_impl");
