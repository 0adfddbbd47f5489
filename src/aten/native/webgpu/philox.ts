/**
 * @file Philox 4x32-10, the counter-based engine that CUDA's kernels draw from, as kernel text: of a seed, a place in the sequence and a thread,
 * four numbers of 32 bits. And how a kernel's threads share the elements, on which the numbers depend.
 * @mirrors aten/src/ATen/core/PhiloxRNGEngine.h
 * @mirrors aten/src/ATen/native/cuda/DistributionTemplates.h
 * @differs CUDA launches as many threads as the card holds, so that large tensors get other numbers on other cards; here it is one card for
 *   all: GRID_BLOCKS blocks.
 */
import type { PhiloxState, WebGPUGeneratorImpl } from "#aten/webgpu/WebGPUGeneratorImpl";

// Note [Threads of CUDA]
// ~~~~~~~~~~~~~~~~~~~~~~
// A kernel of CUDA that draws has blocks of 256 threads; a thread draws four numbers at a time, and its elements are those with its own number,
// plus one grid, plus two, plus three; then it goes on with the next four numbers:
//
//   thread t     elements t, t + T, t + 2T, t + 3T         by the first four numbers, T = threads of the grid
//                t + 4T, ...                               by the next
//
// Our invocations are one an element: which thread it would be, and which of its numbers, follows from the element's number.

const BLOCK = 256;
const GRID_BLOCKS = 864;
const UNROLL = 4;

export interface Draw {
  readonly state: PhiloxState;
  /** Of the grid. */
  readonly threads: number;
}

/** Takes from the generator what `numel` elements need: numbers of 32 bits, of which a step gives four, or of 64, of which it gives two. */
export function draw_for(generator: WebGPUGeneratorImpl, numel: number, per_step: 4 | 2 = 4): Draw {
  const threads = BLOCK * Math.min(Math.ceil(numel / BLOCK), GRID_BLOCKS);
  const rounds = Math.floor((numel - 1) / (threads * per_step)) + 1;
  return { state: generator.philox_engine_inputs(rounds * UNROLL), threads };
}

export const PHILOX_FIELDS: readonly string[] = [
  ...["seed_low: u32", "seed_high: u32", "offset_low: u32", "offset_high: u32", "threads: u32"],
];

/** In the order of PHILOX_FIELDS. */
export function philox_values({ state: { seed, offset }, threads }: Draw): number[] {
  const words = (value: bigint): number[] => [
    Number(BigInt.asUintN(32, value)),
    Number(BigInt.asUintN(32, value >> 32n)),
  ];
  return [...words(seed), ...words(offset / 4n), threads];
}

/**
 * `philox(thread, round) -> vec4<u32>`: what a thread draws; `philox_of(i) -> u32`: the number of element i, `philox64_of(i) -> vec2<u32>` the same
 * of 64 bits; `uniform_of(bits) -> f32`: in (0, 1]; `normal_of(i) -> f32`: of element i, by Box and Muller.
 */
export const PHILOX_TEXT = `fn philox_round(counter: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
  let a = u32_mul_wide(0xd2511f53u, counter.x);
  let b = u32_mul_wide(0xcd9e8d57u, counter.z);
  return vec4<u32>(b.y ^ counter.y ^ key.x, b.x, a.y ^ counter.w ^ key.y, a.x);
}
fn philox(thread: u32, round: u32) -> vec4<u32> {
  let at = i64_add(vec2<u32>(p.offset_low, p.offset_high), vec2<u32>(round, 0u));
  var counter = vec4<u32>(at.x, at.y, thread, 0u);
  var key = vec2<u32>(p.seed_low, p.seed_high);
  for (var k = 0u; k < 9u; k++) {
    counter = philox_round(counter, key);
    key += vec2<u32>(0x9e3779b9u, 0xbb67ae85u);
  }
  return philox_round(counter, key);
}
fn philox_of(i: u32) -> u32 {
  let turn = i / p.threads;
  return philox(i % p.threads, turn / 4u)[turn % 4u];
}
fn philox64_of(i: u32) -> vec2<u32> {
  let turn = i / p.threads;
  let bits = philox(i % p.threads, turn / 2u);
  return select(bits.yx, bits.wz, (turn & 1u) == 1u);
}
fn uniform_of(bits: u32) -> f32 {
  return fma(f32(bits), 2.3283064365386963e-10f, 1.1641532182693481e-10f);
}
fn normal_of(i: u32) -> f32 {
  let turn = i / p.threads;
  let bits = philox(i % p.threads, turn / 4u);
  let second = (turn & 2u) != 0u;
  let radius = sqrt(-2.0f * log_f32(uniform_of(select(bits.x, bits.z, second))));
  let angle = fma(f32(select(bits.y, bits.w, second)), 1.4629180792671596e-09f, 7.314590396335798e-10f);
  return radius * select(sin_f32(angle), cos_f32(angle), (turn & 1u) != 0u);
}`;
