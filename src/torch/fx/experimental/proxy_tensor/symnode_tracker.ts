/**
 * @file Which node of a graph computes a symbol: a call of `sym_size` on a tensor, or of a function of `operator` on other symbols.
 * @mirrors torch/fx/experimental/proxy_tensor.py#_SymNodeDict
 *
 * A size gets its node when it is first used: most sizes never are. Symbols with equal expressions share a node.
 */
import { RuntimeError } from "#c10/util/Exception";
import { PyDict } from "#python/Objects/dictobject";
import { getattr } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { import_module } from "#python/vm/import";
import { type OpOverload, ops } from "#torch/_ops";
import {
  is_symbol,
  sym_numel,
  sym_sizes,
  sym_storage_offset,
  sym_strides,
} from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { add, Expr, integer, mul, Relation } from "#torch/utils/_sympy/expr";
import type { Graph } from "../../graph/index.ts";
import type { Node } from "../../node.ts";
import { operator, type Proxy } from "../../proxy/index.ts";
import { type SymBool, SymFloat, SymInt, SymNode } from "../sym_node.ts";
import type { ShapeEnv } from "../symbolic_shapes/index.ts";
import type { PythonKeyTracer } from "./tracer.ts";

type Sym = SymInt | SymFloat | SymBool;

const ACCESSORS = new Set([
  "aten::sym_size.int",
  "aten::sym_stride.int",
  "aten::sym_numel",
  "aten::sym_storage_offset",
]);

/** Whether an operator only asks a tensor for a size. */
export const is_accessor = (func: unknown): boolean =>
  typeof (func as OpOverload | null)?.name === "function" && ACCESSORS.has((func as OpOverload).name());

/** The function that a node of this operation calls. */
function function_of(name: string): unknown {
  if (/^_?sym_/.test(name)) return (torch as unknown as Record<string, unknown>)[name];
  return ["trunc", "floor", "ceil"].includes(name) ? getattr(import_module("math"), name) : operator(name);
}

/** Functions of expressions, by the operations that compute them. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  FloorDiv: "floordiv",
  IntTrueDiv: "truediv",
  Mod: "mod",
  Max: "sym_max",
  Min: "sym_min",
};

/** A symbol and its node, which is made when it is first needed. */
interface Slot {
  readonly symbol: Sym;
  readonly proxy: () => Proxy;
}

export class SymNodeTracker {
  private readonly tracer: PythonKeyTracer;
  /** Nodes of the results of operations, and of what a tensor alone has: each its own, even if another computes the same. */
  private readonly own = new WeakMap<object, () => Proxy>();
  private readonly by_expr = new Map<string, Slot>();

  constructor(tracer: PythonKeyTracer) {
    this.tracer = tracer;
  }

  private set(symbol: Sym, proxy: () => Proxy): void {
    const key = String(symbol.node.expr);
    if (!this.by_expr.has(key)) this.by_expr.set(key, { symbol, proxy });
  }

  /** A node for an expression. What became known of symbols since may have changed the texts. */
  private find(expr: string): Slot | undefined {
    const known = this.by_expr.get(expr);
    if (known !== undefined) return known;
    for (const slot of this.by_expr.values()) if (String(slot.symbol.node.expr) === expr) return slot;
    return undefined;
  }

  /** The proxy of a symbol; the number, if its value has become known and no node has it. */
  value_of(symbol: Sym): unknown {
    const own = this.own.get(symbol);
    if (own !== undefined) return own();
    const { expr } = symbol.node;
    const slot = this.find(String(expr));
    if (slot !== undefined) return slot.proxy();
    if (!(expr instanceof Relation) && expr.constant !== null) return expr.constant;
    const built = expr instanceof Relation ? null : this.built(expr, symbol.node.shape_env);
    if (built !== null) return is_symbol(built) ? this.value_of(built) : built;
    throw new RuntimeError(`${expr} (${symbol})is not tracked with proxy for ${this.tracer}`);
  }

