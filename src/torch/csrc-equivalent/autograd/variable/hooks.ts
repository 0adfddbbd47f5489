/**
 * @file The autograd methods of `at::Tensor`: aten calls them through an interface, and this is the implementation.
 * @mirrors torch/csrc/autograd/variable.cpp#VariableHooks
 */

import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Stack } from "#aten/core/stack";
import type { TensorBase } from "#aten/core/TensorBase";
import { SetVariableHooks, type VariableHooksInterface } from "#aten/core/VariableHooksInterface";
import { checkSupportsRetainGrad } from "#aten/functorch/DynamicLayer";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { TensorGeometry } from "#aten/TensorGeometry";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { GradMode } from "#c10/core/GradMode";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import type { ScalarType } from "#c10/core/ScalarType";
import { RuntimeError, TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { backward } from "#torch/csrc-equivalent/autograd/autograd";
import { basicAutogradNotImplementedFallbackImpl } from "#torch/csrc-equivalent/autograd/autograd_not_implemented_fallback";
import { CppFunctionSingleTensorPreHook, type TensorHook } from "#torch/csrc-equivalent/autograd/cpp_hook";
import { collect_next_edges } from "#torch/csrc-equivalent/autograd/function";
import { AccumulateGrad } from "#torch/csrc-equivalent/autograd/functions/accumulate_grad";
import { AsStridedBackward0 } from "#torch/csrc-equivalent/autograd/generated/Functions";
import type { Node } from "#torch/csrc-equivalent/autograd/node";
import {
  create_cpp_hook,
  type DifferentiableViewMeta,
  get_autograd_meta,
  get_view_autograd_meta,
  handle_view_on_rebase,
  materialize_autograd_meta,
  tensor_data,
  try_get_grad_accumulator,
  update_tensor_hooks_on_new_gradfn,
  variable_data,
} from "./impl.ts";

class VariableHooks implements VariableHooksInterface {
  tensor_data(self: TensorBase): Tensor {
    return tensor_data(self);
  }

  variable_data(self: TensorBase): Tensor {
    return variable_data(self);
  }

  /** The node that made `self`; a view whose base or bytes have changed first gets a new one. */
  grad_fn(self: TensorBase): Node | null {
    const meta = get_autograd_meta(self);
    if (meta === null) return null;
    if (meta.is_view_ && (meta as DifferentiableViewMeta).has_bw_view()) {
      regenerate_grad_fn(self, meta as DifferentiableViewMeta);
    }
    return meta.grad_fn_;
  }

  _register_hook(self: TensorBase, hook: TensorHook): number {
    TORCH_CHECK(self.requires_grad(), "cannot register a hook on a variable that doesn't require gradient");
    const meta = get_autograd_meta(self);
    TORCH_INTERNAL_ASSERT(meta !== null);
    if (meta.cpp_hooks_list_ === null) create_cpp_hook(self);
    const list = meta.cpp_hooks_list_;
    TORCH_INTERNAL_ASSERT(list !== null);
    return list.push(hook) - 1;
  }

  remove_hook(self: TensorBase, pos: number): void {
    const list = get_autograd_meta(self)?.cpp_hooks_list_ ?? null;
    TORCH_CHECK(list !== null && pos < list.length, "Invalid index, no hook at position ", pos);
    list[pos] = null;
  }

  is_view(self: TensorBase): boolean {
    return get_view_autograd_meta(self)?.has_bw_view() ?? false;
  }

  base(self: TensorBase): Tensor {
    const diff_view_meta = get_view_autograd_meta(self);
    TORCH_CHECK(diff_view_meta !== null, "Can't get base of non-view Tensor");
    TORCH_CHECK(diff_view_meta.has_bw_view(), "Can't get base of non-backward view Tensor");
    return diff_view_meta.get_backward_view().base_;
  }

  name(self: TensorBase): string {
    TORCH_CHECK(self.defined(), "cannot call variable_data() on undefined tensor");
    return get_autograd_meta(self)?.name_ ?? "";
  }

  /**
   * Decided by the present metadata: a view whose base got history after the view was taken is a leaf until its
   * `grad_fn` is read.
   */
  is_leaf(self: TensorBase): boolean {
    const meta = get_autograd_meta(self);
    return meta === null || meta.grad_fn_ === null;
  }

  output_nr(self: TensorBase): number {
    return get_autograd_meta(self)?.output_nr_ ?? 0;
  }

  /** `x.data = new_data`: replaces the bytes and metadata of the same tensor object. */
  set_data(self: TensorBase, new_data: TensorBase): void {
    TORCH_CHECK(
      at._has_compatible_shallow_copy_type(self as Tensor, new_data as Tensor),
      "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible tensor type.",
    );
    TORCH_CHECK(
      !self.requires_grad() || is_differentiable(new_data),
      "data set to a tensor that requires gradients must be floating point or complex dtype",
    );
    // An accumulator expects gradients of the old dtype and device, so the next use must make another one.
    const meta = get_autograd_meta(self);
    if (meta !== null && meta.grad_accumulator_ !== null) {
      const prior = self.impl_;
      const next = new_data.impl_;
      if (prior.dtype() !== next.dtype() || !prior.device().eq(next.device())) meta.grad_accumulator_ = null;
    }
    self.impl_.shallow_copy_from(new_data.impl_);
  }

  data(self: TensorBase): Tensor {
    return variable_data(self);
  }

  _version(self: TensorBase): number {
    return self.impl_.version_counter().current_version();
  }

  /** Makes backward fill `.grad` of a tensor that is not a leaf. */
  retain_grad(self: TensorBase): void {
    checkSupportsRetainGrad();
    TORCH_CHECK(self.requires_grad(), "can't retain_grad on Tensor that has requires_grad=False");
    // Nothing to do for a leaf, or on a second call.
    if (this.is_leaf(self)) return;
    const meta = materialize_autograd_meta(self);
    if (meta.retains_grad_) return;
    const fn = this.grad_fn(self) as Node;
    const retain_grad_hook: TensorHook = (grad) => {
      if (!grad.defined()) return undefined;
      const previous = meta.grad_;
      if (previous === null) {
        // A copy, because the gradient itself is passed on.
        meta.set_grad(grad.clone(MemoryFormat.Contiguous));
      } else {
        meta.set_grad(previous.add_Tensor(grad));
      }
      return undefined;
    };
    fn.add_retains_grad_hook(new CppFunctionSingleTensorPreHook(retain_grad_hook, meta.output_nr_), meta.output_nr_);
    meta.retains_grad_ = true;
  }

  retains_grad(self: TensorBase): boolean {
    return get_autograd_meta(self)?.retains_grad_ ?? false;
  }

  _backward(
    self: Tensor,
    inputs: readonly Tensor[],
    gradient: Tensor | null,
    keep_graph: boolean | null,
    create_graph: boolean,
  ): void {
    backward([self], gradient === null ? [] : [gradient], keep_graph, create_graph, inputs);
  }

  requires_grad_(self: TensorBase, _requires_grad: boolean): void {
    if (!this.is_leaf(self) && !_requires_grad) {
      throw new RuntimeError(
        "you can only change requires_grad flags of leaf variables." +
          " If you want to use a computed variable in a subgraph that doesn't require differentiation use" +
          " var_no_grad = var.detach().",
      );
    }
    self.set_requires_grad(_requires_grad);
  }

  basic_autograd_not_implemented_fallback(op: OperatorHandle, dispatch_keys: DispatchKeySet, stack: Stack): void {
    basicAutogradNotImplementedFallbackImpl(op, dispatch_keys, stack);
  }

  grad_dtype(self: TensorBase): ScalarType | null {
    const meta = get_autograd_meta(self);
    return meta === null ? self.scalar_type() : meta.grad_dtype(self.scalar_type());
  }

  set_grad_dtype(self: TensorBase, grad_dtype: ScalarType | null): void {
    TORCH_CHECK(this.is_leaf(self), "grad_dtype can only be set on leaf tensors.");
    materialize_autograd_meta(self).set_grad_dtype(grad_dtype);
  }
}

function is_differentiable(t: TensorBase): boolean {
  return t.is_floating_point() || t.is_complex();
}

/** See Note [View + Inplace update] in index.ts. */
function regenerate_grad_fn(self: TensorBase, diff_view_meta: DifferentiableViewMeta): void {
  const view_info = diff_view_meta.get_backward_view();
  const base = view_info.base_;
  if (diff_view_meta.grad_fn_ === null && !base.requires_grad()) return;
  const current_version = self.impl_.version_counter().current_version();
  if (diff_view_meta.get_attr_version() === current_version) return;
  // The base or another view of it was changed in place; a change of this view itself has already passed check_inplace.
  handle_view_on_rebase(diff_view_meta, true);
  TORCH_INTERNAL_ASSERT(diff_view_meta.output_nr_ === 0);
  const old_fn = diff_view_meta.grad_fn_;
  const accumulator = try_get_grad_accumulator(base);
  if (old_fn !== null && accumulator instanceof AccumulateGrad) accumulator.is_held_by_view();
  const new_fn = view_grad_fn(self, diff_view_meta);
  if (new_fn !== null) update_tensor_hooks_on_new_gradfn(self, old_fn, new_fn);
  diff_view_meta.grad_fn_ = new_fn;
  diff_view_meta.set_attr_version(current_version);
}

/** A node that takes the gradient of a view to its base: that of the replayed view, or of `as_strided`. */
function view_grad_fn(self: TensorBase, diff_view_meta: DifferentiableViewMeta): Node | null {
  const view_info = diff_view_meta.get_backward_view();
  const base = view_info.base_;
  if (view_info.has_view_fn()) {
    // Also reached with grad mode off, for instance from the engine.
    const grad_mode = GradMode.is_enabled();
    GradMode.set_enabled(true);
    try {
      return view_info.view_fn().call(base).grad_fn() as Node | null;
    } finally {
      GradMode.set_enabled(grad_mode);
    }
  }
  const fn = new AsStridedBackward0();
  fn.self_geometry = TensorGeometry.of(base);
  fn.size = [...self.sizes()];
  fn.stride = [...self.strides()];
  fn.storage_offset = self.storage_offset();
  fn.set_next_edges(collect_next_edges(base));
  fn.add_input_metadata_of(
    base.scalar_type(),
    base.layout(),
    base.device(),
    self.sizes(),
    diff_view_meta.grad_dtype(base.scalar_type()),
  );
  return fn;
}

SetVariableHooks(new VariableHooks());
