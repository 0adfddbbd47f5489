/**
 * @file Floating types that are stored as bits and computed as float: one table that says what their bits mean. Code
 * that reads a single element uses this table; kernels have the same conversions written into their loops
 * (tools/codegen/kernels/element_types.ts).
 * @original C++ has a class for each, with conversions to and from float.
 */
import { f32_from_bits, round_to_nearest_even } from "#c10/util/BFloat16";
import { fp16_ieee_from_fp32_value, fp16_ieee_to_fp32_value } from "#c10/util/Half";
import { NumScalarTypes, ScalarType } from "./ScalarType.ts";

export interface ReducedFloatingType {
  /** The name of C++'s class. */
  readonly name: string;
  /** The largest finite value; the lowest is its negative. */
  readonly max: number;
  /** Bits of the significand: all integers up to 2^digits are exact. */
  readonly digits: number;
  readonly to_float: (bits: number) => number;
  /** The bits of the nearest value, ties to even. */
  readonly from_float: (value: number) => number;
}

// biome-ignore format: table
const rows: readonly (readonly [ScalarType, ReducedFloatingType])[] = [
  [ScalarType.Half, { name: "c10::Half", max: 65504, digits: 11, to_float: fp16_ieee_to_fp32_value, from_float: fp16_ieee_from_fp32_value }],
  [ScalarType.BFloat16, { name: "c10::BFloat16", max: 3.3895313892515355e38, digits: 8, to_float: f32_from_bits, from_float: round_to_nearest_even }],
];

const byScalarType: (ReducedFloatingType | null)[] = new Array(NumScalarTypes).fill(null);
for (const [t, type] of rows) byScalarType[t] = type;

/** Every type of the table. */
export const reducedFloatingTypes: ReadonlyMap<ScalarType, ReducedFloatingType> = new Map(rows);

/** The table's entry for dtype `t`; null if its elements are plain numbers, or if nothing computes with them. */
export function reducedFloatingType(t: ScalarType): ReducedFloatingType | null {
  return byScalarType[t] ?? null;
}

/** Rounds `value` to the precision of `t`. */
export function round_to_reduced(t: ReducedFloatingType, value: number): number {
  return t.to_float(t.from_float(value));
}
