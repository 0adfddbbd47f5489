/**
 * @file Kernels of `grid_sample`: reading at the places of a grid, and the gradients of input and grid.
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
  type opmath_t,
  type pointer,
  round_to,
  type scalar_t,
  store,
} from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH, REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import { type Gradients, grid_sampler_backward_kernel, grid_sampler_kernel } from "#aten/native/GridSampler/index";
import {
  empty_neighbours,
  find_neighbours,
  type Grid,
  grid_over,
  type Neighbours,
  type Sampling,
} from "#aten/native/GridSampler/Neighbours";
import { ScalarType } from "#c10/core/ScalarType";
import { nothing, traceCall, tracer } from "#c10/util/Trace";
import {
  grid_sample_backward_instances,
  grid_sample_cubic_instances,
  list_neighbours_instances,
  sum_neighbours_instances,
} from "./generated/GridSamplerKernel.ts";
import { type NeighbourSums, neighbour_sums_of, told_of_neighbour_sums } from "./vec/grid_sampler/driver.ts";

/** Sizes of input and output. */
export interface Sampled {
  readonly batch: number;
  readonly channels: number;
  readonly places: number;
  readonly taps: number;
  readonly D: number;
  readonly H: number;
  readonly W: number;
}

/** A few places of one image, which are read together. */
export interface Tile {
  readonly channels: number;
  readonly places: number;
  /** Stride between channels of the result. */
  readonly between: number;
  readonly taps: number;
  readonly D: number;
  readonly H: number;
  readonly W: number;
}

/**
 * Lists the neighbours of each place, one or two along each dim: positions in a channel (`from`) and weights
 * (`shares`). The entries of place p end at `ends[p]`. Returns the number of entries.
 * @template grid_sampler: floating types and halves
 */
export function list_neighbours(
  ends: data<int32>,
  from: data<int32>,
  shares: data<opmath_t>,
  indices: data<int32>,
  weights: data<float64>,
  tile: captured<Tile>,
): number {
  const taps = cast<number>(tile.taps);
  const H = cast<number>(tile.H);
  const W = cast<number>(tile.W);
  let count = 0;
  for (let p = 0; p < cast<number>(tile.places); p++) {
    const ds = p * 3 * taps;
    const hs = ds + taps;
    const ws = hs + taps;
    for (let i = 0; i < taps; i++) {
      const d = cast<number>(load(indices, ds + i));
      if (d < 0) continue;
      for (let j = 0; j < taps; j++) {
        const h = cast<number>(load(indices, hs + j));
        if (h < 0) continue;
        const outer: scalar_t = cast<scalar_t>(
          cast<number>(load(weights, ds + i)) * cast<number>(load(weights, hs + j)),
        );
        for (let k = 0; k < taps; k++) {
          const w = cast<number>(load(indices, ws + k));
          if (w < 0) continue;
          const inner: scalar_t = cast<scalar_t>(load(weights, ws + k));
          store(from, count, (d * H + h) * W + w);
          store(shares, count, cast<opmath_t>(round_to<scalar_t>(outer * inner)));
          count++;
        }
      }
    }
    store(ends, p, count);
  }
  return count;
}

/**
 * Sums over `places` places, channel by channel. Halves are rounded after every step.
 * @template grid_sampler: floating types and halves
 */
export function sum_neighbours(
  output: data<scalar_t>,
  output_at: number,
  between: number,
  input: data<scalar_t>,
  input_at: number,
  plane: number,
  channels: number,
  ends: data<int32>,
  from: data<int32>,
  shares: data<opmath_t>,
  places: number,
): void {
  for (let c = 0; c < channels; c++) {
    const at = input_at + c * plane;
    const to = output_at + c * between;
    let t = 0;
    for (let p = 0; p < places; p++) {
      const end = cast<number>(load(ends, p));
      let sum: scalar_t = 0;
      for (; t < end; t++) {
        const x: scalar_t = load(input, at + cast<number>(load(from, t)));
        sum = round_to<scalar_t>(sum + round_to<scalar_t>(cast<scalar_t>(load(shares, t)) * x));
      }
      store(output, to + p, sum);
    }
  }
}

