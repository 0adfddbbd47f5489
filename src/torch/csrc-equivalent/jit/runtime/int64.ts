/**
 * @file Arithmetic of C++'s `int64_t`, as TorchScript's operators on ints need it: it wraps around at 64 bits.
 * @original C++ has the type; here an int64 is a number while that is exact, and a bigint beyond.
 */
import { RuntimeError } from "#c10/util/Exception";

/** A number if it is a safe integer, otherwise a bigint. Invariant: each value has one form, so `===` compares. */
export type int64 = number | bigint;

export const INT64_MAX = 0x7fffffffffffffffn;
export const INT64_MIN = -0x8000000000000000n;

/** The value modulo 2^64 that an int64 can hold. */
export function wrap(value: bigint): int64 {
  const wrapped = BigInt.asIntN(64, value);
  const number = Number(wrapped);
  return Number.isSafeInteger(number) ? number : wrapped;
}

/** `static_cast<int64_t>(double)`: truncates. A value that does not fit becomes the least int64, as on x86. */
export function from_double(value: number): int64 {
  const truncated = Math.trunc(value);
  if (Number.isSafeInteger(truncated)) return truncated + 0; // + 0: no negative zero
  return Math.abs(truncated) < 2 ** 63 ? BigInt(truncated) : INT64_MIN;
}

/** `static_cast<int>(int64_t)`: the low 32 bits. */
export function to_int32(value: int64): number {
  return typeof value === "number" && (value | 0) === value ? value : Number(BigInt.asIntN(32, BigInt(value)));
}

export function add(a: int64, b: int64): int64 {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return wrap(BigInt(a) + BigInt(b));
}

export function sub(a: int64, b: int64): int64 {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return wrap(BigInt(a) - BigInt(b));
}

export function mul(a: int64, b: int64): int64 {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0; // + 0: no negative zero
  }
  return wrap(BigInt(a) * BigInt(b));
}

export function neg(a: int64): int64 {
  return typeof a === "number" ? 0 - a : wrap(-a);
}

export function abs(a: int64): int64 {
  return a < 0 ? neg(a) : a;
}

/** C++'s `/`: rounds to zero. Precondition: `b` is not 0. */
export function quotient(a: int64, b: int64): int64 {
  // Without the remainder the division of two safe integers is exact.
  return typeof a === "number" && typeof b === "number" ? (a - (a % b)) / b + 0 : wrap(BigInt(a) / BigInt(b));
}

/** C++'s `%`: has the sign of `a`. Precondition: `b` is not 0. */
export function modulo(a: int64, b: int64): int64 {
  return typeof a === "number" && typeof b === "number" ? (a % b) + 0 : wrap(BigInt(a) % BigInt(b));
}

/** Python's `//`: rounds down. */
export function floordiv(a: int64, b: int64): int64 {
  if (b === 0) throw new RuntimeError("division by 0");
  const rounded = quotient(a, b);
  return modulo(a, b) !== 0 && a > 0 !== b > 0 ? sub(rounded, 1) : rounded;
}

/**
 * Python's `%`: has the sign of `b`.
 * @differs By 0 it throws; PyTorch's process dies of SIGFPE.
 */
export function remainder(a: int64, b: int64): int64 {
  if (b === 0) throw new RuntimeError("integer modulo by 0");
  return modulo(add(b, modulo(a, b)), b);
}

/** `a << b`; as on x86, only the low six bits of `b` count. */
export function shift_left(a: int64, b: int64): int64 {
  return wrap(BigInt(a) << BigInt.asUintN(6, BigInt(b)));
}

/** `a >> b`, which keeps the sign; as on x86, only the low six bits of `b` count. */
export function shift_right(a: int64, b: int64): int64 {
  return wrap(BigInt(a) >> BigInt.asUintN(6, BigInt(b)));
}

// JavaScript's operators on bits work on 32 of them, so a wider int64 goes through a bigint.

const is_int32 = (value: int64): value is number => typeof value === "number" && (value | 0) === value;

/** `a & b` */
export function bitwise_and(a: int64, b: int64): int64 {
  return is_int32(a) && is_int32(b) ? a & b : wrap(BigInt(a) & BigInt(b));
}

/** `a | b` */
export function bitwise_or(a: int64, b: int64): int64 {
  return is_int32(a) && is_int32(b) ? a | b : wrap(BigInt(a) | BigInt(b));
}

/** `a ^ b` */
export function bitwise_xor(a: int64, b: int64): int64 {
  return is_int32(a) && is_int32(b) ? a ^ b : wrap(BigInt(a) ^ BigInt(b));
}

/** Never negative, as in Python. */
export function gcd(a: int64, b: int64): int64 {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, modulo(x, y)];
  return abs(x);
}

/**
 * `n!` modulo 2^64, as C++ computes it: the odd part, shifted left by the number of factors 2. From 66 on that number is 64 or more, and a
 * shift uses its low six bits only.
 */
export function factorial(n: number): int64 {
  if (n < 0) throw new RuntimeError("factorial() not defined for negative values");
  let odd = 1n;
  let twos = 0;
  for (let i = 2; i <= n; i++) {
    let factor = i;
    for (; factor % 2 === 0; factor /= 2) twos++;
    odd = BigInt.asIntN(64, odd * BigInt(factor));
  }
  return wrap(odd << BigInt(twos % 64));
}
