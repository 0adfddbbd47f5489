/**
 * @file Nested containers as a flat list of leaves and a description of their structure.
 * @mirrors torch/utils/_pytree.py
 */
import { ValueError } from "#c10/util/Exception";
import { takes_values } from "#python/bridge/foreign_functions";
import { call } from "#python/Objects/call";
import { repr, str, truth } from "#python/Objects/object";
import { PyTuple, tuple } from "#python/Objects/tupleobject";
import { info_of, is_instance } from "#python/Objects/typeobject";
import { def } from "#torch/_signature";
import { register_fields } from "./dataclass.ts";
import { type KeyEntry, node_of, register, SUPPORTED_NODES } from "./registry.ts";
import { LEAF, TreeSpec } from "./tree_spec.ts";
import * as treespec_json from "./treespec_json.ts";

export { GetAttrKey, is_namedtuple_instance, MappingKey, SequenceKey, SUPPORTED_NODES } from "./registry.ts";
export { LeafSpec, TreeSpec } from "./tree_spec.ts";

const MODULE = "torch.utils._pytree";
// biome-ignore lint/suspicious/noExplicitAny: a function of any type
type Any = any;

const stops = (is_leaf: unknown, tree: unknown): boolean => is_leaf !== null && truth(call(is_leaf, tree));

function flatten_into(tree: unknown, leaves: unknown[], is_leaf: unknown): TreeSpec {
  const node = stops(is_leaf, tree) ? null : node_of(tree);
  if (node === null) {
    leaves.push(tree);
    return LEAF;
  }
  const [type, definition] = node;
  const [children, context] = definition.flatten(tree as never);
  return new TreeSpec(
    type,
    context,
    children.map((child) => flatten_into(child, leaves, is_leaf)),
  );
}

/** The leaves in order, and the structure. */
export function flatten(tree: unknown, is_leaf: unknown = null): [leaves: unknown[], spec: TreeSpec] {
  const leaves: unknown[] = [];
  const spec = flatten_into(tree, leaves, is_leaf);
  return [leaves, spec];
}

/** The tree with `fn` applied to every leaf, for callers in TypeScript. */
export function map_leaves(tree: unknown, fn: (leaf: unknown) => unknown): unknown {
  const [leaves, spec] = flatten(tree);
  return spec.unflatten(leaves.map(fn));
}

const public_ = <F extends object>(fn: F): F => takes_values(MODULE, fn);

/** `(leaves, spec)`: the leaves in order, and the structure. `is_leaf` stops at containers. */
export const tree_flatten = public_(
  def("tree_flatten(tree: object, is_leaf=None)", (tree: Any, is_leaf: Any): PyTuple => tuple(flatten(tree, is_leaf))),
);
/** The tree of this structure with these leaves. */
export const tree_unflatten = public_(
  def("tree_unflatten(leaves, treespec)", (leaves: Any, treespec: Any): unknown => {
    if (!(treespec instanceof TreeSpec))
      throw new ValueError(
        `tree_unflatten(leaves, treespec): Expected \`treespec\` to be instance of TreeSpec but got item of type ${str(info_of(treespec) ?? treespec)}.`,
      );
    return treespec.unflatten(leaves);
  }),
);
/** The leaves, one after another. */
export const tree_iter = public_(
  def("tree_iter(tree: object, is_leaf=None)", (tree: Any, is_leaf: Any) =>
    flatten(tree, is_leaf)[0][Symbol.iterator](),
  ),
);
export const tree_leaves = public_(
  def("tree_leaves(tree: object, is_leaf=None)", (tree: Any, is_leaf: Any): unknown[] => flatten(tree, is_leaf)[0]),
);
export const tree_structure = public_(
  def("tree_structure(tree: object, is_leaf=None)", (tree: Any, is_leaf: Any): TreeSpec => flatten(tree, is_leaf)[1]),
);
export const arg_tree_leaves = public_((...args: unknown[]): unknown[] => args.flatMap((arg) => flatten(arg)[0]));

