/**
 * @file Typing of the author's syntax for given dtypes: every expression gets a type (an element of some dtype, a plain
 * number, a truth value, an array). If two types meet, one is converted or an error is thrown.
 *
 *   scalar_t = int64      a * 2        the literal is converted: it will be 2n
 *   scalar_t = int64      a * 0.5      refused: 0.5 has no int64 value
 *   scalar_t = bool       a ? b : c    an element as a condition is compared with 0
 *
 * @original The C++ compiler does this when it instantiates a template.
 * @see typing_statements.ts (statements and functions), intrinsics.ts (`load`, `cast` and their kin)
 */
import { CodegenError } from "../errors.ts";
import { type Bindings, typeNamed } from "./annotations.ts";
import { type ElementType, isInt64, MATH, overrideSuffixes } from "./element_types.ts";
import { typeIntrinsic } from "./intrinsics.ts";
import { isPacked, parts, type Row, rowProperty, rowVariables, wantRow, writtenRow } from "./rows.ts";
import type { FunctionText, Helper, KernelFile, Node } from "./source.ts";
import { type Expression, element, LITERAL, NUMBER, OTHER, TRUTH, type ValueType } from "./tree.ts";

const COMPARISONS = new Set(["<", ">", "<=", ">=", "==", "!=", "===", "!=="]);
const ARITHMETIC = new Set(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>", "**"]);

/** The context of one instance. */
export interface Surroundings {
  readonly file: KernelFile;
  readonly bindings: Bindings;
  readonly helpers: ReadonlyMap<string, Helper>;
  /** The instance of another template of the file for these bindings. */
  readonly instanceOf: (name: string) => Instance | null;
}

export interface Instance {
  readonly name: string;
  readonly body: FunctionText;
  readonly bindings: Bindings;
}

export class Typing {
  readonly file: KernelFile;
  readonly bindings: Bindings;
  private readonly helpers: ReadonlyMap<string, Helper>;
  private readonly instanceOf: Surroundings["instanceOf"];
  /** Types of the variables in scope. Shadowing is an error, so one flat map is enough. */
  readonly scope = new Map<string, ValueType>();
  /** The rows in scope. */
  readonly rows = new Map<string, Row>();
  /** Variables that are never assigned again. */
  private readonly constants = new Set<string>();
  private readonly partsOfRows = new Set<string>();

  constructor(surroundings: Surroundings) {
    this.file = surroundings.file;
    this.bindings = surroundings.bindings;
    this.helpers = surroundings.helpers;
    this.instanceOf = surroundings.instanceOf;
  }

  /** Adds a variable to the scope. */
  declare(name: string, type: ValueType, isConstant: boolean, node: Node): void {
    if (type.k === "row") {
      this.declareRow(name, rowVariables(name, type, node.loc.start.line));
      return;
    }
    if (this.partsOfRows.has(name))
      this.fail(node, `the name "${name}" is used by a part of a row`, "give it another name");
    this.scope.set(name, type);
    if (isConstant) this.constants.add(name);
    else this.constants.delete(name);
  }

  /** The row's parts have names in the generated text, but not here. */
  declareRow(name: string, row: Row): void {
    this.rows.set(name, row);
    for (const e of parts(row)) {
      if (e.node !== "name" || this.scope.has(e.name)) continue;
      this.constants.add(e.name);
      this.partsOfRows.add(e.name);
    }
  }

  /** Whether it is a variable that is never assigned again. */
  isConstant(e: Expression): boolean {
    return e.node === "name" && this.constants.has(e.name);
  }

  fail(node: Node, message: string, wayOut: string): never {
    throw new CodegenError({ file: this.file.path, line: node.loc.start.line }, "kernel text", message, wayOut);
  }

  /** The author's own text. */
  text(node: Node): string {
    return this.file.text.slice(node.start, node.end);
  }

  // ---- conversions

  /** `value` as an element of `t`, by an implicit C++ conversion that loses nothing. */
  convert(value: Expression, t: ElementType, node: Node): Expression {
    const { type } = value;
    if (type.k === "element" && type.t === t) return value;
    if (type.k === "element" && type.t.js.value !== t.js.value)
      this.fail(node, `a value of ${type.t.name} where ${t.name} is required`, "write cast<...>(...) around it");
    if (type.k === "number" && isInt64(t))
      this.fail(node, "a number where int64 is required", "write cast<...>(...) around it");
    if (type.k === "literal" && isInt64(t) && !isWhole(value))
      this.fail(node, `the literal ${this.literalText(value)} has no int64 value`, "write a `$int64` body");
    return { node: "convert", type: element(t), line: value.line, value };
  }

  private literalText(value: Expression): string {
    if (value.node === "literal") return value.text;
    return value.node === "unary" ? `${value.operator}${this.literalText(value.operand)}` : "made of literals";
  }

  /** `value` as an operand beside an element of `t`: numbers stay numbers, and beside a bool they are not narrowed to 0 and 1. */
  beside(value: Expression, t: ElementType, node: Node): Expression {
    if (value.type.k === "number" && !isInt64(t)) return value;
    return t.class === "bool" && value.type.k !== "truth" ? value : this.convert(value, t, node);
  }

  /** Converts two operands to one type: literals follow elements, truth values count as 0 and 1. */
  private meet(left: Expression, right: Expression, node: Node): [Expression, Expression, ValueType] {
    const a = left.type.k === "element" ? left.type.t : null;
    const b = right.type.k === "element" ? right.type.t : null;
    if (a !== null && b !== null) {
      if (a.js.value !== b.js.value)
        this.fail(node, `${a.name} meets ${b.name}`, "write cast<...>(...) around one of them");
      return [left, right, left.type];
    }
    if (a !== null) return [left, this.beside(right, a, node), left.type];
    if (b !== null) return [this.beside(left, b, node), right, right.type];
    return [left, right, left.type.k === "literal" && right.type.k === "literal" ? LITERAL : NUMBER];
  }

  // ---- expressions

  /** `node` with the author's parentheses around it. */
  wrapped(node: Node): Expression {
    const value = this.expression(node);
    if (!node.extra?.parenthesized) return value;
    return { node: "parenthesized", type: value.type, line: value.line, value };
  }

  condition(node: Node): Expression {
    const value = this.wrapped(node);
    const { k } = value.type;
    if (k !== "element" && k !== "literal" && k !== "number") return value;
    return { node: "nonzero", type: TRUTH, line: value.line, value: this.expression(node) };
  }

  expression(node: Node): Expression {
    const line: number = node.loc.start.line;
    switch (node.type) {
      case "NumericLiteral":
        return { node: "literal", type: LITERAL, line, text: node.extra.raw.replaceAll("_", "") };
      case "BigIntLiteral": // in the helpers' bodies for int64
        return { node: "literal", type: LITERAL, line, text: node.value };
      case "BooleanLiteral":
        return { node: "truth", type: TRUTH, line, value: node.value };
      case "StringLiteral":
      case "NullLiteral":
        return { node: "verbatim", type: OTHER, line, text: this.text(node) };
      case "Identifier":
        return this.identifier(node);
      case "UnaryExpression":
        return this.unary(node);
      case "BinaryExpression":
        return this.binary(node);
      case "LogicalExpression":
        return {
          node: "logical",
          type: TRUTH,
          line,
          operator: node.operator,
          left: this.condition(node.left),
          right: this.condition(node.right),
        };
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
        return { node: "non_null", type: value.type, line, value };
      }
      case "AssignmentExpression":
        return this.assignment(node);
      case "UpdateExpression": {
        const target = this.wrapped(node.argument);
        return { node: "update", type: target.type, line, operator: node.operator, prefix: node.prefix, target };
      }
      case "ArrayExpression":
        return { node: "list", type: OTHER, line, elements: this.expressions(node.elements) };
      case "NewExpression":
        return { node: "new", type: OTHER, line, callee: node.callee.name, args: this.expressions(node.arguments) };
      default:
        return this.fail(
          node,
          `${node.type} is outside the subset of kernel text`,
          "use const, if, return, loops, arithmetic, comparison, ?: and listed helpers; or write an ordinary function",
        );
    }
  }

  expressions(nodes: readonly Node[]): Expression[] {
    return nodes.map((n) => this.expression(n));
  }

  private identifier(node: Node): Expression {
    const line: number = node.loc.start.line;
    const known = this.scope.get(node.name);
    if (known !== undefined) return { node: "name", type: known, line, name: node.name };
    if (node.name === "Infinity" || node.name === "NaN")
      return { node: "verbatim", type: NUMBER, line, text: node.name };
    if (this.rows.has(node.name))
      return this.fail(
        node,
        `the row ${node.name} as a value`,
        "use load and store to read and write it, or pass it to a function",
      );
    const constant = this.file.constants.get(node.name);
    if (constant !== undefined) {
      if (/^-?\d+(\.\d+)?(e-?\d+)?$/.test(constant)) return { node: "literal", type: LITERAL, line, text: constant };
      return { node: "verbatim", type: NUMBER, line, text: `(${constant})` };
    }
    return this.fail(
      node,
      `unknown name "${node.name}"`,
      "pass it as a parameter, or make it a const with a literal value in this file",
    );
  }

  private unary(node: Node): Expression {
    const line: number = node.loc.start.line;
    const operand = this.wrapped(node.argument);
    const { operator } = node;
    if (operator === "!") return { node: "unary", type: TRUTH, line, operator, operand };
    return { node: "unary", type: operand.type.k === "truth" ? NUMBER : operand.type, line, operator, operand };
  }

  private binary(node: Node): Expression {
    const line: number = node.loc.start.line;
    const operator: string = node.operator === "==" ? "===" : node.operator === "!=" ? "!==" : node.operator;
    const [left, right, type] = this.meet(this.wrapped(node.left), this.wrapped(node.right), node);
    if (COMPARISONS.has(operator)) return { node: "binary", type: TRUTH, line, operator, left, right };
    if (!ARITHMETIC.has(operator))
      this.fail(node, `operator ${operator}`, "kernel text has arithmetic, bit and comparison operators");
    return { node: "binary", type, line, operator, left, right };
  }

  /** A condition that the dtypes decide leaves one branch; the other may be invalid for them. */
  private conditional(node: Node): Expression {
    const test = this.condition(node.test);
    if (test.node === "truth") return this.wrapped(test.value ? node.consequent : node.alternate);
    const yes = this.wrapped(node.consequent);
    const no = this.wrapped(node.alternate);
    const line: number = node.loc.start.line;
    if (yes.type.k === "truth" && no.type.k === "truth")
      return { node: "conditional", type: TRUTH, line, test, yes, no };
    const [y, n, type] = this.meet(yes, no, node);
    return { node: "conditional", type, line, test, yes: y, no: n };
  }

  private member(node: Node): Expression {
    const line: number = node.loc.start.line;
    if (node.object.type === "Identifier" && !this.scope.has(node.object.name) && !this.rows.has(node.object.name)) {
      if (node.object.name === "Math" || node.object.name === "Number")
        return { node: "builtin", type: NUMBER, line, name: `${node.object.name}.${node.property.name}` };
      return this.fail(node, `unknown name "${node.object.name}"`, "pass the object as captured<T>");
    }
    const property = rowProperty(node, this);
    if (property !== null) return property;
    const object = this.wrapped(node.object);
    if (!node.computed) {
      const type = node.property.name === "length" ? NUMBER : OTHER;
      return { node: "property", type, line, object, name: node.property.name };
    }
    if (object.type.k === "data") {
      this.fail(
        node,
        "an element of data<T> read or written with []",
        "use load(x, i) and store(x, i, v): they convert",
      );
    }
    const type = object.type.k === "array" ? element(object.type.t) : NUMBER;
    return { node: "index", type, line, object, index: this.expression(node.property) };
  }

  private assignment(node: Node): Expression {
    const left = this.expression(node.left);
    const target = left.node === "non_null" ? left.value : left;
    const right = this.expression(node.right);
    const value = target.type.k === "element" ? this.convert(right, target.type.t, node) : right;
    return { node: "assign", type: target.type, line: node.loc.start.line, operator: node.operator, target, value };
  }

  // ---- calls

  private call(node: Node): Expression {
    const { callee } = node;
    if (callee.type === "MemberExpression") return this.methodCall(node);
    if (callee.type !== "Identifier") return this.fail(node, "a call of a computed function", "call helpers by name");
    const intrinsic = typeIntrinsic(node, callee.name, this);
    if (intrinsic !== null) return intrinsic;
    const instance = this.instanceOf(callee.name);
    return instance === null ? this.helperCall(node, callee.name) : this.instanceCall(node, instance);
  }

  private methodCall(node: Node): Expression {
    const callee = this.member(node.callee);
    const args = this.expressions(node.arguments);
    const isMath = callee.node === "builtin" && callee.name.startsWith("Math.");
    if (isMath) {
      for (const [k, a] of args.entries()) {
        if (a.type.k !== "element" || !isInt64(a.type.t)) continue;
        const wayOut = "write a `$int64` body, or use a helper of c10/util/math.ts";
        this.fail(node.arguments[k], `${callee.name} of an int64`, wayOut);
      }
    }
    return { node: "call_method", type: isMath ? NUMBER : OTHER, line: node.loc.start.line, callee, args };
  }

  private instanceCall(node: Node, { name, body, bindings }: Instance): Expression {
    const args = node.arguments.flatMap((a: Node, k: number): Expression[] => {
      const want = typeNamed(body.params[k]?.type ?? "number", bindings);
      if (want.k === "row") return this.rowArgument(a, want);
      const value = this.expression(a);
      return [want.k === "element" ? this.convert(value, want.t, a) : value];
    });
    const type = typeNamed(body.returnType, bindings);
    return { node: "call_instance", type, line: node.loc.start.line, instance: name, args };
  }

  private rowArgument(node: Node, want: ValueType & { readonly k: "row" }): Expression[] {
    const row = wantRow(node, this);
    const packed = isPacked(row);
    if (row.strides.length !== want.depth || row.t !== want.t || (want.packed && !packed)) {
      const found = writtenRow({ t: row.t, depth: row.strides.length, packed: packed && want.packed });
      const wayOut = `pass a ${writtenRow(want)}; row_at(x, i) is one row of several`;
      return this.fail(node, `a ${found} where another row is required`, wayOut);
    }
    return want.packed ? parts(row).slice(0, -1) : parts(row);
  }

  private helperCall(node: Node, name: string): Expression {
    const values = this.expressions(node.arguments);
    const first = values.find((v) => v.type.k === "element")?.type;
    const t = first?.k === "element" ? first.t : null;
    const helper = this.helperFor(name, t) ?? this.failHelper(node, name, t);
    const args = values.map((v, k) =>
      t !== null && v.type.k !== "element" && v.type.k !== "other" && !(t.class === "bool" && v.type.k !== "truth")
        ? this.convert(v, t, node.arguments[k])
        : v,
    );
    const type =
      helper.returnType === "boolean" ? TRUTH : first !== undefined && helper.returnType !== "void" ? first : NUMBER;
    return { node: "call_helper", type, line: node.loc.start.line, helper, args };
  }

  /** The helper's body for the dtype of the first element among the arguments. */
  private helperFor(name: string, t: ElementType | null): Helper | undefined {
    for (const suffix of t === null ? [] : overrideSuffixes(t)) {
      const own = this.helpers.get(`${name}$${suffix}`);
      if (own !== undefined) return own;
    }
    return t !== null && isInt64(t) ? undefined : this.helpers.get(name);
  }

  private failHelper(node: Node, name: string, t: ElementType | null): never {
    if (this.helpers.has(name))
      return this.fail(node, `the helper ${name} has no body for ${t?.name}`, `write ${name}$${t?.name} beside it`);
    const wayOut = `export it from ${MATH} or src/aten/native/Math/index.ts, or write it in place`;
    return this.fail(node, `${name} is not a helper`, wayOut);
  }
}

/** Whether the literal is an integer, in any spelling. */
function isWhole(e: Expression): boolean {
  switch (e.node) {
    case "literal":
      return /^-?\d+$/.test(e.text);
    case "parenthesized":
      return isWhole(e.value);
    case "unary":
      return e.operator === "-" && isWhole(e.operand);
    case "conditional":
      return isWhole(e.yes) && isWhole(e.no);
    default:
      return false;
  }
}
