/**
 * @file `Node`: one operation of a graph, with its arguments and the nodes that use its value.
 * @mirrors torch/fx/node.py
 * @differs `args` may be a list, which becomes a tuple: JavaScript has one kind of array. PyTorch insists on a tuple.
 *
 * Note [Nodes and their users]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * The nodes of a graph form a ring that begins and ends at its root. Each node knows the nodes among its arguments (`_input_nodes`) and the nodes that
 * use it (`users`), and both sides are kept equal by the one place that sets arguments, `_update_args_kwargs`:
 *
 *     root <-> x <-> y <-> add(x, y) <-> output((add,)) <-> root      x.users = {add}, add._input_nodes = {x, y}
 *
 * Lists and dicts among the arguments are immutable, so that nothing changes behind this back.
 */

import { AssertionError, ValueError } from "#c10/util/Exception";
import { TAKES_VALUES } from "#python/Objects/allocated";
import { PyDict } from "#python/Objects/dictobject";
import { getattr_or_undefined, str, truth } from "#python/Objects/object";
import { PySlice } from "#python/Objects/sliceobject";
import { PyTuple, tuple, tuple_like } from "#python/Objects/tupleobject";
import { Tag } from "#torch/_C";
import { OpOverload, OpOverloadPacket } from "#torch/_ops";
import { def_methods } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { dtype_abbrs } from "#torch/utils/_dtype_abbrs";
import { call_function, is_callable } from "./callables.ts";
import type { Graph } from "./graph/index.ts";
import { immutable_dict, immutable_list } from "./immutable_collections.ts";
import { _get_qualified_name, has_name, module_of, name_of } from "./qualified_names.ts";
import { _type_repr } from "./type_repr.ts";

/** A node's function, or the name of its method, module or attribute. */
export type Target = unknown;
/** A value of a program in which nodes may stand. */
export type Argument = unknown;
export type NodeOp = "placeholder" | "call_method" | "call_module" | "call_function" | "get_attr" | "output" | "root";

const LEGAL_OPS: ReadonlySet<string> = new Set([
  "placeholder",
  "call_method",
  "call_module",
  "call_function",
  "get_attr",
  "output",
  "root",
]);

/** Functions that dead code elimination keeps, besides operators that are known to be impure. */
const _side_effectful_functions = new Set<unknown>();

/** Registers a function that dead code elimination keeps. */
export const has_side_effect = has_name("torch.fx.node.has_side_effect", <F>(fn: F): F => {
  _side_effectful_functions.add(fn);
  return fn;
});

const is_plain_object = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Applies `fn` to every leaf; containers are made anew, and lists and dicts are immutable. */
export function map_aggregate_(a: Argument, fn: (leaf: unknown) => unknown): Argument {
  if (a instanceof PyTuple) {
    const mapped = a.map((elem) => map_aggregate_(elem, fn));
    return Object.getPrototypeOf(a) === PyTuple.prototype || getattr_or_undefined(a, "_fields") === undefined
      ? tuple(mapped)
      : tuple_like(a, mapped);
  }
  if (Array.isArray(a)) return immutable_list.of_values(a.map((elem) => map_aggregate_(elem, fn)));
  if (a instanceof Map) return immutable_dict.of_entries([...a].map(([k, v]) => [k, map_aggregate_(v, fn)]));
  if (is_plain_object(a))
    return immutable_dict.of_entries(Object.entries(a).map(([k, v]) => [k, map_aggregate_(v, fn)]));
  if (a instanceof PySlice)
    return new PySlice(map_aggregate_(a.start, fn), map_aggregate_(a.stop, fn), map_aggregate_(a.step, fn));
  return fn(a);
}

/** Applies `fn` to every node in `a`. */
export function map_arg_(a: Argument, fn: (node: Node) => unknown): Argument {
  return map_aggregate_(a, (leaf) => (leaf instanceof Node ? fn(leaf) : leaf));
}

const checked = (fn: unknown): unknown => {
  if (!is_callable(fn)) throw new AssertionError("torch.fx.map_arg(a, fn): fn must be a callable");
  return fn;
};

/** Applies `fn` to every node in `a`; containers are made anew. */
export const map_arg = has_name("torch.fx.node.map_arg", (a: Argument, fn: unknown): Argument => {
  checked(fn);
  return map_arg_(a, (node) => call_function(fn, [node]));
});
/** Applies `fn` to every leaf of `a`; containers are made anew. */
export const map_aggregate = has_name(
  "torch.fx.node.map_aggregate",
  (a: Argument, fn: unknown): Argument => map_aggregate_(a, (leaf) => call_function(fn, [leaf])),
);

