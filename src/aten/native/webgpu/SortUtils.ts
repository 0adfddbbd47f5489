/**
 * @file Kernels that sort rows, together with the original positions of the elements. The sort is stable. Either the
 * whole row is kept, or its first k elements.
 *
 *   a tile         Batcher's bitonic sort in workgroup memory: of several short rows at once, or of a part of a long row
 *   long rows      sorted parts are merged in pairs: the new position of an element is its position in its own part, plus the
 *                  position that it would have in the other part
 * @mirrors aten/src/ATen/native/cuda/SortUtils.cuh
 * @differs Ours keeps only the first k elements of each part; CUDA first finds the k-th element by its digits.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { folded, GpuKernel, type KernelContext, type OperandView, view_of } from "./KernelText.ts";
import { tuning } from "./tuning.ts";

// Note [Keys that compare as numbers]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// An element becomes a key of one word, or of two words for int64; keys compare as unsigned numbers. All bits of a
// negative float are inverted; of other floats only the sign bit is. -0 becomes 0, and every NaN becomes the largest
// key. For descending order, all bits of a key are inverted. Equal keys compare by their positions, so it does not
// matter that a bitonic sort is not stable. A tile is filled up with the largest key at the largest position.

/** Key of an element that is not written anywhere: the largest int32. */
export const NO_KEY = "2147483647i";

const OPTIONS = new TensorOptions().dtype(ScalarType.Int).device(new Device(DeviceType.PrivateUse1, 0));
const WORKGROUP = 64;

/** An uninitialized int32 tensor for `n` keys or places. */
export function empty_keys(n: number): Tensor {
  return at.empty_memory_format([n], OPTIONS);
}

/** Number of elements of the tile per lane. */
const PER_LANE = 4;
const NOBODY = "0xffffffffu";

/** Type of a key, for the operand that holds the elements, or the keys. */
function key_type(context: KernelContext, operand: string): string {
  return context.type(operand) === "vec2<u32>" ? "vec2<u32>" : "u32";
}

/** WGSL function `key_of(x)`: see the Note. */
function key_of(context: KernelContext): string {
  switch (context.type("input")) {
    case "f32":
      return `fn key_of(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return 0xffffffffu ^ p.turned;
  }
  let key = select(bits | 0x80000000u, ~bits, (bits >> 31u) == 1u);
  return select(key, 0x80000000u, bits == 0x80000000u) ^ p.turned;
}`;
    case "i32":
      return `fn key_of(x: i32) -> u32 {
  return (bitcast<u32>(x) ^ 0x80000000u) ^ p.turned;
}`;
    default:
      return `fn key_of(x: vec2<u32>) -> vec2<u32> {
  return vec2<u32>(x.x, x.y ^ 0x80000000u) ^ vec2<u32>(p.turned, p.turned);
}`;
  }
}

function is_less(type: string): string {
  const less = type === "u32" ? "a < b" : "(a.y < b.y) || ((a.y == b.y) && (a.x < b.x))";
  return `fn is_less(a: ${type}, b: ${type}) -> bool {
  return ${less};
}`;
}

/** WGSL that stores values and indices of the result, or keys and places for the next merge. */
function store_result(context: KernelContext, to: string, key: string, place: string): string {
  if (context.has("to_keys")) {
    const stored = key_type(context, "to_keys") === "u32" ? `bitcast<i32>(${key})` : key;
    return `    store_to_keys(${to}, ${stored});
    store_to_places(${to}, i32(${place}));`;
  }
  const index = context.type("indices") === "vec2<u32>" ? `vec2<u32>(${place}, 0u)` : `i32(${place})`;
  return `    store_values(${to}, load_input(row * p.n + ${place}));
    store_indices(${to}, ${index});`;
}

/**
 * Sorts `chunks` parts of a row, each of `2 ** (variant % 16)` elements. A workgroup has `2 ** floor(variant / 16)`
 * lanes and handles as many parts as fit into its tile.
 */
const sort_tile = new GpuKernel("bitonic_sort", {
  reads: ["input"],
  writes: ["to_keys", "to_places", "values", "indices"],
  fields: ["rows: u32", "n: u32", "chunks: u32", "keep: u32", "turned: u32"],
  workgroup_size: ({ variant }) => [2 ** Math.floor(variant / 16), 1, 1],
  code: (context) => {
    const size = 2 ** (context.variant % 16);
    const lanes = 2 ** Math.floor(context.variant / 16);
    const tile = lanes * PER_LANE;
    const type = key_type(context, "input");
    const greatest = type === "u32" ? NOBODY : `vec2<u32>(${NOBODY}, ${NOBODY})`;
    const declarations = `var<workgroup> keys: array<${type}, ${tile}>;
var<workgroup> places: array<u32, ${tile}>;
${key_of(context)}
${is_less(type)}`;
    const main = `  let first = (group.x + group.y * groups.x) * ${tile / size}u;
  for (var s = lane; s < ${tile}u; s += ${lanes}u) {
    let row = (first + s / ${size}u) / p.chunks;
    let place = ((first + s / ${size}u) % p.chunks) * ${size}u + s % ${size}u;
    keys[s] = ${greatest};
    places[s] = ${NOBODY};
    if ((row < p.rows) && (place < p.n)) {
      keys[s] = key_of(load_input(row * p.n + place));
      places[s] = place;
    }
  }
  for (var run = 2u; run <= ${size}u; run *= 2u) {
    for (var far = run / 2u; far >= 1u; far /= 2u) {
      workgroupBarrier();
      for (var t = lane; t < ${tile / 2}u; t += ${lanes}u) {
        let a = (t / far) * 2u * far + t % far;
        let b = a + far;
        let key_a = keys[a];
        let key_b = keys[b];
        let place_a = places[a];
        let place_b = places[b];
        let greater = is_less(key_b, key_a) || (all(key_a == key_b) && (place_a > place_b));
        if (greater == ((a & ${size - 1}u & run) == 0u)) {
          keys[a] = key_b;
          keys[b] = key_a;
          places[a] = place_b;
          places[b] = place_a;
        }
      }
    }
  }
  workgroupBarrier();
  for (var s = lane; s < ${tile}u; s += ${lanes}u) {
    let row = (first + s / ${size}u) / p.chunks;
    let place = places[s];
    if ((place == ${NOBODY}) || (s % ${size}u >= p.keep)) {
      continue;
    }
    let to = (first + s / ${size}u) * p.keep + s % ${size}u;
${store_result(context, "to", "keys[s]", "place")}
  }`;
    return { declarations, main };
  },
});

