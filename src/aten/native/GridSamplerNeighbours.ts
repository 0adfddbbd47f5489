/**
 * @file Which elements a place between them is made of, how much of each, and how that changes with the place.
 * @mirrors aten/src/ATen/native/GridSampler.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { ScalarType } from "#c10/core/ScalarType";
import { round_to_bfloat16 } from "#c10/util/BFloat16";
import { round_to_half } from "#c10/util/Half";

/** For each place `taps` neighbours along each dim, the first dim first. */
export interface Neighbours {
  readonly batch: number;
  /** In each of the batch. */
  readonly places: number;
  readonly taps: number;
  /** Always three dims; images have depth 1. */
  readonly sizes: readonly [depth: number, height: number, width: number];
  /** (batch * places, 3, taps); -1: outside, where zeros are. */
  readonly indices: Int32Array;
  readonly weights: Float64Array;
  /** How a weight grows with the grid's number. */
  readonly slopes: Float64Array;
}

type Round = (x: number) => number;

export interface Sampling {
  readonly interpolation_mode: number;
  readonly padding_mode: number;
  readonly align_corners: boolean;
}

interface Grid extends Sampling {
  /** Of an image, not of a volume. */
  readonly flat: boolean;
}

const Nearest = 1;
const Bicubic = 2;
const Border = 1;
const Reflection = 2;

function rounding(dtype: ScalarType): Round {
  if (dtype === ScalarType.Half) return round_to_half;
  if (dtype === ScalarType.BFloat16) return round_to_bfloat16;
  return dtype === ScalarType.Float ? Math.fround : (x) => x;
}

/** A place from -1 to 1 in elements, and elements for one of the grid's units. */
function unnormalize(coord: number, size: number, align_corners: boolean, round: Round): [at: number, slope: number] {
  const moved = round(coord + 1);
  if (align_corners) return [round(round(moved / 2) * (size - 1)), (size - 1) / 2];
  return [round(round(round(moved * size) - 1) / 2), size / 2];
}

/** The edges themselves count as outside for the slope. A minimum and a maximum send NaN to an edge: of images (`flat`) to the first. */
function clip(x: number, size: number, flat: boolean): [at: number, slope: number] {
  if (x <= 0 || (flat && Number.isNaN(x))) return [0, 0];
  if (Number.isNaN(x)) return [size - 1, 0];
  return x >= size - 1 ? [size - 1, 0] : [x, 1];
}

/** Back and forth between `low` and `high`. */
function reflect(x: number, low: number, high: number, round: Round): [at: number, slope: number] {
  if (low === high) return [0, 0];
  const span = high - low;
  const from = round(x - low);
  const sign = from < 0 ? -1 : 1;
  const extra = round(Math.abs(from) % span);
  const flips = Math.floor(round(Math.abs(from) / span));
  return flips % 2 === 0 ? [round(extra + low), sign] : [round(round(span - extra) + low), -sign];
}

/** A place beyond the edge brought inside, as `padding_mode` says. */
function inside(x: number, size: number, how: Grid, round: Round): [at: number, slope: number] {
  if (how.padding_mode === Border) return clip(x, size, how.flat);
  if (how.padding_mode !== Reflection) return [x, 1];
  const [low, high] = how.align_corners ? [0, size - 1] : [-0.5, size - 0.5];
  const [reflected, turn] = reflect(x, low, high, round);
  const [at, slope] = clip(reflected, size, how.flat);
  return [at, slope * turn];
}

/** To the nearest whole number, of two to the even one. */
function nearbyint(x: number): number {
  const below = Math.floor(x);
  if (x - below !== 0.5) return Math.round(x);
  return below % 2 === 0 ? below : below + 1;
}

/** Weights of four neighbours around `t`, from 0 to 1 behind the second, and their derivatives. */
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

interface Taps {
  readonly at: readonly number[];
  readonly weights: readonly number[];
  readonly slopes: readonly number[];
}

function taps_of(coord: number, size: number, how: Grid, round: Round): Taps {
  const [x, scale] = unnormalize(coord, size, how.align_corners, round);
  if (how.interpolation_mode === Bicubic) {
    const first = Math.floor(x);
    const [weights, slopes] = cubic(round(x - first), round);
    const at = [-1, 0, 1, 2].map((d) => Math.trunc(inside(first + d, size, how, round)[0]));
    return { at, weights, slopes: slopes.map((s) => s * scale) };
  }
  const [place, turn] = inside(x, size, how, round);
  if (how.interpolation_mode === Nearest) return { at: [nearbyint(place)], weights: [1], slopes: [0] };
  const first = Math.floor(place);
  const slope = scale * turn;
  const weights = [round(first + 1 - place), round(place - first)];
  return { at: [first, first + 1], weights, slopes: [-slope, slope] };
}

/**
 * Of every place of `grid` (N, ..., dims), whose numbers say width first. `spatial`: the sizes of the input.
 * @param to_read of an image PyTorch multiplies zeros from outside, too: what has a weight of NaN is NaN, wherever it stands
 */
export function grid_neighbours(
  spatial: readonly number[],
  grid: Tensor,
  sampling: Sampling,
  to_read: boolean,
): Neighbours {
  const round = rounding(grid.scalar_type());
  const wide = grid.to_dtype(ScalarType.Double).contiguous();
  const [values, from] = [wide.data_view() as Float64Array, wide.data_offset()];
  const dim = spatial.length;
  const flat = dim === 2;
  const how = { ...sampling, flat };
  const taps = how.interpolation_mode === Bicubic ? 4 : how.interpolation_mode === Nearest ? 1 : 2;
  const count = grid.numel() / dim;
  const indices = new Int32Array(count * 3 * taps).fill(-1);
  const weights = new Float64Array(count * 3 * taps);
  const slopes = new Float64Array(count * 3 * taps);
  for (let p = 0; p < count; p++) {
    let lost = false;
    for (let d = 0; d < 3; d++) {
      const base = (p * 3 + d) * taps;
      const axis = d - (3 - dim);
      if (axis < 0) {
        indices[base] = 0; // the only depth of an image
        weights[base] = 1;
        continue;
      }
      const size = spatial[axis];
      const found = taps_of(values[from + p * dim + (dim - 1 - axis)], size, how, round);
      for (let t = 0; t < taps; t++) {
        const at = found.at[t];
        lost ||= to_read && flat && Number.isNaN(found.weights[t]);
        indices[base + t] = at >= 0 && at < size ? at : -1;
        weights[base + t] = found.weights[t];
        slopes[base + t] = found.slopes[t];
      }
    }
    if (lost) indices.fill(0, p * 3 * taps, (p + 1) * 3 * taps);
  }
  const batch = grid.size(0);
  const sizes = [1, ...spatial].slice(-3) as [number, number, number];
  return { batch, places: count / batch, taps, sizes, indices, weights, slopes };
}
