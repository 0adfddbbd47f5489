/**
 * @file Sizes of D dimensions that may be given as one number for all of them: `kernel_size` 3 means [3, 3].
 * @mirrors torch/csrc/api/include/torch/expanding_array.h
 */
import { TORCH_CHECK, TypeError_ } from "#c10/util/Exception";

/** D sizes, or one for all. */
export type Expanding = number | readonly number[];

export function ExpandingArray(D: number, given: Expanding): number[] {
  if (typeof given === "number") return Array(D).fill(given);
  if (!Array.isArray(given))
    throw new TypeError_(`expected a number or an array of ${D} numbers, but got ${typeof given}`);
  TORCH_CHECK(given.length === D, "Expected ", D, " values, but instead got ", given.length);
  return [...given];
}

/** D sizes, or one for all; null stands for the input's own size. */
export type ExpandingWithOptionalElem = number | null | readonly (number | null)[];

export function ExpandingArrayWithOptionalElem(D: number, given: ExpandingWithOptionalElem): (number | null)[] {
  if (given === null) return Array(D).fill(null);
  return ExpandingArray(D, given as Expanding);
}

/** As C++ prints an `ExpandingArray`: one size alone, several in brackets. */
export function printed_sizes(sizes: readonly (number | null)[]): string {
  const words = sizes.map((size) => (size === null ? "None" : String(size)));
  return words.length === 1 ? words[0] : `[${words.join(", ")}]`;
}
