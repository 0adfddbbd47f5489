/**
 * @file Expressions, from `lambda` down to names and numbers; targets of assignments; comprehensions; arguments of calls.
 * @mirrors Grammar/python.gram (CPython 3.11), its expressions
 */
import * as ast from "../ast/nodes.ts";
import { PyComplex } from "../Objects/complexobject.ts";
import { float_value } from "../Objects/floatobject.ts";
import { int_from_literal } from "../Objects/longobject.ts";
import { Ellipsis } from "../Objects/sliceobject.ts";
import { expression_name } from "./expression_names.ts";
import { KEYWORDS, TokenStream, Unexpected } from "./pegen.ts";
import { concatenate_strings } from "./string_parser.ts";
import { type Token, TokenType } from "./tokenizer.ts";

export const LOAD = new ast.Load();
export const STORE = new ast.Store();
export const DEL = new ast.Del();

type Operator = readonly [level: number, make: ast.operator];
/** Binary operators with their level: a higher one binds tighter. */
const BINARY: Readonly<Record<string, Operator>> = {
  "|": [1, new ast.BitOr()],
  "^": [2, new ast.BitXor()],
  "&": [3, new ast.BitAnd()],
  "<<": [4, new ast.LShift()],
  ">>": [4, new ast.RShift()],
  "+": [5, new ast.Add()],
  "-": [5, new ast.Sub()],
  "*": [6, new ast.Mult()],
  "/": [6, new ast.Div()],
  "//": [6, new ast.FloorDiv()],
  "%": [6, new ast.Mod()],
  "@": [6, new ast.MatMult()],
};
export const POWER = new ast.Pow();
export const operator_of = (text: string): ast.operator =>
  text === "**" ? POWER : ((BINARY[text] as Operator)[1] as ast.operator);

const COMPARISONS: Readonly<Record<string, ast.cmpop>> = {
  "==": new ast.Eq(),
  "!=": new ast.NotEq(),
  "<": new ast.Lt(),
  "<=": new ast.LtE(),
  ">": new ast.Gt(),
  ">=": new ast.GtE(),
  in: new ast.In(),
  is: new ast.Is(),
};
const IS_NOT = new ast.IsNot();
const NOT_IN = new ast.NotIn();
const AND = new ast.And();
const OR = new ast.Or();
const NOT = new ast.Not();
const UNARY: Readonly<Record<string, ast.unaryop>> = {
  "+": new ast.UAdd(),
  "-": new ast.USub(),
  "~": new ast.Invert(),
};
const BEGINS_EXPRESSION: ReadonlySet<string> = new Set("( [ { - + ~ ... None True False not lambda await".split(" "));

/** Arguments of a call. */
interface Arguments {
  readonly args: ast.expr[];
  readonly keywords: ast.keyword[];
}

export abstract class ExpressionParser extends TokenStream {
  /** Whether the next token can begin an expression. */
  protected begins_expression(): boolean {
    const { type, text } = this.tok;
    if (type === TokenType.NAME) return !KEYWORDS.has(text) || BEGINS_EXPRESSION.has(text);
    return (
      type === TokenType.NUMBER || type === TokenType.STRING || (type === TokenType.OP && BEGINS_EXPRESSION.has(text))
    );
  }

  protected begins_starred(): boolean {
    return this.is("*") || this.begins_expression();
  }

  /** `a, *b`; also a `yield`, where one may stand. */
  protected yield_or_star_expressions(): ast.expr {
    return this.is("yield") ? this.yield_expr() : this.star_expressions();
  }

  protected yield_expr(): ast.expr {
    const start = this.expect("yield");
    if (this.accept("from")) {
      const value = this.expression();
      return new ast.YieldFrom(value, this.range(start));
    }
    const value = this.begins_starred() ? this.star_expressions() : null;
    return new ast.Yield(value, this.range(start));
  }

