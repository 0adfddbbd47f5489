/**
 * @file Kernel of `randperm`: numbers are sorted by random keys; numbers with equal keys are shuffled among themselves.
 * @mirrors aten/src/ATen/native/cuda/Randperm.cuh
 */
import type { Generator } from "#aten/core/Generator";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { random_from_to_stub } from "#aten/native/Distributions/index";
import { check_randperm } from "#aten/native/TensorFactories/Random";
import { TensorIterator } from "#aten/TensorIterator";
import { webgpu_generator } from "#aten/webgpu/WebGPUGeneratorImpl";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { GpuKernel, view_of } from "./KernelText.ts";
import { PHILOX_FIELDS, PHILOX_TEXT, philox_values } from "./philox.ts";
import { empty_keys, sort_rows } from "./SortUtils.ts";
import { STRIDED_WORKGROUP, strided_groups, strided_indices } from "./strided.ts";

// Note [Algorithm of randperm]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Sorting by random keys is a fair shuffle if no two keys are equal. Keys have so many bits (2 log2(n) and a few more)
// that they all differ with 90 % probability; fewer bits make CUDA's radix sort faster. A run of equal keys ("island")
// is then shuffled by the Fisher-Yates algorithm, by the thread of its first element.

/** One thread per element; only the thread at the start of an island has work. */
const handle_duplicate_keys = new GpuKernel("randperm_handle_duplicate_keys", {
  reads: ["keys"],
  writes: ["data"],
  fields: ["n: u32", ...PHILOX_FIELDS],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  code: () => ({
    declarations: `${PHILOX_TEXT}
fn are_equal(i: u32, j: u32) -> bool {
  return all(load_keys(i) == load_keys(j));
}`,
    main: `${strided_indices(1)}
  if ((i > 0u) && are_equal(i, max(i, 1u) - 1u)) {
    return;
  }
  var size = 1u;
  while ((i + size < p.n) && are_equal(i, min(i + size, p.n - 1u))) {
    size++;
  }
  for (var left = size; left > 1u; left--) {
    let drawn = size - left;
    let other = i + philox(i, drawn / 4u)[drawn % 4u] % left;
    let held = load_data(i + left - 1u);
    store_data(i + left - 1u, load_data(other));
    store_data(other, held);
  }`,
  }),
});

/** Number of bits for which `n` random keys all differ with 90 % probability. */
function key_bits(n: number): number {
  return Math.min(64, Math.ceil(Math.log2(n - (6 * n * n + 1) / (Math.log(0.9) * 12))));
}

/** Random keys from the whole range of the dtype except its largest number, drawn as in CUDA. */
function drawn_keys(n: number, dtype: ScalarType, bits: 32 | 64, generator: Generator | null): Tensor {
  const keys = at.empty_memory_format([n], empty_keys(0).options().dtype(dtype));
  const range = (1n << BigInt(bits)) - 1n;
  const iter = TensorIterator.borrowing_nullary_op(keys);
  random_from_to_stub.call(keys.device_type(), iter, range, -(1n << BigInt(bits - 1)), generator);
  return keys;
}

// randperm.generator_out(SymInt n, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)
export function randperm_out(n_: number, generator: Generator | null, result: Tensor): Tensor {
  const n = check_randperm(n_, generator, result);
  result.resize_([n]);
  if (n === 0) return result;
  const bits = key_bits(n);
  const [dtype, width] = bits <= 32 ? [ScalarType.Int, 32 as const] : [ScalarType.Long, 64 as const];
  const drawn = drawn_keys(n, dtype, width, generator);
  const keys = bits === width ? drawn : drawn.bitwise_and_Scalar(Scalar.fromInt((1n << BigInt(bits)) - 1n));
  const [sorted, places] = [at.empty_like(keys), empty_keys(n)];
  sort_rows({ self: keys, rows: 1, n, k: n, descending: false }, sorted, places);
  const state = webgpu_generator(generator).philox_engine_inputs(n);
  const values = [n, ...philox_values({ state, threads: 1 })];
  const groups = strided_groups(n);
  handle_duplicate_keys.launch(0, [view_of(sorted), view_of(places)], values, ...groups, 1);
  return result.copy_(places);
}
