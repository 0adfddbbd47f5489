/**
 * @file Statements and blocks.
 * @mirrors Grammar/python.gram (CPython 3.11), its statements
 */
import * as ast from "../ast/nodes.ts";
import { expression_name } from "./expression_names.ts";
import { DEL, LOAD, operator_of, STORE } from "./expressions.ts";
import { PatternParser } from "./patterns.ts";
import { Unexpected } from "./pegen.ts";
import { type Token, TokenType } from "./tokenizer.ts";

/** Blocks whose colon is named wherever it is missing. */
const FORCED: ReadonlySet<string> = new Set([
  "function definition",
  "'try' statement",
  "'else' statement",
  "'finally' statement",
]);
const AUGMENTED: ReadonlySet<string> = new Set("+= -= *= @= /= %= &= |= ^= <<= >>= **= //=".split(" "));

export abstract class StatementParser extends PatternParser {
  /** The last token of the last simple statement, a semicolon included. */
  private line_end: Token | null = null;

  protected statements(closing: TokenType): ast.stmt[] {
    const body: ast.stmt[] = [];
    while (this.tok.type !== closing) this.statement(body);
    return body;
  }

  private statement(into: ast.stmt[]): void {
    const { level } = this;
    const compound = this.compound_statement();
    if (compound !== null) into.push(compound);
    else this.simple_statements(into);
    this.level = level;
  }

  protected simple_statements(into: ast.stmt[]): void {
    do {
      into.push(this.simple_statement());
    } while (this.accept(";") && !this.is_type(TokenType.NEWLINE));
    if (!this.is_type(TokenType.NEWLINE)) this.after_statement(into.at(-1) as ast.stmt);
    this.line_end = this.last;
    this.advance();
  }

  /** A text behind a statement that does not belong to it. */
  private after_statement(statement: ast.stmt): never {
    const value = statement instanceof ast.Expr ? statement.value : null;
    if (value instanceof ast.Name && value.id === "match" && this.begins_expression()) this.match_without_colon();
    if (value instanceof ast.Name && (value.id === "print" || value.id === "exec") && this.begins_expression())
      if (this.attempt(() => this.star_expressions(), Unexpected) !== null)
        this.error_at(`Missing parentheses in call to '${value.id}'. Did you mean ${value.id}(...)?`, value, this.last);
    this.unexpected();
  }

  private match_without_colon(): void {
    this.attempt(() => {
      this.subject();
      if (this.is_type(TokenType.NEWLINE)) this.colon();
      return null;
    });
  }

  private compound_statement(): ast.stmt | null {
    const { type, text } = this.tok;
    if (type === TokenType.OP) return text === "@" ? this.decorated() : null;
    if (type !== TokenType.NAME) return null;
    switch (text) {
      case "def":
        return this.function_def([], null);
      case "class":
        return this.class_def([]);
      case "if":
        return this.if_statement();
      case "for":
        return this.for_statement(null);
      case "while":
        return this.while_statement();
      case "try":
        return this.try_statement();
      case "with":
        return this.with_statement(null);
      case "async":
        return this.async_statement();
      case "match":
        return this.match_statement();
      default:
        return null;
    }
  }

  // Simple statements -------------------------------------------------------------------------------------------------------

  private simple_statement(): ast.stmt {
    const start = this.tok;
    if (start.type === TokenType.NAME)
      switch (start.text) {
        case "return": {
          this.advance();
          const value = this.ends_statement() ? null : this.star_expressions();
          return new ast.Return(value, this.range(start));
        }
        case "import":
          return this.import_name();
        case "from":
          return this.import_from();
        case "raise":
          return this.raise();
        case "pass":
          this.advance();
          return new ast.Pass(this.range(start));
        case "break":
          this.advance();
          return new ast.Break(this.range(start));
        case "continue":
          this.advance();
          return new ast.Continue(this.range(start));
        case "del":
          return this.del();
        case "assert": {
          this.advance();
          const test = this.expression();
          const msg = this.accept(",") ? this.expression() : null;
          return new ast.Assert(test, msg, this.range(start));
        }
        case "global":
        case "nonlocal": {
          this.advance();
          const names = [this.identifier()];
          while (this.accept(",")) names.push(this.identifier());
          return start.text === "global"
            ? new ast.Global(names, this.range(start))
            : new ast.Nonlocal(names, this.range(start));
        }
      }
    return this.assignment();
  }

  private ends_statement(): boolean {
    return this.is_type(TokenType.NEWLINE) || this.is(";");
  }

