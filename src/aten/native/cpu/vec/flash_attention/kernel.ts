/**
 * @file Kernel and driver of one block of attention scores with SIMD: ../../FlashAttentionKernel.ts on addresses.
 * @mirrors aten/src/ATen/native/cpu/FlashAttentionKernel.cpp
 * @see ../../FlashAttentionKernel.ts (the blocks and the gradients)
 * @vec FlashAttentionKernel: float32, float64
 */
import { memory_of, type Region, with_addresses, workspace } from "#aten/cpu/vec/heap";
import {
  type float,
  type int,
  lane,
  load,
  load_one,
  max,
  min,
  pmax,
  type ptr,
  type scalar_t,
  sizeof,
  splat,
  store,
  store_one,
  type Vec,
} from "#aten/cpu/vec/Vec";
import { default_loop } from "#aten/native/cpu/default_loop";
import { type FlashBlock, flash_attention_kernel_impl, flash_block_impl } from "#aten/native/cpu/FlashAttentionKernel";
import { functions_of, vector_loop } from "#aten/native/cpu/vec/driver";
import { exp_nonpositive, sum_of_lanes } from "#aten/native/cpu/vec/functions";
import { FlashAttentionKernel_vec } from "#aten/native/cpu/vec/generated/flash_attention/kernel";
import { CPUCapability, REGISTER_ARCH_DISPATCH } from "#aten/native/DispatchStub";
import { flash_attention_kernel } from "#aten/native/transformers/attention";
import { heap_memory } from "#c10/core/CPUHeap";
import { elementSize } from "#c10/core/ScalarType";
import { traceCall, tracer } from "#c10/util/Trace";

// Rounding: a sum of exponentials uses two vectors of float partial sums; the version without SIMD adds one after the
// other. The maximum may ignore a NaN: the sum is NaN in that case, and so is everything that is divided by it.

/** Size of the pad in bytes: it holds the rest of a row after its last whole vector, filled up. */
const PAD_BYTES = 16;

/** Scales a row, adds the mask (0: no mask) and returns the maximum. */
function scale_row(pad: ptr, x: ptr, bytes: int, mask: ptr, scale: float): float {
  const by: Vec = splat(scale);
  let m0: Vec = -Infinity;
  let m1: Vec = -Infinity;
  let k = 0;
  if (mask === 0)
    for (; k < (bytes & -32); k += 32) {
      const p = x + k;
      const v0: Vec = load(p) * by;
      const v1: Vec = load(p + 16) * by;
      store(p, v0);
      store(p + 16, v1);
      m0 = pmax(m0, v0);
      m1 = pmax(m1, v1);
    }
  else
    for (; k < (bytes & -32); k += 32) {
      const p = x + k;
      const plus = mask + k;
      const v0: Vec = load(p) * by + load(plus);
      const v1: Vec = load(p + 16) * by + load(plus + 16);
      store(p, v0);
      store(p + 16, v1);
      m0 = pmax(m0, v0);
      m1 = pmax(m1, v1);
    }
  store(pad, pmax(m0, m1));
  let top: float = -Infinity;
  for (let l = 0; l < 16; l += sizeof<scalar_t>()) if (load_one(pad + l) > top) top = load_one(pad + l);
  for (; k < bytes; k += sizeof<scalar_t>()) {
    let v: float = load_one(x + k) * scale;
    if (mask !== 0) v += load_one(mask + k);
    store_one(x + k, v);
    if (v > top) top = v;
  }
  return top;
}

/** Sum of a row whose maximum is -Infinity: -Infinity, or NaN if the row holds one. */
function sum_of(x: ptr, bytes: int): float {
  let sum: float = 0;
  for (let k = 0; k < bytes; k += sizeof<scalar_t>()) sum += load_one(x + k);
  return sum;
}

/** Replaces x with exp(x - top) and returns the sum. */
function exponentials(pad: ptr, x: ptr, bytes: int, top: float): float {
  const t: Vec = splat(top);
  let s0: Vec = 0;
  let s1: Vec = 0;
  let k = 0;
  for (; k < (bytes & -32); k += 32) {
    const e0: Vec = exp_nonpositive(load(x + k) - t);
    const e1: Vec = exp_nonpositive(load(x + k + 16) - t);
    store(x + k, e0);
    store(x + k + 16, e1);
    s0 += e0;
    s1 += e1;
  }
  for (; k < (bytes & -16); k += 16) {
    const e: Vec = exp_nonpositive(load(x + k) - t);
    store(x + k, e);
    s0 += e;
  }
  let sum: float = sum_of_lanes(s0 + s1);
  if (k < bytes) {
    store(pad, -Infinity);
    for (let l = k; l < bytes; l += sizeof<scalar_t>()) store_one(pad + (l - k), load_one(x + l));
    const e: Vec = exp_nonpositive(load(pad) - t);
    store(pad, e);
    for (let l = k; l < bytes; l += sizeof<scalar_t>()) store_one(x + l, load_one(pad + (l - k)));
    sum += sum_of_lanes(e);
  }
  return sum;
}

