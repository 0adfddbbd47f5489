/**
 * @file The loops that read where a grid says, and that give every neighbour its share back.
 * @mirrors aten/src/ATen/native/cpu/GridSamplerKernel.cpp
 */
import {
  AT_DISPATCH,
  type captured,
  cast,
  type data,
  type float64,
  type int32,
  load,
  round_to,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH } from "#aten/native/DispatchStub";
import { type Gradients, grid_sampler_backward_kernel, grid_sampler_kernel } from "#aten/native/GridSampler";
import { grid_neighbours, type Neighbours, type Sampling } from "#aten/native/GridSamplerNeighbours";
import { grid_sample_backward_instances, grid_sample_instances } from "./generated/GridSamplerKernel.ts";

/** Sizes of both sides. */
export interface Sampled {
  readonly batch: number;
  readonly channels: number;
  readonly places: number;
  readonly taps: number;
  readonly D: number;
  readonly H: number;
  readonly W: number;
}

/** Halves are rounded at every step; cubic curves go row by row. @template grid_sampler: floating types and halves */
export function grid_sample(
  output: data<scalar_t>,
  output_at: number,
  input: data<scalar_t>,
  input_at: number,
  indices: data<int32>,
  weights: data<float64>,
  sizes: captured<Sampled>,
): void {
  const channels = cast<number>(sizes.channels);
  const places = cast<number>(sizes.places);
  const taps = cast<number>(sizes.taps);
  const D = cast<number>(sizes.D);
  const H = cast<number>(sizes.H);
  const W = cast<number>(sizes.W);
  for (let n = 0; n < cast<number>(sizes.batch); n++) {
    for (let p = 0; p < places; p++) {
      const ds = (n * places + p) * 3 * taps;
      const hs = ds + taps;
      const ws = hs + taps;
      for (let c = 0; c < channels; c++) {
        const plane = input_at + (n * channels + c) * D * H * W;
        let sum: scalar_t = 0;
        for (let i = 0; i < taps; i++) {
          const d = cast<number>(load(indices, ds + i));
          if (d < 0) continue;
          for (let j = 0; j < taps; j++) {
            const h = cast<number>(load(indices, hs + j));
            if (h < 0) continue;
            const outer: scalar_t = cast<scalar_t>(
              cast<number>(load(weights, ds + i)) * cast<number>(load(weights, hs + j)),
            );
            let row: scalar_t = 0;
            for (let k = 0; k < taps; k++) {
              const w = cast<number>(load(indices, ws + k));
              if (w < 0) continue;
              const inner: scalar_t = cast<scalar_t>(load(weights, ws + k));
              const x: scalar_t = load(input, plane + (d * H + h) * W + w);
              if (taps === 4) row = round_to<scalar_t>(row + round_to<scalar_t>(inner * x));
              else sum = round_to<scalar_t>(sum + round_to<scalar_t>(round_to<scalar_t>(outer * inner) * x));
            }
            if (taps === 4) sum = round_to<scalar_t>(sum + round_to<scalar_t>(outer * row));
          }
        }
        store(output, output_at + (n * channels + c) * places + p, sum);
      }
    }
  }
}

