/**
 * @file The printer of typed expressions as JavaScript. It keeps the author's text except for changes that dtypes require:
 *
 *   int64      a * 2n - b             elements are bigint, literals follow
 *   int32      Math.imul(a, b)        the product would not fit a double
 *   float16    table[x[i]]            sixteen bits are converted by a table
 *   bool       a !== 0 ? b : c
 *
 * @original The C++ compiler generates code.
 */
import { type ElementType, isFloating, isInt64, MATH, type Step } from "./element_types.ts";
import type { Helper } from "./source.ts";
import { type Expression, NUMBER, TRUTH, type ValueType } from "./tree.ts";
import type { Uses } from "./uses.ts";

const EXCEPTION = "src/c10/util/Exception.ts";

// Precedence levels; an operator of lower level inside one of higher level needs parentheses.
const CONDITIONAL = 2;
const UNARY = 14;
const POSTFIX = 15;
const ATOM = 16;
// biome-ignore format: table
const LEVELS: Readonly<Record<string, number>> = {
  "||": 3, "&&": 4, "|": 5, "^": 6, "&": 7, "==": 8, "!=": 8, "===": 8, "!==": 8, "<": 9, ">": 9, "<=": 9, ">=": 9,
  "<<": 10, ">>": 10, ">>>": 10, "+": 11, "-": 11, "*": 12, "/": 12, "%": 12, "**": 13,
};
const EQUALITY = LEVELS["==="];

interface Text {
  readonly text: string;
  readonly level: number;
}

function atom(text: string): Text {
  return { text, level: ATOM };
}

export class JsPrinter {
  readonly uses: Uses;
  /** int64 arrays for which `x_pairs`, the same memory as two int32 per element, can be declared. */
  private readonly pairable: ReadonlySet<string>;
  /** The pairable arrays that were read or written this way. */
  readonly pairs = new Set<string>();
  /** int64 variables that are held as numbers, because they are only used in conversions. */
  private readonly numbers: ReadonlySet<string>;

  constructor(uses: Uses, pairable: ReadonlySet<string> = new Set(), numbers: ReadonlySet<string> = new Set()) {
    this.uses = uses;
    this.pairable = pairable;
    this.numbers = numbers;
  }

  // ---- types

  typeText(type: ValueType): string {
    switch (type.k) {
      case "element":
        return type.t.js.value;
      case "data":
        return type.t.js.array;
      case "array":
        return `${type.t.js.value}[]`;
      case "truth":
        return "boolean";
      case "void":
        return "void";
      case "other":
        return this.uses.foreignType(type.written ?? "unknown");
      default:
        return "number";
    }
  }

  /** The type of the JavaScript value. */
  private typeOf(e: Expression): ValueType {
    return e.node === "name" && this.numbers.has(e.name) ? NUMBER : e.type;
  }

  // ---- expressions

  expression(e: Expression): string {
    return this.print(e).text;
  }

  /** A check as a statement: it builds its message only when it fails. */
  check(e: Expression & { readonly node: "check" }): string {
    const refuse = this.expression({ ...e, condition: { node: "truth", type: TRUTH, line: e.line, value: false } });
    return `if (!${this.at(UNARY, e.condition)}) ${refuse}`;
  }

  private list(expressions: readonly Expression[]): string {
    return expressions.map((e) => this.expression(e)).join(", ");
  }

  /** The text of `e` where binding at least as tight as `level` is required. */
  private at(level: number, e: Expression): string {
    const { text, level: own } = this.print(e);
    return own < level ? `(${text})` : text;
  }

