/**
 * @file `"%s: %r" % (a, b)` is compiled as the f-string `f"{a!s}: {b!r}"`.
 * @mirrors Python/ast_opt.c (CPython 3.11): optimize_format
 */
import * as ast from "../ast/nodes.ts";

/** Text before a format, then a format with flags, width, precision and letter. Numbers of more than two digits are left alone. */
const LITERAL = /(?:[^%]|%%)*/suy;
const FORMAT = /%([-+ #0]*)(\d{1,2})?(?:\.(\d{0,2}))?(.)/suy;
const CONVERSIONS = new Set(["s", "r", "a"]);

/** A text that is made while folding has no place of its own; the compiler then keeps that of the instruction before. */
const NOWHERE: ast.Range = { lineno: -1, col_offset: -1, end_lineno: -1, end_col_offset: -1 };

/** @returns the f-string for `format % elements`, a place each; null if a format is not a plain one or the numbers differ */
export function format_folded(format: string, elements: readonly ast.expr[], at: ast.Range): ast.JoinedStr | null {
  const values: ast.expr[] = [];
  let position = 0;
  for (let count = 0; ; count++) {
    LITERAL.lastIndex = position;
    const literal = LITERAL.exec(format)?.[0] ?? "";
    if (literal !== "") values.push(new ast.Constant(literal.replaceAll("%%", "%"), null, NOWHERE));
    position += literal.length;
    if (position >= format.length) return count === elements.length ? new ast.JoinedStr(values, at) : null;
    if (count >= elements.length) return null;
    FORMAT.lastIndex = position;
    const match = FORMAT.exec(format);
    if (match === null || !CONVERSIONS.has(match[4])) return null;
    values.push(formatted(elements[count], match));
    position = FORMAT.lastIndex;
  }
}

function formatted(value: ast.expr, [, flags, width, precision, letter]: RegExpExecArray): ast.FormattedValue {
  let spec = width === undefined ? "" : String(Number(width));
  // The `%` operator aligns to the right unless told otherwise; `format` aligns text to the left.
  if (!flags.includes("-") && Number(width ?? 0) > 0) spec = `>${spec}`;
  if (precision !== undefined) spec += `.${Number(precision)}`;
  const format_spec = spec === "" ? null : new ast.Constant(spec, null, value);
  return new ast.FormattedValue(value, letter.charCodeAt(0), format_spec, value);
}
