/**
 * @file A syntax tree as a program that has this tree, as `ast.unparse` writes it.
 * @mirrors Lib/ast.py (CPython 3.11): unparse
 */
import { bytes_repr, PyBytes } from "../Objects/bytesobject.ts";
import { Ellipsis } from "../Objects/sliceobject.ts";
import { is_printable, str_repr } from "../Objects/unicodeobject.ts";
import { class_name, constant_repr } from "./dump.ts";
import * as ast from "./nodes.ts";

/** How tight an expression binds: one that binds less tight than its place wants gets brackets. */
const Level = {
  TUPLE: 0,
  YIELD: 1,
  TEST: 2,
  OR: 3,
  AND: 4,
  NOT: 5,
  CMP: 6,
  BOR: 7,
  BXOR: 8,
  BAND: 9,
  SHIFT: 10,
  ARITH: 11,
  TERM: 12,
  FACTOR: 13,
  POWER: 14,
  AWAIT: 15,
  ATOM: 16,
} as const;
type Level = (typeof Level)[keyof typeof Level];

const BINARY: Readonly<Record<string, readonly [text: string, level: Level]>> = {
  Add: ["+", Level.ARITH],
  Sub: ["-", Level.ARITH],
  Mult: ["*", Level.TERM],
  MatMult: ["@", Level.TERM],
  Div: ["/", Level.TERM],
  Mod: ["%", Level.TERM],
  LShift: ["<<", Level.SHIFT],
  RShift: [">>", Level.SHIFT],
  BitOr: ["|", Level.BOR],
  BitXor: ["^", Level.BXOR],
  BitAnd: ["&", Level.BAND],
  FloorDiv: ["//", Level.TERM],
  Pow: ["**", Level.POWER],
};
const UNARY: Readonly<Record<string, readonly [text: string, level: Level]>> = {
  Invert: ["~", Level.FACTOR],
  Not: ["not ", Level.NOT],
  UAdd: ["+", Level.FACTOR],
  USub: ["-", Level.FACTOR],
};
const COMPARISON: Readonly<Record<string, string>> = {
  Eq: "==",
  NotEq: "!=",
  Lt: "<",
  LtE: "<=",
  Gt: ">",
  GtE: ">=",
  Is: "is",
  IsNot: "is not",
  In: "in",
  NotIn: "not in",
};

const SINGLE = ["'", '"'];
const TRIPLE = ['"""', "'''"];
/** Written for an infinite float, which has no literal. */
const INFINITY = "1e309";

/** `ast.unparse(tree)`: a program whose tree is this one. */
export function unparse(node: ast.AST): string {
  const out = new Unparser();
  if (node instanceof ast.Module || node instanceof ast.Interactive) out.body_with_docstring(node.body);
  else if (node instanceof ast.Expression) return expression(node.body, Level.TEST);
  else if (node instanceof ast.stmt) out.statement(node);
  else if (node instanceof ast.expr) return expression(node, Level.TEST);
  else if (node instanceof ast.pattern) return pattern(node, Level.TEST);
  return out.text;
}

/** Whether an expression is written for a code object. Python has a second writer for this, which differs in three details. */
let as_compiler = false;

/** An annotation as `from __future__ import annotations` keeps it. */
export function annotation_text(node: ast.expr): string {
  as_compiler = true;
  try {
    return expression(node, Level.TEST);
  } finally {
    as_compiler = false;
  }
}

class Unparser {
  text = "";
  private indent = 0;

  private line(text: string): void {
    if (this.text !== "") this.text += "\n";
    this.text += "    ".repeat(this.indent) + text;
  }

  private gap(): void {
    if (this.text !== "") this.text += "\n";
  }

  private block(body: readonly ast.stmt[], may_be_documented = false): void {
    this.text += ":";
    this.indent++;
    if (may_be_documented) this.body_with_docstring(body);
    else for (const each of body) this.statement(each);
    this.indent--;
  }

