/**
 * @file Checks a syntax tree that a program has made or changed before it is compiled: every node has its fields and its place.
 * @mirrors Python/Python-ast.c#PyAST_obj2mod (CPython 3.11)
 */
import { TypeError_ } from "../Objects/exceptions.ts";
import { class_name, is_optional } from "./dump.ts";
import { AST, Located } from "./nodes.ts";

/** The name of the group of nodes: `expr`, `stmt`; of a node that is in no group, its own. */
function group_of(node: AST): string {
  const above = Object.getPrototypeOf(node.constructor) as typeof AST;
  return above === AST || (above as unknown) === Located ? class_name(node) : above.name;
}

const REQUIRED_PLACE = ["lineno", "col_offset"] as const;

/**
 * Also gives an end to the nodes that have none: their beginning.
 * @throws {TypeError} a field is missing
 */
export function require_fields(node: AST): void {
  const own = node as unknown as Record<string, unknown>;
  for (const name of node.constructor._fields) {
    const value = own[name];
    if (value === undefined && !is_optional(class_name(node), name))
      throw new TypeError_(`required field "${name}" missing from ${class_name(node)}`);
    own[name] = value ?? null;
    for (const child of Array.isArray(value) ? value : [value]) if (child instanceof AST) require_fields(child);
  }
  if (node.constructor._attributes.length === 0) return;
  for (const name of REQUIRED_PLACE)
    if (own[name] === undefined) throw new TypeError_(`required field "${name}" missing from ${group_of(node)}`);
  own["end_lineno"] ??= own["lineno"];
  own["end_col_offset"] ??= own["col_offset"];
}
