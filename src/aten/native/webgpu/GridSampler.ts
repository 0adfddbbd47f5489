/**
 * @file Kernels of `grid_sample` for images and volumes: first the neighbours of each grid place are found, then their
 * weighted sums are computed. In the gradient of the input, each element is a sum over the places that have it as a
 * neighbour; these are sorted first, so no atomic additions are needed.
 * @mirrors aten/src/ATen/native/cuda/GridSampler.h
 * @differs Ours finds neighbours in a kernel of its own; CUDA's threads find them during the sum and add with atomics.
 * A NaN place reads NaN here, as on the CPU; on CUDA it reads 0.
 * @see native/GridSampler/Neighbours.ts (the CPU version)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { type Gradients, grid_sampler_backward_kernel, grid_sampler_kernel } from "#aten/native/GridSampler/index";
import type { Sampling } from "#aten/native/GridSampler/Neighbours";
import { ScalarType } from "#c10/core/ScalarType";
import { GpuKernel, view_of } from "./KernelText.ts";
import { empty_keys, NO_KEY, sort_by_key } from "./SortUtils.ts";
import { STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

const Nearest = 1;
const Bicubic = 2;

/**
 * `inside(x, size)`: moves a place beyond the edge inside, according to the padding mode. The second component is its
 * derivative with respect to x.
 */
const INSIDE = `fn clipped(x: f32, size: f32) -> vec2<f32> {
  if (isnan_f32(x)) {
    return vec2<f32>(select(size - 1.0f, 0.0f, p.dims == 2u), 0.0f);
  }
  if (x <= 0.0f) {
    return vec2<f32>(0.0f, 0.0f);
  }
  return select(vec2<f32>(x, 1.0f), vec2<f32>(size - 1.0f, 0.0f), x >= size - 1.0f);
}
fn reflected(x: f32, low: f32, high: f32) -> vec2<f32> {
  if (low == high) {
    return vec2<f32>(0.0f, 0.0f);
  }
  let span = high - low;
  let distance = abs(x - low);
  let turn = select(1.0f, -1.0f, x < low);
  let extra = rem_f32(distance, span);
  let flips = floor(distance / span);
  if (flips - 2.0f * floor(flips * 0.5f) == 0.0f) {
    return vec2<f32>(extra + low, turn);
  }
  return vec2<f32>(span - extra + low, -turn);
}
fn inside(x: f32, size: f32) -> vec2<f32> {
  if (p.padding == 0u) {
    return vec2<f32>(x, 1.0f);
  }
  if (p.padding == 1u) {
    return clipped(x, size);
  }
  let corners = p.align_corners != 0u;
  let there = reflected(x, select(-0.5f, 0.0f, corners), select(size - 0.5f, size - 1.0f, corners));
  let within = clipped(there.x, size);
  return vec2<f32>(within.x, within.y * there.y);
}`;

const CURVES = `fn near(x: f32) -> f32 {
  return ((1.25f * x - 2.25f) * x) * x + 1.0f;
}
fn far(x: f32) -> f32 {
  return ((-0.75f * x + 3.75f) * x - 6.0f) * x + 3.0f;
}
fn near_slope(x: f32) -> f32 {
  return (3.75f * x - 4.5f) * x;
}
fn far_slope(x: f32) -> f32 {
  return (-2.25f * x + 7.5f) * x - 6.0f;
}`;

/** `put(...)`: stores one neighbour of one dim. Returns false if its weight is NaN. */
const PUT = `fn put(to: u32, place: f32, size: f32, weight: f32, slope: f32) -> bool {
  let is_inside = !isnan_f32(place) && (place >= 0.0f) && (place < size);
  store_indices(to, select(-1i, i32(select(0.0f, place, is_inside)), is_inside));
  store_weights(to, weight);
  store_slopes(to, slope);
  return !isnan_f32(weight);
}`;

/** WGSL of each interpolation mode: stores the neighbours of `x` along one dim, from `to` on. */
const TAPS: readonly string[] = [
  `let there = inside(x, size);
    let first = floor(there.x);
    let slope = scale * there.y;
    is_number = put(to, first, size, first + 1.0f - there.x, -slope) && is_number;
    is_number = put(to + 1u, first + 1.0f, size, there.x - first, slope) && is_number;`,
  "is_number = put(to, round(inside(x, size).x), size, 1.0f, 0.0f) && is_number;",
  `let first = floor(x);
    let t = x - first;
    is_number = put(to, trunc(inside(first - 1.0f, size).x), size, far(t + 1.0f), scale * far_slope(t + 1.0f)) && is_number;
    is_number = put(to + 1u, trunc(inside(first, size).x), size, near(t), scale * near_slope(t)) && is_number;
    is_number = put(to + 2u, trunc(inside(first + 1.0f, size).x), size, near(1.0f - t), -scale * near_slope(1.0f - t)) && is_number;
    is_number = put(to + 3u, trunc(inside(first + 2.0f, size).x), size, far(2.0f - t), -scale * far_slope(2.0f - t)) && is_number;`,
];

