/**
 * @file Removes the nodes that look at values: their users take the value itself.
 * @mirrors torch/csrc/jit/runtime/profiling_record.cpp#removeProfilingNodes
 */
import type { Block } from "../../ir/ir.ts";

export function removeProfilingNodes(block: Block): void {
  for (const node of block.nodes()) {
    if (node.kind() === "prim::profile" || node.kind() === "prim::profile_ivalue") {
      node.output().replaceAllUsesWith(node.input());
      node.destroy();
    } else {
      for (const inner of node.blocks()) removeProfilingNodes(inner);
    }
  }
}
