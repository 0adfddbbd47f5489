/**
 * @file Python's `frozenset`, as far as a constant needs it.
 * @mirrors Objects/setobject.c (CPython 3.11)
 * @differs The elements keep the order in which they were added; CPython's order follows from hashes.
 */

/** Invariant: the elements differ from each other and are never changed. */
export class PyFrozenSet {
  readonly elements: readonly unknown[];

  constructor(elements: readonly unknown[]) {
    this.elements = elements;
  }
}
