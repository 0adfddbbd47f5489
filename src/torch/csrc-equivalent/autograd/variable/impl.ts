/**
 * @file The functions of `torch::autograd::impl` that build and change graphs: edges, accumulators, history, views.
 * @mirrors torch/csrc/autograd/variable.cpp
 * @see rebase_history.ts, the one of them that is not here
 */
import type { TensorBase } from "#aten/core/TensorBase";
import { Tensor } from "#aten/generated/core/TensorBody";
import { is_dispatch_enabled } from "#aten/TracerMode";
import { DispatchKey } from "#c10/core/DispatchKey";
import { functorch_transforms_ks } from "#c10/core/DispatchKeySet";
import { tls_is_dispatch_key_excluded } from "#c10/core/impl/LocalDispatchKeySet";
import { getGlobalPyInterpreter } from "#c10/core/impl/PyInterpreterHooks";
import { TorchDispatchModeTLS } from "#c10/core/impl/TorchDispatchModeTLS";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import type { VariableVersion } from "#c10/core/TensorImpl/VariableVersion";
import { RuntimeError, TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import {
  CppFunctionSingleTensorPreHook,
  CppFunctionTensorPreHook,
  type hooks_list,
} from "#torch/csrc-equivalent/autograd/cpp_hook";
import { Edge, INVALID_EDGE } from "#torch/csrc-equivalent/autograd/edge";
import { AccumulateGrad } from "#torch/csrc-equivalent/autograd/functions/accumulate_grad";
import type { Node } from "#torch/csrc-equivalent/autograd/node";
import {
  AutogradMeta,
  add_hook,
  CreationMeta,
  clear_hooks,
  DifferentiableViewMeta,
  get_autograd_meta,
  materialize_autograd_meta,
  type Variable,
  type ViewInfo,
  version_counter,
} from "./index.ts";

export { is_tensor_stealable } from "#torch/csrc-equivalent/autograd/use_count";
export * from "./index.ts";

// Edges

/** The edge to which a tensor's gradient goes: to the node that made it or, for a leaf that requires grad, to its accumulator. */
export function gradient_edge(self: Variable): Edge {
  const meta = self.impl_.autograd_meta_ as AutogradMeta | null;
  if (meta === null) return INVALID_EDGE;
  const fn = meta.is_view_ ? self.grad_fn() : meta.grad_fn_;
  if (fn !== null) return new Edge(fn as Node, meta.output_nr_);
  const accumulator = grad_accumulator(self);
  return accumulator === null ? INVALID_EDGE : new Edge(accumulator, 0);
}

export function set_gradient_edge(self: Variable, edge: Edge): void {
  const meta = materialize_autograd_meta(self);
  meta.grad_fn_ = edge.function;
  meta.output_nr_ = edge.input_nr;
  // A view in a custom Function may have been changed in place; history from such changes must not replace this edge.
  if (meta.is_view_ && (meta as DifferentiableViewMeta).has_bw_view()) {
    (meta as DifferentiableViewMeta).set_attr_version(self._version());
  }
}

/** The node that adds gradients to `.grad` of a leaf, made at its first use. Null if the leaf does not require grad. */
export function grad_accumulator(self: TensorBase): Node | null {
  const meta = get_autograd_meta(self);
  if (meta === null) return null;
  if (meta.grad_fn_ !== null) throw new RuntimeError("grad_accumulator() should be only called on leaf Variables");
  if (!meta.requires_grad_) return null;
  meta.grad_accumulator_ ??= new AccumulateGrad(new Tensor(self.impl_));
  return meta.grad_accumulator_;
}

export function try_get_grad_accumulator(self: TensorBase): Node | null {
  return get_autograd_meta(self)?.grad_accumulator_ ?? null;
}

export function set_grad_accumulator(self: Variable, accumulator: Node | null): void {
  materialize_autograd_meta(self).grad_accumulator_ = accumulator;
}

/** The node, without checking whether a view must be regenerated. */
export function grad_fn_unsafe(self: TensorBase): Node | null {
  return get_autograd_meta(self)?.grad_fn_ ?? null;
}

// History

/**
 * Called when a tensor gets another node. New hooks must not be added to the old node, so the tensor drops its list of
 * hooks; a retains_grad hook concerns the tensor's final value and moves to the new node.
 */
export function update_tensor_hooks_on_new_gradfn(self: TensorBase, old_fn: Node | null, new_fn: Node): void {
  const meta = get_autograd_meta(self);
  TORCH_INTERNAL_ASSERT(meta !== null);
  meta.cpp_hooks_list_ = null;
  // The front end's list of hooks belongs to the old node too (`reset_backward_hooks`).
  const pyobj = self.impl_.check_pyobj() as { backward_hooks: unknown } | null;
  if (pyobj !== null) pyobj.backward_hooks = null;
  if (meta.retains_grad_) {
    TORCH_INTERNAL_ASSERT(old_fn !== null);
    const out = old_fn.pop_retains_grad_hook(self.output_nr());
    TORCH_INTERNAL_ASSERT(out !== null);
    new_fn.add_retains_grad_hook(out, self.output_nr());
  }
}

/** Makes the list to which `_register_hook` appends, and attaches it where backward finds it. */
export function create_cpp_hook(self: TensorBase, is_retains_grad_hook = false): void {
  const meta = materialize_autograd_meta(self);
  meta.cpp_hooks_list_ ??= [];
  const hooks: hooks_list = meta.cpp_hooks_list_;
  const hook = new CppFunctionTensorPreHook(hooks, self.output_nr());
  // A leaf has no node before its accumulator exists, so its hooks wait on the tensor, where AccumulateGrad looks.
  clear_hooks(self);
  add_hook(self, new CppFunctionTensorPreHook(hooks, 0));
  const fn = self.grad_fn() as Node | null;
  if (fn === null) return;
  if (is_retains_grad_hook) {
    fn.add_retains_grad_hook(hook, self.output_nr());
  } else {
    fn.add_tensor_pre_hook(hook);
  }
}

export { CppFunctionSingleTensorPreHook };

/** Throws an error that says why an in-place change of this view cannot be tracked; `indirect`: its base was changed. */
export function handle_view_on_rebase(diff_view_meta: DifferentiableViewMeta, indirect = false): void {
  // Without a grad_fn there is no history that could become wrong, unless inference mode made the view.
  const creation_meta = diff_view_meta.get_creation_meta();
  if (creation_meta === CreationMeta.DEFAULT) return;
  const grad_fn = diff_view_meta.grad_fn_;
  let msg: string;
  let modified_obj: string;
  if (indirect) {
    modified_obj = "its base or another view of its base has been";
  } else {
    modified_obj = "is being";
  }
  if (
    creation_meta === CreationMeta.INFERENCE_MODE ||
    creation_meta === CreationMeta.NO_GRAD_MODE ||
    grad_fn === null
  ) {
    let prefix: string;
    if (grad_fn !== null) {
      prefix = `Output ${diff_view_meta.output_nr_} of ${grad_fn.forward_op_name()} is a view of a view which was created in`;
    } else {
      prefix = "A view was created in";
    }
    if (creation_meta === CreationMeta.INFERENCE_MODE) {
      msg = `${prefix} inference mode and ${modified_obj} modified inplace in normal mode.`;
    } else {
      // A null grad_fn here comes from no_grad mode only.
      msg = `${prefix} no_grad mode and ${modified_obj} modified inplace with grad mode enabled.`;
    }
  } else {
    msg = `Output ${diff_view_meta.output_nr_} of ${grad_fn.forward_op_name()} is a view and ${modified_obj} modified inplace.`;
  }
  switch (creation_meta) {
    case CreationMeta.MULTI_OUTPUT_NODE:
      msg +=
        " This view is the output of a function that returns multiple views. Such functions do not" +
        " allow the output views to be modified inplace. You should replace the inplace operation by an" +
        " out-of-place one.";
      break;
    case CreationMeta.NO_GRAD_MODE:
      msg +=
        " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by" +
        " moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace" +
        " to be tracked) or both outside (if you want the inplace to be tracked).";
      break;
    case CreationMeta.INFERENCE_MODE:
      msg +=
        " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by" +
        " moving both the view and the inplace either both inside the inference_mode block (if you don't want the" +
        " inplace to be tracked) or both outside (if you want the inplace to be tracked).";
      break;
    default:
      msg +=
        " This view was created inside a custom Function (or because an input was returned as-is) and the autograd" +
        " logic to handle view+inplace would override the custom backward associated with the custom Function," +
        " leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the" +
        " custom Function.";
  }
  TORCH_CHECK(false, msg);
}

// Functions that make tensors from tensors. They set autograd metadata and never run an operator.

/**
 * `shallow_copy_and_detach` of a tensor that others hold too. A mode, or the tensor's class, sees it as a call of `aten.detach`.
 * @differs Only these copies are visible to a mode, as others here are made of new tensors, which PyTorch does not
 * copy; in PyTorch every shallow copy is.
 */
function shallow_copy_seen_by_modes(
  self: TensorImpl,
  version_counter: VariableVersion | 0,
  allow_tensor_metadata_change: boolean,
): TensorImpl {
  const seen =
    (TorchDispatchModeTLS.any_modes_set() || self.key_set_.has(DispatchKey.Python)) &&
    !tls_is_dispatch_key_excluded(DispatchKey.Python);
  if (!seen) return self.shallow_copy_and_detach(version_counter, allow_tensor_metadata_change);
  const detached = getGlobalPyInterpreter().detach(self);
  if (!detached.is_inference() && version_counter !== 0) detached.set_version_counter(version_counter);
  detached.set_allow_tensor_metadata_change(allow_tensor_metadata_change);
  return detached;
}

/** A tensor with the same bytes and version counter, without history: a SavedVariable keeps its own node's output this way. */
export function tensor_data(self: TensorBase): Tensor {
  TORCH_CHECK(self.defined(), "cannot call tensor_data() on undefined tensor");
  return new Tensor(
    shallow_copy_seen_by_modes(self.impl_, self.impl_.version_counter(), self.impl_.allow_tensor_metadata_change()),
  );
}

/** A tensor with the same bytes and a version counter of its own: `x.data`. */
export function variable_data(self: TensorBase): Tensor {
  TORCH_CHECK(self.defined(), "cannot call variable_data() on undefined tensor");
  const impl = shallow_copy_seen_by_modes(self.impl_, 0, false);
  impl.set_autograd_meta(null);
  return new Tensor(impl);
}

/** Makes `data` itself a view; it must be new from a kernel. */
export function make_variable_differentiable_view(
  data: Tensor,
  backward_info: ViewInfo | null,
  forward_info: ViewInfo | null,
  shared_view_info: boolean,
  creation_meta: CreationMeta,
  allow_tensor_metadata_change = true,
): Tensor {
  if (!data.defined()) return new Tensor();
  const data_impl = data.impl_;
  TORCH_CHECK(
    data_impl.autograd_meta_ === null,
    "Attempted to make a tensor into a differentiable view, but the " +
      "tensor already had autograd metadata associated with it.  If you are " +
      "using a __torch_dispatch__ mode, the most common cause for this " +
      "problem is that you used torch.overrides.enable_reentrant_dispatch() " +
      "improperly; tensors created within the extent of reentrant dispatch " +
      "MUST NOT be directly returned from __torch_dispatch__; instead, they " +
      "must be wrapped into fresh tensors that serve as the output.  If you " +
      "are not using wrappers, you probably don't need reentrant dispatch.  " +
      "If this doesn't seem applicable, please file a bug to PyTorch.",
  );
  data_impl.set_allow_tensor_metadata_change(allow_tensor_metadata_change);
  data_impl.set_autograd_meta(
    new DifferentiableViewMeta(data_impl, backward_info, forward_info, shared_view_info, creation_meta),
  );
  return data;
}

/** A tensor that shares only bytes and version counter with `base`: `detach`. */
export function make_variable_non_differentiable_view(
  base: Tensor,
  data: Tensor,
  allow_tensor_metadata_change = true,
  is_fresh_tensor = false,
): Tensor {
  if (!data.defined()) return new Tensor();
  if (is_fresh_tensor) {
    const data_impl = data.impl_;
    data_impl.set_version_counter(version_counter(base));
    data_impl.set_allow_tensor_metadata_change(allow_tensor_metadata_change);
    data_impl.set_autograd_meta(null);
    return data;
  }
  const data_impl_copy = data.impl_.shallow_copy_and_detach(version_counter(base), allow_tensor_metadata_change);
  data_impl_copy.set_autograd_meta(null);
  return new Tensor(data_impl_copy);
}

/** A new leaf over the bytes of `data`. What a mode or a trace made, and may remember, stays the same tensor. */
export function make_variable(data: Tensor, requires_grad = false, allow_tensor_metadata_change = true): Tensor {
  if (!data.defined()) return new Tensor();
  if (data.impl_.is_python_dispatch() || data.impl_.key_set_.has_any(functorch_transforms_ks)) {
    // A class's handler or a transform made it and nobody else holds it: the object of the front end must stay the same.
    data.impl_.set_autograd_meta(requires_grad ? new AutogradMeta(data.impl_, requires_grad) : null);
    return data;
  }
  const remembered = TorchDispatchModeTLS.any_modes_set() || is_dispatch_enabled();
  if (!requires_grad && data.impl_.autograd_meta_ === null && remembered) {
    data.impl_.set_allow_tensor_metadata_change(allow_tensor_metadata_change);
    return data;
  }
  const data_impl_copy = data.impl_.shallow_copy_and_detach(0, allow_tensor_metadata_change);
  data_impl_copy.set_autograd_meta(requires_grad ? new AutogradMeta(data_impl_copy, requires_grad) : null);
  return new Tensor(data_impl_copy);
}

/** A new tensor over the bytes of `data`, with a node as its history. */
export function make_variable_with_edge(
  data: Tensor,
  gradient_edge: Edge,
  allow_tensor_metadata_change = true,
): Tensor {
  if (!data.defined()) return new Tensor();
  const data_impl_copy = shallow_copy_seen_by_modes(data.impl_, 0, allow_tensor_metadata_change);
  data_impl_copy.set_autograd_meta(new AutogradMeta(data_impl_copy, false, gradient_edge));
  return new Tensor(data_impl_copy);
}
