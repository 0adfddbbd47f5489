/**
 * @file Whether nodes may become one node: a value must not leave them and come back.
 * @mirrors torch/fx/passes/utils/fuser_utils.py#validate_partition
 */
import type { Node } from "../../node.ts";

export function is_acyclic(nodes: readonly Node[]): boolean {
  const inside = new Set(nodes);
  const open = nodes.flatMap((node) => ([...node.users.keys()] as Node[]).filter((user) => !inside.has(user)));
  const visited = new Set<Node>();
  while (open.length > 0) {
    const node = open.pop() as Node;
    if (inside.has(node)) return false;
    if (visited.has(node)) continue;
    visited.add(node);
    open.push(...([...node.users.keys()] as Node[]));
  }
  return true;
}
