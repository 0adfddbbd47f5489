/**
 * @file The sizes of a captured graph are asked of its inputs, once each: a size of another tensor is computed from them. What the program
 * promised of numbers that depend on data is checked right behind the node that makes them.
 * @mirrors torch/fx/passes/runtime_assert.py
 *
 *     item = i.item()
 *     ge = item >= 0;  _assert_scalar(ge, "Runtime assertion failed for expression u0 >= 0 on node 'ge'")
 */
import { PyDict } from "#python/Objects/dictobject";
import { tuple } from "#python/Objects/tupleobject";
import { inserting_after, inserting_before, replace_uses } from "#torch/_export/utils";
import { ops } from "#torch/_ops";
import { is_symbol, sym_sizes } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { compare, Expr, type Factor, integer, Relation, symbol } from "#torch/utils/_sympy/expr";
import { MIRRORED } from "#torch/utils/_sympy/solve";
import type { ValueRanges } from "#torch/utils/_sympy/value_ranges";
import { is_accessor } from "../experimental/proxy_tensor/symnode_tracker.ts";
import { SymBool, type SymInt, SymNode } from "../experimental/sym_node.ts";
import type { RuntimeAssert, ShapeEnv } from "../experimental/symbolic_shapes/index.ts";
import { type Binding, bindings_of } from "../experimental/symbolic_shapes/unbacked_bindings.ts";
import { type Graph, placeholders_of } from "../graph/index.ts";
import type { GraphModule } from "../graph_module.ts";
import { Node } from "../node.ts";
import { operator } from "../proxy/index.ts";

type ValueKey = "val" | "example_value";

const torch_function = (name: string): unknown => (torch as unknown as Record<string, unknown>)[name];

const OPERATIONS = { Eq: "eq", Ne: "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge" } as const;

/** Writes expressions as nodes. */
class Lowering {
  readonly nodes = new Map<string, Node>();
  private readonly graph: Graph;
  private readonly env: ShapeEnv;
  private readonly val_key: ValueKey;
  /** Three numbers and more are added by one call of `sym_sum`. */
  private readonly sums_at_once: boolean;

  constructor(graph: Graph, env: ShapeEnv, val_key: ValueKey, sums_at_once: boolean) {
    this.graph = graph;
    this.env = env;
    this.val_key = val_key;
    this.sums_at_once = sums_at_once;
  }

  /** A node that computes no tensor. */
  node(target: unknown, args: readonly unknown[], value: unknown): Node {
    const node = this.graph.call_function(target as never, tuple([...args]), new PyDict(), null, null);
    if (value !== null) node.meta.set(this.val_key, value);
    return node;
  }

  private call(target: unknown, args: readonly unknown[], expr: Expr): Node {
    const node = this.node(target, args, this.env.create_symintnode(expr));
    this.nodes.set(String(expr), node);
    return node;
  }

  /** The node of a condition. */
  lower_relation(condition: Relation): Node {
    const known = this.nodes.get(String(condition));
    if (known !== undefined) return known;
    const [left, right] = [this.lower(condition.lhs), this.lower(condition.rhs)];
    const value = new SymBool(new SymNode(condition, this.env));
    // Python asks the symbol: 3 < item is item > 3.
    const turned = typeof left === "number" && right instanceof Node;
    const operation = OPERATIONS[turned ? MIRRORED[condition.op] : condition.op];
    const node = this.node(operator(operation), turned ? [right, left] : [left, right], value);
    this.nodes.set(String(condition), node);
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
        Max: torch_function("sym_max"),
        Min: torch_function("sym_min"),
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
    if (this.sums_at_once && ordered.length > 2)
      return this.call(torch_function("sym_sum"), [ordered.map(([value]) => value)], expr);
    let [[sum, so_far]] = ordered as [readonly [Node | number, Expr]];
    for (const [value, part] of ordered.slice(1)) {
      so_far = new Expr([...so_far.terms, ...part.terms]);
      const whole = so_far.terms.length === expr.terms.length ? expr : so_far;
      sum = this.call(operator("add"), [sum, value], whole);
    }
    return sum;
  }
}

const is_bound_of_symbol = ({ op, lhs, rhs }: Relation): boolean =>
  (op === "<=" || op === ">=") &&
  ((lhs.symbol !== null && rhs.constant !== null) || (lhs.constant !== null && rhs.symbol !== null));

