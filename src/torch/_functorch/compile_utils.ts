/**
 * @file Passes over graphs of operators that have no mutation: equal calls once, parts of results beside their call.
 * @mirrors torch/_functorch/compile_utils.py
 */
import { equal } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { OpOverload, type OpOverloadPacket } from "#torch/_ops";
import { Tensor } from "#torch/_tensor/index";
import { Graph } from "#torch/fx/graph/index";
import type { GraphModule } from "#torch/fx/graph_module";
import { _get_qualified_name, Node } from "#torch/fx/node";
import { flatten, type TreeSpec } from "#torch/utils/_pytree/index";

/** The operator of a node without its overload; any other function as it is. */
export function get_aten_target(node: Node): unknown {
  return node.target instanceof OpOverload ? (node.target.overloadpacket as OpOverloadPacket) : node.target;
}

/** The name of `get_aten_target(node)`: `aten.add`, `_operator.getitem`. */
export function target_name(node: Node): string {
  if (node.op !== "call_function") return "";
  const target = get_aten_target(node);
  return node.target instanceof OpOverload ? String(target) : _get_qualified_name(target as never);
}

export const is_getitem = (node: Node): boolean => target_name(node) === "_operator.getitem";

const rand_ops = new Set(
  "dropout _fused_dropout _standard_gamma bernoulli multinomial native_dropout normal poisson binomial rrelu rand_like rand randint randn randperm empty"
    .split(" ")
    .map((name) => `aten.${name}`),
);

const storage_of = (node: Node): unknown => {
  const val = node.meta.get("val");
  return val instanceof Tensor ? val.cdata.storage().unsafeGetStorageImpl() : undefined;
};

interface Token {
  readonly node: Node;
  readonly leaves: readonly unknown[];
  readonly specs: readonly TreeSpec[];
}

const same_leaf = (a: unknown, b: unknown): boolean =>
  a === b || (!(a instanceof Node) && !(b instanceof Node) && type_of(a ?? null) === type_of(b ?? null) && equal(a, b));

const same_call = (a: Token, b: Token): boolean =>
  a.leaves.length === b.leaves.length &&
  a.specs.every((spec, i) => spec.equals(b.specs[i])) &&
  a.leaves.every((leaf, i) => same_leaf(leaf, b.leaves[i]));

/** A copy of the graph in which equal calls stand once. Calls whose results share memory with the graph's own results are kept. */
export function fx_graph_cse(fx_g: Graph): Graph {
  const new_graph = new Graph();
  const env = new Map<unknown, unknown>();
  const calls = new Map<unknown, Token[]>();
  const output_storages = new Set(fx_g.output_node().all_input_nodes.map(storage_of));
  output_storages.delete(undefined);
  for (const n of fx_g.nodes) {
    const kept = n.op !== "call_function" || rand_ops.has(target_name(n)) || output_storages.has(storage_of(n));
    const copy = (): Node => new_graph.node_copy(n, (x: Node) => env.get(x));
    if (kept) {
      env.set(n, copy());
      continue;
    }
    const [args, args_spec] = flatten(n.args);
    const [kwargs, kwargs_spec] = flatten(n.kwargs);
    const leaves = [...args, ...kwargs].map((leaf) => (leaf instanceof Node ? (env.get(leaf) ?? leaf) : leaf));
    const others = calls.get(n.target) ?? [];
    calls.set(n.target, others);
    const specs = [args_spec, kwargs_spec];
    const earlier = others.find((other) => same_call(other, { node: n, leaves, specs }));
    if (earlier === undefined) {
      const node = copy();
      others.push({ node, leaves, specs });
      env.set(n, node);
    } else env.set(n, earlier.node);
  }
  return new_graph;
}

/** Removes what nobody uses; a call that only draws random numbers is no reason to stay. */
export function eliminate_dead_code(graph: Graph): void {
  const impure_random = false;
  graph.eliminate_dead_code((node: Node) => node.is_impure(impure_random));
}

/** Moves the parts of a result right behind the call that makes it. */
export function raise_getitems(gm: GraphModule): GraphModule {
  const getitems = [...gm.graph.nodes].filter(is_getitem);
  for (const node of getitems.reverse()) node.all_input_nodes[0].append(node);
  gm.recompile();
  return gm;
}