  protected star_expressions(): ast.expr {
    const start = this.tok;
    const first = this.star_expression();
    if (!this.is(",")) return first;
    const elts = [first];
    while (this.accept(",")) {
      if (!this.begins_starred()) break;
      elts.push(this.star_expression());
    }
    return new ast.Tuple(elts, LOAD, this.range(start));
  }

  private star_expression(): ast.expr {
    return this.is("*") ? this.starred() : this.expression();
  }

  private starred(): ast.expr {
    const start = this.expect("*");
    const value = this.bitwise_or();
    return new ast.Starred(value, LOAD, this.range(start));
  }

  /** An element of a list, tuple or set. */
  protected star_named_expression(): ast.expr {
    return this.is("*") ? this.starred() : this.named_expression();
  }

  protected named_expression(): ast.expr {
    const start = this.tok;
    if (start.type === TokenType.NAME && this.peek().text === ":=" && this.is_name()) {
      const target = new ast.Name(this.identifier(), STORE, this.range(start));
      this.advance();
      const value = this.expression();
      return new ast.NamedExpr(target, value, this.range(start));
    }
    const value = this.expression();
    if (this.is(":=")) this.error_at(`cannot use assignment expressions with ${expression_name(value)}`, value);
    return value;
  }

  /** An assignment where a value is expected, as in `if x = 3:`. */
  protected refuse_assignment(value: ast.expr): void {
    if (!this.is("=")) return;
    const mark = this.mark();
    this.advance();
    let right: ast.Range = this.tok;
    try {
      right = this.bitwise_or();
    } catch (error) {
      const nothing = this.mark() === mark + 1;
      if (nothing) this.reset(mark);
      if (!(error instanceof Unexpected)) throw error;
      if (nothing) return;
    }
    if (!this.is("=") && !this.is(":=")) {
      if (value instanceof ast.Name)
        this.error_at("invalid syntax. Maybe you meant '==' or ':=' instead of '='?", value, right);
      const bare = value instanceof ast.List || value instanceof ast.Tuple || value instanceof ast.GeneratorExp;
      const word = value instanceof ast.Constant && ["True", "False", "None"].includes(expression_name(value));
      if (!bare && !word && is_operand(value))
        this.error_at(`cannot assign to ${expression_name(value)} here. Maybe you meant '==' instead of '='?`, value);
    }
    this.reset(mark);
  }

  protected expression(): ast.expr {
    if (this.is("lambda")) return this.lambda();
    const start = this.tok;
    const body = this.disjunction();
    if (!this.is("if")) {
      this.refuse_neighbour(start, body);
      return body;
    }
    this.advance();
    const test = this.disjunction();
    if (!this.is("else")) {
      if (!this.is(":")) this.error_at("expected 'else' after 'if' expression", body, test);
      this.unexpected();
    }
    this.advance();
    this.enter();
    const orelse = this.expression();
    this.level--;
    return new ast.IfExp(test, body, orelse, this.range(start));
  }

  /** Two expressions side by side, inside brackets: a comma is missing. */
  private refuse_neighbour(start: Token, body: ast.expr): void {
    if (this.last.level === 0 || !this.begins_expression() || this.is("(") || this.is("[")) return;
    if (this.is("not") || this.is("-") || this.is("+")) return;
    const word = start.type === TokenType.NAME && body instanceof ast.Name;
    if (word && (this.is_type(TokenType.STRING) || ["match", "case", "_"].includes(start.text))) return;
    if (word && (start.text === "print" || start.text === "exec")) return;
    const next = this.attempt(() => this.disjunction(), Unexpected);
    if (next !== null) this.error_at("invalid syntax. Perhaps you forgot a comma?", body, next);
  }

  private lambda(): ast.expr {
    const start = this.expect("lambda");
    const args = this.parameters(":", false);
    this.expect(":");
    this.enter();
    const body = this.expression();
    this.level--;
    return new ast.Lambda(args, body, this.range(start));
  }

  protected disjunction(): ast.expr {
    return this.bool_op("or", OR);
  }