function taps_of(interpolation: number): number {
  return interpolation === Bicubic ? 4 : interpolation === Nearest ? 1 : 2;
}

/**
 * Finds `taps` neighbours of every place along each of three dims; images have depth 1. The variant is the
 * interpolation mode.
 */
const find_neighbours = new GpuKernel("grid_sampler_neighbours", {
  reads: ["grid"],
  writes: ["indices", "weights", "slopes"],
  fields: [
    ...["n: u32", "D: u32", "H: u32", "W: u32", "dims: u32"],
    ...["padding: u32", "align_corners: u32", "to_read: u32"],
  ],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: ({ variant }) => {
    const taps = taps_of(variant);
    return {
      declarations: [INSIDE, CURVES, PUT].join("\n"),
      main: `${strided_indices(1)}
  var is_number = true;
  for (var d = 0u; d < 3u; d++) {
    let to = (i * 3u + d) * ${taps}u;
    if (d + p.dims < 3u) {
      for (var t = 0u; t < ${taps}u; t++) {
        store_indices(to + t, select(-1i, 0i, t == 0u));
        store_weights(to + t, 1.0f);
        store_slopes(to + t, 0.0f);
      }
      continue;
    }
    let size = f32(select(select(p.W, p.H, d == 1u), p.D, d == 0u));
    let moved = load_grid(i * p.dims + 2u - d) + 1.0f;
    let corners = p.align_corners != 0u;
    let x = select((moved * size - 1.0f) / 2.0f, moved / 2.0f * (size - 1.0f), corners);
    let scale = select(size, size - 1.0f, corners) / 2.0f;
    ${TAPS[variant]}
  }
  if (!is_number && (p.to_read != 0u) && (p.dims == 2u)) {
    for (var t = 0u; t < ${3 * taps}u; t++) {
      store_indices(i * ${3 * taps}u + t, 0i);
    }
  }`,
    };
  },
});

const SIZES = ["n: u32", "channels: u32", "places: u32", "D: i32", "H: i32", "W: i32"];

/**
 * WGSL that runs `visit` for each neighbour inside the volume. `place` is its position in a plane; `di`, `hi` and `wi`
 * are its numbers along the dims.
 */
function each_neighbour(taps: number, first: string, visit: string): string {
  return `  let ds = ${first} * ${3 * taps}u;
  for (var di = ds; di < ds + ${taps}u; di++) {
    let d = load_indices(di);
    if (d < 0i) {
      continue;
    }
    for (var hi = ds + ${taps}u; hi < ds + ${2 * taps}u; hi++) {
      let h = load_indices(hi);
      if (h < 0i) {
        continue;
      }
      for (var wi = ds + ${2 * taps}u; wi < ds + ${3 * taps}u; wi++) {
        let w = load_indices(wi);
        if (w < 0i) {
          continue;
        }
        let place = u32((d * p.H + h) * p.W + w);
${visit}
      }
    }
  }`;
}

/** One thread per output element. The variant is the interpolation mode. */
const forward = new GpuKernel("grid_sampler", {
  reads: ["input", "indices", "weights"],
  writes: ["output"],
  fields: SIZES,
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: ({ variant }) => ({
    main: `${strided_indices(1)}
  let batch = i / (p.places * p.channels);
  let plane = (i / p.places) * u32(p.D * p.H * p.W);
  var sum = 0.0f;
${each_neighbour(
  taps_of(variant),
  "(batch * p.places + i % p.places)",
  `        let weight = load_weights(di) * load_weights(hi) * load_weights(wi);
        sum += weight * load_input(plane + place);`,
)}
  store_output(i, sum);`,
  }),
});

/** Gradient of the grid: derivative of the sum over all channels with respect to the place. One thread per place. */
const backward_grid = new GpuKernel("grid_sampler_backward_grid", {
  reads: ["grad_output", "input", "indices", "weights", "slopes"],
  writes: ["grad_grid"],
  fields: [...SIZES, "dims: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: ({ variant }) => ({
    main: `${strided_indices(1)}
  let plane = u32(p.D * p.H * p.W);
  var slope = vec3<f32>();
  let batch = i / p.places;
${each_neighbour(
  taps_of(variant),
  "i",
  `        var product = 0.0f;
        for (var c = batch * p.channels; c < (batch + 1u) * p.channels; c++) {
          product += load_input(c * plane + place) * load_grad_output(c * p.places + i % p.places);
        }
        let weight = vec3<f32>(load_weights(wi), load_weights(hi), load_weights(di));
        slope.x += product * load_slopes(wi) * weight.y * weight.z;
        slope.y += product * weight.x * load_slopes(hi) * weight.z;
        slope.z += product * weight.x * weight.y * load_slopes(di);`,
)}
  store_grad_grid(i * p.dims, slope.x);
  store_grad_grid(i * p.dims + 1u, slope.y);
  if (p.dims == 3u) {
    store_grad_grid(i * p.dims + 2u, slope.z);
  }`,
  }),
});

/**
 * Key (element in the planes) and weight of each neighbour. There are `per_place` neighbours per place;
 * those outside get no key. One thread per place.
 */
