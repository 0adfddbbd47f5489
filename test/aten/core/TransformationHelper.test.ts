/** @file The remainder of random bits without a division of integers: what `%` gives, at the ends of quotients above all. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { modulo } from "#aten/core/TransformationHelper";

const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });

test("modulo is %", () => {
  const ranges = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(word, ranges, word, (x, range, k) => {
      expect(modulo(x, range)).toBe(x % range);
      const multiple = Math.floor(k / range) * range;
      for (const y of [multiple - 1, multiple, multiple + 1])
        if (y >= 0 && y < 2 ** 32) expect(modulo(y, range)).toBe(y % range);
    }),
    { numRuns: 5000 },
  );
});