  /** Operands of `or` are chains of `and`. */
  private bool_op(word: "or" | "and", op: ast.boolop): ast.expr {
    const start = this.tok;
    const first = this.bool_operand(word);
    if (!this.is(word)) return first;
    const values = [first];
    while (this.accept(word)) values.push(this.bool_operand(word));
    return new ast.BoolOp(op, values, this.range(start));
  }

  private bool_operand(word: "or" | "and"): ast.expr {
    return word === "or" ? this.bool_op("and", AND) : this.inversion();
  }

  private inversion(): ast.expr {
    if (!this.is("not")) return this.comparison();
    const start = this.advance();
    this.enter();
    const operand = this.inversion();
    this.level--;
    return new ast.UnaryOp(NOT, operand, this.range(start));
  }

  private comparison(): ast.expr {
    const start = this.tok;
    const left = this.bitwise_or();
    let op = this.comparison_operator();
    if (op === null) return left;
    const ops: ast.cmpop[] = [];
    const comparators: ast.expr[] = [];
    for (; op !== null; op = this.comparison_operator()) {
      ops.push(op);
      comparators.push(this.bitwise_or());
    }
    return new ast.Compare(left, ops, comparators, this.range(start));
  }

  private comparison_operator(): ast.cmpop | null {
    const { text, type } = this.tok;
    if (type !== TokenType.OP && type !== TokenType.NAME) return null;
    if (text === "not") {
      if (this.peek().text !== "in") return null;
      this.advance();
      this.advance();
      return NOT_IN;
    }
    const op = Object.hasOwn(COMPARISONS, text) ? COMPARISONS[text] : undefined;
    if (op === undefined) return null;
    this.advance();
    return text === "is" && this.accept("not") ? IS_NOT : op;
  }

  protected bitwise_or(level = 1): ast.expr {
    const start = this.tok;
    let left = this.factor();
    for (;;) {
      const { type, text } = this.tok;
      if (type !== TokenType.OP || !Object.hasOwn(BINARY, text)) return left;
      const [binds, op] = BINARY[text] as Operator;
      if (binds < level) return left;
      this.advance();
      const right = this.bitwise_or(binds + 1);
      left = new ast.BinOp(left, op, right, this.range(start));
    }
  }

  private factor(): ast.expr {
    const { type, text } = this.tok;
    if (type === TokenType.OP && Object.hasOwn(UNARY, text)) {
      const start = this.advance();
      this.enter();
      const operand = this.factor();
      this.level--;
      return new ast.UnaryOp(UNARY[text] as ast.unaryop, operand, this.range(start));
    }
    const start = this.tok;
    const left = this.await_primary();
    if (!this.accept("**")) return left;
    this.enter();
    const right = this.factor();
    this.level--;
    return new ast.BinOp(left, POWER, right, this.range(start));
  }

  private await_primary(): ast.expr {
    if (!this.is("await")) return this.primary();
    const start = this.advance();
    const value = this.primary();
    return new ast.Await(value, this.range(start));
  }

  private primary(): ast.expr {
    const start = this.tok;
    let node = this.atom();
    for (;;) {
      if (this.tok.type !== TokenType.OP) return node;
      if (this.accept(".")) node = new ast.Attribute(node, this.identifier(), LOAD, this.range(start));
      else if (this.is("(")) {
        const { args, keywords } = this.call_arguments();
        node = new ast.Call(node, args, keywords, this.range(start));
      } else if (this.accept("[")) {
        const slice = this.slices();
        this.expect("]");
        node = new ast.Subscript(node, slice, LOAD, this.range(start));
      } else return node;
    }
  }

  private slices(): ast.expr {
    const start = this.tok;
    const first = this.slice();
    if (!this.is(",") && !(first instanceof ast.Starred)) return first;
    const elts = [first];
    while (this.accept(",")) {
      if (this.is("]")) break;
      elts.push(this.slice());
    }
    return new ast.Tuple(elts, LOAD, this.range(start));
  }