const neighbour_keys = new GpuKernel("grid_sampler_backward_keys", {
  reads: ["indices", "weights"],
  writes: ["keys", "shares"],
  fields: [...SIZES, "per_place: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: ({ variant }) => ({
    main: `${strided_indices(1)}
  let plane = (i / p.places) * u32(p.D * p.H * p.W);
  var to = i * p.per_place;
${each_neighbour(
  taps_of(variant),
  "i",
  `        store_keys(to, i32(plane + place));
        store_shares(to, load_weights(di) * load_weights(hi) * load_weights(wi));
        to++;`,
)}
  for (; to < (i + 1u) * p.per_place; to++) {
    store_keys(to, ${NO_KEY});
  }`,
  }),
});

/** The first of several neighbours with the same key adds up the gradients of that element, for one channel. */
const backward_input = new GpuKernel("grid_sampler_backward_input", {
  reads: ["grad_output", "sorted", "order", "shares"],
  writes: ["grad_input"],
  fields: ["n: u32", "channels: u32", "places: u32", "plane: u32", "per_place: u32", "neighbours: u32"],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: () => ({
    main: `${strided_indices(1)}
  let begin = i % p.neighbours;
  let key = load_sorted(begin);
  if ((key == ${NO_KEY}) || ((begin > 0u) && (load_sorted(max(begin, 1u) - 1u) == key))) {
    return;
  }
  let channel = (u32(key) / p.plane) * p.channels + i / p.neighbours;
  let to = channel * p.plane + u32(key) % p.plane;
  var sum = load_grad_input(to);
  for (var j = begin; (j < p.neighbours) && (load_sorted(min(j, p.neighbours - 1u)) == key); j++) {
    let source = u32(load_order(j));
    let place = (source / p.per_place) % p.places;
    sum += load_shares(source) * load_grad_output(channel * p.places + place);
  }
  store_grad_input(to, sum);`,
  }),
});

interface Neighbours {
  /** Number of places in the whole batch. */
  readonly count: number;
  readonly places: number;
  readonly taps: number;
  /** Depth, height and width; images have depth 1. */
  readonly volume: readonly number[];
  readonly indices: Tensor;
  readonly weights: Tensor;
  readonly slopes: Tensor;
}

function neighbours_of(input: Tensor, grid: Tensor, how: Sampling, to_read: boolean): Neighbours {
  const dims = grid.size(-1);
  const count = grid.numel() / dims;
  const taps = taps_of(how.interpolation_mode);
  const volume = [1, ...input.sizes().slice(2)].slice(-3);
  const indices = empty_keys(count * 3 * taps);
  const [weights, slopes] = [0, 1].map(() => at.empty_like(indices, indices.options().dtype(ScalarType.Float)));
  const values = [count, ...volume, dims, how.padding_mode, how.align_corners ? 1 : 0, to_read ? 1 : 0];
  const views = [grid.contiguous(), indices, weights, slopes].map(view_of);
  find_neighbours.launch(how.interpolation_mode, views, values, ...strided_groups(count), 1);
  return { count, places: count / grid.size(0), taps, volume, indices, weights, slopes };
}

function grid_sampler(output: Tensor, input: Tensor, grid: Tensor, how: Sampling): void {
  const { places, volume, indices, weights } = neighbours_of(input, grid, how, true);
  const n = output.numel();
  const values = [n, input.size(1), places, ...volume];
  const views = [input, indices, weights, output].map(view_of);
  forward.launch(how.interpolation_mode, views, values, ...strided_groups(n), 1);
}

function grid_sampler_backward(
  gradients: Gradients,
  grad_output: Tensor,
  input: Tensor,
  grid: Tensor,
  how: Sampling,
): void {
  const { count, places, taps, volume, indices, weights, slopes } = neighbours_of(input, grid, how, false);
  const { input: grad_input, grid: grad_grid } = gradients;
  const [channels, dims] = [input.size(1), grid.size(-1)];
  const sizes = [count, channels, places, ...volume];
  const variant = how.interpolation_mode;
  const views = [grad_output, input, indices, weights, slopes, grad_grid].map(view_of);
  backward_grid.launch(variant, views, [...sizes, dims], ...strided_groups(count), 1);
  if (grad_input === null) return;
  const per_place = taps ** dims;
  const total = count * per_place;
  const keys = empty_keys(total);
  const shares = at.empty_like(keys, weights.options());
  const written = [indices, weights, keys, shares].map(view_of);
  neighbour_keys.launch(variant, written, [...sizes, per_place], ...strided_groups(count), 1);
  const { sorted, places: order } = sort_by_key(keys, total);
  const n = total * channels;
  const plane = volume.reduce((product, size) => product * size, 1);
  const summed = [grad_output, sorted, order, shares, grad_input].map(view_of);
  backward_input.launch(0, summed, [n, channels, places, plane, per_place, total], ...strided_groups(n), 1);
}

REGISTER_PRIVATEUSE1_DISPATCH(grid_sampler_kernel, grid_sampler, "grid_sampler_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(
  grid_sampler_backward_kernel,
  grid_sampler_backward,
  "grid_sampler_backward_kernel_webgpu",
);
