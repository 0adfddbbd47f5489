/**
 * @file Memory statistics of the device's caching allocator, in bytes and counts. Memory without references counts as allocated until
 * garbage collection finds it.
 * @mirrors torch/cuda/memory.py
 * @differs Ours also has the counts in `torch.accelerator`, as for every device, and no snapshots; PyTorch has snapshots.
 */
import { get_device } from "#c10/webgpu/WebGPUFunctions";
import { def } from "#torch/_signature";
import { _get_device_index, type Device } from "#torch/accelerator/_utils";
import * as accelerator from "#torch/accelerator/memory";
import { memory_summary_of } from "./memory_summary.ts";

function of_device<T>(name: string, fn: (device: Device) => T): (device?: Device) => T {
  return def(`${name}(device=None)`, (device: Device): T => fn(device));
}

/** Returns unused cached memory of the allocator to the device. */
export const empty_cache = def("empty_cache()", (): void => accelerator.empty_cache());

/** Statistics of the allocator by name: see `torch.accelerator.memory_stats`. */
export const memory_stats = of_device("memory_stats", accelerator.memory_stats);

/** Bytes of live tensors; below, the maximum since the beginning or the last `reset_peak_memory_stats`. */
export const memory_allocated = of_device("memory_allocated", accelerator.memory_allocated);
export const max_memory_allocated = of_device("max_memory_allocated", accelerator.max_memory_allocated);

/** Bytes that the allocator has reserved on the device; below, the maximum. */
export const memory_reserved = of_device("memory_reserved", accelerator.memory_reserved);
export const max_memory_reserved = of_device("max_memory_reserved", accelerator.max_memory_reserved);

/** Restarts the measurement of `peak` in `memory_stats`. */
export const reset_peak_memory_stats = of_device("reset_peak_memory_stats", accelerator.reset_peak_memory_stats);

/** Sets `allocated` and `freed` in `memory_stats` to 0. */
export const reset_accumulated_memory_stats = of_device(
  "reset_accumulated_memory_stats",
  accelerator.reset_accumulated_memory_stats,
);

/** Bytes of device memory: free, and total. */
export const mem_get_info = of_device("mem_get_info", accelerator.get_memory_info);

/** The statistics as a table; `abbreviated` omits the rows of the pools. */
export const memory_summary = def(
  "memory_summary(device=None, abbreviated=False)",
  (device: Device, abbreviated: boolean): string => {
    get_device();
    const index = _get_device_index(device, true);
    return memory_summary_of(accelerator.memory_stats(index), index, abbreviated, "WebGPU", "createBuffer");
  },
);
