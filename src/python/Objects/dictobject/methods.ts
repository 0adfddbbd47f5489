/**
 * @file The methods of `dict`.
 * @mirrors Objects/dictobject.c (CPython 3.11)
 */
import { call, call_special } from "../call.ts";
import { dict_type, PyDict } from "../dictobject.ts";
import { KeyError, TypeError_, ValueError } from "../exceptions.ts";
import { each, list_from } from "../iterobject.ts";
import { define_class_methods, define_methods } from "../methodobject.ts";
import { call_method, equal, getattr_or_undefined, NotImplemented, repr, repr_once } from "../object.ts";
import { tuple } from "../tupleobject.ts";
import { type PyClass, type_of } from "../typeobject.ts";
import { DictItems, DictKeys, DictValues, iterate_keys, iterate_reversed_keys } from "./views.ts";

/** A dict, or a Map of the library, which a program sees as a dict. */
type Dict = Map<unknown, unknown>;
const is_dict = (value: unknown): value is Dict => value instanceof Map;

/** `dict.__getitem__`: a subclass may answer for a missing key with `__missing__`. */
export function dict_getitem(dict: Dict, key: unknown): unknown {
  const value = dict.get(key);
  if (value !== undefined) return value;
  if (type_of(dict) !== dict_type) {
    const answer = call_special(dict, "__missing__", key);
    if (answer !== undefined) return answer;
  }
  throw new KeyError(key);
}

/** Adds what a mapping holds: an object with `keys()`, or pairs. */
export function dict_merge(dict: Dict, other: unknown): void {
  if (is_dict(other) && type_of(other).lookup("__iter__") === dict_type.dict.get("__iter__")) {
    for (const [key, value] of other) dict.set(key, value);
  } else if (getattr_or_undefined(other, "keys") !== undefined) {
    for (const key of each(call_method(other, "keys"))) dict.set(key, item_of(other, key));
  } else merge_pairs(dict, other);
}

function item_of(mapping: unknown, key: unknown): unknown {
  const value = call_special(mapping, "__getitem__", key);
  if (value === undefined) throw new TypeError_(`'${type_of(mapping).tp_name}' object is not subscriptable`);
  return value;
}

function merge_pairs(dict: Dict, pairs: unknown): void {
  let at = 0;
  for (const pair of each(pairs)) {
    let entry: unknown[];
    try {
      entry = list_from(pair);
    } catch (error) {
      if (!(error instanceof TypeError_)) throw error;
      throw new TypeError_(`cannot convert dictionary update sequence element #${at} to a sequence`);
    }
    if (entry.length !== 2) {
      throw new ValueError(`dictionary update sequence element #${at} has length ${entry.length}; 2 is required`);
    }
    dict.set(entry[0], entry[1]);
    at++;
  }
}

/** `dict.update(other, **keywords)`. */
function update(dict: Dict, other: unknown, keywords: ReadonlyMap<string, unknown>): void {
  if (other !== undefined) dict_merge(dict, other);
  for (const [name, value] of keywords) dict.set(name, value);
}

/** A dict with the same entries, of type `dict` itself. */
export function dict_copy(dict: ReadonlyMap<unknown, unknown>): PyDict {
  const result = new PyDict();
  for (const [key, value] of dict) result.set(key, value);
  return result;
}

function merged(a: unknown, b: unknown): unknown {
  if (!is_dict(a) || !is_dict(b)) return NotImplemented;
  const result = dict_copy(a);
  for (const [key, value] of b) result.set(key, value);
  return result;
}

function equal_dicts(a: Dict, b: unknown): boolean | typeof NotImplemented {
  if (!is_dict(b)) return NotImplemented;
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !equal(value, other)) return false;
  }
  return true;
}

function last_key(dict: Dict): unknown {
  let last: unknown;
  for (const key of dict.keys()) last = key;
  return last;
}

dict_type.set("__hash__", null);
define_methods(dict_type, {
  "__init__(self, iterable=<unset>, /, **kwargs)": update,
  "__repr__(self, /)": (self: Dict) =>
    repr_once(self, "{...}", () => `{${[...self].map(([key, value]) => `${repr(key)}: ${repr(value)}`).join(", ")}}`),
  "__iter__(self, /)": iterate_keys,
  "__reversed__(self, /)": iterate_reversed_keys,
  "__len__(self, /)": (self: Dict) => self.size,
  "__contains__(self, key, /)": (self: Dict, key) => self.has(key),
  "__getitem__(self, key, /)": dict_getitem,
  "__setitem__(self, key, value, /)": (self: Dict, key, value) => {
    self.set(key, value);
  },
  "__delitem__(self, key, /)": (self: Dict, key) => {
    if (!self.delete(key)) throw new KeyError(key);
  },
  "__eq__(self, value, /)": equal_dicts,
  "__ne__(self, value, /)": (self: Dict, other) => {
    const result = equal_dicts(self, other);
    return result === NotImplemented ? result : !result;
  },
  "__or__(self, value, /)": merged,
  "__ror__(self, value, /)": (self: Dict, other) => merged(other, self),
  "__ior__(self, value, /)": (self: Dict, other) => {
    dict_merge(self, other);
    return self;
  },
  "clear(self, /)": (self: Dict) => self.clear(),
  "copy(self, /)": dict_copy,
  "get(self, key, default=None, /)": (self: Dict, key, fallback) => {
    const value = self.get(key);
    return value === undefined ? fallback : value;
  },
  "items(self, /)": (self: Dict) => new DictItems(self),
  "keys(self, /)": (self: Dict) => new DictKeys(self),
  "values(self, /)": (self: Dict) => new DictValues(self),
  "pop(self, key, default=<unset>, /)": (self: Dict, key, fallback) => {
    const value = self.size === 0 ? undefined : self.get(key);
    if (value !== undefined) {
      self.delete(key);
      return value;
    }
    if (fallback === undefined) throw new KeyError(key);
    return fallback;
  },
  "popitem(self, /)": (self: Dict) => {
    if (self.size === 0) throw new KeyError("popitem(): dictionary is empty");
    const key = last_key(self);
    const value = self.get(key);
    self.delete(key);
    return tuple([key, value]);
  },
  "setdefault(self, key, default=None, /)": (self: Dict, key, fallback) => {
    const value = self.get(key);
    if (value !== undefined) return value;
    self.set(key, fallback);
    return fallback;
  },
  "update(self, iterable=<unset>, /, **kwargs)": update,
});
define_class_methods(dict_type, {
  "fromkeys(cls, iterable, value=None, /)": (cls: PyClass, keys, value) => {
    const result = call(cls);
    const plain = result instanceof PyDict && type_of(result) === dict_type;
    for (const key of each(keys)) {
      if (plain) result.set(key, value);
      else call_special(result, "__setitem__", key, value);
    }
    return result;
  },
});
