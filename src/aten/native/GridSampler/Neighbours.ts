/**
 * @file Neighbours of a position between elements: their indices, their weights, and the derivatives of the weights.
 * @mirrors aten/src/ATen/native/GridSampler.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { ScalarType } from "#c10/core/ScalarType";
import { round_to_bfloat16 } from "#c10/util/BFloat16";
import { round_to_half } from "#c10/util/Half";

/** Neighbours of each place: `taps` of them along each dim, the first dim first. */
export interface Neighbours {
  /** (places, 3, taps); -1 means outside, where values are zero. */
  readonly indices: Int32Array;
  readonly weights: Float64Array;
  /** Derivative of a weight with respect to the grid's number. */
  readonly slopes: Float64Array;
}

type Round = (x: number) => number;

export interface Sampling {
  readonly interpolation_mode: number;
  readonly padding_mode: number;
  readonly align_corners: boolean;
}

/** A grid (N, ..., dims), whose last dim holds positions, width first; and the sizes of the input. */
export interface Grid extends Sampling {
  readonly batch: number;
  /** Number of places per instance of the batch. */
  readonly places: number;
  readonly taps: number;
  /** Sizes of the input, always three; images have depth 1. */
  readonly sizes: readonly [depth: number, height: number, width: number];
  /** Whether the input is an image, not a volume. */
  readonly flat: boolean;
  /** The numbers of the grid, from element `from` on. */
  readonly values: Float32Array | Float64Array;
  readonly from: number;
  readonly round: Round;
}

const Nearest = 1;
const Bicubic = 2;
const Zeros = 0;
const Border = 1;

function rounding(dtype: ScalarType): Round {
  if (dtype === ScalarType.Half) return round_to_half;
  if (dtype === ScalarType.BFloat16) return round_to_bfloat16;
  return dtype === ScalarType.Float ? Math.fround : (x) => x;
}

/** Converts a position in [-1, 1] to elements. */
function unnormalize(coord: number, size: number, { align_corners, round }: Grid): number {
  const moved = round(coord + 1);
  if (align_corners) return round(round(moved / 2) * (size - 1));
  return round(round(round(moved * size) - 1) / 2);
}

/**
 * Limits a position to the edges. On an edge, the derivative counts as outside. The minimum and maximum turn NaN into
 * an edge; for images (`flat`) it is the first one.
 */
function clip(x: number, size: number, flat: boolean): [at: number, slope: number] {
  if (x <= 0 || (flat && Number.isNaN(x))) return [0, 0];
  if (Number.isNaN(x)) return [size - 1, 0];
  return x >= size - 1 ? [size - 1, 0] : [x, 1];
}

/** Reflects a position back and forth between `low` and `high`. */
function reflect(x: number, low: number, high: number, round: Round): [at: number, slope: number] {
  if (low === high) return [0, 0];
  const span = high - low;
  const from = round(x - low);
  const sign = from < 0 ? -1 : 1;
  const extra = round(Math.abs(from) % span);
  const flips = Math.floor(round(Math.abs(from) / span));
  return flips % 2 === 0 ? [round(extra + low), sign] : [round(round(span - extra) + low), -sign];
}

/** Moves a position beyond the edge inside, according to `padding_mode`. */
function inside(x: number, size: number, how: Grid): [at: number, slope: number] {
  if (how.padding_mode === Border) return clip(x, size, how.flat);
  if (how.padding_mode === Zeros) return [x, 1];
  const [low, high] = how.align_corners ? [0, size - 1] : [-0.5, size - 0.5];
  const [reflected, turn] = reflect(x, low, high, how.round);
  const [at, slope] = clip(reflected, size, how.flat);
  return [at, slope * turn];
}

/** Nearest integer; a half goes to the even neighbour. */
function nearbyint(x: number): number {
  const below = Math.floor(x);
  if (x - below !== 0.5) return Math.round(x);
  return below % 2 === 0 ? below : below + 1;
}

