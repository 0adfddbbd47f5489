/**
 * @file The two parts of a joint graph: forward and backward, joined by the values that the one saves for the other.
 * @mirrors torch/_functorch/partitioners.py#_extract_fwd_bwd_modules
 */
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import { tuple } from "#python/Objects/tupleobject";
import { is_symbol, symbols_of_value } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Graph, placeholders_of } from "#torch/fx/graph/index";
import { GraphModule } from "#torch/fx/graph_module";
import { Node } from "#torch/fx/node";
import { eliminate_dead_code } from "../compile_utils.ts";

export const is_tangent = (node: Node): boolean =>
  node.op === "placeholder" && String(node.target).includes("tangents");
export const is_primal = (node: Node): boolean =>
  node.op === "placeholder" &&
  !is_tangent(node) &&
  !/bwd_seed|fwd_seed|bwd_base_offset|fwd_base_offset/.test(String(node.target));

/** The results of the joint graph: those of forward, and gradients. */
export function outputs_of(joint: Graph, num_fwd_outputs: number): [forward: unknown[], backward: unknown[]] {
  const leaves = (joint.output_node().args as unknown[]).flat(Number.POSITIVE_INFINITY);
  return [leaves.slice(0, num_fwd_outputs), leaves.slice(num_fwd_outputs)];
}

/** The part of a graph that computes `outputs` from `inputs`, which may be any nodes. */
export function extract_graph(joint: Graph, inputs: readonly Node[], outputs: readonly unknown[]): Graph {
  const new_graph = new Graph();
  const env = new Map<Node, Node | null>(); // null: cannot be computed from the inputs
  for (const node of inputs) {
    const placeholder = new_graph.placeholder(node.name);
    placeholder.meta = node.meta;
    env.set(node, placeholder);
  }
  for (const node of joint.nodes) {
    if (env.has(node)) continue;
    if (node.op === "placeholder") env.set(node, null);
    else if (node.op !== "output") {
      const computable = node.all_input_nodes.every((input) => env.get(input) !== null);
      env.set(node, computable ? new_graph.node_copy(node, (x: Node) => env.get(x)) : null);
    }
  }
  const results = outputs.map((output) => {
    if (!(output instanceof Node)) return output;
    const found = env.get(output);
    if (found === undefined) throw new RuntimeError(`Node ${output.name} couldn't be found in env`);
    if (found === null) throw new AssertionError(`Node ${output.name} was invalid, but is output`);
    return found;
  });
  new_graph.output(tuple(results), null);
  eliminate_dead_code(new_graph);
  new_graph.lint();
  return new_graph;
}

/** Whether a node's value is a number that is a symbol while the graph is made. */
export const is_sym_node = (node: Node): boolean => is_symbol(node.meta.get("val"));

/** The name of the symbol that an argument of the graph is; null for any other node. */
function bound_symbol(node: Node): string | null {
  const val = node.meta.get("val");
  if (node.op !== "placeholder" || !is_symbol(val)) return null;
  return (val.node.expr as { readonly symbol?: string | null }).symbol ?? null;
}

/**
 * The symbols that backward takes: first those of arguments, which give their names to the sizes of what was saved; then what is computed of
 * them. Sizes of saved tensors whose symbols nobody computes with are taken, too.
 */
function saved_symbols(
  joint: Graph,
  saved: readonly Node[],
  sym_nodes: readonly Node[],
  tangents: readonly Node[],
): Node[] {
  const by_symbol = new Map<string, Node>();
  for (const node of joint.nodes) {
    const name = bound_symbol(node);
    if (name !== null && !by_symbol.has(name)) by_symbol.set(name, node);
  }
  const binding = sym_nodes.filter((node) => bound_symbol(node) !== null);
  const derived = sym_nodes.filter((node) => bound_symbol(node) === null);
  const known = new Set(binding.map(bound_symbol));
  for (const node of [...derived, ...saved, ...tangents])
    for (const name of [...symbols_of_value(node.meta.get("val"))].sort()) {
      const made_by = by_symbol.get(name);
      if (known.has(name) || made_by === undefined) continue;
      known.add(name);
      binding.push(made_by);
    }
  return [...binding, ...derived];
}

/**
 * The modules of forward and backward. Forward returns its results, then the tensors it saves, then the symbols it saves; backward takes the
 * symbols, the tensors, and the gradients of the results.
 * @param candidates tensors and symbols to save; those that backward does not use are left out
 */
export function extract_modules(
  joint_module: GraphModule,
  candidates: readonly Node[],
  num_fwd_outputs: number,
): [forward: GraphModule, backward: GraphModule] {
  const joint = joint_module.graph;
  const [fwd_outputs, bwd_outputs] = outputs_of(joint, num_fwd_outputs);
  const placeholders = placeholders_of(joint);
  const tangents = placeholders.filter(is_tangent);
  const trial = extract_graph(joint, [...candidates, ...tangents], bwd_outputs);
  const used = new Set([...trial.nodes].flatMap((node) => (node.users.size > 0 ? [node.name] : [])));
  const needed = candidates.filter((node) => used.has(node.name));
  const saved = needed.filter((node) => !is_sym_node(node));
  const symbols = saved_symbols(joint, saved, needed.filter(is_sym_node), tangents);
  const forward = extract_graph(joint, placeholders.filter(is_primal), [...fwd_outputs, ...saved, ...symbols]);
  const backward = extract_graph(joint, [...symbols, ...saved, ...tangents], bwd_outputs);
  return [new GraphModule(joint_module, forward), new GraphModule(joint_module, backward)];
}
