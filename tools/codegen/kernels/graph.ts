/**
 * @file Lowering of a scalar function's typed tree to its graph of values, or to the reason why it has none.
 *
 *   if (c) return a; return b;        one value per result: select c, a, b
 *   exp(x)                            the body of functions.ts, in place; x % y that of fmod
 *   TORCH_CHECK(...)                  refused: a graph has no effects
 *   CUDA_KERNEL_ASSERT(...)           a condition beside the results, for machines that assert
 *
 * A function that is refused for vectors runs in the JavaScript loop; one that is refused for WGSL runs on the CPU.
 * @original PyTorch's authors write the vectorized twin of a scalar lambda by hand; without one the C++ compiler vectorizes.
 * @see src/aten/cpu/vec/ir.ts
 */
import {
  computed_in,
  Graph,
  type Kernel,
  type Operation,
  type Value,
  type ValueType,
} from "../../../src/aten/cpu/vec/ir.ts";
import { CodegenError } from "../errors.ts";
import { type ElementType, isFloating } from "./element_types.ts";
import type { Machine } from "./machines.ts";
import type { Block, Expression, Statement, TypedFunction } from "./tree.ts";
import { returns } from "./typing_statements.ts";
import { type CalledFunction, reasonOf, UNLIKELY } from "./vector_functions.ts";

/** The reason why a scalar function stays in JavaScript. */
export class Refusal extends Error {
  readonly file: string;
  readonly line: number;
  /** The scalar function's name and dtypes. */
  kernel = "";

  constructor(file: string, line: number, reason: string) {
    super(reason);
    this.file = file;
    this.line = line;
  }
}

/** Lowers a function. @param captured the parameters passed with the call. @throws {Refusal} */
export function lower(
  name: string,
  fn: TypedFunction,
  captured: ReadonlySet<string>,
  file: string,
  machine: Machine,
): Kernel {
  for (const { type } of [...fn.params, ...fn.returns.map((type) => ({ type }))]) {
    if (type.k === "element" && computed_in(type.t.name) === undefined)
      throw new Refusal(file, fn.body[0]?.line ?? 0, `no machine computes with ${type.t.name}`);
  }
  const graph = new Graph();
  const lowering = new Lowering(graph, file, machine);
  const inputs: { name: string; dtype: string }[] = [];
  const captures: { name: string; type: ValueType }[] = [];
  for (const p of fn.params) {
    const t = p.type.k === "element" ? p.type.t : null;
    const isCaptured = captured.has(p.name);
    if (t === null && !(isCaptured && p.type.k === "number"))
      throw new Refusal(file, fn.body[0]?.line ?? 0, `${p.name} is not a number`);
    if (isCaptured) {
      const type = t === null ? machine.number : (computed_in(t.name) as ValueType);
      captures.push({ name: p.name, type });
      lowering.names.set(p.name, graph.capture(p.name, type));
    } else if (t !== null) {
      inputs.push({ name: p.name, dtype: t.name });
      lowering.names.set(p.name, graph.input(p.name, t.name));
    }
  }
  const results = lowering.results(fn.body);
  const outputs = fn.returns.map((type, k) => {
    const { t } = type as { readonly t: ElementType };
    return { dtype: t.name, value: before_store(results[k], t) };
  });
  const values = reachable(graph, [...outputs.map((o) => o.value), ...lowering.asserts.map((a) => a.condition)]);
  const takes_doubles = [...inputs, ...outputs].some((x) => x.dtype === "float64");
  if (machine.number === "f32" && (takes_doubles || values.some((v) => v.type === "f64")))
    throw new Refusal(file, fn.body[0]?.line ?? 0, "computes in float64, which WGSL lacks");
  return { name, inputs, captures, outputs, asserts: lowering.asserts, values };
}

/**
 * A 1 or 0 made from a mask and stored as bool is replaced by the mask, and a conversion that the store makes anyway is dropped.
 */
function before_store(value: Value, t: ElementType): Value {
  const is_done_by_store = t.class === "bool" ? "bool" : `${t.class === "integral" ? "wrap" : "round"}_${t.name}`;
  return value.op === is_done_by_store ? value.args[0] : value;
}

const own_functions = new WeakMap<TypedFunction, Kernel | Refusal>();

