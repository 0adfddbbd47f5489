/**
 * @file What `torch.cpu` asks of the engine.
 * @mirrors torch/csrc/cpu/Module.h
 * @differs The heap's counts are ours: PyTorch's CPU allocator is malloc, which keeps none. PyTorch's functions here tell of the
 * processor, of which JavaScript knows nothing.
 */
import { cpu_heap_if_made, HeapStats } from "#c10/core/CPUHeap";

/** The counts, nested as those of `_C._cuda_memoryStats`; zeros before the first allocation. */
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