  body_with_docstring(body: readonly ast.stmt[]): void {
    const [first] = body;
    const value = first instanceof ast.Expr ? first.value : null;
    const documented = value instanceof ast.Constant && typeof value.value === "string";
    if (documented) {
      this.line(value.kind === "u" ? "u" : "");
      this.text += string_literal(value.value as string, TRIPLE);
    }
    for (const each of documented ? body.slice(1) : body) this.statement(each);
  }

  private suite(head: string, body: readonly ast.stmt[]): void {
    this.line(head);
    this.block(body);
  }

  private or_else(orelse: readonly ast.stmt[]): void {
    if (orelse.length > 0) this.suite("else", orelse);
  }

  statement(node: ast.stmt): void {
    const name = class_name(node);
    switch (name) {
      case "FunctionDef":
      case "AsyncFunctionDef":
        this.function_def(node as ast.FunctionDef, name === "FunctionDef" ? "def" : "async def");
        return;
      case "ClassDef":
        this.class_def(node as ast.ClassDef);
        return;
      case "For":
      case "AsyncFor": {
        const { target, iter, body, orelse } = node as ast.For;
        this.suite(`${name === "For" ? "" : "async "}for ${bare(target)} in ${expression(iter, Level.TEST)}`, body);
        this.or_else(orelse);
        return;
      }
      case "With":
      case "AsyncWith": {
        const { items, body } = node as ast.With;
        this.suite(`${name === "With" ? "" : "async "}with ${items.map(with_item).join(", ")}`, body);
        return;
      }
      case "If":
        this.if_statement(node as ast.If);
        return;
      case "While": {
        const { test, body, orelse } = node as ast.While;
        this.suite(`while ${expression(test, Level.TEST)}`, body);
        this.or_else(orelse);
        return;
      }
      case "Try":
      case "TryStar":
        this.try_statement(node as ast.Try, name === "TryStar");
        return;
      case "Match":
        this.match(node as ast.Match);
        return;
      default:
        this.line(simple_statement(node, name));
    }
  }

  private decorators(list: readonly ast.expr[]): void {
    this.gap();
    for (const each of list) this.line(`@${expression(each, Level.TEST)}`);
  }

  private function_def(node: ast.FunctionDef, word: string): void {
    this.decorators(node.decorator_list);
    const returns = node.returns === null ? "" : ` -> ${expression(node.returns, Level.TEST)}`;
    this.line(`${word} ${node.name}(${parameters(node.args)})${returns}`);
    this.block(node.body, true);
  }

  private class_def(node: ast.ClassDef): void {
    this.decorators(node.decorator_list);
    const given = [...node.bases.map((base) => expression(base, Level.TEST)), ...node.keywords.map(keyword)];
    this.line(`class ${node.name}${given.length > 0 ? `(${given.join(", ")})` : ""}`);
    this.block(node.body, true);
  }

  private if_statement(node: ast.If): void {
    this.suite(`if ${expression(node.test, Level.TEST)}`, node.body);
    let { orelse } = node;
    while (orelse.length === 1 && orelse[0] instanceof ast.If) {
      const next: ast.If = orelse[0];
      this.suite(`elif ${expression(next.test, Level.TEST)}`, next.body);
      orelse = next.orelse;
    }
    this.or_else(orelse);
  }

  private try_statement(node: ast.Try, star: boolean): void {
    this.suite("try", node.body);
    for (const { type, name, body } of node.handlers as ast.ExceptHandler[]) {
      const what = type === null ? "" : ` ${expression(type, Level.TEST)}`;
      this.suite(`except${star ? "*" : ""}${what}${name === null ? "" : ` as ${name}`}`, body);
    }
    this.or_else(node.orelse);
    if (node.finalbody.length > 0) this.suite("finally", node.finalbody);
  }

  private match(node: ast.Match): void {
    this.line(`match ${expression(node.subject, Level.TEST)}`);
    this.text += ":";
    this.indent++;
    for (const each of node.cases) {
      const guard = each.guard === null ? "" : ` if ${expression(each.guard, Level.TEST)}`;
      this.suite(`case ${pattern(each.pattern, Level.TEST)}${guard}`, each.body);
    }
    this.indent--;
  }
}

