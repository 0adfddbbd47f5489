/**
 * @file Words of a schema line. The grammar is Python's, because TorchScript shares the lexer.
 * @mirrors torch/csrc/jit/frontend/lexer.h
 * @differs Only what a schema can contain: no indentation tokens.
 */
import { RuntimeError } from "../../c10/util/Exception.ts";
import { ErrorReport, SourceRange } from "./source_range.ts";

/** A single character stands for itself; the others have the names that errors print. */
export type TokenKind = string;

/** Longest first: `->` before `-`. */
const operators: readonly (readonly [string, TokenKind])[] = [
  ["<<=", "<<="], [">>=", ">>="], ["**=", "**="], ["<=>", "equivalent"], ["...", "dots"],
  ["!=", "ne"], ["==", "eq"], ["<=", "le"], [">=", "ge"], ["//", "floordiv"], ["<<", "<<"], [">>", ">>"], ["->", "arrow"], ["**", "pow operator"],
  ["+=", "+="], ["-=", "-="], ["*=", "*="], ["/=", "/="], ["%=", "%="], ["|=", "|="], ["&=", "&="], ["^=", "^="],
];

const keywords = new Set([
  "def", "if", "else", "elif", "while", "return", "is", "and", "or", "not", "True", "False", "None", "global", "for", "in", "raise",
  "assert", "break", "continue", "del", "pass", "class", "import", "with", "as", "Ellipsis", "NoneType",
]);

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
    const blank = /(?:\s|#[^\n]*)*/y;
    blank.lastIndex = this.pos;
    blank.test(this.source);
    this.pos = blank.lastIndex;
  }

  private take(kind: TokenKind, length: number): Token {
    const start = this.pos;
    this.pos += length;
    return new Token(kind, new SourceRange(this.source, start, this.pos));
  }

  /** What C's `strtod` accepts from a digit or point on, and a `j` for an imaginary one. */
  private number(): Token | null {
    const match = /^(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)j?/.exec(this.source.slice(this.pos));
    return match === null ? null : this.take("number", match[0].length);
  }

  private string(): Token | null {
    const quote = this.source[this.pos];
    if (quote !== "'" && quote !== '"') return null;
    const long = this.source.startsWith(quote.repeat(3), this.pos);
    const pattern = long ? `${quote}{3}(?:\\\\[^]|(?!${quote}{3})[^\\\\])*${quote}{3}` : `${quote}(?:\\\\[^]|[^\\\\\\n${quote}])*${quote}`;
    const match = new RegExp(`^${pattern}`).exec(this.source.slice(this.pos));
    return match === null ? null : this.take("string_literal", match[0].length);
  }

  private operator(): Token | null {
    for (const [text, kind] of operators) {
      if (this.source.startsWith(text, this.pos)) return this.take(kind, text.length);
    }
    const char = this.source[this.pos] as string;
    return singleCharacters.includes(char) ? this.take(char, 1) : null;
  }

  private identifier(): Token | null {
    const match = /^[A-Za-z_]\w*/.exec(this.source.slice(this.pos));
    if (match === null) return null;
    return this.take(keywords.has(match[0]) ? match[0] : "ident", match[0].length);
  }

  /** PyTorch names the character it stood at before skipping blanks, and marks the one that no token begins with. */
  private unknown(before: number): never {
    const char = this.source[before] as string;
    return this.expected("a valid token", new Token(char, new SourceRange(this.source, this.pos, this.pos + 1)));
  }
}

const simpleEscapes: Readonly<Record<string, string>> = {
  "\\": "\\", "'": "'", '"': '"', n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", a: "\x07",
};

/** The string a literal token stands for. */
export function parseStringLiteral(range: SourceRange, text: string): string {
  const quotes = text.length >= 6 && (text.startsWith("'''") || text.startsWith('"""')) ? 3 : 1;
  const body = text.slice(quotes, text.length - quotes);
  return body.replace(/\\(?:([0-7]{1,3})|\n|([^]))/g, (_, octal: string | undefined, char: string | undefined) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    if (char === undefined) return "";
    if (char === "x") throw new ErrorReport(range, "unsupported hex specifier");
    if (char === "u" || char === "U") throw new ErrorReport(range, "unsupported unicode specifier");
    const plain = simpleEscapes[char];
    if (plain === undefined) throw new ErrorReport(range, "octal and hex escaped sequences are not supported");
    return plain;
  });
}
