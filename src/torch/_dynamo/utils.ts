/**
 * @file Counters of Dynamo: frames, graphs, breaks and their reasons.
 * @mirrors torch/_dynamo/utils.py#counters
 */
import { PyDict } from "#python/Objects/dictobject";

/** `collections.Counter` of one category. */
type Counter = Map<unknown, unknown>;

/** Counters by category: `counters["frames"]["ok"]`. A Python program sees a dict of dicts. */
export class Counters extends PyDict {
  /** The counter of a category; it is made if there is none. */
  of(category: string): Counter {
    const known = this.get(category) as Counter | undefined;
    if (known !== undefined) return known;
    const made = new PyDict();
    this.set(category, made);
    return made;
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
