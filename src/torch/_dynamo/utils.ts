/**
 * @file Counters of Dynamo: frames, graphs, breaks and their reasons.
 * @mirrors torch/_dynamo/utils.py#counters
 */
import { vectorcall } from "#python/Objects/call";
import type { PyDict } from "#python/Objects/dictobject";
import { getattr } from "#python/Objects/object";
import { import_module } from "#python/vm/import";

/** Counters by category: `counters["frames"]["ok"]`. */
class Counters {
  private made: PyDict | null = null;

  /** The dictionary that a program reads: `collections.defaultdict(collections.Counter)`. It is made when it is first needed. */
  get dict(): PyDict {
    if (this.made === null) {
      const collections = import_module("collections");
      const Counter = getattr(collections, "Counter");
      this.made = vectorcall(getattr(collections, "defaultdict"), [Counter], null) as PyDict;
    }
    return this.made;
  }

  /** The counter of a category; it is made if there is none. */
  of(category: string): PyDict {
    if (!this.dict.has(category)) vectorcall(getattr(this.dict, "__missing__"), [category], null);
    return this.dict.get(category) as PyDict;
  }

  increment(category: string, key: string, by = 1): void {
    const counter = this.of(category);
    counter.set(key, ((counter.get(key) as number | undefined) ?? 0) + by);
  }
}

export const counters = new Counters();

/** Number of a frame's translation: `0/1` is the second one of the first frame. */
export interface CompileId {
  readonly frame_id: number;
  readonly frame_compile_id: number;
}
