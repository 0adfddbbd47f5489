/**
 * @file Products of lists.
 * @mirrors c10/util/accumulate.h
 */

/** Product of sizes: the number of elements. An empty list gives 1. */
export function multiply_integers(container: readonly number[]): number {
  let product = 1;
  for (const factor of container) product *= factor;
  return product;
}
