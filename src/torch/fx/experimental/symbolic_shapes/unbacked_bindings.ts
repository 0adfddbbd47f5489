/**
 * @file Where a node's value has the symbols that the node makes: in a tensor's sizes, or in a number.
 * @mirrors torch/fx/experimental/symbolic_shapes.py#compute_unbacked_bindings
 */
import { maybe_get_fake_mode } from "#torch/_subclasses/fake_tensor/index";
import { sym_sizes, sym_storage_offset, sym_strides } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { Relation } from "#torch/utils/_sympy/expr";
import type { GraphModule } from "../../graph_module.ts";
import type { Node } from "../../node.ts";
import { SymBool, SymFloat, SymInt } from "../sym_node.ts";
import type { ShapeEnv } from "./index.ts";

/** One step from a value to a part of it: an element, a question to a tensor, a condition as 1 or 0. */
type Step =
  | number
  | readonly [accessor: "sym_size" | "sym_stride" | "sym_storage_offset", dim: number | null]
  | "as int";
export type Binding = readonly Step[];

const META_KEY = "unbacked_bindings";

/** The symbols that a node makes, and where they stand in its value. */
export const bindings_of = (node: Node): ReadonlyMap<string, Binding> =>
  (node.meta.get(META_KEY) as ReadonlyMap<string, Binding> | undefined) ?? new Map();

/** Whether some node of the graph makes symbols. */
export const binds_unbacked = ({ graph }: GraphModule): boolean =>
  [...graph.nodes].some((node) => bindings_of(node).size > 0);

/** Notes where in its value a node has the symbols that were made while it was computed. */
export function set_unbacked_bindings(node: Node, value: unknown, env: ShapeEnv): void {
  const pending = new Set(env.pending_fresh_unbacked_symbols);
  env.pending_fresh_unbacked_symbols.length = 0;
  if (pending.size === 0) return;
  const found = new Map<string, Binding>();
  find(value, [], pending, found);
  if (found.size > 0) node.meta.set(META_KEY, found);
}

/** Notes a node's new symbols, with the environment that the value itself knows. */
export function note_unbacked_bindings(node: Node, value: unknown): void {
  const env = env_of(value);
  if (env !== null) set_unbacked_bindings(node, value, env);
}

function env_of(value: unknown): ShapeEnv | null {
  if (value instanceof SymInt || value instanceof SymFloat || value instanceof SymBool) return value.node.shape_env;
  if (value instanceof Tensor) return maybe_get_fake_mode(value)?.shape_env ?? null;
  if (!Array.isArray(value)) return null;
  for (const item of value) {
    const env = env_of(item);
    if (env !== null) return env;
  }
  return null;
}

function find(value: unknown, path: Binding, pending: ReadonlySet<string>, found: Map<string, Binding>): void {
  if (value instanceof SymInt || value instanceof SymFloat || value instanceof SymBool) {
    const { original } = value.node;
    const is_flag = original instanceof Relation;
    const name = is_flag ? original.lhs.symbol : original.symbol;
    if (name === null || !pending.has(name) || found.has(name)) return;
    found.set(name, is_flag ? [...path, "as int"] : path);
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) find(item, [...path, i], pending, found);
  } else if (value instanceof Tensor) {
    for (const [i, size] of sym_sizes(value).entries()) find(size, [...path, ["sym_size", i]], pending, found);
    for (const [i, stride] of sym_strides(value).entries()) find(stride, [...path, ["sym_stride", i]], pending, found);
    find(sym_storage_offset(value), [...path, ["sym_storage_offset", null]], pending, found);
  }
}
