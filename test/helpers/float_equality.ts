/**
 * @file Floats in `toEqual`: two of them are equal if their values are the same double. A `FloatValue` keeps its value in a private field, which
 * vitest does not see, so without this any two would be equal.
 * @original
 */
import { expect } from "vitest";
import { FloatValue } from "../../src/python/Objects/floatobject.ts";

expect.addEqualityTesters([
  (a, b) => {
    if (!(a instanceof FloatValue) && !(b instanceof FloatValue)) return undefined;
    return a instanceof FloatValue && b instanceof FloatValue && Object.is(a.value, b.value);
  },
]);
