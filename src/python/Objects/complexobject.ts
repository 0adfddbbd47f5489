/**
 * @file Python's `complex`, as far as a literal needs it.
 * @mirrors Objects/complexobject.c (CPython 3.11)
 */
import { COMPLEX, float_repr } from "./floatobject.ts";

export class PyComplex {
  readonly [COMPLEX] = true;
  readonly real: number;
  readonly imag: number;

  constructor(real: number, imag: number) {
    this.real = real;
    this.imag = imag;
  }
}

/** A part of a complex number: without the `.0` that a float has. */
function part(value: number): string {
  return float_repr(value).replace(/\.0$/, "");
}

/** `repr(value)`: `2j`, `(1+2j)`. */
export function complex_repr({ real, imag }: PyComplex): string {
  if (Object.is(real, 0)) return `${part(imag)}j`;
  const sign = imag < 0 || Object.is(imag, -0) ? "" : "+";
  return `(${part(real)}${sign}${part(imag)}j)`;
}
