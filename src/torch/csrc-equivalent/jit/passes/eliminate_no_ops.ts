/**
 * @file Removes operators that give their first argument unchanged, where nothing tells the two apart: `detach` of what needs no gradient.
 * @mirrors torch/csrc/jit/passes/eliminate_no_ops.cpp
 */
import type { Graph } from "../ir/ir.ts";
import { allNodes } from "../runtime/graph_iterator.ts";
import { EliminateDeadCode } from "./dead_code_elimination.ts";

/** `is` between tensors sees whether they are one object. */
function comparesIdentity(graph: Graph): boolean {
  return graph
    .nodes()
    .some(
      (node) =>
        ["aten::__is__", "aten::__isnot__"].includes(node.kind()) &&
        node.inputs().every((input) => input.type().kind() === "TensorType"),
    );
}

/** Precondition: the graph has no gradients. Returns whether it changed. */
export function EliminateNoOps(graph: Graph): boolean {
  if (comparesIdentity(graph)) return false;
  const found = allNodes(graph).filter((node) => node.kind() === "aten::detach");
  for (const node of found) node.output().replaceAllUsesWith(node.input(0));
  if (found.length > 0) EliminateDeadCode(graph);
  return found.length > 0;
}
