/**
 * @file The loops of a `@loop` scalar function as bodies of WGSL functions, one text for all its dtypes, or the reason
 * why there is none; and the functions that bodies call.
 *
 *   prelu float32 (input: float32, weight: float32) -> float32
 *     return select(weight * input, input, (input > 0.0f));
 *   digamma_of float32: calc_digamma: unknown name "Object"
 *
 * @original CUDA's compiler compiles each kernel file once for every card.
 * @see src/aten/webgpu/wgsl/printer.ts
 */
import type { Kernel } from "../../../src/aten/cpu/vec/ir.ts";
import { print_bodies, print_function } from "../../../src/aten/webgpu/wgsl/printer.ts";
import { elementType } from "./element_types.ts";
import { own_function, Refusal } from "./graph.ts";
import type { Machine } from "./machines.ts";

/** The text in the generated file. It omits the place of a reason, because lines move with every edit; `explain` finds it. */
export function emitWgsl(graphs: readonly (Kernel | Refusal)[]): string {
  const kernels = graphs.filter((graph): graph is Kernel => !(graph instanceof Refusal));
  const refused = graphs
    .filter((graph) => graph instanceof Refusal)
    .map(({ kernel, message }) => `${kernel}: ${message}`);
  return [...refused, ...(kernels.length === 0 ? [] : [print_bodies(kernels)])].join("\n");
}

/** Every function of the machine that has a graph. */
export function emitFunctions(machine: Machine): string {
  const texts = new Map<string, string>();
  for (const [name, dtype] of machine.functions.own_functions()) {
    const t = elementType(dtype);
    const called = t === undefined ? null : machine.functions.find(name, t);
    const graph = called?.is_own ? own_function(name, called, machine) : null;
    if (graph !== null && !(graph instanceof Refusal)) texts.set(graph.name, print_function(graph));
  }
  return [...texts.values()].join("\n\n");
}
