/**
 * @file Autograd metadata of a tensor: `AutogradMeta`, and `DifferentiableViewMeta` for a view. The functions that
 * build and change graphs with them are in impl.ts; the implementation of `at::Tensor`'s methods is in hooks.ts.
 * @mirrors torch/csrc/autograd/variable.h
 */
import type { TensorBase } from "#aten/core/TensorBase";
import { Tensor } from "#aten/generated/core/TensorBody";
import { isComplexType, isFloatingType, type ScalarType } from "#c10/core/ScalarType";
import {
  type AutogradMetaInterface,
  SetAutogradMetaFactory,
  type TensorImpl,
  type VariableVersion,
} from "#c10/core/TensorImpl/index";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { fw_grad, set_fw_grad } from "#torch/csrc-equivalent/autograd/autograd_meta";
import type { hooks_list } from "#torch/csrc-equivalent/autograd/cpp_hook";
import type { Edge } from "#torch/csrc-equivalent/autograd/edge";
import type { ForwardGrad } from "#torch/csrc-equivalent/autograd/forward_grad";
import type { FunctionPreHook, PostAccumulateGradHook } from "#torch/csrc-equivalent/autograd/function_hook";
import type { Node } from "#torch/csrc-equivalent/autograd/node";
import { decref, incref } from "#torch/csrc-equivalent/autograd/use_count";
import { CreationMeta, type ViewInfo } from "./view_info.ts";

export {
  ChainedViewFunc,
  CreationMeta,
  ErroringViewFunc,
  FunctionViewFunc,
  propagate_creation_meta,
  ViewFunc,
  ViewInfo,
} from "./view_info.ts";

export type Variable = Tensor;

const NO_HOOKS: readonly never[] = [];

export function isDifferentiableType(t: ScalarType): boolean {
  return isFloatingType(t) || isComplexType(t);
}

// Note [Autograd metadata is lazy]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// `autograd_meta_` is null on most tensors. Null is equivalent to a new AutogradMeta: a leaf that does not require
// grad, without hooks and gradient. `materialize_autograd_meta` makes one when something must be stored. Invariant: at
// most one of `grad_fn_` and `requires_grad_` is set; a tensor with a `grad_fn_` requires grad because of it.

export class AutogradMeta implements AutogradMetaInterface {
  name_ = "";
  grad_: Tensor | null = null;
  grad_fn_: Node | null;
  /**
   * @differs It lives until `.data` gets another dtype or device, since the collector does not report when the last
   * graph is gone. The tensor's shape may have changed by then, so the accumulator accepts gradients of the present
   * shape as well as of its first one. PyTorch holds it weakly: it dies with the last graph that reaches it, together
   * with its hooks, and the next operator makes a new one. PyTorch would therefore refuse such gradients, or sum them,
   * while an older graph is still alive.
   */
  grad_accumulator_: Node | null = null;
  /** Tangents by level. */
  fw_grad_: ForwardGrad | null = null;
  hooks_: FunctionPreHook[] = NO_HOOKS as never[];
  /** The list of all hooks that `_register_hook` added since the last in-place change. */
  cpp_hooks_list_: hooks_list | null = null;
  post_acc_grad_hooks_: PostAccumulateGradHook | null = null;
  requires_grad_ = false;
  retains_grad_ = false;
  is_view_ = false;
  /** Number of the output of `grad_fn_` that is this tensor. */
  output_nr_: number;
  /** Null means the tensor's own dtype. */
  grad_dtype_: ScalarType | null = null;
  allow_grad_dtype_mismatch_ = false;

  constructor(self_impl: TensorImpl | null = null, requires_grad = false, gradient_edge: Edge | null = null) {
    this.grad_fn_ = gradient_edge === null ? null : gradient_edge.function;
    this.output_nr_ = gradient_edge === null ? 0 : gradient_edge.input_nr;
    if (requires_grad) {
      TORCH_INTERNAL_ASSERT(self_impl !== null);
      this.set_requires_grad(requires_grad, self_impl);
    }
    TORCH_CHECK(this.grad_fn_ === null || !this.requires_grad_, "requires_grad should be false if grad_fn is set");
  }

