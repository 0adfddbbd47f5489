/**
 * @file Float formatting as in C and Python: "%.nf", "%.ne", "%g".
 * @original PyTorch uses printf, C++ streams and Python's format.
 */

/** Whether the dropped digits are exactly one half: then JavaScript rounds up, C and Python round to even. */
function is_tie(rest: string): boolean {
  return /^50*$/.test(rest);
}

/** `f"{value:.{precision}f}"`. */
export function format_fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return non_finite(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const magnitude = Math.abs(value);
  if (magnitude >= 1e21) return `${sign}${BigInt(magnitude)}${precision > 0 ? `.${"0".repeat(precision)}` : ""}`;
  const exact = magnitude.toFixed(100);
  const cut = exact.length - 100 + precision;
  const rest = exact.slice(cut);
  if (!is_tie(rest)) return sign + magnitude.toFixed(precision);
  const down = precision === 0 ? exact.slice(0, cut - 1) : exact.slice(0, cut);
  return sign + (Number(down.at(-1)) % 2 === 0 ? down : magnitude.toFixed(precision));
}

/** `f"{value:.{precision}e}"`. */
export function format_exponent(value: number, precision: number): string {
  if (!Number.isFinite(value)) return non_finite(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const magnitude = Math.abs(value);
  const [digits, exponent] = magnitude.toExponential(99).split("e");
  const down = digits.slice(0, precision === 0 ? 1 : precision + 2);
  const tie = is_tie(digits.slice(precision === 0 ? 2 : precision + 2)) && Number(down.at(-1)) % 2 === 0;
  const [mantissa, rounded_exponent] = tie ? [down, exponent] : magnitude.toExponential(precision).split("e");
  const e = Number(rounded_exponent);
  return `${sign}${mantissa}e${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`;
}

export function non_finite(value: number): string {
  return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/** "%g", as a C++ stream prints: six digits, without zeros at the end. */
export function format_general(value: number): string {
  if (!Number.isFinite(value)) return non_finite(value);
  const scientific = format_exponent(value, 5);
  const [mantissa, exponent] = scientific.split("e");
  const e = Number(exponent);
  const strip = (digits: string): string => (digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits);
  return e < -4 || e > 5 ? `${strip(mantissa)}e${exponent}` : strip(format_fixed(value, 5 - e));
}
