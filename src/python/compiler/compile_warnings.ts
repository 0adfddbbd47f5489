/**
 * @file Expressions that can be compiled but are surely a mistake: `x is 1`, `[1] (2)`, `"abc"["x"]`.
 * @mirrors Python/compile.c (CPython 3.11): check_compare, check_caller, check_subscripter, check_index
 */
import * as ast from "../ast/nodes.ts";
import { PyBytes } from "../Objects/bytesobject.ts";
import { PyComplex } from "../Objects/complexobject.ts";
import { FloatValue } from "../Objects/floatobject.ts";
import { PyFrozenSet } from "../Objects/setobject.ts";
import { Ellipsis } from "../Objects/sliceobject.ts";
import { PyTuple } from "../Objects/tupleobject.ts";

type Warn = (message: string) => void;

const DISPLAYS: readonly (readonly [class_: abstract new (...args: never[]) => ast.expr, type: string])[] = [
  [ast.Tuple, "tuple"],
  [ast.List, "list"],
  [ast.ListComp, "list"],
  [ast.Dict, "dict"],
  [ast.DictComp, "dict"],
  [ast.Set, "set"],
  [ast.SetComp, "set"],
  [ast.GeneratorExp, "generator"],
  [ast.Lambda, "function"],
  [ast.JoinedStr, "str"],
  [ast.FormattedValue, "str"],
];

function type_of_constant(value: unknown): string {
  if (value === null) return "NoneType";
  if (value === Ellipsis) return "ellipsis";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "str";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  if (value instanceof FloatValue) return "float";
  if (value instanceof PyComplex) return "complex";
  if (value instanceof PyBytes) return "bytes";
  return value instanceof PyTuple ? "tuple" : value instanceof PyFrozenSet ? "frozenset" : "object";
}

/** The type of the value of an expression, as far as its form tells. */
function inferred_type(node: ast.expr): string | null {
  if (node instanceof ast.Constant) return type_of_constant(node.value);
  return DISPLAYS.find(([class_]) => node instanceof class_)?.[1] ?? null;
}

/** Literals without identity: two equal ones may or may not be the same object. */
function has_no_identity(node: ast.expr): boolean {
  if (!(node instanceof ast.Constant)) return false;
  const { value } = node;
  return value !== null && typeof value !== "boolean" && value !== Ellipsis;
}

/** @param fold gives the constant that an operand is compiled as */
export function check_compare(
  { left, ops, comparators }: ast.Compare,
  fold: (node: ast.expr) => ast.expr,
  warn: Warn,
): void {
  let before = left;
  for (let i = 0; i < ops.length; i++) {
    const after = comparators[i];
    const is = ops[i] instanceof ast.Is;
    if ((is || ops[i] instanceof ast.IsNot) && (has_no_identity(fold(before)) || has_no_identity(fold(after)))) {
      warn(`"${is ? "is" : "is not"}" with a literal. Did you mean "${is ? "==" : "!="}"?`);
      return;
    }
    before = after;
  }
}

export function check_caller(node: ast.expr, warn: Warn): void {
  const type = inferred_type(node);
  if (type !== null && type !== "function") warn(`'${type}' object is not callable; perhaps you missed a comma?`);
}

const NOT_SUBSCRIPTABLE = new Set([
  "NoneType",
  "ellipsis",
  "int",
  "bool",
  "float",
  "complex",
  "frozenset",
  "set",
  "generator",
  "function",
]);
const SEQUENCES = new Set(["str", "bytes", "tuple", "list"]);

export function check_subscript(value: ast.expr, index: ast.expr, warn: Warn): void {
  const type = inferred_type(value);
  const index_type = inferred_type(index);
  if (type === null) return;
  if (NOT_SUBSCRIPTABLE.has(type)) warn(`'${type}' object is not subscriptable; perhaps you missed a comma?`);
  else if (SEQUENCES.has(type) && index_type !== null && index_type !== "int" && index_type !== "bool")
    warn(`${type} indices must be integers or slices, not ${index_type}; perhaps you missed a comma?`);
}
