/**
 * @file Helpers of generated autograd kernels: whether a call needs a node, which writes are allowed, history and views
 * of results.
 * @mirrors torch/csrc/autograd/VariableTypeUtils.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { AutogradState } from "#c10/core/AutogradState";
import { DispatchKey } from "#c10/core/DispatchKey";
import { GradMode } from "#c10/core/GradMode";
import { RuntimeError, TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { traceInstant } from "#c10/util/Trace";
import { Edge } from "./edge.ts";
import { set_history } from "./functions/utils.ts";
import { type Node, node_trace_data, type variable_list } from "./node.ts";
import { SavedVariable } from "./saved_variable.ts";
import {
  get_autograd_meta,
  get_view_autograd_meta,
  handle_view_on_rebase,
  make_variable_differentiable_view,
  make_variable_non_differentiable_view,
} from "./variable/impl.ts";
import { bump_version, CreationMeta, propagate_creation_meta, type ViewFunc, ViewInfo } from "./variable/index.ts";
import { rebase_history as impl_rebase_history } from "./variable/rebase_history.ts";

export { set_history };

// Arguments

/** A required tensor argument must not be undefined. */
export function unpack(t: Tensor, name: string, pos: number): Tensor {
  if (!t.defined()) refuse_undefined(name, pos);
  return t;
}

function refuse_undefined(name: string, pos: number): never {
  throw new RuntimeError(
    `Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #${pos} '${name}'`,
  );
}

type OptionalTensor = Tensor | null | undefined;

/** Whether the call needs a node: grad mode is on, and some tensor argument requires grad. */
export function compute_requires_grad(
  a: OptionalTensor,
  b: OptionalTensor,
  c: OptionalTensor,
  d?: OptionalTensor,
  e?: OptionalTensor,
  f?: OptionalTensor,
): boolean {
  if (!GradMode.is_enabled()) return false;
  return (
    requires_grad(a) || requires_grad(b) || requires_grad(c) || requires_grad(d) || requires_grad(e) || requires_grad(f)
  );
}

// The versions for one and two tensors, the usual cases, are written out: in C++ the compiler makes one per number of arguments.

export function compute_requires_grad1(a: OptionalTensor): boolean {
  return GradMode.is_enabled() && requires_grad(a);
}

export function compute_requires_grad2(a: OptionalTensor, b: OptionalTensor): boolean {
  return GradMode.is_enabled() && (requires_grad(a) || requires_grad(b));
}

function requires_grad(t: OptionalTensor): boolean {
  return t?.requires_grad() ?? false;
}

export function compute_requires_grad_list(tensors: readonly OptionalTensor[]): boolean {
  return GradMode.is_enabled() && tensors.some(requires_grad);
}

/** Operators on lists process the lists element by element, so their lengths must agree. */
export function check_same_length(self: readonly Tensor[], other: readonly OptionalTensor[]): void {
  TORCH_CHECK(
    self.length === other.length,
    "Tensor lists must have the same number of tensors, got ",
    self.length,
    " and ",
    other.length,
  );
}

/** Throws if an argument without a derivative requires grad: its gradient would silently be missing. */
export function check_no_requires_grad(
  tensor: OptionalTensor,
  name: string,
  fn_name: string,
  check_grad_mode = true,
): void {
  if (!requires_grad(tensor) || !(check_grad_mode && GradMode.is_enabled())) return;
  TORCH_CHECK(
    false,
    "The function '",
    fn_name,
    "' is not differentiable with respect to argument '",
    name,
    "'. This input cannot have requires_grad True.",
  );
}

/**
 * Grad mode is tested once for a list. Without that test the check of a single tensor never throws, so lists pass. In
 * PyTorch too, `x[i]` with an `i` that requires grad throws because of its dtype, not because of its gradient.
 */
export function check_no_requires_grad_list(tensors: readonly OptionalTensor[], name: string, fn_name: string): void {
  if (!GradMode.is_enabled()) return;
  for (const tensor of tensors) check_no_requires_grad(tensor, name, fn_name, false);
}

export function throw_error_out_requires_grad(name: string): never {
  TORCH_CHECK(
    false,
    name,
    "(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.",
  );
}

// Writes

