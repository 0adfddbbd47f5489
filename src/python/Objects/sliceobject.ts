/**
 * @file `Ellipsis`, the value of `...`.
 * @mirrors Objects/sliceobject.c (CPython 3.11)
 */
class PyEllipsis_Type {
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

  constructor(start: unknown, stop: unknown, step: unknown) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}
