/**
 * @file A part of a graph as a module.
 * @mirrors torch/fx/passes/utils/common.py
 */
import { AssertionError } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { getattr, getattr_or_undefined, setattr } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { Module } from "#torch/nn/modules/module/index";
import type { Graph } from "../../graph/index.ts";
import { GraphModule } from "../../graph_module.ts";
import { has_name } from "../../qualified_names.ts";
import { SubgraphMatcher } from "./matcher_utils.ts";

/** A module that only holds others. */
export class HolderModule extends Module {
  static readonly __module__ = "torch.fx.passes.utils.common";
  constructor(modules: ReadonlyMap<unknown, unknown> | Readonly<Record<string, unknown>> = {}) {
    super();
    const entries = modules instanceof Map ? modules : Object.entries(modules);
    for (const [name, module] of entries) this.add_module(name as string, module as Module);
  }
}

/** The graph module of `subgraph` with what its nodes refer to in `gm`. */
export function lift(gm: GraphModule, subgraph: Graph, comp_name: string, class_name: string): [GraphModule, PyDict] {
  const submodule = new HolderModule();
  const names = new PyDict();
  for (const n of subgraph.nodes) {
    if (n.op !== "call_module" && n.op !== "get_attr") continue;
    if (typeof n.target !== "string") throw new AssertionError("Expected str target");
    const path = n.target.split(".");
    const leaf = path.pop() as string;
    let to: Module = submodule;
    let from: unknown = gm;
    for (const name of path) {
      if (getattr_or_undefined(to, name) === undefined) to.add_module(name, new HolderModule());
      to = getattr(to, name) as Module;
      from = getattr(from, name);
    }
    names.set(n.target, `${comp_name}.${n.target}`);
    setattr(to, leaf, getattr(from, leaf));
  }
  return [new GraphModule(submodule, subgraph, class_name), names];
}

export const lift_subgraph_as_module = has_name(
  "torch.fx.passes.utils.common.lift_subgraph_as_module",
  (gm: GraphModule, subgraph: Graph, comp_name = "", class_name = "GraphModule"): unknown =>
    tuple(lift(gm, subgraph, comp_name, class_name)),
);

/** Whether two graphs are the same but for the names of their nodes. */
export const compare_graphs = has_name(
  "torch.fx.passes.utils.common.compare_graphs",
  (left: Graph, right: Graph): boolean =>
    new SubgraphMatcher(left, { match_output: true, match_placeholder: true }).match(right).length > 0,
);
