/**
 * @file Conversion between memory and lanes: narrow elements are widened to four bytes when they are loaded, and
 * wrapped or rounded when they are stored. Also operations for which there is no vector instruction.
 * @mirrors aten/src/ATen/cpu/vec/vec_convert.h
 */
import type { Emitter } from "./emitter.ts";

/** Bytes of an element in memory. */
export const SIZES: Readonly<Record<string, number>> = {
  uint8: 1,
  int8: 1,
  bool: 1,
  int16: 2,
  float16: 2,
  bfloat16: 2,
  int32: 4,
  float32: 4,
  int64: 8,
  float64: 8,
};

/** Whether the dtype is computed with eight bytes a lane. */
function is_wide(dtype: string): boolean {
  return SIZES[dtype] === 8;
}

/** Loads `count` vectors of four elements of `dtype` from local `at` on; elements of eight bytes take twice as many vectors. */
export function load_vectors(e: Emitter, dtype: string, at: string, count: number): readonly string[] {
  const vectors: string[] = [];
  const load = (instruction: string, offset: number): string => {
    e.emit(`local.get $${at}`);
    return e.set(`${instruction} offset=${offset}`);
  };
  const size = SIZES[dtype];
  if (size >= 4) {
    const many = is_wide(dtype) ? 2 * count : count;
    for (let k = 0; k < many; k++) vectors.push(load("v128.load", 16 * k));
    return vectors;
  }
  const signed = dtype === "int8" || dtype === "int16" || dtype === "float16" ? "s" : "u";
  for (let k = 0; k < count; k++) {
    if (size === 2) vectors.push(load(`v128.load16x4_${signed}`, 8 * k));
    else
      vectors.push(
        e.op(
          `i32x4.extend_low_i16x8_${signed}`,
          e.op(`i16x8.extend_low_i8x16_${signed}`, load("v128.load32_zero", 4 * k)),
        ),
      );
  }
  if (dtype === "bool") return vectors.map((x) => e.op("v128.and", truth(e, x), e.constant("i32", 1)));
  return is_half(dtype) ? vectors.map((x) => widened(e, dtype, x)) : vectors;
}

function is_half(dtype: string): boolean {
  return dtype === "float16" || dtype === "bfloat16";
}

/** The float values of halves' bits; float16 bits must be sign-extended. */
export function widened(e: Emitter, dtype: string, bits: string): string {
  return dtype === "float16" ? half_to_float(e, bits) : e.shift("i32x4.shl", bits, 16);
}

/** Converts two vectors of floats to one vector of eight halves. */
export function narrowed(e: Emitter, dtype: string, low: string, high: string): string {
  if (dtype === "float16") return floats_to_halves(e, low, high);
  return e.op("i16x8.narrow_i32x4_u", float_to_bfloat16(e, low), float_to_bfloat16(e, high));
}

/** Converts bytes of a bool to 0 and 1. Memory that a view declares as bool may hold any byte: all but 0 are true. */
function truth(e: Emitter, x: string): string {
  return e.op("i32x4.ne", x, e.constant("i32", 0));
}

/** Stores `vectors` at local `at`: values in the type of computation of `dtype`, or, if `isMask`, masks of four bytes a lane. */
export function store_vectors(
  e: Emitter,
  dtype: string,
  isMask: boolean,
  vectors: readonly string[],
  at: string,
): void {
  const size = SIZES[dtype];
  const store = (instruction: string, x: string, offset: number, lane = ""): void => {
    e.emit(`local.get $${at}`, `local.get $${x}`, `${instruction} offset=${offset}${lane}`);
  };
  if (size >= 4) {
    for (const [k, x] of vectors.entries()) store("v128.store", x, 16 * k);
    return;
  }
  if (size === 2) {
    const pair = (low: string, high: string): string =>
      is_half(dtype) ? narrowed(e, dtype, low, high) : e.op("i16x8.narrow_i32x4_u", low, high);
    const words = is_half(dtype) ? vectors : vectors.map((x) => e.op("v128.and", x, e.constant("i32", 0xffff)));
    if (words.length === 1) store("v128.store64_lane", pair(words[0], words[0]), 0, " 0");
    for (let k = 0; k + 1 < words.length; k += 2) store("v128.store", pair(words[k], words[k + 1]), 8 * k);
    return;
  }
  // Masks are -1 and 0 and stay so when narrowed with sign.
  const ints = isMask ? vectors : vectors.map((x) => e.op("v128.and", x, e.constant("i32", 255)));
  const [to16, to8] = isMask
    ? ["i16x8.narrow_i32x4_s", "i8x16.narrow_i16x8_s"]
    : ["i16x8.narrow_i32x4_u", "i8x16.narrow_i16x8_u"];
  const pairs: string[] = [];
  for (let k = 0; k < ints.length; k += 2) pairs.push(e.op(to16, ints[k], ints[k + 1] ?? ints[k]));
  const bytes = e.op(to8, pairs[0], pairs[1] ?? pairs[0]);
  const result = isMask ? e.op("v128.and", bytes, e.bytes(1)) : bytes;
  if (vectors.length === 1) store("v128.store32_lane", result, 0, " 0");
  else if (vectors.length === 2) store("v128.store64_lane", result, 0, " 0");
  else store("v128.store", result, 0);
}

