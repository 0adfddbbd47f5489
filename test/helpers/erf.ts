/**
 * @file The error function and its complement in doubles, good to 40 bits and more, which JavaScript lacks.
 * @original
 */

const ROOT_OF_PI = Math.sqrt(Math.PI);

/** e^(-x^2) times a series without negative terms; for x from 0 on. */
function series(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / ROOT_OF_PI) * Math.exp(-x * x) * sum;
}

/** Laplace's continued fraction; for x from 2 on. */
function fraction(x: number): number {
  let below = x;
  for (let n = 60; n > 0; n--) below = x + n / 2 / below;
  return Math.exp(-x * x) / (ROOT_OF_PI * below);
}

export function erf(x: number): number {
  if (x < 0) return -erf(-x);
  if (x === 0) return x;
  return x < 2 ? series(x) : 1 - fraction(x);
}

export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  return x < 2 ? 1 - series(x) : fraction(x);
}
