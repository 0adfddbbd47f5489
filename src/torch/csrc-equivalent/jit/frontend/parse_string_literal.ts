/**
 * @file The text that a string literal stands for.
 * @mirrors torch/csrc/jit/frontend/parse_string_literal.h
 * @differs An octal escape above 127 is the character of that number; in PyTorch it is one byte, which may be half of a character.
 */
import { ErrorReport } from "./error_report.ts";
import type { SourceRange } from "./source_range.ts";

const simpleEscapes: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "\n",
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  v: "\v",
  t: "\t",
};

export function parseStringLiteral(range: SourceRange, text: string): string {
  const quote_len = text.startsWith(text[0].repeat(3)) ? 3 : 1;
  const body = text.slice(quote_len, text.length - quote_len);
  return body.replace(/\\(?:([0-3][0-7]{2})|([\s\S]))/g, (_, octal: string | undefined, char: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    if (char === "x") throw new ErrorReport(range, "unsupported hex specifier");
    if (char === "u" || char === "U") throw new ErrorReport(range, "unsupported unicode specifier");
    const plain = simpleEscapes[char];
    if (plain === undefined) throw new ErrorReport(range, " ill formed octal specifier");
    return plain;
  });
}