/** A value as the text of a graph shows it: nodes have a `%`. */
export function _format_arg(arg: unknown, max_list_len = Number.POSITIVE_INFINITY): string {
  if (arg instanceof Node) return `%${str(arg)}`;
  if (arg instanceof Map) return `{${[...arg].map(([k, v]) => `${str(k)}: ${_format_arg(v)}`).join(", ")}}`;
  if (!Array.isArray(arg)) return str(arg);
  const items = arg
    .filter((_, i) => i < max_list_len)
    .map((a) => _format_arg(a))
    .join(", ");
  const rest = arg.length < max_list_len + 1 ? "" : `, ...[total_len=${arg.length}]`;
  return arg instanceof PyTuple ? `(${items}${arg.length === 1 ? "," : ""}${rest})` : `[${items}${rest}]`;
}

export { _get_qualified_name };

const no_repr: ((node: Node) => string) | null = null;

/** One step of a graph: a placeholder, a call, an attribute or the output. */
export class Node {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch.fx.node";

  readonly graph: Graph;
  readonly op: NodeOp;
  private name_: string;
  private target_: Target;
  private args_: PyTuple = tuple([]);
  private kwargs_: immutable_dict = immutable_dict.of_entries([]);
  /** The nodes among the arguments, in the order in which they appear, as keys. */
  _input_nodes: PyDict = new PyDict();
  /** The nodes that use this one, as keys. */
  users: PyDict = new PyDict();
  /** The type annotation of the value, or null. */
  type: unknown;
  meta: PyDict = new PyDict();
  _prev: Node = this;
  _next: Node = this;
  _erased = false;
  /** Position in the graph: keys compare as lists of numbers do. */
  _sort_key: readonly number[] = [];
  _repr_fn = no_repr;

  static {
    def_methods(Node, {
      prepend: "(self, x)",
      append: "(self, x)",
      update_arg: "(self, idx, arg: object)",
      insert_arg: "(self, idx, arg: object)",
      update_kwarg: "(self, key, arg: object)",
      format_node: "(self, placeholder_names=None, maybe_return_typename=None, *, include_tensor_metadata=False)",
      replace_all_uses_with: "(self, replace_with, delete_user_cb=None, *, propagate_meta=False)",
      replace_input_with: "(self, old_input, new_input)",
      is_impure: "(self, impure_random=True)",
    });
  }

  constructor(
    graph: Graph,
    name: string,
    op: string,
    target: Target,
    args: Argument = tuple([]),
    kwargs: Argument = new PyDict(),
    return_type: unknown = null,
  ) {
    const wanted = (what: string): ValueError =>
      new ValueError(
        `Node [graph = ${str(graph)}, name = '${str(name)}'] target ${str(target)} has type ${torch.typename(target)} but a ${what} is expected`,
      );
    if (op === "call_function") {
      if (!is_callable(target)) throw wanted("Callable");
    } else {
      if (!LEGAL_OPS.has(op)) throw new AssertionError(`op '${str(op)}' is not in _legal_ops`);
      if (typeof target !== "string") throw wanted("str");
    }
    this.graph = graph;
    this.name_ = name;
    this.op = op as NodeOp;
    this.target_ = target;
    this.type = return_type;
    this._update_args_kwargs(args, kwargs);
  }

  get name(): string {
    return this.name_;
  }

  set name(value: string) {
    for (const hook of this.graph.owning_module?._replace_hooks ?? [])
      for (const user of this.users.keys()) hook({ old: this, new: value, user });
    this.name_ = value;
  }

  get target(): Target {
    return this.target_;
  }

  set target(value: Target) {
    const table = this.graph._find_nodes_lookup_table;
    const listed = table.has(this);
    if (listed) table.remove(this);
    this.target_ = value;
    if (listed) table.insert(this);
  }

  /** The positional arguments, a tuple. */
  get args(): PyTuple {
    return this.args_;
  }

  set args(value: Argument) {
    this._update_args_kwargs(value, this.kwargs_);
  }

  /** The arguments by name. */
  get kwargs(): immutable_dict {
    return this.kwargs_;
  }

  set kwargs(value: Argument) {
    this._update_args_kwargs(this.args_, value);
  }

  get _args(): PyTuple {
    return this.args_;
  }

  get _kwargs(): immutable_dict {
    return this.kwargs_;
  }

  get next(): Node {
    return this._next;
  }

  get prev(): Node {
    return this._prev;
  }

  /** All nodes that are inputs of this one. */
  get all_input_nodes(): Node[] {
    return [...this._input_nodes.keys()] as Node[];
  }

  get stack_trace(): unknown {
    return this.meta.get("stack_trace") ?? null;
  }

