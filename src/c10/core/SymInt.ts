/**
 * @file An int of a call, as a kernel counts with it. Here no int is symbolic, and nearly each is a `number`.
 * @mirrors c10/core/SymInt.h
 * @differs There is no class, and the type of an int is `number` everywhere; PyTorch's is a class of 64 bits.
 */
import { OverflowError } from "#c10/util/Exception";

/** The int64 as an argument: where no number is exact a bigint comes, in spite of the type, to a kernel that knows of it. */
export function SymInt(int: number | bigint): number {
  const double = Number(int);
  return BigInt(double) === int ? double : (int as number);
}

const INT64_MAX = 2n ** 63n - 1n;

/**
 * The double that stands for this int and for no other: 2^63 is no int64, so it is INT64_MAX.
 * @differs An int that no double holds (2^53 + 1) is refused as a size, a stride, a count; PyTorch's are int64.
 */
export function guard_int(int: number | bigint): number {
  if (typeof int === "number") return int;
  const double = Number(int);
  if (BigInt(double) === int || int === INT64_MAX) return double;
  throw new OverflowError(`${int} cannot be taken here: sizes and counts are doubles, and no double holds it exactly`);
}

/** The int64 that a double of `guard_int` stands for. */
export function int64_of(int: number | bigint): bigint {
  return int === 2 ** 63 ? INT64_MAX : BigInt(int);
}
