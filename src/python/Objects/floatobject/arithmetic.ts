/**
 * @file Arithmetic of floats, on plain JavaScript numbers: where Python's rules differ from JavaScript's, and Python's errors.
 * @mirrors Objects/floatobject.c#float_pow (CPython 3.11)
 */
import { fixed_digits } from "../../Python/dtoa.ts";
import { OverflowError, ValueError, ZeroDivisionError } from "../exceptions.ts";
import { type Int, int_of_whole } from "../longobject.ts";
import { pow } from "./pow.ts";

export function float_div(a: number, b: number): number {
  if (b === 0) throw new ZeroDivisionError("float division by zero");
  return a / b;
}

const with_sign_of = (magnitude: number, sign: number): number =>
  sign < 0 || Object.is(sign, -0) ? -magnitude : magnitude;

/** Quotient rounded down and remainder with the divisor's sign. */
function divided(a: number, b: number): readonly [quotient: number, rest: number] {
  let rest = a % b;
  let quotient = (a - rest) / b;
  if (rest === 0) rest = with_sign_of(0, b);
  else if (b < 0 !== rest < 0) {
    rest += b;
    quotient -= 1;
  }
  if (quotient === 0) return [with_sign_of(0, a / b), rest];
  const below = Math.floor(quotient);
  return [quotient - below > 0.5 ? below + 1 : below, rest];
}

export function float_floor_div(a: number, b: number): number {
  if (b === 0) throw new ZeroDivisionError("float floor division by zero");
  return divided(a, b)[0];
}

export function float_rem(a: number, b: number): number {
  if (b === 0) throw new ZeroDivisionError("float modulo");
  return divided(a, b)[1];
}

export function float_divmod(a: number, b: number): readonly [number, number] {
  if (b === 0) throw new ZeroDivisionError("float divmod()");
  return divided(a, b);
}

/** `a ** b`; undefined: the result is complex, because `a` is negative and `b` has a fraction. */
export function float_pow(a: number, b: number): number | undefined {
  if (Number.isFinite(a) && Number.isFinite(b)) {
    if (a === 0 && b < 0) throw new ZeroDivisionError("0.0 cannot be raised to a negative power");
    if (a < 0 && !Number.isInteger(b)) return undefined;
    const result = pow(a, b);
    if (!Number.isFinite(result)) throw new OverflowError(34, "Numerical result out of range");
    return result;
  }
  return pow(a, b);
}

/** `int(value)`. */
export function int_of_float(value: number): Int {
  if (Number.isNaN(value)) throw new ValueError("cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw new OverflowError("cannot convert float infinity to integer");
  return int_of_whole(Math.trunc(value));
}

/** `round(value)`: the nearest int, ties to even. */
export function rounded_to_int(value: number): Int {
  if (!Number.isFinite(value)) return int_of_float(value);
  const below = Math.floor(value);
  const rest = value - below;
  return int_of_whole(rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1);
}

/** `round(value, digits)`: the double nearest to the decimal that the exact value rounds to. */
export function rounded_to(value: number, digits: Int): number {
  if (!Number.isFinite(value) || value === 0 || digits > 323) return value;
  if (digits < -308) return 0 * value;
  const text = fixed_digits(Math.abs(value), Number(digits));
  const result = Number(text);
  if (!Number.isFinite(result)) throw new OverflowError("rounded value too large to represent");
  return with_sign_of(result, value);
}

/** `value.as_integer_ratio()`, in lowest terms: halving the numerator as long as it is even. */
export function integer_ratio(value: number): readonly [numerator: bigint, denominator: bigint] {
  if (Number.isNaN(value)) throw new ValueError("cannot convert NaN to integer ratio");
  if (!Number.isFinite(value)) throw new OverflowError("cannot convert Infinity to integer ratio");
  let numerator = value;
  let power = 0n;
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    power++;
  }
  return [BigInt(numerator), 1n << power];
}