  private slice(): ast.expr {
    if (this.is("*")) return this.starred();
    const start = this.tok;
    const lower = this.is(":") ? null : this.named_expression();
    if (!this.is(":")) {
      if (lower !== null) this.refuse_assignment(lower);
      return lower as ast.expr;
    }
    this.advance();
    const part = (): ast.expr | null => (this.is(":") || this.is("]") || this.is(",") ? null : this.expression());
    const upper = part();
    const step = this.accept(":") ? part() : null;
    return new ast.Slice(lower, upper, step, this.range(start));
  }

  // Atoms -------------------------------------------------------------------------------------------------------------------

  private atom(): ast.expr {
    const start = this.tok;
    switch (start.type) {
      case TokenType.NAME:
        return this.name_or_word(start);
      case TokenType.NUMBER: {
        this.advance();
        return new ast.Constant(number_of(start.text), null, this.range(start));
      }
      case TokenType.STRING:
        return this.strings();
      case TokenType.OP:
        if (start.text === "(") return this.group();
        if (start.text === "[") return this.list();
        if (start.text === "{") return this.dict_or_set();
        if (start.text === "...") {
          this.advance();
          return new ast.Constant(Ellipsis, null, this.range(start));
        }
    }
    return this.unexpected();
  }

  private name_or_word(start: Token): ast.expr {
    const { text } = start;
    if (!KEYWORDS.has(text)) return new ast.Name(this.identifier(), LOAD, this.range(start));
    if (text !== "None" && text !== "True" && text !== "False") this.unexpected();
    this.advance();
    return new ast.Constant(text === "None" ? null : text === "True", null, this.range(start));
  }

  private strings(): ast.expr {
    const tokens: Token[] = [];
    while (this.tok.type === TokenType.STRING) tokens.push(this.advance());
    return concatenate_strings(tokens, this.range(tokens[0] as Token), {
      expression: (text, lines, columns) => this.embedded(text, lines, columns),
      fail: (message, token = this.tok) => this.error_at(message, token),
    });
  }

  /** Parses an expression that stands in an f-string, in brackets. */
  protected abstract embedded(text: string, lines: number, columns: number): ast.expr;

  /** Round brackets with nothing in them, one expression, a tuple, a generator expression or a `yield`. */
  private group(): ast.expr {
    const start = this.advance();
    if (this.accept(")")) return new ast.Tuple([], LOAD, this.range(start));
    if (this.is("yield")) {
      const value = this.yield_expr();
      this.expect(")");
      return value;
    }
    if (this.is("**")) {
      const stars = this.advance();
      const value = this.expression();
      this.error_at("cannot use double starred expression here", stars, value);
    }
    const first = this.star_named_expression();
    if (this.begins_generators()) {
      const generators = this.generators_of(first, ")");
      return new ast.GeneratorExp(first, generators, this.range(start));
    }
    if (this.is(",")) {
      const elts = this.elements(first, ")");
      this.expect(")");
      return new ast.Tuple(elts, LOAD, this.range(start));
    }
    this.refuse_assignment(first);
    if (first instanceof ast.Starred && this.is(")")) this.error_at("cannot use starred expression here", first);
    this.expect(")");
    return first;
  }

  private elements(first: ast.expr, closing: string): ast.expr[] {
    const elts = [first];
    while (this.accept(",")) {
      if (this.is(closing) || !this.begins_starred()) break;
      const element = this.star_named_expression();
      this.refuse_assignment(element);
      elts.push(element);
    }
    if (elts.length > 1 && this.begins_generators())
      this.error_at("did you forget parentheses around the comprehension target?", first, elts.at(-1));
    return elts;
  }

  private list(): ast.expr {
    const start = this.advance();
    if (this.accept("]")) return new ast.List([], LOAD, this.range(start));
    const first = this.star_named_expression();
    if (this.begins_generators()) {
      const generators = this.generators_of(first, "]");
      return new ast.ListComp(first, generators, this.range(start));
    }
    const elts = this.last_elements(first, "]");
    return new ast.List(elts, LOAD, this.range(start));
  }

