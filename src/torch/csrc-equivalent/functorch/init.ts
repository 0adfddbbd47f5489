/**
 * @file `torch._C._functorch`: the stack of transforms and their tensors, as the front end sees them.
 * @mirrors torch/csrc/functorch/init.cpp
 * @differs `_functorch/_C.ts` has the functions for functional tensors; and the cache of compiled functions does not exist.
 */

import { wrapper_of } from "#aten/FunctionalTensorWrapper";
import { GradInterpreter, JvpInterpreter } from "#aten/functorch/ADInterpreters";
import {
  isVmapFallbackEnabled,
  setVmapFallbackEnabled,
  setVmapFallbackWarningEnabled,
} from "#aten/functorch/BatchedFallback";
import { addBatchDim, maybeGetBatchedImpl } from "#aten/functorch/BatchedTensorImpl";
import {
  dumpDynamicLayerStack,
  getDuringFunctorchTransform,
  getDynamicLayerStack,
  getInplaceRequiresGradAllowed,
  maybeCurrentDynamicLayer,
  popDynamicLayer,
  popDynamicLayerAndDeleteMetadata,
  pushDynamicLayer,
  setDuringFunctorchTransform,
  setDynamicLayerFrontBackKeysIncluded,
  setInplaceRequiresGradAllowed,
} from "#aten/functorch/DynamicLayer";
import { FunctionalizeInterpreter } from "#aten/functorch/FunctionalizeInterpreter";
import { type Interpreter, RandomnessType, TransformType } from "#aten/functorch/Interpreter";
import { dumpTensor, makeTensorWrapper, maybeGetTensorWrapper, unwrapIfDead } from "#aten/functorch/TensorWrapper";
import { VmapInterpreter } from "#aten/functorch/VmapInterpreter";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { AutogradState } from "#c10/core/AutogradState";
import { DispatchKey } from "#c10/core/DispatchKey";
import { GradMode } from "#c10/core/GradMode";
import { tls_local_dispatch_key_set, tls_set_dispatch_key_excluded } from "#c10/core/impl/LocalDispatchKeySet";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { TensorBase } from "../autograd/python_variable/type.ts";
import { THPVariable_Wrap } from "../autograd/python_variable/wrap.ts";

const wrap = (t: Tensor): TensorBase => THPVariable_Wrap(t) as TensorBase;

// Tensors of a level ---------------------------------------------------------------------------------------------------------

/** A batched tensor of this level, whose batch dimension is `batch_dim` of `self`. */
export function _add_batch_dim(self: TensorBase, batch_dim: number, level: number): TensorBase {
  return wrap(addBatchDim(self.cdata, batch_dim, level));
}

/**
 * The tensor without its batch dimension of this level, which becomes dimension `out_dim`. A tensor that never met a batched tensor of
 * this level is repeated.
 */
export function _remove_batch_dim(self: TensorBase, level: number, batch_size: number, out_dim: number): TensorBase {
  const batched = maybeGetBatchedImpl(self.cdata);
  if (batched === null || batched.level() < level) {
    const at_dim = out_dim < 0 ? out_dim + self.cdata.dim() + 1 : out_dim;
    const sizes = self.cdata.sizes();
    return wrap(
      at.unsqueeze(self.cdata, at_dim).expand([...sizes.slice(0, at_dim), batch_size, ...sizes.slice(at_dim)]),
    );
  }
  TORCH_INTERNAL_ASSERT(batched.level() === level);
  const value = batched.value();
  return wrap(moved(value, batched.bdim(), maybe_wrap_dim(out_dim, value.dim())));
}

/** `movedim` by one `permute`. */
function moved(self: Tensor, from: number, to: number): Tensor {
  if (from === to) return self;
  const permutation = self.sizes().map((_, d) => d);
  permutation.splice(from, 1);
  permutation.splice(to, 0, from);
  return self.permute(permutation);
}

/** `(value, batch dimension)`; a tensor that is not batched at this level has none. */
export function _unwrap_batched(self: TensorBase, level: number): [TensorBase, number | null] {
  const batched = maybeGetBatchedImpl(self.cdata);
  if (batched === null || batched.level() !== level) return [self, null];
  return [wrap(batched.value()), batched.bdim()];
}

export function _wrap_for_grad(self: TensorBase, level: number): TensorBase {
  return wrap(makeTensorWrapper(self.cdata, level));
}

export function _unwrap_for_grad(self: TensorBase, level: number): TensorBase {
  const wrapper = maybeGetTensorWrapper(self.cdata);
  return wrapper !== null && wrapper.level() === level ? wrap(wrapper.value()) : self;
}

export function unwrap_if_dead(self: TensorBase): TensorBase {
  return wrap(unwrapIfDead(self.cdata));
}

export function is_batchedtensor(tensor: TensorBase): boolean {
  return maybeGetBatchedImpl(tensor.cdata) !== null;
}
export function is_gradtrackingtensor(tensor: TensorBase): boolean {
  return maybeGetTensorWrapper(tensor.cdata) !== null;
}
export function is_functionaltensor(tensor: TensorBase): boolean {
  return tensor.cdata.key_set().has(DispatchKey.Functionalize);
}
/** Whether it is a tensor of a transform. */
export function is_functorch_wrapped_tensor(tensor: TensorBase): boolean {
  return maybe_get_level(tensor) !== -1;
}

/** The tensor of the level below. */
export function get_unwrapped(tensor: TensorBase): TensorBase {
  const { cdata } = tensor;
  const value = (maybeGetBatchedImpl(cdata) ?? maybeGetTensorWrapper(cdata) ?? wrapper_of(cdata))?.value();
  TORCH_CHECK(value !== undefined, "No wrappers present!");
  return wrap(value as Tensor);
}

