/**
 * @file The dispatcher's convention: names of registered functions, and the arguments that determine the key.
 * @mirrors torchgen/api/dispatcher.py
 */
import type { Argument } from "../arguments.ts";
import type { FunctionSchema } from "../function_schema.ts";
import type { NativeFunction } from "../model.ts";
import * as cpp from "./cpp.ts";

/** `empty.memory_format` on CPU -> `wrapper_CPU_memory_format_empty`. */
export function unstructured_wrapper_name(f: NativeFunction, key: string): string {
  return `wrapper_${key}_${f.func.name.overload_name}_${cpp.name(f.func)}`;
}

/** `add.Tensor` -> `add_Tensor`, `add.out` -> `add_out_out`: names of structured wrappers, BackendSelect and VariableType functions. */
export function native_name(f: NativeFunction): string {
  return cpp.name(f.func) + (f.func.name.overload_name === "" ? "" : `_${f.func.name.overload_name}`);
}

export function structured_wrapper_name(f: NativeFunction, key: string): string {
  return `wrapper_${key}_${native_name(f)}`;
}

const EXTRACTOR = "src/aten/core/dispatch/DispatchKeyExtractor.ts";
/** Functions that add an argument's keys to a key set, and the file that defines them. */
export const KEY_SET_FUNCTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  ["EMPTY_KS", "ks_tensor", "ks_optional", "ks_list", "ks_optional_list", "ks_generator", "computeDispatchKeySet"].map(
    (name) => [name, EXTRACTOR],
  ),
);

type Fold = "ks_tensor" | "ks_optional" | "ks_list" | "ks_optional_list" | "ks_generator";

/** The function that adds this argument's keys; null for an argument without keys. */
function fold_of(a: Argument): Fold | null {
  switch (String(a.type).replace(/\[\d+\]/g, "[]")) {
    case "Tensor":
      return "ks_tensor";
    case "Tensor?":
      return "ks_optional";
    case "Tensor[]":
    case "Tensor[]?":
      return "ks_list";
    case "Tensor?[]":
      return "ks_optional_list";
    case "Generator":
    case "Generator?":
      return "ks_generator";
    default:
      return null;
  }
}

/** `ks_list(ks_optional(start, weight), tensors)` for the arguments that have keys. */
export function fold_expr(start: string, args: readonly Argument[]): string {
  return args.reduce((expr, a) => {
    const fold = fold_of(a);
    return fold === null ? expr : `${fold}(${expr}, ${cpp.argument_name(a)})`;
  }, start);
}

/**
 * The expression of a call's key set. One to three plain tensors have a method of their own; any other arguments are
 * first combined into one set.
 */
export function key_set_expr(func: FunctionSchema): string {
  const parts = func.arguments.flat_all.filter((a) => fold_of(a) !== null);
  const tensors = parts.filter((a) => fold_of(a) === "ks_tensor");
  if (parts.length <= 3 && parts.length === tensors.length)
    return `getDispatchKeySet${parts.length}(${parts.map(cpp.argument_name).join(", ")})`;
  const [first, ...rest] = tensors;
  const start = first === undefined ? "EMPTY_KS" : `${cpp.argument_name(first)}.key_set()`;
  return `getDispatchKeySet(${fold_expr(start, [...rest, ...parts.filter((a) => fold_of(a) !== "ks_tensor")])})`;
}
