/**
 * @file Copies between tensors and values on the backend's device.
 * @mirrors torch/csrc/lazy/core/tensor_util.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import type { BackendData } from "../backend/backend_data.ts";
import type { BackendDevice } from "../backend/backend_device.ts";
import { getBackend, getIrBuilder } from "../backend/backend_interface.ts";
import { Value } from "./ir.ts";
import { Shape } from "./shape.ts";

export function shape_of(tensor: Tensor): Shape {
  return new Shape(tensor.scalar_type(), tensor.sizes());
}

/** Uploads a tensor. */
export function TensorToDataHandle(tensor: Tensor, device: BackendDevice): BackendData {
  return getBackend().MakeComputationDataFromTensor(tensor, shape_of(tensor), device);
}

/** Downloads values. */
export function DataHandlesToTensors(data_handles: readonly BackendData[]): Tensor[] {
  return data_handles.map((handle) => getBackend().MakeTensorFromComputationData(handle));
}

/** @param copy whether a tensor that has the dtype is copied too */
export function CopyTensor(ref: Tensor, dest_type: ScalarType = ref.scalar_type(), copy = true): Tensor {
  return copy || ref.scalar_type() !== dest_type ? at._to_copy(ref, new TensorOptions(dest_type)) : ref;
}

/** The value with the sizes of `target_shape`. */
export function MaybeExpand(input: Value, target_shape: Shape): Value {
  const sizes = target_shape.sizes();
  if (String(input.shape().sizes()) === String(sizes)) return input;
  return new Value(getIrBuilder().MakeExpand(input, sizes, false), 0);
}
