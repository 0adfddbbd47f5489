/**
 * @file Tensors of the device as the device's own work sees them: it computes with the CPU's kernels, over its own memory.
 * @original
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import * as native from "#aten/generated/NativeFunctions";
import { DataPtr, MemoryBlock } from "#c10/core/Allocator";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { Storage } from "#c10/core/Storage";
import { TensorImpl } from "#c10/core/TensorImpl";
import * as driver from "./driver.ts";
import { memory_of } from "./OpenRegDeviceAllocator.ts";
import { stream_of } from "./OpenRegGuard.ts";

const cpu = Device.of(DeviceType.CPU);

/** `t` for the host's kernels, over the same memory. Precondition: the caller runs on the device. */
export type OnDevice = (t: Tensor) => Tensor;

function on_device(t: Tensor): Tensor {
  if (t.device().is_cpu()) return t;
  const nbytes = t.storage().nbytes();
  const memory = memory_of(t.storage().data_ptr()) as driver.Memory | null;
  const block = new MemoryBlock(memory === null ? new ArrayBuffer(0) : memory.on_device());
  const storage = Storage.fromDataPtr(nbytes, new DataPtr(block, 0, cpu), null, false);
  const impl = new TensorImpl(storage, DispatchKeySet.of(DispatchKey.CPU), t.scalar_type());
  impl.set_sizes_and_strides(t.sizes(), t.strides(), t.storage_offset());
  return new Tensor(impl);
}

/** Puts `work` into the current stream of the device of `t`. Host tensors that it reads must not change any more. */
export function launch(t: Tensor, work: (on: OnDevice) => void): void {
  const index = t.device().index();
  driver.launch(index, stream_of(index), () => work(on_device));
}

/** A host tensor as it is now: what is queued reads it later. */
export function snapshot(t: Tensor): Tensor {
  return t.device().is_cpu() ? native.clone(t, null) : t;
}

export function synchronize(t: Tensor): void {
  const index = t.device().index();
  driver.synchronize_stream(index, stream_of(index));
}

/** A copy on the host: this waits. */
export function to_host(t: Tensor): Tensor {
  const host = at.empty_strided(t.sizes(), t.strides(), t.options().device(cpu));
  launch(t, (on) => void native.copy_(host, on(t), false));
  synchronize(t);
  return host;
}
