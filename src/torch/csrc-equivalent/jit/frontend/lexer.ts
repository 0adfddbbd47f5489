/**
 * @file The lexer of scripts: tokens, with the indentation as tokens of its own, and the precedence of operators.
 * @mirrors torch/csrc/jit/frontend/lexer.h
 * @see aten/core/schema_lexer.ts, which reads the one line of a schema
 */
import { RuntimeError } from "#c10/util/Exception";
import { type Source, SourceRange } from "./source_range.ts";
import { numberLength } from "./strtod.ts";

// An idea in miniature:
//
//   def f(x):        def ident ( ident ) :
//     return x       indent return ident
//                    newline dedent eof
//
// A line break inside brackets is no token. Anywhere else the blanks behind it decide: more than before is `indent`,
// as many are `newline`, fewer are `newline` and one `dedent` for each level that ends.

/**
 * Kind of a token and of a tree. A single character is its own kind; the others have the names that errors print,
 * except that the kind of `a if c else b` is "if expr" and prints as "if".
 */
export type Kind = string;

export function kindToString(kind: Kind): string {
  return kind === "if expr" ? "if" : kind;
}

const singleCharacters = "+-*/%@()[]:,={}><.?!&^|~";

/** Tokens of a fixed text, as [kind, text]. */
const fixedTokens: readonly (readonly [Kind, string])[] = [
  ...[...singleCharacters].map((char): [Kind, string] => [char, char]),
  ...[
    "def if else elif while return is and or not True False None global for in raise assert break continue del pass",
    "class import with as Ellipsis NoneType << >> += -= *= /= %= |= &= ^= <<= >>= **=",
  ].flatMap((line) => line.split(" ").map((text): [Kind, string] => [text, text])),
  ["is not", "is not"],
  ["not in", "not in"],
  ["equivalent", "<=>"],
  ["ne", "!="],
  ["eq", "=="],
  ["le", "<="],
  ["ge", ">="],
  ["floordiv", "//"],
  ["pow operator", "**"],
  ["arrow", "->"],
  ["dots", "..."],
  ["type comment", "# type:"],
];

/** A tree of characters: a token ends at a node that has a kind. */
class TokenTrie {
  kind: Kind | null = null;
  readonly children = new Map<string, TokenTrie>();

  insert(text: string, kind: Kind): void {
    let node: TokenTrie = this;
    for (const char of text) {
      let child = node.children.get(char);
      if (child === undefined) {
        child = new TokenTrie();
        node.children.set(char, child);
      }
      node = child;
    }
    node.kind = kind;
  }
}

const head = new TokenTrie();
for (const [kind, text] of fixedTokens) head.insert(text, kind);

/** Precedence of operators between two operands; `for` and `if` stand behind their first operand too. */
const binary_prec = new Map<Kind, number>([
  ["if", 1],
  ["for", 1],
  ["and", 2],
  ["or", 2],
  ...["in", "not in", "<", ">", "is", "is not", "eq", "le", "ge", "ne"].map((kind): [Kind, number] => [kind, 4]),
  ["|", 5],
  ["^", 6],
  ["&", 7],
  ["<<", 8],
  [">>", 8],
  ["+", 9],
  ["-", 9],
  ...["*", "/", "floordiv", "%", "@"].map((kind): [Kind, number] => [kind, 10]),
  ["pow operator", 11],
]);

const unary_prec = new Map<Kind, number>([
  ["not", 3],
  ["~", 3],
  ["-", 10],
  ["*", 10],
]);

export function unaryPrecedence(kind: Kind): number | undefined {
  return unary_prec.get(kind);
}

export function binaryPrecedence(kind: Kind): number | undefined {
  return binary_prec.get(kind);
}

export function isRightAssociative(kind: Kind): boolean {
  return kind === "?" || kind === "pow operator" || kind === "if";
}

export class Token {
  readonly kind: Kind;
  readonly range: SourceRange;

  constructor(kind: Kind, range: SourceRange) {
    this.kind = kind;
    this.range = range;
  }

  text(): string {
    return this.range.text();
  }
}

interface Match {
  kind: Kind;
  start: number;
  end: number;
}

function isBlank(char: string): boolean {
  return char === " " || char === "\t" || char === "\r" || char === "\v" || char === "\f";
}

function isIdentifierCharacter(char: string, first: boolean): boolean {
  return /[A-Za-z_]/.test(char) || (!first && /[0-9]/.test(char));
}

export class Lexer {
  private readonly source: Source;
  private pos: number;
  /** Number of brackets that are open. */
  private nesting = 0;
  /** Indentation of the blocks that are open. Invariant: not empty. */
  private readonly indent_stack: number[] = [];
  private readonly next_tokens: Token[] = [];

  /** @param start where it begins to read: the beginning of a line */
  constructor(source: Source, start = 0) {
    this.source = source;
    this.pos = start;
    this.indent_stack.push(this.lexRaw(true).range.size());
    this.lex();
  }

