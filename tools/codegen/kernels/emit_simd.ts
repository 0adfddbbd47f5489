/**
 * @file The loops of a `@loop` scalar function as graphs of values, one text for all its dtypes; for what must stay in JavaScript, why.
 *
 *   prelu float32 (input: float32, weight: float32)
 *     v0: mask = gt input, 0
 *     ...
 *   div_trunc int32: TORCH_CHECK may throw
 *
 * @original PyTorch compiles each kernel file once for every capability.
 * @see graph.ts, src/aten/cpu/vec/VecLoops.ts (reads it)
 */
import { print_kernel } from "../../../src/aten/cpu/vec/ir.ts";
import { isCaptured } from "./annotations.ts";
import type { ElementType } from "./element_types.ts";
import { lower, Refusal } from "./graph.ts";
import type { FunctionText } from "./source.ts";
import type { TypedFunction } from "./tree.ts";
import type { VectorFunctions } from "./vector_functions.ts";

/** The graph of one instance as text, or one line that says why there is none. */
export function emitSimd(
  name: string,
  types: readonly ElementType[],
  fn: TypedFunction,
  text: FunctionText,
  file: string,
  functions: VectorFunctions,
): string {
  const title = `${name} ${types.map((t) => t.name).join(" ")}`;
  const captured = new Set(text.params.filter((p) => isCaptured(p.type)).map((p) => p.name));
  try {
    return print_kernel(lower(title, fn, captured, file, functions));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return `${title}: ${error.message}`; // lines move with every edit, and `explain` finds them
  }
}
