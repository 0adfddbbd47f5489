/**
 * @file Memory statistics of the accelerator's caching allocator, in bytes and counts.
 * @mirrors torch/accelerator/memory.py
 * @differs Ours has no cache of pinned host memory and no snapshots; PyTorch has both.
 */
import { _C } from "#torch/_C";
import { def } from "#torch/_signature";
import { _get_device_index, type Device } from "./_utils.ts";

/** Returns unused cached memory of the allocator to the device. */
export const empty_cache = def("empty_cache()", (): void => {
  if (_C._accelerator_isAllocatorInitialized()) _C._accelerator_emptyCache();
});

function flatten(prefix: string, value: object, into: [string, number][]): void {
  for (const [k, v] of Object.entries(value)) {
    const name = prefix === "" ? k : `${prefix}.${k}`;
    if (typeof v === "number") into.push([name, v]);
    else flatten(name, v as object, into);
  }
}

/**
 * Statistics of the allocator: `allocated_bytes`, `reserved_bytes`, `active_bytes`, `requested_bytes`, `allocation`, `segment`, ..., each
 * for `all`, the `small_pool` and the `large_pool`, each with `current`, `peak`, `allocated` and `freed`; and the numbers of retries and
 * failures.
 * @example torch.accelerator.memory_stats()["allocated_bytes.all.peak"];
 */
export const memory_stats = def(
  "memory_stats(device_index=None, /)",
  (device_index: Device): Record<string, number> => {
    if (!_C._accelerator_isAllocatorInitialized()) return {};
    const flat: [string, number][] = [];
    flatten("", _C._accelerator_getDeviceStats(_get_device_index(device_index, true)), flat);
    return Object.fromEntries(flat.sort(([a], [b]) => (a < b ? -1 : 1)));
  },
);

/** One entry of `memory_stats`; 0 if there are no statistics. */
function stat(name: string, device_index: Device): number {
  return memory_stats(device_index)[name] ?? 0;
}

/** Bytes of live tensors. */
export const memory_allocated = def("memory_allocated(device_index=None, /)", (device_index: Device): number =>
  stat("allocated_bytes.all.current", device_index),
);

/** The maximum of `memory_allocated` since the beginning or the last `reset_peak_memory_stats`. */
export const max_memory_allocated = def("max_memory_allocated(device_index=None, /)", (device_index: Device): number =>
  stat("allocated_bytes.all.peak", device_index),
);

/** Bytes that the allocator has reserved on the device. */
export const memory_reserved = def("memory_reserved(device_index=None, /)", (device_index: Device): number =>
  stat("reserved_bytes.all.current", device_index),
);

/** The maximum of `memory_reserved` since the beginning or the last `reset_peak_memory_stats`. */
export const max_memory_reserved = def("max_memory_reserved(device_index=None, /)", (device_index: Device): number =>
  stat("reserved_bytes.all.peak", device_index),
);

/** Sets the counts `allocated` and `freed` to 0. */
export const reset_accumulated_memory_stats = def(
  "reset_accumulated_memory_stats(device_index=None, /)",
  (device_index: Device): void => {
    if (_C._accelerator_isAllocatorInitialized())
      _C._accelerator_resetAccumulatedStats(_get_device_index(device_index, true));
  },
);

/** Restarts the measurement of `peak`. */
export const reset_peak_memory_stats = def(
  "reset_peak_memory_stats(device_index=None, /)",
  (device_index: Device): void => {
    if (_C._accelerator_isAllocatorInitialized()) _C._accelerator_resetPeakStats(_get_device_index(device_index, true));
  },
);

/** Bytes of device memory: free, and total. */
export const get_memory_info = def(
  "get_memory_info(device_index=None, /)",
  (device_index: Device): [free: number, total: number] =>
    _C._accelerator_getMemoryInfo(_get_device_index(device_index, true)),
);
