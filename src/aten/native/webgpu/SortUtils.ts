/**
 * @file Keys sorted together with the places they came from; equal keys stay in order. So elements that go to the same place can be added up in
 * one order at every run, without atomics.
 *
 *   few keys      each counts how many come before it
 *   many          Batcher's bitonic sort, a launch for each round of comparisons
 * @mirrors aten/src/ATen/native/cuda/SortUtils.cuh
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { folded, GpuKernel, view_of } from "./KernelText.ts";

/** A key that goes nowhere: the greatest. */
export const NO_KEY = "2147483647i";

const OPTIONS = new TensorOptions().dtype(ScalarType.Int).device(new Device(DeviceType.PrivateUse1, 0));
const WORKGROUP = 64;
const FEW = 1024;

/** Room for `n` keys, or places. */
export function empty_keys(n: number): Tensor {
  return at.empty_memory_format([n], OPTIONS);
}

const INDEX = `  let i = (group.x + group.y * groups.x) * ${WORKGROUP}u + lane;
  if (i >= p.n) {
    return;
  }
`;

const count_smaller = new GpuKernel("sort_by_counting", {
  reads: ["keys"],
  writes: ["sorted", "places"],
  fields: ["n: u32"],
  workgroup_size: [WORKGROUP, 1, 1],
  code: () => ({
    main: `${INDEX}  let key = load_keys(i);
  var place = 0u;
  for (var j = 0u; j < p.n; j++) {
    let other = load_keys(j);
    place += select(0u, 1u, (other < key) || ((other == key) && (j < i)));
  }
  store_sorted(place, key);
  store_places(place, i32(i));`,
  }),
});

const fill_up = new GpuKernel("sort_fill_up", {
  reads: ["keys"],
  writes: ["sorted", "places"],
  fields: ["n: u32", "given: u32"],
  workgroup_size: [WORKGROUP, 1, 1],
  code: () => ({
    main: `${INDEX}  var key = ${NO_KEY};
  if (i < p.given) {
    key = load_keys(i);
  }
  store_sorted(i, key);
  store_places(i, i32(i));`,
  }),
});

/** Pairs at distance `far`, in runs of `run`, every second of which is sorted downwards. */
const compare = new GpuKernel("bitonic_sort", {
  reads: [],
  writes: ["sorted", "places"],
  fields: ["n: u32", "run: u32", "far: u32"],
  workgroup_size: [WORKGROUP, 1, 1],
  code: () => ({
    main: `${INDEX}  let a = (i / p.far) * 2u * p.far + i % p.far;
  let b = a + p.far;
  let key_a = load_sorted(a);
  let key_b = load_sorted(b);
  let place_a = load_places(a);
  let place_b = load_places(b);
  let greater = (key_a > key_b) || ((key_a == key_b) && (place_a > place_b));
  if (greater == ((a & p.run) == 0u)) {
    store_sorted(a, key_b);
    store_sorted(b, key_a);
    store_places(a, place_b);
    store_places(b, place_a);
  }`,
  }),
});

/** `keys`: `n` of them, contiguous. What is returned may be longer. */
export function sort_by_key(keys: Tensor, n: number): { sorted: Tensor; places: Tensor } {
  const grid = (count: number): [number, number] => folded(Math.ceil(count / WORKGROUP));
  const size = n <= FEW ? n : 2 ** Math.ceil(Math.log2(n));
  const sorted = empty_keys(size);
  const places = empty_keys(size);
  const views = [view_of(sorted), view_of(places)];
  if (n <= FEW) {
    count_smaller.launch(0, [view_of(keys), ...views], [n], ...grid(n), 1);
    return { sorted, places };
  }
  fill_up.launch(0, [view_of(keys), ...views], [size, n], ...grid(size), 1);
  for (let run = 2; run <= size; run *= 2)
    for (let far = run / 2; far >= 1; far /= 2) compare.launch(0, views, [size / 2, run, far], ...grid(size / 2), 1);
  return { sorted, places };
}
