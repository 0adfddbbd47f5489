/**
 * @file Autograd kernels that no formula describes: they change a tensor's history, or its size.
 * @mirrors torch/csrc/autograd/VariableTypeManual.cpp
 */

import { IValue } from "#aten/core/ivalue";
import { AutoDispatchBelowADInplaceOrView, AutoDispatchBelowAutograd } from "#aten/core/LegacyTypeDispatch";
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { sizes_equal } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as _ops from "#aten/generated/Operators";
import { hasStepCallbacks, RECORD_FUNCTION_WITH_SCOPE, RecordScope } from "#aten/record_function";
import { after_ADInplaceOrView_keyset, after_autograd_keyset, type DispatchKeySet } from "#c10/core/DispatchKeySet";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { TORCH_CHECK } from "#c10/util/Exception";
import { tracer } from "#c10/util/Trace";
import { collect_next_edges } from "./function.ts";
import { CopyBackwards } from "./functions/tensor.ts";
import {
  check_inplace,
  compute_requires_grad2,
  increment_version,
  rebase_history,
  trace_node,
  unpack,
} from "./VariableTypeUtils.ts";
import { make_variable_non_differentiable_view, materialize_autograd_meta } from "./variable/impl.ts";
import { isDifferentiableType } from "./variable/index.ts";

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
  return self;
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

/** Drops the history only: hooks, the accumulator and `.grad` stay. */
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
  return self;
}

TORCH_LIBRARY_IMPL("aten", "Autograd", {
  resize_: (m) => m.impl("resize_", resize_, "VariableType::resize_"),
  resize_as_: (m) => m.impl("resize_as_", resize_as_, "VariableType::resize_as_"),
  detach: (m) => m.impl("detach", detach, "VariableType::detach"),
  detach_: (m) => m.impl("detach_", detach_, "VariableType::detach_"),
  copy_: (m) => m.impl("copy_", copy_, "VariableType::copy_"),
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

TORCH_LIBRARY_IMPL("aten", "ADInplaceOrView", {
  copy_: (m) => m.impl("copy_", ADInplaceOrView_copy_, "ADInplaceOrView::copy_"),
  detach: (m) => m.impl("detach", ADInplaceOrView_detach, "ADInplaceOrView::detach"),
  resize_: (m) => m.impl("resize_", ADInplaceOrView_resize_, "ADInplaceOrView::resize_"),
  resize_as_: (m) => m.impl("resize_as_", ADInplaceOrView_resize_as_, "ADInplaceOrView::resize_as_"),
});
