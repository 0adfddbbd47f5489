/**
 * @file `torch.cpu`: properties and statistics of the CPU as a device.
 * @mirrors torch/cpu/__init__.py
 */
import { _C } from "../_C.ts";
import { def } from "../_signature.ts";

/**
 * Statistics of the heap, under the names of `torch.cuda.memory_stats` that make sense here. `allocation.all` counts blocks,
 * `allocated_bytes.all` their bytes, `reserved_bytes.all` all bytes ever handed out, each with `current`, `peak`, `allocated` and `freed`.
 * A block without references counts as allocated until the next sweep. Other entries: `num_alloc_retries` (requests that found no room
 * before a sweep), `num_sweeps` and `sweep_ms`, `num_fallbacks` and `fallback_bytes` (requests that got an ArrayBuffer instead),
 * `num_ooms`.
 * @original PyTorch's CPU allocator has no statistics.
 * @example torch.cpu.memory_stats()["allocated_bytes.all.current"];
 */
export const memory_stats = def("memory_stats()", (): Record<string, number> => {
  const flat: Record<string, number> = {};
  flatten("", _C._cpu_memoryStats(), flat);
  return Object.fromEntries(Object.entries(flat).sort(([a], [b]) => (a < b ? -1 : 1)));
});

/**
 * Restarts the measurement of `peak`.
 * @original PyTorch's CPU allocator has no statistics.
 */
export const reset_peak_memory_stats = def("reset_peak_memory_stats()", (): void => _C._cpu_resetPeakMemoryStats());

function flatten(prefix: string, value: unknown, into: Record<string, number>): void {
  if (typeof value === "number") into[prefix] = value;
  else for (const [k, v] of Object.entries(value as object)) flatten(prefix === "" ? k : `${prefix}.${k}`, v, into);
}

export * as amp from "./amp/index.ts";