interface Options {
  readonly val_key?: ValueKey;
  /** An exported graph adds numbers pair by pair. */
  readonly is_export?: boolean;
}

class RuntimeAsserts {
  private readonly graph: Graph;
  private readonly env: ShapeEnv;
  private readonly val_key: ValueKey;
  private readonly lowering: Lowering;
  private readonly added = new Set<string>();
  /** Conditions that the program checks itself. */
  private readonly of_user = new Set<string>();
  private readonly constrained = new Set<string>();
  private readonly waiting: Map<string, RuntimeAssert[]>;

  constructor(graph: Graph, env: ShapeEnv, { val_key = "val", is_export = true }: Options) {
    this.graph = graph;
    this.env = env;
    this.val_key = val_key;
    this.lowering = new Lowering(graph, env, val_key, !is_export);
    this.waiting = new Map([...env.deferred_runtime_asserts].map(([name, list]) => [name, [...list]]));
  }

  private val_of(node: Node): unknown {
    return node.meta.get(this.val_key);
  }
  private condition_of(node: unknown): Relation | null {
    const val = node instanceof Node ? this.val_of(node) : null;
    return val instanceof SymBool ? val.condition : null;
  }

  run(): void {
    const first = this.ask_inputs();
    const nodes = [...this.graph.nodes];
    for (const node of nodes) {
      const condition = is_check(node) ? this.condition_of(node.args[0]) : null;
      if (condition !== null) this.of_user.add(String(condition));
    }
    for (let i = nodes.indexOf(first); i >= 0 && i < nodes.length - 1; i++)
      inserting_before(nodes[i + 1] as Node, () => this.visit(nodes[i] as Node));
    for (const [text, node] of this.lowering.nodes)
      if (/^(?:[su]|zuf)\d+$/.test(text) && node.op !== "placeholder" && node.users.size === 0)
        this.graph.erase_node(node);
  }

  /** The symbols of the inputs. @returns the first node behind them */
  private ask_inputs(): Node {
    const placeholders = placeholders_of(this.graph);
    const { nodes } = this.lowering;
    let place = placeholders.at(-1);
    for (const node of placeholders) {
      const val = this.val_of(node);
      if (is_symbol(val)) nodes.set(String(val.node.expr), node);
    }
    for (const node of placeholders) {
      const val = this.val_of(node);
      const sizes = val instanceof Tensor ? [...sym_sizes(val)] : [];
      for (const [dim, size] of sizes.entries()) {
        const expr = is_symbol(size) ? size.node.expr : null;
        if (!(expr instanceof Expr) || expr.symbol === null || nodes.has(expr.symbol)) continue;
        place = inserting_after(place as Node, () => this.lowering.size_of(node, dim, size as unknown as SymInt));
      }
    }
    const all = [...this.graph.nodes];
    return all[place === undefined ? 0 : all.indexOf(place) + 1] as Node;
  }

  private visit(node: Node): void {
    if (is_check(node)) this.visit_check(node);
    else if (node.target === (ops.aten._assert_scalar.default as unknown)) this.visit_assertion(node);
    else if (!this.share(node)) this.visit_bindings(node);
  }

  /** An assertion of an earlier pass stays if it is the first of its kind. */
  private visit_assertion(node: Node): void {
    const [condition] = node.args as unknown as [unknown];
    const relation = this.condition_of(condition);
    if (relation === null) return;
    const text = String(relation.map((side) => this.env.replace(side)));
    if (!this.added.has(text)) {
      this.added.add(text);
      return;
    }
    this.graph.erase_node(node);
    if (condition instanceof Node && condition.users.size === 0) this.graph.erase_node(condition);
  }

  /** A promise that the program itself makes. */
  private visit_check(node: Node): void {
    const [condition, message] = node.args as unknown as [unknown, unknown];
    if (condition === true) {
      this.graph.erase_node(node);
      return;
    }
    const relation = this.condition_of(condition);
    const text = relation === null ? "None" : this.shown(relation);
    const told = typeof message === "string" ? message : failed(text, condition);
    const assertion = this.lowering.node(ops.aten._assert_scalar.default, [condition, told], null);
    replace_uses(node, assertion);
    this.graph.erase_node(node);
    if (relation !== null) this.added.add(String(relation));
  }

  private shown(condition: Relation): string {
    const { op, lhs, rhs } = condition.map((side) => this.env.replace(side));
    if (lhs.constant === null || rhs.constant === null) return String(new Relation(op, lhs, rhs));
    return compare(op, lhs.constant, rhs.constant) ? "True" : "False";
  }

