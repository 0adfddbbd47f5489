/**
 * @file Queries of the autograd generators about an operator: whether its kernel is generated, whether it writes to
 * arguments, whose view its result is.
 * @mirrors tools/autograd/gen_inplace_or_view_type.py
 */
import { use_derived as dispatches_to_derived, type NativeFunctionWithDifferentiabilityInfo } from "../api/autograd.ts";
import * as cpp from "../api/cpp.ts";
import type { Argument, Return } from "../arguments.ts";
import type { NativeFunction } from "../model.ts";
import { identifier } from "../operator_name.ts";
import { is_tensor_like } from "../types.ts";

/** Operators whose autograd kernels are written by hand (VariableTypeManual.ts). */
export const MANUAL_AUTOGRAD_AND_TRACER: readonly string[] = [
  "resize_",
  "resize_as_",
  "detach",
  "detach_",
  "copy_",
  "_fw_primal",
  "_make_dual",
];
/** Operators that are methods of the autograd metadata itself; they dispatch nothing further. */
export const MANUAL_BACKEND: readonly string[] = [
  "options",
  "data",
  "set_data",
  "is_leaf",
  "output_nr",
  "_version",
  "retain_grad",
  "_backward",
  "requires_grad_",
];

/** Operators that are annotated as sharing storage but return their argument itself. */
const RETURNS_ARGUMENT: readonly string[] = ["lift_fresh"];

export function use_derived(fn: NativeFunctionWithDifferentiabilityInfo): boolean {
  const name = cpp.name(fn.func.func);
  return !MANUAL_AUTOGRAD_AND_TRACER.includes(name) && !MANUAL_BACKEND.includes(name) && dispatches_to_derived(fn);
}

export function modifies_arguments(f: NativeFunction): boolean {
  return f.func.kind() === "inplace" || f.func.is_out_fn();
}

export function type_wrapper_name(f: NativeFunction, key = "Default"): string {
  const overload = f.func.name.overload_name;
  return identifier(cpp.name(f.func) + (overload === "" ? "" : `_${overload}`) + (key === "Default" ? "" : `_${key}`));
}

export class Views {
  /** The argument of which every view operator with a base name makes a view, by that name. */
  private readonly viewed = new Map<string, string>();

  constructor(functions: readonly NativeFunction[]) {
    for (const f of functions) {
      const base = f.func.name.name.base;
      if (modifies_arguments(f) || RETURNS_ARGUMENT.includes(base)) continue;
      const argument = f.func.returns.map((r) => viewed_argument(f, r)).find((x) => x !== undefined);
      if (argument !== undefined) this.viewed.set(base, cpp.argument_name(argument));
    }
  }

  /** The argument of which `f`'s result is a view, or null. For an in-place operator, the argument whose view `self` becomes. */
  info(f: NativeFunction): string | null {
    return this.viewed.get(f.func.name.name.base) ?? null;
  }

  is_out_of_place_view(f: NativeFunction): boolean {
    return this.info(f) !== null && !modifies_arguments(f) && f.func.returns.some((r) => is_tensor_like(r.type));
  }
}

/** The argument whose storage the return shares: `(a)` with `(a)`, `(a)` in a list with `(a -> *)`. */
function viewed_argument(f: NativeFunction, r: Return): Argument | undefined {
  const alias = r.annotation;
  if (alias === null || alias.is_write) return undefined;
  return f.func.arguments.flat_all.find(
    (a) => a.annotation?.alias_set.some((letter) => alias.alias_set.includes(letter)) ?? false,
  );
}
