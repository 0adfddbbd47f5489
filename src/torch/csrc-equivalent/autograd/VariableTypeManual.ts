/**
 * @file Autograd kernels that no formula describes: they change a tensor's history, its size, or its tangent.
 * @mirrors torch/csrc/autograd/VariableTypeManual.cpp
 */

import { IValue } from "#aten/core/ivalue";
import { AutoDispatchBelowADInplaceOrView, AutoDispatchBelowAutograd } from "#aten/core/LegacyTypeDispatch";
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import * as _ops from "#aten/generated/Operators";
import { hasStepCallbacks, RECORD_FUNCTION_WITH_SCOPE, RecordScope } from "#aten/record_function";
import { after_ADInplaceOrView_keyset, after_autograd_keyset, type DispatchKeySet } from "#c10/core/DispatchKeySet";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { tracer } from "#c10/util/Trace";
import { isFwGradDefined, toNonOptFwGrad } from "./FunctionsManual/ForwardMode.ts";
import { any_forward_level } from "./forward_grad.ts";
import { collect_next_edges } from "./function.ts";
import { Identity } from "./functions/basic_ops.ts";
import { CopyBackwards } from "./functions/tensor.ts";
import { ViewBackward0 } from "./generated/Functions.ts";
import { ViewViewFunc } from "./generated/ViewFuncs.ts";
import {
  as_view,
  check_inplace,
  compute_requires_grad1,
  compute_requires_grad2,
  creation_meta_in_mode,
  increment_version,
  needs_view_func,
  rebase_history,
  set_history,
  trace_node,
  unpack,
} from "./VariableTypeUtils.ts";
import { make_variable_non_differentiable_view, materialize_autograd_meta } from "./variable/impl.ts";
import { CreationMeta, isDifferentiableType } from "./variable/index.ts";

/** The value without its tangent, as a view that is differentiable backward. */
function _fw_primal(ks: DispatchKeySet, self: Tensor, level: number): Tensor {
  unpack(self, "self", 0);
  let grad_fn: Identity | null = null;
  if (compute_requires_grad1(self)) {
    grad_fn = new Identity();
    grad_fn.set_next_edges(collect_next_edges(self));
    if (tracer !== null) trace_node(grad_fn);
  }
  let result: Tensor;
  const guard = new AutoDispatchBelowAutograd();
  try {
    result = _ops._fw_primal.redispatch(ks.and(after_autograd_keyset), self, level);
  } finally {
    guard.restore();
  }
  if (grad_fn !== null) set_history(result, grad_fn);
  if (isFwGradDefined(self)) TORCH_CHECK(level === 0, "Invalid level given to _fw_primal");
  return result;
}

/** A view of `primal` with a tangent. The view is differentiable backward, and not forward: `primal` gets no tangent. */
function _make_dual(ks: DispatchKeySet, primal: Tensor, tangent: Tensor, level: number): Tensor {
  TORCH_CHECK(
    !primal._fw_grad(level).defined(),
    "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level ",
    level,
    " is not supported.",
  );
  unpack(primal, "primal", 0);
  unpack(tangent, "tangent", 0);
  let grad_fn: ViewBackward0 | null = null;
  if (compute_requires_grad1(primal)) {
    grad_fn = new ViewBackward0();
    grad_fn.self_sym_sizes = primal.sizes();
    grad_fn.set_next_edges(collect_next_edges(primal));
    if (tracer !== null) trace_node(grad_fn);
  }
  let result: Tensor;
  const guard = new AutoDispatchBelowAutograd();
  try {
    result = _ops._make_dual.redispatch(ks.and(after_autograd_keyset), primal, tangent, level);
  } finally {
    guard.restore();
  }
  if (grad_fn !== null) set_history(result, grad_fn);
  TORCH_CHECK(level === 0, "Invalid level given to _make_dual");
  result._set_fw_grad(tangent, level, false);
  return result;
}

