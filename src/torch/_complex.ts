/**
 * @file Python's complex number, for files that contain one.
 * @original JavaScript has no such number.
 */
import { Float } from "./_C.ts";
import { py_global, type Reduced } from "./_pickle/index.ts";

export class Complex {
  readonly real: number;
  readonly imag: number;

  constructor(real: number, imag: number) {
    this.real = real;
    this.imag = imag;
    Object.freeze(this);
  }

  __reduce_ex__(_protocol: number): Reduced {
    return { func: py_global("__builtin__", "complex"), args: [Float(this.real), Float(this.imag)] };
  }

  toString(): string {
    return `(${this.real}${this.imag < 0 ? "" : "+"}${this.imag}j)`;
  }
}
