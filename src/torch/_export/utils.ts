/**
 * @file Edits of exported graphs: a node in the place of another, parts between markers, and the inlining of a part.
 * @mirrors torch/_export/utils.py
 */
import { PyDict } from "#python/Objects/dictobject";
import { getattr, getattr_or_undefined, setattr } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { import_module } from "#python/vm/import";
import { is_getitem } from "#torch/_functorch/compile_utils";
import { ops } from "#torch/_ops";
import { type Graph, placeholders_of } from "#torch/fx/graph/index";
import type { GraphModule } from "#torch/fx/graph_module";
import { Node } from "#torch/fx/node";
import { split_module } from "#torch/fx/passes/split_module";

/** `operator.getitem` */
export const getitem = (): unknown => getattr(import_module("operator"), "getitem");

/** All users of `old` use another node. */
export function replace_uses(old: Node, replacement: Node): void {
  (old.replace_all_uses_with as (replacement: Node) => unknown).call(old, replacement);
}

/** Puts a node in the place of `old`, which is removed. */
export function node_replace(old: Node, replacement: Node): void {
  replace_uses(old, replacement);
  old.users.clear();
  old.graph.erase_node(old);
}

/** Runs `fn` inside a context. */
function inside<R>(context: { __enter__(): unknown; __exit__(): unknown }, fn: () => R): R {
  context.__enter__();
  try {
    return fn();
  } finally {
    context.__exit__();
  }
}

/** Runs `fn` while new nodes are put before `node`. */
export const inserting_before = <R>(node: Node, fn: () => R): R => inside(node.graph.inserting_before(node), fn);

/** Runs `fn` while new nodes are put after `node`. */
export const inserting_after = <R>(node: Node, fn: () => R): R => inside(node.graph.inserting_after(node), fn);

/** Writes a value to a place at the end of a graph. */
export function insert_copy(graph: Graph, place: Node, value: unknown): Node {
  const args = tuple([place, value]);
  return inserting_before(graph.output_node(), () =>
    graph.create_node("call_function", ops.aten.copy_.default, args, new PyDict(), null, null),
  );
}

/** A placeholder without a value gets the input itself, and a call that nobody uses gets None. */
export function set_missing_values(gm: GraphModule, inputs: readonly unknown[]): void {
  for (const [i, { meta }] of placeholders_of(gm.graph).entries()) if (!meta.has("val")) meta.set("val", inputs[i]);
  for (const { op, users, meta } of gm.graph.nodes)
    if (op === "call_function" && users.size === 0 && !meta.has("val")) meta.set("val", null);
}

/** Cuts a graph into modules: each node for which `is_delimiter` holds begins the next one. */
export function sequential_split(gm: GraphModule, is_delimiter: (node: Node) => boolean): GraphModule {
  const parts = new Map<Node, number>();
  let part = 0;
  for (const node of gm.graph.nodes) {
    if (is_delimiter(node)) part++;
    parts.set(node, part);
  }
  const split = split_module(gm, gm, (node: Node) => parts.get(node), {
    keep_original_order: true,
    keep_original_node_name: true,
  });
  split.graph._codegen = gm.graph._codegen;
  split.recompile();
  return split;
}

/** A name for a submodule that the module does not have. */
function free_name(gm: GraphModule, name: string): string {
  let free = name;
  for (let i = 1; getattr_or_undefined(gm, free) !== undefined; i++) free = `submod_${i}`;
  return free;
}

/** Copies the nodes of a submodule to the place of its call. */
export function node_inline(call: Node): void {
  const gm = call.graph.owning_module as GraphModule;
  const sub_gm = getattr(gm, call.target as string) as GraphModule;
  const nodes = [...sub_gm.graph.nodes];
  const inner = new Map<unknown, Node>();
  for (const [i, placeholder] of placeholders_of(sub_gm.graph).entries()) inner.set(placeholder, call.args[i] as Node);
  inserting_before(call, () => {
    for (const node of nodes) {
      if (node.op === "placeholder" || node.op === "output") continue;
      const copy = gm.graph.node_copy(node, (n: Node) => inner.get(n));
      if (node.op === "get_attr") {
        copy.target = free_name(gm, copy.target as string);
        setattr(gm, copy.target as string, getattr(sub_gm, node.target as string));
      }
      inner.set(node, copy);
    }
  });
  const output = nodes.find(({ op }) => op === "output");
  const result: unknown = output?.args[0];
  if (result instanceof Node) node_replace(call, inner.get(result) as Node);
  else {
    const results = (result ?? []) as Node[];
    for (const user of [...call.users.keys()] as Node[])
      if (is_getitem(user)) node_replace(user, inner.get(results[user.args[1] as number]) as Node);
    call.graph.erase_node(call);
  }
  gm.delete_all_unused_submodules();
  gm.recompile();
}
