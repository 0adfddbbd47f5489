/**
 * @file The types that are containers of a tree, how each is taken apart, and how it is put together.
 * @mirrors torch/utils/_pytree.py#SUPPORTED_NODES
 */
import { ValueError } from "#c10/util/Exception";
import { TAKES_VALUES } from "#python/Objects/allocated";
import { call, vectorcall } from "#python/Objects/call";
import { dict_type, PyDict } from "#python/Objects/dictobject";
import { each } from "#python/Objects/iterobject";
import { getattr, getattr_or_undefined, repr, str } from "#python/Objects/object";
import { PyTuple, tuple, tuple_like } from "#python/Objects/tupleobject";
import { INFO, list_type, type PyClass, type TypeObject, type_of } from "#python/Objects/typeobject";
import { import_module } from "#python/vm/import";

/** The part of a container besides its children: a dict's keys. */
export type Context = unknown;

/** Entry of a path: `[0]`, `['key']` or `.name`. */
export abstract class KeyEntry {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch.utils._pytree";
  abstract get(parent: unknown): unknown;
}

/** An index of a list or tuple. */
export class SequenceKey extends KeyEntry {
  readonly idx: number;
  constructor(idx: number) {
    super();
    this.idx = idx;
  }
  override toString(): string {
    return `[${repr(this.idx)}]`;
  }
  __repr__(): string {
    return `SequenceKey(idx=${repr(this.idx)})`;
  }
  __eq__(other: unknown): boolean {
    return other instanceof SequenceKey && other.idx === this.idx;
  }
  get(parent: unknown): unknown {
    return call(getattr(parent, "__getitem__"), this.idx);
  }
}

/** A key of a dict. */
export class MappingKey extends KeyEntry {
  readonly key: unknown;
  constructor(key: unknown) {
    super();
    this.key = key;
  }
  override toString(): string {
    return `[${repr(this.key)}]`;
  }
  __repr__(): string {
    return `MappingKey(key=${repr(this.key)})`;
  }
  __eq__(other: unknown): boolean {
    return other instanceof MappingKey && other.key === this.key;
  }
  get(parent: unknown): unknown {
    return call(getattr(parent, "__getitem__"), this.key);
  }
}

/** A field of a named tuple or a dataclass. */
export class GetAttrKey extends KeyEntry {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  override toString(): string {
    return `.${this.name}`;
  }
  __repr__(): string {
    return `GetAttrKey(name=${repr(this.name)})`;
  }
  __eq__(other: unknown): boolean {
    return other instanceof GetAttrKey && other.name === this.name;
  }
  get(parent: unknown): unknown {
    return getattr(parent, this.name);
  }
}

export interface NodeDef {
  readonly flatten: (tree: never) => readonly [children: readonly unknown[], context: Context];
  readonly unflatten: (children: readonly unknown[], context: Context) => unknown;
  readonly keys: (tree: never) => readonly KeyEntry[];
}

/** By the class that a program sees. */
export const SUPPORTED_NODES = new Map<unknown, NodeDef>();

const sequence_keys = (tree: readonly unknown[]): KeyEntry[] => tree.map((_, i) => new SequenceKey(i));
const mapping_keys = (tree: ReadonlyMap<unknown, unknown>): KeyEntry[] =>
  [...tree.keys()].map((key) => new MappingKey(key));

export const tuple_class: PyClass = type_of(tuple([])).cls;
export const list_class: PyClass = list_type.cls;
export const dict_class: PyClass = dict_type.cls;

SUPPORTED_NODES.set(tuple_class, {
  flatten: (tree: PyTuple) => [[...tree], null],
  unflatten: (children) => tuple(children),
  keys: sequence_keys,
});
SUPPORTED_NODES.set(list_class, {
  flatten: (tree: unknown[]) => [[...tree], null],
  unflatten: (children) => [...children],
  keys: sequence_keys,
});
SUPPORTED_NODES.set(dict_class, {
  flatten: (tree: ReadonlyMap<unknown, unknown>) => [[...tree.values()], [...tree.keys()]],
  unflatten: (children, keys) =>
    plain_keys.has(keys as object)
      ? Object.fromEntries((keys as string[]).map((key, i) => [key, children[i]]))
      : dict_with(new PyDict(), keys as unknown[], children),
  keys: mapping_keys,
});

function dict_with(dict: PyDict, keys: readonly unknown[], values: readonly unknown[]): PyDict {
  keys.forEach((key, i) => {
    dict.set(key, values[i]);
  });
  return dict;
}

let collections: {
  readonly namedtuple: unknown;
  readonly OrderedDict: unknown;
  readonly defaultdict: unknown;
  readonly deque: unknown;
} | null = null;

/** The containers of the module `collections`, which is loaded when a tree holds something that is no plain container. */
function from_collections(): NonNullable<typeof collections> {
  if (collections !== null) return collections;
  const module = import_module("collections");
  const [namedtuple, OrderedDict, defaultdict, deque] = ["namedtuple", "OrderedDict", "defaultdict", "deque"].map(
    (name) => getattr(module, name),
  );
  collections = { namedtuple, OrderedDict, defaultdict, deque };
  SUPPORTED_NODES.set(namedtuple, {
    flatten: (tree: PyTuple) => [[...tree], type_of(tree).cls],
    unflatten: (children, cls) => vectorcall(cls, [...children], null),
    keys: (tree) => [...each(getattr(tree, "_fields"))].map((name) => new GetAttrKey(name as string)),
  });
  SUPPORTED_NODES.set(OrderedDict, {
    flatten: (tree: ReadonlyMap<unknown, unknown>) => [[...tree.values()], [...tree.keys()]],
    unflatten: (children, keys) => dict_with(call(OrderedDict) as PyDict, keys as unknown[], children),
    keys: mapping_keys,
  });
  SUPPORTED_NODES.set(defaultdict, {
    flatten: (tree: ReadonlyMap<unknown, unknown>) => [
      [...tree.values()],
      [getattr(tree, "default_factory"), [...tree.keys()]],
    ],
    unflatten: (children, context) => {
      const [factory, keys] = context as [unknown, unknown[]];
      return dict_with(call(defaultdict, factory) as PyDict, keys, children);
    },
    keys: mapping_keys,
  });
  SUPPORTED_NODES.set(deque, {
    flatten: (tree) => [[...each(tree)], getattr(tree, "maxlen")],
    unflatten: (children, maxlen) => call(deque, [...children], maxlen),
    keys: (tree) => [...each(tree)].map((_, i) => new SequenceKey(i)),
  });
  return collections;
}

