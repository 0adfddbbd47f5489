/**
 * @file `float("...")`, `float.hex` and `float.fromhex`.
 * @mirrors Objects/floatobject.c#float_from_string_inner (CPython 3.11)
 */
import { OverflowError, ValueError } from "../exceptions.ts";
import { ldexp } from "../longobject/arithmetic.ts";
import { ascii_digits, stripped } from "../unicodeobject/digits.ts";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const WORD = /^([+-]?)(inf|infinity|nan)$/i;

/** The double that a text spells, or undefined. Single underscores may stand between digits. */
export function double_from_text(text: string): number | undefined {
  let spelled = text;
  if (text.includes("_")) {
    if (/(?:^|\D)_|_(?:\D|$)/.test(text)) return undefined;
    spelled = text.replaceAll("_", "");
  }
  if (NUMBER.test(spelled)) return Number(spelled);
  const [, sign, word = ""] = WORD.exec(spelled) ?? [];
  if (sign === undefined) return undefined;
  const value = /^n/i.test(word) ? Number.NaN : Number.POSITIVE_INFINITY;
  return sign === "-" ? -value : value;
}

/** `float(text)`; `shown` is the `repr` of the argument for the error. */
export function float_from_string(text: string, shown: string): number {
  const value = double_from_text(ascii_digits(stripped(text)));
  if (value === undefined) throw new ValueError(`could not convert string to float: ${shown}`);
  return value;
}

/** `value.hex()`: `0x1.8000000000000p+0`. */
export function float_hex(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  let magnitude = Math.abs(value);
  if (magnitude === 0) return `${sign}0x0.0p+0`;
  let exponent = 0;
  for (; magnitude >= 2; exponent++) magnitude /= 2;
  for (; magnitude < 1 && exponent > -1022; exponent--) magnitude *= 2;
  const whole = Math.floor(magnitude);
  const fraction = ((magnitude - whole) * 2 ** 52).toString(16).padStart(13, "0");
  return `${sign}0x${whole}.${fraction}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}

const HEXADECIMAL = /^([+-]?)(?:0x)?([\da-f]*)(?:\.([\da-f]*))?(?:p([+-]?\d+))?$/i;

/** `float.fromhex(text)`. */
export function float_from_hex(text: string): number {
  const trimmed = text.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, "");
  const [, word_sign, word = ""] = WORD.exec(trimmed) ?? [];
  if (word_sign !== undefined) return double_from_text(`${word_sign}${word}`) as number;
  const [, sign, whole = "", fraction = "", exponent = "0"] = HEXADECIMAL.exec(trimmed) ?? [];
  if (sign === undefined || whole + fraction === "") throw new ValueError("invalid hexadecimal floating-point string");
  let digits = BigInt(`0x${whole}${fraction}`);
  if (digits === 0n) return sign === "-" ? -0 : 0;
  let power = Number(exponent) - 4 * fraction.length;
  // Round to 53 bits, or to fewer if the result is subnormal; ties to even.
  const length = digits.toString(2).length;
  if (length + power > 1024) throw new OverflowError("hexadecimal value too large to represent as a float");
  const drop = Math.max(length - 53, -1074 - power, 0);
  if (drop > length + 1) return sign === "-" ? -0 : 0;
  if (drop > 0) {
    const half = 1n << BigInt(drop - 1);
    const rest = digits & ((1n << BigInt(drop)) - 1n);
    digits >>= BigInt(drop);
    if (rest > half || (rest === half && (digits & 1n) === 1n)) digits += 1n;
    power += drop;
  }
  const value = ldexp(Number(digits), power);
  if (!Number.isFinite(value)) throw new OverflowError("hexadecimal value too large to represent as a float");
  return sign === "-" ? -value : value;
}
