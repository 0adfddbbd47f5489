/**
 * @file Words of a schema line. The grammar is Python's, because TorchScript shares the lexer.
 * @mirrors torch/csrc/jit/frontend/lexer.h
 * @differs Only what a schema can contain: no indentation tokens.
 */
import { RuntimeError } from "../../c10/util/Exception.ts";
import { ErrorReport, SourceRange } from "./source_range.ts";

/** A single character stands for itself; the others have the names that errors print. */
export type TokenKind = string;

/** Operators of several characters, the longer first; those whose name is not their text have it in `operatorNames`. */
const operatorPattern = /<<=|>>=|\*\*=|<=>|\.\.\.|!=|==|<=|>=|\/\/|<<|>>|->|\*\*|[-+*/%|&^]=/y;
const operatorNames: Readonly<Record<string, TokenKind>> = {
  "<=>": "equivalent",
  "...": "dots",
  "!=": "ne",
  "==": "eq",
  "<=": "le",
  ">=": "ge",
  "//": "floordiv",
  "->": "arrow",
  "**": "pow operator",
};

const keywords = new Set([
  "def",
  "if",
  "else",
  "elif",
  "while",
  "return",
  "is",
  "and",
  "or",
  "not",
  "True",
  "False",
  "None",
  "global",
  "for",
  "in",
  "raise",
  "assert",
  "break",
  "continue",
  "del",
  "pass",
  "class",
  "import",
  "with",
  "as",
  "Ellipsis",
  "NoneType",
]);

/** What C's `strtod` accepts from a digit or point on, and a `j` for an imaginary one. Sticky: matched where `lastIndex` says. */
const numberPattern = /(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)j?/y;
const identifierPattern = /[A-Za-z_]\w*/y;
const blankPattern = /(?:\s|#[^\n]*)*/y;

const singleCharacters = "+-*/%@()[]:,={}><.?!&^|~";

export class Token {
  readonly kind: TokenKind;
  readonly range: SourceRange;

  constructor(kind: TokenKind, range: SourceRange) {
    this.kind = kind;
    this.range = range;
  }

  text(): string {
    return this.range.text();
  }
}

export class Lexer {
  private readonly source: string;
  private pos = 0;
  private readonly next_tokens: Token[] = [];

  constructor(source: string) {
    this.source = source;
    this.next_tokens.push(this.lexRaw());
  }

  cur(): Token {
    return this.next_tokens[0] as Token;
  }

  lookahead(): Token {
    if (this.next_tokens.length < 2) this.next_tokens.push(this.lexRaw());
    return this.next_tokens[1] as Token;
  }

  next(): Token {
    const token = this.next_tokens.shift() as Token;
    if (this.next_tokens.length === 0) this.next_tokens.push(this.lexRaw());
    return token;
  }

  /** Skips the current token if it is of this kind. */
  nextIf(kind: TokenKind): boolean {
    if (this.cur().kind !== kind) return false;
    this.next();
    return true;
  }

  expect(kind: TokenKind): Token {
    if (this.cur().kind !== kind) this.expected(kind);
    return this.next();
  }

  expected(what: string, token: Token = this.cur()): never {
    throw new RuntimeError(`expected ${what} but found '${token.kind}' here:\n${token.range.highlight()}`);
  }

  private lexRaw(): Token {
    const before = this.pos;
    this.skipBlanks();
    const { source, pos } = this;
    if (pos >= source.length) return new Token("eof", new SourceRange(source, source.length, source.length));
    return this.number() ?? this.string() ?? this.operator() ?? this.identifier() ?? this.unknown(before);
  }

  private skipBlanks(): void {
    this.pos += this.matchLength(blankPattern);
  }

  private take(kind: TokenKind, length: number): Token {
    const start = this.pos;
    this.pos += length;
    return new Token(kind, new SourceRange(this.source, start, this.pos));
  }

  private matchLength(pattern: RegExp): number {
    pattern.lastIndex = this.pos;
    return pattern.test(this.source) ? pattern.lastIndex - this.pos : 0;
  }

  private number(): Token | null {
    const length = this.matchLength(numberPattern);
    return length === 0 ? null : this.take("number", length);
  }

  private string(): Token | null {
    const quote = this.source[this.pos];
    if (quote !== "'" && quote !== '"') return null;
    const long = this.source.startsWith(quote.repeat(3), this.pos);
    const pattern = long
      ? `${quote}{3}(?:\\\\[^]|(?!${quote}{3})[^\\\\])*${quote}{3}`
      : `${quote}(?:\\\\[^]|[^\\\\\\n${quote}])*${quote}`;
    const match = new RegExp(`^${pattern}`).exec(this.source.slice(this.pos));
    return match === null ? null : this.take("string_literal", match[0].length);
  }

  private operator(): Token | null {
    const length = this.matchLength(operatorPattern);
    if (length > 0) {
      const text = this.source.slice(this.pos, this.pos + length);
      return this.take(operatorNames[text] ?? text, length);
    }
    const char = this.source[this.pos] as string;
    return singleCharacters.includes(char) ? this.take(char, 1) : null;
  }

  private identifier(): Token | null {
    const length = this.matchLength(identifierPattern);
    if (length === 0) return null;
    const text = this.source.slice(this.pos, this.pos + length);
    return this.take(keywords.has(text) ? text : "ident", length);
  }

  /** PyTorch names the character it stood at before skipping blanks, and marks the one that no token begins with. */
  private unknown(before: number): never {
    const char = this.source[before] as string;
    return this.expected("a valid token", new Token(char, new SourceRange(this.source, this.pos, this.pos + 1)));
  }
}

const simpleEscapes: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  a: "\x07",
};

/** The string a literal token stands for. */
export function parseStringLiteral(range: SourceRange, text: string): string {
  const quotes = text.length >= 6 && (text.startsWith("'''") || text.startsWith('"""')) ? 3 : 1;
  const body = text.slice(quotes, text.length - quotes);
  return body.replace(/\\(?:([0-7]{1,3})|\n|([\s\S]))/g, (_, octal: string | undefined, char: string | undefined) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    if (char === undefined) return "";
    if (char === "x") throw new ErrorReport(range, "unsupported hex specifier");
    if (char === "u" || char === "U") throw new ErrorReport(range, "unsupported unicode specifier");
    const plain = simpleEscapes[char];
    if (plain === undefined) throw new ErrorReport(range, "octal and hex escaped sequences are not supported");
    return plain;
  });
}
