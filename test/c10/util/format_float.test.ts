/** @file Floats as Python 3.11's `%` prints them. */
import { expect, test } from "vitest";
import { format_exponent, format_fixed, format_general } from "#c10/util/format_float";

test("ties go to even, exponents have two digits", () => {
  expect([0.5, 1.5, 2.5, -0.125].map((v) => format_fixed(v, 0))).toEqual(["0", "2", "2", "-0"]);
  expect([0.125, 0.375, -0].map((v) => format_fixed(v, 2))).toEqual(["0.12", "0.38", "-0.00"]);
  expect([0.0009765625, 1e100, -2.5e-9].map((v) => format_exponent(v, 1))).toEqual(["9.8e-04", "1.0e+100", "-2.5e-09"]);
  expect([2.5, 3.5, 0].map((v) => format_exponent(v, 0))).toEqual(["2e+00", "4e+00", "0e+00"]);
});

test("six digits, and no zeros behind them", () => {
  const printed: [number, string][] = [
    [0, "0"],
    [-0, "-0"],
    [1, "1"],
    [65535, "65535"],
    [999999.5, "1e+06"],
    [1234567, "1.23457e+06"],
    [0.0009765625, "0.000976562"],
    [0.0001, "0.0001"],
    [0.00009999995, "0.0001"],
    [0.00001, "1e-05"],
    [-2147483648, "-2.14748e+09"],
    [1.5, "1.5"],
    [Infinity, "inf"],
    [Number.NaN, "nan"],
  ];
  for (const [value, text] of printed) expect(format_general(value)).toBe(text);
});
