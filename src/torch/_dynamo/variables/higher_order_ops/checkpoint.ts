/**
 * @file `torch.utils.checkpoint.checkpoint` in a followed program: the region becomes a graph, `wrap_body_0`.
 * @mirrors torch/_dynamo/variables/higher_order_ops.py#CheckpointHigherOrderVariable
 * @differs A region with `context_fn` breaks the graph.
 */

import { tuple } from "#python/Objects/tupleobject";
import { tag_activation_checkpoint } from "#torch/_higher_order_ops/tag_activation_checkpoint";
import { map_arg_ } from "#torch/fx/node";
import { unimplemented } from "../../graph_break.ts";
import * as graph_break_hints from "../../graph_break_hints.ts";
import type { Kwargs, Translator, VariableTracker } from "../base.ts";
import { TorchHigherOrderOperatorVariable, with_hop_context } from "./base.ts";
import {
  example_of,
  kwargs_dict,
  overwrite_tensor_vt_proxy,
  realize_all,
  returned_by,
  speculate_subgraph,
} from "./speculate.ts";

const HOP_NAME = "torch.utils.checkpoint.checkpoint";
/** Keywords of `checkpoint` itself; all others are the region's. */
const OWN: ReadonlySet<string> = new Set([
  "use_reentrant",
  "context_fn",
  "determinism_check",
  "debug",
  "early_stop",
  "preserve_rng_state",
]);

export class CheckpointHigherOrderVariable extends TorchHigherOrderOperatorVariable {
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    return with_hop_context(HOP_NAME, () => call_checkpoint(tx, args, kwargs));
  }
}

function call_checkpoint(tx: Translator, given: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
  if (kwargs.has("context_fn"))
    unimplemented({
      gb_type: "Unsupported function call",
      context: "checkpoint with context_fn",
      explanation: "Dynamo does not know how to trace a checkpoint region with `context_fn`.",
      hints: [...graph_break_hints.SUPPORTABLE],
    });
  const [fn, ...args] = realize_all(given) as [VariableTracker, ...VariableTracker[]];
  const own = [...kwargs].filter(([name]) => OWN.has(name));
  const of_region = new Map([...kwargs].filter(([name]) => !OWN.has(name)));
  const { output, graph_outputs, tracer } = speculate_subgraph(tx, fn, args, {
    description: HOP_NAME,
    kwargs: of_region,
  });
  const example = map_arg_(tuple([...returned_by(tracer.graph)]) as never, example_of);
  const body = tx.output.install_subgraph("wrap_body", tracer.graph);
  const named = kwargs_dict(own.map(([name, it]) => [name, it.realize().as_proxy()] as const));
  const operands = [body, ...tracer.lifted_freevars.keys()];
  const flat = tx.output.call_with_example(tag_activation_checkpoint, operands, named, example);
  overwrite_tensor_vt_proxy(graph_outputs, flat);
  return output;
}
