/**
 * @file Helper for the trace event of a JavaScript loop that no iterator runs.
 * @original PyTorch has no trace events.
 */
import { type ScalarType, toString } from "#c10/core/ScalarType";
import type { TraceData } from "#c10/util/Trace";

/**
 * Fields for a loop of `cpu/FILE.ts`, or of `native/FILE.ts` for `../FILE`. `why` is the reason why SIMD did not run,
 * if the machine has it.
 */
export function default_loop(
  symbol: string,
  file: string,
  dtype: ScalarType,
  shape: readonly number[],
  why: string | null,
): TraceData {
  const data = {
    dtype: toString(dtype),
    shape: shape.slice(),
    scalar: `at::native::${symbol}`,
    file: file.startsWith("../") ? `src/aten/native/${file.slice(3)}.ts` : `src/aten/native/cpu/${file}.ts`,
    capability: "DEFAULT",
  };
  return why === null ? data : { ...data, why };
}
