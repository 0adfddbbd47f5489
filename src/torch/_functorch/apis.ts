/**
 * @file `vmap`, `grad` and `grad_and_value` of `torch.func`.
 * @mirrors torch/_functorch/apis.py
 */
import { ValueError } from "#c10/util/Exception";
import { def } from "#torch/_signature";
import { transforms } from "./loading.ts";

// biome-ignore lint/suspicious/noExplicitAny: a function of a program may take and return anything
type Any = any;
/** A function of a program, and what a transform makes of it. */
export type Func = (...args: Any[]) => Any;
/** One argument's number, or several. */
export type argnums_t = number | readonly number[];
/** The mapped dimension of each input or output: one for all, or a structure like theirs; null for none. */
export type dims_t = number | null | readonly Any[] | Readonly<Record<string, Any>>;

/**
 * Turns a function of one sample into a function of a batch: operators run once for all samples.
 * @param func returns tensors
 * @param in_dims the dimension of each input that is mapped over: one for all inputs, or one for each; null for an input that all samples share
 * @param out_dims the position of this dimension in the outputs
 * @param randomness what random operators do: `error`, `same` (one draw for all samples) or `different`
 * @param chunk_size how many samples are computed at once; all, if it is not given
 * @throws {ValueError} if the inputs' sizes differ in the mapped dimension, or `in_dims` does not fit the inputs
 * @example torch.vmap(torch.dot)(x, y) // (B, N), (B, N) -> (B)
 */
export const vmap = def(
  "vmap(func, in_dims=0, out_dims=0, randomness='error', *, chunk_size=None)",
  (func: Func, in_dims: dims_t, out_dims: dims_t, randomness: string, chunk_size: number | null): Func => {
    const { _check_randomness_arg, transformed, vmap_impl } = transforms("torch.vmap");
    _check_randomness_arg(randomness);
    if (!(chunk_size === null || chunk_size > 0))
      throw new ValueError(`vmap: chunk_size should be None or greater than 0. (got ${chunk_size})`);
    return transformed(func, (args, kwargs) =>
      vmap_impl(func, { in_dims, out_dims, randomness, chunk_size }, args, kwargs),
    );
  },
);

/**
 * A function that computes the gradient of `func`, which returns a scalar.
 * @param argnums the arguments with respect to which the gradient is taken
 * @param has_aux whether `func` returns `(output, aux)`; then the gradient comes with `aux`
 * @example torch.func.grad(torch.sin)(x) // cos(x)
 */
export const grad = def(
  "grad(func, argnums=0, has_aux=False)",
  (func: Func, argnums: argnums_t, has_aux: boolean): Func => {
    const { grad_impl, transformed } = transforms("torch.func.grad");
    return transformed(func, (args, kwargs) => grad_impl(func, argnums, has_aux, args, kwargs));
  },
);

/** `grad` that also returns what `func` returned: `(gradient, value)`, or `(gradient, (value, aux))`. */
export const grad_and_value = def(
  "grad_and_value(func, argnums=0, has_aux=False)",
  (func: Func, argnums: argnums_t, has_aux: boolean): Func => {
    const { grad_and_value_impl, transformed } = transforms("torch.func.grad_and_value");
    return transformed(func, (args, kwargs) => grad_and_value_impl(func, argnums, has_aux, args, kwargs));
  },
);
