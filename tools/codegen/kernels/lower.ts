/**
 * @file Kernel text for one choice of dtypes. An expression is rendered together with what it is (an element of some dtype, a
 * plain number, a truth value, an array), and the few places where dtypes differ are rewritten; everything else keeps the
 * author's text.
 *
 *   scalar_t = int64      a * 2 - b     ->   a * 2n - b            elements are bigint, literals follow
 *   scalar_t = int32      a * b         ->   Math.imul(a, b)       the product would not fit a double
 *   scalar_t = float16    load(x, i)    ->   table[x[i]]          sixteen bits go through a table
 *   scalar_t = bool       a ? b : c     ->   a !== 0 ? b : c
 *
 * @original The C++ compiler does this when it instantiates a template.
 */
import { CodegenError } from "../errors.ts";
import { accOf, type ElementType, elementType, opmathOf, overrideSuffixes } from "./element_types.ts";
import type { Helper, KernelFile, Node } from "./source.ts";

export type Kind =
  | { readonly k: "element"; readonly t: ElementType }
  | { readonly k: "data"; readonly t: ElementType }
  | { readonly k: "array"; readonly t: ElementType }
  | { readonly k: "literal" }
  | { readonly k: "number" }
  | { readonly k: "truth" }
  | { readonly k: "void" }
  | { readonly k: "other" };

export interface Rendered {
  readonly text: string;
  readonly kind: Kind;
  /** Of a literal without fraction: the text it has beside int64. */
  readonly big?: string;
}

const NUMBER: Kind = { k: "number" };
const TRUTH: Kind = { k: "truth" };
const LITERAL: Kind = { k: "literal" };
const OTHER: Kind = { k: "other" };
const VOID: Kind = { k: "void" };

