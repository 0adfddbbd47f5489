/**
 * @file An argument with its name and position, and checks whose messages name it.
 * @mirrors aten/src/ATen/TensorUtils.h
 */

import type { Tensor } from "#aten/generated/core/TensorBody";
import type { Device } from "#c10/core/Device";
import { type DeviceType, toString as deviceTypeName } from "#c10/core/DeviceType";
import { type ScalarType, toString } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

/** `pos` counts from 1; it is 0 for a tensor that is not an argument. */
export interface TensorArg {
  readonly tensor: Tensor;
  readonly name: string;
  readonly pos: number;
}

function told({ name, pos }: TensorArg): string {
  return pos === 0 ? `'${name}'` : `argument #${pos} '${name}'`;
}

/** @param c the checking function, for the message */
export function checkScalarTypes(c: string, t: TensorArg, allowed: readonly ScalarType[]): void {
  TORCH_CHECK(
    allowed.includes(t.tensor.scalar_type()),
    `Expected tensor for ${told(t)} to have one of the following scalar types: `,
    `${allowed.map(toString).join(", ")}; but got ${t.tensor.toString()} instead (while checking arguments for ${c})`,
  );
}

export function checkDeviceType(c: string, tensors: readonly Tensor[], device_type: DeviceType): void {
  for (const t of tensors)
    TORCH_CHECK(
      !t.defined() || t.device().type() === device_type,
      `Expected tensor to have ${deviceTypeName(device_type)} DeviceType, `,
      `but got tensor with ${deviceTypeName(t.device().type())} DeviceType (while checking arguments for ${c})`,
    );
}

export function checkDevice(c: string, tensors: readonly Tensor[], device: Device): void {
  for (const t of tensors)
    TORCH_CHECK(
      !t.defined() || t.device().eq(device),
      `Expected tensor to have ${device.str()} Device, but got tensor with ${t.device().str()} Device `,
      `(while checking arguments for ${c})`,
    );
}

export function checkDim(c: string, t: TensorArg, dim: number): void {
  TORCH_CHECK(
    t.tensor.dim() === dim,
    `Expected ${dim}-dimensional tensor, but got ${t.tensor.dim()}-dimensional tensor for ${told(t)} `,
    `(while checking arguments for ${c})`,
  );
}

export function checkSameType(c: string, t1: TensorArg, t2: TensorArg): void {
  TORCH_CHECK(
    t1.tensor.scalar_type() === t2.tensor.scalar_type(),
    `Expected tensor for ${told(t1)} to have the same type as tensor for ${told(t2)}; `,
    `but type ${t1.tensor.toString()} does not equal ${t2.tensor.toString()} (while checking arguments for ${c})`,
  );
}

export function checkContiguous(c: string, t: TensorArg): void {
  TORCH_CHECK(
    t.tensor.is_contiguous(),
    `Expected contiguous tensor, but got non-contiguous tensor for ${told(t)} (while checking arguments for ${c})`,
  );
}

export function checkScalarType(c: string, t: TensorArg, type: ScalarType): void {
  TORCH_CHECK(
    t.tensor.scalar_type() === type,
    `Expected tensor for ${told(t)} to have scalar type ${toString(type)}; `,
    `but got ${t.tensor.toString()} instead (while checking arguments for ${c})`,
  );
}

/** Checks that the number of dims is in [dim_start, dim_end). */
export function checkDimRange(c: string, t: TensorArg, dim_start: number, dim_end: number): void {
  const dim = t.tensor.dim();
  TORCH_CHECK(
    dim >= dim_start && dim < dim_end,
    `Expected ${dim_start} to ${dim_end - 1} dimensions, but got ${dim}-dimensional tensor for ${told(t)} `,
    `(while checking arguments for ${c})`,
  );
}

export function checkSize(c: string, t: TensorArg, dim: number, size: number): void {
  TORCH_CHECK(
    t.tensor.size(dim) === size,
    `Expected tensor to have size ${size} at dimension ${dim}, but got size ${t.tensor.size(dim)} for ${told(t)} `,
    `(while checking arguments for ${c})`,
  );
}
