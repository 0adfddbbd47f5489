/**
 * @file Values worth trying, by dtype, as they lie in memory.
 * @original
 */
import { f32_from_bits } from "../../../src/c10/util/BFloat16.ts";
import { fp16_ieee_to_fp32_value } from "../../../src/c10/util/Half.ts";

type Words = Uint8Array | Int8Array | Int16Array | Uint16Array | Int32Array | Float32Array | BigInt64Array;

export interface Facts {
  readonly array: new (buffer: ArrayBufferLike, offset?: number, n?: number) => Words;
  readonly values: readonly (number | bigint)[];
}

const FLOATS = [
  0, -0, 1, -1, 0.5, -2.5, 3.25, 1e-3, 7, 100.25, -80, -1e-10, 0.9, -0.3, 2, -3, 0.75, 12.5, -0.999, 0.1, 1e10, -65504,
  Infinity, -Infinity, NaN,
]; // biome-ignore format: a list
/** Denormal halves are no denormal floats. */
const HALVES = [
  0, 0x8000, 0x3c00, 0xbc00, 0x3555, 1, 0x83ff, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x4248, 0x0400, 0x2e66,
];
const BFLOATS = [0, 0x8000, 0x3f80, 0xbf80, 0x4049, 0x7f80, 0xff80, 0x7fc0, 0x3eab, 0x42c8, 0xc080];
const INT32 = [0, 1, -1, 2147483647, -2147483648, 123456789, -7, 3, 17];
const INT64 = [0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 123456789012n, -7n, 3n, 17n, 4294967296n];

export const facts: Readonly<Record<string, Facts>> = {
  float32: { array: Float32Array, values: FLOATS },
  float16: { array: Uint16Array, values: HALVES },
  bfloat16: { array: Uint16Array, values: BFLOATS },
  int64: { array: BigInt64Array, values: INT64 },
  int32: { array: Int32Array, values: INT32 },
  int16: { array: Int16Array, values: [0, 1, -1, 300, 32767, -32768, -777] },
  int8: { array: Int8Array, values: [0, 1, -1, 2, 100, 127, -128, -77] },
  uint8: { array: Uint8Array, values: [0, 1, 2, 3, 100, 127, 128, 200, 255] },
  bool: { array: Uint8Array, values: [0, 1, 1, 0, 2, 255] },
};

/** A generator of random numbers; equal seeds give equal sequences. */
export function random_from(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The number that stored bits mean. */
export function number_of(dtype: string, stored: number | bigint): number {
  if (dtype === "float16") return fp16_ieee_to_fp32_value(Number(stored));
  return dtype === "bfloat16" ? f32_from_bits(Number(stored)) : Number(stored);
}

/** Places of floats on the number line, in units of the last place. A denormal float32 counts as 0: many GPUs have none. */
function place(dtype: string, stored: number): number {
  const bits = dtype === "float32" ? new Int32Array(new Float32Array([stored]).buffer)[0] : (stored << 16) >> 16;
  const magnitude = bits & (dtype === "float32" ? 0x7fffffff : 0x7fff);
  if (magnitude < (dtype === "float32" ? 0x800000 : dtype === "bfloat16" ? 0x80 : 0)) return 0;
  return bits < 0 ? -magnitude : magnitude;
}

/** How many units of the last place two elements are apart; integers: 0 or infinitely many. NaN is equal to NaN. */
export function units_apart(dtype: string, a: number | bigint, b: number | bigint): number {
  if (a === b) return 0;
  if (!dtype.includes("float")) return Number.POSITIVE_INFINITY;
  const [x, y] = [number_of(dtype, a), number_of(dtype, b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) && Number.isNaN(y) ? 0 : Number.POSITIVE_INFINITY;
  return Math.abs(place(dtype, Number(a)) - place(dtype, Number(b)));
}
