/**
 * @file How a loss gathers its elements: names here, numbers in the engine.
 * @mirrors torch/nn/_reduction.py
 */
import { ValueError, warn } from "#c10/util/Exception";
import { PyObject_IsTrue, py_format } from "#torch/_C";

export type Reduction = "none" | "mean" | "sum";

/** `at::Reduction` of a name. */
export function get_enum(reduction: string): number {
  const at = ["none", "mean", "sum"].indexOf(reduction);
  if (at === -1) throw new ValueError(`${py_format(reduction)} is not a valid value for reduction`);
  return at;
}

/** The name for what `size_average` and `reduce` said before there was `reduction`. */
export function legacy_get_string(size_average: boolean | null, reduce: boolean | null): Reduction {
  const averaged = PyObject_IsTrue(size_average ?? true);
  const reduction = PyObject_IsTrue(reduce ?? true) ? (averaged ? "mean" : "sum") : "none";
  warn("UserWarning", `size_average and reduce args will be deprecated, please use reduction='${reduction}' instead.`);
  return reduction;
}

export function legacy_get_enum(size_average: boolean | null, reduce: boolean | null): number {
  return get_enum(legacy_get_string(size_average, reduce));
}
