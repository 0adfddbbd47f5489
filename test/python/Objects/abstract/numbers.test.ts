/** Laws of operators: which JavaScript value a result is, and that ints are exact. Values are compared with CPython in expressions.test.ts. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binary_op, divmod, unary_negative } from "#python/Objects/abstract/numbers";
import { FloatValue, float_value } from "#python/Objects/floatobject";
import { int_value } from "#python/Objects/longobject";

const [ADD, FLOOR_DIVIDE, MULTIPLY, REMAINDER, SUBTRACT, TRUE_DIVIDE] = [0, 2, 5, 6, 10, 11];
const EDGES = [0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 64n];
const ints = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.bigInt({ min: -9n, max: 9n }),
  fc.constantFrom(...EDGES, ...EDGES.map((edge) => -edge)),
);
const doubles = fc.double({ noNaN: true });

/** Whether a value is an int as the machine keeps it. */
function is_kept_as_int(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value) && !Object.is(value, -0);
  return typeof value === "bigint" && !Number.isSafeInteger(Number(value));
}

/** Whether a value is a float as the machine keeps it. */
function is_kept_as_float(value: unknown): boolean {
  return typeof value === "number" ? !Number.isInteger(value) : value instanceof FloatValue;
}

describe("ints", () => {
  test("sums, differences and products are exact, and kept as a number whenever they are safe", () => {
    fc.assert(
      fc.property(ints, ints, (a, b) => {
        for (const [op, exact] of [
          [ADD, a + b],
          [SUBTRACT, a - b],
          [MULTIPLY, a * b],
        ] as const) {
          const result = binary_op(int_value(a), int_value(b), op);
          expect(result).toBe(int_value(exact));
          expect(is_kept_as_int(result)).toBe(true);
        }
      }),
    );
  });

  test("a == (a // b) * b + a % b, and the remainder has the sign of b", () => {
    fc.assert(
      fc.property(ints, ints, (a, b) => {
        fc.pre(b !== 0n);
        const quotient = binary_op(int_value(a), int_value(b), FLOOR_DIVIDE);
        const rest = binary_op(int_value(a), int_value(b), REMAINDER);
        expect(is_kept_as_int(quotient) && is_kept_as_int(rest)).toBe(true);
        expect(BigInt(quotient as number) * b + BigInt(rest as number)).toBe(a);
        expect(
          b > 0n ? (rest as number) >= 0 && (rest as number) < b : (rest as number) <= 0 && (rest as number) > b,
        ).toBe(true);
        expect([...(divmod(int_value(a), int_value(b)) as unknown[])]).toEqual([quotient, rest]);
      }),
    );
  });

  test("true division gives the nearest double", () => {
    fc.assert(
      fc.property(ints, ints, (a, b) => {
        fc.pre(b !== 0n);
        const result = binary_op(int_value(a), int_value(b), TRUE_DIVIDE);
        expect(is_kept_as_float(result)).toBe(true);
        // The double's neighbours are not nearer: |a/b - x| <= half a step, in whole numbers.
        const x = Number(result);
        const step = 2 ** (Math.floor(Math.log2(Math.abs(x) || 2 ** -1074)) - 52);
        const scale = 2 ** 60 / step;
        fc.pre(Number.isFinite(scale) && Number.isFinite(x * scale) && x !== 0);
        const error = a * BigInt(scale) - BigInt(x * scale) * b;
        expect((error < 0n ? -error : error) <= (b < 0n ? -b : b) * 2n ** 59n).toBe(true);
      }),
    );
  });
});

describe("floats", () => {
  test("a float stays a float, whole or not", () => {
    fc.assert(
      fc.property(doubles, doubles, (a, b) => {
        for (const [op, expected] of [
          [ADD, a + b],
          [SUBTRACT, a - b],
          [MULTIPLY, a * b],
        ] as const) {
          const result = binary_op(float_value(a), float_value(b), op);
          expect(is_kept_as_float(result)).toBe(true);
          expect(Object.is(Number(result), expected)).toBe(true);
        }
      }),
    );
    expect(binary_op(0.5, 0.5, ADD)).toEqual(new FloatValue(1));
    expect(binary_op(new FloatValue(2), 3, MULTIPLY)).toEqual(new FloatValue(6));
    expect(binary_op(2, 3, TRUE_DIVIDE)).toBe(2 / 3);
    expect(binary_op(4, 2, TRUE_DIVIDE)).toEqual(new FloatValue(2));
  });

  test("minus zero is a float, and no int is", () => {
    expect(unary_negative(0)).toBe(0);
    expect(Object.is(unary_negative(0), -0)).toBe(false);
    expect(unary_negative(new FloatValue(0))).toEqual(new FloatValue(-0));
    expect(Object.is(binary_op(0, -5, MULTIPLY), 0)).toBe(true);
    expect(Object.is(binary_op(-4, 2, REMAINDER), 0)).toBe(true);
  });
});