  private dict_or_set(): ast.expr {
    const start = this.advance();
    if (this.accept("}")) return new ast.Dict([], [], this.range(start));
    if (this.is("**")) return this.dict(start, null);
    const first = this.star_named_expression();
    if (this.is(":") && !(first instanceof ast.Starred)) return this.dict(start, first);
    if (this.begins_generators()) {
      const generators = this.generators_of(first, "}");
      return new ast.SetComp(first, generators, this.range(start));
    }
    const elts = this.last_elements(first, "}");
    return new ast.Set(elts, this.range(start));
  }

  /** Elements with the bracket behind them. */
  private last_elements(first: ast.expr, closing: string): ast.expr[] {
    const elts = this.elements(first, closing);
    this.refuse_assignment(elts.at(-1) as ast.expr);
    this.expect(closing);
    return elts;
  }

  private dict(start: Token, first: ast.expr | null): ast.expr {
    const keys: (ast.expr | null)[] = [];
    const values: ast.expr[] = [];
    for (let key = first; ; key = null) {
      if (key === null && this.is("**")) {
        const stars = this.advance();
        values.push(this.bitwise_or());
        keys.push(null);
        if (this.begins_generators()) this.error_at("dict unpacking cannot be used in dict comprehension", stars);
      } else {
        const known = key ?? this.expression();
        if (!this.is(":")) this.error_at("':' expected after dictionary key", this.last);
        keys.push(known);
        values.push(this.dict_value());
        if (keys.length === 1 && this.begins_generators()) {
          const generators = this.generators_of(known, "}");
          return new ast.DictComp(known, values[0] as ast.expr, generators, this.range(start));
        }
      }
      if (!this.accept(",") || this.is("}")) break;
    }
    this.expect("}");
    return new ast.Dict(keys, values, this.range(start));
  }

  private dict_value(): ast.expr {
    const colon = this.advance();
    if (this.is("*")) {
      const star = this.advance();
      const value = this.bitwise_or();
      this.error_at("cannot use a starred expression in a dictionary value", star, value);
    }
    if (this.is("}") || this.is(",")) this.error_at("expression expected after dictionary key and ':'", colon);
    return this.expression();
  }

  private begins_generators(): boolean {
    return this.is("for") || this.is("async");
  }

  /** The generators of an element, with the bracket behind them. */
  private generators_of(element: ast.expr, closing: string): ast.comprehension[] {
    if (element instanceof ast.Starred) this.error_at("iterable unpacking cannot be used in comprehension", element);
    const made = this.generators();
    this.expect(closing);
    return made;
  }

  private generators(): ast.comprehension[] {
    const made: ast.comprehension[] = [];
    while (this.begins_generators()) {
      const is_async = this.accept("async") ? 1 : 0;
      this.expect("for");
      const target = this.star_targets("in");
      this.expect("in");
      const iter = this.disjunction();
      const ifs: ast.expr[] = [];
      while (this.accept("if")) ifs.push(this.disjunction());
      made.push(new ast.comprehension(target, iter, ifs, is_async));
    }
    return made;
  }

  // Calls -------------------------------------------------------------------------------------------------------------------

  /** `(a, *b, k=c, **d)`, brackets included. */
  protected call_arguments(generator_alone = true): Arguments {
    const open = this.expect("(");
    const args: ast.expr[] = [];
    const keywords: ast.keyword[] = [];
    let unpacked = false;
    let late = false;
    while (!this.is(")")) {
      const start = this.tok;
      if (this.accept("**")) {
        const value = this.expression();
        keywords.push(new ast.keyword(null, value, this.range(start)));
        unpacked = true;
      } else if (this.is_name() && this.peek().text === "=") keywords.push(this.keyword_argument());
      else if (this.accept("*")) {
        const value = this.expression();
        if (unpacked) this.error_at("iterable argument unpacking follows keyword argument unpacking", start, value);
        args.push(new ast.Starred(value, LOAD, this.range(start)));
      } else {
        const value = this.positional_argument(open, args.length + keywords.length === 0, generator_alone);
        late ||= keywords.length > 0;
        args.push(value);
      }
      if (!this.accept(",")) break;
    }
    if (late) {
      const what = unpacked ? "keyword argument unpacking" : "keyword argument";
      this.error_at(`positional argument follows ${what}`, this.tok);
    }
    this.expect(")");
    return { args, keywords };
  }

