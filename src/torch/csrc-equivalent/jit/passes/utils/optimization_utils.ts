/**
 * @file Questions that passes on frozen graphs ask.
 * @mirrors torch/csrc/jit/passes/utils/optimization_utils.cpp
 */
import type { Node } from "../../ir/ir.ts";

/** Whether an argument behind the first, such as a weight, is known only when the graph runs. */
export function nonConstantParameters(node: Node): boolean {
  return node
    .inputs()
    .slice(1)
    .some((input) => input.node().kind() !== "prim::Constant");
}
