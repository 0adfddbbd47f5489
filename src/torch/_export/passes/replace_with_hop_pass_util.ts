/**
 * @file Parts of a graph that become graphs of their own, called by an operator: what the passes for gradients and for autocast share.
 * @mirrors torch/_export/passes/replace_with_hop_pass_util.py
 */
import { NotImplementedError } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { getattr, getattr_or_undefined, setattr } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import type { HigherOrderOperator } from "#torch/_higher_order_ops/higher_order_operator";
import type { ExportGraphSignature } from "#torch/export/graph_signature";
import { GraphModule } from "#torch/fx/graph_module";
import { Node } from "#torch/fx/node";
import { getitem, inserting_before, node_replace } from "../utils.ts";

export const first_operation = (gm: GraphModule): Node | undefined =>
  [...gm.graph.nodes].find(({ op }) => op !== "placeholder");

/** The graph that a node calls. */
export const called_graph = (call: Node): GraphModule =>
  getattr(call.graph.owning_module, call.target as string) as GraphModule;

/**
 * Calls the graph of `call` through an operator.
 * @param marker the node of that graph whose arguments the operator gets
 */
export function replace_with_hop(call: Node, marker: Node, operator: HigherOrderOperator): void {
  const { graph } = call;
  const sub_gm = called_graph(call);
  const stack = marker.meta.get("nn_module_stack") ?? new PyDict();
  const output = [...sub_gm.graph.nodes].find(({ op }) => op === "output");
  inserting_before(call, () => {
    const attr = graph.get_attr(call.target as string, null);
    attr.meta.set("nn_module_stack", stack);
    if (output === undefined) return graph.erase_node(call);
    const result: unknown = output.args[0];
    const args = tuple([...marker.args, attr, ...call.args]);
    const wrap = (name: string | null, values: readonly Node[]): Node => {
      const hop = graph.create_node("call_function", operator as never, args, new PyDict(), name, null);
      hop.meta.set("nn_module_stack", stack);
      hop.meta.set("val", tuple(values.map((value) => value.meta.get("val"))));
      return hop;
    };
    if (result instanceof Node) {
      const hop = wrap(result.name, [result]);
      output.args = tuple([tuple([result])]) as never;
      const item = graph.create_node("call_function", getitem(), tuple([hop, 0]), new PyDict(), null, null);
      item.meta = result.meta;
      node_replace(call, item);
    } else if (Array.isArray(result)) {
      const hop = wrap(null, result as Node[]);
      node_replace(call, hop);
      for (const item of [...hop.users.keys()] as Node[]) {
        const value = (result as Node[])[item.args[1] as number];
        item._rename(value.name);
        item.meta = value.meta;
      }
    } else throw new NotImplementedError(`replace_with_hop_pass doesn't support output type ${type_of(result)}`);
    return undefined;
  });
}

/** Replaces the calls of a cut graph; the signature follows the names of the outputs. */
export function replace_parts(
  split: GraphModule,
  signature: ExportGraphSignature | null,
  replace: (call: Node) => void,
): GraphModule {
  if (signature !== null) {
    const outputs = split.graph.output_node().args[0] as unknown[];
    for (const [i, out] of outputs.entries()) if (out instanceof Node) signature.output_specs[i].arg.name = out.name;
  }
  const hook = ({ old, new: name, user }: { old: Node; new: string; user: Node }): void => {
    if (user.op === "output") signature?.replace_all_uses(old.name, name);
  };
  split._register_replace_node_hook(hook as never);
  for (const node of [...split.graph.nodes]) if (node.op === "call_module") replace(node);
  split._unregister_replace_node_hook(hook as never);
  split.recompile();
  split.graph.lint();
  return split;
}

/** A pass over one graph, then over the graphs that it calls. */
export function run_on_all_graphs(
  gm: GraphModule,
  signature: ExportGraphSignature | null,
  pass: (gm: GraphModule, signature: ExportGraphSignature | null) => GraphModule,
): GraphModule {
  const changed = pass(gm, signature);
  for (const node of changed.graph.nodes) {
    if (node.op !== "get_attr") continue;
    const inner = getattr_or_undefined(changed, node.target as string);
    if (inner instanceof GraphModule) setattr(changed, node.target as string, run_on_all_graphs(inner, null, pass));
  }
  changed.recompile();
  changed.graph.lint();
  return changed;
}
