/**
 * @file How elements lie in the words of a segment: the text that reads one, and that writes one.
 *
 *   float32, int32                    one word
 *   int64                             two, the low one first
 *   float16, bfloat16, int16          half a word
 *   int8, uint8, bool                 a quarter
 *
 * Element numbers count from the segment's beginning, in elements of that dtype.
 * @mirrors aten/src/ATen/native/cuda/MemoryAccess.cuh
 * @differs CUDA has pointers to elements of every size; WGSL's smallest is a word.
 */

import { dtype_name } from "#aten/webgpu/dtypes";
import { type_of } from "#aten/webgpu/wgsl/printer";
import { elementSize, isFloatingType, ScalarType } from "#c10/core/ScalarType";

// Note [Words that hold several elements]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Two invocations that write halves of one word would lose one of them. Two ways out:
//
//   words      the output lies side by side: an invocation makes whole words, so nobody else writes there. At the ends, where a word belongs
//              to a neighbour, too, it reads the word first and keeps the neighbour's bytes.
//   exchange   any other output: an invocation makes one element, and puts it into its word by compare-exchange. Then the whole segment is
//              bound as atomics.

/** What the words of a slot are in the text. */
export type WordType = "u32" | "vec4<u32>" | "atomic<u32>";

/** Word `index` of a slot. */
export function word(slot: number, type: WordType, index: string): string {
  if (type === "atomic<u32>") return `atomicLoad(&m${slot}[${index}])`;
  return type === "u32" ? `m${slot}[${index}]` : `m${slot}[(${index}) >> 2u][(${index}) & 3u]`;
}

/** The binding of a slot. */
export function binding(slot: number, type: WordType, is_written: boolean): string {
  const access = is_written || type === "atomic<u32>" ? "read_write" : "read";
  return `@group(1) @binding(${slot}) var<storage, ${access}> m${slot}: array<${type}>;`;
}

/** The element in bits of a word, as it is computed with. `bits`: its own, the lowest, whatever is above. */
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

/** The bits of an element of at most a word: as many as it has, the others 0. */
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

/** Elements that share a word. */
export function per_word(dtype: ScalarType): number {
  return Math.max(1, 4 / elementSize(dtype));
}

/** Of element `e`: the word it lies in, and by how many bits it is shifted there. Precondition: `e` is a name. */
export function place(dtype: ScalarType, e: string): { word: string; shift: string } {
  const bits = per_word(dtype) === 4 ? 2 : 1;
  const mask = per_word(dtype) - 1;
  return { word: `${e} >> ${bits}u`, shift: `(${e} & ${mask}u) << ${bits === 2 ? 3 : 4}u` };
}

/** Element `e` of a slot. Precondition: `e` is a name. */
export function load(dtype: ScalarType, slot: number, type: WordType, e: string): string {
  const size = elementSize(dtype);
  if (size === 8) return `vec2<u32>(${word(slot, type, `2u * ${e}`)}, ${word(slot, type, `2u * ${e} + 1u`)})`;
  if (size === 4) return from_bits(dtype, word(slot, type, e));
  const at = place(dtype, e);
  return from_bits(dtype, `${word(slot, type, at.word)} >> (${at.shift})`);
}

/** Lines that put `value`, a name, into element `e` of a slot, which nobody else writes to at that time. */
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

/** The function that `store` calls for parts of words of this slot. */
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

/** A value as if it had been stored as `dtype`: what is computed in more bits than it has. */
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

/** `static_cast`: an element of dtype `from` as one of dtype `to`, as it is computed with. */
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
