/**
 * @file How a range of work is split.
 * @mirrors aten/src/ATen/Parallel.h
 * @differs parallel_for, which takes a closure, is not here: closures cannot cross between threads of JavaScript. `parallel_kernel` is its like
 * for functions that can.
 * @see ParallelNative.ts
 */

/** Elements below which splitting would not pay. @mirrors aten/src/ATen/TensorIterator.h */
export const GRAIN_SIZE = 32768;

export function divup(x: number, y: number): number {
  return Math.floor((x + y - 1) / y);
}

/**
 * How at::parallel_for cuts [begin, end): into as many parts as there are threads, fewer if a part would be smaller than the grain.
 * @param unit what parts begin at multiples of
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
