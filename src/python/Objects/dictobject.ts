/**
 * @file Python's `dict`: a Map whose keys are compared as Python compares them.
 * @mirrors Objects/dictobject.c (CPython 3.11)
 */
import { type HashKey, hash_key, same_key } from "./hashing.ts";
import { builtin_type } from "./typeobject.ts";

// Note [Keys of a dict]
// ~~~~~~~~~~~~~~~~~~~~~
// A Map compares strings and numbers by value and objects by identity. Python compares by `__eq__`: 1, 1.0 and True are one key, and so are two
// equal tuples. Strings, ints, most floats and objects without `__eq__` are therefore their own keys in the Map. For every other key, `index` maps a
// canonical value (hashing.ts) to the key under which the entry stands. A dict that has only plain keys has no index and is as fast as a Map.

const MISSING = Symbol("missing");
/** The index stands under a symbol, because a subclass may have an attribute of any name. */
const INDEX: unique symbol = Symbol("index");

export class PyDict extends Map<unknown, unknown> {
  static readonly __name__: string = "dict";
  private [INDEX]: Map<HashKey, unknown[]> | null = null;

  /** Whether the Map compares the key as Python does, whatever the dict holds: a string, or a small int if no key needs the index. */
  private is_plain(key: unknown): boolean {
    return typeof key === "string" || (typeof key === "number" && (key | 0) === key && this[INDEX] === null);
  }

  /** The key under which an equal key stands, or MISSING. `hashed` is the key's canonical value: a program's `__hash__` runs once. */
  private locate(key: unknown, hashed: HashKey): unknown {
    if (typeof key === "number" && super.has(key)) return key;
    if (hashed === key) {
      if (super.has(key)) return key;
      if (this[INDEX] === null) return MISSING;
    } else if (typeof hashed === "number" || typeof hashed === "bigint") {
      if (super.has(hashed)) return hashed;
    } else if (typeof hashed === "string" && super.has(hashed) && same_key(hashed, key)) return hashed;
    for (const stored of this[INDEX]?.get(hashed) ?? []) if (same_key(stored, key)) return stored;
    return MISSING;
  }

  override get(key: unknown): unknown {
    if (typeof key === "string") {
      const value = super.get(key);
      if (value !== undefined || this[INDEX] === null) return value;
    }
    const stored = this.locate(key, hash_key(key));
    return stored === MISSING ? undefined : super.get(stored);
  }

  override has(key: unknown): boolean {
    if (typeof key === "string" && this[INDEX] === null) return super.has(key);
    return this.locate(key, hash_key(key)) !== MISSING;
  }

  override set(key: unknown, value: unknown): this {
    if (typeof key === "string" && this[INDEX] === null) return super.set(key, value);
    const hashed = hash_key(key);
    const stored = this.locate(key, hashed);
    if (stored !== MISSING) return super.set(stored, value);
    if (hashed !== key) {
      this[INDEX] ??= new Map();
      const same = this[INDEX].get(hashed);
      if (same === undefined) this[INDEX].set(hashed, [key]);
      else same.push(key);
    }
    return super.set(key, value);
  }

  override delete(key: unknown): boolean {
    if (typeof key === "string" && this[INDEX] === null) return super.delete(key);
    const hashed = hash_key(key);
    const stored = this.locate(key, hashed);
    if (stored === MISSING) return false;
    if (hashed !== stored) {
      const left = (this[INDEX]?.get(hashed) ?? []).filter((it) => it !== stored);
      if (left.length === 0) this[INDEX]?.delete(hashed);
      else this[INDEX]?.set(hashed, left);
    }
    return super.delete(stored);
  }

  override clear(): void {
    this[INDEX] = null;
    super.clear();
  }
}

/** A dict with these entries. */
export function dict_of(entries: Iterable<readonly [unknown, unknown]>): PyDict {
  const result = new PyDict();
  for (const [key, value] of entries) result.set(key, value);
  return result;
}

export const dict_type = builtin_type("dict", {
  cls: PyDict,
  reserves_names: true,
  tp_alloc: (cls) => Reflect.construct(PyDict, [], cls) as object,
});
