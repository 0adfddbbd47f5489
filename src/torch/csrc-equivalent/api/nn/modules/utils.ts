/**
 * @file Lists of sizes for modules and functions.
 * @mirrors torch/csrc/api/include/torch/nn/modules/utils.h
 */
import { TORCH_CHECK } from "#c10/util/Exception";

/** The values from the last to the first, each `n` times. */
export function _reverse_repeat_vector(values: readonly number[], n: number): number[] {
  return values.toReversed().flatMap((value) => Array<number>(n).fill(value));
}

/** Sizes in which null stands for the size in the same place from the end of `defaults`. */
export function _list_with_default(out_size: readonly (number | null)[], defaults: readonly number[]): number[] {
  TORCH_CHECK(defaults.length > out_size.length, "Input dimension should be at least ", out_size.length + 1);
  const tail = defaults.slice(defaults.length - out_size.length);
  return out_size.map((size, i) => size ?? tail[i]);
}
