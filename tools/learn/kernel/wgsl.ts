/**
 * @file The parser of kernels in WGSL, the language of WebGPU: the part that the exercises need, as a tree. Other
 * constructs are errors with the line and a hint.
 * @original
 */

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** An error in a kernel, with its place; found when it is parsed, or when it runs. */
export class KernelError extends Error {
  override readonly name = "KernelError";
  readonly place: Place;

  constructor(place: Place, message: string) {
    super(`line ${place.line}, column ${place.column}: ${message}`);
    this.place = place;
  }
}

/** A type as it is written: `f32`, or `array<f32, 64>` with its size. */
export interface WrittenType extends Place {
  readonly name: string;
  readonly of: WrittenType | null;
  readonly size: Expression | null;
}

export type Expression = Place &
  (
    | { readonly kind: "number"; readonly text: string }
    | { readonly kind: "bool"; readonly value: boolean }
    | { readonly kind: "name"; readonly name: string }
    | { readonly kind: "index"; readonly of: Expression; readonly index: Expression }
    | { readonly kind: "member"; readonly of: Expression; readonly name: string }
    | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[] }
    | { readonly kind: "unary"; readonly operator: string; readonly operand: Expression }
    | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
    /** `&x`, for arrayLength */
    | { readonly kind: "address"; readonly of: Expression }
  );

export type Statement = Place &
  (
    | { readonly kind: "block"; readonly body: readonly Statement[] }
    | { readonly kind: "let" | "var" | "const"; readonly name: string; readonly type: WrittenType | null; readonly value: Expression | null }
    | { readonly kind: "assign"; readonly target: Expression; readonly operator: string; readonly value: Expression }
    | { readonly kind: "if"; readonly condition: Expression; readonly then: Statement; readonly otherwise: Statement | null }
    | { readonly kind: "for"; readonly init: Statement | null; readonly condition: Expression | null; readonly step: Statement | null; readonly body: Statement }
    | { readonly kind: "return"; readonly value: Expression | null }
    | { readonly kind: "break" | "continue" }
    | { readonly kind: "call"; readonly call: Expression }
  ); // biome-ignore format: one row a kind

export interface Variable extends Place {
  readonly name: string;
  readonly space: "storage" | "uniform" | "workgroup";
  readonly writable: boolean;
  readonly binding: number;
  readonly type: WrittenType;
}

export interface Parameter extends Place {
  readonly name: string;
  readonly builtin: string | null;
  readonly type: WrittenType;
}

export interface Function extends Place {
  readonly name: string;
  /** The entry point's workgroup size; null for other functions. */
  readonly workgroup_size: readonly Expression[] | null;
  readonly parameters: readonly Parameter[];
  readonly result: WrittenType | null;
  readonly body: Statement;
}

export interface Struct extends Place {
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly type: WrittenType }[];
}

export interface Module {
  readonly variables: readonly Variable[];
  readonly constants: readonly Statement[];
  readonly structs: readonly Struct[];
  readonly functions: readonly Function[];
}

interface Token extends Place {
  readonly text: string;
}

const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|(0x[\da-fA-F]+[iu]?|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?[iufh]?|[A-Za-z_]\w*|->|\+\+|--|<<=|>>=|<<|>>|[-+*/%&|^]=|[=!<>]=|&&|\|\||[-+*/%&|^!~<>=(){}[\],.;:@])/y;

function tokens(text: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const before = text.slice(0, at).split("\n");
    const place = { line: before.length, column: (before.at(-1) as string).length + 1 };
    const match = TOKEN.exec(text);
    if (match === null) throw new KernelError(place, `'${text[at]}' is not a character of WGSL`);
    if (match[1] !== undefined) found.push({ ...place, text: match[1] });
  }
  const last = found.at(-1) ?? { line: 1, column: 1 };
  return [...found, { line: last.line, column: last.column, text: "" }];
}

/** Operators by precedence, the weakest first; as in C, `==` binds more weakly than `<`. */
const LEVELS: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", ">", "<=", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];

const ASSIGNMENTS = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

const ELSEWHERE: Readonly<Record<string, string>> = {
  loop: "write `for (;;) { ... }`",
  while: "write `for (; condition; ) { ... }`",
  switch: "write `if` and `else if`",
  alias: "write the type itself",
  override: "write `const`",
  enable: "leave it out: these kernels compute in f32",
};

class Parser {
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(text: string) {
    this.tokens = tokens(text);
  }

  module(): Module {
    const module = {
      variables: [] as Variable[],
      constants: [] as Statement[],
      structs: [] as Struct[],
      functions: [] as Function[],
    };
    while (this.here.text !== "") {
      const { text } = this.here;
      if (text === ";") this.next();
      else if (text === "const") module.constants.push(this.declaration("const"));
      else if (text === "struct") module.structs.push(this.struct());
      else if (text === "@" || text === "var" || text === "fn") this.declared(module);
      else this.refuse(text);
    }
    return module;
  }

