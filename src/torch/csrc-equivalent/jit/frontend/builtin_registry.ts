/**
 * @file The builtin functions that are written in TorchScript, by name. They are compiled when one is first looked up.
 * @mirrors torch/csrc/jit/frontend/builtin_functions.h
 */
import type { FunctionSchema } from "#aten/core/function_schema";
import type { Graph, Value } from "../ir/ir.ts";

/** A function whose body is put in place of a call. */
export interface BuiltinFunction {
  ensure_defined(): void;
  getSchema(): FunctionSchema;
  /** Copies the body to the insert point and returns its result. */
  inlineInto(graph: Graph, inputs: readonly Value[]): Value;
}

type Table = ReadonlyMap<string, readonly BuiltinFunction[]>;

let table: Table | null = null;
let load: (() => Table) | null = null;

/** The compiler, which calls this file, says how the functions are compiled. */
export function setBuiltinFunctionLoader(loader: () => Table): void {
  load = loader;
}

export function getAllBuiltinFunctionsFor(name: string): readonly BuiltinFunction[] {
  if (table === null) {
    table = new Map(); // while the functions are compiled, there are none
    if (load !== null) table = load();
  }
  return table.get(name) ?? [];
}
