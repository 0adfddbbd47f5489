/**
 * @file How a loss gathers its elements: names here, numbers in the engine.
 * @mirrors torch/nn/_reduction.py
 */
import { ValueError } from "#c10/util/Exception";

export type Reduction = "none" | "mean" | "sum";

/** `at::Reduction` of a name. */
export function get_enum(reduction: string): number {
  const at = ["none", "mean", "sum"].indexOf(reduction);
  if (at === -1) throw new ValueError(`${reduction} is not a valid value for reduction`);
  return at;
}
