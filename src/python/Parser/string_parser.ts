/**
 * @file String literals: prefixes, escapes, neighbours that are one string, and f-strings.
 * @mirrors Parser/string_parser.c (CPython 3.11)
 *
 * Note [f-strings are cut afterwards]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * In Python 3.11 an f-string is one token. Its text is searched for braces, and each expression between them is parsed as a small
 * program of its own, in brackets. So such an expression holds no backslash, no `#` and no quote of the string around it. All nodes of an
 * f-string have the place of the whole string, except the nodes of its expressions.
 */
import * as ast from "../ast/nodes.ts";
import { PyBytes } from "../Objects/bytesobject.ts";
import type { Token } from "./tokenizer.ts";

/** Services of the parser for strings. */
export interface Parsing {
  /** Parses a text in brackets; its first character stands after so many lines and columns. */
  readonly expression: (text: string, lines: number, columns: number) => ast.expr;
  /** Refuses the string, or a part of it. CPython mostly names the place after the string. */
  readonly fail: (message: string, token?: Token) => never;
}

interface Literal {
  readonly token: Token;
  /** The text between the quotes, and where it begins in the token. */
  readonly body: string;
  readonly begin: number;
  readonly raw: boolean;
  readonly bytes: boolean;
  readonly formatted: boolean;
}

function literal_of(token: Token): Literal {
  const { text } = token;
  const prefix = (/^[a-zA-Z]*/.exec(text)?.[0] ?? "").toLowerCase();
  const quotes = /^(\x22{3}|\x27{3})/.test(text.slice(prefix.length)) ? 3 : 1;
  const begin = prefix.length + quotes;
  return {
    token,
    body: text.slice(begin, -quotes),
    begin,
    raw: prefix.includes("r"),
    bytes: prefix.includes("b"),
    formatted: prefix.includes("f"),
  };
}

/** Strings side by side: one constant, or one `JoinedStr`. */
export function concatenate_strings(tokens: readonly Token[], at: ast.Range, parsing: Parsing): ast.expr {
  const literals = tokens.map(literal_of);
  const [first] = literals as [Literal];
  for (const literal of literals)
    if (literal.bytes !== first.bytes) parsing.fail("cannot mix bytes and nonbytes literals");
  if (first.bytes) {
    const parts = literals.map((literal) => decode_bytes(literal, parsing));
    return new ast.Constant(new PyBytes(Uint8Array.from(parts.flat())), null, at);
  }
  const kind = /^[uU]/.test(first.token.text) ? "u" : null;
  const joined = new Joined(at, kind);
  let formatted = false;
  for (const literal of literals) {
    if (literal.formatted) new FString(literal, joined, parsing).read();
    else joined.text(literal.raw ? literal.body : decode_escapes(literal.body, parsing));
    formatted ||= literal.formatted;
  }
  const values = joined.end();
  if (formatted) return new ast.JoinedStr(values, at);
  return values[0] ?? new ast.Constant("", kind, at);
}

/** The values of a `JoinedStr`; neighbouring texts are one constant. */
class Joined {
  readonly at: ast.Range;
  private readonly kind: string | null;
  private readonly values: ast.expr[] = [];
  private pending = "";

  constructor(at: ast.Range, kind: string | null) {
    this.at = at;
    this.kind = kind;
  }

  text(text: string): void {
    this.pending += text;
  }

  value(node: ast.expr): void {
    this.flush(this.at);
    this.values.push(node);
  }

  nested(): Joined {
    return new Joined(this.at, this.kind);
  }

  /** @param at place of the last text, which in a format is the string that it stands in */
  end(at: ast.Range = this.at): ast.expr[] {
    this.flush(at);
    return this.values;
  }

  private flush(at: ast.Range): void {
    if (this.pending === "") return;
    this.values.push(new ast.Constant(this.pending, this.kind, at));
    this.pending = "";
  }
}

const CLOSING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const MAXLEVEL = 200;

class FString {
  private readonly literal: Literal;
  private readonly joined: Joined;
  private readonly parsing: Parsing;
  private at = 0;

  constructor(literal: Literal, joined: Joined, parsing: Parsing) {
    this.literal = literal;
    this.joined = joined;
    this.parsing = parsing;
  }

  read(): void {
    this.pieces(this.joined, 0);
  }

