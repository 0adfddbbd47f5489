/**
 * @file Parts of a graph in which gradients are switched on or off become graphs of their own, called by `wrap_with_set_grad_enabled`.
 * @mirrors torch/_export/passes/replace_set_grad_with_hop_pass.py
 */
import { NotImplementedError } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { getattr } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { _C } from "#torch/_C";
import { wrap_with_set_grad_enabled } from "#torch/_higher_order_ops/wrap";
import { torch } from "#torch/_torch";
import type { ExportGraphSignature } from "#torch/export/graph_signature";
import type { GraphModule } from "#torch/fx/graph_module";
import { Node } from "#torch/fx/node";
import { getitem, inserting_before, node_inline, node_replace, sequential_split } from "../utils.ts";

const is_set_grad_enabled = (node: Node): boolean =>
  node.op === "call_function" && node.target === _C._set_grad_enabled;

const first_operation = (gm: GraphModule): Node | undefined =>
  [...gm.graph.nodes].find(({ op }) => op !== "placeholder");

/** `_replace_with_hop` */
function replace_with_hop(call: Node): void {
  const { graph } = call;
  const sub_gm = getattr(graph.owning_module, call.target as string) as GraphModule;
  const marker = first_operation(sub_gm) as Node;
  const stack = marker.meta.get("nn_module_stack") ?? new PyDict();
  const output = [...sub_gm.graph.nodes].find(({ op }) => op === "output");
  inserting_before(call, () => {
    const attr = graph.get_attr(call.target as string, null);
    attr.meta.set("nn_module_stack", stack);
    if (output === undefined) return graph.erase_node(call);
    const result: unknown = output.args[0];
    const args = tuple([...marker.args, attr, ...call.args]);
    const wrap = (name: string | null, values: readonly Node[]): Node => {
      const hop = graph.create_node("call_function", wrap_with_set_grad_enabled, args, new PyDict(), name, null);
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
  sub_gm.graph.erase_node(marker);
  sub_gm.recompile();
}

function remove_marker_and_inline(call: Node): void {
  const sub_gm = getattr(call.graph.owning_module, call.target as string) as GraphModule;
  for (const node of [...sub_gm.graph.nodes]) if (is_set_grad_enabled(node)) sub_gm.graph.erase_node(node);
  node_inline(call);
}

/** The graph without calls of `_set_grad_enabled`; the signature follows the names of the outputs. */
export function replace_set_grad_with_hop_pass(gm: GraphModule, signature: ExportGraphSignature | null): GraphModule {
  if (![...gm.graph.nodes].some(is_set_grad_enabled)) return gm;
  const split = sequential_split(gm, is_set_grad_enabled);
  if (signature !== null) {
    const outputs = split.graph.output_node().args[0] as unknown[];
    for (const [i, out] of outputs.entries()) if (out instanceof Node) signature.output_specs[i].arg.name = out.name;
  }
  const hook = ({ old, new: name, user }: { old: Node; new: string; user: Node }): void => {
    if (user.op === "output") signature?.replace_all_uses(old.name, name);
  };
  split._register_replace_node_hook(hook as never);
  for (const node of [...split.graph.nodes]) {
    if (node.op !== "call_module") continue;
    const marker = first_operation(getattr(split, node.target as string) as GraphModule);
    const differs = marker !== undefined && is_set_grad_enabled(marker) && marker.args[0] !== torch.is_grad_enabled();
    if (differs) replace_with_hop(node);
    else remove_marker_and_inline(node);
  }
  split._unregister_replace_node_hook(hook as never);
  split.recompile();
  split.graph.lint();
  return split;
}
