/**
 * @file The lexer of a schema line. The grammar is Python's, because TorchScript shares the lexer.
 * @mirrors torch/csrc/jit/frontend/lexer.h
 * @differs Only tokens that a schema can contain are known; PyTorch's lexer also makes indentation tokens.
 */
import { RuntimeError } from "#c10/util/Exception";
import { ErrorReport, SourceRange } from "./source_range.ts";

/** A token's kind: a single character is its own kind; the others have the names that errors print. */
export type TokenKind = string;

/** Operators of several characters, longer ones first; if the name differs from the text, it is in `operatorNames`. */
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

/**
 * A number as C's `strtod` accepts it, beginning with a digit or point, and a `j` for an imaginary one. Sticky: it
 * matches at `lastIndex`.
 */
const numberPattern = /(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)j?/y;
const identifierPattern = /[A-Za-z_]\w*/y;
const blankPattern = /(?:\s|#[^\n]*)*/y;

const singleCharacters = "+-*/%@()[]:,={}><.?!&^|~";
/** Characters with which no longer operator begins. */
const alwaysSingle = "()[]{},:?@~";

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

/** Whether a token of this text is an identifier: it contains no sign and is no keyword. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text) && !keywords.has(text);
}

export class Token {
  readonly kind: TokenKind;
  private readonly source: string;
  private readonly start: number;
  private readonly end: number;

  constructor(kind: TokenKind, source: string, start: number, end: number) {
    this.kind = kind;
    this.source = source;
    this.start = start;
    this.end = end;
  }

  /** Position of the token; computed only for an error. */
  get range(): SourceRange {
    return new SourceRange(this.source, this.start, this.end);
  }

  text(): string {
    return this.source.slice(this.start, this.end);
  }
}

export class Lexer {
  private readonly source: string;
  private pos = 0;
  private current: Token;
  /** The next token, if it was read ahead. */
  private ahead: Token | null = null;

  constructor(source: string) {
    this.source = source;
    this.current = this.lexRaw();
  }

  cur(): Token {
    return this.current;
  }

  lookahead(): Token {
    this.ahead ??= this.lexRaw();
    return this.ahead;
  }

  next(): Token {
    const token = this.current;
    this.current = this.ahead ?? this.lexRaw();
    this.ahead = null;
    return token;
  }

  /** Skips the current token if it is of this kind. */
  nextIf(kind: TokenKind): boolean {
    if (this.current.kind !== kind) return false;
    this.next();
    return true;
  }

  expect(kind: TokenKind): Token {
    if (this.current.kind !== kind) this.expected(kind);
    return this.next();
  }

  expected(what: string, token: Token = this.cur()): never {
    throw new RuntimeError(`expected ${what} but found '${token.kind}' here:\n${token.range.highlight()}`);
  }

  private lexRaw(): Token {
    const before = this.pos;
    this.skipBlanks();
    const { source, pos } = this;
    if (pos >= source.length) return new Token("eof", source, source.length, source.length);
    if (isLetter(source.charCodeAt(pos))) return this.identifier();
    return this.number() ?? this.string() ?? this.operator() ?? this.unknown(before);
  }

  private skipBlanks(): void {
    const code = this.source.charCodeAt(this.pos);
    if (code > 0x23 && code < 0x80) return; // any other character than a blank or `#`
    this.pos += this.matchLength(blankPattern);
  }

  private take(kind: TokenKind, length: number): Token {
    const start = this.pos;
    this.pos += length;
    return new Token(kind, this.source, start, this.pos);
  }

  private matchLength(pattern: RegExp): number {
    pattern.lastIndex = this.pos;
    return pattern.test(this.source) ? pattern.lastIndex - this.pos : 0;
  }

  private number(): Token | null {
    const code = this.source.charCodeAt(this.pos);
    if (code !== 0x2e && (code < 0x30 || code > 0x39)) return null; // a point or a digit
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
    const char = this.source[this.pos];
    if (alwaysSingle.includes(char)) return this.take(char, 1);
    const length = this.matchLength(operatorPattern);
    if (length > 0) {
      const text = this.source.slice(this.pos, this.pos + length);
      return this.take(operatorNames[text] ?? text, length);
    }
    return singleCharacters.includes(char) ? this.take(char, 1) : null;
  }

  private identifier(): Token {
    const length = this.matchLength(identifierPattern);
    const text = this.source.slice(this.pos, this.pos + length);
    return this.take(keywords.has(text) ? text : "ident", length);
  }

  /** Like PyTorch's, the message names the character at which skipping blanks began, but marks the one that begins no token. */
  private unknown(before: number): never {
    const char = this.source[before];
    return this.expected("a valid token", new Token(char, this.source, this.pos, this.pos + 1));
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