  private fail(message: string): never {
    this.parsing.fail(message);
  }

  /** Texts and expressions, to the end of the string or to the bracket that ends a format. */
  private pieces(into: Joined, depth: number): void {
    const { body } = this.literal;
    for (;;) {
      this.text(into, depth);
      if (this.at >= body.length || body[this.at] === "}") break;
      this.expression(into, depth);
    }
  }

  /** A text up to the next brace that counts. */
  private text(into: Joined, depth: number): void {
    const { body, raw } = this.literal;
    let begin = this.at;
    const take = (end: number): void => {
      const text = body.slice(begin, end);
      into.text(raw ? text : decode_escapes(text, this.parsing));
    };
    while (this.at < body.length) {
      const character = body[this.at] as string;
      if (character === "\\" && !raw && this.at + 1 < body.length) {
        const named = body.startsWith("N{", this.at + 1);
        if (named) this.at = body.indexOf("}", this.at) + 1 || body.length;
        else if (/[{}]/.test(body[this.at + 1] as string)) this.at++;
        else this.at += 2;
        continue;
      }
      if (character === "{" || character === "}") {
        if (depth > 0) break;
        if (body[this.at + 1] === character) {
          take(this.at + 1);
          this.at += 2;
          begin = this.at;
          continue;
        }
        if (character === "}") this.fail("f-string: single '}' is not allowed");
        break;
      }
      this.at++;
    }
    take(this.at);
  }

  /** `{value!r:format}`, `{value=}` */
  private expression(into: Joined, depth: number): void {
    const { body } = this.literal;
    if (depth >= 2) this.fail("f-string: expressions nested too deeply");
    const brace = this.at;
    this.at++;
    this.find_end();
    const text = body.slice(brace + 1, this.at);
    if (/^[ \t\f\r\n]*$/.test(text)) this.nothing(body[this.at]);
    if (this.at >= body.length) this.fail("f-string: expecting '}'");
    const value = this.parse(text, brace);
    let written: string | null = null;
    if (body[this.at] === "=") {
      this.at++;
      while (/\s/.test(body[this.at] ?? "")) this.at++;
      written = body.slice(brace + 1, this.at);
    }
    let conversion = -1;
    if (body[this.at] === "!") {
      this.at++;
      const name = body[this.at] ?? "";
      if (name === "") this.fail("f-string: expecting '}'");
      this.at++;
      if (!"sra".includes(name)) this.fail("f-string: invalid conversion character: expected 's', 'r', or 'a'");
      conversion = name.charCodeAt(0);
    }
    let format: ast.expr | null = null;
    if (body[this.at] === ":") {
      this.at++;
      const nested = into.nested();
      this.pieces(nested, depth + 1);
      const { token } = this.literal;
      format = new ast.JoinedStr(nested.end(token), token);
    }
    if (body[this.at] !== "}") this.fail("f-string: expecting '}'");
    this.at++;
    if (written !== null) {
      into.text(written);
      if (format === null && conversion === -1) conversion = "r".charCodeAt(0);
    }
    into.value(new ast.FormattedValue(value, conversion, format, into.at));
  }

  private nothing(before: string | undefined): never {
    if (before === "!" || before === ":" || before === "=")
      this.fail(`f-string: expression required before '${before}'`);
    return this.fail(before === undefined ? "f-string: expecting '}'" : "f-string: empty expression not allowed");
  }

  /** Moves to the character that ends the expression: `!`, `:`, `=` or a brace outside of brackets and strings. */
  private find_end(): void {
    const { body } = this.literal;
    const open: string[] = [];
    let quote = "";
    for (; this.at < body.length; this.at++) {
      const character = body[this.at] as string;
      if (character === "\\") this.fail("f-string expression part cannot include a backslash");
      if (quote !== "") {
        if (!body.startsWith(quote, this.at)) continue;
        this.at += quote.length - 1;
        quote = "";
      } else if (character === "'" || character === '"') {
        quote = body.startsWith(character.repeat(3), this.at) ? character.repeat(3) : character;
        this.at += quote.length - 1;
      } else if (character === "(" || character === "[" || character === "{") {
        if (open.length >= MAXLEVEL) this.fail("f-string: too many nested parenthesis");
        open.push(character);
      } else if (character === "#") this.fail("f-string expression part cannot include '#'");
      else if (open.length === 0 && "!:}=<>".includes(character)) {
        if (body[this.at + 1] === "=" && "!=<>".includes(character)) this.at++;
        else if (character !== "<" && character !== ">") break;
      } else if (CLOSING[character] !== undefined) {
        const opened = open.pop();
        if (opened === undefined) this.fail(`f-string: unmatched '${character}'`);
        if (opened !== CLOSING[character])
          this.fail(`f-string: closing parenthesis '${character}' does not match opening parenthesis '${opened}'`);
      }
    }
    if (quote !== "") this.fail("f-string: unterminated string");
    if (open.length > 0) this.fail(`f-string: unmatched '${open.at(-1)}'`);
  }