  private declared(module: { variables: Variable[]; functions: Function[] }): void {
    const attributes = this.attributes();
    if (this.here.text === "var") module.variables.push(this.variable(attributes));
    else if (this.here.text === "fn") module.functions.push(this.function(attributes));
    else this.refuse(this.here.text);
  }

  /**
   * Attributes by name, with the contents of their brackets: `@group(0) @binding(1)`, `@compute @workgroup_size(64)`,
   * `@builtin(workgroup_id)`.
   */
  private attributes(): Map<string, readonly Expression[]> {
    const found = new Map<string, readonly Expression[]>();
    while (this.skip("@")) {
      const { text } = this.name();
      found.set(text, this.skip("(") ? this.listed(")", () => this.expression()) : []);
    }
    return found;
  }

  private variable(attributes: ReadonlyMap<string, readonly Expression[]>): Variable {
    const { line, column } = this.expect("var");
    this.expect("<");
    const space = this.name().text;
    const access = this.skip(",") ? this.name().text : "read";
    this.expect(">");
    const { text: name } = this.name();
    this.expect(":");
    const type = this.type();
    this.expect(";");
    const binding = attributes.get("binding")?.[0];
    if (space !== "storage" && space !== "uniform" && space !== "workgroup")
      throw new KernelError(
        { line, column },
        `var<${space}>: there are var<storage>, var<uniform> and var<workgroup> here`,
      );
    if (space !== "workgroup" && binding?.kind !== "number")
      throw new KernelError({ line, column }, `'${name}' needs @group(0) @binding(n) before var: which buffer is it?`);
    const writable = space === "workgroup" || access === "read_write";
    return {
      line,
      column,
      name,
      space,
      writable,
      type,
      binding: binding?.kind === "number" ? Number.parseInt(binding.text, 10) : -1,
    };
  }

  private function(attributes: ReadonlyMap<string, readonly Expression[]>): Function {
    const { line, column } = this.expect("fn");
    const { text: name } = this.name();
    this.expect("(");
    const parameters = this.listed(")", () => this.parameter());
    const result = this.skip("->") ? this.type() : null;
    const size = attributes.get("workgroup_size") ?? null;
    if (attributes.has("compute") && size === null)
      throw new KernelError(
        { line, column },
        `'${name}' needs @workgroup_size(...): how many invocations make a workgroup?`,
      );
    return {
      line,
      column,
      name,
      workgroup_size: attributes.has("compute") ? size : null,
      parameters,
      result,
      body: this.block(),
    };
  }

  private parameter(): Parameter {
    const builtin = this.attributes().get("builtin")?.[0];
    const { text: name, line, column } = this.name();
    this.expect(":");
    return { name, line, column, builtin: builtin?.kind === "name" ? builtin.name : null, type: this.type() };
  }

  private struct(): Struct {
    const { line, column } = this.expect("struct");
    const { text: name } = this.name();
    this.expect("{");
    const members = this.listed("}", () => {
      const { text: member } = this.name();
      this.expect(":");
      return { name: member, type: this.type() };
    });
    return { line, column, name, members };
  }

  private type(): WrittenType {
    const { text: name, line, column } = this.name();
    if (!this.skip("<")) return { name, line, column, of: null, size: null };
    const of = this.type();
    const size = this.skip(",") ? this.level(LEVELS.length - 2) : null; // comparisons are excluded, because `>` ends the type
    this.expect(">");
    return { name, line, column, of, size };
  }

  private block(): Statement {
    const { line, column } = this.expect("{");
    const body: Statement[] = [];
    while (!this.skip("}")) if (!this.skip(";")) body.push(this.statement());
    return { kind: "block", line, column, body };
  }

  private statement(): Statement {
    const { text, line, column } = this.here;
    switch (text) {
      case "{":
        return this.block();
      case "let":
      case "var":
      case "const":
        return this.declaration(text);
      case "if":
        return this.branch();
      case "for":
        return this.loop();
      case "return": {
        this.next();
        const value = this.here.text === ";" ? null : this.expression();
        this.expect(";");
        return { kind: "return", line, column, value };
      }
      case "break":
      case "continue":
        this.next();
        this.expect(";");
        return { kind: text, line, column };
      default: {
        const simple = this.simple();
        this.expect(";");
        return simple;
      }
    }
  }

  private declaration(kind: "let" | "var" | "const"): Statement {
    const { line, column } = this.expect(kind);
    const { text: name } = this.name();
    const type = this.skip(":") ? this.type() : null;
    const value = this.skip("=") ? this.expression() : null;
    if (value === null && kind !== "var")
      throw new KernelError({ line, column }, `'${name}' needs a value: ${kind} ${name} = ...`);
    this.expect(";");
    return { kind, line, column, name, type, value };
  }

