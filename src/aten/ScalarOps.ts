/**
 * @file Conversion of a number to a 0-dim tensor. It happens below the dispatcher, because every operation with a
 * number needs it.
 * @mirrors aten/src/ATen/ScalarOps.cpp
 */
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { reducedFloatingType } from "#c10/core/ReducedFloatingType";
import type { Scalar } from "#c10/core/Scalar";
import type { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { empty_cpu } from "./EmptyTensor.ts";
import type { Tensor } from "./generated/core/TensorBody.ts";
import * as at from "./generated/Functions.ts";

const cpu = Device.of(DeviceType.CPU);

/** Writes the one element of `self`. Precondition: on the CPU, numel 1. */
export function scalar_fill(self: Tensor, value: Scalar): Tensor {
  const impl = self.impl_;
  const dtype = impl.dtype();
  const reduced = reducedFloatingType(dtype);
  // As in `torch.tensor`, a half accepts every number; one that is too large becomes infinite.
  const stored = reduced === null ? value.to(dtype) : reduced.from_float(value.toDouble());
  impl.data_view()[impl.data_offset()] = stored as never;
  return self;
}

/** A 0-dim tensor holding `s`, on the CPU or the meta device. */
export function scalar_tensor_static(s: Scalar, dtype: ScalarType, device: Device | null): Tensor {
  if (device !== null && device.type() !== DeviceType.CPU) {
    return at.scalar_tensor(s, new TensorOptions(dtype, null, device));
  }
  return scalar_fill(empty_cpu([], dtype), s);
}

/** The tensor for a Python number beside other tensors: float64, int64 or bool, by its kind. */
export function scalar_to_tensor(s: Scalar, device: Device = cpu): Tensor {
  if (device.type() === DeviceType.CPU) return scalar_tensor_static(s, s.type(), cpu);
  return at.scalar_tensor(s, new TensorOptions(s.type(), null, device));
}

/** A tensor that counts as a number in type promotion: it may raise the category of the other operand, never its width. */
export function wrapped_scalar_tensor(scalar: Scalar, device: Device = cpu): Tensor {
  const tensor = scalar_to_tensor(scalar, device);
  tensor.impl_.set_wrapped_number(true);
  return tensor;
}
