/**
 * @file The memory of a card: nothing is allocated.
 * @mirrors torch/cuda/memory.py
 */
import { def } from "#torch/_signature";
import { needs_cuda } from "./_lazy_init.ts";

const nothing = (): number => 0;

/** Bytes that tensors hold on the card: 0. */
export const memory_allocated = def("memory_allocated(device=None)", nothing);
/** The most that it was: 0. */
export const max_memory_allocated = def("max_memory_allocated(device=None)", nothing);
/** Bytes that the allocator holds: 0. */
export const memory_reserved = def("memory_reserved(device=None)", nothing);
/** The most that it was: 0. */
export const max_memory_reserved = def("max_memory_reserved(device=None)", nothing);
/** The counts of an allocator that counts nothing: none. */
export const memory_stats = def("memory_stats(device=None)", (): Record<string, number> => ({}));
/** Gives free memory back: there is none. */
export const empty_cache = def("empty_cache()", (): void => {});
export const mem_get_info = needs_cuda("mem_get_info(device=None)");
export const set_per_process_memory_fraction = needs_cuda("set_per_process_memory_fraction(fraction, device=None)");