/** The level of a tensor; -1 for one without, -2 if the level has ended. */
export function maybe_get_level(tensor: TensorBase): number {
  const { cdata } = tensor;
  const batched = maybeGetBatchedImpl(cdata);
  if (batched !== null) return batched.level();
  const wrapped = maybeGetTensorWrapper(cdata);
  if (wrapped !== null) return wrapped.level() ?? -2;
  return wrapper_of(cdata)?.level() ?? -1;
}
export function maybe_get_bdim(tensor: TensorBase): number {
  return maybeGetBatchedImpl(tensor.cdata)?.bdim() ?? -1;
}
/** The level of a wrapper of `grad`: 0 for another tensor, -1 if the level has ended. */
export function dlevel(tensor: TensorBase): number {
  const wrapped = maybeGetTensorWrapper(tensor.cdata);
  return wrapped === null ? 0 : (wrapped.level() ?? -1);
}

/** Prints the layers of a tensor. */
export function dump_tensor(self: TensorBase): boolean {
  const text = (t: Tensor): string =>
    dumpTensor(t, (inner) => {
      const batched = maybeGetBatchedImpl(inner);
      if (batched === null) return null;
      return `Batched[lvl=${batched.level()} dim=${batched.bdim()}, ${text(batched.value())}]`;
    });
  console.log(`${text(self.cdata)}`);
  return true;
}

// Levels ---------------------------------------------------------------------------------------------------------------------

const next_level = (): number => getDynamicLayerStack().length + 1;

function decrement(key: TransformType): number {
  const layer = popDynamicLayerAndDeleteMetadata();
  TORCH_INTERNAL_ASSERT(layer.key() === key);
  return layer.level();
}

export function _grad_increment_nesting(): number {
  return pushDynamicLayer(new GradInterpreter(next_level(), GradMode.is_enabled()));
}
export function _grad_decrement_nesting(): number {
  return decrement(TransformType.Grad);
}
export function _jvp_increment_nesting(): number {
  return pushDynamicLayer(new JvpInterpreter(next_level(), get_fwd_grad_enabled()));
}
export function _jvp_decrement_nesting(): number {
  return decrement(TransformType.Jvp);
}

const randomness_of: Readonly<Record<string, RandomnessType>> = {
  error: RandomnessType.Error,
  same: RandomnessType.Same,
  different: RandomnessType.Different,
};

/** @param randomness `error`, `same` or `different` */
export function _vmap_increment_nesting(batch_size: number, randomness: string): number {
  const type = randomness_of[randomness];
  TORCH_CHECK(type !== undefined, "randomness argument must be error, same, or different.");
  return pushDynamicLayer(new VmapInterpreter(next_level(), batch_size, type as RandomnessType));
}
export function _vmap_decrement_nesting(): number {
  return decrement(TransformType.Vmap);
}
export function _func_increment_nesting(reapply_views: boolean): number {
  return pushDynamicLayer(new FunctionalizeInterpreter(next_level(), reapply_views));
}
export function _func_decrement_nesting(): number {
  return decrement(TransformType.Functionalize);
}

export function current_level(): number {
  const layer = maybeCurrentDynamicLayer();
  TORCH_INTERNAL_ASSERT(layer !== null, "maybe_layer.has_value()");
  return (layer as Interpreter).level();
}
export function are_transforms_active(): boolean {
  return getDynamicLayerStack().length > 0;
}
/** The innermost transform; null outside of transforms. */
export function peek_interpreter_stack(): Interpreter | null {
  return maybeCurrentDynamicLayer();
}
/** All transforms, the outermost first; null outside of transforms. */
export function get_interpreter_stack(): Interpreter[] | null {
  return are_transforms_active() ? [...getDynamicLayerStack()] : null;
}
export function pop_dynamic_layer_stack(): Interpreter {
  return popDynamicLayer();
}
export function push_dynamic_layer_stack(layer: Interpreter): number {
  return pushDynamicLayer(layer);
}

// Settings -------------------------------------------------------------------------------------------------------------------

export function set_fwd_grad_enabled(enabled: boolean): void {
  AutogradState.get_tls_state().set_fw_grad_mode(enabled);
}
export function get_fwd_grad_enabled(): boolean {
  return AutogradState.get_tls_state().get_fw_grad_mode();
}
export function tls_set_vmap_excluded(excluded: boolean): void {
  tls_set_dispatch_key_excluded(DispatchKey.FuncTorchBatched, excluded);
}
export function dump_dls(): void {
  console.log(`${dumpDynamicLayerStack()}`);
}
export function dump_local_tls(): void {
  const { included_, excluded_ } = tls_local_dispatch_key_set();
  console.log(`[Local Include] ${included_}\n[Local Exclude] ${excluded_}`);
}

export {
  getDuringFunctorchTransform as get_during_functorch_transform,
  getInplaceRequiresGradAllowed as get_inplace_requires_grad_allowed,
  isVmapFallbackEnabled as _is_vmap_fallback_enabled,
  RandomnessType,
  setDuringFunctorchTransform as set_during_functorch_transform,
  setDynamicLayerFrontBackKeysIncluded as _set_dynamic_layer_keys_included,
  setInplaceRequiresGradAllowed as set_inplace_requires_grad_allowed,
  setVmapFallbackEnabled as _set_vmap_fallback_enabled,
  setVmapFallbackWarningEnabled as _set_vmap_fallback_warning_enabled,
  TransformType,
};
