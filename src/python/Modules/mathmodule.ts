/**
 * @file The `math` module: functions of floats.
 * @mirrors Modules/mathmodule.c (CPython 3.11)
 */
import { call_special } from "../Objects/call.ts";
import { OverflowError, TypeError_, ValueError, ZeroDivisionError } from "../Objects/exceptions.ts";
import { float_value } from "../Objects/floatobject.ts";
import { each } from "../Objects/iterobject.ts";
import { int_value } from "../Objects/longobject.ts";
import { functions } from "../Objects/methodobject.ts";
import { tuple } from "../Objects/tupleobject.ts";
import { type_of } from "../Objects/typeobject.ts";
import * as m from "./_math.ts";
import { float_of, index, int_of, real } from "./arguments.ts";
import { gamma, lgamma } from "./math_gamma.ts";
import { integer_functions } from "./math_integer.ts";

const domain = (): ValueError => new ValueError("math domain error");
const range = (): OverflowError => new OverflowError("math range error");

/** A function of one float: NaN from a number is a domain error, infinity from a finite number a range error, or a domain error at a pole. */
function unary(
  fn: (x: number) => number,
  overflows: boolean | ((x: number) => boolean) = false,
): (x: unknown) => unknown {
  return (value) => {
    const x = real(value);
    const result = fn(x);
    if (Number.isNaN(result) && !Number.isNaN(x)) throw domain();
    if (!Number.isFinite(result) && Number.isFinite(x))
      throw (typeof overflows === "boolean" ? overflows : overflows(x)) ? range() : domain();
    return float_value(result);
  };
}

/** The integer of a float, rounded by `round`. */
function to_int(x: number, round: (x: number) => number): number | bigint {
  if (Number.isNaN(x)) throw new ValueError("cannot convert float NaN to integer");
  if (!Number.isFinite(x)) throw new OverflowError("cannot convert float infinity to integer");
  const result = round(x) + 0;
  return Number.isSafeInteger(result) ? result : int_value(BigInt(result));
}

/** `floor` and `ceil`: ints stay what they are, objects have a method. */
function rounded(name: string, round: (x: number) => number): (value: unknown) => unknown {
  return (value) => {
    if (int_of(value) !== undefined) return int_of(value);
    const own = float_of(value) === undefined ? call_special(value, name) : undefined;
    return own ?? to_int(real(value), round);
  };
}

/** A logarithm that also takes ints too large for a float. */
function logarithm(value: unknown, of: (x: number) => number, of_two: number): number {
  const int = int_of(value);
  if (typeof int === "bigint" && int > 0n && !Number.isFinite(Number(int))) {
    const shift = int.toString(2).length - 60;
    return of(Number(int >> BigInt(shift))) + shift * of_two;
  }
  const x = typeof int === "bigint" ? Number(int) : real(value);
  if (x <= 0) throw domain();
  return of(x);
}

function fsum(values: unknown): unknown {
  const partials: number[] = [];
  let special = 0;
  let infinities = 0;
  for (const value of each(values)) {
    let x = real(value);
    if (!Number.isFinite(x)) {
      special += x;
      if (!Number.isNaN(x)) infinities += x;
      continue;
    }
    let used = 0;
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) partials[used++] = low;
      x = high;
    }
    if (!Number.isFinite(x)) throw new OverflowError("intermediate overflow in fsum");
    partials.length = used;
    if (x !== 0) partials.push(x);
  }
  if (special !== 0 || Number.isNaN(special)) {
    if (Number.isNaN(infinities)) throw new ValueError("-inf + inf in fsum");
    return float_value(special);
  }
  // The sum of the parts is rounded once; a tie is decided by the sign of the next part.
  let n = partials.length;
  let high = n > 0 ? (partials[--n] as number) : 0;
  let low = 0;
  while (n > 0 && low === 0) {
    const x = high;
    const y = partials[--n] as number;
    high = x + y;
    low = y - (high - x);
  }
  if (n > 0 && low < 0 === (partials[n - 1] as number) < 0 && low !== 0) {
    const y = low * 2;
    const x = high + y;
    if (y === x - high) high = x;
  }
  return float_value(high);
}

