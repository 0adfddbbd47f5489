/**
 * @file IEEE half precision in a Uint16Array: conversion through tables, the same on every runtime.
 * @mirrors c10/util/Half.h
 * @differs Conversions use tables, which are faster than Float16Array and work on every runtime; PyTorch computes them
 * or uses instructions.
 */

const scratch = new Float32Array(1);
const scratchBits = new Uint32Array(scratch.buffer);

/** Exact value of every half, by its 16 bits. */
export const half_to_float_table: Float32Array = buildToFloat();

// Note [float to half through two tables]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Sign and exponent of the float (its top 9 bits) choose `base`, the half's sign and exponent, and `shift`, how many low bits
// of the mantissa (with its leading 1 where the result is subnormal) are dropped. Dropped bits round to nearest, ties to even; a carry
// out of the mantissa walks into the exponent and so gives the next power of two, or infinity, by itself.
const base = new Uint16Array(512);
const shift = new Uint8Array(512);
const leadingOne = new Uint32Array(512);
for (let e = 0; e < 256; e++) {
  const exponent = e - 127;
  let b = 0;
  let s = 24; // too small: every bit is dropped and nothing rounds up
  let one = 0;
  if (exponent >= 16) {
    b = 0x7c00; // infinity; NaN is handled before the tables
  } else if (exponent >= -14) {
    b = (exponent + 15) << 10;
    s = 13;
  } else if (exponent >= -25) {
    s = -exponent - 1; // 14 ... 24
    one = 0x800000;
  }
  for (const sign of [0, 1]) {
    base[(sign << 8) | e] = b | (sign << 15);
    shift[(sign << 8) | e] = s;
    leadingOne[(sign << 8) | e] = one;
  }
}

/** Written bit by bit because this runs at import: 65536 calls of a power would take 15 ms. */
function buildToFloat(): Float32Array {
  const table = new Float32Array(65536);
  const bits = new Int32Array(table.buffer);
  for (let h = 0; h < 0x400; h++) table[h] = h * 2 ** -24; // zero and the subnormals
  for (let h = 0x400; h < 0x7c00; h++) bits[h] = (h << 13) + (112 << 23); // 112: the difference of the biases, 127 - 15
  for (let h = 0; h < 0x7c00; h++) bits[h | 0x8000] = bits[h] | 0x80000000;
  bits.fill(0x7fc00000, 0x7c00, 0x8000);
  bits.fill(0x7fc00000, 0xfc00);
  table[0x7c00] = Number.POSITIVE_INFINITY;
  table[0xfc00] = Number.NEGATIVE_INFINITY;
  return table;
}

/** Value of a half, from its bits. */
export function fp16_ieee_to_fp32_value(h: number): number {
  return half_to_float_table[h];
}

/** Bits of the half nearest to `f`, after `f` is rounded to a float; ties go to even. */
export function fp16_ieee_from_fp32_value(f: number): number {
  scratch[0] = f;
  const bits = scratchBits[0];
  const mantissa = bits & 0x7fffff;
  const top = bits >>> 23;
  if ((top & 0xff) === 0xff) return mantissa !== 0 ? 0x7e00 | ((bits >>> 16) & 0x8000) : base[top];
  const b = base[top];
  if ((b & 0x7c00) === 0x7c00) return b; // overflow
  const s = shift[top];
  const full = mantissa | leadingOne[top];
  const kept = full >>> s;
  const dropped = full & ((1 << s) - 1);
  const half = 1 << (s - 1);
  const up = dropped > half || (dropped === half && (kept & 1) === 1) ? 1 : 0;
  return b + kept + up;
}

/** Rounds a number to half precision. */
export function round_to_half(f: number): number {
  return half_to_float_table[fp16_ieee_from_fp32_value(f)];
}
