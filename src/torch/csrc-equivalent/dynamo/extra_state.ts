/**
 * @file The memory of a code object: its compiled forms, and whether it is skipped.
 * @mirrors torch/csrc/dynamo/extra_state.h
 */
import type { Code } from "#python/compiler/code";
import type { Frame } from "#python/vm/frame";
import type { CacheEntry } from "./cache_entry.ts";

export class ExtraState {
  /** Compiled forms, the one that was used last in front. */
  readonly cache_entry_list: CacheEntry[] = [];
  /** Sizes and ints that the translator has seen in earlier calls. */
  readonly frame_state = {
    sizes: new Map<string, (number | null)[]>(),
    strides: new Map<string, (string | null)[]>(),
    ints: new Map<string, number | null>(),
    floats: new Map<string, number | null>(),
  };
  /** Whether the frame runs as it is from now on. */
  skip = false;
  /** Number of the code among those that were compiled. */
  readonly frame_id: number;

  constructor(frame_id: number) {
    this.frame_id = frame_id;
  }

  /** The compiled form of a backend whose guards hold; null if there is none. */
  lookup(frame: Frame, backend: unknown): CacheEntry | null {
    const { cache_entry_list: entries } = this;
    for (const [i, entry] of entries.entries()) {
      if (entry.backend !== backend || !entry.check_fn.check(frame)) continue;
      if (i > 0) entries.unshift(...entries.splice(i, 1));
      return entry;
    }
    return null;
  }
}

let states = new WeakMap<Code, ExtraState>();
let frames = 0;

export function get_extra_state(code: Code): ExtraState | null {
  return states.get(code) ?? null;
}
export function init_extra_state(code: Code): ExtraState {
  const made = new ExtraState(frames++);
  states.set(code, made);
  return made;
}
/** Forgets all compiled forms. */
export function reset_code_state(): void {
  states = new WeakMap();
  frames = 0;
}
