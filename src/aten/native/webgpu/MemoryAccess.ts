/**
 * @file WGSL for reading and writing elements of each dtype in the words of a segment.
 *
 *   float32, int32                    one word
 *   int64                             two words, the low one first
 *   float16, bfloat16, int16          half a word
 *   int8, uint8, bool                 a quarter of a word
 *
 * Element numbers count from the start of the segment, in elements of that dtype.
 * @mirrors aten/src/ATen/native/cuda/MemoryAccess.cuh
 * @differs Ours reads whole words, the smallest unit of WGSL; CUDA has pointers to elements of every size.
 */

import { dtype_name } from "#aten/webgpu/dtypes";
import { type_of } from "#aten/webgpu/wgsl/printer";
import { elementSize, isFloatingType, ScalarType } from "#c10/core/ScalarType";

// Note [Words that hold several elements]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// If two invocations write halves of one word, one of the writes can be lost. There are two solutions:
//
//   words      for a contiguous output: an invocation writes whole words, so no other invocation writes there. At the two ends,
//              where a word also contains an element of a neighbour, it reads the word first and keeps the neighbour's bytes.
//   exchange   for any other output: an invocation writes one element into its word by compare-exchange. The whole segment is
//              then bound as atomics.

/** Type of the words of a slot in WGSL. */
export type WordType = "u32" | "vec4<u32>" | "atomic<u32>";

/** WGSL for word `index` of a slot. */
export function word(slot: number, type: WordType, index: string): string {
  if (type === "atomic<u32>") return `atomicLoad(&m${slot}[${index}])`;
  return type === "u32" ? `m${slot}[${index}]` : `m${slot}[(${index}) >> 2u][(${index}) & 3u]`;
}

/** WGSL declaration of a slot's binding. */
export function binding(slot: number, type: WordType, is_written: boolean): string {
  const access = is_written || type === "atomic<u32>" ? "read_write" : "read";
  return `@group(1) @binding(${slot}) var<storage, ${access}> m${slot}: array<${type}>;`;
}

/** WGSL for an element in the type of the computation, from the lowest bits of a word. Higher bits are ignored. */
export function from_bits(dtype: ScalarType, bits: string): string {
  switch (dtype) {
    case ScalarType.Float:
      return `bitcast<f32>(${bits})`;
    case ScalarType.Int:
      return `bitcast<i32>(${bits})`;
    case ScalarType.Half:
      return `f16_to_f32((${bits}) & 0xffffu)`;
    case ScalarType.BFloat16:
      return `bf16_to_f32((${bits}) & 0xffffu)`;
    case ScalarType.Short:
      return `extractBits(bitcast<i32>(${bits}), 0u, 16u)`;
    case ScalarType.Char:
      return `extractBits(bitcast<i32>(${bits}), 0u, 8u)`;
    case ScalarType.Byte:
      return `i32((${bits}) & 0xffu)`;
    case ScalarType.Bool:
      return `i32(((${bits}) & 0xffu) != 0u)`;
    default:
      throw new Error(`no element of ${dtype_name(dtype)} lies in one word`);
  }
}

/** WGSL for the bits of an element that takes at most one word; the higher bits are 0. */
export function to_bits(dtype: ScalarType, value: string): string {
  switch (dtype) {
    case ScalarType.Float:
    case ScalarType.Int:
      return `bitcast<u32>(${value})`;
    case ScalarType.Half:
      return `f32_to_f16(${value})`;
    case ScalarType.BFloat16:
      return `f32_to_bf16(${value})`;
    case ScalarType.Short:
      return `(bitcast<u32>(${value}) & 0xffffu)`;
    default:
      return `(bitcast<u32>(${value}) & 0xffu)`;
  }
}

/** Number of elements in a word. */
export function per_word(dtype: ScalarType): number {
  return Math.max(1, 4 / elementSize(dtype));
}

