/**
 * @file Ints of a call as a kernel uses them. No int is symbolic here, and almost every one is a `number`.
 * @mirrors c10/core/SymInt.h
 * @differs There is no class: the type of an int is `number`; PyTorch has a class of 64 bits.
 */
import { OverflowError } from "#c10/util/Exception";

/** An int64 as an argument. If no number is exact, a bigint is passed in spite of the type; the kernel must know about it. */
export function SymInt(int: number | bigint): number {
  const double = Number(int);
  return BigInt(double) === int ? double : (int as number);
}

const INT64_MAX = 2n ** 63n - 1n;

/**
 * The double that represents this int and no other: 2^63 is no int64, so it represents INT64_MAX.
 * @differs An int that no double holds (2^53 + 1) is refused as a size, a stride, a count; PyTorch's are int64.
 */
export function guard_int(int: number | bigint): number {
  if (typeof int === "number") return int;
  const double = Number(int);
  if (BigInt(double) === int || int === INT64_MAX) return double;
  throw new OverflowError(`${int} cannot be taken here: sizes and counts are doubles, and no double holds it exactly`);
}

/** The int64 that a double of `guard_int` represents. */
export function int64_of(int: number | bigint): bigint {
  return int === 2 ** 63 ? INT64_MAX : BigInt(int);
}
