/**
 * @file A pattern of Python as a regular expression of JavaScript.
 * @mirrors Lib/re/_parser.py (CPython 3.11)
 * @differs The pattern becomes a RegExp; CPython compiles it for a matcher of its own. So a group inside a repetition is forgotten when a later round
 *   does not use it, a reference to a group that took no part matches the empty text, and `(?(1)...)` is refused.
 */
import { ValueError } from "../../Objects/exceptions.ts";
import { boundary, category, FLAG, literal } from "./categories.ts";
import { re_error, refused } from "./error.ts";

// An idea in miniature
// ~~~~~~~~~~~~~~~~~~~~
// Python             JavaScript (flag v)
// ^  \A  \Z          ^  ^  $                              the flag m of JavaScript is never used: it knows more ends of lines
// $                  (?=\n?$)
// .                  [^\n]
// \d \w \s \b        classes of Unicode, or of ASCII with re.A
// (?P<n>a) (?P=n)    (a) \1                               names are kept beside
// (?>a)  a*+         (?=(a))\1                            an extra group
// Every piece also knows its smallest and largest width, which a look-behind needs.

/** A translated piece of the pattern. `kind` says whether it may be repeated. */
interface Piece {
  readonly js: string;
  readonly min: number;
  readonly max: number;
  readonly kind?: "place" | "repeat";
}

export interface Translation {
  readonly js: string;
  readonly flags: number;
  /** The group of JavaScript for each of Python's; 0 is the whole match. */
  readonly groups: readonly number[];
  readonly names: ReadonlyMap<string, number>;
  /** Groups in the order in which they close. */
  readonly closing: readonly number[];
  /** Whether an empty match may stand before a longer one at the same place. */
  readonly prefers_empty: boolean;
}

const LETTERS: Readonly<Record<string, number>> = {
  i: FLAG.I,
  L: FLAG.L,
  m: FLAG.M,
  s: FLAG.S,
  x: FLAG.X,
  a: FLAG.A,
  u: FLAG.U,
};
const CONTROL: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92 };
const HEX: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const is_digit = (c: string): boolean => c >= "0" && c <= "9" && c.length === 1;
const is_octal = (c: string): boolean => c >= "0" && c <= "7" && c.length === 1;

class Translator {
  private readonly pattern: unknown;
  private readonly text: readonly string[];
  private readonly is_str: boolean;
  private at = 0;
  flags: number;
  readonly groups: number[] = [0];
  readonly names = new Map<string, number>();
  readonly closing: number[] = [];
  prefers_empty = false;
  private readonly open = new Set<number>();
  private readonly widths: (readonly [number, number])[] = [];
  private js_groups = 0;

  constructor(pattern: unknown, text: string, flags: number) {
    this.pattern = pattern;
    this.is_str = typeof pattern === "string";
    this.text = Array.from(text);
    this.flags = flags;
  }

  private error(message: string, position = this.at): unknown {
    return re_error(message, this.pattern, position);
  }

  private get next(): string {
    return this.text[this.at] ?? "";
  }

  private take(): string {
    return this.at < this.text.length ? (this.text[this.at++] as string) : "";
  }

  private accept(c: string): boolean {
    if (this.next !== c) return false;
    this.at++;
    return true;
  }

  private starts(text: string): boolean {
    return this.text.slice(this.at, this.at + text.length).join("") === text;
  }

  private take_while(good: (c: string) => boolean, most: number): string {
    let result = "";
    while (result.length < most && this.next !== "" && good(this.next)) result += this.take();
    return result;
  }

  whole(): string {
    // Flags for the whole pattern stand at its beginning.
    while (this.starts("(?")) {
      const end = this.text.indexOf(")", this.at);
      const letters = this.text.slice(this.at + 2, end);
      if (end < 0 || letters.length === 0 || letters.some((c) => LETTERS[c] === undefined)) break;
      this.at += 2;
      for (const c of letters) this.global_flag(c);
      this.at++;
    }
    this.check_flags();
    const result = this.alternatives(this.flags);
    if (this.next === ")") throw this.error("unbalanced parenthesis");
    return result.js;
  }

