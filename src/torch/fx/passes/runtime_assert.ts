/**
 * @file The sizes of an exported graph are asked of its inputs, once each: a size of another tensor is computed from them.
 * @mirrors torch/fx/passes/runtime_assert.py
 * @differs Ours inserts no assertions about numbers that depend on data: such numbers decide nothing here.
 */
import { PyDict } from "#python/Objects/dictobject";
import { tuple } from "#python/Objects/tupleobject";
import { inserting_after, inserting_before, replace_uses } from "#torch/_export/utils";
import { ops } from "#torch/_ops";
import { is_symbol, sym_sizes } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Expr, type Factor, Relation } from "#torch/utils/_sympy/expr";
import { is_accessor } from "../experimental/proxy_tensor/symnode_tracker.ts";
import type { SymInt } from "../experimental/sym_node.ts";
import type { ShapeEnv } from "../experimental/symbolic_shapes/index.ts";
import { placeholders_of } from "../graph/index.ts";
import type { GraphModule } from "../graph_module.ts";
import { Node } from "../node.ts";
import { operator } from "../proxy/index.ts";

const val_of = (node: Node): unknown => node.meta.get("val");

/** Writes expressions as nodes. */
class Lowering {
  readonly nodes = new Map<string, Node>();
  private readonly gm: GraphModule;
  private readonly env: ShapeEnv;

  constructor(gm: GraphModule, env: ShapeEnv) {
    this.gm = gm;
    this.env = env;
  }

  private call(target: unknown, args: readonly unknown[], expr: Expr): Node {
    const node = this.gm.graph.call_function(target as never, tuple([...args]), new PyDict(), null, null);
    node.meta.set("val", this.env.create_symintnode(expr));
    this.nodes.set(String(expr), node);
    return node;
  }

  size_of(input: Node, dim: number, symbol: SymInt): Node {
    return this.call(ops.aten.sym_size.int, [input, dim], symbol.node.expr as Expr);
  }

  private factor([{ name, args, text }, power]: Factor): Node {
    const known = this.nodes.get(text);
    let base = known;
    if (base === undefined) {
      const values = (args ?? []).map((arg) => this.lower(arg));
      const atom = new Expr([{ coefficient: 1, factors: [[{ name, args, text }, 1]] }]);
      const named: Record<string, unknown> = {
        FloorDiv: operator("floordiv"),
        Mod: operator("mod"),
        Max: (torch as unknown as Record<string, unknown>)["sym_max"],
        Min: (torch as unknown as Record<string, unknown>)["sym_min"],
      };
      base = this.call(named[name], values, atom);
    }
    if (power === 1) return base;
    const raised = new Expr([{ coefficient: 1, factors: [[{ name, args, text }, power]] }]);
    return this.call(operator("pow"), [base, power], raised);
  }

  /** The node of an expression; a number is itself. Numbers come first, as in sympy's arguments. */
  lower(expr: Expr): Node | number {
    const { constant } = expr;
    if (constant !== null) return constant;
    const known = this.nodes.get(String(expr));
    if (known !== undefined) return known;
    const terms = expr.terms.map(({ coefficient, factors }): readonly [Node | number, Expr] => {
      let value: Node | number =
        coefficient === 1 && factors.length > 0 ? this.factor(factors[0] as Factor) : coefficient;
      const rest = value instanceof Node ? factors.slice(1) : factors;
      for (const [i, factor] of rest.entries()) {
        const upto = factors.slice(0, factors.length - rest.length + i + 1);
        value = this.call(operator("mul"), [value, this.factor(factor)], new Expr([{ coefficient, factors: upto }]));
      }
      return [value, new Expr([{ coefficient, factors }])];
    });
    const ordered = [
      ...terms.filter(([value]) => typeof value === "number"),
      ...terms.filter(([value]) => typeof value !== "number"),
    ];
    let [[sum, so_far]] = ordered as [readonly [Node | number, Expr]];
    for (const [value, part] of ordered.slice(1)) {
      so_far = new Expr([...so_far.terms, ...part.terms]);
      const whole = so_far.terms.length === expr.terms.length ? expr : so_far;
      sum = this.call(operator("add"), [sum, value], whole);
    }
    return sum;
  }
}

const placeholder_symbols = (node: Node): readonly (readonly [dim: number, symbol: SymInt])[] => {
  const val = val_of(node);
  if (!(val instanceof Tensor)) return [];
  return [...sym_sizes(val).entries()].flatMap(([i, size]) => (is_symbol(size) ? [[i, size as SymInt] as const] : []));
};

/** Moves all questions for sizes to the inputs, and removes those that nobody needs. */
export function insert_deferred_runtime_asserts(gm: GraphModule, env: ShapeEnv): void {
  const { graph } = gm;
  const lowering = new Lowering(gm, env);
  const placeholders = placeholders_of(graph);
  const last = placeholders.at(-1);
  if (last === undefined) return;
  let place: Node = last;
  for (const node of placeholders) {
    const val = val_of(node);
    if (is_symbol(val)) lowering.nodes.set(String(val.node.expr), node);
    for (const [dim, symbol] of placeholder_symbols(node)) {
      const { expr } = symbol.node;
      if (expr instanceof Relation || expr.symbol === null || lowering.nodes.has(expr.symbol)) continue;
      place = inserting_after(place, () => lowering.size_of(node, dim, symbol));
    }
  }
  if (lowering.nodes.size === 0) return;
  const made = new Set(lowering.nodes.values());
  for (const node of [...graph.nodes]) {
    if (node.op === "placeholder" || node.op === "output" || made.has(node)) continue;
    const val = val_of(node);
    const expr = is_symbol(val) ? val.node.expr : null;
    if (!(expr instanceof Expr) || expr.constant !== null) continue;
    const [asked] = node.args as unknown as [Node];
    const of_result = is_accessor(node.target) && asked.op !== "placeholder";
    const is_known = [...expr.free_symbols()].every((name) => lowering.nodes.has(name));
    const known =
      lowering.nodes.get(String(expr)) ??
      (of_result && is_known ? inserting_before(node, () => lowering.lower(expr)) : undefined);
    if (known instanceof Node) {
      replace_uses(node, known);
      graph.erase_node(node);
    } else lowering.nodes.set(String(expr), node);
  }
  graph.eliminate_dead_code((node: Node) => node.op === "placeholder" || !is_symbol(val_of(node)));
  gm.recompile();
}