  private print(e: Expression): Text {
    switch (e.node) {
      case "literal":
        return { text: e.text, level: e.text.startsWith("-") ? UNARY : ATOM };
      case "truth":
        return atom(String(e.value));
      case "verbatim":
        return atom(e.text);
      case "name":
      case "builtin":
        return atom(e.name);
      case "limit":
        return this.limit(e.of, e.limit);
      case "parenthesized":
        return atom(`(${this.expression(e.value)})`);
      case "non_null":
        return atom(`${this.at(POSTFIX, e.value)}!`);
      case "property":
        return atom(`${this.at(POSTFIX, e.object)}.${e.name}`);
      case "index":
        return atom(`${this.at(POSTFIX, e.object)}[${this.expression(e.index)}]`);
      case "unary":
        return this.unary(e.operator, e.operand);
      case "binary":
        return this.binary(e);
      case "logical": {
        const level = LEVELS[e.operator];
        return { text: `${this.at(level, e.left)} ${e.operator} ${this.at(level + 1, e.right)}`, level };
      }
      case "nonzero":
        return this.nonzero(e.value, "!==");
      case "conditional": {
        const text = `${this.at(CONDITIONAL + 1, e.test)} ? ${this.at(CONDITIONAL, e.yes)} : ${this.at(CONDITIONAL, e.no)}`;
        return { text, level: CONDITIONAL };
      }
      case "assign":
        return this.assign(e);
      case "update": {
        const target = this.at(POSTFIX, e.target);
        return e.prefix
          ? { text: `${e.operator}${target}`, level: UNARY }
          : { text: `${target}${e.operator}`, level: POSTFIX };
      }
      case "list":
        return atom(`[${this.list(e.elements)}]`);
      case "new":
        return atom(`new ${e.callee}(${this.list(e.args)})`);
      case "convert":
        return this.convert(e.value, elementOf(e));
      case "cast":
        return e.type.k === "element" ? this.cast(e.value, e.type.t) : this.toNumber(e.value);
      case "bit_cast":
        throw new Error("bit_cast has no JavaScript form: functions in cpu/vec are for other machines");
      case "round":
        return this.step(elementOf(e).js.round, e.value);
      case "load":
        return this.load(e);
      case "store":
        return this.store(e);
      case "scratch":
        return atom(`new ${this.typeText(e.type)}(${this.expression(e.size)})`);
      case "check":
        return atom(`${this.uses.helper(e.name, EXCEPTION)}(${this.list([e.condition, ...e.message])})`);
      case "assert":
        return atom("undefined");
      case "call_helper":
        return this.callHelper(e.helper, e.args);
      case "call_instance":
        return atom(`${e.instance}(${this.list(e.args)})`);
      case "call_method":
        return atom(`${this.at(POSTFIX, e.callee)}(${this.list(e.args)})`);
    }
  }

  private limit(t: ElementType, limit: string): Text {
    if (limit === "lower_bound") return isFloating(t) ? { text: "-Infinity", level: UNARY } : atom(t.lowest);
    if (limit === "upper_bound") return atom(isFloating(t) ? "Infinity" : t.highest);
    return atom(t[limit as "lowest" | "highest" | "epsilon"]);
  }

  private unary(operator: string, operand: Expression): Text {
    if (operator === "!" && operand.type.k === "element") return this.nonzero(operand, "===");
    const number = operator !== "!" && operand.type.k === "truth" ? "+" : "";
    const text = `${number}${this.at(UNARY, operand)}`;
    const apart = /^[-+]/.test(operator) && text.startsWith(operator) ? " " : ""; // `--x` would decrement
    return { text: `${operator}${apart}${text}`, level: UNARY };
  }

  private binary(e: Expression & { readonly node: "binary" }): Text {
    if (e.type.k === "element") {
      const { product } = e.type.t.js;
      if (e.operator === "*" && product !== null) return atom(`${product}(${this.list([e.left, e.right])})`);
      if (e.operator === "/" && isNarrowInteger(e.type.t)) return atom(`Math.trunc(${this.operation(e)})`);
    }
    return { text: this.operation(e), level: LEVELS[e.operator] };
  }

  private operation(e: Expression & { readonly node: "binary" }): string {
    const level = LEVELS[e.operator];
    return `${this.at(level, e.left)} ${e.operator} ${this.at(level + 1, e.right)}`;
  }

