/**
 * @file Checks of a distribution's arguments for a dtype: the dtype must be able to represent the bounds, and the
 * integers between them.
 * @mirrors aten/src/ATen/native/DistributionTemplates.h
 */
import { printDouble } from "#aten/core/ivalue";
import { reducedFloatingTypes, round_to_reduced } from "#c10/core/ReducedFloatingType";
import { isFloatingType, ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_NOT_IMPLEMENTED, TORCH_WARN } from "#c10/util/Exception";
import { typeMetaName } from "#c10/util/typeid";

interface FloatingLimits {
  /** Number of significand bits: integers up to 2^digits are exact. */
  readonly digits: number;
  readonly max: number;
  readonly round: (x: number) => number;
}

const identity = (x: number): number => x;

const floatingLimits: ReadonlyMap<ScalarType, FloatingLimits> = new Map([
  [ScalarType.Float, { digits: 24, max: 3.4028234663852886e38, round: Math.fround }],
  [ScalarType.Double, { digits: 53, max: Number.MAX_VALUE, round: identity }],
  ...[...reducedFloatingTypes].map(([t, type]) => [t, { ...type, round: (x: number) => round_to_reduced(type, x) }]),
] as [ScalarType, FloatingLimits][]);

const integralLimits: ReadonlyMap<ScalarType, readonly [bigint, bigint]> = new Map([
  [ScalarType.Bool, [0n, 1n]],
  [ScalarType.Byte, [0n, 255n]],
  [ScalarType.Char, [-128n, 127n]],
  [ScalarType.Short, [-32768n, 32767n]],
  [ScalarType.Int, [-(2n ** 31n), 2n ** 31n - 1n]],
  [ScalarType.Long, [-(2n ** 63n), 2n ** 63n - 1n]],
  [ScalarType.UInt16, [0n, 2n ** 16n - 1n]],
  [ScalarType.UInt32, [0n, 2n ** 32n - 1n]],
  [ScalarType.UInt64, [0n, 2n ** 64n - 1n]],
] as [ScalarType, [bigint, bigint]][]);

/** Upper limit of `random_` without an upper bound: all smaller integers are exact. */
export function largest_integer(dtype: ScalarType): bigint {
  const floating = floatingLimits.get(dtype);
  if (floating !== undefined) return 2n ** BigInt(floating.digits);
  const integral = integralLimits.get(dtype);
  TORCH_CHECK_NOT_IMPLEMENTED(
    integral !== undefined,
    '"random_from_to_range_calc" not implemented for \'',
    toString(dtype),
    "'",
  );
  return integral[1];
}

// Note [Bounds that a float cannot hold]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Above 2^digits, a float skips integers, and rounding could move a number outside [from, to). So `from` moves up and
// `to` moves down by one step of the dtype at that size, if rounding would move them in the wrong direction.

/** Distance between neighbouring numbers with `digits` bits near `x`. */
function spacing(x: bigint, digits: number): bigint {
  const exponent = (x < 0n ? -x : x).toString(2).length - 1;
  return 2n ** BigInt(Math.max(exponent - digits + 1, 0));
}

export function update_from(dtype: ScalarType, from: bigint): bigint {
  const limits = floatingLimits.get(dtype);
  if (limits === undefined) return from;
  const from_plus_1 = toInteger(limits.round(Number(from + 1n)));
  return from_plus_1 < from ? from_plus_1 + spacing(from + 1n, limits.digits) : from;
}

export function update_to(dtype: ScalarType, to: bigint): bigint {
  const limits = floatingLimits.get(dtype);
  if (limits === undefined) return to;
  // A number that rounds up to 2^63 is not an int64: C++'s cast gives the smallest int64.
  const to_minus_1 = BigInt.asIntN(64, toInteger(limits.round(Number(to - 1n))));
  return to_minus_1 >= to ? to_minus_1 - spacing(to - 1n, limits.digits) : to;
}

function toInteger(x: number): bigint {
  return Number.isFinite(x) ? BigInt(Math.trunc(x)) : x > 0 ? 2n ** 63n - 1n : -(2n ** 63n);
}

function check_out_of_bounds(dtype: ScalarType, x: bigint, name: string): void {
  const floating = floatingLimits.get(dtype);
  const [low, high] = integralLimits.get(dtype) ?? [];
  const inside =
    floating !== undefined
      ? Number(x) >= -floating.max && Number(x) <= floating.max
      : x >= (low as bigint) && x <= (high as bigint);
  TORCH_CHECK(inside, name, " is out of bounds for ", typeMetaName(dtype));
}

function warn_out_of_bounds(dtype: ScalarType, x: bigint, name: string): void {
  const digits = floatingLimits.get(dtype)?.digits as number;
  const limit = 2n ** BigInt(digits);
  if (x >= -limit && x <= limit) return;
  TORCH_WARN(
    name,
    " is out of bounds [-(2^",
    digits,
    "), 2^",
    digits,
    "]. Due to precision limitations ",
    typeMetaName(dtype),
    " can support discrete uniform distribution only within this range. ",
    "This warning will become an error in version 1.7 release, please fix the code in advance",
  );
}

export function check_from_to_in_range(dtype: ScalarType, from: bigint, to_inc: bigint): void {
  TORCH_CHECK(
    floatingLimits.has(dtype) || integralLimits.has(dtype),
    "check_random_bounds handles only integral, floating-point and boolean types",
  );
  check_out_of_bounds(dtype, from, "from");
  check_out_of_bounds(dtype, to_inc, "to - 1");
  if (!isFloatingType(dtype)) return;
  warn_out_of_bounds(dtype, from, "from");
  warn_out_of_bounds(dtype, to_inc, "to - 1");
}

export function check_uniform_bounds(dtype: ScalarType, from: number, to: number): void {
  const limits = floatingLimits.get(dtype);
  TORCH_CHECK_NOT_IMPLEMENTED(
    limits !== undefined,
    '"check_uniform_bounds" not implemented for \'',
    toString(dtype),
    "'",
  );
  const { max } = limits;
  TORCH_CHECK(from >= -max && from <= max, "from is out of bounds for ", typeMetaName(dtype));
  TORCH_CHECK(to >= -max && to <= max, "to is out of bounds for ", typeMetaName(dtype));
  TORCH_CHECK(
    from <= to,
    "uniform_ expects to return a [from, to) range, but found from=",
    printDouble(from),
    " > to=",
    printDouble(to),
  );
  TORCH_CHECK(
    to - from <= max,
    "uniform_ expects to-from <= std::numeric_limits<",
    toString(dtype),
    ">::max(), but found to=",
    printDouble(to),
    " and from=",
    printDouble(from),
    " which result in to-from to exceed the limit",
  );
}