  /** An assignment of any kind, or an expression. */
  private assignment(): ast.stmt {
    const start = this.tok;
    const first = this.yield_or_star_expressions();
    if (this.is("=")) return this.plain_assignment(start, first);
    if (this.is(":") && this.tok.type === TokenType.OP) return this.annotated_assignment(start, first);
    if (this.tok.type === TokenType.OP && AUGMENTED.has(this.tok.text)) {
      if (!(first instanceof ast.Name || first instanceof ast.Attribute || first instanceof ast.Subscript))
        this.error_at(`'${expression_name(first)}' is an illegal expression for augmented assignment`, first);
      const op = operator_of(this.advance().text.slice(0, -1));
      first.ctx = STORE;
      const value = this.yield_or_star_expressions();
      return new ast.AugAssign(first, op, value, this.range(start));
    }
    return new ast.Expr(first, this.range(start));
  }

  private plain_assignment(start: Token, first: ast.expr): ast.stmt {
    const targets: ast.expr[] = [];
    let value = first;
    let begin = start;
    while (this.is("=")) {
      if ((value instanceof ast.Yield || value instanceof ast.YieldFrom) && this.bare(begin, value))
        this.error_at("assignment to yield expression not possible", value);
      const part =
        value instanceof ast.Tuple && this.bare(begin, value.elts[0] ?? value) ? (value.elts.at(-1) ?? value) : value;
      if (targets.length === 0 && !this.can_be_target(part)) this.refuse_assignment(part);
      this.check_target(value, (what) => `cannot assign to ${what}`, STORE);
      this.advance();
      targets.push(value);
      begin = this.tok;
      value = this.yield_or_star_expressions();
    }
    return new ast.Assign(targets, value, null, this.range(start));
  }

  /** Whether the first expression of a statement stands without brackets. */
  private bare(start: Token, value: ast.expr): boolean {
    return start.lineno === value.lineno && start.col_offset === value.col_offset;
  }

  private annotated_assignment(start: Token, target: ast.expr): ast.stmt {
    if (target instanceof ast.List) this.error_at("only single target (not list) can be annotated", target);
    if (target instanceof ast.Tuple) this.error_at("only single target (not tuple) can be annotated", target);
    const simple = target instanceof ast.Name && start.text !== "(";
    if (!(target instanceof ast.Name || target instanceof ast.Attribute || target instanceof ast.Subscript)) {
      this.advance();
      const annotation = this.begins_expression();
      this.reset(this.mark() - 1);
      if (annotation) this.error_at("illegal target for annotation", target);
      this.unexpected();
    }
    this.advance();
    const annotation = this.expression();
    target.ctx = STORE;
    const value = this.accept("=") ? this.yield_or_star_expressions() : null;
    return new ast.AnnAssign(target, annotation, value, simple ? 1 : 0, this.range(start));
  }

  private del(): ast.stmt {
    const start = this.advance();
    const first = this.tok;
    const value = this.star_expressions();
    if (!this.ends_statement()) this.unexpected();
    this.check_target(value, (what) => `cannot delete ${what}`, DEL);
    const bracketed = first.text === "(" && value.col_offset === first.col_offset && value.lineno === first.lineno;
    const targets = value instanceof ast.Tuple && !(bracketed && this.last.text === ")") ? value.elts : [value];
    return new ast.Delete(targets, this.range(start));
  }

  private raise(): ast.stmt {
    const start = this.advance();
    if (this.ends_statement()) return new ast.Raise(null, null, this.range(start));
    const exc = this.expression();
    const cause = this.accept("from") ? this.expression() : null;
    return new ast.Raise(exc, cause, this.range(start));
  }

  private module_name(): string {
    let name = this.identifier();
    while (this.accept(".")) name += `.${this.identifier()}`;
    return name;
  }

  private import_name(): ast.stmt {
    const start = this.advance();
    const names: ast.alias[] = [];
    do {
      const first = this.tok;
      const name = this.module_name();
      const asname = this.accept("as") ? this.identifier() : null;
      names.push(new ast.alias(name, asname, this.range(first)));
    } while (this.accept(","));
    return new ast.Import(names, this.range(start));
  }

  private import_from(): ast.stmt {
    const start = this.advance();
    let level = 0;
    for (; this.is(".") || this.is("..."); this.advance()) level += this.tok.text.length;
    const module = level > 0 && this.is("import") ? null : this.module_name();
    this.expect("import");
    if (this.is("*")) {
      const star = this.advance();
      return new ast.ImportFrom(module, [new ast.alias("*", null, this.range(star))], level, this.range(start));
    }
    const bracketed = this.accept("(");
    const names: ast.alias[] = [];
    do {
      if (bracketed && this.is(")") && names.length > 0) break;
      if (!bracketed && this.ends_statement() && names.length > 0)
        this.error_at("trailing comma not allowed without surrounding parentheses", this.tok);
      const first = this.tok;
      const name = this.identifier();
      const asname = this.accept("as") ? this.identifier() : null;
      names.push(new ast.alias(name, asname, this.range(first)));
    } while (this.accept(","));
    if (bracketed) this.expect(")");
    return new ast.ImportFrom(module, names, level, this.range(start));
  }