  private nonzero(value: Expression, operator: "===" | "!=="): Text {
    // When a bool is loaded as a condition, the byte itself is enough.
    if (value.node === "load" && elementOf(value).class === "bool")
      return { text: `${this.memory(value)} ${operator} 0`, level: EQUALITY };
    const type = this.typeOf(value);
    const suffix = type.k === "element" ? type.t.js.suffix : "";
    return { text: `${this.at(EQUALITY + 1, value)} ${operator} 0${suffix}`, level: EQUALITY };
  }

  private assign(e: Expression & { readonly node: "assign" }): Text {
    const target = this.expression(e.target);
    const value = this.expression(e.value);
    const t = e.type.k === "element" ? e.type.t : null;
    const product = t?.js.product ?? null;
    let text = `${target} ${e.operator} ${value}`;
    if (e.operator === "*=" && product !== null) text = `${target} = ${product}(${target}, ${value})`;
    if (e.operator === "/=" && t !== null && isNarrowInteger(t)) text = `${target} = Math.trunc(${target} / ${value})`;
    return { text, level: CONDITIONAL - 1 };
  }

  // ---- conversions

  private step(step: Step, value: Expression): Text {
    if (step.operators) return { text: this.uses.step(step, this.at(UNARY, value)), level: LEVELS["|"] };
    if (step.text === "$") return this.print(value);
    return atom(this.uses.step(step, this.expression(value)));
  }

  private convert(value: Expression, t: ElementType): Text {
    const type = this.typeOf(value);
    switch (type.k) {
      case "truth":
        return this.oneOrZero(value, t);
      case "literal":
        return isInt64(t) ? this.bigint(value) : this.print(value);
      case "element":
      case "number":
        return t.class === "bool" && !(type.k === "element" && type.t === t) ? this.truth(value) : this.print(value);
      default:
        return this.print(value);
    }
  }

  private oneOrZero(condition: Expression, t: ElementType): Text {
    const { suffix } = t.js;
    return { text: `${this.at(CONDITIONAL + 1, condition)} ? 1${suffix} : 0${suffix}`, level: CONDITIONAL };
  }

  /** A number or an element as 1 or 0. */
  private truth(value: Expression): Text {
    return { text: `${this.nonzero(value, "!==").text} ? 1 : 0`, level: CONDITIONAL };
  }

  /** An integer made of literals, as a bigint. */
  private bigint(e: Expression): Text {
    switch (e.node) {
      case "literal":
        return { ...this.print(e), text: `${e.text}n` };
      case "parenthesized":
        return atom(`(${this.bigint(e.value).text})`);
      case "unary":
        return { text: `${e.operator}${this.bigint(e.operand).text}`, level: UNARY };
      case "conditional": {
        const test = this.at(CONDITIONAL + 1, e.test);
        return { text: `${test} ? ${this.bigint(e.yes).text} : ${this.bigint(e.no).text}`, level: CONDITIONAL };
      }
      default:
        return this.print(e);
    }
  }

  private cast(value: Expression, t: ElementType): Text {
    const type = this.typeOf(value);
    const from = type.k === "element" ? type.t : null;
    if (t.class === "bool") return type.k === "truth" ? this.oneOrZero(value, t) : this.truth(value);
    if (type.k === "truth") return this.oneOrZero(value, t);
    if (isFloating(t)) return from !== null && isInt64(from) ? this.toNumber(value) : this.print(value);
    return type.k === "literal" ? this.convert(value, t) : this.toInteger(value, from, t);
  }

  /** Converts to an integer; wrapping is written only if the store would not do it. */
  private toInteger(value: Expression, from: ElementType | null, t: ElementType): Text {
    if (from === t) return this.print(value);
    if (from === null || isFloating(from)) return this.step(t.js.fromDouble, value);
    if (isInt64(from)) return this.step(t.js.fromInt64, value);
    if (isInt64(t)) return atom(`BigInt(${this.expression(value)})`);
    return from.class === "bool" ? this.print(value) : this.step(t.js.round, value);
  }

