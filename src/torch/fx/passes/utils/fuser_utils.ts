/**
 * @file Replacing groups of nodes by calls of modules that contain them.
 * @mirrors torch/fx/passes/utils/fuser_utils.py
 */

import { AssertionError } from "#c10/util/Exception";
import { dict_of } from "#python/Objects/dictobject";
import { PyTuple, tuple } from "#python/Objects/tupleobject";
import { Graph } from "../../graph/index.ts";
import type { GraphModule } from "../../graph_module.ts";
import type { Node } from "../../node.ts";
import { Proxy } from "../../proxy/index.ts";
import { has_name } from "../../qualified_names.ts";
import { copy_node, stable_topological_sort } from "../tools_common.ts";
import { lift } from "./common.ts";
import { is_acyclic } from "./cycles.ts";

/** Sorts nodes so that each stands behind its inputs, and otherwise keeps their order. */
export const topo_sort = has_name("torch.fx.passes.utils.fuser_utils.topo_sort", (nodes: readonly Node[]): Node[] => {
  const place = new Map(nodes.map((node, i) => [node, i]));
  const missing = new Map(nodes.map((node) => [node, node.all_input_nodes.filter((input) => place.has(input)).length]));
  const ready = nodes.filter((node) => missing.get(node) === 0);
  const sorted: Node[] = [];
  while (ready.length > 0) {
    const first = ready.reduce((best, node) =>
      (place.get(node) as number) < (place.get(best) as number) ? node : best,
    );
    ready.splice(ready.indexOf(first), 1);
    sorted.push(first);
    for (const user of first.users.keys() as Iterable<Node>) {
      if (!missing.has(user)) continue;
      missing.set(user, (missing.get(user) as number) - 1);
      if (missing.get(user) === 0) ready.push(user);
    }
  }
  if (sorted.length !== nodes.length)
    throw new AssertionError("topological sorted nodes doesn't have same length as input nodes");
  return sorted;
});

export const validate_partition = has_name(
  "torch.fx.passes.utils.fuser_utils.validate_partition",
  (partition: readonly Node[]): boolean => is_acyclic(partition),
);

interface Fused {
  readonly module: GraphModule;
  readonly inputs: readonly Node[];
  readonly outputs: readonly Node[];
}

/** The module of these nodes, with the nodes whose values go in and those whose values come out. */
function fuse(gm: GraphModule, nodes: readonly Node[], module_name: string, always_return_tuple: boolean): Fused {
  for (const node of nodes) {
    if (node.graph.owning_module !== gm)
      throw new AssertionError(`${node.name} doesn't belong to passed in graph module ${gm._get_name()}`);
    if (node._erased) throw new AssertionError(`${node.name} has been removed from owning graph`);
  }
  if (!is_acyclic(nodes)) throw new AssertionError("Invalid partition, found dependency cycles");
  const inside = new Set(nodes);
  const subgraph = new Graph();
  const placeholders = new Map<Node, Node>();
  const copies = new Map<Node, Node>();
  const input = (x: Node): Node => {
    const copy = copies.get(x);
    if (copy !== undefined) return copy;
    let placeholder = placeholders.get(x);
    if (placeholder === undefined) {
      placeholder = subgraph.placeholder(x.name, x.type);
      placeholder.meta = dict_of(x.meta);
      placeholders.set(x, placeholder);
    }
    return placeholder;
  };
  for (const node of nodes) copies.set(node, copy_node(subgraph, node, input));
  const outputs = nodes.filter((node) => ([...node.users.keys()] as Node[]).some((user) => !inside.has(user)));
  const values = outputs.map((node) => copies.get(node));
  (subgraph.output as (result: unknown) => Node).call(
    subgraph,
    values.length === 1 && !always_return_tuple ? values[0] : tuple(values),
  );
  subgraph.lint();
  const [module] = lift(gm, subgraph, "", module_name);
  return { module, inputs: [...placeholders.keys()], outputs };
}

/** Calls the module behind `insertion_point` in place of the nodes that it holds. */
function insert(gm: GraphModule, { module, inputs, outputs }: Fused, insertion_point: Node): void {
  const { graph } = gm;
  const name = module._get_name();
  gm.add_submodule(name, module);
  const behind = (graph.inserting_after as (n: Node) => { __exit__(): void }).call(graph, insertion_point);
  const call = (graph.call_module as (name: string, args: unknown) => Node).call(graph, name, tuple(inputs));
  behind.__exit__();
  if (outputs.length === 0) return;
  const before = (graph.inserting_before as (n: Node) => { __exit__(): void }).call(graph, call.next);
  const replace = (old: Node, by: Node): void => {
    (old.replace_all_uses_with as (by: Node, options: object) => unknown).call(old, by, { propagate_meta: true });
  };
  if (outputs.length === 1 && !(module.graph.output_node().args[0] instanceof PyTuple))
    replace(outputs[0] as Node, call);
  else {
    const proxy = new Proxy(call);
    for (const [i, old] of outputs.entries()) replace(old, proxy.__getitem__(i).node);
    call.meta.set("val", tuple(outputs.map((old) => old.meta.get("val") ?? null)));
  }
  before.__exit__();
}

/** Replaces each group of nodes by the call of a module. */
export function fuse_groups(gm: GraphModule, groups: readonly (readonly Node[])[], prefix: string): GraphModule {
  groups.forEach((group, i) => {
    const nodes = topo_sort(group);
    insert(gm, fuse(gm, nodes, `${prefix}${i}`, false), nodes.at(-1) as Node);
    for (const node of nodes.toReversed()) gm.graph.erase_node(node);
  });
  stable_topological_sort(gm);
  gm.graph.lint();
  return gm;
}

export const fuse_by_partitions = has_name(
  "torch.fx.passes.utils.fuser_utils.fuse_by_partitions",
  (gm: GraphModule, partitions: ReadonlyMap<Node, unknown>[], prefix = "fused_"): GraphModule =>
    fuse_groups(
      gm,
      partitions.map((partition) => [...partition.keys()]),
      prefix,
    ),
);