  // Compound statements -----------------------------------------------------------------------------------------------------

  /** `: body`, on the same line or as an indented block. */
  private block(what: string, head: Token): ast.stmt[] {
    if (FORCED.has(what)) this.expect_forced(":");
    else this.colon();
    const body: ast.stmt[] = [];
    if (!this.is_type(TokenType.NEWLINE)) {
      this.simple_statements(body);
      return body;
    }
    this.advance();
    if (!this.is_type(TokenType.INDENT))
      this.indentation_error(`expected an indented block after ${what} on line ${head.lineno}`);
    this.advance();
    do this.statement(body);
    while (!this.is_type(TokenType.DEDENT) && !this.is_type(TokenType.ENDMARKER));
    if (this.is_type(TokenType.DEDENT)) this.advance();
    return body;
  }

  /** The colon of a statement. Its absence is named where the line ends. */
  private colon(): void {
    if (this.is_type(TokenType.NEWLINE)) this.missing_colon();
    this.expect(":");
  }

  /** From a token to the end of the blocks that were read: line breaks and dedents after it do not count. */
  private over({ lineno, col_offset }: ast.Range): ast.Range {
    const { end_lineno, end_col_offset } = this.line_end as Token;
    return { lineno, col_offset, end_lineno, end_col_offset };
  }

  private decorated(): ast.stmt {
    const decorators: ast.expr[] = [];
    while (this.accept("@")) {
      decorators.push(this.named_expression());
      if (!this.is_type(TokenType.NEWLINE)) this.unexpected();
      this.advance();
    }
    if (this.is("class")) return this.class_def(decorators);
    if (this.is("async") && this.peek().text === "def") return this.function_def(decorators, this.advance());
    if (this.is("def")) return this.function_def(decorators, null);
    return this.unexpected();
  }

  private function_def(decorators: ast.expr[], async_: Token | null): ast.stmt {
    const head = this.expect("def");
    const start = async_ ?? head;
    const name = this.identifier();
    this.expect_forced("(");
    const args = this.parameters(")", true);
    this.expect(")");
    const returns = this.accept("->") ? this.expression() : null;
    const body = this.block("function definition", head);
    const make = async_ === null ? ast.FunctionDef : ast.AsyncFunctionDef;
    return new make(name, args, body, decorators, returns, null, this.over(start));
  }

  private class_def(decorators: ast.expr[]): ast.stmt {
    const start = this.advance();
    const name = this.identifier();
    const { args, keywords } = this.is("(") ? this.call_arguments(false) : { args: [], keywords: [] };
    const body = this.block("class definition", start);
    return new ast.ClassDef(name, args, keywords, body, decorators, this.over(start));
  }

  /** A condition, up to its colon. */
  private condition(): ast.expr {
    const test = this.named_expression();
    this.refuse_assignment(test);
    return test;
  }

  private if_statement(): ast.stmt {
    const start = this.advance();
    const test = this.condition();
    const body = this.block(`'${start.text}' statement`, start);
    if (this.is("elif")) this.enter();
    const orelse = this.is("elif") ? [this.if_statement()] : this.else_block();
    return new ast.If(test, body, orelse, this.over(start));
  }

  private else_block(): ast.stmt[] {
    if (!this.is("else")) return [];
    const head = this.advance();
    return this.block("'else' statement", head);
  }

  private while_statement(): ast.stmt {
    const start = this.advance();
    const test = this.condition();
    const body = this.block("'while' statement", start);
    const orelse = this.else_block();
    return new ast.While(test, body, orelse, this.over(start));
  }

  private for_statement(async_: Token | null): ast.stmt {
    const head = this.expect("for");
    const start = async_ ?? head;
    const target = this.star_targets("in");
    this.expect("in");
    const iter = this.star_expressions();
    const body = this.block("'for' statement", head);
    const orelse = this.else_block();
    const make = async_ === null ? ast.For : ast.AsyncFor;
    return new make(target, iter, body, orelse, null, this.over(start));
  }

  private async_statement(): ast.stmt | null {
    const { text } = this.peek();
    if (text !== "def" && text !== "for" && text !== "with") return null;
    const start = this.advance();
    if (text === "def") return this.function_def([], start);
    return text === "for" ? this.for_statement(start) : this.with_statement(start);
  }