  /** Converts to a number; an int64 straight from memory is read as two int32. */
  private toNumber(value: Expression): Text {
    const type = this.typeOf(value);
    if (value.node === "load") {
      const pairs = this.pairsOf(value.data);
      if (pairs !== null)
        return atom(`${this.uses.helper("load_int64", MATH)}(${pairs}, ${this.expression(value.index)})`);
    }
    if (type.k === "truth") return { text: `${this.at(CONDITIONAL + 1, value)} ? 1 : 0`, level: CONDITIONAL };
    if (type.k === "element" && isInt64(type.t)) return atom(`Number(${this.expression(value)})`);
    return this.print(value);
  }

  // ---- memory

  private load(e: Expression & { readonly node: "load" }): Text {
    const { load } = elementOf(e).js;
    return { text: this.uses.step(load, this.memory(e)), level: load.operators ? CONDITIONAL : ATOM };
  }

  private memory(e: Expression & { readonly node: "load" }): string {
    return `${this.expression(e.data)}[${this.expression(e.index)}]`;
  }

  loadText(x: string, index: string, t: ElementType): string {
    return this.uses.step(t.js.load, `${x}[${index}]`);
  }

  storeText(x: string, index: string, t: ElementType, value: string): string {
    return `${x}[${index}] = ${this.uses.step(t.js.store, value)}`;
  }

  private store(e: Expression & { readonly node: "store" }): Text {
    const x = this.expression(e.data);
    const index = this.expression(e.index);
    const number = this.numberBehindCast(e.value);
    const pairs = number === null ? null : this.pairsOf(e.data);
    if (pairs !== null) return atom(`${this.uses.helper("store_int64", MATH)}(${pairs}, ${index}, ${number})`);
    const t = (e.data.type as { readonly t: ElementType }).t;
    return { text: this.storeText(x, index, t, this.expression(e.value)), level: CONDITIONAL - 1 };
  }

  /** The text of `e` in `cast<int64>(e)`, if `e` is a number: such a store needs no bigint. */
  numberBehindCast(e: Expression): string | null {
    if (e.node !== "cast" || e.type.k !== "element" || !e.type.t.js.pairs) return null;
    const type = this.typeOf(e.value);
    const isNumber = type.k === "number" || type.k === "literal" || (type.k === "element" && !isInt64(type.t));
    return isNumber ? this.expression(e.value) : null;
  }

  private pairsOf(data: Expression): string | null {
    if (data.node !== "name" || data.type.k !== "data" || !data.type.t.js.pairs) return null;
    if (!this.pairable.has(data.name)) return null;
    this.pairs.add(data.name);
    return `${data.name}_pairs`;
  }

  // ---- helpers

  /** A call of a helper. A helper that is one expression is inlined if no argument would be computed twice. */
  private callHelper(helper: Helper, args: readonly Expression[]): Text {
    const texts = args.map((a) => this.expression(a));
    const simple = texts.every((text, k) => SIMPLE.test(text) || (helper.uses[k]?.length ?? 2) <= 1);
    if (helper.inline !== null && simple) return inlined(helper, texts);
    return atom(`${this.uses.helper(helper.name, helper.module)}(${texts.join(", ")})`);
  }
}

function elementOf(e: Expression): ElementType {
  return (e.type as { readonly t: ElementType }).t;
}

function isNarrowInteger(t: ElementType): boolean {
  return t.class === "integral" && !isInt64(t);
}

const SIMPLE = /^[\w.$]+$/;

/** The expression of the helper with its parameters replaced by the arguments. */
function inlined(helper: Helper, args: readonly string[]): Text {
  const edits: { from: number; to: number; text: string }[] = [];
  for (const [k, ranges] of helper.uses.entries()) {
    const arg = args[k] ?? "undefined";
    const text = SIMPLE.test(arg) ? arg : `(${arg})`;
    for (const [from, to] of ranges) edits.push({ from, to, text });
  }
  edits.sort((a, b) => b.from - a.from);
  let text = helper.inline as string;
  for (const e of edits) text = text.slice(0, e.from) + e.text + text.slice(e.to);
  return { text, level: /^Math\.\w+\([^()]*\)$/.test(text) ? ATOM : CONDITIONAL };
}
