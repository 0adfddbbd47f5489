/**
 * @file Tags of checkpoint regions in a joint graph: which values backward computes again.
 * @mirrors torch/_functorch/partitioners.py#cleanup_recompute_tags
 * @differs A random number is saved also inside of a region; PyTorch draws it again from the same state.
 */
import { Tag } from "#torch/_C";
import { OpOverload } from "#torch/_ops";
import type { Graph } from "#torch/fx/graph/index";
import type { Node } from "#torch/fx/node";
import { CheckpointPolicy } from "#torch/utils/checkpoint";

const policy_of = (node: Node): unknown => node.meta.get("recompute");
const users_of = (node: Node): Node[] => [...node.users.keys()] as Node[];

export const must_recompute = (node: Node): boolean =>
  policy_of(node) === CheckpointPolicy.MUST_RECOMPUTE || policy_of(node) === CheckpointPolicy.PREFER_RECOMPUTE;
export const must_save = (node: Node): boolean => policy_of(node) === CheckpointPolicy.MUST_SAVE;
export const has_recomputable_ops = (graph: Graph): boolean => [...graph.nodes].some(must_recompute);

const is_random = ({ target }: Node): boolean =>
  target instanceof OpOverload && target.tags.includes(Tag.nondeterministic_seeded);

/** Saves what stands between two regions, and random numbers. */
export function cleanup_recompute_tags(graph: Graph, is_default_partition: boolean): void {
  const save = (node: Node): void => {
    node.meta.set("recompute", CheckpointPolicy.MUST_SAVE);
  };
  const id = (node: Node): number | undefined => node.meta.get("ac_graph_id") as number | undefined;
  for (const node of graph.nodes) {
    const users = users_of(node);
    if (must_recompute(node)) {
      const own = id(node) as number;
      if (is_random(node)) {
        save(node);
        for (const part of users) if (part.name.startsWith("getitem")) save(part);
      } else if (users.some((user) => must_recompute(user) && (id(user) as number) > own)) save(node);
    } else if (is_default_partition && id(node) === undefined && node.op !== "output" && users.some(must_recompute))
      save(node);
  }
}
