/**
 * @file Trees whose structure is known: generated code takes its nested arguments apart with it.
 * @mirrors torch/fx/_pytree.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { getitem } from "#python/Objects/abstract/sequences";
import { str } from "#python/Objects/object";
import { flatten, type TreeSpec } from "#torch/utils/_pytree/index";
import { dict_class, list_class, namedtuple_class, tuple_class } from "#torch/utils/_pytree/registry";
import { has_name } from "./qualified_names.ts";

/** The children of a container as the spec arranges them; any sequence serves as a tuple. Null for other containers. */
function children_of(tree: unknown, spec: TreeSpec): unknown[] | null {
  if (spec.type === dict_class) return (spec.context as unknown[]).map((key) => getitem(tree, key));
  if (![list_class, tuple_class, namedtuple_class()].includes(spec.type as never)) return null;
  return spec.children().map((_, i) => getitem(tree, i));
}

function flatten_by(tree: unknown, spec: TreeSpec): unknown[] {
  if (spec.is_leaf()) return [tree];
  const children = children_of(tree, spec);
  if (children !== null) return children.flatMap((child, i) => flatten_by(child, spec.child(i)));
  const [leaves, real] = flatten(tree);
  if (!real.equals(spec))
    throw new RuntimeError(
      `Real spec ${str(real)} of object ${str(tree)} is different from expected spec ${str(spec)}. Please file an issue at https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml`,
    );
  return leaves;
}

/** The leaves of `pytree`, whose structure is known. @throws {KeyError, IndexError} if a part is missing */
export const tree_flatten_spec = has_name("torch.fx._pytree.tree_flatten_spec", (pytree: unknown, spec: TreeSpec) =>
  flatten_by(pytree, spec),
);
