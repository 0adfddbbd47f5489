/**
 * @file Python's syntax trees and code objects: `parse` and `dump` as in CPython's module `ast`, the classes of the nodes, `compile` and `dis`; and the steps
 * between: tokens, and the names of each scope.
 * @mirrors Lib/ast.py (CPython 3.11)
 */
export { dump } from "./ast/dump.ts";
export * from "./ast/nodes.ts";
export { unparse } from "./ast/unparse.ts";
export { CO, Code } from "./compiler/code.ts";
export { dis, get_instructions, type Instruction } from "./compiler/dis.ts";
export { compile, symtable } from "./compiler/index.ts";
export { DEF, Scope, type SymtableEntry } from "./compiler/symtable_entry.ts";
export { MemoryError, RecursionError } from "./Objects/exceptions.ts";
export { IndentationError, SyntaxError_, TabError } from "./Parser/errors.ts";
export { parse } from "./Parser/index.ts";
export { type Token, TokenType, tokenize } from "./Parser/tokenizer.ts";
