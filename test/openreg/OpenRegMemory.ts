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
import { TensorImpl } from "#c10/core/TensorImpl/index";
import * as driver from "./driver.ts";
import { memory_of } from "./OpenRegDeviceAllocator.ts";
import { stream_of } from "./OpenRegGuard.ts";

const cpu = Device.of(DeviceType.CPU);

/** Makes `t` for the host's kernels, over the same memory: as it is now, since who resizes it does not wait. */
function as_of_now(t: Tensor): () => Tensor {
  if (t.device().is_cpu()) return () => t;
  const [sizes, strides, offset, dtype] = [t.sizes(), t.strides(), t.storage_offset(), t.scalar_type()];
  const nbytes = t.storage().nbytes();
  const memory = memory_of(t.storage().data_ptr()) as driver.Memory | null;
  return () => {
    const block = new MemoryBlock(memory === null ? new ArrayBuffer(0) : memory.on_device());
    const storage = Storage.fromDataPtr(nbytes, new DataPtr(block, 0, cpu), null, false);
    const impl = new TensorImpl(storage, DispatchKeySet.of(DispatchKey.CPU), dtype);
    impl.set_sizes_and_strides(sizes, strides, offset);
    return new Tensor(impl);
  };
}

/**
 * Puts `work` into the current stream of the device of the first tensor; it gets the tensors as the device sees them. Host tensors that
 * it reads must not change any more.
 */
export function launch<T extends Tensor[]>(tensors: [...T], work: (...on_device: T) => void): void {
  const index = tensors[0].device().index();
  const makers = tensors.map(as_of_now);
  driver.launch(index, stream_of(index), () => work(...(makers.map((make) => make()) as T)));
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
  launch([t], (t) => void native.copy_(host, t, false));
  synchronize(t);
  return host;
}