  set stack_trace(trace: unknown) {
    this.meta.set("stack_trace", trace);
  }

  _update_args_kwargs(args: Argument, kwargs: Argument): void {
    for (const input of this._input_nodes.keys()) (input as Node).users.delete(this);
    this._input_nodes = new PyDict();
    const take = (node: Node): Node => {
      this._input_nodes.set(node, null);
      node.users.set(this, null);
      return node;
    };
    this.args_ = tuple(map_arg_(Array.isArray(args) ? tuple(args) : args, take) as unknown[]);
    this.kwargs_ = map_arg_(kwargs, take) as immutable_dict;
  }

  /** Puts `x` in front of this node. */
  prepend(x: Node): void {
    if (x.graph !== this.graph) throw new AssertionError("Attempting to move a Node into a different Graph");
    if (x === this) return;
    x._remove_from_list();
    const before = this._prev;
    before._next = x;
    x._prev = before;
    x._next = this;
    this._prev = x;
    x._sort_key = key_between(before._sort_key, this._sort_key);
  }

  /** Puts `x` behind this node. */
  append(x: Node): void {
    this._next.prepend(x);
  }

  _remove_from_list(): void {
    this._prev._next = this._next;
    this._next._prev = this._prev;
  }

  /** Replaces positional argument `idx`. */
  update_arg(idx: number, arg: Argument): void {
    const args = [...this.args_];
    args[idx < 0 ? idx + args.length : idx] = arg;
    this.args = tuple(args);
  }

  /** Inserts a positional argument in front of argument `idx`. */
  insert_arg(idx: number, arg: Argument): void {
    if (!(idx >= 0 && idx <= this.args_.length))
      throw new AssertionError(`insert_args index must be between 0 and len(self.args), got ${idx}`);
    this.args = tuple([...this.args_.slice(0, idx), arg, ...this.args_.slice(idx)]);
  }

  /** Sets the argument of this name. */
  update_kwarg(key: string, arg: Argument): void {
    this.kwargs = new Map<unknown, unknown>([...this.kwargs_, [key, arg]]);
  }

  _replace_input_with(old_input: Node, new_input: Node): void {
    const swap = (n: Node): Node => (n === old_input ? new_input : n);
    this._update_args_kwargs(map_arg_(this.args_, swap), map_arg_(this.kwargs_, swap));
  }

  /** Replaces one input of this node. */
  replace_input_with(old_input: Node, new_input: Node): void {
    for (const hook of this.graph.owning_module?._replace_hooks ?? [])
      hook({ old: old_input, new: new_input.name, user: this });
    this._replace_input_with(old_input, new_input);
  }

  /**
   * Lets every user of this node use another one.
   * @param delete_user_cb says of a user whether it changes
   * @returns the users that changed
   */
  replace_all_uses_with(replace_with: Node, delete_user_cb: unknown, propagate_meta: boolean): Node[] {
    if (propagate_meta) {
      if (replace_with.meta.size !== 0)
        throw new AssertionError(
          "Called node.replace_all_uses_with(replace_with, propagate_meta=True), but replace_with already has .meta keys",
        );
      for (const [k, v] of this.meta) replace_with.meta.set(k, v);
    }
    const changed: Node[] = [];
    for (const user of [...this.users.keys()] as Node[]) {
      if (delete_user_cb !== null && !truth(call_function(delete_user_cb, [user]))) continue;
      changed.push(user);
      for (const hook of this.graph.owning_module?._replace_hooks ?? [])
        hook({ old: this, new: replace_with.name, user });
      user._replace_input_with(this, replace_with);
    }
    return changed;
  }

  /** Whether the node does something besides computing its value, so that it must stay although nobody uses it. */
  is_impure(impure_random: boolean): boolean {
    if (this.op === "placeholder" || this.op === "output") return true;
    if (this.op === "call_module") {
      const module = this.graph.owning_module;
      if (module === null) throw new AssertionError("self.graph.owning_module not set for purity check");
      return truth(getattr_or_undefined(module.get_submodule(this.target_ as string), "_is_impure") ?? false);
    }
    return this.op === "call_function" && is_impure_function(this.target_, impure_random);
  }

  _rename(candidate: string): void {
    if (candidate === this.name_) return;
    const name = this.graph._graph_namespace.create_name(candidate, null);
    this.name = name;
    this.graph._graph_namespace._rename_object(this, name);
  }