const COMPARISONS = new Set(["<", ">", "<=", ">=", "==", "!=", "===", "!=="]);
const ARITHMETIC = new Set(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>", "**"]);
const FLAGS: Readonly<Record<string, (t: ElementType) => boolean>> = {
  is_floating: (t) => t.class === "floating" || t.class === "reduced",
  is_integral: (t) => t.class === "integral",
  is_bool: (t) => t.class === "bool",
};

/** Names that generated text may need; the emitter turns this into import lines. */
export class Uses {
  readonly helpers = new Map<string, string>();
  readonly types = new Map<string, string>();
  helper(name: string, module: string): string {
    this.helpers.set(name, module);
    return name;
  }
}

export const MATH = "src/c10/util/math.ts";
const HALF = "src/c10/util/Half.ts";
const BFLOAT16 = "src/c10/util/BFloat16.ts";
const EXCEPTION = "src/c10/util/Exception.ts";

/** Splits `data<acc<src_t>>` into `data` and `acc<src_t>`. */
export function splitType(type: string): { head: string; argument: string | null } {
  const match = /^([\w$]+)\s*<(.*)>$/s.exec(type.trim());
  return match ? { head: match[1], argument: match[2].trim() } : { head: type.trim(), argument: null };
}

export class Lowering {
  readonly file: KernelFile;
  /** Type variable -> element type of this instantiation. */
  readonly bindings: ReadonlyMap<string, ElementType>;
  readonly helpers: ReadonlyMap<string, Helper>;
  readonly uses: Uses;
  /** Kinds of the variables in sight. Shadowing is refused, so one flat map serves. */
  readonly scope = new Map<string, Kind>();
  /** int64 arrays that are read or written as int32 pairs. */
  readonly pairs = new Set<string>();
  /** Names of other templates of the file -> their instance for these bindings. */
  instanceOf: (name: string) => string | null = () => null;
  /** Whether `const x_pairs` can be declared for this array (it is a parameter). */
  canPair: (name: string) => boolean = () => false;

  constructor(
    file: KernelFile,
    bindings: ReadonlyMap<string, ElementType>,
    helpers: ReadonlyMap<string, Helper>,
    uses: Uses,
  ) {
    this.file = file;
    this.bindings = bindings;
    this.helpers = helpers;
    this.uses = uses;
  }

  fail(node: Node, message: string, wayOut: string): never {
    throw new CodegenError({ file: this.file.path, line: node.loc.start.line }, "kernel text", message, wayOut);
  }

  // ---- types

  /** The element type that a type of kernel text names here, or null if it names none. */
  element(type: string): ElementType | null {
    const { head, argument } = splitType(type);
    if (argument === null) {
      const own = this.bindings.get(head) ?? elementType(head);
      if (own !== undefined) return own;
      const first = [...this.bindings.values()][0];
      if (head === "opmath_t") return opmathOf(first);
      if (head === "acc_t") return accOf(first);
      return null;
    }
    const inner = this.element(argument);
    if (inner === null) return null;
    if (head === "opmath") return opmathOf(inner);
    return head === "acc" ? accOf(inner) : null;
  }

  kindOfType(type: string): Kind {
    if (type === "number") return NUMBER;
    if (type === "boolean") return TRUTH;
    if (type === "void") return VOID;
    const { head, argument } = splitType(type);
    if (head === "data" && argument !== null) {
      const t = this.element(argument);
      if (t !== null) return { k: "data", t };
    }
    if (head === "captured") return argument === null ? this.elementKind("scalar_t") : this.kindOfType(argument);
    if (head === "captured_opmath") return this.elementKind("opmath_t");
    if (type.endsWith("[]")) {
      const t = this.element(type.slice(0, -2).replace(/^readonly\s+/, ""));
      if (t !== null) return { k: "array", t };
    }
    const t = this.element(type);
    return t === null ? OTHER : { k: "element", t };
  }

  private elementKind(type: string): Kind {
    const name = type === "scalar_t" ? [...this.bindings.keys()][0] : type;
    return { k: "element", t: this.element(name) as ElementType };
  }

  /** The TypeScript type of a variable of this kind; null where the author's own annotation serves. */
  typeScript(kind: Kind): string | null {
    switch (kind.k) {
      case "element":
        return kind.t.value;
      case "data":
        return kind.t.array;
      case "array":
        return `${kind.t.value}[]`;
      case "truth":
        return "boolean";
      case "number":
        return "number";
      case "void":
        return "void";
      default:
        return null;
    }
  }

  /** A type that is not of kernel text stays as written; the generated file imports the names in it. */
  foreignType(text: string): string {
    for (const name of text.match(/[A-Za-z_$][\w$]*/g) ?? []) {
      const module = this.file.imports.get(name);
      if (module !== undefined) this.uses.types.set(name, module);
    }
    return text;
  }

  // ---- elements of arrays

  loadText(x: string, index: string, t: ElementType): string {
    const raw = `${x}[${index}]`;
    if (t.name === "float16") return `${this.uses.helper("half_to_float_table", HALF)}[${raw}]`;
    if (t.name === "bfloat16") return `${this.uses.helper("f32_from_bits", BFLOAT16)}(${raw})`;
    return raw;
  }

  storeText(x: string, index: string, t: ElementType, value: string): string {
    if (t.name === "float16")
      return `${x}[${index}] = ${this.uses.helper("fp16_ieee_from_fp32_value", HALF)}(${value})`;
    if (t.name === "bfloat16")
      return `${x}[${index}] = ${this.uses.helper("round_to_nearest_even", BFLOAT16)}(${value})`;
    return `${x}[${index}] = ${value}`;
  }

  /** `value` as an element of `t`, ready to be stored: only what an implicit C++ conversion may do without surprise. */
  coerce(value: Rendered, t: ElementType, node: Node): string {
    const { kind, text } = value;
    switch (kind.k) {
      case "truth":
        return t.value === "bigint" ? `(${text} ? 1n : 0n)` : `(${text} ? 1 : 0)`;
      case "literal":
        return this.literal(value, t, node);
      case "element":
        if (kind.t.value !== t.value) {
          this.fail(node, `a value of ${kind.t.name} where ${t.name} is wanted`, `write cast<...>(...) around it`);
        }
        if (t.name === "bool" && kind.t.name !== "bool") return `(${this.truth(value)} ? 1 : 0)`;
        return text;
      case "number":
        if (t.value === "bigint") this.fail(node, "a number where int64 is wanted", "write cast<...>(...) around it");
        return t.name === "bool" ? `(${text} !== 0 ? 1 : 0)` : text;
      default:
        return text;
    }
  }

  private literal(value: Rendered, t: ElementType, node: Node): string {
    if (t.value !== "bigint") return value.text;
    return value.big ?? this.fail(node, `the literal ${value.text} has no int64 value`, "write a `$int64` body");
  }

  /** A condition. */
  truth(value: Rendered): string {
    if (value.kind.k === "element") return `${value.text} !== ${value.kind.t.value === "bigint" ? "0n" : "0"}`;
    if (value.kind.k === "literal" || value.kind.k === "number") return `${value.text} !== 0`;
    return value.text;
  }

  // ---- expressions

  /** `node` with the parentheses the author put around it. */
  private wrapped(node: Node): Rendered {
    const value = this.expression(node);
    if (!node.extra?.parenthesized) return value;
    return { text: `(${value.text})`, kind: value.kind, ...(value.big === undefined ? {} : { big: `(${value.big})` }) };
  }

  expression(node: Node): Rendered {
    switch (node.type) {
      case "NumericLiteral":
        return literalOf(node.extra.raw.replaceAll("_", ""));
      case "BooleanLiteral":
        return { text: String(node.value), kind: TRUTH };
      case "StringLiteral":
      case "NullLiteral":
        return { text: this.file.text.slice(node.start, node.end), kind: OTHER };
      case "Identifier":
        return this.identifier(node);
      case "UnaryExpression":
        return this.unary(node);
      case "BinaryExpression":
        return this.binary(node);
      case "LogicalExpression":
        return { text: `${this.condition(node.left)} ${node.operator} ${this.condition(node.right)}`, kind: TRUTH };
      case "ConditionalExpression":
        return this.conditional(node);
      case "CallExpression":
        return this.call(node);
      case "MemberExpression":
        return this.member(node);
      case "TSAsExpression":
        return this.wrapped(node.expression);
      case "TSNonNullExpression": {
        const value = this.wrapped(node.expression);
        return { text: `${value.text}!`, kind: value.kind };
      }
      case "AssignmentExpression":
        return this.assignment(node);
      case "UpdateExpression": {
        const value = this.wrapped(node.argument);
        return {
          text: node.prefix ? `${node.operator}${value.text}` : `${value.text}${node.operator}`,
          kind: value.kind,
        };
      }
      case "ArrayExpression":
        return { text: `[${node.elements.map((e: Node) => this.expression(e).text).join(", ")}]`, kind: OTHER };
      case "NewExpression":
        return {
          text: `new ${node.callee.name}(${node.arguments.map((a: Node) => this.expression(a).text).join(", ")})`,
          kind: OTHER,
        };
      default:
        return this.fail(
          node,
          `${node.type} is outside the subset of kernel text`,
          "use const, if, return, loops, arithmetic, comparison, ?: and listed helpers; or write an ordinary function",
        );
    }
  }

  private identifier(node: Node): Rendered {
    const known = this.scope.get(node.name);
    if (known !== undefined) return { text: node.name, kind: known };
    if (node.name === "Infinity" || node.name === "NaN") return { text: node.name, kind: NUMBER };
    const constant = this.file.constants.get(node.name);
    if (constant !== undefined) {
      const plain = /^-?\d+(\.\d+)?(e-?\d+)?$/.test(constant);
      return plain ? literalOf(constant) : { text: `(${constant})`, kind: NUMBER };
    }
    return this.fail(
      node,
      `unknown name "${node.name}"`,
      "pass it as a parameter, or make it a const with a literal value in this file",
    );
  }

  /** A condition, parenthesized where the author did so. */
  condition(node: Node): string {
    const value = this.expression(node);
    const text = this.truth(value);
    return node.extra?.parenthesized && text === value.text ? `(${text})` : text;
  }

  private unary(node: Node): Rendered {
    if (node.operator === "!") {
      const value = this.expression(node.argument);
      if (value.kind.k === "element") {
        return { text: `${value.text} === ${value.kind.t.value === "bigint" ? "0n" : "0"}`, kind: TRUTH };
      }
      return { text: `!${node.argument.extra?.parenthesized ? `(${value.text})` : value.text}`, kind: TRUTH };
    }
    const value = this.wrapped(node.argument);
    if (value.kind.k === "literal" && node.operator === "-") {
      return { text: `-${value.text}`, kind: LITERAL, ...(value.big === undefined ? {} : { big: `-${value.big}` }) };
    }
    const operand = value.kind.k === "truth" ? `+(${value.text})` : value.text;
    return { text: `${node.operator}${operand}`, kind: value.kind.k === "truth" ? NUMBER : value.kind };
  }

  private binary(node: Node): Rendered {
    const left = this.wrapped(node.left);
    const right = this.wrapped(node.right);
    const operator: string = node.operator === "==" ? "===" : node.operator === "!=" ? "!==" : node.operator;
    const [l, r, kind] = this.meet(left, right, node);
    if (COMPARISONS.has(operator)) return { text: `${l} ${operator} ${r}`, kind: TRUTH };
    if (!ARITHMETIC.has(operator))
      this.fail(node, `operator ${operator}`, "kernel text has arithmetic, bit and comparison operators");
    if (kind.k === "element") {
      if (operator === "*" && kind.t.name === "int32") return { text: `Math.imul(${left.text}, ${right.text})`, kind };
      if (operator === "/" && kind.t.class === "integral" && kind.t.value === "number") {
        return { text: `Math.trunc(${l} / ${r})`, kind };
      }
    }
    return { text: `${l} ${operator} ${r}`, kind };
  }

  /** Two operands brought to one kind: literals follow elements, truth values count as 0 and 1. */
  private meet(left: Rendered, right: Rendered, node: Node): [string, string, Kind] {
    const a = left.kind.k === "element" ? left.kind.t : null;
    const b = right.kind.k === "element" ? right.kind.t : null;
    if (a !== null && b !== null) {
      if (a.value !== b.value) {
        this.fail(node, `${a.name} meets ${b.name}`, "write cast<...>(...) around one of them");
      }
      return [left.text, right.text, left.kind];
    }
    if (a !== null) return [left.text, this.operand(right, a, node), left.kind];
    if (b !== null) return [this.operand(left, b, node), right.text, right.kind];
    if (left.kind.k === "truth" && right.kind.k === "truth") return [left.text, right.text, NUMBER];
    const kind = left.kind.k === "literal" && right.kind.k === "literal" ? LITERAL : NUMBER;
    return [left.text, right.text, kind];
  }

  private operand(value: Rendered, t: ElementType, node: Node): string {
    return value.kind.k === "number" && t.value === "number" ? value.text : this.coerceWide(value, t, node);
  }

  /** Like `coerce`, but a bool operand meets numbers as 0 / 1 instead of narrowing them. */
  private coerceWide(value: Rendered, t: ElementType, node: Node): string {
    return t.name === "bool" && value.kind.k !== "truth" ? value.text : this.coerce(value, t, node);
  }

  private conditional(node: Node): Rendered {
    const test = this.condition(node.test);
    if (test === "true") return this.wrapped(node.consequent);
    if (test === "false") return this.wrapped(node.alternate);
    const yes = this.wrapped(node.consequent);
    const no = this.wrapped(node.alternate);
    if (yes.kind.k === "truth" && no.kind.k === "truth")
      return { text: `${test} ? ${yes.text} : ${no.text}`, kind: TRUTH };
    const [y, n, kind] = this.meet(yes, no, node);
    if (kind.k === "literal" && yes.big !== undefined && no.big !== undefined) {
      return { text: `${test} ? ${y} : ${n}`, kind, big: `${test} ? ${yes.big} : ${no.big}` };
    }
    return { text: `${test} ? ${y} : ${n}`, kind };
  }

  private member(node: Node): Rendered {
    if (node.object.type === "Identifier" && !this.scope.has(node.object.name)) {
      if (node.object.name === "Math" || node.object.name === "Number") {
        return { text: `${node.object.name}.${node.property.name}`, kind: NUMBER };
      }
      return this.fail(node, `unknown name "${node.object.name}"`, "pass the object as captured<T>");
    }
    const object = this.wrapped(node.object);
    if (!node.computed)
      return { text: `${object.text}.${node.property.name}`, kind: node.property.name === "length" ? NUMBER : OTHER };
    if (object.kind.k === "data") {
      this.fail(
        node,
        "an element of data<T> read or written with []",
        "use load(x, i) and store(x, i, v): they convert",
      );
    }
    const text = `${object.text}[${this.expression(node.property).text}]`;
    return { text, kind: object.kind.k === "array" ? { k: "element", t: object.kind.t } : NUMBER };
  }

  private assignment(node: Node): Rendered {
    const left = this.expression(node.left);
    const right = this.expression(node.right);
    const target = node.left.type === "TSNonNullExpression" ? left.text.replace(/!$/, "") : left.text;
    if (left.kind.k !== "element") return { text: `${target} ${node.operator} ${right.text}`, kind: left.kind };
    const t = left.kind.t;
    const operator = node.operator.slice(0, -1);
    if (operator === "*" && t.name === "int32") {
      return { text: `${target} = Math.imul(${target}, ${right.text})`, kind: left.kind };
    }
    if (operator === "/" && t.class === "integral" && t.value === "number") {
      return { text: `${target} = Math.trunc(${target} / ${right.text})`, kind: left.kind };
    }
    return { text: `${target} ${node.operator} ${this.coerce(right, t, node)}`, kind: left.kind };
  }

  // ---- calls

  private call(node: Node): Rendered {
    const callee = node.callee;
    if (callee.type === "MemberExpression") {
      const target = this.member(callee);
      const args = node.arguments.map((a: Node) => this.expression(a));
      if (target.text.startsWith("Math.")) {
        for (const [k, a] of args.entries()) {
          if (a.kind.k === "element" && a.kind.t.value === "bigint") {
            this.fail(
              node.arguments[k],
              `${target.text} of an int64`,
              "write a `$int64` body, or use a helper of c10/util/math.ts",
            );
          }
        }
      }
      return {
        text: `${target.text}(${args.map((a: Rendered) => a.text).join(", ")})`,
        kind: target.text.startsWith("Math.") ? NUMBER : OTHER,
      };
    }
    if (callee.type !== "Identifier") return this.fail(node, "a call of a computed function", "call helpers by name");
    const intrinsic = this.intrinsic(node, callee.name);
    if (intrinsic !== null) return intrinsic;
    const instance = this.instanceOf(callee.name);
    if (instance !== null) return this.instanceCall(node, callee.name, instance);
    return this.helperCall(node, callee.name);
  }

  private typeArgument(node: Node): string {
    const argument = (node.typeArguments ?? node.typeParameters)?.params[0];
    if (!argument)
      return this.fail(node, `${node.callee.name} without a type argument`, `write ${node.callee.name}<scalar_t>(...)`);
    return this.file.text.slice(argument.start, argument.end);
  }

  private typeElement(node: Node): ElementType {
    const type = this.typeArgument(node);
    return (
      this.element(type) ??
      this.fail(node, `"${type}" is no element type`, "use scalar_t, acc_t, opmath_t, a type variable or a dtype")
    );
  }

  private intrinsic(node: Node, name: string): Rendered | null {
    const args = node.arguments;
    switch (name) {
      case "load": {
        const x = this.expression(args[0]);
        if (x.kind.k !== "data") return this.fail(node, "load of something that is not data<T>", "declare it data<T>");
        return {
          text: this.loadText(x.text, this.expression(args[1]).text, x.kind.t),
          kind: { k: "element", t: x.kind.t },
        };
      }
      case "store":
        return this.store(node);
      case "cast":
        return this.cast(args[0], this.typeArgument(node), node);
      case "round_to": {
        const t = this.typeElement(node);
        return { text: this.rounded(this.expression(args[0]), t, node), kind: { k: "element", t } };
      }
      case "lower_bound":
      case "upper_bound": {
        const t = this.typeElement(node);
        const infinite = t.class === "floating" || t.class === "reduced";
        const sign = name === "lower_bound" ? "-" : "";
        const text = infinite ? `${sign}Infinity` : name === "lower_bound" ? t.lowest : t.highest;
        return { text, kind: { k: "element", t } };
      }
      case "lowest":
      case "highest":
      case "epsilon": {
        const t = this.typeElement(node);
        return { text: t[name], kind: { k: "element", t } };
      }
      case "is_floating":
      case "is_integral":
      case "is_bool":
        return { text: String(FLAGS[name](this.typeElement(node))), kind: TRUTH };
      case "scratch": {
        const t = this.typeElement(node);
        return { text: `new ${t.array}(${this.expression(args[0]).text})`, kind: { k: "data", t } };
      }
      case "TORCH_CHECK":
        this.uses.helper("TORCH_CHECK", EXCEPTION);
        return {
          text: `TORCH_CHECK(${[this.truth(this.expression(args[0])), ...args.slice(1).map((a: Node) => this.expression(a).text)].join(", ")})`,
          kind: VOID,
        };
      default:
        return null;
    }
  }

  private store(node: Node): Rendered {
    const [xNode, indexNode, valueNode] = node.arguments;
    const x = this.expression(xNode);
    if (x.kind.k !== "data") return this.fail(node, "store to something that is not data<T>", "declare it data<T>");
    const index = this.expression(indexNode).text;
    if (x.kind.t.name === "int64" && this.canPair(x.text)) {
      const number = this.numberBehindCast(valueNode);
      if (number !== null) {
        this.pairs.add(x.text);
        return { text: `${this.uses.helper("store_int64", MATH)}(${x.text}_pairs, ${index}, ${number})`, kind: VOID };
      }
    }
    return {
      text: this.storeText(x.text, index, x.kind.t, this.coerce(this.expression(valueNode), x.kind.t, node)),
      kind: VOID,
    };
  }

  /** For `cast<int64>(e)` with a number `e`: the text of `e`. Such a store needs no bigint. */
  numberBehindCast(node: Node): string | null {
    if (node.type !== "CallExpression" || node.callee.name !== "cast") return null;
    if (this.element(this.typeArgument(node))?.name !== "int64") return null;
    const value = this.expression(node.arguments[0]);
    if (value.kind.k === "number" || value.kind.k === "literal") return value.text;
    return value.kind.k === "element" && value.kind.t.value === "number" ? value.text : null;
  }

  private cast(argument: Node, type: string, node: Node): Rendered {
    if (type === "number") return { text: this.asNumber(argument), kind: NUMBER };
    const t =
      this.element(type) ??
      this.fail(node, `"${type}" is no element type`, "use scalar_t, acc_t, opmath_t, a type variable or a dtype");
    const kind: Kind = { k: "element", t };
    if (t.value === "number" && t.class !== "bool") {
      const value = this.expression(argument);
      const from = value.kind.k === "element" ? value.kind.t : null;
      const text =
        from?.value === "bigint" && (t.class === "floating" || t.class === "reduced")
          ? this.asNumber(argument)
          : value.text;
      if (t.class !== "integral") return { text: value.kind.k === "truth" ? `(${text} ? 1 : 0)` : text, kind };
      return { text: this.toInteger(value, t), kind };
    }
    const value = this.wrapped(argument);
    if (t.class === "bool") return { text: `(${this.truth(value)} ? 1 : 0)`, kind };
    if (value.kind.k === "literal") return { text: this.literal(value, t, node), kind };
    if (value.kind.k === "truth") return { text: `(${value.text} ? 1n : 0n)`, kind };
    if (value.kind.k === "element" && value.kind.t.value === "bigint") return { text: value.text, kind };
    const exact = value.kind.k === "element" && (value.kind.t.class === "integral" || value.kind.t.class === "bool");
    return {
      text: exact ? `BigInt(${value.text})` : `${this.uses.helper("double_to_int64", MATH)}(${value.text})`,
      kind,
    };
  }

  /** To an integer narrower than int64. Wrapping is written out only where the store would not do it. */
  private toInteger(value: Rendered, t: ElementType): string {
    const from = value.kind.k === "element" ? value.kind.t : null;
    if (value.kind.k === "truth") return `(${value.text} ? 1 : 0)`;
    if (value.kind.k === "literal" || from === t || from?.class === "bool") return value.text;
    if (from?.value === "bigint")
      return `Number(BigInt.as${t.name === "uint8" ? "UintN(8" : `IntN(${t.name.slice(3)}`}, ${value.text}))`;
    if (from?.class === "integral") return this.rounded(value, t, null);
    if (t.name === "uint8") return `Math.trunc(${value.text})`;
    return `${this.uses.helper("double_to_int32", MATH)}(${value.text})`;
  }

  /** The argument of `cast<number>` or `cast<float>`: an int64 that comes straight from memory is read as two int32. */
  private asNumber(argument: Node): string {
    if (argument.type === "CallExpression" && argument.callee.name === "load") {
      const x = this.expression(argument.arguments[0]);
      if (x.kind.k === "data" && x.kind.t.name === "int64" && this.canPair(x.text)) {
        this.pairs.add(x.text);
        return `${this.uses.helper("load_int64", MATH)}(${x.text}_pairs, ${this.expression(argument.arguments[1]).text})`;
      }
    }
    const value = this.wrapped(argument);
    if (value.kind.k === "truth") return `(${value.text} ? 1 : 0)`;
    return value.kind.k === "element" && value.kind.t.value === "bigint" ? `Number(${value.text})` : value.text;
  }

  private rounded(value: Rendered, t: ElementType, node: Node): string {
    const text = node === null ? value.text : this.coerce(value, t, node);
    switch (t.name) {
      case "float32":
        return `Math.fround(${text})`;
      case "float16":
        return `${this.uses.helper("round_to_half", HALF)}(${text})`;
      case "bfloat16":
        return `${this.uses.helper("round_to_bfloat16", BFLOAT16)}(${text})`;
      case "int64":
        return `BigInt.asIntN(64, ${text})`;
      case "int32":
        return `((${text}) | 0)`;
      case "int16":
        return `(((${text}) << 16) >> 16)`;
      case "int8":
        return `(((${text}) << 24) >> 24)`;
      case "uint8":
        return `((${text}) & 255)`;
      default:
        return text;
    }
  }

  private instanceCall(node: Node, name: string, instance: string): Rendered {
    const fn = this.file.kernels.find((k) => k.name === name);
    const params = fn?.body.params ?? [];
    const args = node.arguments.map((a: Node, k: number) => {
      const want = this.kindOfType(params[k]?.type ?? "number");
      const value = this.expression(a);
      return want.k === "element" ? this.coerce(value, want.t, a) : value.text;
    });
    return { text: `${instance}(${args.join(", ")})`, kind: this.kindOfType(fn?.body.returnType ?? "void") };
  }

  private helperCall(node: Node, name: string): Rendered {
    const args: Rendered[] = node.arguments.map((a: Node) => this.expression(a));
    const first = args.find((a) => a.kind.k === "element")?.kind;
    const t = first?.k === "element" ? first.t : null;
    let helper: Helper | undefined;
    if (t !== null) for (const suffix of overrideSuffixes(t)) helper ??= this.helpers.get(`${name}$${suffix}`);
    if (helper === undefined && t?.value !== "bigint") helper = this.helpers.get(name);
    if (helper === undefined) {
      const known = this.helpers.has(name);
      return this.fail(
        node,
        known ? `the helper ${name} has no body for ${t?.name}` : `${name} is not a helper`,
        known
          ? `write ${name}$${t?.name} beside it`
          : `export it from ${MATH} or src/aten/native/Math.ts, or write it in place`,
      );
    }
    const texts = args.map((a, k) =>
      t !== null && a.kind.k !== "element" && a.kind.k !== "other" ? this.coerceWide(a, t, node.arguments[k]) : a.text,
    );
    const kind: Kind =
      helper.returnType === "boolean" ? TRUTH : first !== undefined && helper.returnType !== "void" ? first : NUMBER;
    const simple = texts.every((text, k) => /^[\w.$]+$/.test(text) || (helper.uses[k]?.length ?? 2) <= 1);
    if (helper.inline !== null && simple) return { text: inlined(helper, texts), kind };
    return { text: `${this.uses.helper(helper.name, helper.module)}(${texts.join(", ")})`, kind };
  }
}

function literalOf(text: string): Rendered {
  return /^-?\d+$/.test(text) ? { text, kind: LITERAL, big: `${text}n` } : { text, kind: LITERAL };
}

/** The helper's own expression with the arguments in place. */
function inlined(helper: Helper, args: readonly string[]): string {
  const edits: { from: number; to: number; text: string }[] = [];
  for (const [k, ranges] of helper.uses.entries()) {
    const arg = args[k] ?? "undefined";
    const text = /^[\w.$]+$/.test(arg) ? arg : `(${arg})`;
    for (const [from, to] of ranges) edits.push({ from, to, text });
  }
  edits.sort((a, b) => b.from - a.from);
  let text = helper.inline as string;
  for (const e of edits) text = text.slice(0, e.from) + e.text + text.slice(e.to);
  return /^Math\.\w+\([^()]*\)$/.test(text) ? text : `(${text})`;
}
