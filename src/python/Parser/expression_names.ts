/**
 * @file Names of expressions in CPython's messages: "cannot assign to function call".
 * @mirrors Parser/pegen.c (CPython 3.11): _PyPegen_get_expr_name
 */

import { type AST, Constant } from "../ast/nodes.ts";
import { Ellipsis } from "../Objects/sliceobject.ts";

const NAMES: Readonly<Record<string, string>> = {
  Attribute: "attribute",
  Subscript: "subscript",
  Starred: "starred",
  Name: "name",
  List: "list",
  Tuple: "tuple",
  Lambda: "lambda",
  Call: "function call",
  BoolOp: "expression",
  BinOp: "expression",
  UnaryOp: "expression",
  GeneratorExp: "generator expression",
  Yield: "yield expression",
  YieldFrom: "yield expression",
  Await: "await expression",
  ListComp: "list comprehension",
  SetComp: "set comprehension",
  DictComp: "dict comprehension",
  Dict: "dict literal",
  Set: "set display",
  JoinedStr: "f-string expression",
  FormattedValue: "f-string expression",
  Compare: "comparison",
  IfExp: "conditional expression",
  NamedExpr: "named expression",
};

export function expression_name(node: AST): string {
  if (node instanceof Constant) {
    const { value } = node;
    if (value === null) return "None";
    if (value === true) return "True";
    if (value === false) return "False";
    return value === Ellipsis ? "ellipsis" : "literal";
  }
  return NAMES[node.constructor.name] ?? "expression";
}
