/**
 * @file Names of kernels, and the output code of a compiled function for readers.
 * @mirrors torch/_inductor/utils.py
 */
import { OpOverload } from "#torch/_ops";
import { call_function } from "#torch/fx/callables";
import type { Node } from "#torch/fx/node";

/** The operator that the program called: a node made by a decomposition knows it. */
function original_aten(node: Node): string | null {
  const given = node.meta.get("original_aten") ?? node.target;
  return given instanceof OpOverload ? given.overloadpacket.__name__ : null;
}

/** `fused_add_mul`: the operators that a kernel computes, in alphabetical order. */
export function get_fused_kernel_name(origins: Iterable<Node>): string {
  const names = new Set<string>();
  for (const origin of origins) {
    const name = origin.op === "call_function" ? original_aten(origin) : null;
    if (name !== null) names.add(name);
  }
  return ["fused", ...[...names].sort()].join("_");
}

/** Told of each output code that is made. */
export const output_code_listeners = new Set<(code: string) => void>();

/** Calls a compiled function; answers its result and the output codes that were made meanwhile. */
export function run_and_get_code(fn: unknown, ...args: unknown[]): [unknown, string[]] {
  const codes: string[] = [];
  const listen = (code: string): void => {
    if (!codes.includes(code)) codes.push(code);
  };
  output_code_listeners.add(listen);
  try {
    return [call_function(fn, args), codes];
  } finally {
    output_code_listeners.delete(listen);
  }
}
