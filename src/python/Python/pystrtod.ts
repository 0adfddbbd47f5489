/**
 * @file A double as text, by the conversions `e`, `f`, `g` and `r` (`repr`) that all formatting of floats is made of.
 * @mirrors Python/pystrtod.c (CPython 3.11)
 */
import { type Decimal, fixed_digits, shortest_digits, significant_digits } from "./dtoa.ts";

export interface DoubleFormat {
  /** Keep a point and the zeros behind the last digit (`#`). */
  readonly alternate?: boolean;
  /** Write `.0` behind a text that would otherwise read as an int. */
  readonly add_dot_0?: boolean;
}

function exponent_text(exponent: number): string {
  return `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** `d.ddde+XX`. */
function scientific({ digits, point }: Decimal, alternate: boolean): string {
  const rest = digits.slice(1);
  return `${digits.charAt(0)}${rest !== "" || alternate ? "." : ""}${rest}${exponent_text(point - 1)}`;
}

/** Digits around a point that may lie outside them. */
function plain({ digits, point }: Decimal, alternate: boolean): string {
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return digits + "0".repeat(point - digits.length) + (alternate ? "." : "");
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

function trimmed({ digits, point }: Decimal): Decimal {
  return { digits: digits.replace(/0+$/, "") || "0", point };
}

/** The magnitude of a double, by one of the lower-case conversions. Precondition: it is not negative; infinity and NaN are allowed. */
export function double_to_string(
  magnitude: number,
  type: "e" | "f" | "g" | "r",
  precision: number,
  how: DoubleFormat = {},
): string {
  if (Number.isNaN(magnitude)) return "nan";
  if (magnitude === Number.POSITIVE_INFINITY) return "inf";
  const alternate = how.alternate === true;
  const dot_0 = (text: string): string =>
    how.add_dot_0 === true && /^\d+\.?$/.test(text) ? `${text.replace(".", "")}.0` : text;
  if (type === "f") {
    const text = fixed_digits(magnitude, precision);
    return precision === 0 && alternate ? `${text}.` : text;
  }
  if (type === "e") return scientific(significant_digits(magnitude, precision + 1), alternate);
  const significant = type === "r" ? 17 : precision === 0 ? 1 : precision;
  const decimal = type === "r" ? shortest_digits(magnitude) : significant_digits(magnitude, significant);
  // `repr` changes to an exponent at 1e16, `g` where the digits asked for do not reach the point (or the zero behind it).
  const most = type === "r" ? 16 : significant - (how.add_dot_0 === true ? 1 : 0);
  if (decimal.point <= -4 || decimal.point > most) return scientific(alternate ? decimal : trimmed(decimal), alternate);
  return dot_0(plain(alternate ? decimal : trimmed(decimal), alternate));
}
