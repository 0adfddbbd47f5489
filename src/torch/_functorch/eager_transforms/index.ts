/**
 * @file Transforms of `torch.func` that are made of others: products with a Jacobian, Jacobians, Hessians.
 * @mirrors torch/_functorch/eager_transforms.py
 * @see ../loading.ts
 */
import { ImportError, ValueError } from "#c10/util/Exception";
import { doors } from "#torch/_doors";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import type { argnums_t, Func } from "../apis.ts";
import { transforms } from "../loading.ts";

// biome-ignore lint/suspicious/noExplicitAny: the function of the program decides
type Any = any;

/**
 * `[func(*primals), vjp_fn]`, where `vjp_fn` takes the gradients of the outputs to those of the inputs.
 * @param has_aux whether `func` returns `(output, aux)`; then `aux` is the third result
 */
export const vjp = def(
  "vjp(func, *primals: object, has_aux=False)",
  (func: Func, primals: readonly unknown[], has_aux: boolean): Any =>
    transforms("torch.func.vjp")._vjp_with_argnums(func, primals, null, has_aux),
);

/**
 * `[func(*primals), tangents of the outputs]` for tangents of the inputs, by forward-mode AD.
 * @param strict whether an output that does not depend on the inputs is an error
 */
export const jvp = def(
  "jvp(func, primals: object, tangents: object, *, strict=False, has_aux=False)",
  (func: Func, primals: unknown, tangents: unknown, strict: boolean, has_aux: boolean): Any =>
    transforms("torch.func.jvp")._jvp_with_argnums(func, primals, tangents, { argnums: null, strict, has_aux }),
);

/**
 * A function that computes the Jacobian of `func` row by row, all rows at once: `vmap` over `vjp`.
 * @param chunk_size how many rows are computed at once; all, if it is not given
 */
export const jacrev = def(
  "jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False)",
  (
    func: Func,
    argnums: argnums_t,
    has_aux: boolean,
    chunk_size: number | null,
    _preallocate_and_copy: boolean,
  ): Func => {
    if (!(chunk_size === null || chunk_size > 0))
      throw new ValueError("jacrev: `chunk_size` should be greater than 0.");
    const { jacrev_impl, transformed } = transforms("torch.func.jacrev");
    return transformed(func, (args) => jacrev_impl(func, argnums, has_aux, chunk_size, args));
  },
);

/** A function that computes the Jacobian of `func` column by column, all columns at once: `vmap` over `jvp`. */
export const jacfwd = def(
  "jacfwd(func, argnums=0, has_aux=False, *, randomness='error')",
  (func: Func, argnums: argnums_t, has_aux: boolean, randomness: string): Func => {
    const { jacfwd_impl, transformed } = transforms("torch.func.jacfwd");
    return transformed(func, (args) => jacfwd_impl(func, argnums, has_aux, randomness, args));
  },
);

/** A function that computes the Hessian of `func`: `jacfwd(jacrev(func))`. */
export const hessian = def(
  "hessian(func, argnums=0)",
  (func: Func, argnums: argnums_t): Func => jacfwd(jacrev(func, argnums), argnums),
);

/** `[func(*primals), jvp_fn]`, where `jvp_fn` is a graph of the tangents: it does not compute `func` again. */
export const linearize = def("linearize(func, *primals: object)", (func: Func, primals: readonly unknown[]): Any => {
  require_fx("torch.func.linearize"); // the graph
  return transforms("torch.func.linearize").linearize_impl(func, primals);
});

/**
 * The tensor inside a tensor of a transform, for a look at it while debugging.
 * @param recurse whether all levels are taken off, or one
 */
export const debug_unwrap = def(
  "debug_unwrap(tensor, *, recurse=True)",
  (tensor: Tensor, recurse: boolean): Tensor =>
    transforms("torch.func.debug_unwrap").debug_unwrap_impl(tensor, recurse),
);

type Functionalize = (func: (...args: never[]) => unknown, remove: string) => (...args: unknown[]) => unknown;
let functionalize_impl: Functionalize | null = null;

/** Called by the file that knows functional tensors, which is loaded with `torch.fx`. */
export function set_functionalize(fn: Functionalize): void {
  functionalize_impl = fn;
}

/** Loads `torch.fx`, if it has not been loaded. */
function require_fx(name: string): Functionalize {
  if (functionalize_impl === null) doors.require?.("fx");
  if (functionalize_impl === null)
    throw new ImportError(`${name} cannot be loaded from here: write import "glasstorch/fx" before its first use`);
  return functionalize_impl;
}

/** A function that does what `func` does without mutation: in-place operators become others, and arguments are changed at the end. */
export const functionalize = def(
  "functionalize(func, *, remove='mutations')",
  (func: (...args: never[]) => unknown, remove: string): ((...args: unknown[]) => unknown) => {
    return require_fx("torch.func.functionalize")(func, remove);
  },
);