function multiply(x: ptr, bytes: int, factor: float): void {
  const by: Vec = splat(factor);
  let k = 0;
  for (; k < (bytes & -16); k += 16) store(x + k, load(x + k) * by);
  for (; k < bytes; k += sizeof<scalar_t>()) store_one(x + k, load_one(x + k) * factor);
}

function fill_zero(x: ptr, from: int, to: int): void {
  for (let k = from; k < to; k += sizeof<scalar_t>()) store_one(x + k, 0);
}

/**
 * `mask_step` is the stride between rows of the mask, in bytes. Row r sees `first + r` keys, or none if that is
 * negative.
 */
export function flash_block(
  pad: ptr,
  qk: ptr,
  rows: int,
  columns: int,
  maxima: ptr,
  sums: ptr,
  dst: ptr,
  headSize: int,
  mask: ptr,
  mask_step: int,
  scale: float,
  first: int,
): void {
  const all = columns * sizeof<scalar_t>();
  const result = headSize * sizeof<scalar_t>();
  for (let row = 0; row < rows; row++) {
    const x = qk + row * all;
    const at = row * sizeof<scalar_t>();
    const seen = min(columns, max(0, first + row)) * sizeof<scalar_t>();
    let top: float = scale_row(pad, x, seen, mask, scale);
    const before: float = load_one(maxima + at);
    if (before > top) top = before;
    if (top === -Infinity && seen > 0) top = sum_of(x, seen);
    if (top === -Infinity) fill_zero(x, 0, all);
    else {
      const total: float = exponentials(pad, x, seen, top);
      fill_zero(x, seen, all);
      const factor: float = lane(exp_nonpositive(splat(before - top)), 0);
      store_one(sums + at, total + factor * load_one(sums + at));
      store_one(maxima + at, top);
      multiply(dst + row * result, result, factor);
    }
    mask += mask_step;
  }
}

// Driver
// ------------------------------------------------------------------------------------------------------------------

/** Smallest number of keys for which SIMD is faster. */
const SHORTEST = 16;

function why_not({ scores, columns, mask, scale, is_causal }: FlashBlock): string | null {
  if (!FlashAttentionKernel_vec.has(scores.tensor.dtype())) return "no SIMD kernel for this dtype";
  if (columns < SHORTEST) return `fewer than ${SHORTEST} keys`;
  if (mask !== null && (mask.strideN !== 1 || is_causal)) return "a mask that is not contiguous";
  if (!(scale > 0)) return "a scale that is not positive";
  return heap_memory() === null || workspace(PAD_BYTES) === 0 ? "no heap" : null;
}

function vectors(block: FlashBlock): boolean {
  const { scores, rows, columns, rest, qSplit, headSize, mask, mask_at, scale, is_causal, diagonal } = block;
  const dtype = scores.tensor.dtype();
  const size = elementSize(dtype);
  const f = functions_of(FlashAttentionKernel_vec, dtype).flash_block;
  const pad = workspace(PAD_BYTES);
  const first = is_causal ? diagonal + 1 : columns;
  const regions: Region[] = [
    { tensor: scores.tensor, begin: scores.offset, count: rows * columns },
    { tensor: rest.tensor, begin: rest.offset, count: qSplit * (2 + headSize) },
  ];
  if (mask !== null) regions.push({ tensor: mask.tensor, begin: mask_at, count: (rows - 1) * mask.strideM + columns });
  const step = (mask?.strideM ?? 0) * size;
  return with_addresses(
    regions,
    ([qk, maxima, mask_from = 0]) => {
      const sums = maxima + qSplit * size;
      f(pad, qk, rows, columns, maxima, sums, sums + qSplit * size, headSize, mask_from, step, scale, first);
    },
    2,
  );
}

function take_in(block: FlashBlock): void {
  const why = why_not(block);
  const run = (): void => {
    if (why !== null || !vectors(block)) flash_block_impl(block);
  };
  if (tracer === null) {
    run();
    return;
  }
  const { scores, rows, columns, rest } = block;
  const dtype = scores.tensor.dtype();
  const name = "flash_block";
  const memory = memory_of([scores.tensor, rest.tensor]);
  const data =
    why === null
      ? vector_loop(name, "flash_attention/kernel", FlashAttentionKernel_vec, dtype, [rows, columns], memory)
      : default_loop(name, "FlashAttentionKernel", dtype, [rows, columns], why);
  traceCall("loop", `at::native::${name}`, run, [], data);
}

REGISTER_ARCH_DISPATCH(
  flash_attention_kernel,
  CPUCapability.SIMD128,
  (...args) => flash_attention_kernel_impl(take_in, ...args),
  "flash_attention_kernel_vec",
);