/**
 * Bicubic interpolation of images, row by row. Halves are rounded after every step.
 * @template grid_sampler: floating types and halves
 */
export function grid_sample_cubic(
  output: data<scalar_t>,
  output_at: number,
  input: data<scalar_t>,
  input_at: number,
  indices: data<int32>,
  weights: data<float64>,
  tile: captured<Tile>,
): void {
  const between = cast<number>(tile.between);
  const W = cast<number>(tile.W);
  const size = cast<number>(tile.H) * W;
  for (let p = 0; p < cast<number>(tile.places); p++) {
    const hs = (p * 3 + 1) * 4;
    const ws = hs + 4;
    for (let c = 0; c < cast<number>(tile.channels); c++) {
      const plane = input_at + c * size;
      let sum: scalar_t = 0;
      for (let j = 0; j < 4; j++) {
        const h = cast<number>(load(indices, hs + j));
        if (h < 0) continue;
        const outer: scalar_t = cast<scalar_t>(load(weights, hs + j));
        let row: scalar_t = 0;
        for (let k = 0; k < 4; k++) {
          const w = cast<number>(load(indices, ws + k));
          if (w < 0) continue;
          const inner: scalar_t = cast<scalar_t>(load(weights, ws + k));
          const x: scalar_t = load(input, plane + h * W + w);
          row = round_to<scalar_t>(row + round_to<scalar_t>(inner * x));
        }
        sum = round_to<scalar_t>(sum + round_to<scalar_t>(outer * row));
      }
      store(output, output_at + c * between + p, sum);
    }
  }
}

/**
 * `grad_grid` has the shape (batch, places, `dims`); the first coordinate is along the width.
 * @template grid_sampler_backward: floating types
 */
export function grid_sample_backward(
  grad_input: pointer<scalar_t>,
  grad_grid: pointer<scalar_t>,
  grad_output: pointer<scalar_t>,
  input: pointer<scalar_t>,
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
        const g = cast<number>(load(grad_output, (n * channels + c) * places + p));
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
              const x = cast<number>(load(input, place)) * g;
              gd += x * sd * wh * ww;
              gh += x * wd * sh * ww;
              gw += x * wd * wh * cast<number>(load(slopes, ws + k));
              if (with_input) {
                const share: scalar_t = cast<scalar_t>(wd * wh * ww * g);
                const sum: scalar_t = load(grad_input, place) + share;
                store(grad_input, place, sum);
              }
            }
          }
        }
      }
      const to = (n * places + p) * dims;
      store(grad_grid, to, cast<scalar_t>(gw));
      store(grad_grid, to + 1, cast<scalar_t>(gh));
      if (dims === 3) store(grad_grid, to + 2, cast<scalar_t>(gd));
    }
  }
}

/** Number of places whose neighbours are listed at once: they stay in cache from channel to channel. */
const TILE = 256;

/** Calls `kernel` for each tile, with the neighbours of its places and its start in the result and in the input. */
function for_each_tile(
  output: Tensor,
  input: Tensor,
  grid: Grid,
  kernel: (neighbours: Neighbours, tile: Tile, to: number, from: number) => void,
): void {
  const { batch, places, taps, sizes } = grid;
  const [D, H, W] = sizes;
  const channels = input.size(1);
  const neighbours = empty_neighbours(grid, Math.min(TILE, places));
  for (let n = 0; n < batch; n++)
    for (let begin = 0; begin < places; begin += TILE) {
      const tile = { channels, places: Math.min(TILE, places - begin), between: places, taps, D, H, W };
      find_neighbours(neighbours, grid, n * places + begin, tile.places, true);
      const image = n * channels;
      const [to, from] = [image * places + begin, image * D * H * W];
      kernel(neighbours, tile, output.data_offset() + to, input.data_offset() + from);
    }
}

