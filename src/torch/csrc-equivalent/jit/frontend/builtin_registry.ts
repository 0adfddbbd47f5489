/**
 * @file The builtin functions that are written in TorchScript, by name.
 * @mirrors torch/csrc/jit/frontend/builtin_functions.h
 */
import type { FunctionSchema } from "#aten/core/function_schema";
import type { Graph, Value } from "../ir/ir.ts";

/** A function whose body is put in place of a call. It is compiled when its schema is first read. */
export interface BuiltinFunction {
  schema(): FunctionSchema;
  /** Copies the body to the insert point and returns its result. */
  inlineInto(graph: Graph, inputs: readonly Value[]): Value;
}

type Finder = (name: string) => readonly BuiltinFunction[];

let find: Finder = () => [];

/** The compiler, which calls this file, says where the functions are. */
export function setBuiltinFunctionFinder(finder: Finder): void {
  find = finder;
}

export function getAllBuiltinFunctionsFor(name: string): readonly BuiltinFunction[] {
  return find(name);
}