/** Word of element `e`, and its shift in bits. Precondition: `e` is a name. */
export function place(dtype: ScalarType, e: string): { word: string; shift: string } {
  const bits = per_word(dtype) === 4 ? 2 : 1;
  const mask = per_word(dtype) - 1;
  return { word: `${e} >> ${bits}u`, shift: `(${e} & ${mask}u) << ${bits === 2 ? 3 : 4}u` };
}

/** WGSL that loads element `e` of a slot. Precondition: `e` is a name. */
export function load(dtype: ScalarType, slot: number, type: WordType, e: string): string {
  const size = elementSize(dtype);
  if (size === 8) return `vec2<u32>(${word(slot, type, `2u * ${e}`)}, ${word(slot, type, `2u * ${e} + 1u`)})`;
  if (size === 4) return from_bits(dtype, word(slot, type, e));
  const at = place(dtype, e);
  return from_bits(dtype, `${word(slot, type, at.word)} >> (${at.shift})`);
}

/**
 * WGSL that stores `value` into element `e` of a slot; both are names. No other invocation may write this element at
 * the same time.
 */
export function store(dtype: ScalarType, slot: number, type: WordType, e: string, value: string): string[] {
  const size = elementSize(dtype);
  const put = (index: string, bits: string): string =>
    type === "atomic<u32>" ? `atomicStore(&m${slot}[${index}], ${bits});` : `${word(slot, type, index)} = ${bits};`;
  if (size === 8) return [put(`2u * ${e}`, `${value}.x`), put(`2u * ${e} + 1u`, `${value}.y`)];
  if (size === 4) return [put(e, to_bits(dtype, value))];
  const at = place(dtype, e);
  if (type !== "atomic<u32>") throw new Error("a part of a word is stored by exchange");
  return [`exchange_m${slot}(${at.word}, ${at.shift}, ${size === 2 ? "0xffffu" : "0xffu"}, ${to_bits(dtype, value)});`];
}

/** WGSL function that `store` calls for parts of words of this slot. */
export function exchange(slot: number): string {
  return `fn exchange_m${slot}(at: u32, shift: u32, mask: u32, bits: u32) {
  var old = atomicLoad(&m${slot}[at]);
  loop {
    let result = atomicCompareExchangeWeak(&m${slot}[at], old, (old & ~(mask << shift)) | (bits << shift));
    if (result.exchanged) {
      break;
    }
    old = result.old_value;
  }
}`;
}

/** WGSL that rounds a value as if it had been stored as `dtype`; the computation has more bits. */
export function rounded(dtype: ScalarType, value: string): string {
  switch (dtype) {
    case ScalarType.Half:
      return `round_float16(${value})`;
    case ScalarType.BFloat16:
      return `round_bfloat16(${value})`;
    case ScalarType.Short:
      return `extractBits(${value}, 0u, 16u)`;
    case ScalarType.Char:
      return `extractBits(${value}, 0u, 8u)`;
    case ScalarType.Byte:
      return `(${value} & 255i)`;
    default:
      return value;
  }
}

/** `static_cast`: WGSL that converts an element of dtype `from` to dtype `to`, both in the types of the computation. */
export function converted(to: ScalarType, from: ScalarType, value: string): string {
  if (to === from) return value;
  const type = type_of(dtype_name(from));
  const target = type_of(dtype_name(to));
  if (to === ScalarType.Bool) {
    if (type === "vec2<u32>") return `i32(any(${value} != vec2<u32>(0u, 0u)))`;
    return type === "f32" ? `i32(!(${value} == 0.0f))` : `i32(${value} != 0i)`;
  }
  if (type === target) return rounded(to, value);
  if (target === "f32") return rounded(to, type === "i32" ? `f32(${value})` : `i64_to_f32(${value})`);
  if (target === "vec2<u32>") return type === "f32" ? `f32_to_i64(${value})` : `i64_from_i32(${value})`;
  if (type === "vec2<u32>") return rounded(to, `bitcast<i32>((${value}).x)`);
  return isFloatingType(from) && to === ScalarType.Byte ? `f32_to_u8(${value})` : rounded(to, `f32_to_i32(${value})`);
}
