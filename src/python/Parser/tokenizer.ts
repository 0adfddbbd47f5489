/**
 * @file Cuts a program into tokens, one at a time, with Python's rules for lines and indentation.
 * @mirrors Parser/tokenizer.c (CPython 3.11)
 */
import { IndentationError, type Place, SyntaxError_, TabError } from "./errors.ts";

export const TokenType = {
  ENDMARKER: 0,
  NAME: 1,
  NUMBER: 2,
  STRING: 3,
  NEWLINE: 4,
  INDENT: 5,
  DEDENT: 6,
  OP: 54,
} as const;
export type TokenType = (typeof TokenType)[keyof typeof TokenType];

export interface Token {
  readonly type: TokenType;
  readonly text: string;
  /** Index of the first character, and of the one after the last. */
  readonly start: number;
  readonly end: number;
  /** Lines count from 1; columns are UTF-8 bytes and count from 0. */
  readonly lineno: number;
  readonly col_offset: number;
  readonly end_lineno: number;
  readonly end_col_offset: number;
  /** Number of brackets that are open after the token. */
  readonly level: number;
}

interface Bracket {
  readonly text: string;
  readonly lineno: number;
  readonly start: number;
}

/** An error in a token. */
export class TokenError extends SyntaxError_ {
  /** Whether it is the cause of errors of the parser before it, so that it is told in their place. */
  readonly first: boolean;

  constructor(message: string, place: Place, first: boolean) {
    super(message, place);
    this.first = first;
  }
}

const TABSIZE = 8;
const MAXINDENT = 100;
const MAXLEVEL = 200;

const IDENTIFIER = /[\p{XID_Start}_][\p{XID_Continue}]*/uy;
const ASCII_IDENTIFIER = /[A-Za-z_]\w*/y;
const STRING_START = /(?:[bB][rR]?|[rR][bBfF]?|[fF][rR]?|[uU])?(?:\x22{3}|\x27{3}|[\x22\x27])/y;
const NUMBER =
  /(?:0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?[jJ]?)/y;
const OPERATOR =
  /<>|\*\*=|\/\/=|>>=|<<=|\.\.\.|!=|->|:=|\*\*|\/\/|<<|>>|<=|>=|==|[-+*/%@&|^=]=|[-+*/%@&|^~<>()[\]{},:.;=!$?\x60]/y;
const CLOSING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
/** Words that may follow a number directly: `1if x else y` */
const AFTER_NUMBER = /and|else|for|if|in|is|or|not/y;

export class Tokenizer {
  readonly text: string;
  /** Index of the first character of each line. */
  private readonly lines: number[] = [0];
  /** Whether all characters are single bytes, so that a column is a difference of indices. */
  private readonly ascii: boolean;
  private at = 0;
  private lineno = 1;
  private readonly indents: number[] = [0];
  private readonly alternative_indents: number[] = [0];
  private pending_dedents = 0;
  private begin_of_line = true;
  private blank = true;
  readonly brackets: Bracket[] = [];
  private done = false;

  /** Place of the first character, for a text that stands inside of another one (an expression of an f-string). */
  private readonly lines_before: number;
  private readonly columns_before: number;

  constructor(text: string, lines_before = 0, columns_before = 0) {
    this.lines_before = lines_before;
    this.columns_before = columns_before;
    this.text = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    if (this.text.charCodeAt(0) === 0xfeff) this.text = this.text.slice(1);
    for (let i = this.text.indexOf("\n"); i !== -1; i = this.text.indexOf("\n", i + 1)) this.lines.push(i + 1);
    this.ascii = !/[^\0-\x7f]/.test(this.text);
  }

  /** The column of a character, in UTF-8 bytes. */
  column(index: number, lineno: number): number {
    const start = this.lines[lineno - 1] ?? 0;
    if (this.ascii) return index - start;
    let bytes = 0;
    for (let i = start; i < index; i++) {
      const code = this.text.charCodeAt(i);
      if (code < 0x80) bytes += 1;
      else if (code < 0x800) bytes += 2;
      else if (code >= 0xd800 && code < 0xdc00) {
        bytes += 4;
        i++;
      } else bytes += 3;
    }
    return bytes;
  }