  set_requires_grad(requires_grad: boolean, self_impl: TensorImpl): void {
    TORCH_CHECK(
      !requires_grad || isDifferentiableType(self_impl.dtype()),
      "Only Tensors of floating point and complex dtype can require gradients",
    );
    this.requires_grad_ = requires_grad;
  }

  requires_grad(): boolean {
    return this.requires_grad_ || this.grad_fn_ !== null;
  }

  grad(): Tensor {
    return this.grad_ ?? new Tensor();
  }

  /** `mutable_grad() = grad`. The `.grad` slot counts as a holder of the gradient. */
  set_grad(grad: Tensor | null): void {
    const defined = grad?.defined() ? grad : null;
    if (defined !== null) incref(defined);
    if (this.grad_ !== null) decref(this.grad_);
    this.grad_ = defined;
  }

  /** The tangent of `self`, which has this metadata. */
  fw_grad(level: number, self: TensorBase): Tensor {
    return fw_grad(this, level, self);
  }

  set_fw_grad(new_grad: Tensor, self: TensorBase, level: number, is_inplace_op: boolean): void {
    set_fw_grad(this, new_grad, self as Tensor, level, is_inplace_op);
  }

  /** The dtype that a gradient of this tensor must have; null if any is allowed. @param dtype the tensor's own */
  grad_dtype(dtype: ScalarType): ScalarType | null {
    if (this.allow_grad_dtype_mismatch_) return null;
    return this.grad_dtype_ ?? dtype;
  }

  set_grad_dtype(grad_dtype: ScalarType | null): void {
    this.grad_dtype_ = grad_dtype;
    this.allow_grad_dtype_mismatch_ = grad_dtype === null;
  }
}

// Note [View + Inplace update]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
//   a = base.view(...); a.mul_(2)
// changes `base` too, so the graph must say so:
//
//   before   base <- ViewBackward <- a
//   after    base.grad_fn = CopySlices(MulBackward on a's part of base's gradient)
//            a.grad_fn    = AsStridedBackward (or the view replayed) of the new base
//
// `rebase_history` sets base's new grad_fn at once and a's through `grad_fn()`. Other views of base notice later: base and all
// its views share one version counter, and `grad_fn()` regenerates a view's node when `attr_version_` is behind it.
// Only views that autograd knows (`is_bw_differentiable`) are tracked; `detach` shares the counter but not the history.

export class DifferentiableViewMeta extends AutogradMeta {
  private readonly backward_info_: ViewInfo | null;
  private readonly forward_info_: ViewInfo | null;
  /** Whether both infos are the same, the usual case. */
  private readonly shared_view_info_: boolean;
  /** The version at which `grad_fn_` was computed. */
  private attr_version_ = 0;
  private creation_meta_: CreationMeta;

  constructor(
    self_impl: TensorImpl,
    backward_info: ViewInfo | null,
    forward_info: ViewInfo | null,
    shared_view_info: boolean,
    creation_meta: CreationMeta = CreationMeta.DEFAULT,
  ) {
    super(self_impl);
    this.backward_info_ = backward_info;
    this.forward_info_ = forward_info;
    this.shared_view_info_ = shared_view_info;
    this.creation_meta_ = creation_meta;
    this.is_view_ = true;
    if (backward_info !== null) {
      const base_impl = backward_info.base_.impl_;
      self_impl.set_version_counter(base_impl.version_counter());
      this.attr_version_ = self_impl.version_counter().current_version();
      TORCH_INTERNAL_ASSERT(base_impl !== self_impl);
    }
    if (shared_view_info) {
      TORCH_INTERNAL_ASSERT(backward_info !== null, "Shared view info require a backward view info.");
      TORCH_INTERNAL_ASSERT(forward_info === null, "Shared view info require forward view info to be empty");
    }
  }

  override requires_grad(): boolean {
    return this.requires_grad_ || this.grad_fn_ !== null || (this.backward_info_?.base_.requires_grad() ?? false);
  }

  shared_view_info(): boolean {
    return this.shared_view_info_;
  }

  has_bw_view(): boolean {
    return this.backward_info_ !== null;
  }

  get_backward_view(): ViewInfo {
    TORCH_CHECK(this.backward_info_ !== null, "backward view info can only exist for backward views.");
    return this.backward_info_;
  }