  private keyword_argument(): ast.keyword {
    const start = this.tok;
    const name = this.identifier();
    const equals = this.advance();
    const value = this.expression();
    if (this.begins_generators())
      this.error_at("invalid syntax. Maybe you meant '==' or ':=' instead of '='?", start, equals);
    return new ast.keyword(name, value, this.range(start));
  }

  private positional_argument(open: Token, first: boolean, generator_alone: boolean): ast.expr {
    const start = this.tok;
    if (KEYWORDS.has(start.text) && ["True", "False", "None"].includes(start.text) && this.peek().text === "=")
      this.error_at(`cannot assign to ${start.text}`, start, this.peek());
    const value = this.named_expression();
    if (this.is("=")) this.error_at('expression cannot contain assignment, perhaps you meant "=="?', value, this.tok);
    if (!this.begins_generators()) return value;
    if (!generator_alone) this.unexpected();
    const generators = this.generators();
    if (!first || this.is(",")) this.error_at("Generator expression must be parenthesized", value, this.last);
    if (!this.is(")")) this.unexpected();
    const { end_lineno, end_col_offset } = this.tok; // its brackets are the call's
    return new ast.GeneratorExp(value, generators, { ...this.range(open), end_lineno, end_col_offset });
  }

  // Parameters --------------------------------------------------------------------------------------------------------------

  /** Parameters up to `closing`, which is not read. A function's may have annotations. */
  protected parameters(closing: string, annotated: boolean): ast.arguments_ {
    const posonly: ast.arg[] = [];
    const kwonly: ast.arg[] = [];
    const kw_defaults: (ast.expr | null)[] = [];
    const defaults: ast.expr[] = [];
    let args: ast.arg[] = [];
    let vararg: ast.arg | null = null;
    let kwarg: ast.arg | null = null;
    let starred = false;
    let slashed = false;
    while (!this.is(closing)) {
      if (kwarg !== null) this.error_at("arguments cannot follow var-keyword argument", this.tok);
      if (this.is("/")) {
        if (starred) this.error_at("/ must be ahead of *", this.tok);
        if (slashed) this.error_at("/ may appear only once", this.tok);
        if (args.length === 0) {
          if (this.peek().text === ",") this.error_at("at least one argument must precede /", this.tok);
          this.unexpected();
        }
        this.advance();
        if (this.is("*")) this.error_at("expected comma between / and *", this.tok);
        slashed = true;
        posonly.push(...args);
        args = [];
      } else if (this.is("**")) {
        this.advance();
        kwarg = this.parameter(annotated, false);
        if (this.is("=")) this.error_at("var-keyword argument cannot have default value", this.tok);
      } else if (this.is("*")) {
        if (starred) this.error_at("* argument may appear only once", this.tok);
        const star = this.advance();
        starred = true;
        const bare = this.is(",");
        const next = bare ? this.peek().text : this.tok.text;
        if (next === closing || (bare && next === "**")) this.error_at("named arguments must follow bare *", star);
        if (!bare) {
          vararg = this.parameter(annotated, true);
          if (this.is("=")) this.error_at("var-positional argument cannot have default value", this.tok);
        }
      } else {
        if (this.is("(") && !starred) this.bracketed_parameter(annotated);
        const made = this.parameter(annotated, false);
        const equals = this.tok;
        const fallback = this.accept("=") ? this.default_value(equals, closing) : null;
        if (starred) {
          kwonly.push(made);
          kw_defaults.push(fallback);
        } else {
          if (fallback !== null) defaults.push(fallback);
          else if (defaults.length > 0) this.error_at("non-default argument follows default argument", this.last);
          args.push(made);
        }
      }
      if (!this.accept(",")) break;
    }
    return new ast.arguments_(posonly, args, vararg, kwonly, kw_defaults, kwarg, defaults);
  }

