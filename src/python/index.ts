/**
 * @file Python's syntax trees: `parse` and `dump` as in CPython's module `ast`, and the classes of the nodes.
 * @mirrors Lib/ast.py (CPython 3.11)
 */
export { dump } from "./ast/dump.ts";
export * from "./ast/nodes.ts";
export { unparse } from "./ast/unparse.ts";
export { MemoryError } from "./Objects/exceptions.ts";
export { IndentationError, SyntaxError_, TabError } from "./Parser/errors.ts";
export { parse } from "./Parser/index.ts";