function remainder(a: unknown, b: unknown): unknown {
  const [x, y] = [real(a), real(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (!Number.isFinite(x) || y === 0) throw domain();
  if (!Number.isFinite(y)) return float_value(x);
  const [size, by] = [Math.abs(x), Math.abs(y)];
  const rest = size % by;
  const other = by - rest;
  // Half way between two multiples the even one is taken.
  const r = rest < other ? rest : rest > other ? -other : rest - 2 * ((0.5 * (size - rest)) % by);
  return float_value(x < 0 || Object.is(x, -0) ? -r : r);
}

function pow(a: unknown, b: unknown): unknown {
  const [x, y] = [real(a), real(b)];
  const result = m.pow(x, y);
  if (Number.isFinite(x) && Number.isFinite(y)) {
    if (Number.isNaN(result)) throw domain();
    if (!Number.isFinite(result)) throw x === 0 ? domain() : range();
  }
  return float_value(result);
}

const words = new DataView(new ArrayBuffer(8));
/** The next float towards positive infinity (`by` 1) or zero (`by` -1) of a positive float. */
function neighbour(x: number, by: bigint): number {
  words.setFloat64(0, x);
  words.setBigUint64(0, words.getBigUint64(0) + by);
  return words.getFloat64(0);
}

function nextafter(a: unknown, b: unknown): unknown {
  const [x, y] = [real(a), real(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === y) return float_value(y);
  if (x === 0) return y > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const away = y > x === x > 0;
  const size = neighbour(Math.abs(x), away ? 1n : -1n);
  return float_value(x < 0 ? -size : size);
}

function ulp(value: unknown): unknown {
  const x = Math.abs(real(value));
  if (!Number.isFinite(x)) return float_value(x);
  if (x === Number.MAX_VALUE) return float_value(2 ** 971);
  return float_value(neighbour(x, 1n) - x);
}

function ldexp(a: unknown, b: unknown): unknown {
  const x = real(a);
  if (int_of(b) === undefined) throw new TypeError_("Expected an int as second argument to ldexp.");
  const result = m.ldexp(x, Number(index(b)));
  if (!Number.isFinite(result) && Number.isFinite(x)) throw range();
  return float_value(result);
}

function isclose(a: unknown, b: unknown, rel: unknown, abs: unknown): boolean {
  const [x, y, relative, absolute] = [real(a), real(b), real(rel), real(abs)];
  if (relative < 0 || absolute < 0) throw new ValueError("tolerances must be non-negative");
  if (x === y) return true;
  if (!Number.isFinite(x) || !Number.isFinite(y)) return false;
  const difference = Math.abs(x - y);
  return difference <= Math.abs(relative * y) || difference <= Math.abs(relative * x) || difference <= absolute;
}

function dist(p: unknown, q: unknown): unknown {
  const [a, b] = [[...each(p)], [...each(q)]];
  if (a.length !== b.length) throw new ValueError("both points must have the same number of dimensions");
  return float_value(m.norm(a.map((x, i) => real(x) - real(b[i]))));
}

function log(x: unknown, base: unknown): unknown {
  const numerator = logarithm(x, m.log, Math.LN2);
  if (base === undefined) return float_value(numerator);
  const denominator = logarithm(base, m.log, Math.LN2);
  if (denominator === 0) throw new ZeroDivisionError("float division by zero");
  return float_value(numerator / denominator);
}

function fmod(a: unknown, b: unknown): unknown {
  const [x, y] = [real(a), real(b)];
  const result = x % y;
  if (Number.isNaN(result) && !Number.isNaN(x) && !Number.isNaN(y)) throw domain();
  return float_value(result);
}

function trunc(value: unknown): unknown {
  const float = float_of(value);
  if (float !== undefined) return to_int(float, Math.trunc);
  const result = int_of(value) ?? call_special(value, "__trunc__");
  if (result === undefined) throw new TypeError_(`type ${type_of(value).tp_name} doesn't define __trunc__ method`);
  return result;
}

function modf(value: unknown): unknown {
  const x = real(value);
  const whole = Math.trunc(x);
  const rest = Number.isFinite(x) ? x - whole : Number.isNaN(x) ? x : 0;
  return tuple([float_value(rest === 0 && (x < 0 || Object.is(x, -0)) ? -0 : rest), float_value(whole)]);
}

export function math(): Map<string, unknown> {
  const namespace = functions("math", {
    "acos(x, /)": unary(m.acos),
    "acosh(x, /)": unary(m.acosh),
    "asin(x, /)": unary(m.asin),
    "asinh(x, /)": unary(m.asinh),
    "atan(x, /)": unary(m.atan),
    "atan2(y, x, /)": (y, x) => float_value(m.atan2(real(y), real(x))),
    "atanh(x, /)": unary(Math.atanh),
    "cbrt(x, /)": unary(Math.cbrt),
    "ceil(x, /)": rounded("__ceil__", Math.ceil),
    "copysign(x, y, /)": (x, y) => {
      const [size, sign] = [Math.abs(real(x)), real(y)];
      return float_value(sign < 0 || Object.is(sign, -0) ? -size : size);
    },
    "cos(x, /)": unary(m.cos),
    "cosh(x, /)": unary(m.cosh, true),
    "degrees(x, /)": (x) => float_value(real(x) * (180 / Math.PI)),
    "dist(p, q, /)": dist,
    "erf(x, /)": unary(m.erf),
    "erfc(x, /)": unary(m.erfc),
    "exp(x, /)": unary(m.exp, true),
    "exp2(x, /)": unary((x) => m.pow(2, x), true),
    "expm1(x, /)": unary(Math.expm1, true),
    "fabs(x, /)": unary(Math.abs),
    "floor(x, /)": rounded("__floor__", Math.floor),
    "fmod(x, y, /)": fmod,
    "frexp(x, /)": (x) => {
      const [mantissa, exponent] = m.frexp(real(x));
      return tuple([float_value(mantissa), exponent]);
    },
    "fsum(seq, /)": fsum,
    "gamma(x, /)": unary(gamma, (x) => x !== 0),
    "hypot(*coordinates)": (values: unknown[]) => float_value(m.norm(values.map(real))),
    "isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0)": isclose,
    "isfinite(x, /)": (x) => Number.isFinite(real(x)),
    "isinf(x, /)": (x) => Math.abs(real(x)) === Number.POSITIVE_INFINITY,
    "isnan(x, /)": (x) => Number.isNaN(real(x)),
    "ldexp(x, i, /)": ldexp,
    "lgamma(x, /)": unary(lgamma, (x) => x > 0 || !Number.isInteger(x)),
    "log(x, base=<unset>, /)": log,
    "log10(x, /)": (x) => float_value(logarithm(x, Math.log10, Math.LOG10E * Math.LN2)),
    "log1p(x, /)": unary(Math.log1p),
    "log2(x, /)": (x) => float_value(logarithm(x, Math.log2, 1)),
    "modf(x, /)": modf,
    "nextafter(x, y, /)": nextafter,
    "pow(x, y, /)": pow,
    "radians(x, /)": (x) => float_value(real(x) * (Math.PI / 180)),
    "remainder(x, y, /)": remainder,
    "sin(x, /)": unary(m.sin),
    "sinh(x, /)": unary(m.sinh, true),
    "sqrt(x, /)": unary(Math.sqrt),
    "tan(x, /)": unary(m.tan),
    "tanh(x, /)": unary(Math.tanh),
    "trunc(x, /)": trunc,
    "ulp(x, /)": ulp,
  });
  for (const [name, fn] of integer_functions()) namespace.set(name, fn);
  const constants = { pi: Math.PI, e: Math.E, tau: 2 * Math.PI, inf: Number.POSITIVE_INFINITY, nan: Number.NaN };
  for (const [name, x] of Object.entries(constants)) namespace.set(name, x);
  return namespace;
}
