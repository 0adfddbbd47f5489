/**
 * @file Compiles a program to a code object.
 * @mirrors Python/compile.c (CPython 3.11): _PyAST_Compile
 *
 * The way of a text: syntax tree, names of all scopes, instructions in basic blocks, a better graph of blocks, bytes.
 */
import * as ast from "../ast/nodes.ts";
import { parse } from "../Parser/index.ts";
import type { Code } from "./code.ts";
import { Source } from "./compile_error.ts";
import { StatementCompiler } from "./compile_statements.ts";
import { future_of } from "./future.ts";
import { interactive } from "./interactive.ts";
import { symtable as symtable_of } from "./symtable.ts";
import type { SymtableEntry } from "./symtable_entry.ts";

export interface CompileOptions {
  /** Gets each `SyntaxWarning`. */
  readonly warn?: (message: string, lineno: number) => void;
  /** Bits of `co_flags` that the program takes over from its caller, for example `CO.FUTURE_ANNOTATIONS`. */
  readonly flags?: number;
}

/**
 * `compile(source, filename, mode)`.
 * @param source a text, or a tree
 * @param mode `"exec"` for a program, `"eval"` for one expression, `"single"` for statements whose values are printed
 * @throws {SyntaxError_} with CPython's class, text and place
 */
export function compile(
  source: string | ast.mod,
  filename: string,
  mode: "exec" | "eval" | "single" = "exec",
  { warn, flags = 0 }: CompileOptions = {},
): Code {
  const text = typeof source === "string" ? source : null;
  const tree = typeof source === "string" ? parsed(source, filename, mode) : source;
  const place = new Source(filename, text, warn);
  const body = tree instanceof ast.Module || tree instanceof ast.Interactive ? tree.body : [];
  const future = future_of(body, place, flags);
  return new StatementCompiler(place, future, symtable_of(tree, future, place)).program(tree);
}

/**
 * The names of all scopes of a program, as `symtable.symtable` gives them: the module's entry, with those of its functions and classes in `children`.
 * @throws {SyntaxError_} as `compile`
 */
export function symtable(text: string, filename = "<string>"): SymtableEntry {
  const tree = parse(text, filename, "exec");
  const place = new Source(filename, text, undefined);
  const body = tree instanceof ast.Module ? tree.body : [];
  return symtable_of(tree, future_of(body, place, 0), place).top;
}

function parsed(text: string, filename: string, mode: "exec" | "eval" | "single"): ast.mod {
  return mode === "single" ? interactive(text, filename) : parse(text, filename, mode);
}