  private default_value(equals: Token, closing: string): ast.expr {
    if (this.is(",") || this.is(closing)) this.error_at("expected default value expression", equals);
    return this.expression();
  }

  private bracketed_parameter(annotated: boolean): never {
    const what = annotated ? "Function" : "Lambda expression";
    const open = this.advance();
    while (this.is_name()) {
      this.advance();
      if (!this.accept(",")) break;
    }
    if (this.is(")")) this.error_at(`${what} parameters cannot be parenthesized`, open, this.tok);
    this.unexpected();
  }

  private parameter(annotated: boolean, starred: boolean): ast.arg {
    const start = this.tok;
    const name = this.identifier();
    let annotation: ast.expr | null = null;
    if (annotated && this.accept(":")) annotation = starred && this.is("*") ? this.starred() : this.expression();
    return new ast.arg(name, annotation, null, this.range(start));
  }

  // Targets -----------------------------------------------------------------------------------------------------------------

  /** Targets of a loop, up to `in`. */
  protected star_targets(before: string): ast.expr {
    const start = this.tok;
    const target = (): ast.expr => (this.is("*") ? this.starred() : this.bitwise_or());
    const first = target();
    let made = first;
    if (this.is(",")) {
      const elts = [first];
      while (this.accept(",")) {
        if (this.is(before)) break;
        elts.push(target());
      }
      made = new ast.Tuple(elts, LOAD, this.range(start));
    }
    this.check_target(made, (what) => `cannot assign to ${what}`);
    return made;
  }

  protected can_be_target(node: ast.expr): boolean {
    return wrong_target(node, false) === null;
  }

  /** Makes an expression the target of an assignment or a `del`; refuses what is none. */
  protected check_target(node: ast.expr, message: (what: string) => string, ctx: ast.expr_context = STORE): void {
    const wrong = wrong_target(node, ctx === DEL);
    if (wrong !== null) this.error_at(message(expression_name(wrong)), wrong);
    set_context(node, ctx);
  }
}

/** Whether an expression can stand beside an operator without brackets. */
function is_operand(node: ast.expr): boolean {
  if (node instanceof ast.UnaryOp) return !(node.op instanceof ast.Not);
  return !["Compare", "BoolOp", "IfExp", "Lambda", "Starred", "NamedExpr"].includes(node.constructor.name);
}

/** The first part that cannot be assigned to, or deleted; null if there is none. */
function wrong_target(node: ast.expr, deleted: boolean): ast.expr | null {
  if (node instanceof ast.List || node instanceof ast.Tuple) {
    for (const each of node.elts) {
      const wrong = wrong_target(each, deleted);
      if (wrong !== null) return wrong;
    }
    return null;
  }
  if (node instanceof ast.Starred) return deleted ? node : wrong_target(node.value, deleted);
  return node instanceof ast.Name || node instanceof ast.Attribute || node instanceof ast.Subscript ? null : node;
}

export function set_context(node: ast.expr, ctx: ast.expr_context): void {
  if (node instanceof ast.List || node instanceof ast.Tuple) {
    for (const each of node.elts) set_context(each, ctx);
    node.ctx = ctx;
  } else if (node instanceof ast.Starred) {
    set_context(node.value, ctx);
    node.ctx = ctx;
  } else if (node instanceof ast.Name || node instanceof ast.Attribute || node instanceof ast.Subscript) node.ctx = ctx;
}

/** The value of a number as it is written. */
function number_of(written: string): unknown {
  const text = written.replaceAll("_", "");
  if (/[jJ]$/.test(text)) return new PyComplex(0, Number(text.slice(0, -1)));
  if (/^0[xXoObB]/.test(text)) return int_from_literal(text.toLowerCase());
  return /[.eE]/.test(text) ? float_value(Number(text)) : int_from_literal(text.replace(/^0+(?=\d)/, ""));
}
