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

const strip_zeros = (digits: string): string => (digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits);

/** "%.{precision}g", as a C++ stream prints: significant digits, without zeros at the end. */
export function format_general(value: number, precision = 6): string {
  if (!Number.isFinite(value)) return non_finite(value);
  const [mantissa, exponent] = format_exponent(value, precision - 1).split("e");
  const e = Number(exponent);
  return e < -4 || e >= precision
    ? `${strip_zeros(mantissa)}e${exponent}`
    : strip_zeros(format_fixed(value, precision - 1 - e));
}

/** `std::format("{}", value)`: the fewest digits that give the same double again. */
export function format_shortest(value: number): string {
  if (!Number.isFinite(value)) return non_finite(value);
  if (Object.is(value, -0)) return "-0";
  const [digits, power] = value.toExponential().split("e");
  const e = Number(power);
  if (e < -4 || e >= 16) return `${digits}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  return value.toFixed(Math.max(0, digits.replace(/^-?\d\.?/, "").length - e));
}
