/**
 * @file `grad`, `grad_and_value` and `vjp`: a level of `grad` around one run of the function.
 * @mirrors torch/_functorch/eager_transforms.py#grad_and_value_impl
 *
 *     grad(f)(x)      push a level; x becomes a wrapper of the level that requires grad; f runs; autograd.grad on the wrappers;
 *                     the result is unwrapped; pop the level
 *
 * A function that is transformed does not depend on a `no_grad` around it, but on one inside it.
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { pack, tuple } from "#python/Objects/tupleobject";
import * as C from "#torch/_functorch/_C_functorch";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import { call_function } from "#torch/fx/callables";
import { flatten, map_leaves, treespec_pprint } from "#torch/utils/_pytree/index";
import type { argnums_t } from "../apis.ts";
import { type Kwargs, returned } from "../transformed.ts";
import { without_saved_tensors_hooks } from "../vmap.ts";
import { _slice_argnums } from "./argnums.ts";

// Wrapping -------------------------------------------------------------------------------------------------------------------

/** The tree's tensors as tensors of the level. */
export function _wrap_all_tensors<T>(tree: T, level: number): T {
  return map_leaves(tree, (leaf) => (leaf instanceof Tensor ? C._wrap_for_grad(leaf, level) : leaf)) as T;
}

/** Makes all leaves require grad. */
export function _create_differentiable(inps: unknown): void {
  map_leaves(inps, (x) => {
    if (!(x instanceof Tensor))
      throw new ValueError(`Thing passed to transform API must be Tensor, got ${type_repr(x, "class")}`);
    const before = C.get_inplace_requires_grad_allowed();
    C.set_inplace_requires_grad_allowed(true);
    try {
      return x.requires_grad_();
    } finally {
      C.set_inplace_requires_grad_allowed(before);
    }
  });
}

/** The tree's tensors of the level as those of the level below. */
export function _undo_create_differentiable(inps: unknown, level: number): unknown {
  return map_leaves(inps, (x) => {
    if (x instanceof Tensor) return C._unwrap_for_grad(x, level);
    throw new RuntimeError(`Expected tensors, got unsupported type ${type_repr(x, "class")}`);
  });
}

/** Runs `fn` with a new level of `grad`. */
export function grad_increment_nesting<R>(fn: (level: number) => R): R {
  const level = C._grad_increment_nesting();
  try {
    return fn(level);
  } finally {
    C._grad_decrement_nesting();
  }
}

// Gradients ------------------------------------------------------------------------------------------------------------------

interface GraphOptions {
  readonly retain_graph: boolean;
  readonly create_graph: boolean;
}

/** `autograd.grad`, with zeros where an output does not depend on an input. */
function _autograd_grad(
  outputs: readonly Tensor[],
  inputs: readonly Tensor[],
  grad_outputs: readonly Tensor[] | null,
  options: GraphOptions,
): Tensor[] {
  const used = outputs.map((out, i) => [out, grad_outputs?.[i] ?? null] as const).filter(([out]) => out.requires_grad);
  if (used.length === 0) return inputs.map((inp) => torch.zeros_like(inp));
  const grads = torch.autograd.grad(
    used.map(([out]) => out),
    [...inputs],
    { ...options, allow_unused: true, grad_outputs: grad_outputs === null ? null : used.map(([, go]) => go) },
  ) as (Tensor | null)[];
  return grads.map((gi, i) => gi ?? torch.zeros_like(inputs[i]));
}

const is_pair = (value: unknown): value is readonly [unknown, unknown] => Array.isArray(value) && value.length === 2;

