/**
 * @file What a recording says of a loop that has vectors: whether they ran, and if not, why.
 * @original PyTorch has no trace events.
 */
import { type ScalarType, toString } from "#c10/core/ScalarType";
import type { TraceData } from "#c10/util/Trace";

const CPU = "src/aten/native/cpu";

/** The fields of a loop of `cpu/vec/FILE.ts`. */
export function vector_loop(
  symbol: string,
  file: string,
  dtype: ScalarType,
  shape: readonly number[],
  capability: string,
  memory: "heap" | "staged" = "heap",
): TraceData {
  const path = `${CPU}/vec/${file}.ts`;
  return {
    dtype: toString(dtype),
    shape: shape.slice(),
    scalar: `at::native::${symbol}`,
    file: path,
    capability,
    memory,
  };
}

/** Those of its twin without vectors, `cpu/FILE.ts`, which ran instead. */
export function default_loop(
  symbol: string,
  file: string,
  dtype: ScalarType,
  shape: readonly number[],
  why: string,
): TraceData {
  const path = `${CPU}/${file}.ts`;
  const scalar = `at::native::${symbol}`;
  return { dtype: toString(dtype), shape: shape.slice(), scalar, file: path, capability: "DEFAULT", why };
}
