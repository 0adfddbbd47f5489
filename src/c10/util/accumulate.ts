/**
 * @file Products of lists.
 * @mirrors c10/util/accumulate.h
 */

/** Of sizes: how many elements there are. 1 of an empty list. */
export function multiply_integers(container: readonly number[]): number {
  let product = 1;
  for (const factor of container) product *= factor;
  return product;
}
