/**
 * @file `x ** y` of doubles, rounded to the nearest double.
 * @original C calls the system's `pow`; the last bit of JavaScript's is not defined.
 */

/** `x ** y`. */
export function pow(x: number, y: number): number {
  return x ** y;
}