export function grad_and_value_impl(
  func: unknown,
  argnums: argnums_t,
  has_aux: boolean,
  given_args: readonly unknown[],
  given_kwargs: Kwargs,
): unknown {
  return without_saved_tensors_hooks(() =>
    grad_increment_nesting((level) =>
      torch.enable_grad(() => {
        const args = _wrap_all_tensors(tuple(given_args), level);
        const kwargs = new Map([...given_kwargs].map(([name, value]) => [name, _wrap_all_tensors(value, level)]));
        const diff_args = _slice_argnums(args, argnums, false);
        _create_differentiable(diff_args);

        let output = call_function(func, args, kwargs);
        let aux: unknown = null;
        if (has_aux) {
          if (!is_pair(output))
            throw new RuntimeError(
              "grad_and_value(f)(*args): output of function f should be a tuple: (output, aux) if has_aux is True",
            );
          [output, aux] = output;
        }
        if (!(output instanceof Tensor))
          throw new RuntimeError(
            `grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got ${type_repr(output, "class")}`,
          );
        if (output.dim() !== 0)
          throw new RuntimeError(
            "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with " +
              `${output.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?`,
          );

        const [flat_diff_args, spec] = flatten(diff_args);
        const create = { retain_graph: true, create_graph: true };
        const flat_grad_input = _autograd_grad([output], flat_diff_args as Tensor[], null, create);
        const grad_input = _undo_create_differentiable(spec.unflatten(flat_grad_input), level);
        const value = _undo_create_differentiable(output, level);
        return pack(grad_input, has_aux ? pack(value, _undo_create_differentiable(aux, level)) : value);
      }),
    ),
  );
}

export function grad_impl(
  func: unknown,
  argnums: argnums_t,
  has_aux: boolean,
  args: readonly unknown[],
  kwargs: Kwargs,
): unknown {
  const [grad, value] = grad_and_value_impl(func, argnums, has_aux, args, kwargs) as [unknown, unknown];
  return has_aux ? pack(grad, (value as [unknown, unknown])[1]) : grad;
}

function assert_non_empty_tensor_output(output: readonly unknown[], api: string): void {
  if ((output.length === 1 && output[0] === null) || output.length < 1)
    throw new RuntimeError(
      `${api}: Expected f to be a function that has non-empty output (got output = ${output.length === 1 ? "[None]" : "[]"})`,
    );
  for (const o of output)
    if (!(o instanceof Tensor))
      throw new RuntimeError(
        `${api}: expected f(*primals) to return only tensors, got unsupported type ${type_repr(o, "class")}`,
      );
}

export { assert_non_empty_tensor_output };

/** @param argnums the arguments to differentiate by; null for all */
export function _vjp_with_argnums(
  func: unknown,
  given: readonly unknown[],
  argnums: argnums_t | null,
  has_aux: boolean,
): unknown {
  return without_saved_tensors_hooks(() =>
    grad_increment_nesting((level) =>
      torch.enable_grad(() => {
        const primals = _wrap_all_tensors(tuple(given), level);
        const diff_primals = argnums === null ? primals : _slice_argnums(primals, argnums, false);
        _create_differentiable(diff_primals);
        let primals_out = call_function(func, primals);
        let aux: unknown = null;
        if (has_aux) {
          if (!is_pair(primals_out))
            throw new RuntimeError(
              "vjp(f, *primals): output of function f should be a tuple: (output, aux) if has_aux is True",
            );
          [primals_out, aux] = primals_out;
          aux = _undo_create_differentiable(aux, level);
        }
        const [flat_out, out_spec] = flatten(primals_out);
        assert_non_empty_tensor_output(flat_out, "vjp(f, *primals)");
        const flat_primals_out = flat_out as Tensor[];
        const [flat_diff_primals, primals_spec] = flatten(diff_primals);
        const results = _undo_create_differentiable(primals_out, level);
        for (const out of flat_primals_out)
          if (!out.is_floating_point() && !out.is_complex())
            throw new RuntimeError(
              `vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype ${out.dtype}`,
            );

        const vjp_fn = returned((cotangents: unknown, retain_graph = true, create_graph: boolean | null = null) => {
          const [flat_cotangents, spec] = flatten(cotangents);
          if (!out_spec.equals(spec))
            throw new RuntimeError(
              "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. " +
                `cotangents: ${treespec_pprint(spec)}, primal output: ${treespec_pprint(out_spec)}`,
            );
          const options = { retain_graph, create_graph: create_graph ?? torch.is_grad_enabled() };
          const grads = _autograd_grad(
            flat_primals_out,
            flat_diff_primals as Tensor[],
            flat_cotangents as Tensor[],
            options,
          );
          return primals_spec.unflatten(grads);
        });
        return has_aux ? pack(results, vjp_fn, aux) : pack(results, vjp_fn);
      }),
    ),
  );
}

export function debug_unwrap_impl(tensor: Tensor, recurse: boolean): Tensor {
  if (!C.is_functorch_wrapped_tensor(tensor)) return tensor;
  const result = C.get_unwrapped(tensor) as Tensor;
  return recurse ? debug_unwrap_impl(result, true) : result;
}
