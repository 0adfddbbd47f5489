/**
 * @file Partitioners: which part of a joint graph is forward, which is backward, and what forward saves.
 * @mirrors torch/_functorch/partitioners.py
 * @differs Ours knows no random state.
 */
import { AssertionError } from "#c10/util/Exception";
import { def } from "#torch/_signature";
import { Graph } from "#torch/fx/graph/index";
import { GraphModule } from "#torch/fx/graph_module";
import type { Node } from "#torch/fx/node";
import { eliminate_dead_code, fx_graph_cse, is_getitem, raise_getitems, target_name } from "../compile_utils.ts";
import { extract_modules, is_primal, is_sym_node, is_tangent } from "./extract.ts";
import { choose_saved_values, classify_nodes, measure_distance_from_bw } from "./min_cut.ts";
import { cleanup_recompute_tags, has_recomputable_ops, must_recompute } from "./recompute.ts";

type Partition = [forward: GraphModule, backward: GraphModule];

/** Whether only parts of the node's result are used. */
function is_multi_output(node: Node): boolean {
  const users = [...node.users.keys()] as Node[];
  return users.length > 0 && users.every(is_getitem);
}

/** Forward is what the program's forward ran; it saves every value that backward uses. */
export const default_partition = def(
  "default_partition(joint_module, _joint_inputs, *, num_fwd_outputs, static_lifetime_input_indices=None, static_lifetime_input_nodes=None)",
  (joint_module: GraphModule, _joint_inputs: unknown, num_fwd_outputs: number): Partition => {
    const nodes = [...joint_module.graph.nodes];
    const last = nodes.findLastIndex((node) => node.meta.get("partitioner_tag") === "is_forward" || is_primal(node));
    if (last === -1) throw new AssertionError("last_node must not be None");
    const forward = new Set(nodes.slice(0, last + 1).filter((node) => !is_tangent(node) && node.op !== "output"));
    const has_regions = has_recomputable_ops(joint_module.graph);
    if (has_regions) cleanup_recompute_tags(joint_module.graph, true);
    // Where backward needs only sizes of a tensor, the sizes are saved, and not the tensor.
    const saved = [...forward].flatMap((node) => {
      if (is_sym_node(node)) return [node];
      if (is_multi_output(node) || must_recompute(node)) return [];
      const runs_in_backward = (user: Node): boolean => !forward.has(user) || must_recompute(user);
      const usages = ([...node.users.keys()] as Node[]).filter(runs_in_backward);
      return usages.every(is_sym_node) ? usages : [node];
    });
    const [fw_module, bw_module] = extract_modules(joint_module, [...new Set(saved)], num_fwd_outputs);
    return [
      raise_getitems(fw_module),
      raise_getitems(has_regions ? reordering_to_mimic_autograd_engine(bw_module) : bw_module),
    ];
  },
);

/** Computes each forward value of a backward graph only where it is needed. */
function reordering_to_mimic_autograd_engine(gm: GraphModule): GraphModule {
  const nodes = [...gm.graph.nodes];
  const order = new Map(nodes.map((node, i) => [node, i]));
  const of = (node: Node): number => order.get(node) as number;
  const first = Math.min(
    ...nodes.filter(is_tangent).flatMap((tangent) => ([...tangent.users.keys()] as Node[]).map(of)),
  );
  if (first === Number.POSITIVE_INFINITY) return gm;
  const new_graph = new Graph();
  const env = new Map<Node, Node>();
  const copy = (node: Node): void => {
    env.set(
      node,
      new_graph.node_copy(node, (x: Node) => env.get(x)),
    );
  };
  for (const node of nodes) if (node.op === "placeholder") copy(node);
  const insert = (node: Node): void => {
    const needed = new Set<Node>();
    const open = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (needed.has(next) || env.has(next)) continue;
      needed.add(next);
      open.push(...next.all_input_nodes);
    }
    for (const each of [...needed].sort((a, b) => of(a) - of(b))) copy(each);
  };
  for (const node of nodes.slice(0, first)) if (target_name(node) === "aten.copy_") insert(node);
  for (const node of nodes.slice(first)) insert(node);
  return new GraphModule(gm, new_graph);
}

/** Backward computes forward values again where that reads and writes less memory than saving them: a minimum cut of the graph. */
export const min_cut_rematerialization_partition = def(
  "min_cut_rematerialization_partition(joint_module, _joint_inputs, compiler='inductor', *, num_fwd_outputs, static_lifetime_input_indices=None)",
  (
    joint_module: GraphModule,
    joint_inputs: unknown,
    _compiler: string,
    num_fwd_outputs: number,
    static_lifetime_input_indices: readonly number[] | null,
  ): Partition => {
    eliminate_dead_code(joint_module.graph);
    joint_module.recompile();
    joint_module.graph = fx_graph_cse(joint_module.graph);
    if (has_recomputable_ops(joint_module.graph)) cleanup_recompute_tags(joint_module.graph, false);
    const info = classify_nodes(joint_module.graph, static_lifetime_input_indices ?? [], num_fwd_outputs);
    if (info.required_bw.size === 0)
      return default_partition(joint_module, joint_inputs, { num_fwd_outputs, static_lifetime_input_indices } as never);
    measure_distance_from_bw(joint_module.graph, info);
    const saved = choose_saved_values(joint_module.graph, info);
    const [fw_module, bw_module] = extract_modules(joint_module, saved, num_fwd_outputs);
    return [raise_getitems(fw_module), raise_getitems(reordering_to_mimic_autograd_engine(bw_module))];
  },
);
