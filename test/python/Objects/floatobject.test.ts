/** Floats as values of TypeScript: equality in tests, and powers that are rounded once. */
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