/** The sums in JavaScript, for dtypes without a WebAssembly kernel. */
function plain_sums(output: Tensor, places: number, most: number): NeighbourSums {
  const dtype = output.scalar_type();
  const shares = new (dtype === ScalarType.Double ? Float64Array : Float32Array)(places * most);
  const run = AT_DISPATCH(sum_neighbours_instances, dtype);
  return { ends: new Int32Array(places), from: new Int32Array(places * most), shares, run };
}

function grid_sample_near(output: Tensor, input: Tensor, grid: Grid): void {
  const list = AT_DISPATCH(list_neighbours_instances, input.scalar_type());
  const places = Math.min(TILE, grid.places);
  const most = grid.taps ** 3;
  const sums = neighbour_sums_of(output, input, places, most) ?? plain_sums(output, places, most);
  const { ends, from, shares, run } = sums;
  const [out, x] = [output.data_view(), input.data_view()];
  for_each_tile(output, input, grid, ({ indices, weights }, tile, to, at) => {
    const { between, channels, D, H, W } = tile;
    list(ends, from, shares, indices, weights, tile);
    run(out, to, between, x, at, D * H * W, channels, ends, from, shares, tile.places);
  });
}

function grid_sample_cubics(output: Tensor, input: Tensor, grid: Grid): void {
  const run = AT_DISPATCH(grid_sample_cubic_instances, input.scalar_type());
  const [out, x] = [output.data_view(), input.data_view()];
  for_each_tile(output, input, grid, ({ indices, weights }, tile, to, from) =>
    run(out, to, x, from, indices, weights, tile),
  );
}

function grid_sampler_kernel_impl(output: Tensor, input: Tensor, coordinates: Tensor, how: Sampling): void {
  const grid = grid_over(input.sizes().slice(2), coordinates, how);
  const run = grid.taps === 4 ? grid_sample_cubics : grid_sample_near;
  if (tracer === null) run(output, input, grid);
  else {
    const told = told_of_neighbour_sums(output, input, grid.taps);
    traceCall("loop", told["scalar"] as string, run, [output, input, grid], told, nothing);
  }
}

function sizes_of(input: Tensor, { batch, places, taps, sizes: [D, H, W] }: Grid): Sampled {
  return { batch, channels: input.size(1), places, taps, D, H, W };
}

function grid_sampler_backward_kernel_impl(
  gradients: Gradients,
  grad_output: Tensor,
  input: Tensor,
  coordinates: Tensor,
  how: Sampling,
): void {
  const grid = grid_over(input.sizes().slice(2), coordinates, how);
  const neighbours = empty_neighbours(grid, grid.batch * grid.places);
  find_neighbours(neighbours, grid, 0, grid.batch * grid.places, false);
  const { indices, weights, slopes } = neighbours;
  const { input: grad_input, grid: grad_grid } = gradients;
  const to = grad_input ?? grad_grid; // not written if it is null
  // biome-ignore format: one operand group per line
  AT_DISPATCH(grid_sample_backward_instances, input.scalar_type())(
    to.data_view(), to.data_offset(),
    grad_grid.data_view(), grad_grid.data_offset(),
    grad_output.data_view(), grad_output.data_offset(),
    input.data_view(), input.data_offset(),
    indices, weights, slopes, grad_input !== null, grad_grid.size(-1), sizes_of(input, grid),
  );
}

REGISTER_DISPATCH(grid_sampler_kernel, grid_sampler_kernel_impl, "grid_sampler_kernel_impl");
REGISTER_DEFAULT_DISPATCH(
  grid_sampler_backward_kernel,
  grid_sampler_backward_kernel_impl,
  "grid_sampler_backward_kernel_impl",
);
