/**
 * @file The schemas with which scripts call functions that stay Python.
 * @mirrors torch/jit/annotations.py#get_signature
 */
import { Argument, FunctionSchema } from "#aten/core/function_schema";
import { NoneType, TensorType, TupleType, type Type } from "#aten/core/jit_type";
import { OperatorName } from "#aten/core/operator_name";
import { FUNCTION } from "#python/Objects/call";
import { is_function, type PyFunction } from "#python/Objects/funcobject";
import { getattr_or_undefined } from "#python/Objects/object";
import { Function } from "../../autograd/function.ts";
import type { SourceRange } from "../_C.ts";
import { is_ignored_fn } from "../_jit_internal.ts";
import { ann_to_type } from "../annotations.ts";

/** The function that a bound one calls. */
function original(fn: unknown): unknown {
  return (fn as { original_fn?: unknown }).original_fn ?? fn;
}

export function ignored_function(fn: unknown): unknown {
  const callable = typeof fn === "function" ? original(fn) : undefined;
  return is_function(callable) && is_ignored_fn(callable) ? callable : null;
}

/** Without any annotation, everything is a tensor. */
export function schema_of_ignored(
  fn: unknown,
  self: Type | null,
  _n_args: number,
  n_binders: number,
  loc: SourceRange,
): FunctionSchema | null {
  const callable = ignored_function(fn);
  if (callable === null) return null;
  const { code } = (callable as PyFunction)[FUNCTION];
  const annotations = (getattr_or_undefined(callable, "__annotations__") ?? new Map()) as Map<unknown, unknown>;
  const names = code.co_varnames.slice(self === null ? 0 : 1, code.co_argcount);
  const type_of = (name: string): Type =>
    annotations.has(name) ? ann_to_type(annotations.get(name), loc) : TensorType;
  const args = names.map((name) => new Argument(name, type_of(name)));
  if (self !== null) args.unshift(new Argument("self", self));
  const tensors = n_binders > 1 ? TupleType.create(new Array<Type>(n_binders).fill(TensorType)) : TensorType;
  const unannotated = n_binders === 0 ? NoneType : tensors;
  const returns = annotations.size > 0 ? type_of("return") : unannotated;
  const name = (getattr_or_undefined(callable, "__qualname__") as string | undefined) ?? "";
  return new FunctionSchema(new OperatorName(name), args, [new Argument("0", returns)]);
}

/** Whether scripts may call `apply` of an object: it is a class of torch.autograd. */
export function is_autograd_function(obj: unknown): boolean {
  return typeof obj === "function" && obj.prototype instanceof Function;
}
