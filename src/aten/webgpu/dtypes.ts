/**
 * @file The names in kernel text of a GPU's dtypes: all but float64 and the complex ones.
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

/** The dtype's name in kernel text: `float32`. Undefined if a GPU does not support it. */
export function dtype_name(dtype: ScalarType): string {
  return NAMES[dtype];
}
