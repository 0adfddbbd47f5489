/**
 * @file Memory of the device, in bytes and counts, as its caching allocator keeps it. What nobody holds any more counts as allocated until it is
 * found.
 * @mirrors torch/cuda/memory.py
 * @differs `torch.accelerator` has the counts, as for every device. No snapshots.
 */
import { get_device } from "#c10/webgpu/WebGPUFunctions";
import { def } from "#torch/_signature";
import { _get_device_index, type Device } from "#torch/accelerator/_utils";
import * as accelerator from "#torch/accelerator/memory";
import { memory_summary_of } from "./memory_summary.ts";

function of_device<T>(name: string, fn: (device: Device) => T): (device?: Device) => T {
  return def(`${name}(device=None)`, (device: Device): T => fn(device));
}

/** Gives the device back what the allocator holds and nobody uses. */
export const empty_cache = def("empty_cache()", (): void => accelerator.empty_cache());

/** The allocator's counts by name: see `torch.accelerator.memory_stats`. */
export const memory_stats = of_device("memory_stats", accelerator.memory_stats);

/** Bytes in tensors, and the most that there were since the beginning or the last `reset_peak_memory_stats`. */
export const memory_allocated = of_device("memory_allocated", accelerator.memory_allocated);
export const max_memory_allocated = of_device("max_memory_allocated", accelerator.max_memory_allocated);

/** Bytes that the allocator has of the device, and the most that it had. */
export const memory_reserved = of_device("memory_reserved", accelerator.memory_reserved);
export const max_memory_reserved = of_device("max_memory_reserved", accelerator.max_memory_reserved);

/** From now on `peak` of `memory_stats` is the most since now. */
export const reset_peak_memory_stats = of_device("reset_peak_memory_stats", accelerator.reset_peak_memory_stats);

/** From now on `allocated` and `freed` of `memory_stats` count from 0. */
export const reset_accumulated_memory_stats = of_device(
  "reset_accumulated_memory_stats",
  accelerator.reset_accumulated_memory_stats,
);

/** Bytes of the device: free, and in all. */
export const mem_get_info = of_device("mem_get_info", accelerator.get_memory_info);

/** The counts as a table; `abbreviated` leaves out what each pool has. */
export const memory_summary = def(
  "memory_summary(device=None, abbreviated=False)",
  (device: Device, abbreviated: boolean): string => {
    get_device();
    const index = _get_device_index(device, true);
    return memory_summary_of(accelerator.memory_stats(index), index, abbreviated, "WebGPU", "createBuffer");
  },
);