/** `rests` are split where `tree` has leaves. */
function mapped(fn: Any, tree: Any, rests: Any[], is_leaf: Any): [results: unknown[], spec: TreeSpec] {
  const [leaves, spec] = flatten(tree, is_leaf);
  const others = rests.map((rest) => spec.flatten_up_to(rest));
  return [leaves.map((leaf, i) => call(fn, leaf, ...others.map((values) => values[i]))), spec];
}

/** The tree with `func` applied to every leaf; `func` also gets the parts of the other trees that stand at this place. */
export const tree_map = public_(
  def(
    "tree_map(func, tree: object, *rests: object, is_leaf=None)",
    (func: Any, tree: Any, rests: Any, is_leaf: Any): unknown => {
      const [results, spec] = mapped(func, tree, rests, is_leaf);
      return spec.unflatten(results);
    },
  ),
);
/** Calls `func` for every leaf and gives the tree back. */
export const tree_map_ = public_(
  def(
    "tree_map_(func, tree: object, *rests: object, is_leaf=None)",
    (func: Any, tree: Any, rests: Any, is_leaf: Any): unknown => {
      mapped(func, tree, rests, is_leaf);
      return tree;
    },
  ),
);

/** Whether a leaf is of one of these types, or fulfils the predicate. */
function selects(what: Any, leaf: unknown): boolean {
  if (what instanceof PyTuple) return what.some((type) => selects(type, leaf));
  const type = info_of(what);
  if (type !== undefined) return is_instance(leaf, type);
  return truth(call(what, leaf));
}

const only = (what: Any, func: Any) => (leaf: unknown) => (selects(what, leaf) ? call(func, leaf) : leaf);

export const tree_map_only = public_(
  def(
    "tree_map_only(type_or_types_or_pred, func, tree: object, is_leaf=None)",
    (what: Any, func: Any, tree: Any, is_leaf: Any): unknown => {
      const [leaves, spec] = flatten(tree, is_leaf);
      return spec.unflatten(leaves.map(only(what, func)));
    },
  ),
);
export const tree_map_only_ = public_(
  def(
    "tree_map_only_(type_or_types_or_pred, func, tree: object, is_leaf=None)",
    (what: Any, func: Any, tree: Any, is_leaf: Any): unknown => {
      flatten(tree, is_leaf)[0].forEach(only(what, func));
      return tree;
    },
  ),
);
export const tree_all = public_(
  def("tree_all(pred, tree: object, is_leaf=None)", (pred: Any, tree: Any, is_leaf: Any): boolean =>
    flatten(tree, is_leaf)[0].every((leaf) => truth(call(pred, leaf))),
  ),
);
export const tree_any = public_(
  def("tree_any(pred, tree: object, is_leaf=None)", (pred: Any, tree: Any, is_leaf: Any): boolean =>
    flatten(tree, is_leaf)[0].some((leaf) => truth(call(pred, leaf))),
  ),
);
export const tree_all_only = public_(
  def(
    "tree_all_only(type_or_types, pred, tree: object, is_leaf=None)",
    (what: Any, pred: Any, tree: Any, is_leaf: Any): boolean =>
      flatten(tree, is_leaf)[0].every((leaf) => !selects(what, leaf) || truth(call(pred, leaf))),
  ),
);
export const tree_any_only = public_(
  def(
    "tree_any_only(type_or_types, pred, tree: object, is_leaf=None)",
    (what: Any, pred: Any, tree: Any, is_leaf: Any): boolean =>
      flatten(tree, is_leaf)[0].some((leaf) => selects(what, leaf) && truth(call(pred, leaf))),
  ),
);

type KeyPath = PyTuple<KeyEntry>;

function paths_into(tree: unknown, path: readonly KeyEntry[], found: [KeyPath, unknown][], is_leaf: unknown): void {
  const node = stops(is_leaf, tree) ? null : node_of(tree);
  if (node === null) {
    found.push([tuple(path), tree]);
    return;
  }
  const [children] = node[1].flatten(tree as never);
  const keys = node[1].keys(tree as never);
  for (const [i, child] of children.entries()) paths_into(child, [...path, keys[i] as KeyEntry], found, is_leaf);
}

