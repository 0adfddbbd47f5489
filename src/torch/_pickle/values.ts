/**
 * @file Conversion of Python values to JavaScript values (Note [Values of Python] in index.ts). It runs after the whole pickle is read,
 * because a dict may receive its keys long after other objects refer to it.
 * @original
 */
import { RecursionError } from "#c10/util/Exception";
import { OrderedDict } from "#torch/_collections";
import { is_index, MAX_DEPTH } from "./index.ts";

/** A dict during reading. */
export class PyDict extends Map<unknown, unknown> {}

/** Whether a plain object with these keys would be written as the same dict. */
function is_plain(keys: Iterable<unknown>): boolean {
  let last_index = -1;
  let strings = false;
  for (const key of keys) {
    if (typeof key === "string" && !is_index(key) && key !== "__proto__") strings = true;
    else if (typeof key === "number" && !strings && key > last_index && is_index(String(key))) last_index = key;
    else return false;
  }
  return true;
}

/** The classes that a dict and a float become. A program of Python has its own kinds of both while it loads. */
export const kinds: { dict: (is_plain: boolean) => object; float: (value: number) => unknown } = {
  dict: (is_plain) => (is_plain ? {} : new Map()),
  float: (value) => value,
};

type Container = unknown[] | Map<unknown, unknown> | Set<unknown> | object;

/** Visits everything that was read, breadth first, each object once. */
class Finisher {
  private readonly tuples: ReadonlySet<unknown>;
  private readonly built: ReadonlySet<object>;
  private readonly replaced = new Map<PyDict, object>();
  private readonly seen = new Set<unknown>();
  private next: Container[] = [];

  constructor(tuples: ReadonlySet<unknown>, built: ReadonlySet<object>) {
    this.tuples = tuples;
    this.built = built;
  }

  finish(root: unknown): unknown {
    const result = this.value(root);
    for (let depth = 0; this.next.length > 0; depth++) {
      if (depth === MAX_DEPTH) throw new RecursionError("maximum recursion depth exceeded while unpickling an object");
      const level = this.next;
      this.next = [];
      for (const container of level) this.fill(container);
    }
    for (const tuple of this.tuples) Object.freeze(tuple);
    return result;
  }

  /** The replacement of `value`; its contents are converted later. */
  private value(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (!this.seen.has(value)) {
      this.seen.add(value);
      if (value instanceof PyDict) {
        this.replaced.set(value, kinds.dict(is_plain(value.keys())));
        this.next.push(value);
      } else if (Array.isArray(value) || value instanceof Map || value instanceof Set || this.built.has(value)) {
        this.next.push(value);
      }
    }
    return value instanceof PyDict ? this.replaced.get(value) : value;
  }

  private fill(container: Container): void {
    if (Array.isArray(container)) {
      if (Object.isFrozen(container)) return; // a size
      for (let i = 0; i < container.length; i++) container[i] = this.value(container[i]);
    } else if (container instanceof PyDict) {
      this.fill_dict(container, this.replaced.get(container) as object);
    } else if (container instanceof Map) {
      for (const [key, value] of container) container.set(this.value(key), this.value(value));
      if (container instanceof OrderedDict) this.fill_properties(container);
    } else if (container instanceof Set) {
      for (const value of container) this.value(value);
    } else this.fill_properties(container);
  }

  private fill_dict(dict: PyDict, target: object): void {
    if (target instanceof Map) for (const [key, value] of dict) target.set(this.value(key), this.value(value));
    else for (const [key, value] of dict) (target as Record<string, unknown>)[String(key)] = this.value(value);
  }

  private fill_properties(obj: object): void {
    for (const name of Object.keys(obj)) {
      const value = this.value(Reflect.get(obj, name));
      Object.defineProperty(obj, name, { value, writable: true, enumerable: true, configurable: true });
    }
  }
}

/**
 * @param tuples the arrays that represent tuples
 * @param built objects whose properties are converted, too
 */
export function finish(root: unknown, tuples: ReadonlySet<unknown>, built: ReadonlySet<object>): unknown {
  return new Finisher(tuples, built).finish(root);
}
