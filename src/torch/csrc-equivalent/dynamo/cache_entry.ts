/**
 * @file One compiled form of a code object.
 * @mirrors torch/csrc/dynamo/cache_entry.h
 */
import type { Code } from "#python/compiler/code";
import type { Frame } from "#python/vm/frame";

/** Guards as the lookup needs them. */
export interface GuardManager {
  check(frame: Frame): boolean;
}

export interface CacheEntry {
  readonly check_fn: GuardManager;
  readonly code: Code;
  readonly backend: unknown;
  /** Number among the forms of its code object, for messages: `0/1`. */
  readonly frame_compile_id: number;
}