/** `collections.namedtuple`, which stands for all named tuples. */
export const namedtuple_class = (): unknown => from_collections().namedtuple;
export const ordered_dict_class = (): unknown => from_collections().OrderedDict;

/** The key of a value in `SUPPORTED_NODES`, and how it is taken apart; null if it is a leaf. */
export function node_of(tree: unknown): [type: unknown, node: NodeDef] | null {
  if (typeof tree !== "object" || tree === null) return null;
  if (!Array.isArray(tree) && !(tree instanceof Map)) {
    const type = type_of(tree);
    const known = SUPPORTED_NODES.get(type.cls);
    if (known !== undefined) return [type.cls, known];
    if (type.name === "deque") return node_in_collections(type);
    // The plain objects of JavaScript are dicts.
    return Object.getPrototypeOf(tree) === Object.prototype ? [dict_class, PLAIN_OBJECT] : null;
  }
  const type = type_of(tree);
  const known = SUPPORTED_NODES.get(type.cls);
  if (known !== undefined) return [type.cls, known];
  if (tree instanceof PyTuple && is_namedtuple_instance(tree)) {
    const { namedtuple } = from_collections();
    return [namedtuple, SUPPORTED_NODES.get(namedtuple) as NodeDef];
  }
  // The library's sizes and results are tuples of classes of their own.
  if (tree instanceof PyTuple && type.name === "Size") {
    SUPPORTED_NODES.set(type.cls, SIZE);
    return [type.cls, SIZE];
  }
  if (tree instanceof PyTuple && getattr_or_undefined(tree, "n_fields") !== undefined) return [type.cls, RETURN_TYPE];
  return node_in_collections(type);
}

function node_in_collections(type: TypeObject): [unknown, NodeDef] | null {
  from_collections();
  const found = SUPPORTED_NODES.get(type.cls);
  return found === undefined ? null : [type.cls, found];
}

/** Lists of the keys of plain objects, which become plain objects again. */
const plain_keys = new WeakSet<object>();

const PLAIN_OBJECT: NodeDef = {
  flatten: (tree: Record<string, unknown>) => {
    const keys = Object.keys(tree);
    plain_keys.add(keys);
    return [Object.values(tree), keys];
  },
  unflatten: (children, keys) => dict_with(new PyDict(), keys as unknown[], children),
  keys: (tree: Record<string, unknown>) => Object.keys(tree).map((key) => new MappingKey(key)),
};
/** A size becomes a tuple: its elements may be symbols or nodes then. */
const SIZE: NodeDef = {
  flatten: (tree: PyTuple) => [[...tree], null],
  unflatten: (children) => tuple([...children]),
  keys: sequence_keys,
};

const RETURN_TYPE: NodeDef = {
  flatten: (tree: PyTuple) => [[...tree], tree],
  unflatten: (children, like) => tuple_like(like as PyTuple, children),
  keys: sequence_keys,
};

/** Whether the value is an instance of a class that `collections.namedtuple` made. */
export function is_namedtuple_instance(value: unknown): boolean {
  if (!(value instanceof PyTuple)) return false;
  const fields = getattr_or_undefined(value, "_fields");
  return fields instanceof PyTuple && fields.every((name) => typeof name === "string");
}

/** How a node type that a spec names is put together again. */
export function definition_of(type: unknown): NodeDef {
  const found = SUPPORTED_NODES.get(type);
  if (found !== undefined) return found;
  from_collections();
  return SUPPORTED_NODES.get(type) ?? RETURN_TYPE;
}

/** `collections.namedtuple`, which stands for all its classes. */
export const namedtuple_key = (): unknown => from_collections().namedtuple;

/** @throws {ValueError} if the class is a container already */
export function register_node(cls: unknown, node: NodeDef): void {
  if (SUPPORTED_NODES.has(cls)) throw new ValueError(`${str(cls)} is already registered as pytree node.`);
  SUPPORTED_NODES.set(cls, node);
}

export function register(cls: unknown, flatten_fn: unknown, unflatten_fn: unknown, keys_fn: unknown): void {
  register_node(cls, {
    flatten: (tree: unknown) => {
      const [children, context] = [...each(call(flatten_fn, tree))];
      return [[...each(children)], context];
    },
    unflatten: (children, context) => call(unflatten_fn, [...children], context),
    keys: (tree: unknown) => {
      if (keys_fn === null) throw new ValueError(`Did not find a flatten_with_keys_fn for type: ${str(cls)}`);
      const [pairs] = [...each(call(keys_fn, tree))];
      return [...each(pairs)].map((pair) => [...each(pair)][0] as KeyEntry);
    },
  });
}

export const class_name = (type: unknown): string =>
  String(getattr_or_undefined(type, "__name__") ?? (type as { readonly [INFO]?: TypeObject })[INFO]?.name ?? str(type));
