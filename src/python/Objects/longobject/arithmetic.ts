/**
 * @file Arithmetic of ints. Numbers are tried first: their result stands if it is a safe integer, for then it is exact.
 * @mirrors Objects/longobject.c#long_add (CPython 3.11)
 */
import { OverflowError, ValueError, ZeroDivisionError } from "../exceptions.ts";
import { type Int, int_value } from "../longobject.ts";

export function long_add(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return int_value(BigInt(a) + BigInt(b));
}

export function long_sub(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return int_value(BigInt(a) - BigInt(b));
}

export function long_mul(a: Int, b: Int): Int {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0; // 0 * -1 is -0
  }
  return int_value(BigInt(a) * BigInt(b));
}

/** Quotient rounded down and remainder with the divisor's sign; `by_zero` is the text of the error. */
function divided(a: Int, b: Int, by_zero: string): readonly [Int, Int] {
  // biome-ignore lint/suspicious/noDoubleEquals: 0 or 0n
  if (b == 0) throw new ZeroDivisionError(by_zero);
  if (typeof a === "number" && typeof b === "number") {
    const rest = a % b;
    const quotient = (a - rest) / b; // exact, because a - rest is a multiple of b
    return rest !== 0 && rest < 0 !== b < 0 ? [quotient - 1, rest + b] : [quotient + 0, rest + 0];
  }
  const [x, y] = [BigInt(a), BigInt(b)];
  const rest = x % y;
  const quotient = x / y;
  return rest !== 0n && rest < 0n !== y < 0n
    ? [int_value(quotient - 1n), int_value(rest + y)]
    : [int_value(quotient), int_value(rest)];
}

export const long_floor_div = (a: Int, b: Int): Int => divided(a, b, "integer division or modulo by zero")[0];
export const long_mod = (a: Int, b: Int): Int => divided(a, b, "integer modulo by zero")[1];
export const long_divmod = (a: Int, b: Int): readonly [Int, Int] => divided(a, b, "integer division or modulo by zero");

/** Number of bits of a magnitude. */
export function bit_length(value: Int): number {
  if (typeof value === "number") {
    const magnitude = Math.abs(value);
    return magnitude < 2 ** 32 ? 32 - Math.clz32(magnitude) : 64 - Math.clz32(magnitude / 2 ** 32);
  }
  const digits = (value < 0n ? -value : value).toString(16);
  return 4 * digits.length - (Math.clz32(Number.parseInt(digits.charAt(0), 16)) - 28);
}

/** `m * 2^exponent`, exact if the result is a double. */
export function ldexp(m: number, exponent: number): number {
  let value = m;
  let left = exponent;
  for (; left > 1023; left -= 1023) value *= 2 ** 1023;
  for (; left < -1022; left += 1022) value *= 2 ** -1022;
  return value * 2 ** left;
}

/** The nearest double of an int, ties to even. Raises OverflowError. */
export function long_as_double(value: Int): number {
  if (typeof value === "number") return value;
  const result = Number(value);
  if (!Number.isFinite(result)) throw new OverflowError("int too large to convert to float");
  return result;
}

/** `a / b`: the double nearest to the exact quotient, also if neither fits into a double. */
export function long_true_divide(a: Int, b: Int): number {
  // biome-ignore lint/suspicious/noDoubleEquals: 0 or 0n
  if (b == 0) throw new ZeroDivisionError("division by zero");
  if (typeof a === "number" && typeof b === "number") return a / b;
  const negative = a < 0 !== b < 0;
  const x = a < 0 ? -BigInt(a) : BigInt(a);
  const y = b < 0 ? -BigInt(b) : BigInt(b);
  if (x === 0n) return negative ? -0 : 0;
  // A quotient of at least 55 bits, whose last bit also tells whether the division left a rest. No double has more than 1074 bits behind the point.
  const shift = Math.min(55 - (bit_length(x) - bit_length(y)), 1076);
  const [above, below] = shift >= 0 ? [x << BigInt(shift), y] : [x, y << BigInt(-shift)];
  let quotient = above / below;
  if (above % below !== 0n) quotient |= 1n;
  const drop = Math.max(bit_length(quotient) - 53, shift - 1074, 0);
  let kept = quotient >> BigInt(drop);
  const rest = quotient - (kept << BigInt(drop));
  const half = drop === 0 ? 1n : 1n << BigInt(drop - 1);
  if (drop > 0 && (rest > half || (rest === half && (kept & 1n) === 1n))) kept += 1n;
  const result = ldexp(Number(kept), drop - shift);
  if (!Number.isFinite(result)) throw new OverflowError("integer division result too large for a float");
  return negative ? -result : result;
}