  private parse(text: string, brace: number): ast.expr {
    const { token, begin } = this.literal;
    const before = token.text.slice(0, begin + brace);
    const lines = before.split("\n").length - 1;
    const bytes = (part: string): number => new TextEncoder().encode(part).length;
    const newline_after_brace = /^[ \t\f]*\n/.test(text);
    let columns = 0;
    if (!newline_after_brace) columns = bytes(before.slice(before.lastIndexOf("\n") + 1));
    if (lines === 0) columns += token.col_offset;
    return this.parsing.expression(`(${text})`, token.lineno - 1 + lines, columns);
  }
}

// Escapes -------------------------------------------------------------------------------------------------------------------

const SIMPLE: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
const ESCAPE = /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|N\{([^}]*)\}|([\s\S]))/g;
const LENGTHS: Readonly<Record<string, [digits: number, shape: string]>> = {
  x: [2, "\\xXX"],
  u: [4, "\\uXXXX"],
  U: [8, "\\UXXXXXXXX"],
};

/** Replaces the escapes of a string. What is no escape stays as it is. */
function decode_escapes(text: string, parsing: Parsing): string {
  if (!text.includes("\\")) return text;
  const refuse = (index: number, length: number, reason: string): never => {
    const end = index + length - 1;
    parsing.fail(`(unicode error) 'unicodeescape' codec can't decode bytes in position ${index}-${end}: ${reason}`);
  };
  return text.replace(ESCAPE, (whole, octal, x, u, U, name, other, index: number) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    const hexadecimal = x ?? u ?? U;
    if (hexadecimal !== undefined) {
      const code = Number.parseInt(hexadecimal, 16);
      if (code > 0x10ffff) refuse(index, whole.length, "illegal Unicode character");
      return String.fromCodePoint(code);
    }
    if (name !== undefined)
      return named_character(name) ?? refuse(index, whole.length, "unknown Unicode character name");
    if (LENGTHS[other] !== undefined) {
      const digits = /^[\da-fA-F]*/.exec(text.slice(index + 2))?.[0].length ?? 0;
      refuse(index, 2 + digits, `truncated ${LENGTHS[other][1]} escape`);
    }
    if (other === "N")
      refuse(index, text[index + 2] === "{" ? text.length - index : 2, "malformed \\N character escape");
    return SIMPLE[other] ?? whole;
  });
}

/** Names of characters that programs write by name. @differs CPython knows the names of all characters. */
const CHARACTER_NAMES: Readonly<Record<string, string>> = {
  BULLET: "\u2022",
  "EM DASH": "\u2014",
  "EN DASH": "\u2013",
  "GREEK SMALL LETTER ALPHA": "\u03b1",
  "GREEK SMALL LETTER BETA": "\u03b2",
  "MICRO SIGN": "\u00b5",
  "NO-BREAK SPACE": "\u00a0",
  SNOWMAN: "\u2603",
};

function named_character(name: string): string | undefined {
  return CHARACTER_NAMES[name.toUpperCase()];
}

function decode_bytes({ body, raw, token }: Literal, parsing: Parsing): number[] {
  if (/[^\0-\x7f]/.test(body)) parsing.fail("bytes can only contain ASCII literal characters", token);
  const text = raw
    ? body
    : body.replace(/\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|([\s\S]))/g, (whole, octal, x, other, index: number) => {
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
        if (x !== undefined) return String.fromCharCode(Number.parseInt(x, 16));
        if (other === "x") parsing.fail(`(value error) invalid \\x escape at position ${index}`);
        return SIMPLE[other] ?? whole;
      });
  return Array.from(text, (character) => character.charCodeAt(0));
}
