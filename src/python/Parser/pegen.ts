/**
 * @file The tokens of a program as a parser reads them: one in advance, a way back, the places of nodes, and errors.
 * @mirrors Parser/pegen.c (CPython 3.11)
 * @differs CPython's parser is generated from a grammar and remembers what it has tried. Ours is written by hand: the next token
 * decides what is parsed, and only two rules need a way back.
 */
import type { Located, Range } from "../ast/nodes.ts";
import { MemoryError } from "../Objects/exceptions.ts";
import { IndentationError, SyntaxError_ } from "./errors.ts";
import { type Token, TokenError, type Tokenizer, TokenType } from "./tokenizer.ts";

export const KEYWORDS: ReadonlySet<string> = new Set([
  "False",
  "None",
  "True",
  "and",
  "as",
  "assert",
  "async",
  "await",
  "break",
  "class",
  "continue",
  "def",
  "del",
  "elif",
  "else",
  "except",
  "finally",
  "for",
  "from",
  "global",
  "if",
  "import",
  "in",
  "is",
  "lambda",
  "nonlocal",
  "not",
  "or",
  "pass",
  "raise",
  "return",
  "try",
  "while",
  "with",
  "yield",
]);

/** CPython has 6000, and several rules in one of ours. */
const MAXSTACK = 1500;

/** The generic error: the parser met a token that fits nowhere. A more precise one may be known to a caller. */
export class Unexpected extends SyntaxError_ {}

/** A statement without its colon: no other way to read the text is tried. */
export class MissingColon extends SyntaxError_ {}

export abstract class TokenStream {
  protected readonly tokenizer: Tokenizer;
  private readonly tokens: Token[] = [];
  private position = 0;
  /** The next token. */
  protected tok: Token;
  /** The token before it. */
  protected last: Token;

  /** Number of rules that call themselves at this point. */
  protected level = 0;

  constructor(tokenizer: Tokenizer) {
    this.tokenizer = tokenizer;
    this.tok = tokenizer.next();
    this.last = this.tok;
    this.tokens.push(this.tok);
  }

  /** A rule that calls itself is entered; its caller leaves it by `this.level--`. The engine's stack must not decide. */
  protected enter(): void {
    if (++this.level > MAXSTACK) throw new MemoryError();
  }

  protected advance(): Token {
    const { tok } = this;
    this.last = tok;
    const known = this.tokens[++this.position];
    if (known === undefined) this.tokens.push((this.tok = this.tokenizer.next()));
    else this.tok = known;
    return tok;
  }

  /** The token after the next one. */
  protected peek(): Token {
    const known = this.tokens[this.position + 1];
    if (known !== undefined) return known;
    const made = this.tokenizer.next();
    this.tokens.push(made);
    return made;
  }

  protected mark(): number {
    return this.position;
  }

  protected reset(mark: number): void {
    this.position = mark;
    this.tok = this.tokens[mark] as Token;
    this.last = this.tokens[mark - 1] ?? this.tok;
  }

  /**
   * Tries a rule. If it gives null, or one of these errors, everything is as it was, and the result is null.
   * @param errors the class of errors that mean that the rule does not apply
   */
  protected attempt<T>(rule: () => T | null, errors: typeof SyntaxError_ = SyntaxError_): T | null {
    const { position, level } = this;
    try {
      const made = rule();
      if (made !== null) return made;
    } catch (error) {
      if (!(error instanceof errors) || error instanceof MissingColon) throw error;
    }
    this.reset(position);
    this.level = level;
    return null;
  }

  /** Whether the next token is this keyword or operator. */
  protected is(text: string): boolean {
    return this.tok.text === text && this.tok.type !== TokenType.STRING;
  }

  protected accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.advance();
    return true;
  }

  protected expect(text: string): Token {
    if (!this.is(text)) this.unexpected();
    return this.advance();
  }

  /** CPython names what it misses where nothing else may stand. */
  protected expect_forced(text: string): Token {
    if (!this.is(text)) this.error_at(`expected '${text}'`, this.tok);
    return this.advance();
  }

  protected is_type(type: TokenType): boolean {
    return this.tok.type === type;
  }

  protected is_name(): boolean {
    return this.tok.type === TokenType.NAME && !KEYWORDS.has(this.tok.text);
  }

  /** @returns an identifier; CPython compares identifiers in normal form. */
  protected identifier(): string {
    if (!this.is_name()) this.unexpected();
    const { text } = this.advance();
    return text.normalize("NFKC");
  }

  /** From a token or a node to the last token that was read. */
  protected range(from: Token | Located): Range {
    const { last } = this;
    return {
      lineno: from.lineno,
      col_offset: from.col_offset,
      end_lineno: last.end_lineno,
      end_col_offset: last.end_col_offset,
    };
  }

  // Errors ------------------------------------------------------------------------------------------------------------------

  private place(from: Range, to: Range): { lineno: number; offset: number; end_lineno: number; end_offset: number } {
    const [lineno, offset] = this.tokenizer.character(from.lineno, from.col_offset);
    const [end_lineno, end_offset] = this.tokenizer.character(to.end_lineno, to.end_col_offset);
    return { lineno, offset, end_lineno, end_offset };
  }

  protected error_at(message: string, from: Range, to: Range = from): never {
    throw this.tokenizer.with_line(new SyntaxError_(message, this.place(from, to)));
  }

  protected missing_colon(): never {
    throw this.tokenizer.with_line(new MissingColon("expected ':'", this.place(this.tok, this.tok)));
  }

  protected indentation_error(message: string): never {
    const place = this.place(this.tok, this.tok);
    const { type } = this.tok;
    // An indentation has no first character: CPython names the column before.
    const before = type === TokenType.INDENT || type === TokenType.DEDENT ? 1 : 0;
    throw this.tokenizer.with_line(
      new IndentationError(message, { ...place, offset: place.offset - before, end_offset: place.end_offset - before }),
    );
  }

  protected unexpected(): never {
    const { tokenizer } = this;
    const tok = this.tokens.at(-1) as Token;
    const open = tokenizer.brackets.at(-1);
    if (tok.type === TokenType.ENDMARKER && open !== undefined) this.never_closed();
    if (tok.type === TokenType.INDENT) this.indentation_error("unexpected indent");
    if (tok.type === TokenType.DEDENT) this.indentation_error("unexpected unindent");
    throw tokenizer.with_line(new Unexpected("invalid syntax", this.place(tok, tok)));
  }

  protected never_closed(): never {
    const { brackets } = this.tokenizer;
    const { text, start, lineno } = brackets.at(-1) as (typeof brackets)[number];
    this.tokenizer.error(`'${text}' was never closed`, start, lineno, null);
  }

  /** Reads the rest: what cannot be a token, or a bracket that is never closed, is told rather than an error that follows from it. */
  protected check_rest(error: SyntaxError_): never {
    const { lineno, start, type } = this.tokens.at(-1) as Token;
    try {
      let token: Token;
      do token = this.tokenizer.next();
      while (token.type !== TokenType.ENDMARKER);
    } catch (later) {
      if (later instanceof TokenError && later.first) throw later;
    }
    const open = this.tokenizer.brackets.at(-1);
    if (open !== undefined && (lineno > open.lineno || (type === TokenType.OP && start === open.start)))
      this.never_closed();
    throw error;
  }
}
