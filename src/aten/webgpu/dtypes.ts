/**
 * @file The dtypes of a GPU by the names that kernel text has for them: all but float64 and the complex ones.
 * @mirrors torch/headeronly/core/ScalarType.h
 */
import { ScalarType } from "#c10/core/ScalarType";

// biome-ignore format: table
export const DTYPES: ReadonlyMap<string, ScalarType> = new Map<string, ScalarType>([
  ["uint8", ScalarType.Byte], ["int8", ScalarType.Char], ["int16", ScalarType.Short], ["int32", ScalarType.Int], ["int64", ScalarType.Long],
  ["float16", ScalarType.Half], ["float32", ScalarType.Float], ["bool", ScalarType.Bool], ["bfloat16", ScalarType.BFloat16],
]);

const NAMES: readonly string[] = named();

function named(): string[] {
  const names: string[] = [];
  for (const [name, dtype] of DTYPES) names[dtype] = name;
  return names;
}

/** `float32`, as kernel text says. Undefined of a dtype that a GPU has not. */
export function dtype_name(dtype: ScalarType): string {
  return NAMES[dtype];
}
