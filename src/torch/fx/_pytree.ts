/**
 * @file Trees whose structure is known: generated code takes its nested arguments apart with it.
 * @mirrors torch/fx/_pytree.py
 */
import { flatten_by, type TreeSpec } from "#torch/utils/_pytree/index";
import { has_name } from "./qualified_names.ts";

/** The leaves of `pytree`, which must have this structure. */
export const tree_flatten_spec = has_name("torch.fx._pytree.tree_flatten_spec", (pytree: unknown, spec: TreeSpec) =>
  flatten_by(pytree, spec),
);
