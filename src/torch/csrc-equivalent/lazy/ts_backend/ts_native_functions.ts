/**
 * @file Kernels of the key Lazy that are not generated: memory, copies between devices, writes, and operators that fall back or are
 * computed by others.
 * @mirrors torch/csrc/lazy/generated/LazyNativeFunctions.h
 * @see ts_native_functions.yaml, the list `supported`
 */
import { Dispatcher, type OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import { IValue } from "#aten/core/ivalue";
import { List } from "#aten/core/List";
import { CppFunction, TORCH_LIBRARY_IMPL } from "#aten/core/library";
import { popn, type Stack } from "#aten/core/stack";
import {
  from_functional_tensor,
  isFunctionalTensor,
  setFunctionalizationReapplyViewsTLS,
  to_functional_tensor,
} from "#aten/FunctionalTensorWrapper";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { ForceDispatchKeyGuard, tls_local_dispatch_key_set } from "#c10/core/impl/LocalDispatchKeySet";
import type { Layout } from "#c10/core/Layout";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import type { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { atenDeviceToBackendDevice } from "../backend/backend_device.ts";
import { getBackend } from "../backend/backend_interface.ts";
import { TORCH_LAZY_FN_COUNTER } from "../core/metrics.ts";
import { Shape } from "../core/shape.ts";
import { LazyTensor } from "../core/tensor.ts";
import {
  CreateAtenFromLtcTensor,
  functionalized,
  TryGetLtcTensor,
  to_lazy_tensor,
} from "../core/tensor_conversions.ts";
import type { LTCTensorImpl } from "../core/tensor_impl.ts";
import { CopyTensor } from "../core/tensor_util.ts";
import { CacheNode, ReuseNode } from "../core/trie.ts";
import { view_copy_symint } from "../generated/LazyNativeFunctions.ts";
import { ToCopy } from "./ops/to_copy.ts";
import { copy_, fill_ } from "./tensor_aten_ops.ts";
import { ltc_eager_fallback } from "./ts_eager_fallback.ts";

const impl_of = (tensor: Tensor): LTCTensorImpl => tensor.impl_ as LTCTensorImpl;
const lazy_0 = new Device(DeviceType.Lazy, 0);

/** A new tensor on the CPU, which becomes a lazy tensor's value. */
// biome-ignore format: a native signature
function empty_symint(_ks: DispatchKeySet, size: number[], dtype: ScalarType | null, layout: Layout | null, device: Device | null, pin_memory: boolean | null, memory_format: MemoryFormat | null): Tensor {
  const eager_device = Device.of(getBackend().EagerFallbackDeviceType());
  const options = new TensorOptions(dtype, layout, eager_device, pin_memory);
  const x_result = at.empty_memory_format(size, options, memory_format);
  const backend_device = atenDeviceToBackendDevice(device ?? lazy_0);
  return functionalized(CreateAtenFromLtcTensor(LazyTensor.Create({ tensor_data: x_result }, backend_device)));
}

// biome-ignore format: a native signature
function empty_strided_symint(ks: DispatchKeySet, size: number[], stride: number[], dtype: ScalarType | null, layout: Layout | null, device: Device | null, pin_memory: boolean | null): Tensor {
  TORCH_LAZY_FN_COUNTER("lazy::empty_strided_symint");
  return empty_symint(ks, size, dtype, layout, device, pin_memory, null).as_strided(size, stride, 0);
}

/** A second tensor of the same node: nothing is copied, because values do not change. */
function clone(_ks: DispatchKeySet, self: Tensor, _memory_format: MemoryFormat | null): Tensor {
  const self_lt = TryGetLtcTensor(self) as LazyTensor;
  return CreateAtenFromLtcTensor(LazyTensor.Create({ ir_value: self_lt.GetIrValue() }, self_lt.GetDevice()));
}

// biome-ignore format: a native signature
function _to_copy(_ks: DispatchKeySet, self: Tensor, dtype: ScalarType | null, layout: Layout | null, device: Device | null, pin_memory: boolean | null, non_blocking: boolean, memory_format: MemoryFormat | null): Tensor {
  TORCH_LAZY_FN_COUNTER("lazy::_to_copy");
  const options = new TensorOptions(dtype ?? self.scalar_type(), layout, null, pin_memory, null, memory_format);
  const lazy_self = TryGetLtcTensor(self);
  const is_lazy = device === null || device.type() === DeviceType.Lazy;
  if (lazy_self === null) {
    TORCH_INTERNAL_ASSERT(device !== null && is_lazy);
    return to_lazy_tensor(self, options, device as Device, non_blocking);
  }
  // A cut: the value is needed.
  if (!is_lazy) return at._to_copy(lazy_self.ToTensor(true), options.device(device), non_blocking);
  if (device?.has_index() === true && device.index() !== self.device().index())
    return to_lazy_tensor(lazy_self.ToTensor(true), options, device, non_blocking);
  const given = { dtype, layout, pin_memory, non_blocking, memory_format };
  const value = lazy_self.GetIrValue();
  const node =
    ReuseNode(ToCopy, value, given) ??
    CacheNode(new ToCopy(value, given, [new Shape(dtype ?? self.scalar_type(), self.sizes())]));
  return CreateAtenFromLtcTensor(LazyTensor.of_node(node, lazy_self.GetDevice()));
}

/** The value of `self`, for a tensor of another device. */
function materialized(self: LazyTensor, dst: Tensor, detached: boolean): Tensor {
  return CopyTensor(self.ToTensor(detached), dst.scalar_type(), false);
}

function _copy_from(_ks: DispatchKeySet, self: Tensor, dst: Tensor, _non_blocking: boolean): Tensor {
  TORCH_LAZY_FN_COUNTER("lazy::_copy_from");
  const self_tensor = TryGetLtcTensor(self);
  const dst_tensor = TryGetLtcTensor(dst);
  TORCH_CHECK(self_tensor !== null || dst_tensor !== null);
  if (dst_tensor === null) {
    const value = materialized(self_tensor as LazyTensor, dst, false);
    dst.resize_as_(value).copy_(value);
  } else if (self_tensor === null) dst_tensor.UpdateFromTensor(self, true);
  else if (dst_tensor.CurrentIrValue() === null) {
    const dst_tensor_data = dst_tensor.CurrentTensorData();
    TORCH_CHECK(dst_tensor_data !== null);
    (dst_tensor_data as Tensor).copy_(self_tensor.CurrentTensorData() ?? self_tensor.ToTensor(false));
  } else {
    copy_(dst_tensor, self_tensor);
    impl_of(dst).set_tensor(dst_tensor);
  }
  return dst;
}

function _copy_from_and_resize(_ks: DispatchKeySet, self: Tensor, dst: Tensor): Tensor {
  TORCH_LAZY_FN_COUNTER("lazy::_copy_from_and_resize");
  const self_tensor = TryGetLtcTensor(self);
  const dst_tensor = TryGetLtcTensor(dst);
  TORCH_CHECK(self_tensor !== null || dst_tensor !== null);
  if (dst_tensor === null) {
    const value = materialized(self_tensor as LazyTensor, dst, true);
    dst.resize_as_(value).copy_(value);
  } else {
    dst_tensor.UpdateFromTensorOut(self_tensor ?? self);
    impl_of(dst).force_refresh_sizes();
  }
  return dst;
}

function fill__Scalar(_ks: DispatchKeySet, self: Tensor, value: Scalar): Tensor {
  TORCH_LAZY_FN_COUNTER("lazy::fill_");
  fill_(TryGetLtcTensor(self) as LazyTensor, value);
  return self;
}

function _unsafe_view(ks: DispatchKeySet, self: Tensor, size: number[]): Tensor {
  TORCH_LAZY_FN_COUNTER("lazy::_unsafe_view");
  return view_copy_symint(ks, self, size);
}

function lift(_ks: DispatchKeySet, tensor: Tensor): Tensor {
  TORCH_INTERNAL_ASSERT(!isFunctionalTensor(tensor));
  return to_functional_tensor(tensor);
}

function map_tensors(value: IValue, fn: (t: Tensor) => Tensor): IValue {
  if (value.isTensor()) return value.toTensor().defined() ? IValue.fromTensor(fn(value.toTensor() as Tensor)) : value;
  if (!value.isList()) return value;
  const list = value.toList();
  const mapped = list.vec().map((element) => map_tensors(element, fn));
  return IValue.fromList(new List(list.elementType(), mapped));
}

/** The library's own kernel, which calls other operators. Its tensors are functional, so that it may take views and write. */
function functionalize_aten_op(op: OperatorHandle, _ks: DispatchKeySet, stack: Stack): void {
  const args = popn(stack, op.schema().arguments().length);
  const inner = args.map((arg) => map_tensors(arg, to_functional_tensor));
  const { included_, excluded_ } = tls_local_dispatch_key_set();
  const guard = new ForceDispatchKeyGuard(included_, excluded_.remove(DispatchKey.Functionalize));
  const reapply_views = setFunctionalizationReapplyViewsTLS(false);
  try {
    const key = COMPOSITE_KEYS.find((k) => op.hasKernelForDispatchKey(k));
    TORCH_INTERNAL_ASSERT(key !== undefined, op.operator_name());
    Dispatcher.singleton().callBoxedForDispatchKey(op, key as DispatchKey, inner);
    stack.push(...inner.map((result) => map_tensors(result, from_functional_tensor)));
  } finally {
    setFunctionalizationReapplyViewsTLS(reapply_views);
    guard.restore();
  }
}
const COMPOSITE_KEYS = [
  DispatchKey.CompositeImplicitAutograd,
  DispatchKey.CompositeExplicitAutograd,
  DispatchKey.CompositeExplicitAutogradNonFunctional,
];

/** Operators whose kernel is the library's. */
const FUNCTIONALIZED = [
  "_trilinear",
  "block_diag",
  "diag_embed",
  "linalg_pinv.atol_rtol_tensor",
  "narrow_copy",
  "new_empty_strided",
  "pixel_shuffle",
  "pixel_unshuffle",
];

/** Operators that have a kernel only so that no composite one is taken. */
const FALLING_BACK = ["max_pool3d_with_indices", "max_pool3d_with_indices_backward"];

// Gradients of views: zeros, into which the gradient is put. -----------------------------------------------------------------

// biome-ignore format: a native signature
function slice_backward_symint(_ks: DispatchKeySet, grad_output: Tensor, input_sizes: number[], dim: number, start: number, end: number, step: number): Tensor {
  return at.slice_scatter(at.zeros(input_sizes, grad_output.options()), grad_output, dim, start, end, step);
}

// biome-ignore format: a native signature
function select_backward_symint(_ks: DispatchKeySet, grad_output: Tensor, input_sizes: number[], dim: number, index: number): Tensor {
  return at.select_scatter(at.zeros(input_sizes, grad_output.options()), grad_output, dim, index);
}

// biome-ignore format: a native signature
function diagonal_backward_symint(_ks: DispatchKeySet, grad_output: Tensor, input_sizes: number[], offset: number, dim1: number, dim2: number): Tensor {
  return at.diagonal_scatter(at.zeros(input_sizes, grad_output.options()), grad_output, offset, dim1, dim2);
}

// The key AutogradLazy ---------------------------------------------------------------------------------------------------------

/** The normalization in terms of other operators, which have gradients. */
// biome-ignore format: a native signature
function native_group_norm(_ks: DispatchKeySet, input: Tensor, weight: Tensor | null, bias: Tensor | null, N: number, C: number, _HxW: number, group: number, eps: number): [Tensor, Tensor, Tensor] {
  const reshaped = input.view([N, group, N > 0 ? -1 : 1]);
  const [variance, mean] = at.var_mean_correction(reshaped, [2], Scalar.ZERO, true);
  const rstd = variance.add_Scalar(Scalar.fromDouble(eps)).rsqrt();
  const shape = input.sizes().map((_, d) => (d === 1 ? C : 1));
  let out = reshaped.sub_Tensor(mean).mul_Tensor(rstd).view(input.sizes().slice());
  if (weight !== null) out = out.mul_Tensor(weight.view(shape));
  if (bias !== null) out = out.add_Tensor(bias.view(shape));
  return [out, mean.squeeze_dim(-1), rstd.squeeze_dim(-1)];
}

export function RegisterHandWrittenKernels(): void {
  TORCH_LIBRARY_IMPL("aten", "Lazy", (m) => {
    m.impl("empty.memory_format", empty_symint, "wrapper_Lazy_memory_format_empty");
    m.impl("empty_strided", empty_strided_symint, "wrapper_Lazy__empty_strided");
    m.impl("clone", clone, "wrapper_Lazy__clone");
    m.impl("_to_copy", _to_copy, "wrapper_Lazy___to_copy");
    m.impl("_copy_from", _copy_from, "wrapper_Lazy___copy_from");
    m.impl("_copy_from_and_resize", _copy_from_and_resize, "wrapper_Lazy___copy_from_and_resize");
    m.impl("fill_.Scalar", fill__Scalar, "wrapper_Lazy_Scalar_fill_");
    m.impl("_unsafe_view", _unsafe_view, "wrapper_Lazy___unsafe_view");
    m.impl("slice_backward", slice_backward_symint, "wrapper_Lazy__slice_backward");
    m.impl("select_backward", select_backward_symint, "wrapper_Lazy__select_backward");
    m.impl("diagonal_backward", diagonal_backward_symint, "wrapper_Lazy__diagonal_backward");
    m.impl("lift", lift, "wrapper_Lazy__lift");
    m.impl("lift_fresh", lift, "wrapper_Lazy__lift_fresh");
    for (const name of FUNCTIONALIZED)
      m.impl(name, CppFunction.makeFromBoxedFunction(functionalize_aten_op, "functionalize_aten_op"));
    for (const name of FALLING_BACK)
      m.impl(name, CppFunction.makeFromBoxedFunction(ltc_eager_fallback, "ltc_eager_fallback"));
  });
  TORCH_LIBRARY_IMPL("aten", "AutogradLazy", (m) => {
    m.impl("native_group_norm", native_group_norm, "wrapper_AutogradLazy__native_group_norm");
  });
}
