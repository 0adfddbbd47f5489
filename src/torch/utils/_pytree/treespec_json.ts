/**
 * @file The structure of a tree as JSON, and back.
 * @mirrors torch/utils/_pytree.py#treespec_dumps
 *
 *     (*, {"k": *})  ->  [1, {"type": "builtins.tuple", "context": "null", "children_spec": [{"type": null, ...}, {"type": "builtins.dict", "context": "[\"k\"]", ...}]}]
 */
import { NotImplementedError, TypeError_, ValueError } from "#c10/util/Exception";
import { call } from "#python/Objects/call";
import { dict_of, type PyDict } from "#python/Objects/dictobject";
import { getattr, repr, str } from "#python/Objects/object";
import { type_of } from "#python/Objects/typeobject";
import { import_module } from "#python/vm/import";
import { dict_class, list_class, namedtuple_class, ordered_dict_class, tuple_class } from "./registry.ts";
import { LEAF, TreeSpec } from "./tree_spec.ts";

const PROTOCOL = 1;

/** How the context of a container is written. */
interface SerializedType {
  readonly name: string;
  /** A callable; null for `json.dumps`. */
  readonly to_dumpable_context: unknown;
  readonly from_dumpable_context: unknown;
}

const registered = new Map<unknown, SerializedType>();

/** Says how a container is written; `_register_pytree_node` with `serialized_type_name` calls this. */
export function register_serialized_type(cls: unknown, type: SerializedType): void {
  registered.set(cls, type);
}

const json = (name: "dumps" | "loads", value: unknown): unknown => call(getattr(import_module("json"), name), value);

function builtin_types(): Map<unknown, SerializedType> {
  if (registered.has(tuple_class)) return registered;
  const plain = (cls: unknown, name: string): unknown =>
    registered.set(cls, { name, to_dumpable_context: null, from_dumpable_context: null });
  plain(tuple_class, "builtins.tuple");
  plain(list_class, "builtins.list");
  plain(dict_class, "builtins.dict");
  plain(ordered_dict_class(), "collections.OrderedDict");
  return registered;
}

function treespec_to_json(spec: TreeSpec): PyDict {
  const entry = (type: unknown, context: unknown, children: readonly PyDict[]): PyDict =>
    dict_of(Object.entries({ type, context, children_spec: [...children] }));
  if (spec.is_leaf()) return entry(null, null, []);
  const known = builtin_types().get(spec.type);
  if (known === undefined) {
    const registration = spec.type === namedtuple_class() ? "is not registered." : "in pytree is not registered.";
    throw new NotImplementedError(`Serializing ${str(spec.type)} ${registration}`);
  }
  const { to_dumpable_context } = known;
  const context = to_dumpable_context === null ? json("dumps", spec.context) : call(to_dumpable_context, spec.context);
  return entry(known.name, context, spec.children().map(treespec_to_json));
}

function json_to_treespec(schema: PyDict): TreeSpec {
  const [type, context] = [schema.get("type"), schema.get("context")];
  const children = schema.get("children_spec") as PyDict[];
  if (type === null && context === null && children.length === 0) return LEAF;
  const found = [...builtin_types()].find(([, { name }]) => name === type);
  if (found === undefined) throw new NotImplementedError(`Deserializing ${str(type)} in pytree is not registered.`);
  const [cls, { from_dumpable_context }] = found;
  const read = from_dumpable_context === null ? json("loads", context) : call(from_dumpable_context, context);
  return new TreeSpec(cls, read, children.map(json_to_treespec));
}

/** A structure as text. @throws {NotImplementedError} for a container without a serialized name */
export function treespec_dumps(treespec: TreeSpec, protocol: number | null): string {
  if (!(treespec instanceof TreeSpec))
    throw new TypeError_(
      `treespec_dumps(treespec, protocol): Expected \`treespec\` to be instance of TreeSpec but got item of type ${type_of(treespec).toString()}.`,
    );
  if (protocol !== null && protocol !== PROTOCOL)
    throw new ValueError(`Unknown protocol ${repr(protocol)}. Available protocols: [${PROTOCOL}]`);
  return json("dumps", [PROTOCOL, treespec_to_json(treespec)]) as string;
}

/** The structure of such a text. */
export function treespec_loads(serialized: string): TreeSpec {
  const [protocol, schema] = json("loads", serialized) as [number, PyDict];
  if (protocol !== PROTOCOL)
    throw new ValueError(`Unknown protocol ${repr(protocol)}. Available protocols: [${PROTOCOL}]`);
  return json_to_treespec(schema);
}
