/**
 * @file The lists and dicts in a node's arguments: a program can read them and cannot change them, because the graph keeps track of their nodes.
 * @mirrors torch/fx/immutable_collections.py
 */
import { TypeError_ } from "#c10/util/Exception";
import { dict_type, PyDict } from "#python/Objects/dictobject";
import { hash_of } from "#python/Objects/hashing";
import { each } from "#python/Objects/iterobject";
import { define_methods, define_static_methods } from "#python/Objects/methodobject";
import { tuple } from "#python/Objects/tupleobject";
import { builtin_type, list_type, type_of } from "#python/Objects/typeobject";

const HELP = `If you are attempting to modify the kwargs or args of a torch.fx.Node object,
instead create a new copy of it and assign the copy to the node:

    new_args = ...  # copy and mutate args
    node.args = new_args`;

function no_mutation(self: unknown): never {
  throw new TypeError_(`'${type_of(self).name}' object does not support mutation. ${HELP}`);
}

/** Python's methods that would change the collection. */
const refusing = (names: string): Record<string, (self: unknown) => never> =>
  Object.fromEntries(names.split(" ").map((name) => [`${name}(self, /, *args, **kwargs)`, no_mutation]));

/** A list that is frozen. */
export class immutable_list<T = unknown> extends Array<T> {
  /** `map` and `slice` give lists that can be changed. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** The list of these values. */
  static of_values<T>(values: Iterable<T>): immutable_list<T> {
    const result = new immutable_list<T>();
    for (const value of values) Array.prototype.push.call(result, value);
    return Object.freeze(result) as immutable_list<T>;
  }
}

export const immutable_list_type = builtin_type("immutable_list", {
  bases: [list_type],
  cls: immutable_list,
  module: "torch.fx.immutable_collections",
});
define_static_methods(immutable_list_type, {
  "__new__(cls, iterable=(), /)": (_cls: unknown, values: unknown) => immutable_list.of_values(each(values)),
});
define_methods(immutable_list_type, {
  ...refusing("__delitem__ __iadd__ __imul__ __setitem__ append clear extend insert pop remove reverse sort"),
  "__init__(self, iterable=(), /)": () => {},
  "__hash__(self, /)": (self: unknown[]) => hash_of(tuple(self)),
  "__reduce__(self, /)": (self: unknown[]) => tuple([immutable_list, tuple([tuple(self)])]),
});

/** A dict that refuses changes once it is made. */
export class immutable_dict extends PyDict {
  static override readonly __name__ = "immutable_dict";
  private sealed = false;

  /** The dict with these entries. */
  static of_entries(entries: Iterable<readonly [unknown, unknown]>): immutable_dict {
    const result = new immutable_dict();
    for (const [key, value] of entries) result.set(key, value);
    result.sealed = true;
    return result;
  }

  override set(key: unknown, value: unknown): this {
    return this.sealed ? no_mutation(this) : super.set(key, value);
  }

  override delete(key: unknown): boolean {
    return this.sealed ? no_mutation(this) : super.delete(key);
  }

  override clear(): void {
    if (this.sealed) no_mutation(this);
    super.clear();
  }
}

export const immutable_dict_type = builtin_type("immutable_dict", {
  bases: [dict_type],
  cls: immutable_dict,
  module: "torch.fx.immutable_collections",
});
define_static_methods(immutable_dict_type, {
  "__new__(cls, /, *args, **kwargs)": (_cls: unknown, args: unknown[], kwargs: Map<string, unknown>) => {
    const given = args[0];
    const entries: (readonly [unknown, unknown])[] =
      given === undefined
        ? []
        : given instanceof Map
          ? [...given]
          : [...each(given)].map((pair) => [...each(pair)] as unknown as readonly [unknown, unknown]);
    return immutable_dict.of_entries([...entries, ...kwargs]);
  },
});
define_methods(immutable_dict_type, {
  ...refusing("__delitem__ __ior__ __setitem__ clear pop popitem setdefault update"),
  "__init__(self, /, *args, **kwargs)": () => {},
  "__hash__(self, /)": (self: immutable_dict) => hash_of(tuple([...self].map((entry) => tuple(entry)))),
  "__reduce__(self, /)": (self: immutable_dict) =>
    tuple([immutable_dict, tuple([tuple([...self].map((entry) => tuple(entry)))])]),
});
