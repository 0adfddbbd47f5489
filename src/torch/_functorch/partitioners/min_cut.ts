/**
 * @file Which values forward saves, so that saving, reading and computing again cost the least memory traffic.
 * @mirrors torch/_functorch/partitioners.py#solve_min_cut
 *
 * Each value is an edge `x_in -> x_out` whose capacity is the cost of saving it. What may not be computed again hangs on the source, what
 * backward needs on the sink. The edges of a minimum cut are the values to save; all behind the cut is computed in backward.
 */
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import { example_sizes, is_symbol } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { SymFloat } from "#torch/fx/experimental/sym_node";
import type { Graph } from "#torch/fx/graph/index";
import { Node } from "#torch/fx/node";
import { is_getitem, target_name } from "../compile_utils.ts";
import { extract_graph, is_primal, is_sym_node, outputs_of } from "./extract.ts";
import { FlowNetwork } from "./max_flow.ts";
import { is_fusible_op, is_recomputable, is_view } from "./op_types.ts";
import { must_recompute, must_save } from "./recompute.ts";

export interface NodeInfo {
  /** Nodes that forward runs, with their position. */
  readonly fw_order: ReadonlyMap<Node, number>;
  /** Nodes that only backward can run, and the results of backward. */
  readonly required_bw: ReadonlySet<Node>;
  /** Nodes that depend on the gradients of forward's results. */
  readonly tangents_closure: ReadonlySet<Node>;
  /** Inputs that live as long as the program, so that saving them is free. */
  readonly static_inputs: ReadonlySet<Node>;
  /** Shortest way to a node that forward does not run. */
  readonly dist_from_bw: Map<Node, number>;
}

const users_of = (node: Node): Node[] => [...node.users.keys()] as Node[];
const FAR = 1e9;

export function classify_nodes(
  joint: Graph,
  static_input_indices: readonly number[],
  num_fwd_outputs: number,
): NodeInfo {
  const nodes = [...joint.nodes];
  const required_bw = new Set<Node>();
  for (const node of nodes) {
    if (node.op === "placeholder" && String(node.target).includes("tangents")) required_bw.add(node);
    if (required_bw.has(node)) for (const user of users_of(node)) required_bw.add(user);
  }
  const primals = nodes.filter(is_primal);
  const [fwd_outputs, bwd_outputs] = outputs_of(joint, num_fwd_outputs);
  const tangents_closure = new Set(required_bw);
  for (const output of bwd_outputs) if (output instanceof Node) required_bw.add(output);
  const forward = new Set([...extract_graph(joint, primals, fwd_outputs).nodes].map((node) => node.name));
  const in_forward = nodes.filter((node) => node.op !== "output" && forward.has(node.name));
  return {
    fw_order: new Map(in_forward.map((node, i) => [node, i])),
    required_bw,
    tangents_closure,
    static_inputs: new Set(primals.filter((_, i) => static_input_indices.includes(i))),
    dist_from_bw: new Map(),
  };
}

export function measure_distance_from_bw(joint: Graph, { fw_order, dist_from_bw }: NodeInfo): void {
  for (const node of [...joint.nodes].reverse()) {
    const of_users = users_of(node).map((user) => (dist_from_bw.get(user) ?? FAR) + 1);
    dist_from_bw.set(node, node.op === "output" ? FAR : fw_order.has(node) ? Math.min(FAR, ...of_users) : 0);
  }
}

/** Bytes of a node's result. */
function size_of(node: Node): number {
  const sizes = (val: unknown): number => {
    if (val instanceof Tensor) return example_sizes(val).reduce((n, size) => n * size, val.itemsize);
    if (is_symbol(val)) return 1;
    if (Array.isArray(val)) return val.reduce((sum: number, each) => sum + sizes(each), 0);
    return typeof val === "number" || typeof val === "boolean" ? 1 : 0;
  };
  return sizes(node.meta.get("val"));
}

function is_fusible(a: Node, b: Node): boolean {
  return target_name(b) === "aten.cat" || (is_fusible_op(a) && is_fusible_op(b));
}

/** Whether a node outside of forward reads the value from memory. */
function is_materialized_backwards(node: Node, { fw_order }: NodeInfo): boolean {
  if (is_view(node)) return false;
  const open = new Set([node]);
  for (const cur of open)
    for (const user of users_of(cur)) {
      if (!fw_order.has(user) && !is_fusible(cur, user)) return true;
      if (is_view(user)) open.add(user);
    }
  return false;
}

const LIFTED = new Set(["aten.lift_fresh", "aten.lift_fresh_copy"]);
/** The weight of a float that is a symbol; ints weigh 1. */
const SYMFLOAT_SIZE = 4;
/** A result that is so much smaller than the arguments is saved. */
const REDUCTION_FACTOR = 4;

function should_ban_recomputation(node: Node, info: NodeInfo): boolean {
  if (node.op !== "call_function" || is_getitem(node) || LIFTED.has(target_name(node))) return false;
  if (must_save(node)) return true;
  if (!is_recomputable(node) || is_materialized_backwards(node, info)) return true;
  const read = node.args.reduce((sum: number, arg) => sum + (arg instanceof Node ? size_of(arg) : 0), 0);
  return size_of(node) * REDUCTION_FACTOR < read;
}

