/**
 * @file The objects `slice` and `Ellipsis` without their types: the library takes them as indices also where the machine is not loaded.
 * @mirrors Include/sliceobject.h (CPython 3.11)
 */

export class PyEllipsis_Type {
  toString(): string {
    return "Ellipsis";
  }
}

export const Ellipsis = new PyEllipsis_Type();

/** `slice(start, stop, step)`; None where nothing was given. */
export class PySlice {
  readonly start: unknown;
  readonly stop: unknown;
  readonly step: unknown;

  constructor(start: unknown, stop: unknown, step: unknown = null) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}
