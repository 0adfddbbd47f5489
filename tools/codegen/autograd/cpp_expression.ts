/**
 * @file The parser of C++ expressions, the language of derivatives.yaml. It makes a tree; `formula_typing.ts` finds the
 * meaning of names and types.
 * @original PyTorch passes the text of a formula to the C++ compiler.
 *
 *     grad * -self.sin().conj()     binary * ( grad, unary - ( call ( member conj ( call ( member sin ( self ) ) ) ) ) )
 */
import { SchemaError } from "../errors.ts";

export type Expression =
  | { readonly kind: "number"; readonly value: number; readonly is_integer: boolean }
  | { readonly kind: "string"; readonly value: string }
  /** `self`, `at::zeros`, `std::get<0>`: with its namespaces, and with its template arguments if there are any. */
  | { readonly kind: "name"; readonly name: string; readonly template: readonly TemplateArgument[] | null }
  | { readonly kind: "call"; readonly callee: Expression; readonly args: readonly Expression[] }
  /** `x.name`; `arrow` for `x->name`. */
  | { readonly kind: "member"; readonly object: Expression; readonly name: string; readonly arrow: boolean }
  | { readonly kind: "index"; readonly object: Expression; readonly index: Expression }
  | { readonly kind: "unary"; readonly op: string; readonly operand: Expression }
  | { readonly kind: "binary"; readonly op: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "conditional"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  /** `{a, b}`, or `T{a, b}`: `type` is the name before it. */
  | { readonly kind: "braces"; readonly items: readonly Expression[]; readonly type: Expression | null }
  | { readonly kind: "lambda"; readonly parameters: readonly LambdaParameter[]; readonly body: Expression };

/** A number in `std::get<0>`, a type in `std::vector<Tensor>`. */
export type TemplateArgument = number | CppType;

export interface CppType {
  readonly name: string;
  readonly template: readonly TemplateArgument[] | null;
}

export interface LambdaParameter {
  readonly type: CppType;
  readonly name: string;
}

/** Operators by precedence, weakest first; operators of one row bind equally and to the left. */
const PRECEDENCE: readonly (readonly string[])[] = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", ">", "<=", ">="],
  ["+", "-"],
  ["*", "/", "%"],
];
const UNARY = ["-", "+", "!", "~", "*"];
const TOKEN =
  /\s*(?:\/\*[\s\S]*?\*\/\s*)*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)([fFlLuU]*)|((?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)|"((?:[^"\\]|\\.)*)"|(->|&&|\|\||==(?!=)|!=(?!=)|<=|>=|[-+*/%!~&|^<>?:.,;(){}[\]=]))/y;
const CASTS = new Set(["static_cast", "const_cast"]);

interface Token {
  readonly kind: "number" | "name" | "string" | "sign" | "end";
  readonly text: string;
  readonly start: number;
}

/** @throws {SchemaError} with the position inside the text and a hint */
export function parse_expression(text: string): Expression {
  return new Parser(text).whole();
}

class Parser {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(text: string) {
    this.text = text;
    this.tokens = tokenize(text);
  }

  whole(): Expression {
    const found = this.conditional();
    if (this.token().kind !== "end") throw this.unexpected("the end");
    return found;
  }

  private token(): Token {
    return this.tokens[this.at];
  }

  private unexpected(wanted: string): SchemaError {
    const { kind, text, start } = this.token();
    const found = kind === "end" ? "the formula ends" : `'${text}' (at '${this.text.slice(start).slice(0, 30)}')`;
    return new SchemaError(`${found} where ${wanted} is expected`, way_out_of(text));
  }

  private sign(text: string): boolean {
    const t = this.token();
    if (t.kind !== "sign" || t.text !== text) return false;
    this.at++;
    return true;
  }

  private expect(text: string): void {
    if (!this.sign(text)) throw this.unexpected(`'${text}'`);
  }

  private conditional(): Expression {
    const test = this.binary(0);
    if (!this.sign("?")) return test;
    const yes = this.conditional();
    this.expect(":");
    return { kind: "conditional", test, yes, no: this.conditional() };
  }

  private binary(level: number): Expression {
    const operators = PRECEDENCE[level];
    if (operators === undefined) return this.unary();
    let left = this.binary(level + 1);
    for (let op = this.token(); op.kind === "sign" && operators.includes(op.text); op = this.token()) {
      this.at++;
      left = { kind: "binary", op: op.text, left, right: this.binary(level + 1) };
    }
    return left;
  }

  private unary(): Expression {
    for (const op of UNARY) if (this.sign(op)) return { kind: "unary", op, operand: this.unary() };
    return this.postfix();
  }

