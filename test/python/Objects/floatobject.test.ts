/** Floats as values of TypeScript: equality in tests, and powers that are rounded once. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { FloatValue, float_value } from "#python/Objects/floatobject";
import { pow } from "#python/Objects/floatobject/pow";

test("floats in toEqual are equal by value", () => {
  expect(new FloatValue(2)).toEqual(new FloatValue(2));
  expect(new FloatValue(2)).not.toEqual(new FloatValue(3));
  expect([new FloatValue(0)]).not.toEqual([new FloatValue(-0)]);
  expect(new FloatValue(2)).not.toEqual(2);
});

test("a float is a number that cannot be changed", () => {
  const two = new FloatValue(2);
  expect(() => Object.assign(two, { value: 3 })).toThrow(TypeError);
  expect(Number(two)).toBe(2);
  expect(float_value(2.5)).toBe(2.5);
  expect(float_value(-0)).toEqual(new FloatValue(-0));
});

test("powers lie within half a unit of the exact value, which bigints give", () => {
  for (const base of [3, 7, 10, 199, 205, 209, 1e16])
    for (const exponent of [3, 5, 7, 11, 17])
      expect(pow(base, exponent)).toBe(Number(BigInt(base) ** BigInt(exponent)));
  expect(pow(2, -1074)).toBe(5e-324);
  expect(pow(-8, 3)).toBe(-512);
  expect(pow(0.5, 1100)).toBe(0);
});

test("a power below the smallest normal number is rounded once", () => {
  // 10 ** -310 and its like are decimals, which JavaScript reads exactly.
  for (let n = 300; n <= 323; n++) expect(pow(10, -n)).toBe(Number(`1e-${n}`));
});

test("special cases of powers are those of C", () => {
  expect(pow(1, Number.NaN)).toBe(1);
  expect(pow(Number.NaN, 0)).toBe(1);
  expect(pow(-1, Number.POSITIVE_INFINITY)).toBe(1);
  expect(pow(2, 1e300)).toBe(Number.POSITIVE_INFINITY);
  expect(pow(-2, -1e300)).toBe(0);
  expect(pow(-0, -1)).toBe(Number.NEGATIVE_INFINITY);
  expect(pow(-8, 1 / 3)).toBeNaN();
});

test("powers are those of CPython where the engine's are not", () => {
  expect(pow(2, 2.5)).toBe(5.656854249492381);
  expect(pow(0.1, -64)).toBe(9.999999999999965e63);
  expect(pow(1e16, -1.5)).toBe(1e-24);
});

test("powers are close to the engine's", () => {
  const numbers = fc.double({ min: 1e-10, max: 1e10, noNaN: true });
  const exponents = fc.double({ min: -20, max: 20, noNaN: true });
  fc.assert(fc.property(numbers, exponents, (x, y) => Math.abs(pow(x, y) / x ** y - 1) < 1e-13));
});
