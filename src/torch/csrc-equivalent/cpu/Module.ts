/**
 * @file The functions behind `torch.cpu`.
 * @mirrors torch/csrc/cpu/Module.h
 * @differs It reports counts of the heap; PyTorch's functions here describe the processor, which JavaScript cannot see,
 * and its CPU allocator is malloc, which keeps no counts.
 */
import { cpu_heap_if_made, HeapStats } from "#c10/core/CPUHeap";

/** The counts, nested like those of `_C._cuda_memoryStats`; zeros before the first allocation. */
export function _cpu_memoryStats(): Record<string, unknown> {
  const { allocation, allocated_bytes, reserved_bytes, ...numbers } = cpu_heap_if_made()?.stats ?? new HeapStats();
  return {
    allocation: { all: { ...allocation } },
    allocated_bytes: { all: { ...allocated_bytes } },
    reserved_bytes: { all: { ...reserved_bytes } },
    ...numbers,
  };
}

export function _cpu_resetPeakMemoryStats(): void {
  cpu_heap_if_made()?.stats.reset_peak();
}
