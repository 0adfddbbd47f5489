/**
 * @file `PassBase`: a pass over a graph module, and its result.
 * @mirrors torch/fx/passes/infra/pass_base.py
 */
import { NotImplementedError } from "#c10/util/Exception";
import { Allocated, TAKES_VALUES } from "#python/Objects/allocated";
import type { PyTuple } from "#python/Objects/tupleobject";
import type { GraphModule } from "../../graph_module.ts";
import { named_tuple } from "../../named_tuple.ts";

const result = named_tuple("torch.fx.passes.infra.pass_base", "PassResult", ["graph_module", "modified"]);

/** The module after a pass, and whether it changed: a named tuple. */
export const PassResult = result.cls;
export const pass_result = (graph_module: unknown, modified: boolean): PyTuple => result.make(graph_module, modified);

export abstract class PassBase extends Allocated {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__: string = "torch.fx.passes.infra.pass_base";

  /** Runs the checks and the pass. */
  __call__(graph_module: GraphModule): unknown {
    this.requires(graph_module);
    const res = this.call(graph_module);
    this.ensures(graph_module);
    return res;
  }

  /** The pass itself; it gives a `PassResult`. */
  call(_graph_module: GraphModule): unknown {
    throw new NotImplementedError("a pass defines call(graph_module)");
  }

  /** Called before the pass. */
  requires(_graph_module: GraphModule): void {}

  /** Called after the pass. */
  ensures(_graph_module: GraphModule): void {}
}
