/**
 * @file Arithmetic of complex numbers.
 * @mirrors Objects/complexobject.c#_Py_c_pow (CPython 3.11)
 */
import { PyComplex } from "../complexobject.ts";
import { OverflowError, ZeroDivisionError } from "../exceptions.ts";

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
  const size = Math.hypot(a.real, a.imag);
  let length = size ** b.real;
  const angle = Math.atan2(a.imag, a.real);
  let phase = angle * b.real;
  if (b.imag !== 0) {
    length *= Math.exp(-angle * b.imag);
    phase += b.imag * Math.log(size);
  }
  return new PyComplex(length * Math.cos(phase), length * Math.sin(phase));
}

/** `a ** b`: by multiplication if `b` is a small whole number, otherwise by logarithms. */
export function complex_pow(a: PyComplex, b: PyComplex): PyComplex {
  let result: PyComplex | undefined;
  if (b.imag === 0 && b.real === Math.floor(b.real) && Math.abs(b.real) <= 100) {
    result = b.real > 0 ? whole_power(a, b.real) : quotient(ONE, whole_power(a, -b.real));
    if (result === undefined) throw new ZeroDivisionError("0.0 to a negative or complex power");
  } else result = any_power(a, b);
  const parts = [a.real, a.imag, b.real, b.imag].every(Number.isFinite);
  if (parts && !(Number.isFinite(result.real) && Number.isFinite(result.imag)))
    throw new OverflowError("complex exponentiation");
  return result;
}

export function complex_abs({ real, imag }: PyComplex): number {
  const result = Math.hypot(real, imag);
  if (result === Number.POSITIVE_INFINITY && Number.isFinite(real) && Number.isFinite(imag))
    throw new OverflowError("absolute value too large");
  return result;
}