/** The leaves with their paths. */
export function with_paths(tree: unknown, is_leaf: unknown = null): [KeyPath, unknown][] {
  const found: [KeyPath, unknown][] = [];
  paths_into(tree, [], found, is_leaf);
  return found;
}

export const tree_leaves_with_path = public_(
  def("tree_leaves_with_path(tree: object, is_leaf=None)", (tree: Any, is_leaf: Any): unknown[] =>
    with_paths(tree, is_leaf).map((pair) => tuple(pair)),
  ),
);
export const tree_flatten_with_path = public_(
  def(
    "tree_flatten_with_path(tree: object, is_leaf=None)",
    (tree: Any, is_leaf: Any): PyTuple =>
      tuple([with_paths(tree, is_leaf).map((pair) => tuple(pair)), flatten(tree, is_leaf)[1]]),
  ),
);
export const tree_map_with_path = public_(
  def(
    "tree_map_with_path(func, tree: object, *rests: object, is_leaf=None)",
    (func: Any, tree: Any, rests: Any, is_leaf: Any): unknown => {
      const spec = flatten(tree, is_leaf)[1];
      const others = (rests as unknown[]).map((rest) => spec.flatten_up_to(rest));
      const results = with_paths(tree, is_leaf).map(([path, leaf], i) =>
        call(func, path, leaf, ...others.map((values) => values[i])),
      );
      return spec.unflatten(results);
    },
  ),
);
/** A path as text: `['a'][0].x`. */
export const keystr = public_((path: Iterable<KeyEntry>): string => [...path].map((entry) => str(entry)).join(""));
/** The part of `obj` at a path. */
export const key_get = public_((obj: unknown, path: Iterable<KeyEntry>): unknown =>
  [...path].reduce((at, entry) => entry.get(at), obj),
);

/**
 * Makes a class a container of trees.
 * @param flatten_fn gives `(children, context)` of an instance
 * @param unflatten_fn makes an instance of children and context
 */
export const register_pytree_node = public_(
  def(
    "register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None, from_dumpable_context=None, flatten_with_keys_fn=None)",
    (cls: Any, flatten_fn: Any, unflatten_fn: Any, name: Any, to: Any, from: Any, flatten_with_keys_fn: Any): void => {
      register(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn);
      if (name !== null)
        treespec_json.register_serialized_type(cls, { name, to_dumpable_context: to, from_dumpable_context: from });
    },
  ),
);
export const _register_pytree_node = public_(
  def(
    "_register_pytree_node(cls, flatten_fn, unflatten_fn, to_str_fn=None, maybe_from_str_fn=None, *, serialized_type_name=None, to_dumpable_context=None, from_dumpable_context=None, flatten_with_keys_fn=None)",
    (...values: Any[]): void => {
      const [cls, flatten_fn, unflatten_fn, , , name, to_dumpable_context, from_dumpable_context] = values;
      register(cls, flatten_fn, unflatten_fn, values[8]);
      if (name !== null)
        treespec_json.register_serialized_type(cls, { name, to_dumpable_context, from_dumpable_context });
    },
  ),
);
/**
 * Makes a dataclass a container of trees.
 * @param field_names the fields that are children; needed if `cls` is no dataclass
 * @param drop_field_names fields that trees leave out
 * @param serialized_type_name the name of the class where the structure is written
 */
export const register_dataclass = public_(
  def(
    "register_dataclass(cls: object, *, field_names: object=None, drop_field_names: object=None, serialized_type_name: str=None)",
    register_fields,
  ),
);
export const _deregister_pytree_node = public_((cls: unknown): void => {
  SUPPORTED_NODES.delete(cls);
});
export const treespec_dumps = public_(
  def("treespec_dumps(treespec: object, protocol: int=None)", treespec_json.treespec_dumps),
);
export const treespec_loads = public_(def("treespec_loads(serialized: str)", treespec_json.treespec_loads));

/** A structure as text, each leaf as `*`. */
export const treespec_pprint = public_((spec: TreeSpec): string =>
  repr(spec.unflatten(Array.from({ length: spec.num_leaves }, () => ASTERISK))),
);

/** Prints as `*`. */
class Asterisk {
  toString(): string {
    return "*";
  }
}
const ASTERISK = new Asterisk();
