/**
 * @file Kernels of `all` and `any` along dims with SIMD, sixteen bytes per vector: `and_tile` and `or_tile` of
 * ../../ReduceOpsKernel/index.ts.
 * @mirrors aten/src/ATen/native/cpu/ReduceOpsKernel.cpp
 * @see driver.ts (the caller)
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

// Vectors hold bytes, four to a lane. Sums of lanes never carry into the next byte, because no byte exceeds 0xff.

/** Sets the highest bit of each byte that is not 0. @inline */
function truths(v: IntVec): IntVec {
  return (((v & 0x7f7f7f7f) + 0x7f7f7f7f) | v) & -2139062144;
}

/** Nonzero if some byte is 0. The lowest such byte borrows from the next byte, which does not matter then. @inline */
function zeros(v: IntVec): IntVec {
  return (v - 0x01010101) & (v ^ -1) & -2139062144;
}

/** @inline */
function bits_at(at: ptr): IntVec {
  return to_bits(load(at));
}

/** 1 if any of `n` bytes is not 0, else 0. */
function any_byte(x: ptr, n: int): int {
  const whole = x + (n & -64);
  let p = x;
  for (; p < whole; p += 64)
    if (any((bits_at(p) | bits_at(p + 16) | bits_at(p + 32) | bits_at(p + 48)) !== 0)) return 1;
  const end = x + n;
  for (; p < end; p++) if (load_byte(p) !== 0) return 1;
  return 0;
}

/** 1 if none of `n` bytes is 0, else 0. */
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

/** out[j] = out[j] || any byte of row j. The `n` bytes of a row are contiguous. */
export function or_inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  for (let j = 0; j < count; j++) {
    const to = out + j * between_out;
    if (load_byte(to) !== 0) store_byte(to, 1);
    else store_byte(to, any_byte(x + j * between, n));
  }
}

/** out[j] = out[j] && all bytes of row j. */
export function and_inner(out: ptr, between_out: int, x: ptr, between: int, count: int, n: int): void {
  for (let j = 0; j < count; j++) {
    const to = out + j * between_out;
    if (load_byte(to) === 0) store_byte(to, 0);
    else store_byte(to, all_bytes(x + j * between, n));
  }
}

/** out[j] = out[j] || any byte of column j. Columns and outputs are contiguous, rows `stride` bytes apart. */
export function or_outer(out: ptr, x: ptr, stride: int, columns: int, n: int): void {
  const vectors = columns & -16;
  for (let i = 0; i < n; i++) {
    const row = x + i * stride;
    for (let k = 0; k < vectors; k += 16) store(out + k, from_bits(truths(bits_at(out + k) | bits_at(row + k)) >>> 7));
    for (let k = vectors; k < columns; k++) if (load_byte(row + k) !== 0) store_byte(out + k, 1);
  }
}

/** out[j] = out[j] && all bytes of column j. */
export function and_outer(out: ptr, x: ptr, stride: int, columns: int, n: int): void {
  const vectors = columns & -16;
  for (let i = 0; i < n; i++) {
    const row = x + i * stride;
    for (let k = 0; k < vectors; k += 16)
      store(out + k, from_bits((truths(bits_at(out + k)) & truths(bits_at(row + k))) >>> 7));
    for (let k = vectors; k < columns; k++) if (load_byte(row + k) === 0) store_byte(out + k, 0);
  }
}
