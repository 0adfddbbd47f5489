/**
 * @file Removes a `prim::profile` right behind another one that saw the same.
 * @mirrors torch/csrc/jit/passes/remove_redundant_profiles.cpp
 */
import { AliasDb } from "../ir/alias_analysis.ts";
import type { Block, Graph } from "../ir/ir.ts";

function removeRedundantProfiles(block: Block, alias_db: AliasDb): void {
  for (const node of block.nodes().reverse()) {
    for (const inner of node.blocks()) removeRedundantProfiles(inner, alias_db);
    if (node.kind() !== "prim::profile" || node.inputs().length === 0) continue;
    const earlier = node.input().node();
    if (earlier.kind() !== "prim::profile") continue;
    if (!earlier.ty("profiled_type").equals(node.ty("profiled_type"))) continue;
    if (!alias_db.moveBeforeTopologicallyValid(earlier, node)) continue;
    node.output().replaceAllUsesWith(node.input());
    node.destroy();
  }
}

export function RemoveRedundantProfiles(graph: Graph): void {
  removeRedundantProfiles(graph.block(), new AliasDb(graph));
}
