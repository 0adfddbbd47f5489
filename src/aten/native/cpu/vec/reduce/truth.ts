/**
 * @file Whether all or any along dims are true, with vectors of sixteen bytes: what ../../ReduceOpsKernel/index.ts has as `and_tile` and `or_tile`.
 * @mirrors aten/src/ATen/native/cpu/ReduceOpsKernel.cpp
 * @see driver.ts (who calls)
 * @vec TruthKernel: float32
 */
import {
  any,
  from_bits,
  type IntVec,
  type int,
  load,
  load_byte,
  type ptr,
  store,
  store_byte,
  to_bits,
} from "#aten/cpu/vec/Vec";

// The vectors hold bytes, four to a lane: sums of lanes never carry into the next byte, for no byte goes beyond 0xff.

/** The highest bit of each byte that is not 0. @inline */
function truths(v: IntVec): IntVec {
  return (((v & 0x7f7f7f7f) + 0x7f7f7f7f) | v) & -2139062144;
}

/** Not 0 if some byte is: what its lowest such byte borrows from the next does no harm then. @inline */
function zeros(v: IntVec): IntVec {
  return (v - 0x01010101) & (v ^ -1) & -2139062144;
}

/** @inline */
function bits_at(at: ptr): IntVec {
  return to_bits(load(at));
}

/** Whether any of `n` bytes is not 0: 1 or 0. */
function any_byte(x: ptr, n: int): int {
  const whole = x + (n & -64);
  let p = x;
  for (; p < whole; p += 64)
    if (any((bits_at(p) | bits_at(p + 16) | bits_at(p + 32) | bits_at(p + 48)) !== 0)) return 1;
  const end = x + n;
  for (; p < end; p++) if (load_byte(p) !== 0) return 1;
  return 0;
}

/** Whether none of `n` bytes is 0. */
function all_bytes(x: ptr, n: int): int {
  const whole = x + (n & -64);
  let p = x;
  for (; p < whole; p += 64) {
    const low: IntVec = zeros(bits_at(p)) | zeros(bits_at(p + 16));
    const high: IntVec = zeros(bits_at(p + 32)) | zeros(bits_at(p + 48));
    if (any((low | high) !== 0)) return 0;
  }
  const end = x + n;
  for (; p < end; p++) if (load_byte(p) === 0) return 0;
  return 1;
}

/** out[j] = out[j] || any of row j, whose `n` bytes are neighbours. */
export function or_inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  for (let j = 0; j < count; j++) {
    const to = out + j * between_out;
    if (load_byte(to) !== 0) store_byte(to, 1);
    else store_byte(to, any_byte(x + j * between, n));
  }
}

/** out[j] = out[j] && all of row j. */
export function and_inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  for (let j = 0; j < count; j++) {
    const to = out + j * between_out;
    if (load_byte(to) === 0) store_byte(to, 0);
    else store_byte(to, all_bytes(x + j * between, n));
  }
}

/** out[j] = out[j] || any of column j; columns and outputs are neighbours, rows `stride` bytes apart. */
export function or_outer(out: ptr, x: ptr, stride: int, columns: int, n: int): void {
  const vectors = columns & -16;
  for (let i = 0; i < n; i++) {
    const row = x + i * stride;
    for (let k = 0; k < vectors; k += 16) store(out + k, from_bits(truths(bits_at(out + k) | bits_at(row + k)) >>> 7));
    for (let k = vectors; k < columns; k++) if (load_byte(row + k) !== 0) store_byte(out + k, 1);
  }
}

/** out[j] = out[j] && all of column j. */
export function and_outer(out: ptr, x: ptr, stride: int, columns: int, n: int): void {
  const vectors = columns & -16;
  for (let i = 0; i < n; i++) {
    const row = x + i * stride;
    for (let k = 0; k < vectors; k += 16)
      store(out + k, from_bits((truths(bits_at(out + k)) & truths(bits_at(row + k))) >>> 7));
    for (let k = vectors; k < columns; k++) if (load_byte(row + k) === 0) store_byte(out + k, 0);
  }
}