  private with_statement(async_: Token | null): ast.stmt {
    const head = this.expect("with");
    const start = async_ ?? head;
    const items = this.bracketed_items() ?? this.items();
    const body = this.block("'with' statement", head);
    const make = async_ === null ? ast.With : ast.AsyncWith;
    return new make(items, body, null, this.over(start));
  }

  /** `(a as b, c)`. A bracket may also begin an expression: then there is a way back. */
  private bracketed_items(): ast.withitem[] | null {
    if (!this.is("(")) return null;
    return this.attempt(() => {
      this.advance();
      const items: ast.withitem[] = [];
      while (!this.is(")")) {
        items.push(this.item());
        if (!this.accept(",")) break;
      }
      if (items.length === 0 || !this.accept(")")) return null;
      if (this.is_type(TokenType.NEWLINE) && items.some(({ optional_vars }) => optional_vars !== null)) this.colon();
      return this.is(":") ? items : null;
    });
  }

  private items(): ast.withitem[] {
    const items = [this.item()];
    while (this.accept(",")) items.push(this.item());
    return items;
  }

  private item(): ast.withitem {
    const value = this.expression();
    if (!this.accept("as")) return new ast.withitem(value, null);
    const target = this.is("*") ? this.unexpected() : this.bitwise_or();
    if (!this.is(",") && !this.is(")") && !this.is(":")) this.colon();
    this.check_target(target, (what) => `cannot assign to ${what}`, STORE);
    return new ast.withitem(value, target);
  }

  private try_statement(): ast.stmt {
    const start = this.advance();
    const body = this.block("'try' statement", start);
    const handlers: ast.ExceptHandler[] = [];
    let starred: boolean | null = null;
    while (this.is("except")) {
      const star = this.peek().text === "*";
      handlers.push(this.handler(star, starred !== null && star !== starred));
      starred = star;
    }
    const orelse = handlers.length > 0 ? this.else_block() : [];
    let finalbody: ast.stmt[] = [];
    if (this.is("finally")) {
      const head = this.advance();
      finalbody = this.block("'finally' statement", head);
    }
    if (handlers.length === 0 && finalbody.length === 0)
      this.error_at("expected 'except' or 'finally' block", this.tok);
    const make = starred === true ? ast.TryStar : ast.Try;
    return new make(body, handlers, orelse, finalbody, this.over(start));
  }

  /** @param mixed whether a handler of the other kind stands before it */
  private handler(star: boolean, mixed: boolean): ast.ExceptHandler {
    const start = this.advance();
    if (star) this.advance();
    let type: ast.expr | null = null;
    let name: string | null = null;
    if (star && (this.is(":") || this.is_type(TokenType.NEWLINE)))
      this.error_at("expected one or more exception types", this.tok);
    if (mixed) this.error_at("cannot have both 'except' and 'except*' on the same 'try'", start);
    if (!this.is(":") && !this.is_type(TokenType.NEWLINE)) {
      const first = this.tok;
      type = this.expression();
      if (this.is(",")) {
        while (this.accept(",") && this.begins_expression()) this.expression();
        this.error_at("multiple exception types must be parenthesized", first, this.last);
      }
      if (this.accept("as")) name = this.identifier();
    }
    const body = this.block(star ? "'except*' statement" : "'except' statement", start);
    return new ast.ExceptHandler(type, name, body, this.over(start));
  }

  /** `match` is a name, too: only a subject, a colon and a `case` make a statement. */
  private match_statement(): ast.stmt | null {
    const start = this.tok;
    const subject = this.attempt(() => {
      this.advance();
      if (!this.begins_expression() && !this.is("*")) return null;
      const found = this.subject();
      return this.is(":") && this.peek().type === TokenType.NEWLINE ? found : null;
    });
    if (subject === null) return null;
    this.advance();
    this.advance();
    if (!this.is_type(TokenType.INDENT))
      this.indentation_error(`expected an indented block after 'match' statement on line ${start.lineno}`);
    this.advance();
    const cases: ast.match_case[] = [];
    while (this.is("case")) {
      const head = this.advance();
      const pattern = this.patterns();
      const guard = this.accept("if") ? this.named_expression() : null;
      const body = this.block("'case' statement", head);
      cases.push(new ast.match_case(pattern, guard, body));
    }
    if (cases.length === 0 || !this.is_type(TokenType.DEDENT)) this.unexpected();
    this.advance();
    return new ast.Match(subject, cases, this.over(start));
  }

  private subject(): ast.expr {
    const start = this.tok;
    const first = this.star_named_expression();
    if (this.accept(",")) {
      const elements = [first];
      while (this.begins_starred()) {
        elements.push(this.star_named_expression());
        if (!this.accept(",")) break;
      }
      return new ast.Tuple(elements, LOAD, this.range(start));
    }
    if (first instanceof ast.Starred) this.unexpected();
    return first;
  }
}
