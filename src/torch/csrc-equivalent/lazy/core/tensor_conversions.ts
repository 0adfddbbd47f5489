/**
 * @file From tensors to lazy tensors, and back.
 * @mirrors torch/csrc/lazy/core/tensor.h
 *
 * Note [Lazy Tensor Functionalization]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * A program's tensor on the device `lazy` is a FunctionalTensorWrapper around a tensor with an LTCTensorImpl. So views and writes never
 * reach the graph: a view is an operator `x_copy`, a write a new value. Operators that make lazy tensors from nothing, or from tensors of
 * other devices (`empty`, `_to_copy`), wrap their result; all others run below functionalization and do not.
 */
import { to_functional_tensor, wrapper_of } from "#aten/FunctionalTensorWrapper";
import { Tensor } from "#aten/generated/core/TensorBody";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { tls_is_dispatch_key_excluded } from "#c10/core/impl/LocalDispatchKeySet";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { atenDeviceToBackendDevice, type BackendDevice } from "../backend/backend_device.ts";
import { getIrBuilder } from "../backend/backend_interface.ts";
import { Value } from "./ir.ts";
import { LazyTensor } from "./tensor.ts";
import { LTCTensorImpl } from "./tensor_impl.ts";

/** An argument of an operator that may be on a device. */
export type OnDevice = Tensor | readonly (Tensor | null)[] | Device | null;

function device_of(on: OnDevice): BackendDevice | null {
  if (on === null) return null;
  if (on instanceof Device) return on.type() === DeviceType.Lazy ? atenDeviceToBackendDevice(on) : null;
  if (!("impl_" in on)) return on.reduce<BackendDevice | null>((found, each) => found ?? device_of(each), null);
  return on.defined() && on.impl_ instanceof LTCTensorImpl ? on.impl_.tensor().GetDevice() : null;
}

/** The device of the first lazy tensor among them. */
export function GetBackendDevice(...args: readonly OnDevice[]): BackendDevice {
  const found = args.reduce<BackendDevice | null>((device, on) => device ?? device_of(on), null);
  TORCH_INTERNAL_ASSERT(found !== null, "common_device");
  return found as BackendDevice;
}

/** Null if it is no lazy tensor. The value of a functional tensor may be behind: it is not brought up to date. */
export function TryGetLtcTensor(tensor: Tensor | null): LazyTensor | null {
  if (tensor === null || !tensor.defined()) return null;
  const { impl_ } = wrapper_of(tensor)?.value() ?? tensor;
  return impl_ instanceof LTCTensorImpl ? impl_.tensor() : null;
}

/** @throws {RuntimeError} if it is no lazy tensor */
export function GetLtcTensor(tensor: Tensor): LazyTensor {
  const lazy_tensor = TryGetLtcTensor(tensor);
  TORCH_CHECK(lazy_tensor !== null, "Input tensor is not a lazy tensor: ", tensor.toString());
  return lazy_tensor as LazyTensor;
}

export function GetOrCreateLtcTensor(tensor: Tensor, device: BackendDevice): LazyTensor {
  return TryGetLtcTensor(tensor) ?? LazyTensor.Create({ tensor_data: tensor }, device);
}

/** A number may be on another device; another tensor may not. */
export function GetLtcTensorOrCreateForWrappedNumber(tensor: Tensor, device: BackendDevice): LazyTensor {
  const is_number = tensor.impl_.is_wrapped_number() || (tensor.dim() === 0 && tensor.numel() === 1);
  return is_number ? GetOrCreateLtcTensor(tensor, device) : GetLtcTensor(tensor);
}

/** A list of tensors as one operand. */
export function GetTensorList(tensors: readonly Tensor[]): Value {
  return new Value(getIrBuilder().MakeTensorList(tensors.map((tensor) => GetLtcTensor(tensor).GetIrValue())));
}

export function CreateAtenFromLtcTensor(ltc_tensor: LazyTensor): Tensor {
  return new Tensor(new LTCTensorImpl(ltc_tensor));
}

/** The tensor after its lazy tensor got another value. */
export function refresh_sizes(tensor: Tensor): Tensor {
  (tensor.impl_ as LTCTensorImpl).force_refresh_sizes();
  return tensor;
}

/** The tensor for a program: functional, unless it will be wrapped further up. */
export function functionalized(tensor: Tensor): Tensor {
  return tls_is_dispatch_key_excluded(DispatchKey.Functionalize) ? tensor : to_functional_tensor(tensor);
}

/** A copy on the lazy device of a tensor that is on another one. */
export function to_lazy_tensor(self: Tensor, options: TensorOptions, device: Device, non_blocking: boolean): Tensor {
  TORCH_INTERNAL_ASSERT(self.device().type() !== DeviceType.Lazy);
  TORCH_INTERNAL_ASSERT(device.type() === DeviceType.Lazy);
  const eager_tensor = self.to_dtype_layout(options, non_blocking, true);
  const lazy_self = GetOrCreateLtcTensor(eager_tensor, atenDeviceToBackendDevice(device));
  return functionalized(CreateAtenFromLtcTensor(lazy_self));
}
