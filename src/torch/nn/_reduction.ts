/**
 * @file Reductions of a loss: names in the front end, numbers in the operators.
 * @mirrors torch/nn/_reduction.py
 */
import { ValueError, warn } from "#c10/util/Exception";
import { PyObject_IsTrue, py_format } from "#torch/_C";

export type Reduction = "none" | "mean" | "sum";

/** The number of a reduction in `at::Reduction`. */
export function get_enum(reduction: string): number {
  const at = ["none", "mean", "sum"].indexOf(reduction);
  if (at === -1) throw new ValueError(`${py_format(reduction)} is not a valid value for reduction`);
  return at;
}

/** The name of the reduction that the old arguments `size_average` and `reduce` describe. */
export function legacy_get_string(size_average: boolean | null, reduce: boolean | null): Reduction {
  const averaged = PyObject_IsTrue(size_average ?? true);
  const reduction = PyObject_IsTrue(reduce ?? true) ? (averaged ? "mean" : "sum") : "none";
  warn("UserWarning", `size_average and reduce args will be deprecated, please use reduction='${reduction}' instead.`);
  return reduction;
}

export function legacy_get_enum(size_average: boolean | null, reduce: boolean | null): number {
  return get_enum(legacy_get_string(size_average, reduce));
}
