/**
 * @file Conditions on the sizes of arguments, as Python expressions.
 * @mirrors torch/export/_unlift.py#_get_input_guards_for_graph
 */
import type { PyDict } from "#python/Objects/dictobject";

export interface SizeGuards {
  /** The conditions for one size, which a program finds at `place`. */
  of(size: unknown, place: string): string[];
  /** Conditions that need all sizes. */
  deferred(): string[];
}

export function guards_of_sizes(_ranges: PyDict): SizeGuards {
  return {
    of: (size, place) => (typeof size === "number" ? [`${place} == ${size}`] : []),
    deferred: () => [],
  };
}
