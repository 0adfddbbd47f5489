/**
 * @file Memory of the accelerator, in bytes and counts, as its caching allocator keeps it.
 * @mirrors torch/accelerator/memory.py
 * @differs No cache of pinned host memory, no snapshots.
 */
import { _C } from "#torch/_C";
import { def } from "#torch/_signature";
import { _get_device_index, type Device } from "./_utils.ts";

/** Gives the device back what the allocator holds and nobody uses. */
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
 * The allocator's counts: `allocated_bytes`, `reserved_bytes`, `active_bytes`, `requested_bytes`, `allocation`, `segment`, ..., each
 * of `all`, the `small_pool` and the `large_pool`, each with `current`, `peak`, `allocated` and `freed`; and counts of retries and failures.
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

/** One of `memory_stats`, 0 where there are none. */
function stat(name: string, device_index: Device): number {
  return memory_stats(device_index)[name] ?? 0;
}

/** Bytes in tensors that live. */
export const memory_allocated = def("memory_allocated(device_index=None, /)", (device_index: Device): number =>
  stat("allocated_bytes.all.current", device_index),
);

/** The most that there were, since the beginning or the last `reset_peak_memory_stats`. */
export const max_memory_allocated = def("max_memory_allocated(device_index=None, /)", (device_index: Device): number =>
  stat("allocated_bytes.all.peak", device_index),
);

/** Bytes that the allocator has of the device. */
export const memory_reserved = def("memory_reserved(device_index=None, /)", (device_index: Device): number =>
  stat("reserved_bytes.all.current", device_index),
);

/** The most that there were, since the beginning or the last `reset_peak_memory_stats`. */
export const max_memory_reserved = def("max_memory_reserved(device_index=None, /)", (device_index: Device): number =>
  stat("reserved_bytes.all.peak", device_index),
);

/** From now on `allocated` and `freed` count from 0. */
export const reset_accumulated_memory_stats = def(
  "reset_accumulated_memory_stats(device_index=None, /)",
  (device_index: Device): void => {
    if (_C._accelerator_isAllocatorInitialized())
      _C._accelerator_resetAccumulatedStats(_get_device_index(device_index, true));
  },
);

/** From now on `peak` is the most since now. */
export const reset_peak_memory_stats = def(
  "reset_peak_memory_stats(device_index=None, /)",
  (device_index: Device): void => {
    if (_C._accelerator_isAllocatorInitialized()) _C._accelerator_resetPeakStats(_get_device_index(device_index, true));
  },
);

/** Bytes of the device: free, and in all. */
export const get_memory_info = def(
  "get_memory_info(device_index=None, /)",
  (device_index: Device): [free: number, total: number] =>
    _C._accelerator_getMemoryInfo(_get_device_index(device_index, true)),
);
