/**
 * @file The two parts of a joint graph: forward and backward, joined by the values that the one saves for the other.
 * @mirrors torch/_functorch/partitioners.py#_extract_fwd_bwd_modules
 */
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import { tuple } from "#python/Objects/tupleobject";
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

/** The modules of forward and backward. @param saved_values candidates; those that backward does not use are left out */
export function extract_modules(
  joint_module: GraphModule,
  saved_values: readonly Node[],
  num_fwd_outputs: number,
): [forward: GraphModule, backward: GraphModule] {
  const joint = joint_module.graph;
  const [fwd_outputs, bwd_outputs] = outputs_of(joint, num_fwd_outputs);
  const placeholders = placeholders_of(joint);
  const tangents = placeholders.filter(is_tangent);
  const trial = extract_graph(joint, [...saved_values, ...tangents], bwd_outputs);
  const used = new Set([...trial.nodes].flatMap((node) => (node.users.size > 0 ? [node.name] : [])));
  const saved = saved_values.filter((node) => used.has(node.name));
  const forward = extract_graph(joint, placeholders.filter(is_primal), [...fwd_outputs, ...saved]);
  const backward = extract_graph(joint, [...saved, ...tangents], bwd_outputs);
  return [new GraphModule(joint_module, forward), new GraphModule(joint_module, backward)];
}
