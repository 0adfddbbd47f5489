/**
 * @file WGSL of Philox 4x32-10, the counter-based random generator of CUDA's kernels: a seed, a position in the
 * sequence and a thread number give four 32-bit numbers. Also the assignment of elements to threads, on which the
 * numbers depend.
 * @mirrors aten/src/ATen/core/PhiloxRNGEngine.h
 * @mirrors aten/src/ATen/native/cuda/DistributionTemplates.h
 * @differs Ours uses the grid of one fixed card, GRID_BLOCKS blocks; CUDA launches as many threads as the card holds,
 * so large tensors get different numbers on different cards.
 */
import type { PhiloxState, WebGPUGeneratorImpl } from "#aten/webgpu/WebGPUGeneratorImpl";

// Note [Threads of CUDA]
// ~~~~~~~~~~~~~~~~~~~~~~
// A CUDA kernel that draws random numbers has blocks of 256 threads. A thread draws four numbers at a time. Its
// elements are its own number plus 0, 1, 2 and 3 times the size of the grid; then it continues with the next four
// numbers:
//
//   thread t     elements t, t + T, t + 2T, t + 3T         from the first four numbers; T is the number of threads in the grid
//                t + 4T, ...                               from the next four
//
// Our kernels have one invocation per element. The thread and the number that CUDA would use follow from the element's
// index.

const BLOCK = 256;
const GRID_BLOCKS = 864;
const UNROLL = 4;

export interface Draw {
  readonly state: PhiloxState;
  /** Number of threads in the grid. */
  readonly threads: number;
}

/**
 * Advances the generator by the numbers that `numel` elements need. A step gives four 32-bit numbers, or two 64-bit
 * numbers.
 */
export function draw_for(generator: WebGPUGeneratorImpl, numel: number, per_step: 4 | 2 = 4): Draw {
  const threads = BLOCK * Math.min(Math.ceil(numel / BLOCK), GRID_BLOCKS);
  const rounds = Math.floor((numel - 1) / (threads * per_step)) + 1;
  return { state: generator.philox_engine_inputs(rounds * UNROLL), threads };
}

export const PHILOX_FIELDS: readonly string[] = [
  ...["seed_low: u32", "seed_high: u32", "offset_low: u32", "offset_high: u32", "threads: u32"],
];

/** Values in the order of PHILOX_FIELDS. */
export function philox_values({ state: { seed, offset }, threads }: Draw): number[] {
  const words = (value: bigint): number[] => [
    Number(BigInt.asUintN(32, value)),
    Number(BigInt.asUintN(32, value >> 32n)),
  ];
  return [...words(seed), ...words(offset / 4n), threads];
}

/**
 * WGSL functions. `philox(thread, round) -> vec4<u32>`: the numbers of a thread. `philox_of(i) -> u32`: the number of
 * element i; `philox64_of(i) -> vec2<u32>`: its 64-bit number. `uniform_of(bits) -> f32`: uniform in (0, 1].
 * `normal_of(i) -> f32`: a normal number for element i, by the Box-Muller transform.
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