/** A copy into `self` is a graph node even if only `src` requires grad: `self` then requires grad too. */
function copy_(ks: DispatchKeySet, self: Tensor, src: Tensor, non_blocking: boolean): Tensor {
  unpack(self, "self", 0);
  unpack(src, "src", 1);
  const requires_grad = compute_requires_grad2(self, src) && isDifferentiableType(self.scalar_type());
  check_inplace(self, requires_grad);
  let grad_fn: CopyBackwards | null = null;
  if (requires_grad) {
    grad_fn = new CopyBackwards();
    grad_fn.set_next_edges(collect_next_edges(self, src));
    grad_fn.src_options = src.options();
    if (tracer !== null) trace_node(grad_fn);
  }
  const guard = new AutoDispatchBelowAutograd();
  try {
    _ops.copy_.redispatch(ks.and(after_autograd_keyset), self, src, non_blocking);
  } finally {
    guard.restore();
  }
  rebase_history(self, grad_fn);
  if (any_forward_level && isDifferentiableType(self.scalar_type()) && (isFwGradDefined(self) || isFwGradDefined(src)))
    self._set_fw_grad(tangent_of_copy(self, src), 0, true);
  return self;
}

/** The tangent of `self` after a copy from `src`: the present one, overwritten, or a new one. */
function tangent_of_copy(self: Tensor, src: Tensor): Tensor {
  const self_fw_grad = toNonOptFwGrad(self);
  const src_fw_grad = toNonOptFwGrad(src);
  if (self_fw_grad.defined())
    return src_fw_grad.defined() ? self_fw_grad.copy_(src_fw_grad) : self_fw_grad.fill__Scalar(Scalar.ZERO);
  return self.is_same_size(src_fw_grad) ? src_fw_grad.clone() : src_fw_grad.broadcast_to(self.sizes());
}

function check_no_tangent_to_resize(self: Tensor): void {
  TORCH_CHECK(!self._fw_grad(0).defined(), "cannot resize variables that has a forward grad");
}

function resize_(ks: DispatchKeySet, self: Tensor, size: number[], memory_format: MemoryFormat | null): Tensor {
  unpack(self, "self", 0);
  TORCH_CHECK(!self.requires_grad(), "cannot resize variables that require grad");
  const guard = new AutoDispatchBelowAutograd();
  try {
    _ops.resize_.redispatch(ks.and(after_autograd_keyset), self, size, memory_format);
  } finally {
    guard.restore();
  }
  check_no_tangent_to_resize(self);
  return self;
}

function resize_as_(
  ks: DispatchKeySet,
  self: Tensor,
  the_template: Tensor,
  memory_format: MemoryFormat | null,
): Tensor {
  unpack(self, "self", 0);
  unpack(the_template, "the_template", 1);
  TORCH_CHECK(!self.requires_grad(), "cannot resize variables that require grad");
  const guard = new AutoDispatchBelowAutograd();
  try {
    _ops.resize_as_.redispatch(ks.and(after_autograd_keyset), self, the_template, memory_format);
  } finally {
    guard.restore();
  }
  check_no_tangent_to_resize(self);
  return self;
}

/** Runs `run` as a named profiler entry beside the operator calls: PyTorch's profiler shows a cut in the graph this way. */
function recorded(name: string, self: Tensor, run: () => Tensor): Tensor {
  return RECORD_FUNCTION_WITH_SCOPE(RecordScope.FUNCTION, name, [IValue.fromTensor(self)], run);
}

function detach(ks: DispatchKeySet, self: Tensor): Tensor {
  unpack(self, "self", 0);
  if (hasStepCallbacks) return recorded("detach", self, () => detach_below(ks, self));
  return detach_below(ks, self);
}

function detach_below(ks: DispatchKeySet, self: Tensor): Tensor {
  const guard = new AutoDispatchBelowAutograd();
  try {
    return _ops.detach.redispatch(ks.and(after_autograd_keyset), self);
  } finally {
    guard.restore();
  }
}

function detach_(_ks: DispatchKeySet, self: Tensor): Tensor {
  if (hasStepCallbacks) return recorded("detach_", self, () => drop_history(self));
  return drop_history(self);
}

/** Drops the history and the tangents only: hooks, the accumulator and `.grad` stay. */
function drop_history(self: Tensor): Tensor {
  TORCH_CHECK(
    !self.is_view(),
    "Can't detach views in-place. Use detach() instead. " +
      "If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, " +
      "gradients are views of DDP buckets, and hence detach_() cannot be called " +
      "on these gradients. To fix this error, please refer to the Optimizer.zero_grad() " +
      "function in torch/optim/optimizer.py as the solution.",
  );
  const meta = materialize_autograd_meta(self);
  meta.set_requires_grad(false, self.impl_);
  meta.grad_fn_ = null;
  meta.output_nr_ = 0;
  meta.fw_grad_?.clear();
  meta.fw_grad_ = null;
  return self;
}

