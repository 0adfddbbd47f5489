/**
 * @file `functionalize`: a function without mutation, which changes its arguments only at its end.
 * @mirrors torch/_functorch/eager_transforms.py#functionalize
 * @differs Functional tensors do not nest. Outside of other transforms functionalization is a mode of the thread, inside it is a layer of
 * the stack; PyTorch has a layer always.
 */

import { wrapper_of } from "#aten/FunctionalTensorWrapper";
import { getDynamicLayerStack, popDynamicLayerAndDeleteMetadata, pushDynamicLayer } from "#aten/functorch/DynamicLayer";
import { FunctionalizeInterpreter } from "#aten/functorch/FunctionalizeInterpreter";
import { DispatchKey } from "#c10/core/DispatchKey";
import { tls_is_dispatch_key_included } from "#c10/core/impl/LocalDispatchKeySet";
import { RuntimeError } from "#c10/util/Exception";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import { map_leaves } from "#torch/utils/_pytree/index";
import {
  _disable_functionalization,
  _enable_functionalization,
  _from_functional_tensor,
  _functionalization_reapply_views_tls,
  _is_functional_tensor,
  _mirror_autograd_meta_to,
  _sync,
  _to_functional_tensor,
} from "./_C.ts";
import { set_functionalize } from "./eager_transforms/index.ts";

/** A functional tensor over `t`. */
export function to_fun(t: Tensor): Tensor {
  const wrapped = _to_functional_tensor(t) as Tensor;
  _mirror_autograd_meta_to(t, wrapped);
  return wrapped;
}

/** The value, up to date; any other value as it is. */
export function from_fun(t: unknown): unknown {
  if (!_is_functional_tensor(t)) return t;
  _sync(t as Tensor);
  return _from_functional_tensor(t as Tensor);
}

/** Runs `fn` with functionalization as a layer over the transforms that are active. */
function with_layer<R>(reapply_views: boolean, fn: (level: number) => R): R {
  const level = pushDynamicLayer(new FunctionalizeInterpreter(getDynamicLayerStack().length + 1, reapply_views));
  try {
    return fn(level);
  } finally {
    popDynamicLayerAndDeleteMetadata();
  }
}

/** Runs `fn` with functionalization on. */
export function with_functionalization<R>(reapply_views: boolean, fn: () => R): R {
  _enable_functionalization(reapply_views);
  try {
    return fn();
  } finally {
    _disable_functionalization();
  }
}

/** Runs `fn` with functionalization off, if it is on. */
export function without_functionalization<R>(fn: () => R): R {
  if (!tls_is_dispatch_key_included(DispatchKey.Functionalize)) return fn();
  const reapply_views = _functionalization_reapply_views_tls();
  _disable_functionalization();
  try {
    return fn();
  } finally {
    _enable_functionalization(reapply_views);
  }
}

/** Writes what became of an argument back to it. */
function _propagate_functional_input_mutation(unwrapped: Tensor, wrapped: Tensor): void {
  const inner = from_fun(wrapped) as Tensor;
  if (inner === unwrapped) return;
  if (String(inner.shape) !== String(unwrapped.shape)) unwrapped.resize_([...inner.shape]);
  torch.no_grad(() => unwrapped.copy_(inner));
}

set_functionalize((func, remove) => {
  if (remove !== "mutations" && remove !== "mutations_and_views")
    throw new RuntimeError(
      "functionalize(f, remove='mutations'): received invalid argument for remove=" +
        `${remove}.` +
        ` Valid options are:\n     remove='mutations': all inplace and out= operators will be removed from the program, and replaced with their out-of-place equivalents.\n     remove='mutations_and_views': In addition to the above, all aliasing operators {view} will be replaced with their non-aliasing counterparts, {view}_copy.\n`,
    );
  const functionalized = (...args: unknown[]): unknown => {
    const wrapped = new Map<Tensor, Tensor>();
    let layer = -1;
    const wrap = (leaf: unknown): unknown => {
      if (!(leaf instanceof Tensor)) return leaf;
      const known = wrapped.get(leaf) ?? to_fun(leaf);
      wrapper_of(known.cdata)?.set_level(layer);
      wrapped.set(leaf, known);
      return known;
    };
    const run = (): unknown => {
      const result = call_function(func, map_leaves(args, wrap) as unknown[]);
      return map_leaves(result, from_fun);
    };
    const reapply_views = remove === "mutations";
    const out =
      getDynamicLayerStack().length === 0
        ? with_functionalization(reapply_views, run)
        : with_layer(reapply_views, (level) => {
            layer = level;
            return run();
          });
    for (const [t, functional] of wrapped) _propagate_functional_input_mutation(t, functional);
    return out;
  };
  return Object.assign(functionalized, { __wrapped__: func });
});
