/**
 * @file Memory statistics of CUDA devices: nothing is allocated.
 * @mirrors torch/cuda/memory.py
 */
import { def } from "#torch/_signature";
import { needs_cuda } from "./_lazy_init.ts";

const nothing = (): number => 0;

/** Bytes of tensors on the device: 0. */
export const memory_allocated = def("memory_allocated(device=None)", nothing);
/** The maximum of `memory_allocated`: 0. */
export const max_memory_allocated = def("max_memory_allocated(device=None)", nothing);
/** Bytes that the allocator has reserved: 0. */
export const memory_reserved = def("memory_reserved(device=None)", nothing);
/** The maximum of `memory_reserved`: 0. */
export const max_memory_reserved = def("max_memory_reserved(device=None)", nothing);
/** Statistics of the allocator: empty. */
export const memory_stats = def("memory_stats(device=None)", (): Record<string, number> => ({}));
/** Returns cached memory to the device; there is none. */
export const empty_cache = def("empty_cache()", (): void => {});
export const mem_get_info = needs_cuda("mem_get_info(device=None)");
export const set_per_process_memory_fraction = needs_cuda("set_per_process_memory_fraction(fraction, device=None)");
