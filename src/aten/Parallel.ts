/**
 * @file How a range of work would be split between threads. There is one thread, so it never is.
 * @mirrors aten/src/ATen/Parallel.h
 * @differs JavaScript kernels run on one thread; PyTorch splits ranges longer than the grain size.
 */

/** Elements below which splitting would not pay. @mirrors aten/src/ATen/TensorIterator.h */
export const GRAIN_SIZE = 32768;

export function divup(x: number, y: number): number {
  return Math.floor((x + y - 1) / y);
}

/** Calls `f(begin, end)` for the parts of a range; here for the whole. */
export function parallel_for(
  begin: number,
  end: number,
  _grain_size: number,
  f: (begin: number, end: number) => void,
): void {
  if (begin < end) f(begin, end);
}
