/**
 * @file The functions of `torch` that make functional tensors and ask them: `torch._to_functional_tensor`, `torch._sync`.
 * @mirrors torch/csrc/autograd/python_torch_functions_manual.cpp#THPVariable__to_functional_tensor
 * @see src/aten/FunctionalTensorWrapper.ts
 */
import {
  type FunctionalTensorWrapper,
  getFunctionalizationReapplyViewsTLS,
  isFunctionalTensor,
  setFunctionalizationReapplyViewsTLS,
  to_functional_tensor,
  wrapper_of,
} from "#aten/FunctionalTensorWrapper";
import "#aten/RegisterFunctionalization";
import { DispatchKey } from "#c10/core/DispatchKey";
import { tls_is_dispatch_key_included, tls_set_dispatch_key_included } from "#c10/core/impl/LocalDispatchKeySet";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { TensorBase } from "./python_variable/type.ts";
import { THPVariable_Wrap } from "./python_variable/wrap.ts";

function wrapper(t: TensorBase): FunctionalTensorWrapper {
  const found = wrapper_of(t.cdata);
  TORCH_INTERNAL_ASSERT(found !== null, "at::functionalization::impl::isFunctionalTensor(self_)");
  return found as FunctionalTensorWrapper;
}

/** A functional tensor with this value. */
export function _to_functional_tensor(t: TensorBase): TensorBase {
  return THPVariable_Wrap(to_functional_tensor(t.cdata)) as TensorBase;
}

/** The value of a functional tensor, as far as it was brought up to date. */
export function _from_functional_tensor(t: TensorBase): TensorBase {
  return THPVariable_Wrap(wrapper(t).value()) as TensorBase;
}

export function _is_functional_tensor(t: unknown): boolean {
  return t instanceof TensorBase && isFunctionalTensor(t.cdata);
}

export function _is_functional_tensor_base(t: TensorBase): boolean {
  return wrapper(t).is_base_tensor();
}

/** Brings the value up to date with changes through other views. */
export function _sync(t: TensorBase): void {
  wrapper(t).sync_();
}

/** `_sync` for a tensor that is surely functional. */
export function _functionalize_sync(t: TensorBase): void {
  wrapper(t).sync_();
}

export function _functionalize_replace(self: TensorBase, other: TensorBase): void {
  wrapper(self).replace_(other.cdata);
}

export function _functionalize_commit_update(t: TensorBase): void {
  wrapper(t).commit_update();
}

export function _functionalize_has_metadata_mutation(t: TensorBase): boolean {
  return wrapper(t).has_metadata_mutation();
}

export function _functionalize_has_data_mutation(t: TensorBase): boolean {
  return wrapper(t).has_data_mutation();
}

export function _functionalize_is_multi_output_view(t: TensorBase): boolean {
  return wrapper(t).is_multi_output_view();
}

export function _functionalize_mark_mutation_hidden_from_autograd(t: TensorBase): void {
  wrapper(t).mark_mutation_hidden_from_autograd();
}

export function _functionalize_are_all_mutations_hidden_from_autograd(t: TensorBase): boolean {
  return wrapper(t).are_all_mutations_hidden_from_autograd();
}

export function _functionalize_are_all_mutations_under_no_grad_or_inference_mode(t: TensorBase): boolean {
  return wrapper(t).are_all_mutations_under_no_grad_or_inference_mode();
}

/** Gives `dest` the autograd properties of `source`. */
export function _mirror_autograd_meta_to(source: TensorBase, dest: TensorBase): void {
  if (source.cdata.requires_grad() !== dest.cdata.requires_grad())
    dest.cdata.set_requires_grad(source.cdata.requires_grad());
}

/** From now on every operator is functionalized, factories too. @param reapply_views whether views of values are views, or copies */
export function _enable_functionalization(reapply_views = false): void {
  TORCH_INTERNAL_ASSERT(
    !tls_is_dispatch_key_included(DispatchKey.Functionalize),
    "multiple layers of mode-style functionalization nesting is not currently supported, outside of the functionalize() transform",
  );
  tls_set_dispatch_key_included(DispatchKey.Functionalize, true);
  setFunctionalizationReapplyViewsTLS(reapply_views);
}

export function _disable_functionalization(): void {
  tls_set_dispatch_key_included(DispatchKey.Functionalize, false);
  setFunctionalizationReapplyViewsTLS(false);
}

export function _functionalize_enable_reapply_views(reapply_views: boolean): boolean {
  return setFunctionalizationReapplyViewsTLS(reapply_views);
}

export { getFunctionalizationReapplyViewsTLS as _functionalization_reapply_views_tls };
