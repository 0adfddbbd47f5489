/**
 * @file Arithmetic of complex numbers.
 * @mirrors Objects/complexobject.c#_Py_c_pow (CPython 3.11)
 */

import { atan2, cos, exp, log, sin } from "../../Modules/_math.ts";
import { PyComplex } from "../complexobject.ts";
import { OverflowError, ZeroDivisionError } from "../exceptions.ts";
import { pow } from "../floatobject/pow.ts";

export const complex_add = (a: PyComplex, b: PyComplex): PyComplex => new PyComplex(a.real + b.real, a.imag + b.imag);
export const complex_sub = (a: PyComplex, b: PyComplex): PyComplex => new PyComplex(a.real - b.real, a.imag - b.imag);
export const complex_neg = (a: PyComplex): PyComplex => new PyComplex(-a.real, -a.imag);

export function complex_mul(a: PyComplex, b: PyComplex): PyComplex {
  return new PyComplex(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real);
}

/** Divides by the larger part of `b` first, so that no square overflows. Undefined: `b` is zero. */
function quotient(a: PyComplex, b: PyComplex): PyComplex | undefined {
  if (Math.abs(b.real) >= Math.abs(b.imag)) {
    if (b.real === 0 && b.imag === 0) return undefined;
    const ratio = b.imag / b.real;
    const scale = b.real + b.imag * ratio;
    return new PyComplex((a.real + a.imag * ratio) / scale, (a.imag - a.real * ratio) / scale);
  }
  if (Number.isNaN(b.real) || Number.isNaN(b.imag)) return new PyComplex(Number.NaN, Number.NaN);
  const ratio = b.real / b.imag;
  const scale = b.real * ratio + b.imag;
  return new PyComplex((a.real * ratio + a.imag) / scale, (a.imag * ratio - a.real) / scale);
}

export function complex_div(a: PyComplex, b: PyComplex): PyComplex {
  const result = quotient(a, b);
  if (result === undefined) throw new ZeroDivisionError("complex division by zero");
  return result;
}

/** The length of (x, y): the root of an exact sum of squares, and one step of Newton's for its last bit. */
export function hypot(x: number, y: number): number {
  const [a, b] = [Math.max(Math.abs(x), Math.abs(y)), Math.min(Math.abs(x), Math.abs(y))];
  if (a === Number.POSITIVE_INFINITY || b === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  if (!(b > 0)) return a + b;
  if (b < a * 2 ** -54) return a + b;
  const scale = a > 2 ** 500 ? 2 ** -600 : b < 2 ** -450 ? 2 ** 600 : 1;
  const [square, rest] = product(a * scale, a * scale);
  const [other, other_rest] = product(b * scale, b * scale);
  const sum = square + other;
  const low = other - (sum - square) + (rest + other_rest);
  const root = Math.sqrt(sum);
  const [again, again_rest] = product(root, root);
  return (root + (sum - again - again_rest + low) / (2 * root)) / scale;
}

/** a * b as a sum of two doubles. */
function product(a: number, b: number): readonly [number, number] {
  const x = a * (2 ** 27 + 1);
  const a1 = x - (x - a);
  const y = b * (2 ** 27 + 1);
  const b1 = y - (y - b);
  const high = a * b;
  return [high, (a - a1) * (b - b1) - (high - a1 * b1 - (a - a1) * b1 - a1 * (b - b1))];
}

const ONE = new PyComplex(1, 0);

function whole_power(base: PyComplex, exponent: number): PyComplex {
  let result = ONE;
  let square = base;
  for (let mask = 1; mask > 0 && exponent >= mask; mask *= 2) {
    if (Math.floor(exponent / mask) % 2 === 1) result = complex_mul(result, square);
    square = complex_mul(square, square);
  }
  return result;
}

function any_power(a: PyComplex, b: PyComplex): PyComplex {
  if (b.real === 0 && b.imag === 0) return ONE;
  if (a.real === 0 && a.imag === 0) {
    if (b.imag !== 0 || b.real < 0) throw new ZeroDivisionError("0.0 to a negative or complex power");
    return new PyComplex(0, 0);
  }
  const size = hypot(a.real, a.imag);
  let length = pow(size, b.real);
  const angle = atan2(a.imag, a.real);
  let phase = angle * b.real;
  if (b.imag !== 0) {
    length *= exp(-angle * b.imag);
    phase += b.imag * log(size);
  }
  // C calls the sine of infinity a domain error, which Python reports as this one.
  if (Math.abs(phase) === Number.POSITIVE_INFINITY) throw new ZeroDivisionError("0.0 to a negative or complex power");
  return new PyComplex(length * cos(phase), length * sin(phase));
}

/** `a ** b`: by multiplication if `b` is a small whole number, otherwise by logarithms. */
export function complex_pow(a: PyComplex, b: PyComplex): PyComplex {
  let result: PyComplex | undefined;
  if (b.imag === 0 && b.real === Math.floor(b.real) && Math.abs(b.real) <= 100) {
    result = b.real > 0 ? whole_power(a, b.real) : quotient(ONE, whole_power(a, -b.real));
    if (result === undefined) throw new ZeroDivisionError("0.0 to a negative or complex power");
  } else result = any_power(a, b);
  if ([result.real, result.imag].some((part) => Math.abs(part) === Number.POSITIVE_INFINITY))
    throw new OverflowError("complex exponentiation");
  return result;
}

export function complex_abs({ real, imag }: PyComplex): number {
  const result = hypot(real, imag);
  if (result === Number.POSITIVE_INFINITY && Number.isFinite(real) && Number.isFinite(imag))
    throw new OverflowError("absolute value too large");
  return result;
}
