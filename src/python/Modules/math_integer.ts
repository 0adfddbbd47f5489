/**
 * @file The functions of `math` whose arguments are ints.
 * @mirrors Modules/mathmodule.c (CPython 3.11)
 */
import { OverflowError, TypeError_, ValueError } from "../Objects/exceptions.ts";
import { each } from "../Objects/iterobject.ts";
import { int_value } from "../Objects/longobject.ts";
import { functions } from "../Objects/methodobject.ts";
import { float_of, type Int, index } from "./arguments.ts";
import { binary } from "./operations.ts";

const big = (value: unknown): bigint => BigInt(index(value));
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

function gcd_of(a: bigint, b: bigint): bigint {
  let [x, y] = [absolute(a), absolute(b)];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** The product of the ints from `low` to `high`, in halves so that factors have equal lengths. */
function product(low: bigint, high: bigint): bigint {
  if (low > high) return 1n;
  if (high - low < 8n) {
    let result = low;
    for (let i = low + 1n; i <= high; i++) result *= i;
    return result;
  }
  const middle = (low + high) / 2n;
  return product(low, middle) * product(middle + 1n, high);
}

function isqrt(value: unknown): Int {
  const n = big(value);
  if (n < 0n) throw new ValueError("isqrt() argument must be nonnegative");
  if (n === 0n) return 0;
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const better = (x + n / x) >> 1n;
    if (better >= x) return int_value(x);
    x = better;
  }
}

function factorial(value: unknown): Int {
  if (float_of(value) !== undefined) throw new TypeError_("'float' object cannot be interpreted as an integer");
  const n = big(value);
  if (n < 0n) throw new ValueError("factorial() not defined for negative values");
  if (n >= 1n << 63n) throw new OverflowError("factorial() argument should not exceed 9223372036854775807");
  return int_value(product(1n, n));
}

function perm(a: unknown, b: unknown): Int {
  if (b === null) return factorial(a);
  const [n, k] = [big(a), big(b)];
  if (n < 0n) throw new ValueError("n must be a non-negative integer");
  if (k < 0n) throw new ValueError("k must be a non-negative integer");
  return k > n ? 0 : int_value(product(n - k + 1n, n));
}

function comb(a: unknown, b: unknown): Int {
  const [n, given] = [big(a), big(b)];
  if (n < 0n) throw new ValueError("n must be a non-negative integer");
  if (given < 0n) throw new ValueError("k must be a non-negative integer");
  if (given > n) return 0;
  const k = given > n - given ? n - given : given;
  return int_value(product(n - k + 1n, n) / product(1n, k));
}

export function integer_functions(): Map<string, unknown> {
  return functions("math", {
    "comb(n, k, /)": comb,
    "factorial(x, /)": factorial,
    "gcd(*integers)": (values: unknown[]) => int_value(values.map(big).reduce(gcd_of, 0n)),
    "isqrt(n, /)": isqrt,
    "lcm(*integers)": (values: unknown[]) =>
      int_value(values.map(big).reduce((a, b) => (a === 0n || b === 0n ? 0n : absolute((a / gcd_of(a, b)) * b)), 1n)),
    "perm(n, k=None, /)": perm,
    "prod(iterable, /, *, start=1)": (values, start) => {
      let result: unknown = start;
      for (const value of each(values)) result = binary("*", result, value);
      return result;
    },
  });
}
