/**
 * @file The tangent of a tensor: how it is stored and found, beside views and in-place writes.
 * @mirrors torch/csrc/autograd/autograd_meta.cpp
 */
import type { TensorBase } from "#aten/core/TensorBase";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { AutogradState } from "#c10/core/AutogradState";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { ForwardGrad } from "./forward_grad.ts";
import type { AutogradMeta, DifferentiableViewMeta, ViewInfo } from "./variable/index.ts";

// Note [Forward Grad View/inplace]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Invariant: a tensor and its tangent have the same layout (sizes, strides, offset, size of storage), the tangent of a
// view is the same view of the tangent of its base, and an in-place operator writes into the tangent that is there.
// So a write through one view is visible in the tangents of the base and of all other views, as it is in the values:
//
//     base = make_dual(zeros(3), t)                    base    v0 v1 v2        tangent    t0 t1 t2
//     view = base[1:]; view.mul_(2)                    view       v1 v2           view       t1 t2
//
// Two cases begin without a tangent. A write of a dual tensor into a view gives the base a tangent too: zeros, into whose view
// the new tangent is copied (`set_fw_grad`). After a write of a dual tensor into a base, a view finds its tangent when
// it is asked for it (`fw_grad`).

/** Whether the same indices refer to the same elements of storages of one size. */
export function has_same_meta(base: TensorBase, other: TensorBase): boolean {
  if (!base.defined() || !other.defined()) return false;
  if (!at._has_same_storage_numel(base as Tensor, other as Tensor)) return false;
  if (base.is_conj() !== other.is_conj() || base.is_neg() !== other.is_neg()) return false;
  const [sizes, other_sizes] = [base.sizes(), other.sizes()];
  if (sizes.length !== other_sizes.length || sizes.some((n, d) => n !== other_sizes[d])) return false;
  if (base.numel() === 0) return true;
  if (base.storage_offset() !== other.storage_offset()) return false;
  const [strides, other_strides] = [base.strides(), other.strides()];
  return strides.every((s, d) => s === other_strides[d] || sizes[d] === 1);
}

function zeros_like_meta(grad: Tensor, of: Tensor): Tensor {
  const zeros = at._new_zeros_with_same_feature_meta(grad, of);
  zeros._set_conj(of.is_conj());
  zeros._set_neg(of.is_neg());
  return zeros;
}

function view_of(view_info: ViewInfo, base_grad: Tensor, self: TensorBase): Tensor {
  if (view_info.has_view_fn()) return view_info.view_fn().call(base_grad);
  return base_grad.as_strided([...self.sizes()], [...self.strides()], self.storage_offset());
}

function forward_view(meta: AutogradMeta): ViewInfo | null {
  const view_meta = meta.is_view_ ? (meta as DifferentiableViewMeta) : null;
  return view_meta?.has_fw_view() ? view_meta.get_forward_view() : null;
}

/** Stores the tangent of `self`, whose metadata is `meta`. */
export function set_fw_grad(
  meta: AutogradMeta,
  new_grad: Tensor,
  self: Tensor,
  level: number,
  is_inplace_op: boolean,
): void {
  TORCH_CHECK(
    !new_grad._fw_grad(level).defined(),
    "Setting a forward grad that itself has a forward gradient at the same level",
    level,
    " is not supported.",
  );
  const differentiable = (t: Tensor): boolean => t.is_floating_point() || t.is_complex();
  TORCH_INTERNAL_ASSERT(
    differentiable(new_grad) && differentiable(self),
    "Expected both tensor and its forward grad to be floating point or complex",
  );
  meta.fw_grad_ ??= new ForwardGrad();
  if (meta.fw_grad_.contains(level)) {
    TORCH_INTERNAL_ASSERT(
      new_grad.defined(),
      "Cannot set a forward grad that is an undefined Tensor. Use _fw_primal(level) to get a new Tensor with this forward grad unset.",
    );
    TORCH_INTERNAL_ASSERT(
      is_inplace_op,
      "Only inplace operations can re-set the forward grad of a Tensor that already has one.",
    );
    TORCH_INTERNAL_ASSERT(
      meta.fw_grad_.value(level).is_same(new_grad),
      "Cannot set a value of a forward grad if it already exists. Inplace operations should modify it inplace.",
    );
    return;
  }
  TORCH_CHECK(
    self.is_same_size(new_grad),
    "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not supported. Tensor is of size ",
    `[${self.sizes().join(", ")}]`,
    " while the given forward gradient is of size ",
    `[${new_grad.sizes().join(", ")}]`,
    ".",
  );
  let grad = new_grad;
  if (is_inplace_op) grad = give_base_a_tangent(meta, grad, self, level);
  if (!has_same_meta(grad, self)) {
    TORCH_INTERNAL_ASSERT(
      forward_view(meta) === null,
      "Expected the output of forward differentiable view operations to have the tangent have the same layout as primal",
    );
    grad = zeros_like_meta(grad, self).copy_(grad);
  }
  meta.fw_grad_.set_value(grad, level);
}

/** The tangent for `self` after a write. If it is a view of a base without tangent, that is a part of a new one of the base. */
function give_base_a_tangent(meta: AutogradMeta, grad: Tensor, self: Tensor, level: number): Tensor {
  const view_info = forward_view(meta);
  if (view_info === null) return grad;
  const base = view_info.base_;
  if (base._fw_grad(level).defined()) return grad;
  if (has_same_meta(grad, base) && has_same_meta(grad, self)) {
    base._set_fw_grad(grad, level, false);
    return grad;
  }
  const base_grad = zeros_like_meta(grad, base);
  const part = view_of(view_info, base_grad, self);
  part.copy_(grad);
  base._set_fw_grad(base_grad, level, false);
  return part;
}

/** The tangent of `self`, whose metadata is `meta`; undefined if there is none, or forward mode is switched off. */
export function fw_grad(meta: AutogradMeta, level: number, self: TensorBase): Tensor {
  if (!AutogradState.get_tls_state().get_fw_grad_mode()) return ForwardGrad.undef_grad();
  const direct = meta.fw_grad_ === null ? ForwardGrad.undef_grad() : meta.fw_grad_.value(level);
  if (direct.defined()) return direct;
  const view_info = forward_view(meta);
  if (view_info === null) return direct;
  const base_grad = view_info.base_._fw_grad(level);
  if (!base_grad.defined()) return direct;
  const grad = view_of(view_info, base_grad, self);
  meta.fw_grad_ = new ForwardGrad();
  meta.fw_grad_.set_value(grad, level);
  return grad;
}
