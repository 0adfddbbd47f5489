/**
 * @file The order in which nodes are lowered: operands first, the last operand's before the first's.
 * @mirrors torch/csrc/lazy/core/ir_util.h
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import type { Node } from "./ir.ts";

/** The state of nodes that a traversal has met: false while their operands are being visited, true afterwards. */
export type EmissionMap = Map<Node, boolean>;

/**
 * Post-order of the nodes below `roots` that `emap` does not have.
 * @throws {RuntimeError} if the graph has a cycle
 */
export function ComputePostOrder(roots: readonly Node[], emap: EmissionMap = new Map()): Node[] {
  const post_order: Node[] = [];
  for (const root of roots) {
    const queue = [root];
    while (queue.length > 0) {
      const node = queue[queue.length - 1];
      const emitted = emap.get(node);
      if (emitted === undefined) {
        emap.set(node, false);
        for (const { node: operand } of node.operands()) {
          if (!emap.has(operand)) queue.push(operand);
          else TORCH_CHECK(emap.get(operand) === true, "Graph loop found at ", operand);
        }
        continue;
      }
      queue.pop();
      if (emitted) continue;
      emap.set(node, true);
      post_order.push(node);
    }
  }
  return post_order;
}

export function GetGraphSize(nodes: readonly Node[]): number {
  return ComputePostOrder(nodes).length;
}
