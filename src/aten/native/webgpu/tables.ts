/**
 * @file Tables of the positions that a resampling or padding kernel reads along one dim: for each output place, the
 * input places and their weights. They are computed on the host and sent to the device with the launch.
 * @original In CUDA each thread computes them for itself.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import type { DeviceMemory } from "#c10/webgpu/interface";
import { get_device } from "#c10/webgpu/WebGPUFunctions";

/** Reads of place i: entries `starts[i]` to `starts[i + 1]` of `indices` and `weights`. */
export interface Reads {
  readonly starts: Int32Array;
  readonly indices: Int32Array;
  readonly weights: Float64Array;
}

/**
 * Reverses a table, for backward: the readers of each of `size` places, in ascending order. A reader occurs once per
 * read.
 */
export function transposed({ starts, indices, weights }: Reads, size: number): Reads {
  const back: Reads = {
    starts: new Int32Array(size + 1),
    indices: new Int32Array(indices.length),
    weights: new Float64Array(indices.length),
  };
  for (const i of indices) back.starts[i + 1]++;
  for (let i = 0; i < size; i++) back.starts[i + 1] += back.starts[i];
  const next = back.starts.slice(0, size);
  for (let reader = 0; reader + 1 < starts.length; reader++)
    for (let t = starts[reader]; t < starts[reader + 1]; t++) {
      const at = next[indices[t]]++;
      back.indices[at] = reader;
      back.weights[at] = weights[t];
    }
  return back;
}

/** A table in which each place reads one place. */
export function single(indices: Int32Array): Reads {
  const starts = Int32Array.from({ length: indices.length + 1 }, (_, i) => i);
  return { starts, indices, weights: new Float64Array(indices.length) };
}

const OPTIONS = new TensorOptions().dtype(ScalarType.Int).device(new Device(DeviceType.PrivateUse1, 0));

/** Concatenates the arrays as words on the device. */
export function on_device(parts: readonly (Int32Array | Float32Array)[]): Tensor {
  const words = new Int32Array(parts.reduce((n, part) => n + part.length, 0));
  let to = 0;
  for (const part of parts) {
    words.set(new Int32Array(part.buffer, part.byteOffset, part.length), to);
    to += part.length;
  }
  const table = at.empty_memory_format([words.length], OPTIONS);
  const memory = table.impl_.storage().data_ptr().get_context() as DeviceMemory; // it was made by the device's allocator
  get_device().copy_to_device(memory, 0, new Uint8Array(words.buffer));
  return table;
}
