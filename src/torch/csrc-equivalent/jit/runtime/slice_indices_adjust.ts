/**
 * @file Where a slice of a list or string begins and how many elements it takes.
 * @mirrors torch/csrc/jit/runtime/slice_indices_adjust.cpp
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { INT64_MAX, INT64_MIN, type int64 } from "./int64.ts";

/**
 * The first index and the number of elements of `[start:stop:step]`.
 * @param start null, as Python's None, means from the end at which the slice begins
 * @throws {RuntimeError} "List slice should have non-zero step"
 */
export function slice_indices_adjust(
  length: number,
  start_: int64 | null,
  stop_: int64 | null,
  step_: int64,
): { start: number; step: number; count: number } {
  TORCH_CHECK(step_ !== 0, "List slice should have non-zero step");
  TORCH_CHECK(step_ !== INT64_MIN, "List slice step is out of bounds");
  const step = Number(step_);
  const backwards = step < 0;
  const inside = (index: int64 | null, omitted: number): number => {
    if (index === null || index === INT64_MAX) return omitted;
    const from_front = index < 0 ? Number(index) + length : Number(index);
    if (from_front < 0) return backwards ? -1 : 0;
    return from_front >= length ? (backwards ? length - 1 : length) : from_front;
  };
  const start = inside(start_, backwards ? length - 1 : 0);
  const stop = inside(stop_, backwards ? -1 : length);
  const distance = backwards ? start - stop : stop - start;
  return { start, step, count: distance > 0 ? Math.floor((distance - 1) / Math.abs(step)) + 1 : 0 };
}
