/**
 * @file Removes dropout that is known to do nothing: its `training` is the constant False.
 * @mirrors torch/csrc/jit/passes/remove_dropout.cpp
 */
import { toIValue } from "../ir/constants.ts";
import type { Graph, Node } from "../ir/ir.ts";
import { allNodes } from "../runtime/graph_iterator.ts";

const dropouts: ReadonlySet<string> = new Set(
  ["dropout", "dropout_", "feature_dropout", "feature_dropout_"].map((name) => `aten::${name}`),
);

function isDropoutRemovable(node: Node): boolean {
  const training = toIValue(node.input(2));
  return training?.isBool() === true && !training.toBool();
}

export function removeDropout(graph: Graph): void {
  for (const node of allNodes(graph)) {
    if (!dropouts.has(node.kind()) || !isDropoutRemovable(node)) continue;
    node.output().replaceAllUsesWith(node.input(0));
    node.destroy();
  }
}
