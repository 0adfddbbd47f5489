/**
 * @file `tag_activation_checkpoint`: a graph whose values backward computes again instead of keeping them.
 * @mirrors torch/_higher_order_ops/wrap.py#TagActivationCheckpoint
 * @differs Outside of a trace ours keeps the state of random numbers for the second run; PyTorch does not, so that a dropout in the region gets
 * another mask there.
 *
 *     eager            torch.utils.checkpoint.checkpoint(graph, *args)
 *     AOTAutograd      the graph's operations, each with the tag `recompute`: the partitioner puts copies of them into backward
 */
import { _is_functional_tensor } from "#torch/_functorch/_C";
import { FakeTensor } from "#torch/_subclasses/fake_tensor/index";
import { Tensor } from "#torch/_tensor/index";
import { call_function } from "#torch/fx/callables";
import { traced_graph } from "#torch/fx/experimental/proxy_tensor/index";
import type { GraphModule } from "#torch/fx/graph_module";
import type { Node } from "#torch/fx/node";
import { CheckpointPolicy, checkpoint } from "#torch/utils/checkpoint";
import { HigherOrderOperator } from "./higher_order_operator.ts";

let next_graph_id = 0;

/** Runs the graph in a trace, and tags the nodes that it makes. */
function tagged_call(gmod: GraphModule, args: readonly unknown[]): unknown {
  const graph = traced_graph();
  if (graph === null) return call_function(gmod, args);
  const before = new Set<unknown>(graph.nodes);
  const id = next_graph_id++;
  const out = call_function(gmod, args);
  for (const node of graph.nodes as Iterable<Node>) {
    if (before.has(node) || node.op !== "call_function") continue;
    const { meta } = node;
    meta.set("recompute", CheckpointPolicy.PREFER_RECOMPUTE);
    meta.set("ac_graph_id", id);
  }
  return out;
}

const has_no_data = (arg: unknown): boolean =>
  arg instanceof Tensor && (arg instanceof FakeTensor || _is_functional_tensor(arg));

export const tag_activation_checkpoint = new HigherOrderOperator("tag_activation_checkpoint", {
  dense(given) {
    // The last argument holds the keywords of `checkpoint`.
    const [gmod, ...args] = given.slice(0, -1) as [GraphModule, ...unknown[]];
    if (traced_graph() !== null || args.some(has_no_data)) return tagged_call(gmod, args);
    const run = (...inputs: unknown[]): unknown => call_function(gmod, inputs);
    return (checkpoint as unknown as (...all: unknown[]) => unknown)(run, ...args, { use_reentrant: false });
  },
});