/** A function that the machine calls, named with its argument types: `exp_f32`. */
export function own_function(name: string, { fn, file }: CalledFunction, machine: Machine): Kernel | Refusal {
  let found = own_functions.get(fn);
  if (found === undefined) {
    try {
      const type = computed_in(elementOf(fn.params[0]).name);
      found = lower(`${name}_${type}`, fn, new Set(), file, machine);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      found = error;
    }
    own_functions.set(fn, found);
  }
  return found;
}

/** The values that outputs need, in order, numbered again. */
function reachable(graph: Graph, outputs: readonly Value[]): Value[] {
  const needed = new Set<Value>();
  const visit = (v: Value): void => {
    if (needed.has(v)) return;
    needed.add(v);
    v.args.forEach(visit);
  };
  outputs.forEach(visit);
  const kept = graph.values.filter((v) => needed.has(v));
  for (const [k, v] of kept.entries()) (v as { name: string }).name = `v${k}`;
  return kept;
}

const ARITHMETIC: Readonly<Record<string, Operation>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "&": "and",
  "|": "or",
  "^": "xor",
};
const SHIFTS: Readonly<Record<string, Operation>> = { "<<": "shl", ">>": "shr_s", ">>>": "shr_u" };
// biome-ignore format: table
const COMPARISONS: Readonly<Record<string, Operation>> = { "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "===": "eq", "!==": "ne" };
/** JavaScript's functions that are one instruction. */
const BUILTINS: Readonly<Record<string, Operation>> = {
  "Math.sqrt": "sqrt",
  "Math.abs": "abs",
  "Math.floor": "floor",
  "Math.ceil": "ceil",
  "Math.trunc": "trunc",
};

class Lowering {
  readonly names = new Map<string, Value>();
  readonly asserts: { readonly condition: Value; readonly text: string }[] = [];
  private readonly graph: Graph;
  private readonly file: string;
  private readonly machine: Machine;

  constructor(graph: Graph, file: string, machine: Machine) {
    this.graph = graph;
    this.file = file;
    this.machine = machine;
  }

  private refuse(at: { readonly line: number }, reason: string): never {
    throw new Refusal(this.file, at.line, reason);
  }

  private typeOf(e: Expression): ValueType {
    if (e.type.k === "element") return computed_in(e.type.t.name) as ValueType;
    return e.type.k === "truth" ? "mask" : this.refuse(e, "a number that is not an element");
  }

  // ---- statements

  /** The function's results, one value each. @param chosen whether the statements are one side of a choice */
  results(body: Block, chosen = false): readonly Value[] {
    for (const [position, s] of body.entries()) {
      const rest = body.slice(position + 1);
      const andRest = (branch: Block): Block => (branch.some(returns) ? branch : [...branch, ...rest]);
      switch (s.node) {
        case "declare":
          this.declare(s);
          break;
        case "return":
          return s.values.map((v) => this.value(v));
        case "block":
          return this.results(andRest(s.body), chosen);
        case "if": {
          const test = this.mask(s.test);
          const yes = this.results(andRest(s.yes), true);
          const no = this.results(andRest(s.no ?? []), true);
          return yes.map((y, k) => this.select(test, y, no[k]));
        }
        case "expression":
          this.effect(s.value, chosen);
          break;
        default:
          this.refuse(s, `a ${s.node} statement`);
      }
    }
    throw new Refusal(this.file, body[0]?.line ?? 0, "no return");
  }

  private effect(e: Expression, chosen: boolean): void {
    if (e.node === "assert") {
      if (chosen) this.refuse(e, "an assertion on one side of a choice");
      if (this.machine.asserts) this.asserts.push({ condition: this.mask(e.condition), text: e.text });
    } else if (e.node !== "check" || !this.machine.ignores_checks) this.refuse(e, effectOf(e));
  }

  private declare(s: Statement & { readonly node: "declare" }): void {
    for (const d of s.declarations) {
      const e = d.value as Expression;
      this.names.set(d.name, this.any(e));
    }
  }

  private select(test: Value, yes: Value, no: Value): Value {
    return this.graph.make("select", yes.type, [test, yes, no]);
  }

  // ---- expressions

  /** Lowers an expression: to a mask if it is a truth value, otherwise to an element. */
  private any(e: Expression): Value {
    return e.type.k === "truth" ? this.mask(e) : this.value(e);
  }

  private mask(e: Expression): Value {
    switch (e.node) {
      case "truth":
        return this.graph.constant("mask", e.value ? 1 : 0);
      case "parenthesized":
        return this.mask(e.value);
      case "name":
        return this.names.get(e.name) ?? this.refuse(e, `the name ${e.name}`);
      case "unary":
        return this.graph.make("not", "mask", [this.mask(e.operand)]);
      case "logical":
        return this.graph.make(e.operator === "&&" ? "and" : "or", "mask", [this.mask(e.left), this.mask(e.right)]);
      case "nonzero":
        return this.nonzero(this.value(e.value));
      case "conditional":
        return this.select(this.mask(e.test), this.mask(e.yes), this.mask(e.no));
      case "binary": {
        const op = COMPARISONS[e.operator];
        const bothTruths = e.left.type.k === "truth" && e.right.type.k === "truth";
        const [a, b] = bothTruths ? [this.mask(e.left), this.mask(e.right)] : this.operands(e);
        return this.graph.make(op, "mask", [a, b]);
      }
      case "call_helper":
        if (e.helper.name === UNLIKELY) return this.graph.make("unlikely", "mask", [this.mask(e.args[0])]);
        return this.nonzero(this.call(e));
      default:
        return this.refuse(e, `${e.node} as a condition`);
    }
  }

  private nonzero(v: Value): Value {
    if (v.op === "bool") return v.args[0];
    return v.type === "mask" ? v : this.graph.make("ne", "mask", [v, this.graph.constant(v.type, 0)]);
  }

  /** Lowers an expression to an element. */
  private value(e: Expression): Value {
    const { graph } = this;
    switch (e.node) {
      case "parenthesized":
      case "non_null":
        return e.type.k === "literal" ? this.number(e, "f64") : this.value(e.value);
      case "name":
        return this.names.get(e.name) ?? this.refuse(e, `the name ${e.name}`);
      case "limit": {
        const text = e.limit === "lower_bound" ? (isFloating(e.of) ? "-Infinity" : e.of.lowest) : null;
        const upper = e.limit === "upper_bound" ? (isFloating(e.of) ? "Infinity" : e.of.highest) : null;
        return this.constant(this.typeOf(e), (text ?? upper ?? e.of[e.limit as "lowest"]).replace("n", ""));
      }
      case "unary": {
        if (e.operator === "+") return this.value(e.operand);
        const type = this.typeOf(e);
        const x = this.operand(e.operand, type);
        if (e.operator === "-") return graph.make("neg", type, [x]);
        if (e.operator === "~") return graph.make("xor", type, [x, graph.constant(type, -1)]);
        return this.refuse(e, `operator ${e.operator}`);
      }
      case "binary":
        return this.binary(e);
      case "conditional": {
        const type = this.typeOf(e);
        return this.select(this.mask(e.test), this.operand(e.yes, type), this.operand(e.no, type));
      }
      case "convert":
      case "cast":
        return this.convert(e, e.value, elementOf(e));
      case "bit_cast": {
        const type = this.typeOf(e);
        return graph.make(type.startsWith("f") ? "from_bits" : "to_bits", type, [this.value(e.value)]);
      }
      case "round":
        return this.round(this.value(e.value), elementOf(e));
      case "call_helper":
        return this.call(e);
      case "call_method": {
        const op = e.callee.node === "builtin" ? BUILTINS[e.callee.name] : undefined;
        const x = e.args.length === 1 ? this.value(e.args[0]) : null;
        if (op === undefined || x === null || (x.type.startsWith("i") && op !== "abs"))
          return this.refuse(
            e,
            e.callee.node === "builtin" ? `no ${e.callee.name} of ${x?.type} for vectors` : "a method",
          );
        return graph.make(op, x.type, [x]);
      }
      case "check":
      case "assert":
        return this.refuse(e, effectOf(e));
      default:
        return this.refuse(e, `a ${e.node}`);
    }
  }

  private binary(e: Expression & { readonly node: "binary" }): Value {
    const { graph } = this;
    const type = this.typeOf(e);
    const shift = SHIFTS[e.operator];
    if (shift !== undefined) {
      const [x, by] = [this.operand(e.left, type), this.operand(e.right, type)];
      return by.op === "const" ? this.shift(shift, x, Number(by.value)) : this.shift_by(shift, x, by);
    }
    if (e.operator === "%" && !this.machine.divides) return this.remainder(e);
    const op = e.operator === "%" ? "rem" : ARITHMETIC[e.operator];
    if (op === undefined) return this.refuse(e, `operator ${e.operator}`);
    if (op === "div" && type.startsWith("i") && !this.machine.divides) return this.refuse(e, "a division of integers");
    return graph.make(op, type, [this.operand(e.left, type), this.operand(e.right, type)]);
  }

  /** A remainder, by the machine's own `fmod`. */
  private remainder(e: Expression & { readonly node: "binary" }): Value {
    const t = elementOf(e);
    const type = computed_in(t.name) as ValueType;
    const called = type === "f32" ? this.machine.functions.find("fmod", t) : null;
    if (called === null) return this.refuse(e, `operator ${e.operator}`);
    return this.in_place(called, [this.operand(e.left, type), this.operand(e.right, type)]);
  }

  /** The body of a function, put in place. */
  private in_place({ fn, file }: CalledFunction, args: readonly Value[]): Value {
    const inner = new Lowering(this.graph, file, this.machine);
    for (const [k, p] of fn.params.entries()) inner.names.set(p.name, args[k]);
    return inner.results(fn.body)[0];
  }

  private shift(op: Operation, x: Value, by: number): Value {
    return this.graph.make(op, x.type, [x, this.graph.constant("i32", by)]);
  }

  /**
   * A shift by a different amount in each lane. Machines use the lowest bits of the amount: for each bit a shift by its
   * power of two, or none.
   */
  private shift_by(op: Operation, x: Value, by: Value): Value {
    const { graph } = this;
    let shifted = x;
    for (let power = 1; power < (x.type === "i64" ? 64 : 32); power *= 2) {
      const bit = graph.make("and", by.type, [by, graph.constant(by.type, power)]);
      shifted = this.select(this.nonzero(bit), this.shift(op, shifted, power), shifted);
    }
    return shifted;
  }

  /** The two sides of a comparison, converted to one type. */
  private operands(e: Expression & { readonly node: "binary" }): [Value, Value] {
    const side = e.left.type.k === "element" ? e.left : e.right;
    const type = this.typeOf(side);
    return [this.operand(e.left, type), this.operand(e.right, type)];
  }

  /** `e` as a value of `type`: a number is converted, an element must have that type. */
  private operand(e: Expression, type: ValueType): Value {
    if (e.type.k === "literal" || e.type.k === "number") return this.number(e, type);
    const v = e.type.k === "truth" ? this.graph.make("bool", "i32", [this.mask(e)]) : this.value(e);
    return v.type === type ? v : this.graph.make("convert", type, [v]);
  }

  /** A value made of literals. */
  private number(e: Expression, type: ValueType): Value {
    switch (e.node) {
      case "literal":
      case "verbatim":
        return this.constant(type, e.text, e);
      case "parenthesized":
        return this.number(e.value, type);
      case "unary":
        if (e.operator === "-") return this.graph.make("neg", type, [this.number(e.operand, type)]);
        break;
      case "conditional":
        return this.select(this.mask(e.test), this.number(e.yes, type), this.number(e.no, type));
      case "name":
      case "call_method": {
        const v = this.value(e); // JavaScript's functions return numbers for every argument type; captured numbers are doubles
        return v.type === type ? v : this.graph.make("convert", type, [v]);
      }
      case "builtin":
        return this.constant(type, String(Math[e.name.slice("Math.".length) as "PI"]), e);
      case "binary": {
        const op = ARITHMETIC[e.operator];
        if (op !== undefined && type.startsWith("f"))
          return this.graph.make(op, type, [this.number(e.left, type), this.number(e.right, type)]);
        break;
      }
    }
    return this.refuse(e, "a number that is not an element");
  }

  private constant(type: ValueType, written: string, at: { readonly line: number } = { line: 0 }): Value {
    const text = written.replace(/^\((.*)\)$/, "$1");
    const known = text.startsWith("Math.") ? Math[text.slice("Math.".length) as "PI"] : Number(text);
    if (Number.isNaN(known) && text !== "NaN") return this.refuse(at, `the constant ${text}`);
    if (type.startsWith("i") && !Number.isInteger(known)) return this.refuse(at, `${text} beside an integer`);
    return this.graph.constant(type, type === "i64" ? BigInt(text) : known);
  }

  private convert(e: Expression, from: Expression, t: ElementType): Value {
    const type = computed_in(t.name) as ValueType;
    if (from.type.k === "literal" || from.type.k === "number") return this.number(from, type);
    if (from.type.k === "truth") {
      const mask = this.mask(from);
      if (type === "i32") return this.graph.make("bool", "i32", [mask]);
      return this.select(mask, this.graph.constant(type, 1), this.graph.constant(type, 0));
    }
    const v = this.value(from);
    if (t.class === "bool")
      return from.type.k === "element" && from.type.t === t ? v : this.graph.make("bool", "i32", [this.nonzero(v)]);
    const whole = v.type.startsWith("f") && t.name === "uint8" ? this.below_256(v) : v;
    const converted = v.type === type ? v : this.graph.make("convert", type, [whole]);
    // A narrower integer is wrapped at once only if something other than a store uses it.
    return e.node === "cast" && from.type.k === "element" && from.type.t !== t ? this.round(converted, t) : converted;
  }

  /** The integer part modulo 256; NaN if the value is not finite. A store to bytes wraps, however large the number is. */
  private below_256(v: Value): Value {
    const { graph } = this;
    const { type } = v;
    const whole = graph.make("trunc", type, [v]);
    const above = graph.make("floor", type, [graph.make("mul", type, [whole, graph.constant(type, 1 / 256)])]);
    return graph.make("sub", type, [whole, graph.make("mul", type, [above, graph.constant(type, 256)])]);
  }

  /** The value as if it were stored and loaded again. */
  private round(v: Value, t: ElementType): Value {
    if (t.size >= 4 || t.class === "bool") return v;
    return this.graph.make(`${t.class === "integral" ? "wrap" : "round"}_${t.name}` as Operation, v.type, [v]);
  }

  // ---- calls

  private call(e: Expression & { readonly node: "call_helper" }): Value {
    const t = e.args.map((a) => a.type).find((type) => type.k === "element")?.t;
    if (t === undefined) return this.refuse(e, `a call of ${e.helper.name} with numbers`);
    const type = computed_in(t.name) as ValueType;
    const name = e.helper.name.split("$")[0];
    if (this.machine.functions.primitives.has(name) || name === "abs") {
      const args = e.args.map((a) => this.operand(a, type));
      return this.graph.make(name as Operation, type, args);
    }
    if (this.machine.functions.built_in.has(name)) {
      const args = e.args.map((a) => this.operand(a, type));
      return this.graph.call(`${name}_${type}`, type, args);
    }
    try {
      const called = this.machine.functions.find(name, t);
      if (called === null) return this.refuse(e, `no body of ${name} for ${t.name}`);
      const { fn } = called;
      const args = fn.params.map((p, k) => this.argument(e.args[k], elementOf(p)));
      if (called.is_own && this.machine.calls) {
        const own = own_function(name, called, this.machine);
        if (own instanceof Refusal) throw new Refusal(own.file, own.line, `${name}: ${own.message}`);
        return this.graph.call(own.name, own.outputs[0].value.type, args);
      }
      return this.in_place(called, args);
    } catch (error) {
      if (error instanceof CodegenError)
        throw new Refusal(error.place.file, error.place.line, `${name}: ${reasonOf(error)}`);
      throw error;
    }
  }

  /** A number that the tree typed like the first argument gets the parameter's type. */
  private argument(e: Expression, t: ElementType): Value {
    const isNumber = e.node === "convert" && (e.value.type.k === "number" || e.value.type.k === "literal");
    return this.operand(isNumber ? e.value : e, computed_in(t.name) as ValueType);
  }
}

function elementOf(e: Pick<Expression, "type">): ElementType {
  return (e.type as { readonly t: ElementType }).t;
}

function effectOf(e: Expression): string {
  return e.node === "check" ? `${e.name} may throw` : "a statement with an effect";
}