function simple_statement(node: ast.stmt, name: string): string {
  if (node instanceof ast.Expr) return expression(node.value, Level.YIELD);
  if (node instanceof ast.Assign)
    return `${node.targets.map((target) => `${bare(target)} = `).join("")}${expression(node.value, Level.TEST)}`;
  if (node instanceof ast.AugAssign) {
    const [op] = BINARY[class_name(node.op)] as (typeof BINARY)[string];
    return `${expression(node.target, Level.TEST)} ${op}= ${expression(node.value, Level.TEST)}`;
  }
  if (node instanceof ast.AnnAssign) {
    const bracketed = node.simple === 0 && node.target instanceof ast.Name;
    const target = expression(node.target, Level.TEST);
    const value = node.value === null ? "" : ` = ${expression(node.value, Level.TEST)}`;
    return `${bracketed ? `(${target})` : target}: ${expression(node.annotation, Level.TEST)}${value}`;
  }
  if (node instanceof ast.Return)
    return node.value === null ? "return" : `return ${expression(node.value, Level.TEST)}`;
  if (node instanceof ast.Delete) return `del ${node.targets.map((each) => expression(each, Level.TEST)).join(", ")}`;
  if (node instanceof ast.Raise) {
    if (node.exc === null) return "raise";
    const cause = node.cause === null ? "" : ` from ${expression(node.cause, Level.TEST)}`;
    return `raise ${expression(node.exc, Level.TEST)}${cause}`;
  }
  if (node instanceof ast.Assert) {
    const message = node.msg === null ? "" : `, ${expression(node.msg, Level.TEST)}`;
    return `assert ${expression(node.test, Level.TEST)}${message}`;
  }
  if (node instanceof ast.Import) return `import ${node.names.map(alias).join(", ")}`;
  if (node instanceof ast.ImportFrom)
    return `from ${".".repeat(node.level ?? 0)}${node.module ?? ""} import ${node.names.map(alias).join(", ")}`;
  if (node instanceof ast.Global) return `global ${node.names.join(", ")}`;
  if (node instanceof ast.Nonlocal) return `nonlocal ${node.names.join(", ")}`;
  return name.toLowerCase();
}

const alias = ({ name, asname }: ast.alias): string => (asname === null ? name : `${name} as ${asname}`);

function with_item({ context_expr, optional_vars }: ast.withitem): string {
  const value = expression(context_expr, Level.TEST);
  return optional_vars === null ? value : `${value} as ${expression(optional_vars, Level.TEST)}`;
}

function keyword({ arg, value }: ast.keyword): string {
  return `${arg === null ? "**" : `${arg}=`}${expression(value, Level.TEST)}`;
}

function parameters(args: ast.arguments_): string {
  const one = ({ arg, annotation }: ast.arg): string =>
    annotation === null ? arg : `${arg}: ${expression(annotation, Level.TEST)}`;
  const parts: string[] = [];
  const positional = [...args.posonlyargs, ...args.args];
  const without = positional.length - args.defaults.length;
  for (const [i, each] of positional.entries()) {
    const fallback = args.defaults[i - without];
    parts.push(fallback === undefined ? one(each) : `${one(each)}=${expression(fallback, Level.TEST)}`);
    if (i === args.posonlyargs.length - 1) parts.push("/");
  }
  if (args.vararg !== null || args.kwonlyargs.length > 0)
    parts.push(`*${args.vararg === null ? "" : one(args.vararg)}`);
  for (const [i, each] of args.kwonlyargs.entries()) {
    const fallback = args.kw_defaults[i];
    parts.push(fallback == null ? one(each) : `${one(each)}=${expression(fallback, Level.TEST)}`);
  }
  if (args.kwarg !== null) parts.push(`**${one(args.kwarg)}`);
  return parts.join(", ");
}

// Expressions ---------------------------------------------------------------------------------------------------------------

/** Where a tuple needs no brackets. */
const bare = (node: ast.expr): string => expression(node, Level.TUPLE);
const atom = (node: ast.expr): string => expression(node, Level.ATOM);
const list = (nodes: readonly ast.expr[]): string => nodes.map((each) => expression(each, Level.TEST)).join(", ");