export const can_mutate_inplace_result = {
  success: 0,
  non_default_backward_view: 1,
  view_of_leaf: 2,
  is_leaf: 3,
} as const;
export type can_mutate_inplace_result = (typeof can_mutate_inplace_result)[keyof typeof can_mutate_inplace_result];

/**
 * `requires_grad`: whether the write is part of a graph. That is possible without the tensor requiring grad
 * (`a.copy_(b)`, where `b` does).
 */
export function can_mutate_inplace(tensor: Tensor, requires_grad: boolean): can_mutate_inplace_result {
  if (!requires_grad || !GradMode.is_enabled()) return can_mutate_inplace_result.success;
  const diff_view_meta = get_view_autograd_meta(tensor);
  if (diff_view_meta?.has_bw_view()) {
    if (diff_view_meta.get_creation_meta() !== CreationMeta.DEFAULT)
      return can_mutate_inplace_result.non_default_backward_view;
    if (tensor.requires_grad() && tensor._base().is_leaf()) return can_mutate_inplace_result.view_of_leaf;
  }
  return tensor.requires_grad() && tensor.is_leaf()
    ? can_mutate_inplace_result.is_leaf
    : can_mutate_inplace_result.success;
}

export function check_inplace(tensor: Tensor, requires_grad: boolean): void {
  switch (can_mutate_inplace(tensor, requires_grad)) {
    case can_mutate_inplace_result.success:
      return;
    case can_mutate_inplace_result.non_default_backward_view: {
      const diff_view_meta = get_view_autograd_meta(tensor);
      TORCH_INTERNAL_ASSERT(diff_view_meta !== null);
      handle_view_on_rebase(diff_view_meta);
      return;
    }
    case can_mutate_inplace_result.view_of_leaf:
      TORCH_CHECK(false, "a view of a leaf Variable that requires grad is being used in an in-place operation.");
      break;
    case can_mutate_inplace_result.is_leaf:
      TORCH_CHECK(false, "a leaf Variable that requires grad is being used in an in-place operation.");
  }
}

export function check_inplace_list(tensors: readonly Tensor[], requires_grad: boolean): void {
  for (const tensor of tensors) check_inplace(tensor, requires_grad);
}

export function increment_version(t: Tensor): void {
  bump_version(t);
}

/** Drops the accumulator: after `set_` or `resize_` its metadata no longer fits the leaf. */
export function reset_grad_accumulator(self: Tensor): void {
  const meta = get_autograd_meta(self);
  if (meta !== null) meta.grad_accumulator_ = null;
}

// History

/** After a write: `grad_fn` becomes the node of `variable`. */
export function rebase_history(variable: Tensor, grad_fn: Node | null): void {
  if (grad_fn === null || !variable.defined()) return;
  grad_fn.add_input_metadata(variable);
  impl_rebase_history(variable, new Edge(grad_fn, 0));
}

export function rebase_history_list(variables: readonly Tensor[], grad_fn: Node | null): void {
  if (grad_fn === null) return;
  for (const variable of variables) {
    if (variable.defined()) impl_rebase_history(variable, new Edge(grad_fn, grad_fn.add_input_metadata(variable)));
    else grad_fn.add_undefined_input();
  }
}

/** Several results as one list without nulls. */
export function flatten_tensor_args(...args: (Tensor | null | readonly Tensor[])[]): variable_list {
  const out: variable_list = [];
  for (const arg of args) {
    if (arg instanceof Tensor) out.push(arg);
    else if (arg !== null) out.push(...arg);
  }
  return out;
}

/** One SavedVariable per tensor. @differs A null tensor is saved as an undefined one; PyTorch's list has no nulls. */
export function make_saved_variable_list(tensors: readonly (Tensor | null)[], is_output = false): SavedVariable[] {
  return tensors.map((tensor) => new SavedVariable(tensor, is_output));
}

/** The cold twin of node creation. Precondition: a recording is in progress. */
export function trace_node(grad_fn: Node): void {
  traceInstant("autograd", `torch::autograd::generated::${grad_fn.name()}`, node_trace_data(grad_fn));
}

// Views