  private global_flag(c: string): void {
    this.at++;
    if (this.is_str ? c === "L" : c === "u")
      throw this.error(`bad inline flags: cannot use '${c}' flag with a ${this.is_str ? "str" : "bytes"} pattern`);
    this.flags |= LETTERS[c] as number;
    if ("au".includes(c) && this.flags & FLAG.A && this.flags & FLAG.U)
      throw this.error("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
  }

  private check_flags(): void {
    const { flags } = this;
    if (this.is_str) {
      if (flags & FLAG.L) throw new ValueError("cannot use LOCALE flag with a str pattern");
      if (flags & FLAG.A && flags & FLAG.U) throw new ValueError("ASCII and UNICODE flags are incompatible");
      if (!(flags & FLAG.A)) this.flags |= FLAG.U;
    } else {
      if (flags & FLAG.U) throw new ValueError("cannot use UNICODE flag with a bytes pattern");
      if (flags & FLAG.L) throw refused("re.LOCALE");
    }
  }

  private alternatives(flags: number): Piece {
    const parts: Piece[] = [];
    do parts.push(this.sequence(flags));
    while (this.accept("|"));
    if (parts.length === 1) return parts[0] as Piece;
    this.prefers_empty = true;
    return {
      js: parts.map(({ js }) => js).join("|"),
      min: Math.min(...parts.map(({ min }) => min)),
      max: Math.max(...parts.map(({ max }) => max)),
    };
  }

  private sequence(flags: number): Piece {
    const pieces: Piece[] = [];
    while (this.next !== "" && this.next !== "|" && this.next !== ")") {
      if (flags & FLAG.X) {
        if (/\s/.test(this.next)) {
          this.at++;
          continue;
        }
        if (this.next === "#") {
          this.take_while((c) => c !== "\n", Number.POSITIVE_INFINITY);
          continue;
        }
      }
      const here = this.at;
      const bounds = this.quantifier();
      if (bounds === null) {
        const piece = this.item(flags);
        if (piece !== null) pieces.push(piece);
        continue;
      }
      const last = pieces.at(-1);
      if (last === undefined || last.kind === "place") throw this.error("nothing to repeat", here);
      if (last.kind === "repeat") throw this.error("multiple repeat", here);
      pieces[pieces.length - 1] = this.repeated(last, bounds);
    }
    const sum = (of: (piece: Piece) => number): number => pieces.reduce((total, piece) => total + of(piece), 0);
    return { js: pieces.map(({ js }) => js).join(""), min: sum(({ min }) => min), max: sum(({ max }) => max) };
  }

  /** Reads a quantifier, or returns null and stays. */
  private quantifier(): readonly [number, number] | null {
    const here = this.at;
    switch (this.take()) {
      case "*":
        return [0, Number.POSITIVE_INFINITY];
      case "+":
        return [1, Number.POSITIVE_INFINITY];
      case "?":
        return [0, 1];
      case "{": {
        const low = this.take_while(is_digit, 99);
        const comma = this.accept(",");
        const high = comma ? this.take_while(is_digit, 99) : low;
        if ((low === "" && !comma) || !this.accept("}")) break;
        const [min, max] = [Number(low), high === "" ? Number.POSITIVE_INFINITY : Number(high)];
        if (max < min) throw this.error("min repeat greater than max repeat", here);
        return [min, max];
      }
    }
    this.at = here;
    return null;
  }

  private repeated(piece: Piece, [min, max]: readonly [number, number]): Piece {
    const bounds =
      max === Number.POSITIVE_INFINITY
        ? min === 0
          ? "*"
          : min === 1
            ? "+"
            : `{${min},}`
        : min === 0 && max === 1
          ? "?"
          : `{${min},${max}}`;
    const widths = { min: piece.min * min, max: piece.max === 0 ? 0 : piece.max * max, kind: "repeat" as const };
    const js = `(?:${piece.js})${bounds}`;
    if (this.accept("?")) {
      this.prefers_empty = true;
      return { js: `${js}?`, ...widths };
    }
    if (!this.accept("+")) return { js, ...widths };
    // The extra group would stand before groups that have their numbers already.
    if (/\((?!\?)/.test(piece.js)) throw refused("a possessive repetition of a group");
    return { js: this.atomic(js, ++this.js_groups), ...widths };
  }

  /** Text that gives nothing back: a look-ahead finds it, a reference to the extra group takes it. */
  private atomic(js: string, group: number): string {
    return `(?=(${js}))\\${group}(?:)`;
  }

  private item(flags: number): Piece | null {
    const start = this.at;
    const c = this.take();
    switch (c) {
      case "\\":
        return this.escape(flags, start);
      case "[":
        return { js: this.char_class(flags, start), min: 1, max: 1 };
      case ".":
        return { js: flags & FLAG.S ? "[\\s\\S]" : "[^\\n]", min: 1, max: 1 };
      case "^":
        return { js: flags & FLAG.M ? "(?:^|(?<=\\n))" : "^", min: 0, max: 0, kind: "place" };
      case "$":
        return { js: flags & FLAG.M ? "(?=\\n|$)" : "(?=\\n?$)", min: 0, max: 0, kind: "place" };
      case "(":
        return this.group(flags, start);
      default:
        return { js: this.folded(c.codePointAt(0) as number, flags), min: 1, max: 1 };
    }
  }

  /** A character; in a local `(?i:...)`, which JavaScript lacks, the class of its two cases. */
  private folded(code: number, flags: number): string {
    const c = String.fromCodePoint(code);
    const other = c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase();
    if (!(flags & FLAG.I) || this.flags & FLAG.I || c === other || [...other].length !== 1) return literal(code);
    return `[${literal(code)}${literal(other.codePointAt(0) as number)}]`;
  }

  /** The character of an escape that stands for one, both in a class and outside; undefined if it is no such escape. */
  private character(c: string, start: number): number | undefined {
    const length = HEX[c];
    if (length !== undefined && (c === "x" || this.is_str)) {
      const digits = this.take_while((d) => /^[0-9a-fA-F]$/.test(d), length);
      if (digits.length !== length) throw this.error(`incomplete escape \\${c}${digits}`, start);
      const code = Number.parseInt(digits, 16);
      if (code > 0x10ffff) throw this.error(`bad escape \\${c}${digits}`, start);
      return code;
    }
    if (c === "N" && this.is_str) throw refused("\\N{...} in a pattern");
    if (CONTROL[c] !== undefined) return CONTROL[c];
    return /^[A-Za-z0-9]$/.test(c) ? undefined : c.codePointAt(0);
  }

  private octal(digits: string, start: number): number {
    const code = Number.parseInt(digits, 8);
    if (code > 0o377) throw this.error(`octal escape value \\${digits} outside of range 0-0o377`, start);
    return code;
  }

  private escape(flags: number, start: number): Piece {
    const c = this.take();
    if (c === "") throw this.error("bad escape (end of pattern)", start);
    const one = (js: string): Piece => ({ js, min: 1, max: 1 });
    const place = (js: string): Piece => ({ js, min: 0, max: 0, kind: "place" });
    if ("dDsSwW".includes(c)) return one(`[${category(c, flags)}]`);
    if (c === "b" || c === "B") return place(boundary(c, flags));
    if (c === "A") return place("^");
    if (c === "Z") return place("$");
    if (c === "0") return one(literal(this.octal(c + this.take_while(is_octal, 2), start)));
    if (is_digit(c)) {
      let digits = c;
      if (is_digit(this.next)) {
        digits += this.take();
        if (is_octal(c) && is_octal(digits[1] as string) && is_octal(this.next))
          return one(literal(this.octal(digits + this.take(), start)));
      }
      return this.reference(Number(digits), start + 1);
    }
    const code = this.character(c, start);
    if (code === undefined) throw this.error(`bad escape \\${c}`, start);
    return one(this.folded(code, flags));
  }

  private reference(group: number, position: number): Piece {
    if (group >= this.groups.length) throw this.error(`invalid group reference ${group}`, position);
    if (this.open.has(group)) throw this.error("cannot refer to an open group", position - 1);
    const [min, max] = this.widths[group] as readonly [number, number];
    // The empty group keeps a digit that follows out of the number.
    return { js: `\\${this.groups[group]}(?:)`, min, max };
  }

  private char_class(flags: number, start: number): string {
    const negated = this.accept("^");
    let inside = "";
    const first = this.at;
    for (;;) {
      const here = this.at;
      const low = this.class_item(flags, start);
      if (low === "]" && here !== first) break;
      const dash = this.at;
      if (this.next === "-" && this.text[this.at + 1] !== "]") {
        this.at++;
        if (this.at >= this.text.length) throw this.error("unterminated character set", start);
        const high = this.class_item(flags, start);
        const written = this.text.slice(here, this.at).join("");
        if (typeof low === "string" && low !== "]") throw this.error(`bad character range ${written}`, here);
        if (typeof high === "string" && high !== "]") throw this.error(`bad character range ${written}`, here);
        const [a, b] = [low === "]" ? 93 : (low as number), high === "]" ? 93 : (high as number)];
        if (b < a) throw this.error(`bad character range ${written}`, here);
        inside += `${literal(a)}-${literal(b)}`;
        if (b < 128) for (let code = a; code <= b; code++) inside += this.folded(code, flags);
        continue;
      }
      this.at = dash;
      inside += low === "]" ? literal(93) : typeof low === "number" ? this.folded(low, flags) : low;
    }
    return `[${negated ? "^" : ""}${inside}]`;
  }

  /** A character's code, a category as text, or "]". */
  private class_item(flags: number, start: number): number | string {
    const here = this.at;
    const c = this.take();
    if (c === "") throw this.error("unterminated character set", start);
    if (c === "]") return c;
    if (c !== "\\") return c.codePointAt(0) as number;
    const e = this.take();
    if (e === "") throw this.error("bad escape (end of pattern)", here);
    if ("dDsSwW".includes(e)) return category(e, flags);
    if (is_octal(e)) return this.octal(e + this.take_while(is_octal, 2), here);
    const code = this.character(e, here);
    if (code === undefined) throw this.error(`bad escape \\${e}`, here);
    return code;
  }

  private group(flags: number, start: number): Piece | null {
    if (!this.accept("?")) return this.capture(flags, start, null);
    const c = this.take();
    switch (c) {
      case ":":
        return this.closed(flags, start, ({ js, min, max }) => ({ js: `(?:${js})`, min, max }));
      case "P":
        return this.named(flags, start);
      case "#":
        this.take_while((d) => d !== ")", Number.POSITIVE_INFINITY);
        if (!this.accept(")")) throw this.error("missing ), unterminated comment", start);
        return null;
      case "=":
      case "!":
        return this.closed(flags, start, ({ js }) => ({ js: `(?:(?${c}${js}))`, min: 0, max: 0 }));
      case "<": {
        const sign = this.take();
        if (sign === "") throw this.error("unexpected end of pattern");
        if (sign !== "=" && sign !== "!") throw this.error(`unknown extension ?<${sign}`, start + 1);
        return this.closed(flags, start, ({ js, min, max }) => {
          if (min !== max) throw re_error("look-behind requires fixed-width pattern", this.pattern);
          return { js: `(?:(?<${sign}${js}))`, min: 0, max: 0 };
        });
      }
      case ">": {
        const extra = ++this.js_groups;
        return this.closed(flags, start, ({ js, min, max }) => ({ js: this.atomic(js, extra), min, max }));
      }
      case "(":
        throw refused("a conditional group, (?(1)...|...),");
      case "":
        throw this.error("unexpected end of pattern");
    }
    if (LETTERS[c] === undefined && c !== "-") throw this.error(`unknown extension ?${c}`, start + 1);
    return this.local_flags(flags, start, c);
  }

  /** The rest of a group, with its closing bracket. */
  private closed(flags: number, start: number, make: (inside: Piece) => Piece): Piece {
    const inside = this.alternatives(flags);
    if (!this.accept(")")) throw this.error("missing ), unterminated subpattern", start);
    return make(inside);
  }

  private capture(flags: number, start: number, name: string | null): Piece {
    const group = this.groups.length;
    this.groups.push(++this.js_groups);
    if (name !== null) this.names.set(name, group);
    this.open.add(group);
    return this.closed(flags, start, ({ js, min, max }) => {
      this.open.delete(group);
      this.widths[group] = [min, max];
      this.closing.push(group);
      return { js: `(${js})`, min, max };
    });
  }

  private named(flags: number, start: number): Piece {
    if (this.accept("<")) {
      const at = this.at;
      const name = this.name(">");
      const known = this.names.get(name);
      if (known !== undefined)
        throw this.error(`redefinition of group name '${name}' as group ${this.groups.length}; was group ${known}`, at);
      return this.capture(flags, start, name);
    }
    if (this.accept("=")) {
      const at = this.at;
      const name = this.name(")");
      const group = this.names.get(name);
      if (group === undefined) throw this.error(`unknown group name '${name}'`, at);
      if (this.open.has(group)) throw this.error("cannot refer to an open group", at);
      return this.reference(group, at);
    }
    const c = this.take();
    if (c === "") throw this.error("unexpected end of pattern");
    throw this.error(`unknown extension ?P${c}`, start + 1);
  }

  /** The name of a group up to `end`. */
  private name(end: string): string {
    const at = this.at;
    const name = this.take_while((c) => c !== end, Number.POSITIVE_INFINITY);
    if (name === "" && this.next === "") throw this.error("missing group name", at);
    if (!this.accept(end)) throw this.error(`missing ${end}, unterminated name`, at);
    if (name === "") throw this.error("missing group name", at);
    if (!/^[\p{ID_Start}_][\p{ID_Continue}]*$/u.test(name))
      throw this.error(`bad character in group name '${name}'`, at);
    return name;
  }

  private local_flags(flags: number, start: number, first: string): Piece {
    let added = 0;
    let removed = 0;
    let c = first;
    for (; LETTERS[c] !== undefined; c = this.take()) added |= LETTERS[c] as number;
    if (c === ")") throw this.error("global flags not at the start of the expression", start);
    if (c === "-") {
      c = this.take();
      if (c === "") throw this.error("missing flag");
      if (LETTERS[c] === undefined) throw this.error(/[A-Za-z]/.test(c) ? "unknown flag" : "missing flag", this.at - 1);
      for (; LETTERS[c] !== undefined; c = this.take()) removed |= LETTERS[c] as number;
      if (removed & (FLAG.A | FLAG.U | FLAG.L))
        throw this.error("bad inline flags: cannot turn off flags 'a', 'u' and 'L'", this.at - 1);
    }
    if (c === "") throw this.error("missing -, : or )");
    if (c !== ":") throw this.error(/[A-Za-z]/.test(c) ? "unknown flag" : "missing -, : or )", this.at - 1);
    if (added & removed) throw this.error("bad inline flags: flag turned on and off", this.at - 1);
    let inner = (flags | added) & ~removed;
    if (added & FLAG.A) inner &= ~FLAG.U;
    if (added & FLAG.U) inner &= ~FLAG.A;
    if (this.flags & FLAG.I && !(inner & FLAG.I)) throw refused("(?-i:...)");
    return this.closed(inner, start, ({ js, min, max }) => ({ js: `(?:${js})`, min, max }));
  }
}

/** Translates `text`, which is `pattern` as a string. */
export function translate(pattern: unknown, text: string, flags: number): Translation {
  const translator = new Translator(pattern, text, flags);
  const js = translator.whole();
  const { groups, names, closing, prefers_empty } = translator;
  return { js, flags: translator.flags, groups, names, closing, prefers_empty };
}