function expression(node: ast.expr, wanted: Level): string {
  const [text, level] = written(node);
  return level < wanted ? `(${text})` : text;
}

function written(node: ast.expr): readonly [text: string, level: Level] {
  if (node instanceof ast.Name) return [node.id, Level.ATOM];
  if (node instanceof ast.Constant) return [constant(node), Level.ATOM];
  if (node instanceof ast.Attribute) {
    // The compiler asks for an int, the module `ast` also for its subclass bool.
    const whole = node.value instanceof ast.Constant && /^(?:number|bigint|boolean)$/.test(typeof node.value.value);
    const { value } = node.value as ast.Constant;
    const space = whole && (typeof value === "boolean" ? !as_compiler : Number.isInteger(Number(value))) ? " " : "";
    return [`${atom(node.value)}${space}.${node.attr}`, Level.ATOM];
  }
  if (node instanceof ast.Call) {
    const [only] = node.args;
    const alone = node.args.length === 1 && node.keywords.length === 0 && only instanceof ast.GeneratorExp;
    if (as_compiler && alone) return [atom(node.func) + expression(only, Level.ATOM), Level.ATOM];
    return [
      `${atom(node.func)}(${[...node.args.map((each) => expression(each, Level.TEST)), ...node.keywords.map(keyword)].join(", ")})`,
      Level.ATOM,
    ];
  }
  if (node instanceof ast.Subscript) {
    const { slice } = node;
    const open = slice instanceof ast.Tuple && slice.elts.length > 0;
    return [`${atom(node.value)}[${open ? tuple_items(slice.elts) : expression(slice, Level.TEST)}]`, Level.ATOM];
  }
  if (node instanceof ast.Starred) return [`*${expression(node.value, Level.BOR)}`, Level.ATOM];
  if (node instanceof ast.BinOp) {
    const [op, level] = BINARY[class_name(node.op)] as (typeof BINARY)[string];
    const right_first = op === "**";
    const next = (level + 1) as Level;
    const left = expression(node.left, right_first ? next : level);
    return [`${left} ${op} ${expression(node.right, right_first ? level : next)}`, level];
  }
  if (node instanceof ast.UnaryOp) {
    const [op, level] = UNARY[class_name(node.op)] as (typeof UNARY)[string];
    return [`${op}${expression(node.operand, level)}`, level];
  }
  if (node instanceof ast.BoolOp) return bool_op(node);
  if (node instanceof ast.Compare) {
    const next = (Level.CMP + 1) as Level;
    const rest = node.ops.map(
      (op, i) => ` ${COMPARISON[class_name(op)]} ${expression(node.comparators[i] as ast.expr, next)}`,
    );
    return [expression(node.left, next) + rest.join(""), Level.CMP];
  }
  if (node instanceof ast.IfExp) {
    const next = (Level.TEST + 1) as Level;
    const orelse = expression(node.orelse, Level.TEST);
    return [`${expression(node.body, next)} if ${expression(node.test, next)} else ${orelse}`, Level.TEST];
  }
  if (node instanceof ast.Lambda) {
    const args = parameters(node.args);
    const gap = args === "" || (as_compiler && /^\*/.test(args)) ? "" : " ";
    return [`lambda${gap}${args}: ${expression(node.body, Level.TEST)}`, Level.TEST];
  }
  if (node instanceof ast.NamedExpr)
    return [`${expression(node.target, Level.ATOM)} := ${expression(node.value, Level.ATOM)}`, Level.TUPLE];
  if (node instanceof ast.Await) return [`await ${atom(node.value)}`, Level.AWAIT];
  if (node instanceof ast.Yield) return [node.value === null ? "yield" : `yield ${atom(node.value)}`, Level.YIELD];
  if (node instanceof ast.YieldFrom) return [`yield from ${atom(node.value)}`, Level.YIELD];
  return display(node);
}