  /**
   * The line, and the number of the character from 1 on, of a token's place. In an f-string both count from its bracket on.
   * CPython places the end of a text, which comes after the last line break, at the end of the last line.
   */
  character(lineno: number, col_offset: number): [lineno: number, offset: number] {
    const line = lineno - this.lines_before;
    if (line > 1 && this.lines[line - 1] === this.text.length) return [line - 1, [...this.line(line - 1)].length];
    const column = line === 1 ? col_offset - this.columns_before : col_offset;
    if (this.ascii) return [line, column + 1];
    const start = this.lines[line - 1] ?? 0;
    let index = start;
    let count = 0;
    while (index < this.text.length && this.column(index, line) < column) {
      index += (this.text.codePointAt(index) as number) > 0xffff ? 2 : 1;
      count++;
    }
    return [line, count + 1];
  }

  line(lineno: number): string {
    const start = this.lines[lineno - 1] ?? this.text.length;
    const end = this.lines[lineno] ?? this.text.length;
    return this.text.slice(start, end);
  }

  /**
   * Refuses the text at `index`.
   * @param end index after the last character that is marked; null: not known
   */
  error(message: string, index: number, lineno = this.lineno, end: number | null = index + 1, first = true): never {
    const offset = [...this.text.slice(this.lines[lineno - 1], index)].length + 1;
    const length = end === null ? 0 : [...this.text.slice(index, end)].length;
    const line = lineno + this.lines_before;
    const end_offset = end === null ? 0 : offset + length;
    throw this.with_line(new TokenError(message, { lineno: line, offset, end_lineno: line, end_offset }, first));
  }

  with_line<E extends SyntaxError_>(error: E): E {
    const token = error instanceof TokenError && !error.message.endsWith("was never closed");
    const line = this.line(error instanceof TokenError ? error.lineno - this.lines_before : error.lineno);
    // CPython's tokenizer has not read the line's end yet when it refuses a token.
    error.text = token || line === null || line.endsWith("\n") ? line : `${line}\n`;
    return error;
  }

  private token(type: TokenType, start: number, end: number, lineno = this.lineno): Token {
    return {
      type,
      text: this.text.slice(start, end),
      start,
      end,
      lineno: lineno + this.lines_before,
      col_offset: this.column(start, lineno) + (lineno === 1 ? this.columns_before : 0),
      end_lineno: this.lineno + this.lines_before,
      end_col_offset: this.column(end, this.lineno) + (this.lineno === 1 ? this.columns_before : 0),
      level: this.brackets.length,
    };
  }

  private empty(type: TokenType): Token {
    return this.token(type, this.at, this.at);
  }

  next(): Token {
    if (this.begin_of_line) {
      this.begin_of_line = false;
      this.indentation();
    }
    if (this.pending_dedents !== 0) {
      const dedent = this.pending_dedents < 0;
      this.pending_dedents += dedent ? 1 : -1;
      return this.empty(dedent ? TokenType.DEDENT : TokenType.INDENT);
    }
    this.blanks();
    const { text } = this;
    const start = this.at;
    if (start >= text.length) return this.end();
    const code = text.charCodeAt(start);
    if (code === 10) return this.newline();
    this.blank = false;
    return this.word(start, code) ?? this.number(start, code) ?? this.operator(start);
  }

