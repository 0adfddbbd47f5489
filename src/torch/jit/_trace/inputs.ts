/**
 * @file Example inputs: copies of them, and the names of the parameters that take them.
 * @mirrors torch/jit/_trace.py#_clone_inputs
 */
import { ValueError } from "#c10/util/Exception";
import { FUNCTION } from "#python/Objects/call";
import { PyDict } from "#python/Objects/dictobject";
import { is_function, is_method, METHOD } from "#python/Objects/funcobject";
import { PyTuple, tuple } from "#python/Objects/tupleobject";
import { type_of } from "#python/Objects/typeobject";
import { isDict } from "../../_C.ts";
import { signature } from "../../_signature.ts";
import { Tensor } from "../../_tensor/index.ts";
import torch from "../../index.ts";
import type { Module } from "../../nn/modules/module/index.ts";
import { class_function, class_of } from "../_recursive/class_members.ts";

/** Copies the tensors of a structure. */
export function _clone_inputs(value: unknown): unknown {
  if (value instanceof Tensor) {
    return value.detach().clone({ memory_format: torch.preserve_format }).requires_grad_(value.requires_grad);
  }
  if (value === null || value === undefined) return null;
  if (value instanceof PyTuple) return tuple([...value].map(_clone_inputs));
  if (Array.isArray(value)) return value.map(_clone_inputs);
  const entries = entries_of(value);
  if (entries !== null) return new PyDict([...entries].map(([key, item]) => [key, _clone_inputs(item)]));
  throw new ValueError(
    `Auto nesting doesn't know how to process an input object of type ${type_of(value).name}. Accepted types: tensors, or lists/tuples of them`,
  );
}

/** The entries of a dict; null if the value is none. */
export function entries_of(value: unknown): Iterable<[unknown, unknown]> | null {
  if (value instanceof Map) return value.entries();
  return isDict(value) ? Object.entries(value) : null;
}

/** Names of the parameters that may be given by position or by name. A function of TypeScript does not tell them. */
export function get_callable_argument_names(fn: unknown): string[] {
  if (is_method(fn)) return get_callable_argument_names(fn[METHOD].func).slice(1);
  if (is_function(fn)) {
    const { code } = fn[FUNCTION];
    return code.co_varnames.slice(code.co_posonlyargcount, code.co_argcount);
  }
  const declared = signature(fn);
  return (declared?.parameters ?? []).filter((p) => p.kind === "POSITIONAL_OR_KEYWORD").map((p) => p.name);
}

/** Names of the parameters of a module's `forward`; for a module of the library, those that PyTorch's has. */
export function forward_argument_names(module: Module): string[] {
  const written = class_function(class_of(module), "forward");
  if (written === undefined) return get_callable_argument_names(module.forward);
  const names = get_callable_argument_names(written.fn);
  return written.is_static ? names : names.slice(1);
}