/** Operands after the first bind tighter, so that the tree comes back. */
function bool_op(node: ast.BoolOp): readonly [text: string, level: Level] {
  const and = node.op instanceof ast.And;
  const level = and ? Level.AND : Level.OR;
  const next = (i: number): number => level + 1 + (as_compiler ? 0 : i);
  const values = node.values.map((each, i) => expression(each, Math.min(next(i), Level.ATOM) as Level));
  return [values.join(and ? " and " : " or "), level];
}

const tuple_items = (elts: readonly ast.expr[]): string =>
  elts.length === 1 ? `${expression(elts[0] as ast.expr, Level.TEST)},` : list(elts);

function display(node: ast.expr): readonly [text: string, level: Level] {
  if (node instanceof ast.Tuple)
    return node.elts.length === 0 ? ["()", Level.ATOM] : [tuple_items(node.elts), Level.TUPLE];
  if (node instanceof ast.List) return [`[${list(node.elts)}]`, Level.ATOM];
  if (node instanceof ast.Set) return [node.elts.length === 0 ? "{*()}" : `{${list(node.elts)}}`, Level.ATOM];
  if (node instanceof ast.Dict) {
    const items = node.values.map((value, i) => {
      const key = node.keys[i] ?? null;
      return key === null
        ? `**${expression(value, Level.BOR)}`
        : `${expression(key, Level.TEST)}: ${expression(value, Level.TEST)}`;
    });
    return [`{${items.join(", ")}}`, Level.ATOM];
  }
  if (node instanceof ast.ListComp)
    return [`[${comprehension(expression(node.elt, Level.TEST), node.generators)}]`, Level.ATOM];
  if (node instanceof ast.SetComp)
    return [`{${comprehension(expression(node.elt, Level.TEST), node.generators)}}`, Level.ATOM];
  if (node instanceof ast.GeneratorExp)
    return [`(${comprehension(expression(node.elt, Level.TEST), node.generators)})`, Level.ATOM];
  if (node instanceof ast.DictComp) {
    const pair = `${expression(node.key, Level.TEST)}: ${expression(node.value, Level.TEST)}`;
    return [`{${comprehension(pair, node.generators)}}`, Level.ATOM];
  }
  if (node instanceof ast.Slice) {
    const part = (value: ast.expr | null): string => (value === null ? "" : expression(value, Level.TEST));
    const step = node.step === null ? "" : `:${part(node.step)}`;
    return [`${part(node.lower)}:${part(node.upper)}${step}`, Level.ATOM];
  }
  return [f_string(node as ast.JoinedStr | ast.FormattedValue), Level.ATOM];
}

function comprehension(element: string, generators: readonly ast.comprehension[]): string {
  const next = (Level.TEST + 1) as Level;
  const parts = generators.map(({ target, iter, ifs, is_async }) => {
    const tests = ifs.map((test) => ` if ${expression(test, next)}`).join("");
    return ` ${is_async ? "async " : ""}for ${bare(target)} in ${expression(iter, next)}${tests}`;
  });
  return element + parts.join("");
}

function constant({ value, kind }: ast.Constant): string {
  if (value === Ellipsis) return "...";
  if (typeof value === "string") return (kind === "u" ? "u" : "") + str_repr(value);
  if (value instanceof PyBytes) return bytes_repr(value);
  return constant_repr(value).replaceAll("inf", INFINITY).replaceAll("nan", `(${INFINITY}-${INFINITY})`);
}

// Strings -------------------------------------------------------------------------------------------------------------------

/** A literal in the first of these quotes that needs no backslash. */
function string_literal(text: string, quotes: readonly string[]): string {
  const [escaped, possible] = quoted(text, quotes, false);
  return possible[0] + escaped + possible[0];
}

