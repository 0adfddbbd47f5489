/**
 * @file Operations on the bytes of a storage on any device, through a tensor of bytes over it.
 * @mirrors aten/src/ATen/StorageUtils.h
 */
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import type { Storage } from "#c10/core/Storage";
import { TensorOptions } from "#c10/core/TensorOptions";
import type { Tensor } from "./generated/core/TensorBody.ts";
import * as at from "./generated/Functions.ts";

function bytes_of(storage: Storage): Tensor {
  const options = new TensorOptions().device(storage.device()).dtype(ScalarType.Byte);
  return at.empty_memory_format([0], options).set__source_Storage(storage);
}

export function storage_copy(dst: Storage, src: Storage, non_blocking: boolean): void {
  bytes_of(dst).copy_(bytes_of(src), non_blocking);
}

export function storage_fill(storage: Storage, value: number): void {
  bytes_of(storage).fill__Scalar(Scalar.fromInt(value));
}

export function storage_get(storage: Storage, index: number): number {
  return bytes_of(storage).select_int(0, index).item().toLong();
}

export function storage_set(storage: Storage, index: number, value: number): void {
  bytes_of(storage).select_int(0, index).fill__Scalar(Scalar.fromInt(value));
}