  get_attr_version(): number {
    TORCH_CHECK(this.backward_info_ !== null, "attr_version can only exist for backward views.");
    return this.attr_version_;
  }

  set_attr_version(new_attr_version: number): void {
    TORCH_CHECK(this.backward_info_ !== null, "attr_version can only exist for backward views.");
    this.attr_version_ = new_attr_version;
  }

  get_creation_meta(): CreationMeta {
    TORCH_CHECK(this.backward_info_ !== null, "creation_meta can only exist for backward views.");
    return this.creation_meta_;
  }

  set_creation_meta(new_creation_meta: CreationMeta): void {
    TORCH_CHECK(this.backward_info_ !== null, "creation_meta can only exist for backward views.");
    this.creation_meta_ = new_creation_meta;
  }

  has_fw_view(): boolean {
    return this.shared_view_info_ || this.forward_info_ !== null;
  }

  get_forward_view(): ViewInfo {
    const info = this.shared_view_info_ ? this.backward_info_ : this.forward_info_;
    TORCH_CHECK(info !== null, "forward view info can only exist for forward views.");
    return info;
  }
}

// impl:: functions that only need the metadata

export function get_autograd_meta(self: TensorBase): AutogradMeta | null {
  TORCH_CHECK(self.defined(), "cannot call get_autograd_meta() on undefined tensor");
  return self.impl_.autograd_meta_ as AutogradMeta | null;
}

export function get_view_autograd_meta(self: TensorBase): DifferentiableViewMeta | null {
  const meta = self.impl_.autograd_meta_ as AutogradMeta | null;
  return meta?.is_view_ ? (meta as DifferentiableViewMeta) : null;
}

export function materialize_autograd_meta(self: TensorBase): AutogradMeta {
  TORCH_CHECK(self.defined(), "cannot call materialize_autograd_meta() on undefined tensor");
  const impl = self.impl_;
  let meta = impl.autograd_meta_ as AutogradMeta | null;
  if (meta === null) {
    meta = new AutogradMeta();
    impl.set_autograd_meta(meta);
  }
  return meta;
}

export function bump_version(self: TensorBase): void {
  TORCH_CHECK(self.defined(), "cannot call bump_version() on undefined tensor");
  self.impl_.bump_version();
}

export function set_version_counter(self: TensorBase, version_counter: VariableVersion): void {
  TORCH_CHECK(self.defined(), "cannot call set_version_counter() on undefined tensor");
  self.impl_.set_version_counter(version_counter);
}

export function version_counter(self: TensorBase): VariableVersion {
  TORCH_CHECK(self.defined(), "cannot call version_counter() on undefined tensor");
  return self.impl_.version_counter();
}

export function set_name(self: TensorBase, name: string): void {
  materialize_autograd_meta(self).name_ = name;
}

/** Hooks of the tensor itself: those of a leaf, or those that wait for the next `grad_fn`. */
export function hooks(self: TensorBase): FunctionPreHook[] {
  const meta = get_autograd_meta(self);
  TORCH_INTERNAL_ASSERT(meta !== null);
  return meta.hooks_;
}

export function add_hook(self: TensorBase, hook: FunctionPreHook): void {
  const meta = materialize_autograd_meta(self);
  TORCH_INTERNAL_ASSERT(meta.hooks_.length === 0);
  meta.hooks_ = [hook];
}

export function clear_hooks(self: TensorBase): void {
  materialize_autograd_meta(self).hooks_ = NO_HOOKS as never[];
}

export function set_post_acc_grad_hooks(self: TensorBase, dict: PostAccumulateGradHook | null): void {
  materialize_autograd_meta(self).post_acc_grad_hooks_ = dict;
}

export function post_acc_grad_hooks(self: TensorBase): PostAccumulateGradHook | null {
  const meta = get_autograd_meta(self);
  TORCH_INTERNAL_ASSERT(meta !== null);
  return meta.post_acc_grad_hooks_;
}

/** c10 calls this to make our metadata when `requires_grad` or `grad` is set on a tensor that has none. */
SetAutogradMetaFactory({
  make: () => new AutogradMeta(),
  undefined_tensor: () => new Tensor(),
});