/** The bits are shifted into place and scaled by 2^112; infinity and NaN stay. */
function half_to_float(e: Emitter, bits: string): string {
  const shifted = e.shift("i32x4.shl", bits, 13);
  const scaled = e.op(
    "f32x4.mul",
    e.op("v128.and", shifted, e.constant("i32", 0x8fffe000 | 0)),
    e.constant("f32", 2 ** 112),
  );
  const highest = e.constant("i32", 0x7c00 << 13);
  const above = e.op("i32x4.eq", e.op("v128.and", shifted, highest), highest);
  return e.op("v128.or", scaled, e.op("v128.and", above, e.constant("i32", 0x7f800000)));
}

/**
 * The bits of the nearest halves without their sign, ties to even; a NaN gives a value far above. Adding a power of two
 * that is 2^13 units of the result's last place lets the machine round; then the bits are at its low end.
 */
function magnitude_of_half(e: Emitter, x: string): string {
  const magnitude = e.op("v128.and", x, e.constant("i32", 0x7fffffff));
  const below = e.op("f32x4.pmin", magnitude, e.constant("f32", 65536)); // 65536 rounds to infinity; a NaN stays
  const power = power_of_half(e, below);
  const rounded = e.op("f32x4.add", below, e.op("i32x4.add", power, e.constant("i32", 13 << 23)));
  const bias = e.op("i32x4.sub", e.shift("i32x4.shr_u", power, 13), power);
  return e.op("i32x4.add", e.op("i32x4.add", rounded, bias), e.constant("i32", -(13 << 23) - (113 << 10)));
}

/** The power of two at or below each magnitude, limited to the range of halves. */
function power_of_half(e: Emitter, magnitude: string): string {
  const exponent = e.op("v128.and", magnitude, e.constant("i32", 0x7f800000));
  return e.op(
    "i32x4.min_s",
    e.op("i32x4.max_s", exponent, e.constant("i32", 0x38800000)), // 2^-14: below it, all halves have the distance of the halves there
    e.constant("i32", 0x47800000), // 2^16: infinity and NaN have larger exponents
  );
}

/** Floats rounded to half precision: the same power of two is added and subtracted. A NaN stays. */
function rounded_to_half(e: Emitter, x: string): string {
  const magnitude = e.op("v128.and", x, e.constant("i32", 0x7fffffff));
  const power = e.op("i32x4.add", power_of_half(e, magnitude), e.constant("i32", 13 << 23));
  const rounded = e.op("f32x4.sub", e.op("f32x4.add", magnitude, power), power);
  const above = e.op("f32x4.ge", rounded, e.constant("f32", 65536));
  const bounded = e.op("v128.bitselect", e.constant("f32", Infinity), rounded, above);
  return e.op("v128.bitselect", x, bounded, e.constant("i32", 0x80000000 | 0));
}

function floats_to_halves(e: Emitter, low: string, high: string): string {
  const magnitudes = e.op("i16x8.narrow_i32x4_s", magnitude_of_half(e, low), magnitude_of_half(e, high));
  const numbers = e.op("i16x8.min_s", magnitudes, e.constant("i32", 0x7e007e00)); // one bit pattern for all NaNs
  return e.op("v128.or", numbers, e.op("v128.and", e.shuffle(low, high, UPPER_HALVES), e.constant("i32", SIGNS)));
}
/** Byte order for a shuffle of two vectors: the upper two bytes of every four. */
const UPPER_HALVES = [2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31];
const SIGNS = 0x80008000 | 0;

/** Floats rounded to the precision of `dtype`. */
export function rounded(e: Emitter, dtype: string, x: string): string {
  if (dtype === "float16") return rounded_to_half(e, x);
  return e.shift("i32x4.shl", float_to_bfloat16(e, x), 16);
}

/** The upper sixteen bits of floats, rounded to nearest, ties to even. */
function float_to_bfloat16(e: Emitter, x: string): string {
  const odd = e.op("v128.and", e.shift("i32x4.shr_u", x, 16), e.constant("i32", 1));
  const rounded = e.shift("i32x4.shr_u", e.op("i32x4.add", e.op("i32x4.add", x, odd), e.constant("i32", 0x7fff)), 16);
  return e.op("v128.bitselect", rounded, e.constant("i32", 0x7fc0), e.op("f32x4.eq", x, x));
}
