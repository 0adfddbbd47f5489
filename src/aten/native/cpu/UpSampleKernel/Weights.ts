/**
 * @file Weights of resampling along one dim: how much each neighbour counts for an output element.
 * @mirrors aten/src/ATen/native/cpu/UpSampleKernel.cpp
 */
import { area_pixel_compute_scale, area_pixel_compute_source_index, type Interpolation } from "#aten/native/UpSample";
import { ScalarType } from "#c10/core/ScalarType";
import { round_to_bfloat16 } from "#c10/util/BFloat16";
import { round_to_half } from "#c10/util/Half";

/** Neighbours of output element i: `counts[i]` entries of `indices` and `weights`, from `i * width` on. */
export interface Taps {
  readonly width: number;
  readonly counts: Int32Array;
  readonly indices: Int32Array;
  /** Weights, rounded to the dtype. */
  readonly weights: Float64Array;
}

type Round = (x: number) => number;

function empty_taps(size: number, width: number): Taps {
  const n = size * width;
  return {
    width,
    counts: new Int32Array(size).fill(width),
    indices: new Int32Array(n),
    weights: new Float64Array(n),
  };
}

/** Cubic convolution kernels with the parameter `a`: this one for |x| < 1, the next for 1 <= |x| < 2. */
function cubic_convolution1(x: number, a: number, round: Round): number {
  return round(round(round(round(round(round(a + 2) * x) - round(a + 3)) * x) * x) + 1);
}

function cubic_convolution2(x: number, a: number, round: Round): number {
  return round(round(round(round(round(round(round(a * x) - round(5 * a)) * x) + round(8 * a)) * x)) - round(4 * a));
}

const FILTERS = {
  linear: { size: 2, at: (x: number) => Math.max(0, 1 - Math.abs(x)) },
  cubic: { size: 4, at: (x: number) => cubic(Math.abs(x), -0.5) },
  lanczos: { size: 6, at: (x: number) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
};

function cubic(x: number, a: number): number {
  const exact = (v: number) => v;
  if (x < 1) return cubic_convolution1(x, a, exact);
  return x < 2 ? cubic_convolution2(x, a, exact) : 0;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI);
}

/** Integer part of `position`, limited to the range, and the distance of `position` from it. */
function guard_index_and_lambda(position: number, size: number, round: Round): [index: number, lambda: number] {
  const index = Math.min(Math.floor(position), size - 1);
  return [index, Math.min(Math.max(round(position - index), 0), 1)];
}

function compute_source_index(
  how: Interpolation,
  scale: number,
  i: number,
  from: number,
  round: Round,
): [index: number, lambda: number] {
  const cubic_ = how.filter === "cubic";
  const position = area_pixel_compute_source_index(scale, i, how.align_corners, cubic_, round);
  return guard_index_and_lambda(position, from, round);
}

/** Rounding to the dtype in which weights are kept. */
function stored({ weights }: Interpolation): Round {
  if (weights === ScalarType.Half) return round_to_half;
  return weights === ScalarType.BFloat16 ? round_to_bfloat16 : (w) => w;
}

/** Weights of 2 or 4 neighbours. `lambda` is the distance of the center from the first of the middle pair. */
function weights_at(how: Interpolation, lambda: number, round: Round): number[] {
  const keep = stored(how);
  if (how.filter === "linear") return [keep(round(1 - keep(lambda))), keep(lambda)];
  const a = -0.75;
  const rest = round(1 - lambda);
  return [
    cubic_convolution2(round(lambda + 1), a, round),
    cubic_convolution1(lambda, a, round),
    cubic_convolution1(rest, a, round),
    cubic_convolution2(round(rest + 1), a, round),
  ].map(keep);
}

/**
 * Without antialiasing: the same number of neighbours for every element. Positions beyond the edge are replaced by the
 * edge.
 */
function compute_indices_weights(
  how: Interpolation,
  from: number,
  to: number,
  scale: number | null,
  round: Round,
): Taps {
  const step = area_pixel_compute_scale(from, to, how.align_corners, scale, round);
  const width = FILTERS[how.filter].size;
  const taps = empty_taps(to, width);
  for (let i = 0; i < to; i++) {
    const copied = how.filter === "linear" && from === to;
    const [index, lambda] = copied ? [i, 0] : compute_source_index(how, step, i, from, round);
    const weights = weights_at(how, lambda, round);
    for (let j = 0; j < width; j++) {
      const at = index + j + 1 - width / 2;
      taps.indices[i * width + j] = copied ? i : Math.max(0, Math.min(at, from - 1));
      taps.weights[i * width + j] = weights[j];
    }
  }
  return taps;
}

/**
 * With antialiasing: all neighbours whose distance, in elements of the coarser grid, is within the filter's support.
 */
function compute_index_ranges_weights(
  how: Interpolation,
  from: number,
  to: number,
  scale: number | null,
  round: Round,
): Taps {
  const step = area_pixel_compute_scale(from, to, how.align_corners, scale, round);
  const filter = FILTERS[how.filter];
  const support = round((filter.size / 2) * Math.max(step, 1));
  const width = Math.ceil(support) * 2 + 1;
  const shrink = step >= 1 ? round(1 / step) : 1;
  const taps = empty_taps(to, width);
  for (let i = 0; i < to; i++) {
    const center = round(step * round(i + 0.5));
    const first = Math.max(Math.trunc(round(round(center - support) + 0.5)), 0);
    const end = Math.min(Math.trunc(round(round(center + support) + 0.5)), from);
    const count = Math.min(Math.max(end - first, 0), width);
    taps.counts[i] = count;
    let total = 0;
    for (let j = 0; j < count; j++) {
      const w = round(filter.at(round(round(round(j + first - center) + 0.5) * shrink)));
      taps.indices[i * width + j] = first + j;
      taps.weights[i * width + j] = w;
      total = round(total + w);
    }
    for (let j = 0; j < count && total !== 0; j++) {
      taps.weights[i * width + j] = round(taps.weights[i * width + j] / total);
    }
  }
  return taps;
}

/** Neighbours along spatial dim `i`, computed in `dtype`. */
export function taps_of(how: Interpolation, from: number, to: number, i: number, dtype: ScalarType): Taps {
  const round = dtype === ScalarType.Float ? Math.fround : (x: number) => x;
  const compute = how.antialias ? compute_index_ranges_weights : compute_indices_weights;
  return compute(how, from, to, how.scales[i], round);
}

/** Weights as integer multiples of 2 ** -precision that fit into 16 bits. Weights of the same element are added. */
export function compute_index_ranges_int16_weights(taps: Taps): { taps: Taps; precision: number } {
  const { width, counts } = taps;
  const merged = empty_taps(counts.length, width);
  for (let i = 0; i < counts.length; i++) {
    let n = 0;
    for (let j = 0; j < counts[i]; j++) {
      const [index, at] = [taps.indices[i * width + j], i * width + n];
      if (n > 0 && merged.indices[at - 1] === index) merged.weights[at - 1] += taps.weights[i * width + j];
      else {
        merged.indices[at] = index;
        merged.weights[at] = taps.weights[i * width + j];
        n++;
      }
    }
    merged.counts[i] = n;
  }
  const greatest = merged.weights.reduce((a, b) => Math.max(a, b), 0);
  let precision = 0;
  while (precision < 22 && Math.trunc(0.5 + greatest * 2 ** (precision + 1)) < 2 ** 15) precision++;
  const whole = (w: number) => Math.trunc(w * 2 ** precision + (w < 0 ? -0.5 : 0.5));
  return { taps: { ...merged, weights: merged.weights.map(whole) }, precision };
}