/** The reason why an in-place change of a view made now could not be tracked later, if there is one. */
export function creation_meta_in_mode(original: CreationMeta): CreationMeta {
  const state = AutogradState.get_tls_state();
  if (state.get_inference_mode()) return CreationMeta.INFERENCE_MODE;
  return state.get_grad_mode() ? original : CreationMeta.NO_GRAD_MODE;
}

/**
 * Whether a view must be replayed by its operator, because `as_strided` would not be enough. A functional tensor has no memory to stride over.
 * @differs Every device here has strides; PyTorch also asks the tensor whether it supports them.
 */
export function needs_view_func(self: Tensor): boolean {
  const { impl_ } = self;
  return (
    AutogradState.get_tls_state().get_view_replay_enabled() ||
    impl_.is_python_dispatch() ||
    impl_.key_set_.has(DispatchKey.Functionalize)
  );
}

function throw_error_if_base_and_tensor_are_same(base: Tensor, tensor: Tensor): void {
  if (base.impl_ !== tensor.impl_) return;
  TORCH_CHECK(
    false,
    "View operation returned a tensor that is the same as the input base tensor.  This " +
      "is no longer allowed; you must explicitly create a new tensor (e.g., using .detach()). " +
      "As a user, you could have made a mistake implementing __torch_dispatch__ or a Python " +
      "operator decomposition or meta registration; if that's not the case, please " +
      "report a bug to PyTorch or the backend you are using.",
  );
}

/** Makes `tensor`, new from the kernel, a view of `base` for autograd. A view of a view is a view of the first base. */
export function as_view(
  base: Tensor,
  tensor: Tensor,
  is_bw_differentiable: boolean,
  is_fw_differentiable: boolean,
  view_func: ViewFunc | null = null,
  creation_meta: CreationMeta = CreationMeta.DEFAULT,
  allow_tensor_metadata_change = true,
): Tensor {
  // Outside inference mode only: inside it ADInplaceOrView kernels do not run.
  if (base.impl_.is_inference()) return tensor;
  const diff_view_meta = get_view_autograd_meta(base);

  // Backward and forward mode nearly always see the same view: one ViewInfo serves both.
  if ((diff_view_meta === null || diff_view_meta.shared_view_info()) && is_bw_differentiable && is_fw_differentiable) {
    throw_error_if_base_and_tensor_are_same(base, tensor);
    if (diff_view_meta === null)
      return make_variable_differentiable_view(
        tensor,
        new ViewInfo(base, view_func, null),
        null,
        true,
        creation_meta,
        allow_tensor_metadata_change,
      );
    const info = diff_view_meta.get_backward_view().chain(base, tensor, view_func, null);
    const meta = propagate_creation_meta(diff_view_meta.get_creation_meta(), creation_meta);
    return make_variable_differentiable_view(tensor, info, null, true, meta, allow_tensor_metadata_change);
  }

  let new_bw_info: ViewInfo | null = null;
  let new_fw_info: ViewInfo | null = null;
  if (is_bw_differentiable) {
    const bw_view_func = view_func === null ? null : view_func.clone_and_set();
    new_bw_info = diff_view_meta?.has_bw_view()
      ? diff_view_meta.get_backward_view().chain(base, tensor, bw_view_func, null)
      : new ViewInfo(base, bw_view_func, null);
  } else {
    TORCH_CHECK(
      creation_meta === CreationMeta.DEFAULT,
      "Non-backward differentiable views must have creation_meta=CreationMeta::DEFAULT",
    );
  }
  if (is_fw_differentiable) {
    new_fw_info = diff_view_meta?.has_fw_view()
      ? diff_view_meta.get_forward_view().chain(base, tensor, view_func, null)
      : new ViewInfo(base, view_func, null);
  }
  if (!is_fw_differentiable && !is_bw_differentiable)
    return make_variable_non_differentiable_view(base, tensor, allow_tensor_metadata_change);
  let meta = creation_meta;
  if (diff_view_meta?.has_bw_view()) meta = propagate_creation_meta(diff_view_meta.get_creation_meta(), creation_meta);
  throw_error_if_base_and_tensor_are_same(base, tensor);
  return make_variable_differentiable_view(tensor, new_bw_info, new_fw_info, false, meta, allow_tensor_metadata_change);
}