/**
 * Merges parts of `span` elements, `runs` per row, of which `keep` are stored, into parts of twice the size, of which
 * `to_keep` are stored.
 */
const merge = new GpuKernel("merge_sorted", {
  reads: ["keys", "places", "input"],
  writes: ["to_keys", "to_places", "values", "indices"],
  fields: ["rows: u32", "n: u32", "span: u32", "runs: u32", "keep: u32", "to_runs: u32", "to_keep: u32"],
  workgroup_size: [WORKGROUP, 1, 1],
  code: (context) => {
    const type = key_type(context, "keys");
    const declarations = `${is_less(type)}
fn key_at(i: u32) -> ${type} {
  return ${type === "u32" ? "bitcast<u32>(load_keys(i))" : "load_keys(i)"};
}`;
    const main = `  let i = (group.x + group.y * groups.x) * ${WORKGROUP}u + lane;
  let at = i % p.keep;
  let run = (i / p.keep) % p.runs;
  let row = i / (p.keep * p.runs);
  if ((row >= p.rows) || (at >= p.n - run * p.span)) {
    return;
  }
  let key = key_at(i);
  let other = run ^ 1u;
  var low = 0u;
  var high = 0u;
  if (other < p.runs) {
    high = min(p.keep, p.n - other * p.span);
  }
  let begin = (row * p.runs + other) * p.keep;
  while (low < high) {
    let middle = (low + high) / 2u;
    let there = key_at(begin + middle);
    if (is_less(there, key) || ((other < run) && !is_less(key, there))) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  let place = u32(load_places(i));
  let to = (row * p.to_runs + run / 2u) * p.to_keep + at + low;
  if (at + low < p.to_keep) {
${store_result(context, "to", "key", "place")}
  }`;
    return { declarations, main };
  },
});

/**
 * The input of a sort: `self` is contiguous, with `rows` rows of `n` elements. The first `k` of each row are wanted.
 */
export interface Rows {
  readonly self: Tensor;
  readonly rows: number;
  readonly n: number;
  readonly k: number;
  readonly descending: boolean;
}

/**
 * `values` and `indices` (int64 or int32) are contiguous, `rows` by `k`. Precondition: there are elements, and `values`
 * does not share memory with `self`.
 */
export function sort_rows({ self, rows, n, k, descending }: Rows, values: Tensor, indices: Tensor): void {
  const log2_lanes = Math.log2(tuning().workgroup);
  const log2_size = Math.min(Math.ceil(Math.log2(n)), log2_lanes + Math.log2(PER_LANE));
  const results = [view_of(values), view_of(indices)];
  let span = 2 ** log2_size;
  let runs = Math.ceil(n / span);
  let keep = Math.min(k, span);
  let from: Parts | null = null;
  const next = (): { to: Parts | null; views: (OperandView | null)[] } => {
    if (runs === 1) return { to: null, views: [null, null, ...results] };
    const to = new_sorted(self.scalar_type(), rows * runs * keep);
    return { to, views: [view_of(to.keys), view_of(to.places), null, null] };
  };
  const first = next();
  const tiles = Math.ceil((rows * runs * span) / (2 ** log2_lanes * PER_LANE));
  const values_of_tile = [rows, n, runs, keep, descending ? -1 : 0];
  sort_tile.launch(log2_lanes * 16 + log2_size, [view_of(self), ...first.views], values_of_tile, ...folded(tiles), 1);
  from = first.to;
  while (from !== null) {
    const before = [rows, n, span, runs, keep];
    const threads = rows * runs * keep;
    span *= 2;
    runs = Math.ceil(n / span);
    keep = Math.min(k, span);
    const { to, views } = next();
    const reads = [view_of(from.keys), view_of(from.places), to === null ? view_of(self) : null];
    merge.launch(0, [...reads, ...views], [...before, runs, keep], ...folded(Math.ceil(threads / WORKGROUP)), 1);
    from = to;
  }
}

interface Parts {
  readonly keys: Tensor;
  readonly places: Tensor;
}

function new_sorted(dtype: ScalarType, n: number): Parts {
  const keys = dtype === ScalarType.Long ? at.empty_memory_format([n], OPTIONS.dtype(ScalarType.Long)) : empty_keys(n);
  return { keys, places: empty_keys(n) };
}

/** Sorts `n` contiguous keys. */
export function sort_by_key(keys: Tensor, n: number): SortedKeys {
  const sorted = empty_keys(n);
  const places = empty_keys(n);
  sort_rows({ self: keys, rows: 1, n, k: n, descending: false }, sorted, places);
  return { sorted, places };
}

/** Keys in order, and the original position of each. */
export interface SortedKeys {
  readonly sorted: Tensor;
  readonly places: Tensor;
}
