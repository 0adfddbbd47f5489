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