/** Weights of the four neighbours, and their derivatives; `t` in [0, 1] is the distance from the second neighbour. */
function cubic(t: number, round: Round): [weights: number[], slopes: number[]] {
  const A = -0.75;
  const near = (x: number) => round(round(round(round(round((A + 2) * x) - (A + 3)) * x) * x) + 1);
  const far = (x: number) => round(round(round(round(round(round(A * x) - 5 * A) * x) + 8 * A) * x) - 4 * A);
  const near_slope = (x: number) => round((3 * (A + 2) * x - 2 * (A + 3)) * x);
  const far_slope = (x: number) => round((3 * A * x - 10 * A) * x + 8 * A);
  return [
    [far(round(t + 1)), near(t), near(round(1 - t)), far(round(2 - t))],
    [far_slope(t + 1), near_slope(t), -near_slope(1 - t), -far_slope(2 - t)],
  ];
}

/** Neighbours of `place` along one dim, written from `base` on. */
function find_along(
  { indices, weights, slopes }: Neighbours,
  base: number,
  coord: number,
  size: number,
  grid: Grid,
): void {
  const { round, interpolation_mode, padding_mode } = grid;
  const x = unnormalize(coord, size, grid);
  const scale = (grid.align_corners ? size - 1 : size) / 2; // number of elements per unit of the grid
  if (interpolation_mode === Bicubic) {
    const first = Math.floor(x);
    const [shares, changes] = cubic(round(x - first), round);
    for (let t = 0; t < 4; t++) {
      indices[base + t] = index_within(Math.trunc(inside(first - 1 + t, size, grid)[0]), size);
      weights[base + t] = shares[t];
      slopes[base + t] = changes[t] * scale;
    }
    return;
  }
  const [place, turn] = padding_mode === Zeros ? [x, 1] : inside(x, size, grid);
  if (interpolation_mode === Nearest) {
    indices[base] = index_within(nearbyint(place), size);
    weights[base] = 1;
    slopes[base] = 0;
    return;
  }
  const first = Math.floor(place);
  const slope = scale * turn;
  indices[base] = index_within(first, size);
  indices[base + 1] = index_within(first + 1, size);
  weights[base] = round(first + 1 - place);
  weights[base + 1] = round(place - first);
  slopes[base] = -slope;
  slopes[base + 1] = slope;
}

function index_within(at: number, size: number): number {
  return at >= 0 && at < size ? at : -1;
}

/** `spatial` holds the sizes of the input. */
export function grid_over(spatial: readonly number[], grid: Tensor, sampling: Sampling): Grid {
  const dtype = grid.scalar_type();
  const wide = dtype === ScalarType.Double || dtype === ScalarType.Float ? grid : grid.to_dtype(ScalarType.Float);
  const values = wide.contiguous();
  const batch = grid.size(0);
  const mode = sampling.interpolation_mode;
  return {
    ...sampling,
    batch,
    places: grid.numel() / spatial.length / batch,
    taps: mode === Bicubic ? 4 : mode === Nearest ? 1 : 2,
    sizes: [1, ...spatial].slice(-3) as [number, number, number],
    flat: spatial.length === 2,
    values: values.data_view() as Float32Array | Float64Array,
    from: values.data_offset(),
    round: rounding(dtype),
  };
}

/** Arrays for the neighbours of `places` places. */
export function empty_neighbours({ taps }: Grid, places: number): Neighbours {
  const n = places * 3 * taps;
  return { indices: new Int32Array(n), weights: new Float64Array(n), slopes: new Float64Array(n) };
}

/**
 * Finds the neighbours of `n` places from `begin` on, counted through the whole batch.
 * @param to_read if true, a place of an image with a weight of NaN gives NaN everywhere, because PyTorch multiplies
 * zeros from outside, too
 */
export function find_neighbours(to: Neighbours, grid: Grid, begin: number, n: number, to_read: boolean): void {
  const { taps, sizes, flat, values, from } = grid;
  const { indices, weights } = to;
  const dim = flat ? 2 : 3;
  for (let p = 0; p < n; p++) {
    const base = p * 3 * taps;
    const last = from + (begin + p) * dim + 2; // index of the last coordinate, the depth
    if (flat) {
      indices.fill(-1, base, base + taps);
      indices[base] = 0; // an image has only one depth
      weights[base] = 1;
    }
    for (let d = 3 - dim; d < 3; d++) find_along(to, base + d * taps, values[last - d], sizes[d], grid);
    if (to_read && flat && has_nan(weights, base + taps, base + 3 * taps)) indices.fill(0, base, base + 3 * taps);
  }
}

function has_nan(x: Float64Array, begin: number, end: number): boolean {
  for (let i = begin; i < end; i++) if (x[i] !== x[i]) return true;
  return false;
}