  /** An expression that no node computes yet, written with the symbols that have nodes; null if one of them has none. */
  private built(expr: Expr, env: ShapeEnv): SymInt | SymFloat | number | null {
    if (expr.constant !== null) return expr.constant;
    const known = this.find(String(expr))?.symbol;
    if (known instanceof SymInt || known instanceof SymFloat) return known;
    type Value = SymInt | SymFloat | number | null;
    const apply = (name: string, values: readonly Value[], value: Expr): Value => {
      if (values.includes(null)) return null;
      const node = new SymNode(value, env);
      const out = name === "truediv" ? new SymFloat(node) : new SymInt(node);
      this.note(name, values, out);
      return out;
    };
    const join = (name: string, parts: readonly Expr[], fn: (a: Expr, b: Expr) => Expr): Value => {
      const [first, ...others] = parts as [Expr, ...Expr[]];
      let value: Value = this.built(first, env);
      let whole = first;
      for (const part of others) {
        whole = fn(whole, part);
        value = apply(name, [value, this.built(part, env)], whole);
      }
      return value;
    };
    const { terms } = expr;
    if (terms.length > 1)
      return join(
        "add",
        terms.map((term) => new Expr([term])),
        add,
      );
    const [{ coefficient, factors }] = terms as [(typeof terms)[0]];
    const powers = factors.map((factor) => new Expr([{ coefficient: 1, factors: [factor] }]));
    if (coefficient !== 1) return join("mul", [...powers, integer(coefficient)], mul);
    if (powers.length > 1) return join("mul", powers, mul);
    const [[atom, power]] = factors as [(typeof factors)[0]];
    const base = new Expr([{ coefficient: 1, factors: [[atom, 1]] }]);
    if (power !== 1) return apply("pow", [this.built(base, env), power], expr);
    const name = FUNCTIONS[atom.name];
    if (name === undefined || atom.args == null) return null;
    return apply(
      name,
      atom.args.map((arg) => this.built(arg, env)),
      expr,
    );
  }

  /** A symbol that is a node's value. */
  track(symbol: Sym, proxy: Proxy): void {
    set_val(proxy, symbol);
    this.set(symbol, () => proxy);
  }

  /** The sizes of a tensor, for which a node is made when it is needed. */
  track_sizes(t: Tensor, proxy: Proxy): void {
    const ask = (name: string, overload: string, value: unknown, ...rest: number[]): void => {
      if (!is_symbol(value)) return;
      let made: Proxy | null = null;
      const slot = (): Proxy => {
        const target = (ops.aten as unknown as Record<string, Record<string, unknown>>)[name]?.[overload];
        const args = tuple([proxy, ...rest]);
        made ??= set_val(
          this.tracer.create_proxy("call_function", target as never, args, new PyDict(), null, null, null) as Proxy,
          value,
        );
        return made;
      };
      if (name !== "sym_size" || proxy.node.op === "placeholder") this.own.set(value, slot);
      this.set(value, slot);
    };
    for (const [i, size] of sym_sizes(t).entries()) ask("sym_size", "int", size, i);
    for (const [i, stride] of sym_strides(t).entries()) ask("sym_stride", "int", stride, i);
    ask("sym_numel", "default", sym_numel(t));
    ask("sym_storage_offset", "default", sym_storage_offset(t));
  }

  /** Adds the node of an operation on symbols. */
  note(name: string, args: readonly unknown[], out: Sym): void {
    const values = args.map((arg) => (is_symbol(arg) ? this.value_of(arg) : arg));
    const proxy = this.tracer.create_proxy(
      "call_function",
      function_of(name) as never,
      tuple(values),
      new PyDict(),
      null,
      null,
      null,
    ) as Proxy;
    set_val(proxy, out);
    this.own.set(out, () => proxy);
    this.set(out, () => proxy);
  }
}

function set_val(proxy: Proxy, value: Sym): Proxy {
  proxy.node.meta.set("val", value);
  return proxy;
}

const val_of = (node: Node): unknown => node.meta.get("val");

/** Whether a node must stay even if nobody uses its value. */
export function is_impure(node: Node): boolean {
  if (node.is_impure(true)) return true;
  if (is_accessor(node.target)) return false;
  return !(is_symbol(val_of(node)) && node.all_input_nodes.every((input) => is_symbol(val_of(input))));
}

/** Nodes that compute the same symbol become one. */
export function dedupe_symints(graph: Graph): void {
  const by_expr = new Map<string, Node>();
  const resolvable = new Set<Node>();
  for (const node of [...graph.nodes]) {
    const val = val_of(node);
    if (!is_symbol(val)) continue;
    const key = String(val.node.expr);
    const known = by_expr.get(key);
    if (node.op === "placeholder") {
      resolvable.add(node);
      by_expr.set(key, node);
    } else if (known !== undefined) {
      (node.replace_all_uses_with as (replacement: Node) => unknown).call(node, known);
      graph.erase_node(node);
    } else if (node.all_input_nodes.every((input) => resolvable.has(input))) {
      by_expr.set(key, node);
      resolvable.add(node);
    }
  }
}