/** More bits than any engine gives a bigint. */
const MOST_BITS = 2 ** 30;

function shift_count(count: Int): number {
  if (count < 0) throw new ValueError("negative shift count");
  return Number(count);
}

export function long_lshift(a: Int, count: Int): Int {
  const by = shift_count(count);
  // biome-ignore lint/suspicious/noDoubleEquals: 0 or 0n
  if (a == 0) return 0;
  if (typeof a === "number" && by < 53) {
    const result = a * 2 ** by;
    if (Number.isSafeInteger(result)) return result;
  }
  if (by >= MOST_BITS) throw new OverflowError("too many digits in integer");
  return int_value(BigInt(a) << BigInt(by));
}

export function long_rshift(a: Int, count: Int): Int {
  const by = shift_count(count);
  if (typeof a === "number") return by > 1023 ? (a < 0 ? -1 : 0) : Math.floor(a / 2 ** by) + 0;
  return by >= MOST_BITS ? (a < 0n ? -1 : 0) : int_value(a >> BigInt(by));
}

const small = (a: Int, b: Int): a is number =>
  typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b;

export const long_and = (a: Int, b: Int): Int => (small(a, b) ? a & Number(b) : int_value(BigInt(a) & BigInt(b)));
export const long_or = (a: Int, b: Int): Int => (small(a, b) ? a | Number(b) : int_value(BigInt(a) | BigInt(b)));
export const long_xor = (a: Int, b: Int): Int => (small(a, b) ? a ^ Number(b) : int_value(BigInt(a) ^ BigInt(b)));
export const long_neg = (a: Int): Int => (typeof a === "number" ? 0 - a : int_value(-a));
export const long_invert = (a: Int): Int => (typeof a === "number" ? -1 - a : int_value(~a));
export const long_abs = (a: Int): Int => (a < 0 ? long_neg(a) : a);

/** `a ** b`. Precondition: `b` is not negative. */
export function long_pow(a: Int, b: Int): Int {
  if (typeof a === "number") {
    if (a === 0 || a === 1) return Number(b) === 0 ? 1 : a;
    if (a === -1) return BigInt(b) % 2n === 0n ? 1 : -1;
    if (typeof b === "number" && b <= 64) {
      let result = 1;
      let square = a;
      for (let left = b; ; square *= square) {
        if (left % 2 === 1) result *= square;
        left = Math.floor(left / 2);
        if (left === 0) break;
      }
      if (Number.isSafeInteger(result)) return result;
    }
  }
  if (Number(b) * (bit_length(a) - 1) >= MOST_BITS) throw new OverflowError("too many digits in integer");
  return int_value(BigInt(a) ** BigInt(b));
}

/** x with `x * value = 1` modulo `modulus`, by Euclid's rule. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [modulus, ((value % modulus) + modulus) % modulus, 0n, 1n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b, x, y] = [b, a - quotient * b, y, x - quotient * y];
  }
  if (a !== 1n) throw new ValueError("base is not invertible for the given modulus");
  return x;
}

/** `pow(a, b, modulus)`: the result has the sign of the modulus. */
export function long_pow_mod(a: Int, b: Int, modulus: Int): Int {
  const m = BigInt(modulus);
  if (m === 0n) throw new ValueError("pow() 3rd argument cannot be 0");
  const size = m < 0n ? -m : m;
  let base = BigInt(a);
  let left = BigInt(b);
  if (left < 0n) {
    base = inverse(base, size);
    left = -left;
  }
  base = ((base % size) + size) % size;
  let result = 1n % size;
  for (; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * base) % size;
    base = (base * base) % size;
  }
  return int_value(m < 0n && result !== 0n ? result + m : result);
}
