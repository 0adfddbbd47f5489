/**
 * @file A syntax tree as text, as `ast.dump` writes it.
 * @mirrors Lib/ast.py (CPython 3.11): dump
 */
import { bytes_repr, PyBytes } from "../Objects/bytesobject.ts";
import { complex_repr, PyComplex } from "../Objects/complexobject.ts";
import { FloatValue, float_repr } from "../Objects/floatobject.ts";
import { str_repr } from "../Objects/unicodeobject.ts";
import { AST } from "./nodes.ts";

export interface DumpOptions {
  /** Names of fields are written. */
  readonly annotate_fields?: boolean;
  /** Lines and columns are written. */
  readonly include_attributes?: boolean;
  /** Width of one level, or the text of it; null: everything on one line. */
  readonly indent?: number | string | null;
}

/** A constant as `repr` writes it. */
export function constant_repr(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return str_repr(value);
  if (typeof value === "number")
    return Number.isInteger(value) && !Object.is(value, -0) ? String(value) : float_repr(value);
  if (value instanceof FloatValue) return float_repr(value.value);
  if (value instanceof PyComplex) return complex_repr(value);
  if (value instanceof PyBytes) return bytes_repr(value);
  return String(value);
}

/** `ast.dump(node)`: the class names and fields of a tree. Fields that may be missing are left out if they are None. */
export function dump(node: AST, options: DumpOptions = {}): string {
  const { annotate_fields = true, include_attributes = false, indent = null } = options;
  const step = typeof indent === "number" ? " ".repeat(indent) : indent;
  const written = (value: unknown, level: number): readonly [text: string, simple: boolean] => {
    const prefix = step === null ? "" : `\n${step.repeat(level + 1)}`;
    const separator = step === null ? ", " : `,${prefix}`;
    if (value instanceof AST) {
      const { _fields, _attributes } = value.constructor;
      const parts: string[] = [];
      let all_simple = true;
      let keywords = annotate_fields;
      for (const name of _fields) {
        const child = (value as unknown as Record<string, unknown>)[name];
        if (child === undefined || (child === null && is_optional(class_name(value), name))) {
          keywords = true;
          continue;
        }
        const [text, simple] = written(child, level + 1);
        all_simple &&= simple;
        parts.push(keywords ? `${name}=${text}` : text);
      }
      if (include_attributes)
        for (const name of _attributes) {
          if (!(name in value)) continue;
          const [text, simple] = written((value as unknown as Record<string, unknown>)[name], level + 1);
          all_simple &&= simple;
          parts.push(`${name}=${text}`);
        }
      const name = class_name(value);
      if (all_simple && parts.length <= 3) return [`${name}(${parts.join(", ")})`, parts.length === 0];
      return [`${name}(${prefix}${parts.join(separator)})`, false];
    }
    if (Array.isArray(value)) {
      if (value.length === 0) return ["[]", true];
      return [`[${prefix}${value.map((each) => written(each, level + 1)[0]).join(separator)}]`, false];
    }
    return [constant_repr(value), true];
  };
  return written(node, 0)[0];
}

/** The name of a node's class in CPython. */
export function class_name(node: AST): string {
  return node.constructor.__name__ ?? node.constructor.name;
}

/** Whether a field of a class of nodes may be None. */
export const is_optional = (of: string, field: string): boolean => OPTIONAL.has(`${of}.${field}`);

/** Fields that may be None, for which None is left out. */
const OPTIONAL: ReadonlySet<string> = new Set([
  "FunctionDef.returns",
  "FunctionDef.type_comment",
  "AsyncFunctionDef.returns",
  "AsyncFunctionDef.type_comment",
  "Return.value",
  "Assign.type_comment",
  "AnnAssign.value",
  "For.type_comment",
  "AsyncFor.type_comment",
  "With.type_comment",
  "AsyncWith.type_comment",
  "Raise.exc",
  "Raise.cause",
  "Assert.msg",
  "ImportFrom.module",
  "ImportFrom.level",
  "Yield.value",
  "FormattedValue.format_spec",
  "Constant.kind",
  "Slice.lower",
  "Slice.upper",
  "Slice.step",
  "ExceptHandler.type",
  "ExceptHandler.name",
  "arguments.vararg",
  "arguments.kwarg",
  "arg.annotation",
  "arg.type_comment",
  "keyword.arg",
  "alias.asname",
  "withitem.optional_vars",
  "match_case.guard",
  "MatchMapping.rest",
  "MatchStar.name",
  "MatchAs.pattern",
  "MatchAs.name",
]);
