/**
 * @file The passes that run over a graph when it has been compiled.
 * @mirrors torch/csrc/jit/frontend/ir_emitter.cpp#runCleanupPasses
 */
import * as types from "#aten/core/jit_type";
import type { Graph } from "../../ir/ir.ts";
import { AnnotateWarns } from "../../passes/annotate_warns.ts";
import { CanonicalizeOutputs } from "../../passes/canonicalize.ts";
import { ConstantPooling } from "../../passes/constant_pooling.ts";
import { ConstantPropagationImmutableTypes } from "../../passes/constant_propagation.ts";
import { inlineForkedClosures } from "../../passes/inline_forked_closures.ts";
import { liftClosures } from "../../passes/lift_closures.ts";
import { LowerSimpleTuples } from "../../passes/lower_tuples.ts";
import { allNodes } from "../../runtime/graph_iterator.ts";

/** A literal `[]` that got no type is a list of tensors. */
function eraseListLiterals(graph: Graph): void {
  for (const node of allNodes(graph)) {
    if (node.kind() !== "prim::EmptyListLiteral") continue;
    if (node.hasUses()) node.replaceAllUsesWith(graph.createList(types.TensorType, []).insertBefore(node));
    node.destroy();
  }
}

export function runCleanupPasses(graph: Graph): void {
  liftClosures(graph, runCleanupPasses);
  inlineForkedClosures(graph, runCleanupPasses);
  eraseListLiterals(graph);
  LowerSimpleTuples(graph);
  // Constants of mutable types stay: folding them might allow more the next time, and the graph would change again.
  ConstantPropagationImmutableTypes(graph);
  ConstantPooling(graph);
  CanonicalizeOutputs(graph);
  AnnotateWarns(graph);
}
