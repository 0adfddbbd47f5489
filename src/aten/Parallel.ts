/**
 * @file Splitting of a range of work into parts.
 * @mirrors aten/src/ATen/Parallel.h
 * @differs There is no parallel_for, because a closure cannot cross between JavaScript threads; PyTorch's takes one.
 * `parallel_kernel` does the same for functions that can cross.
 * @see ParallelNative.ts
 */

/** Ranges with fewer elements are not worth splitting. @mirrors aten/src/ATen/TensorIterator.h */
export const GRAIN_SIZE = 32768;

export function divup(x: number, y: number): number {
  return Math.floor((x + y - 1) / y);
}

/**
 * The parts into which at::parallel_for cuts [begin, end): one per thread, fewer if a part would be smaller than the grain.
 * @param unit parts begin at multiples of it
 */
export function parts_of(
  begin: number,
  end: number,
  grain_size: number,
  num_threads: number,
  unit = 1,
): (readonly [begin: number, end: number])[] {
  const n = end - begin;
  const size = divup(divup(n, Math.min(num_threads, divup(n, Math.max(1, grain_size)))), unit) * unit;
  const parts: (readonly [number, number])[] = [];
  for (let from = begin; from < end; from += size) parts.push([from, Math.min(end, from + size)]);
  return parts;
}