  /** A number that another node computes is not computed again. @returns whether the node is gone */
  private share(node: Node): boolean {
    const val = this.val_of(node);
    const given = is_symbol(val) ? val.node.expr : null;
    if (given === null || (given instanceof Expr && given.constant !== null)) return false;
    const expr = given instanceof Relation ? given.map((side) => this.env.replace(side)) : given;
    const { nodes } = this.lowering;
    const text = String(expr);
    const binds = [...bindings_of(node).keys()].some((name) => !nodes.has(this.env.first_name(name)));
    const [asked] = node.args as unknown as [Node];
    const of_result = is_accessor(node.target) && asked.op !== "placeholder";
    const is_known = [...expr.free_symbols()].every((name) => nodes.has(name));
    const other =
      nodes.get(text) ?? (of_result && is_known && expr instanceof Expr ? this.lowering.lower(expr) : undefined);
    if (binds || !(other instanceof Node) || other === node) {
      if (!nodes.has(text)) nodes.set(text, node);
      return false;
    }
    replace_uses(node, other);
    this.graph.erase_node(node);
    return true;
  }

  /** Checks what is promised of the symbols that a node makes. */
  private visit_bindings(node: Node): void {
    for (const [made, path] of bindings_of(node)) {
      const name = this.env.first_name(made);
      if (!this.lowering.nodes.has(name)) this.lowering.nodes.set(name, this.bound(node, path, name));
      if (this.constrained.has(name)) continue;
      this.check_range(name);
      this.constrained.add(name);
      const promises = this.waiting.get(name) ?? [];
      this.waiting.delete(name);
      for (const promise of promises) this.check(promise.expr);
    }
  }

  /** The node of a symbol inside a node's value. */
  private bound(node: Node, path: Binding, name: string): Node {
    let at = node;
    for (const step of path) {
      const is_last = step === path.at(-1);
      const value = is_last ? this.env.create_symintnode(symbol(name)) : null;
      if (typeof step === "number") at = this.lowering.node(operator("getitem"), [at, step], value);
      else if (step === "as int") at = this.lowering.node(torch_function("sym_ite"), [at, 1, 0], value);
      else {
        const [accessor, dim] = step;
        const packet = (ops.aten as unknown as Record<string, Record<string, unknown>>)[accessor];
        const target = dim === null ? packet?.["default"] : packet?.["int"];
        at = this.lowering.node(target, dim === null ? [at] : [at, dim], value);
      }
    }
    return at;
  }

  private check_range(name: string): void {
    const { lower, upper } = this.env.var_to_range.get(name) as ValueRanges;
    const expr = symbol(name);
    const at = (op: ">=" | "<=", bound: number): void => {
      if (!Number.isFinite(bound)) return;
      const condition = new Relation(op, expr, integer(bound));
      if (!this.of_user.has(String(condition))) this.assert_scalar(condition);
    };
    at(">=", lower);
    at("<=", upper);
  }

  private check(condition: Relation): void {
    const text = String(condition);
    if (this.of_user.has(text) || this.added.has(text)) return;
    const symbols = [...condition.free_symbols()];
    if (symbols.length === 1 && this.constrained.has(symbols[0] as string) && is_bound_of_symbol(condition)) return;
    if (symbols.some((name) => !this.lowering.nodes.has(name))) return;
    this.assert_scalar(condition);
  }

  private assert_scalar(condition: Relation): void {
    const node = this.lowering.lower_relation(condition);
    this.lowering.node(ops.aten._assert_scalar.default, [node, failed(String(condition), node)], null);
    this.added.add(String(condition));
  }
}

const failed = (expression: string, node: unknown): string =>
  `Runtime assertion failed for expression ${expression} on node '${node}'`;

/** Whether the program itself promises something there. */
const is_check = ({ op, target }: Node): boolean => op === "call_function" && target === torch_function("_check");

/** Moves all questions for sizes to the inputs, and checks the promises that the program made. */
export function insert_deferred_runtime_asserts(graph: Graph, env: ShapeEnv, options: Options = {}): void {
  new RuntimeAsserts(graph, env, options).run();
}

/** Removes numbers that nobody uses. */
export function remove_unused_numbers(gm: GraphModule): void {
  gm.graph.eliminate_dead_code((node: Node) => node.op === "placeholder" || !is_symbol(node.meta.get("val")));
  gm.recompile();
}
