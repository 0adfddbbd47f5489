/**
 * @file The loops of a `@loop` scalar function as graphs of values, one text for all its dtypes; or the reason why one
 * must stay in JavaScript.
 *
 *   prelu float32 (input: float32, weight: float32)
 *     v0: mask = gt input, 0
 *     ...
 *   div_trunc int32: TORCH_CHECK may throw
 *
 * @original PyTorch compiles each kernel file once for every capability.
 * @see graph.ts, src/aten/cpu/vec/VecLoops.ts (reads it)
 */
import { type Kernel, print_kernels } from "../../../src/aten/cpu/vec/ir.ts";
import { isCaptured } from "./annotations.ts";
import type { ElementType } from "./element_types.ts";
import { lower, Refusal } from "./graph.ts";
import type { Machine } from "./machines.ts";
import type { FunctionText } from "./source.ts";
import type { TypedFunction } from "./tree.ts";

/** The graph of one instance, or the reason why it has none. */
export function lowered(
  name: string,
  types: readonly ElementType[],
  fn: TypedFunction,
  text: FunctionText,
  file: string,
  machine: Machine,
): Kernel | Refusal {
  const title = `${name} ${types.map((t) => t.name).join(" ")}`;
  const captured = new Set(text.params.filter((p) => isCaptured(p.type)).map((p) => p.name));
  try {
    return lower(title, fn, captured, file, machine);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    error.kernel = title;
    return error;
  }
}

/** The text in the generated file. It omits the place of a refusal, because lines move with every edit; `explain` finds it. */
export function emitSimd(graphs: readonly (Kernel | Refusal)[]): string {
  const kernels = graphs.filter((graph): graph is Kernel => !(graph instanceof Refusal));
  const refusals = graphs.filter((graph) => graph instanceof Refusal);
  const refused = refusals.map(({ kernel, message }) => `${kernel}: ${message}`);
  return [...refused, ...(kernels.length === 0 ? [] : [print_kernels(kernels)])].join("\n");
}
