/**
 * @file Numbers as C's `strtod` and `stoll` read them.
 * @mirrors torch/csrc/jit/frontend/strtod.h
 */

const numberPattern =
  /0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;

/** Length of the number that begins at `pos`, without a sign; 0 if there is none. */
export function numberLength(text: string, pos: number): number {
  numberPattern.lastIndex = pos;
  return numberPattern.test(text) ? numberPattern.lastIndex - pos : 0;
}

/** The value of the number at the beginning of a text; 0 if there is none. Hexadecimal digits may have a point and `p`. */
export function strtod_c(text: string): number {
  const negative = text.startsWith("-");
  const digits = text.slice(negative || text.startsWith("+") ? 1 : 0);
  const magnitude = /^inf/i.test(digits) ? Number.POSITIVE_INFINITY : unsigned(digits);
  return negative ? -magnitude : magnitude;
}

function unsigned(digits: string): number {
  const length = numberLength(digits, 0);
  if (length === 0) return 0;
  const number = digits.slice(0, length);
  if (!/^0[xX]/.test(number)) return Number(number);
  const [mantissa, exponent] = number.slice(2).split(/[pP]/);
  const [whole, fraction = ""] = mantissa.split(".");
  const value = Number(BigInt(`0x${whole}${fraction}`));
  return value * 2 ** (Number(exponent ?? 0) - 4 * fraction.length);
}

/** A whole number as `std::stoll(text, nullptr, 0)` reads it: `0x` is base 16, another leading zero base 8. */
export function stoll(text: string): bigint {
  const match = /^(-?)(?:0[xX]([0-9a-fA-F]+)|0([0-7]*)|([1-9]\d*))/.exec(text);
  if (match === null) return 0n;
  const [, sign, hex, octal, decimal] = match;
  const value =
    hex !== undefined ? BigInt(`0x${hex}`) : decimal !== undefined ? BigInt(decimal) : BigInt(`0o0${octal ?? ""}`);
  return sign === "-" ? -value : value;
}
