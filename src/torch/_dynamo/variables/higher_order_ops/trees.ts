/**
 * @file Trees of variables: lists, tuples and dicts of tensors, as `torch.utils._pytree` takes them apart.
 * @mirrors torch/utils/_pytree.py
 * @differs PyTorch's Dynamo follows the functions of that module.
 */
import { PyDict } from "#python/Objects/dictobject";
import { tuple } from "#python/Objects/tupleobject";
import { flatten, type TreeSpec } from "#torch/utils/_pytree/index";
import type { VariableTracker } from "../base.ts";
import { ConstDictVariable } from "../dicts.ts";
import { ListVariable, NamedTupleVariable, TupleVariable } from "../lists.ts";
import { NodeVariable } from "../tensor.ts";

/** A tree of the same kinds with other leaves. */
export function map_leaves(given: VariableTracker, fn: (leaf: VariableTracker) => VariableTracker): VariableTracker {
  const of = given.realize();
  const map = (it: VariableTracker): VariableTracker => map_leaves(it, fn);
  if (of instanceof ListVariable) return new ListVariable(of.items.map(map), null, "new");
  if (of instanceof NamedTupleVariable) return new NamedTupleVariable(of.items.map(map), of.python_type());
  if (of instanceof TupleVariable) return new TupleVariable(of.items.map(map));
  if (!(of instanceof ConstDictVariable)) return fn(of);
  const items = new PyDict();
  for (const [key, it] of of.entries()) {
    const made = map(it);
    if (made !== it && made instanceof NodeVariable) made.set_name_hint("value"); // as the loop of `tree_unflatten` names it
    items.set(key, made);
  }
  return new ConstDictVariable(items);
}

export function leaves_of(of: VariableTracker): VariableTracker[] {
  const found: VariableTracker[] = [];
  map_leaves(of, (leaf) => {
    found.push(leaf);
    return leaf;
  });
  return found;
}

/** The structure, as `tree_flatten` gives it. */
export function spec_of(of: VariableTracker): TreeSpec {
  return flatten(skeleton(of))[1];
}
/** The tree with zeros as leaves. */
function skeleton(given: VariableTracker): unknown {
  const of = given.realize();
  if (of instanceof ListVariable) return of.items.map(skeleton);
  if (of instanceof NamedTupleVariable) return tuple(of.items.map(skeleton));
  if (of instanceof TupleVariable) return tuple(of.items.map(skeleton));
  if (!(of instanceof ConstDictVariable)) return 0;
  const items = new PyDict();
  for (const [key, it] of of.entries()) items.set(key, skeleton(it));
  return items;
}
