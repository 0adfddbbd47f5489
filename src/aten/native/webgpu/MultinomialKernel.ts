/**
 * @file Kernels of `multinomial` with replacement: each draw is looked up in the cumulative sums of its row's
 * probabilities. Without replacement, the race of exponentials runs the same code on every device and ends with `topk`.
 * @mirrors aten/src/ATen/native/UnaryOps.h
 * @differs Ours keeps probabilities and sums in float32; CUDA keeps those of halves as halves.
 * @see native/Distributions/Multinomial.ts, Note [A race of exponentials]
 */
import type { Generator } from "#aten/core/Generator";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { multinomial_largest_stub, multinomial_with_replacement_stub } from "#aten/native/Distributions/Multinomial";
import { webgpu_generator } from "#aten/webgpu/WebGPUGeneratorImpl";
import { ScalarType } from "#c10/core/ScalarType";
import { folded, GpuKernel, view_of } from "./KernelText.ts";
import { PHILOX_FIELDS, PHILOX_TEXT, philox_values } from "./philox.ts";
import { cumsum } from "./ScanKernels.ts";

const WORKGROUP = 64;
const FILE = "src/aten/native/webgpu/MultinomialKernel.ts";
const INDEX = `  let i = (group.x + group.y * groups.x) * ${WORKGROUP}u + lane;
  if (i >= p.n) {
    return;
  }`;

/** Normalizes weights to probabilities. */
const renorm_rows = new GpuKernel("renormRowsL1", {
  reads: ["weights", "sums"],
  writes: ["shares"],
  fields: ["n: u32", "categories: u32"],
  workgroup_size: [WORKGROUP, 1, 1],
  asserts: `${FILE}: renormRowsL1`,
  conditions: ["!(val < static_cast<scalar_t>(0))", "!(sum < static_cast<scalar_t>(0))"],
  code: () => ({
    main: `${INDEX}
  let val = load_weights(i);
  let sum = load_sums(i / p.categories);
  kernel_assert(!(val < 0.0f), 0u);
  kernel_assert(!(sum < 0.0f), 1u);
  store_shares(i, select(val, val / sum, sum > 0.0f));`,
  }),
});

// Note [Threads that draw categories]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A CUDA thread draws for one sample of one row. Blocks of 128 in x cover the samples, y covers the rows, at most
// MOST_ROWS at once. For further rows, the thread takes its next four random numbers. It uses only the first of each
// four.

const BLOCK = 128;
const MOST_ROWS = 65535;

const sample = new GpuKernel("sampleMultinomialWithReplacement", {
  reads: ["sums", "shares"],
  writes: ["out"],
  fields: ["n: u32", "samples: u32", "categories: u32", "row_threads: u32", "rows_at_once: u32", ...PHILOX_FIELDS],
  workgroup_size: [WORKGROUP, 1, 1],
  asserts: `${FILE}: binarySearchForMultinomial`,
  conditions: ["cumdist[size - 1] > static_cast<scalar_t>(0)"],
  code: () => ({
    declarations: PHILOX_TEXT,
    main: `${INDEX}
  let row = i / p.samples;
  let thread = (row % p.rows_at_once) * p.row_threads + i % p.samples;
  let drawn = uniform_of(philox(thread, row / p.rows_at_once).x);
  let first = row * p.categories;
  kernel_assert(load_sums(first + p.categories - 1u) > 0.0f, 0u);
  var low = 0u;
  var high = p.categories;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (load_sums(first + middle) < drawn) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  low = min(low, p.categories - 1u);
  while ((low >= 1u) && (load_shares(first + low) == 0.0f)) {
    low--;
  }
  store_out(i, vec2<u32>(low, 0u));`,
  }),
});

function groups_of(n: number): [number, number] {
  return folded(Math.ceil(n / WORKGROUP));
}

function multinomial_with_replacement_kernel(
  result: Tensor,
  self: Tensor,
  n_sample: number,
  gen: Generator | null,
): void {
  const categories = self.size(-1);
  const rows = self.numel() / categories;
  const weights = self.to_dtype(ScalarType.Float).contiguous().reshape([rows, categories]);
  const shares = at.empty_like(weights);
  const sums = at.empty_like(weights);
  const n = weights.numel();
  const totals = weights.sum_dim_IntList([1]);
  renorm_rows.launch(0, [weights, totals, shares].map(view_of), [n, categories], ...groups_of(n), 1);
  cumsum(sums, shares, 1);
  const rows_at_once = Math.min(rows, MOST_ROWS);
  const state = webgpu_generator(gen).philox_engine_inputs(Math.ceil(rows / rows_at_once) * 4);
  const out = result.contiguous();
  const draws = rows * n_sample;
  const row_threads = Math.ceil(n_sample / BLOCK) * BLOCK;
  const values = [draws, n_sample, categories, row_threads, rows_at_once, ...philox_values({ state, threads: 1 })];
  sample.launch(0, [sums, shares, out].map(view_of), values, ...groups_of(draws), 1);
  if (out !== result) result.copy_(out);
}

function multinomial_largest_kernel(result: Tensor, q: Tensor, n_sample: number): void {
  const [, indices] = at.topk(q, n_sample);
  result.copy_(indices);
}

REGISTER_PRIVATEUSE1_DISPATCH(
  multinomial_with_replacement_stub,
  multinomial_with_replacement_kernel,
  "multinomial_with_replacement_kernel_webgpu",
);
REGISTER_PRIVATEUSE1_DISPATCH(
  multinomial_largest_stub,
  multinomial_largest_kernel,
  "multinomial_largest_kernel_webgpu",
);