  /** Spaces, comments, and line breaks that do not count. */
  private blanks(): void {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (code === 32 || code === 9 || code === 12) this.at++;
      else if (code === 35) {
        const end = text.indexOf("\n", this.at);
        this.at = end === -1 ? text.length : end;
      } else if (code === 92) {
        const next = text.charCodeAt(this.at + 1);
        if (next !== 10 && !Number.isNaN(next))
          this.error("unexpected character after line continuation character", this.at + 1, this.lineno, null, false);
        if (this.at + 2 >= text.length) this.end_after_backslash();
        this.at += 2;
        this.lineno++;
      } else if (code === 10 && this.brackets.length > 0) {
        this.at++;
        this.lineno++;
      } else return;
    }
  }

  private end_after_backslash(): never {
    const open = this.brackets.at(-1);
    if (open !== undefined) this.error(`'${open.text}' was never closed`, open.start, open.lineno, null);
    this.error("unexpected EOF while parsing", this.at + 1, this.lineno, null, false);
  }

  private newline(): Token {
    const made = this.token(TokenType.NEWLINE, this.at, this.at);
    this.at++;
    this.lineno++;
    this.begin_of_line = true;
    this.blank = true;
    return made;
  }

  private end(): Token {
    if (this.brackets.length > 0) return this.empty(TokenType.ENDMARKER);
    if (!this.blank && !this.done) {
      this.blank = true;
      this.begin_of_line = true;
      return this.token(TokenType.NEWLINE, this.at, this.at);
    }
    this.done = true;
    return this.empty(TokenType.ENDMARKER);
  }

  /** Reads the indentation of the next line that has a token, and compares it with the lines before. */
  private indentation(): void {
    const { text } = this;
    for (;;) {
      let column = 0;
      let alternative = 0;
      for (; ; this.at++) {
        const code = text.charCodeAt(this.at);
        if (code === 32) {
          column++;
          alternative++;
        } else if (code === 9) {
          column = (Math.floor(column / TABSIZE) + 1) * TABSIZE;
          alternative++;
        } else if (code === 12) column = alternative = 0;
        else if (code === 92 && text.charCodeAt(this.at + 1) === 10) {
          this.at++;
          this.lineno++;
        } else break;
      }
      if (text.charCodeAt(this.at) === 35) {
        const end = text.indexOf("\n", this.at);
        this.at = end === -1 ? text.length : end;
      }
      if (text.charCodeAt(this.at) === 10) {
        this.at++;
        this.lineno++;
        continue;
      }
      if (this.at >= text.length) column = alternative = 0;
      this.compare(column, alternative);
      return;
    }
  }

  private compare(column: number, alternative: number): void {
    const { indents, alternative_indents } = this;
    const top = indents.at(-1) as number;
    if (column === top) {
      if (alternative !== alternative_indents.at(-1)) this.inconsistent();
    } else if (column > top) {
      if (indents.length >= MAXINDENT) this.indentation_error("too many levels of indentation");
      if (alternative <= (alternative_indents.at(-1) as number)) this.inconsistent();
      indents.push(column);
      alternative_indents.push(alternative);
      this.pending_dedents = 1;
    } else {
      while (indents.length > 1 && column < (indents.at(-1) as number)) {
        indents.pop();
        alternative_indents.pop();
        this.pending_dedents--;
      }
      if (column !== indents.at(-1)) this.indentation_error("unindent does not match any outer indentation level");
      if (alternative !== alternative_indents.at(-1)) this.inconsistent();
    }
  }

  private whole_line(): { lineno: number; offset: number; end_lineno: number; end_offset: number } {
    const length = [...this.line(this.lineno).replace(/\n$/, "")].length;
    return { lineno: this.lineno, offset: length + 1, end_lineno: this.lineno, end_offset: -1 };
  }

  private inconsistent(): never {
    throw this.with_line(new TabError("inconsistent use of tabs and spaces in indentation", this.whole_line()));
  }

  private indentation_error(message: string): never {
    throw this.with_line(new IndentationError(message, this.whole_line()));
  }

  private word(start: number, code: number): Token | null {
    const letter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
    if (letter || code === 34 || code === 39) {
      STRING_START.lastIndex = start;
      const opened = STRING_START.exec(this.text);
      if (opened !== null) return this.string(start, opened[0]);
    }
    if (!letter && code < 128) return null;
    const pattern = this.ascii ? ASCII_IDENTIFIER : IDENTIFIER;
    pattern.lastIndex = start;
    const found = pattern.exec(this.text);
    if (found === null) return this.strange(start);
    this.at = start + found[0].length;
    if (!this.ascii && this.text.charCodeAt(this.at) >= 128) this.strange(this.at);
    return this.token(TokenType.NAME, start, this.at);
  }

  private strange(index: number): never {
    const character = String.fromCodePoint(this.text.codePointAt(index) as number);
    const name = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
    const printable = !/[\p{C}\p{Z}]/u.test(character);
    this.error(
      printable ? `invalid character '${character}' (U+${name})` : `invalid non-printable character U+${name}`,
      index,
    );
  }

  private string(start: number, opening: string): Token {
    const { text, lineno } = this;
    const triple = opening.endsWith('"""') || opening.endsWith("'''");
    const quote = triple ? opening.slice(-3) : opening.slice(-1);
    let i = start + opening.length;
    for (; ; i++) {
      const code = text.charCodeAt(i);
      if (code === 92) {
        if (text.charCodeAt(i + 1) === 10) this.lineno++;
        i++;
      } else if (Number.isNaN(code) || (code === 10 && !triple)) {
        const detected = Number.isNaN(code) && text.endsWith("\n") ? this.lineno - 1 : this.lineno;
        const kind = triple ? "unterminated triple-quoted string literal" : "unterminated string literal";
        this.lineno = lineno;
        this.error(`${kind} (detected at line ${triple ? detected : this.line_of(i)})`, start, lineno);
      } else if (code === 10) this.lineno++;
      else if (code === quote.charCodeAt(0) && (!triple || text.startsWith(quote, i))) break;
    }
    this.at = i + quote.length;
    return this.token(TokenType.STRING, start, this.at, lineno);
  }

  private line_of(index: number): number {
    let line = this.lines.length;
    while (line > 1 && (this.lines[line - 1] as number) > index) line--;
    return line;
  }

  private number(start: number, code: number): Token | null {
    const { text } = this;
    const digit = code >= 48 && code <= 57;
    if (!digit && !(code === 46 && /\d/.test(text[start + 1] ?? ""))) return null;
    NUMBER.lastIndex = start;
    const found = NUMBER.exec(text) as RegExpExecArray;
    const end = start + found[0].length;
    const radix = /^0([xXoObB])/.exec(text.slice(start, start + 2))?.[1]?.toLowerCase();
    if (radix !== undefined) this.check_radix(start, end, radix);
    else {
      if (/^0[\d_]*[1-9]/.test(found[0]) && !/[.eEjJ]/.test(found[0])) {
        const zeros = /^[0_]*/.exec(found[0])?.[0].length ?? 1;
        this.error(
          "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
          start,
          this.lineno,
          start + zeros,
        );
      }
      if (text[end] === "_" && !/[jJ]$/.test(found[0])) this.error("invalid decimal literal", end);
    }
    const kind = radix !== undefined ? RADIX_NAMES[radix] : /[jJ]$/.test(found[0]) ? "imaginary" : "decimal";
    this.check_end(end, kind as string);
    this.at = end;
    return this.token(TokenType.NUMBER, start, end);
  }

  private check_radix(start: number, end: number, radix: string): void {
    const next = this.text[end] ?? "";
    const name = RADIX_NAMES[radix] as string;
    if (end === start + 1 || next === "_") {
      const at = end === start + 1 ? start + 2 : end;
      const digit = this.text[at] ?? "";
      const after = digit === "_" ? (this.text[at + 1] ?? "") : digit;
      if (/\d/.test(after) && radix !== "x")
        this.error(`invalid digit '${after}' in ${name} literal`, digit === "_" ? at + 1 : at);
      this.error(`invalid ${name} literal`, this.text[at] === "_" ? at : at - 1);
    }
    if (/\d/.test(next) && radix !== "x") this.error(`invalid digit '${next}' in ${name} literal`, end);
  }

  /** A number may not be followed by a name, except for the words that begin with an operator's name. */
  private check_end(end: number, kind: string): void {
    const { text } = this;
    if (!/\w/.test(text[end] ?? "")) return;
    AFTER_NUMBER.lastIndex = end;
    if (AFTER_NUMBER.test(text)) return;
    this.error(`invalid ${kind} literal`, end - 1);
  }

  private operator(start: number): Token {
    OPERATOR.lastIndex = start;
    const found = OPERATOR.exec(this.text);
    if (found === null) return this.strange(start);
    const [text] = found;
    this.at = start + text.length;
    if (text === "(" || text === "[" || text === "{") {
      if (this.brackets.length >= MAXLEVEL) this.error("too many nested parentheses", start);
      this.brackets.push({ text, lineno: this.lineno, start });
    } else if (CLOSING[text] !== undefined) {
      const opened = this.brackets.pop();
      if (opened === undefined) this.error(`unmatched '${text}'`, start);
      if (opened.text !== CLOSING[text]) {
        const where = opened.lineno === this.lineno ? "" : ` on line ${opened.lineno}`;
        this.error(`closing parenthesis '${text}' does not match opening parenthesis '${opened.text}'${where}`, start);
      }
    }
    return this.token(TokenType.OP, start, this.at);
  }
}

const RADIX_NAMES: Readonly<Record<string, string>> = { x: "hexadecimal", o: "octal", b: "binary" };

/**
 * The tokens of a program, up to its end. As the parser gets them: without comments and empty lines.
 * @throws {TokenError} for a text that has none
 */
export function* tokenize(text: string): Generator<Token> {
  const tokenizer = new Tokenizer(text);
  for (;;) {
    const token = tokenizer.next();
    yield token;
    if (token.type === TokenType.ENDMARKER) return;
  }
}