  /** The line of this node in the text of the graph; null for a parameter of which only the name is wanted. */
  format_node(
    placeholder_names: unknown[] | null,
    maybe_return_typename: unknown[] | null,
    include_tensor_metadata: boolean,
  ): string | null {
    const typename = this.type === null ? "" : `${_type_repr(this.type)} `;
    const head = (type: string): string => `%${this.name_} : ${type}[num_users=${this.users.size}] = ${this.op}`;
    switch (this.op) {
      case "placeholder": {
        if (placeholder_names !== null && placeholder_names.length > 0) {
          const text = this.target_ as string;
          placeholder_names.push(this.type ? `${text}${text}: ${_type_repr(this.type)}` : text); // PyTorch's text
          return null;
        }
        const default_val = this.args_.length > 0 ? `(default=${str(this.args_[0])})` : "";
        return `${head(this.type ? typename : "")}[target=${this.target_ as string}]${default_val}`;
      }
      case "get_attr":
        return `${head(typename)}[target=${_pretty_print_target(this.target_)}]`;
      case "output":
        if (this.type && maybe_return_typename !== null) maybe_return_typename[0] = ` -> ${_type_repr(this.type)}`;
        return `return ${str(this.args_[0])}`;
    }
    let annotation = typename;
    const value = this.meta.get("val") ?? this.meta.get("tensor_meta") ?? this.meta.get("example_value") ?? null;
    if (include_tensor_metadata && value instanceof Tensor) {
      const list = (sizes: readonly unknown[]): string => `[${sizes.map(str).join(", ")}]`;
      annotation = `Tensor "${dtype_abbrs(value.dtype)}${list(value.shape)}${list(value.stride() as number[])}${value.device}"`;
    }
    const args = `(args = ${_format_arg(this.args_)}, kwargs = ${_format_arg(this.kwargs_)})`;
    return `${head(annotation)}[target=${_pretty_print_target(this.target_)}]${args}`;
  }

  __lt__(other: Node): boolean {
    return compare_keys(this, other) < 0;
  }
  __le__(other: Node): boolean {
    return compare_keys(this, other) <= 0;
  }
  __gt__(other: Node): boolean {
    return compare_keys(this, other) > 0;
  }
  __ge__(other: Node): boolean {
    return compare_keys(this, other) >= 0;
  }

  toString(): string {
    return this._repr_fn === null ? this.name_ : this._repr_fn(this);
  }
}

/** A position after one and before another. */
function key_between(before: readonly number[], after: readonly number[]): readonly number[] {
  const shorter = Math.min(before.length, after.length);
  if (before.length === after.length) return [...before, 0];
  const longer = before.length > after.length ? before : after;
  return [...longer.slice(0, shorter), (longer[shorter] as number) + (longer === before ? 1 : -1)];
}

/** Negative if `a` stands in front of `b`. */
export function compare_keys({ _sort_key: a }: Node, { _sort_key: b }: Node): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function _pretty_print_target(target: unknown): string {
  if (typeof target === "string") return target;
  const module = module_of(target);
  const name = name_of(target);
  if (module !== undefined && name !== undefined) {
    if (module === "builtins") return `builtins.${name}`;
    if (module === "_operator") return `operator.${name}`;
  }
  return _get_qualified_name(target);
}

/** Whether calling the function does something besides computing a value. */
function is_impure_function(target: unknown, impure_random: boolean): boolean {
  if (target instanceof OpOverloadPacket) {
    if (_side_effectful_functions.has(target)) return true;
    return "default" in target && is_impure_function((target as { readonly default?: unknown }).default, impure_random);
  }
  if (target instanceof OpOverload)
    return (
      target._schema.is_mutable ||
      (impure_random && target.tags.includes(Tag.nondeterministic_seeded)) ||
      _side_effectful_functions.has(target) ||
      CHECKS.has(target.name())
    );
  // Dropping a function that draws random numbers would change the numbers that follow.
  return _side_effectful_functions.has(target) || IMPURE_FUNCTIONS.has(full_name_or_null(target));
}

function full_name_or_null(target: unknown): string | null {
  try {
    return _get_qualified_name(target);
  } catch {
    return null;
  }
}

/** Operators that only check something. */
const CHECKS: ReadonlySet<string> = new Set([
  "aten::_assert_async.msg",
  "aten::_assert_scalar",
  "aten::_assert_tensor_metadata",
  "aten::sym_constrain_range",
  "aten::sym_constrain_range_for_size",
]);
const RANDOM = "rand randn randint randperm rand_like randn_like randint_like normal poisson bernoulli multinomial";
const IMPURE_FUNCTIONS: ReadonlySet<string | null> = new Set([
  "torch._assert",
  "torch._assert_async",
  "torch._C._set_grad_enabled",
  "torch.amp.autocast_mode._enter_autocast",
  "torch.amp.autocast_mode._exit_autocast",
  "_operator.setitem",
  ...RANDOM.split(" ").map((name) => `torch.${name}`),
]);