/** `grad_grid` is (batch, places, `dims`), width first. @template grid_sampler_backward: floating types */
export function grid_sample_backward(
  grad_input: data<scalar_t>,
  grad_input_at: number,
  grad_grid: data<scalar_t>,
  grid_at: number,
  grad_output: data<scalar_t>,
  output_at: number,
  input: data<scalar_t>,
  input_at: number,
  indices: data<int32>,
  weights: data<float64>,
  slopes: data<float64>,
  with_input: boolean,
  dims: number,
  sizes: captured<Sampled>,
): void {
  const channels = cast<number>(sizes.channels);
  const places = cast<number>(sizes.places);
  const taps = cast<number>(sizes.taps);
  const D = cast<number>(sizes.D);
  const H = cast<number>(sizes.H);
  const W = cast<number>(sizes.W);
  for (let n = 0; n < cast<number>(sizes.batch); n++) {
    for (let p = 0; p < places; p++) {
      const ds = (n * places + p) * 3 * taps;
      const hs = ds + taps;
      const ws = hs + taps;
      let gd = 0;
      let gh = 0;
      let gw = 0;
      for (let c = 0; c < channels; c++) {
        const plane = (n * channels + c) * D * H * W;
        const g = cast<number>(load(grad_output, output_at + (n * channels + c) * places + p));
        for (let i = 0; i < taps; i++) {
          const d = cast<number>(load(indices, ds + i));
          if (d < 0) continue;
          const wd = cast<number>(load(weights, ds + i));
          const sd = cast<number>(load(slopes, ds + i));
          for (let j = 0; j < taps; j++) {
            const h = cast<number>(load(indices, hs + j));
            if (h < 0) continue;
            const wh = cast<number>(load(weights, hs + j));
            const sh = cast<number>(load(slopes, hs + j));
            for (let k = 0; k < taps; k++) {
              const w = cast<number>(load(indices, ws + k));
              if (w < 0) continue;
              const ww = cast<number>(load(weights, ws + k));
              const place = plane + (d * H + h) * W + w;
              const x = cast<number>(load(input, input_at + place)) * g;
              gd += x * sd * wh * ww;
              gh += x * wd * sh * ww;
              gw += x * wd * wh * cast<number>(load(slopes, ws + k));
              if (with_input) {
                const share: scalar_t = cast<scalar_t>(wd * wh * ww * g);
                const sum: scalar_t = load(grad_input, grad_input_at + place) + share;
                store(grad_input, grad_input_at + place, sum);
              }
            }
          }
        }
      }
      const to = grid_at + (n * places + p) * dims;
      store(grad_grid, to, cast<scalar_t>(gw));
      store(grad_grid, to + 1, cast<scalar_t>(gh));
      if (dims === 3) store(grad_grid, to + 2, cast<scalar_t>(gd));
    }
  }
}

function sizes_of(input: Tensor, { batch, places, taps, sizes: [D, H, W] }: Neighbours): Sampled {
  return { batch, channels: input.size(1), places, taps, D, H, W };
}

function grid_sampler_kernel_impl(output: Tensor, input: Tensor, grid: Tensor, how: Sampling): void {
  const neighbours = grid_neighbours(input.sizes().slice(2), grid, how, true);
  const { indices, weights } = neighbours;
  // biome-ignore format: an operand a line
  AT_DISPATCH(grid_sample_instances, input.scalar_type())(
    output.data_view(), output.data_offset(),
    input.data_view(), input.data_offset(),
    indices, weights, sizes_of(input, neighbours),
  );
}

function grid_sampler_backward_kernel_impl(
  gradients: Gradients,
  grad_output: Tensor,
  input: Tensor,
  grid: Tensor,
  how: Sampling,
): void {
  const neighbours = grid_neighbours(input.sizes().slice(2), grid, how, false);
  const { indices, weights, slopes } = neighbours;
  const { input: grad_input, grid: grad_grid } = gradients;
  const to = grad_input ?? grad_grid; // not written if there is none
  // biome-ignore format: an operand a line
  AT_DISPATCH(grid_sample_backward_instances, input.scalar_type())(
    to.data_view(), to.data_offset(),
    grad_grid.data_view(), grad_grid.data_offset(),
    grad_output.data_view(), grad_output.data_offset(),
    input.data_view(), input.data_offset(),
    indices, weights, slopes, grad_input !== null, grad_grid.size(-1), sizes_of(input, neighbours),
  );
}

REGISTER_DEFAULT_DISPATCH(grid_sampler_kernel, grid_sampler_kernel_impl, "grid_sampler_kernel_impl");
REGISTER_DEFAULT_DISPATCH(
  grid_sampler_backward_kernel,
  grid_sampler_backward_kernel_impl,
  "grid_sampler_backward_kernel_impl",
);