/** The text with its escapes, and the quotes that can stand around it. */
function quoted(text: string, quotes: readonly string[], whitespace_too: boolean): [string, readonly string[]] {
  let escaped = "";
  for (const character of text) {
    if (!whitespace_too && (character === "\n" || character === "\t")) escaped += character;
    else if (character === "\\" || !is_printable(character)) escaped += str_repr(character).slice(1, -1);
    else escaped += character;
  }
  let possible = quotes.filter((quote) => !escaped.includes(quote));
  if (escaped.includes("\n")) possible = possible.filter((quote) => quote.length === 3);
  if (possible.length === 0) {
    const repr = str_repr(text);
    const quote = quotes.find((each) => each.includes(repr[0] as string)) as string;
    return [repr.slice(1, -1), [quote]];
  }
  if (escaped !== "") {
    possible = [...possible].sort((a, b) => Number(a[0] === escaped.at(-1)) - Number(b[0] === escaped.at(-1)));
    if (possible[0]?.[0] === escaped.at(-1)) escaped = `${escaped.slice(0, -1)}\\${escaped.at(-1)}`;
  }
  return [escaped, possible];
}

function f_string(node: ast.JoinedStr | ast.FormattedValue): string {
  const pieces: (readonly [text: string, constant: boolean])[] = [];
  collect(node, pieces);
  let quotes: readonly string[] = [...SINGLE, ...TRIPLE];
  let text = "";
  for (const [piece, is_constant] of pieces) {
    const [escaped, possible] = quoted(piece, quotes, is_constant);
    quotes = possible;
    text += escaped;
  }
  return `f${quotes[0]}${text}${quotes[0]}`;
}

function collect(node: ast.expr, into: (readonly [string, boolean])[]): void {
  if (node instanceof ast.JoinedStr) for (const value of node.values) collect(value, into);
  else if (node instanceof ast.Constant)
    into.push([String(node.value).replaceAll("{", "{{").replaceAll("}", "}}"), true]);
  else {
    const { value, conversion, format_spec } = node as ast.FormattedValue;
    const text = expression(value, (Level.TEST + 1) as Level);
    const shown = conversion === -1 ? "" : `!${String.fromCharCode(conversion)}`;
    const inner: (readonly [string, boolean])[] = [];
    if (format_spec !== null) collect(format_spec, inner);
    const format = format_spec === null ? "" : `:${inner.map(([piece]) => piece).join("")}`;
    into.push([`{${text.startsWith("{") ? " " : ""}${text}${shown}${format}}`, false]);
  }
}

// Patterns ------------------------------------------------------------------------------------------------------------------

function pattern(node: ast.pattern, wanted: Level): string {
  const [text, level] = written_pattern(node);
  return level < wanted ? `(${text})` : text;
}

function written_pattern(node: ast.pattern): readonly [text: string, level: Level] {
  const each = (patterns: readonly ast.pattern[]): string => patterns.map((p) => pattern(p, Level.TEST)).join(", ");
  if (node instanceof ast.MatchValue) return [expression(node.value, Level.TEST), Level.ATOM];
  if (node instanceof ast.MatchSingleton) return [constant_repr(node.value), Level.ATOM];
  if (node instanceof ast.MatchSequence) return [`[${each(node.patterns)}]`, Level.ATOM];
  if (node instanceof ast.MatchStar) return [`*${node.name ?? "_"}`, Level.ATOM];
  if (node instanceof ast.MatchMapping) {
    const items = node.keys.map(
      (key, i) => `${expression(key, Level.TEST)}: ${pattern(node.patterns[i] as ast.pattern, Level.TEST)}`,
    );
    if (node.rest !== null) items.push(`**${node.rest}`);
    return [`{${items.join(", ")}}`, Level.ATOM];
  }
  if (node instanceof ast.MatchClass) {
    const named = node.kwd_attrs.map(
      (name, i) => `${name}=${pattern(node.kwd_patterns[i] as ast.pattern, Level.TEST)}`,
    );
    const given = [...node.patterns.map((p) => pattern(p, Level.TEST)), ...named];
    return [`${atom(node.cls)}(${given.join(", ")})`, Level.ATOM];
  }
  if (node instanceof ast.MatchOr) {
    const next = (Level.BOR + 1) as Level;
    return [node.patterns.map((p) => pattern(p, next)).join(" | "), Level.BOR];
  }
  const { pattern: inner, name } = node as ast.MatchAs;
  if (name === null) return ["_", Level.ATOM];
  return inner === null ? [name, Level.ATOM] : [`${pattern(inner, Level.BOR)} as ${name}`, Level.TEST];
}