TORCH_LIBRARY_IMPL("aten", "Autograd", {
  resize_: (m) => m.impl("resize_", resize_, "VariableType::resize_"),
  resize_as_: (m) => m.impl("resize_as_", resize_as_, "VariableType::resize_as_"),
  detach: (m) => m.impl("detach", detach, "VariableType::detach"),
  detach_: (m) => m.impl("detach_", detach_, "VariableType::detach_"),
  copy_: (m) => m.impl("copy_", copy_, "VariableType::copy_"),
  _fw_primal: (m) => m.impl("_fw_primal", _fw_primal, "VariableType::_fw_primal"),
  _make_dual: (m) => m.impl("_make_dual", _make_dual, "VariableType::_make_dual"),
});

// Below autograd

function ADInplaceOrView_copy_(ks: DispatchKeySet, self: Tensor, src: Tensor, non_blocking: boolean): Tensor {
  const guard = new AutoDispatchBelowADInplaceOrView();
  try {
    _ops.copy_.redispatch(ks.and(after_ADInplaceOrView_keyset), self, src, non_blocking);
  } finally {
    guard.restore();
  }
  increment_version(self);
  return self;
}

/** A resize to the same sizes changes nothing that a saved tensor could notice. */
function ADInplaceOrView_resize_(
  ks: DispatchKeySet,
  self: Tensor,
  size: number[],
  memory_format: MemoryFormat | null,
): Tensor {
  const org_size = [...self.sizes()];
  const guard = new AutoDispatchBelowADInplaceOrView();
  try {
    _ops.resize_.redispatch(ks.and(after_ADInplaceOrView_keyset), self, size, memory_format);
  } finally {
    guard.restore();
  }
  if (!sizes_equal(self.sizes(), org_size)) increment_version(self);
  return self;
}

function ADInplaceOrView_resize_as_(
  ks: DispatchKeySet,
  self: Tensor,
  the_template: Tensor,
  memory_format: MemoryFormat | null,
): Tensor {
  const org_size = [...self.sizes()];
  const guard = new AutoDispatchBelowADInplaceOrView();
  try {
    _ops.resize_as_.redispatch(ks.and(after_ADInplaceOrView_keyset), self, the_template, memory_format);
  } finally {
    guard.restore();
  }
  if (!sizes_equal(self.sizes(), org_size)) increment_version(self);
  return self;
}

/** Shares bytes and version with `self`, but autograd does not treat it as a view; its sizes must not be changed in place. */
function ADInplaceOrView_detach(ks: DispatchKeySet, self: Tensor): Tensor {
  let out: Tensor;
  const guard = new AutoDispatchBelowADInplaceOrView();
  try {
    out = _ops.detach.redispatch(ks.and(after_ADInplaceOrView_keyset), self);
  } finally {
    guard.restore();
  }
  return make_variable_non_differentiable_view(self, out, false, true);
}

/** A view for backward and none for forward, so that tangents do not pass. It does not redispatch: `alias` is the kernel. */
function alias_without_tangent(self: Tensor): Tensor {
  let out: Tensor;
  const guard = new AutoDispatchBelowADInplaceOrView();
  try {
    out = at.alias(self);
  } finally {
    guard.restore();
  }
  const func = needs_view_func(self) ? new ViewViewFunc(self.sizes()) : null;
  return as_view(self, out, true, false, func, creation_meta_in_mode(CreationMeta.DEFAULT));
}

function ADInplaceOrView__fw_primal(_ks: DispatchKeySet, self: Tensor, _level: number): Tensor {
  return alias_without_tangent(self);
}

function ADInplaceOrView__make_dual(_ks: DispatchKeySet, primal: Tensor, _tangent: Tensor, _level: number): Tensor {
  return alias_without_tangent(primal);
}

TORCH_LIBRARY_IMPL("aten", "ADInplaceOrView", {
  copy_: (m) => m.impl("copy_", ADInplaceOrView_copy_, "ADInplaceOrView::copy_"),
  detach: (m) => m.impl("detach", ADInplaceOrView_detach, "ADInplaceOrView::detach"),
  resize_: (m) => m.impl("resize_", ADInplaceOrView_resize_, "ADInplaceOrView::resize_"),
  resize_as_: (m) => m.impl("resize_as_", ADInplaceOrView_resize_as_, "ADInplaceOrView::resize_as_"),
  _fw_primal: (m) => m.impl("_fw_primal", ADInplaceOrView__fw_primal, "ADInplaceOrView::_fw_primal"),
  _make_dual: (m) => m.impl("_make_dual", ADInplaceOrView__make_dual, "ADInplaceOrView::_make_dual"),
});