/** The cost of saving: bytes, more of them far from backward, twice as many if the value would otherwise never be in memory. */
function weight_of(node: Node, { static_inputs, dist_from_bw }: NodeInfo): number {
  if (static_inputs.has(node)) return 0;
  if (is_sym_node(node)) return node.meta.get("val") instanceof SymFloat ? SYMFLOAT_SIZE : 1;
  if (!(node.meta.get("val") instanceof Tensor)) return Number.POSITIVE_INFINITY;
  const distance = Math.max(Math.min(dist_from_bw.get(node) as number, 100), 1);
  const bytes = Math.trunc(size_of(node) * 1.1 ** distance);
  const materialized = node.op === "placeholder" || !users_of(node).every((user) => is_fusible(node, user));
  return materialized ? bytes : bytes * 2;
}

/** Whether a node's users, followed while they can be fused, end before the position. */
function find_first_unfusible({ fw_order }: NodeInfo, start: readonly Node[], max_range: number): number {
  const position = (node: Node): number => fw_order.get(node) as number;
  const open = start.map((node) => ({ node, fusible: true }));
  const seen = new Set<string>();
  while (open.length > 0) {
    open.sort((a, b) => position(a.node) - position(b.node) || Number(a.fusible) - Number(b.fusible));
    const { node, fusible } = open.shift() as (typeof open)[number];
    if (!fusible) return position(node);
    for (const user of users_of(node)) {
      if (!fw_order.has(user) || position(user) > max_range) continue;
      const next = { node: user, fusible: is_fusible(node, user) };
      const key = `${user.name} ${next.fusible}`;
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(next);
    }
  }
  return max_range;
}

/** A chain of fused operators longer than this is cut. */
const LONGEST_CHAIN = 100;

export function choose_saved_values(joint: Graph, info: NodeInfo): Node[] {
  const { fw_order } = info;
  const network = new FlowNetwork();
  const banned = new Set<Node>();
  const ban = (node: Node): void => {
    if (is_view(node) || must_recompute(node) || node.meta.get("val") instanceof SymFloat) return;
    banned.add(node);
    network.add_edge("source", `${node.name}_in`, Number.POSITIVE_INFINITY);
  };
  for (const node of joint.nodes) {
    if (node.op === "output") continue;
    if (info.required_bw.has(node)) {
      const only_backward = info.tangents_closure.has(node);
      network.add_edge(`${node.name}_${only_backward ? "in" : "out"}`, "sink", Number.POSITIVE_INFINITY);
      if (only_backward) continue;
    }
    if (must_recompute(node)) {
      network.add_edge(`${node.name}_in`, "sink", Number.POSITIVE_INFINITY);
      continue;
    }
    if (is_primal(node)) ban(node);
    if (fw_order.has(node) && should_ban_recomputation(node, info)) ban(node);
    network.add_edge(`${node.name}_in`, `${node.name}_out`, weight_of(node, info));
    for (const user of users_of(node))
      network.add_edge(`${node.name}_out`, `${user.name}_in`, Number.POSITIVE_INFINITY);
  }
  ban_used_far_apart(info, banned, ban);
  ban_long_chains(joint, info, banned, ban);
  const sink_side = network.sink_side("source", "sink");
  if (sink_side === null) throw new RuntimeError("AOT Autograd failed to partition the joint forward-backward graph.");
  return [...joint.nodes].filter(({ name }) => !sink_side.has(`${name}_in`) && sink_side.has(`${name}_out`));
}

/** A value that is used again behind an operator that cannot be fused: the later fused user is not computed again. */
function ban_used_far_apart(info: NodeInfo, banned: ReadonlySet<Node>, ban: (node: Node) => void): void {
  const { fw_order } = info;
  for (const used of fw_order.keys()) {
    const fw_users = users_of(used).filter((user) => fw_order.has(user));
    if (fw_users.length === 0) continue;
    const last = Math.max(...fw_users.map((user) => fw_order.get(user) as number));
    const first_unfusible = find_first_unfusible(info, fw_users, last);
    for (const user of fw_users)
      if ((fw_order.get(user) as number) > first_unfusible && is_fusible(used, user) && !banned.has(user)) ban(user);
  }
}

function ban_long_chains(
  joint: Graph,
  { fw_order }: NodeInfo,
  banned: ReadonlySet<Node>,
  ban: (node: Node) => void,
): void {
  const visited = new Set<Node>();
  for (const start of joint.nodes) {
    const start_order = fw_order.get(start);
    if (start_order === undefined) continue;
    const open = [start];
    while (open.length > 0) {
      open.sort((a, b) => (fw_order.get(a) as number) - (fw_order.get(b) as number));
      const cur = open.shift();
      if (cur === undefined) throw new AssertionError("an open list that is not empty has a first element");
      if (visited.has(cur)) continue;
      visited.add(cur);
      if ((fw_order.get(cur) as number) > start_order + LONGEST_CHAIN && open.length === 0) {
        ban(cur);
        break;
      }
      for (const user of users_of(cur))
        if (fw_order.has(user) && is_fusible(cur, user) && !banned.has(user)) open.push(user);
    }
  }
}
