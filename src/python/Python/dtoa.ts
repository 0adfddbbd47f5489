/**
 * @file The decimal digits of a double, correctly rounded: as many as a precision asks for.
 * @mirrors Python/dtoa.c (CPython 3.11)
 */

/** `0.d1d2d3... * 10^point`, without a sign; zero has one digit "0" and point 1. */
export interface Decimal {
  readonly digits: string;
  readonly point: number;
}

// Note [Digits of a double]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// A double is m * 2^e, and 2^-k = 5^k / 10^k, so every double has a finite decimal expansion, which a bigint holds exactly. JavaScript's toFixed
// and toExponential are exact as well, and faster. But they end at 100 digits, and they round a tie away from zero where Python rounds it to the
// even digit. A tie at the last digit is possible only if the double is a multiple of half a power of ten, hence of a power of two: a cheap test.

const words = new DataView(new ArrayBuffer(8));

/** All digits of a finite magnitude: `digits * 10^-places`. */
function expansion(magnitude: number): { readonly digits: bigint; readonly places: number } {
  words.setFloat64(0, magnitude);
  const bits = words.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  const exponent = Math.max(biased, 1) - 1075;
  if (exponent >= 0) return { digits: mantissa << BigInt(exponent), places: 0 };
  return { digits: mantissa * 5n ** BigInt(-exponent), places: -exponent };
}

/** `value / 10^drop`, rounded to the nearest integer, ties to even. */
function rounded(value: bigint, drop: number): bigint {
  if (drop <= 0) return value * 10n ** BigInt(-drop);
  const unit = 10n ** BigInt(drop);
  const quotient = value / unit;
  const twice = (value % unit) * 2n;
  return twice > unit || (twice === unit && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

/** Whether `magnitude` could lie halfway between two decimals with `places` digits behind the point (negative: zeros before it). */
function may_tie(magnitude: number, places: number): boolean {
  return places > 1000 || Number.isInteger(magnitude * 2 ** (places + 1));
}

const ZERO: Decimal = { digits: "0", point: 1 };

/** The fewest digits that give this double when they are read again. */
export function shortest_digits(magnitude: number): Decimal {
  if (magnitude === 0) return ZERO;
  const [digits = "", exponent = "0"] = magnitude.toExponential().split("e");
  return { digits: digits.replace(".", ""), point: Number(exponent) + 1 };
}

/** `count` significant digits. */
export function significant_digits(magnitude: number, count: number): Decimal {
  if (magnitude === 0) return { digits: "0".repeat(count), point: 1 };
  const point = Number(magnitude.toExponential().split("e")[1]) + 1;
  if (count <= 101 && !may_tie(magnitude, count - point)) {
    const [digits = "", exponent = "0"] = magnitude.toExponential(count - 1).split("e");
    return { digits: digits.replace(".", ""), point: Number(exponent) + 1 };
  }
  const { digits, places } = expansion(magnitude);
  const all = digits.toString();
  const exact_point = all.length - places;
  const text = rounded(digits, all.length - count).toString();
  return text.length > count
    ? { digits: text.slice(0, count), point: exact_point + 1 }
    : { digits: text, point: exact_point };
}

/** The decimal with `places` digits behind the point, as a text such as `12.50`; negative places round before the point. */
export function fixed_digits(magnitude: number, places: number): string {
  if (places >= 0 && places <= 100 && magnitude < 1e21 && !may_tie(magnitude, places)) return magnitude.toFixed(places);
  const exact = expansion(magnitude);
  const text = rounded(exact.digits, exact.places - places).toString();
  if (places <= 0) return text === "0" ? text : text + "0".repeat(-places);
  const padded = text.padStart(places + 1, "0");
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}