  cur(): Token {
    return this.next_tokens[0];
  }

  lookahead(): Token {
    if (this.next_tokens.length < 2) this.lex();
    return this.next_tokens[1];
  }

  /** The current token; the next one becomes the current one. */
  next(): Token {
    const token = this.next_tokens.shift() as Token; // Invariant: never empty between calls
    if (this.next_tokens.length === 0) this.lex();
    return token;
  }

  /** Skips the current token if it is of this kind. */
  nextIf(kind: Kind): boolean {
    if (this.cur().kind !== kind) return false;
    this.next();
    return true;
  }

  expect(kind: Kind): Token {
    if (this.cur().kind !== kind) this.expected(kindToString(kind));
    return this.next();
  }

  expected(what: string, token: Token = this.cur()): never {
    throw new RuntimeError(`expected ${what} but found '${token.kind}' here:\n${token.range.highlight()}`);
  }

  private lex(): void {
    const token = this.lexRaw(false);
    const { kind } = token;
    if (kind === "(" || kind === "[" || kind === "{") this.nesting++;
    else if (kind === ")" || kind === "]" || kind === "}") this.nesting--;
    if (kind === "whitespace" || kind === "whitespace_eof") this.lexIndentation(token);
    else this.next_tokens.push(token);
  }

  /** A text may end with any indentation, so that code can stand in an indented string. */
  private lexIndentation({ kind, range }: Token): void {
    const stack = this.indent_stack;
    const depth = kind === "whitespace_eof" ? stack[0] : range.size();
    const current = stack[stack.length - 1];
    if (depth > current) {
      stack.push(depth);
      this.next_tokens.push(new Token("indent", range));
      return;
    }
    this.next_tokens.push(new Token("newline", range));
    while (stack[stack.length - 1] !== depth) {
      stack.pop();
      this.next_tokens.push(new Token("dedent", range));
      if (stack.length === 0) throw new RuntimeError(`invalid indent level ${depth}:\n${range.highlight()}`);
    }
  }

  private lexRaw(whitespace_token: boolean): Token {
    const match = this.match(whitespace_token);
    if (typeof match === "number") {
      // As in PyTorch, the error names the character at which the search began and marks the one that begins no token.
      const range = new SourceRange(this.source, match, match + 1);
      return this.expected("a valid token", new Token(this.source.text[this.pos] ?? "", range));
    }
    this.pos = match.end;
    return new Token(match.kind, new SourceRange(this.source, match.start, match.end));
  }

  /** The next token, or the position of a character that begins none. */
  private match(whitespace: boolean): Match | number {
    const { text } = this.source;
    let whitespace_token = whitespace;
    let { pos } = this;
    let start = pos;
    for (;;) {
      while (pos < text.length && isBlank(text[pos])) pos++;
      const char = text[pos];
      if (char === "#" && !text.startsWith("# type:", pos)) {
        while (pos < text.length && text[pos] !== "\n") pos++;
      } else if (char === "\\" && text[pos + 1] === "\n" && !whitespace_token) {
        pos += 2;
      } else if (char === "\n") {
        pos++;
        whitespace_token = this.nesting === 0;
      } else {
        break;
      }
      start = pos;
    }
    const atEnd = pos >= text.length;
    if (whitespace_token) return { kind: atEnd ? "whitespace_eof" : "whitespace", start, end: pos };
    if (atEnd) return { kind: "eof", start: pos, end: pos };
    return this.number(pos) ?? this.string(pos) ?? this.word(pos) ?? pos;
  }

  private number(start: number): Match | null {
    const { text } = this.source;
    const length = numberLength(text, start);
    if (length === 0) return null;
    const end = start + length;
    return { kind: "number", start, end: text[end] === "j" ? end + 1 : end };
  }

  private string(start: number): Match | null {
    const { text } = this.source;
    const quote = text[start];
    if (quote !== '"' && quote !== "'") return null;
    const quotes = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
    let end = start + quotes.length;
    while (end < text.length && !text.startsWith(quotes, end)) {
      if (text[end] === "\n" && quotes.length === 1) return null;
      end += text[end] === "\\" ? 2 : 1;
    }
    return end < text.length ? { kind: "string_literal", start, end: end + quotes.length } : null;
  }

  /** The longest identifier or fixed token; a fixed token wins over an identifier of its length. */
  private word(start: number): Match | null {
    const { text } = this.source;
    let found: Match | null = null;
    let ident = true;
    let node: TokenTrie | undefined = head;
    for (let i = start; i < text.length && (ident || node !== undefined); i++) {
      ident = ident && isIdentifierCharacter(text[i], i === start);
      if (ident) found = { kind: "ident", start, end: i + 1 };
      node = node?.children.get(text[i]);
      if (node !== undefined && node.kind !== null) found = { kind: node.kind, start, end: i + 1 };
    }
    return found;
  }
}