  private branch(): Statement {
    const { line, column } = this.expect("if");
    const condition = this.expression();
    const then = this.block();
    const otherwise = !this.skip("else") ? null : this.here.text === "if" ? this.branch() : this.block();
    return { kind: "if", line, column, condition, then, otherwise };
  }

  private loop(): Statement {
    const { line, column } = this.expect("for");
    this.expect("(");
    const init = this.here.text === ";" ? null : this.here.text === "var" ? this.declaration("var") : this.simple();
    if (init === null || init.kind !== "var") this.expect(";");
    const condition = this.here.text === ";" ? null : this.expression();
    this.expect(";");
    const step = this.here.text === ")" ? null : this.simple();
    this.expect(")");
    return { kind: "for", line, column, init, condition, step, body: this.block() };
  }

  /** An assignment, `i++`, or a call. */
  private simple(): Statement {
    const { line, column, text } = this.here;
    if (text in ELSEWHERE) this.refuse(text);
    const target = this.postfix();
    const operator = this.here.text;
    if (operator === "++" || operator === "--") {
      this.next();
      return {
        kind: "assign",
        line,
        column,
        target,
        operator: operator === "++" ? "+=" : "-=",
        value: { kind: "number", line, column, text: "1" },
      };
    }
    if (ASSIGNMENTS.includes(operator)) {
      this.next();
      return { kind: "assign", line, column, target, operator, value: this.expression() };
    }
    if (target.kind !== "call") throw new KernelError(this.here, `'${operator}' where an assignment was expected`);
    return { kind: "call", line, column, call: target };
  }

  private expression(): Expression {
    return this.level(0);
  }

  private level(level: number): Expression {
    if (level === LEVELS.length) return this.unary();
    let left = this.level(level + 1);
    while (LEVELS[level].includes(this.here.text)) {
      const { text: operator, line, column } = this.next();
      left = { kind: "binary", line, column, operator, left, right: this.level(level + 1) };
    }
    return left;
  }

  private unary(): Expression {
    const { text, line, column } = this.here;
    if (text === "-" || text === "!" || text === "~") {
      this.next();
      return { kind: "unary", line, column, operator: text, operand: this.unary() };
    }
    if (this.skip("&")) return { kind: "address", line, column, of: this.unary() };
    return this.postfix();
  }

  private postfix(): Expression {
    let of = this.primary();
    for (;;) {
      const { line, column } = this.here;
      if (this.skip("[")) {
        of = { kind: "index", line, column, of, index: this.expression() };
        this.expect("]");
      } else if (this.skip(".")) of = { kind: "member", line, column, of, name: this.name().text };
      else return of;
    }
  }

  private primary(): Expression {
    const { text, line, column } = this.next();
    if (/^[\d.]/.test(text)) return { kind: "number", line, column, text };
    if (text === "true" || text === "false") return { kind: "bool", line, column, value: text === "true" };
    if (text === "(") {
      const inner = this.expression();
      this.expect(")");
      return inner;
    }
    if (!/^[A-Za-z_]/.test(text)) throw new KernelError({ line, column }, `'${text}' where a value was expected`);
    if (this.skip("("))
      return { kind: "call", line, column, name: text, args: this.listed(")", () => this.expression()) };
    return { kind: "name", line, column, name: text };
  }

  /** `a, b, c)`; a final comma is optional. */
  private listed<T>(end: string, one: () => T): T[] {
    const found: T[] = [];
    while (!this.skip(end)) {
      found.push(one());
      if (this.here.text !== end) this.expect(",");
    }
    return found;
  }

  private get here(): Token {
    return this.tokens[this.at];
  }
  private next(): Token {
    return this.tokens[this.at++] ?? this.here;
  }
  private skip(text: string): boolean {
    if (this.here.text !== text) return false;
    this.at++;
    return true;
  }
  private expect(text: string): Token {
    if (this.here.text !== text)
      throw new KernelError(this.here, `'${this.here.text || "the end"}' where '${text}' was expected`);
    return this.next();
  }
  private name(): Token {
    if (!/^[A-Za-z_]/.test(this.here.text))
      throw new KernelError(this.here, `'${this.here.text}' where a name was expected`);
    return this.next();
  }
  private refuse(text: string): never {
    const way = ELSEWHERE[text] ?? "a kernel has struct, const, var<...> and fn";
    throw new KernelError(this.here, `'${text}' is not supported by the simulator; way out: ${way}`);
  }
}

/** @throws {KernelError} if the text is no WGSL, or outside the supported part */
export function parse(text: string): Module {
  return new Parser(text).module();
}