  private postfix(): Expression {
    let found = this.primary();
    for (;;) {
      if (this.sign("(")) found = { kind: "call", callee: found, args: this.list(")") };
      else if (this.sign("[")) {
        found = { kind: "index", object: found, index: this.conditional() };
        this.expect("]");
      } else if (this.token().text === "{" && found.kind === "name") {
        this.at++;
        found = { kind: "braces", items: this.list("}"), type: found };
      } else if (this.sign(".")) found = { kind: "member", object: found, name: this.name(), arrow: false };
      else if (this.sign("->")) found = { kind: "member", object: found, name: this.name(), arrow: true };
      else return found;
    }
  }

  private primary(): Expression {
    const token = this.token();
    if (token.kind === "number") {
      this.at++;
      const is_integer = /^\d+$/.test(token.text);
      return { kind: "number", value: Number(token.text), is_integer };
    }
    if (token.kind === "string") {
      this.at++;
      return { kind: "string", value: token.text };
    }
    if (token.kind === "name") return this.qualified_name();
    if (this.sign("(")) {
      const inner = this.conditional();
      this.expect(")");
      return inner;
    }
    if (this.sign("{")) return { kind: "braces", items: this.list("}"), type: null };
    if (this.sign("[")) return this.lambda();
    throw this.unexpected("a value");
  }

  /** Items up to `close`, which is consumed too. */
  private list(close: string): Expression[] {
    const items: Expression[] = [];
    if (this.sign(close)) return items;
    do items.push(this.conditional());
    while (this.sign(","));
    this.expect(close);
    return items;
  }

  private name(): string {
    const token = this.token();
    if (token.kind !== "name") throw this.unexpected("a name");
    this.at++;
    return token.text.replace(/^::/, "");
  }

  /** `a < b` is a comparison and `std::get<0>(x)` is not: only a name with a namespace, or a cast, has template arguments. */
  private qualified_name(): Expression {
    const name = this.name();
    if (name === "new" && this.token().kind === "name")
      throw new SchemaError(
        "'new' cannot be used here",
        "write T(x); a number is converted to a Scalar where one is required",
      );
    const may_be_template = name.includes("::") || CASTS.has(name);
    return { kind: "name", name, template: may_be_template ? this.template_arguments() : null };
  }

  /** `<...>`, if the text can be parsed so and `(` or `{` follows it. */
  private template_arguments(): TemplateArgument[] | null {
    const before = this.at;
    if (!this.sign("<")) return null;
    const found: TemplateArgument[] = [];
    do {
      const token = this.token();
      if (token.kind === "number") found.push(Number(token.text));
      else if (token.kind !== "name") return this.back_to(before);
      if (token.kind === "number") this.at++;
      else found.push(this.type());
    } while (this.sign(","));
    return this.sign(">") ? found : this.back_to(before);
  }

  private back_to(at: number): null {
    this.at = at;
    return null;
  }

  private type(): CppType {
    let name = this.name();
    if (name === "const") name = this.name();
    const template = this.template_arguments();
    while (this.sign("&") || this.sign("*"));
    return { name, template };
  }

  /** `[](int64_t i) { return -i; }`, after its `[`. */
  private lambda(): Expression {
    for (const capture of ["&", "="]) this.sign(capture);
    this.expect("]");
    this.expect("(");
    const parameters: LambdaParameter[] = [];
    if (!this.sign(")")) {
      do parameters.push({ type: this.type(), name: this.name() });
      while (this.sign(","));
      this.expect(")");
    }
    this.expect("{");
    if (this.name() !== "return") throw this.unexpected("'return'");
    const body = this.conditional();
    this.expect(";");
    this.expect("}");
    return { kind: "lambda", parameters, body };
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  for (let start = 0; start < end; start = TOKEN.lastIndex) {
    const found = TOKEN.exec(text);
    if (found === null) {
      const rest = text.slice(start).trimStart();
      throw new SchemaError(`'${rest.slice(0, 30)}' is not C++`, way_out_of(rest));
    }
    const [number, , name, string, sign] = found.slice(1);
    const kind =
      number !== undefined ? "number" : name !== undefined ? "name" : string !== undefined ? "string" : "sign";
    tokens.push({ kind, text: number ?? name ?? string ?? sign, start });
  }
  tokens.push({ kind: "end", text: "", start: end });
  return tokens;
}

/** A hint for a writer who is used to TypeScript. */
function way_out_of(text: string): string {
  if (/^(===|!==|=)/.test(text)) return "a formula is one C++ expression: compare with == and !=";
  if (/^['`]/.test(text)) return 'a formula is one C++ expression: strings stand in "double quotes"';
  return "write one C++ expression, as PyTorch's derivatives.yaml does; a longer computation belongs in FunctionsManual/index.ts";
}
