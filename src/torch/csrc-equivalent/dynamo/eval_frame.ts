/**
 * @file The hook of the machine that sees each frame before it runs, and runs its compiled form in its place.
 * @mirrors torch/csrc/dynamo/eval_frame.h, torch/csrc/dynamo/eval_frame_cpp.h
 *
 *     frame -> a compiled form whose guards hold?   yes: run its code with the frame's arguments
 *                                                   no: ask the callback for one, or run the frame as it is
 */
import { CO } from "#python/compiler/code";
import { run_frame } from "#python/vm/ceval";
import { Frame } from "#python/vm/frame";
import { hooks } from "#python/vm/hooks";
import { prepared } from "#python/vm/prepared_code";
import type { CacheEntry } from "./cache_entry.ts";
import { type ExtraState, get_extra_state, init_extra_state } from "./extra_state.ts";

/** The callback that `torch.compile` sets while a compiled function runs. */
export interface Callback {
  /** Compiled forms of other backends are not used. */
  readonly backend: unknown;
  /** Makes a compiled form; null: the frame runs as it is. */
  readonly convert: (frame: Frame, state: ExtraState) => CacheEntry | null;
  /** Whether frames are only looked up, and never compiled. */
  readonly run_only: boolean;
}

let callback: Callback | null = null;

/** Sets what sees the frames; null: nothing does. @returns the one before */
export function set_eval_frame(next: Callback | null): Callback | null {
  const before = callback;
  callback = next;
  hooks.eval_frame = next === null ? null : eval_frame;
  return before;
}

/** Runs without the hook. */
export function without_eval_frame<T>(run: () => T): T {
  const before = set_eval_frame(null);
  try {
    return run();
  } finally {
    set_eval_frame(before);
  }
}

function eval_frame(frame: Frame, run: () => unknown): unknown {
  const current = callback as Callback;
  const code = frame.f_code;
  if ((code.co_flags & (CO.GENERATOR | CO.COROUTINE)) !== 0) return run();
  let state = get_extra_state(code);
  if (state?.skip === true) return run();
  const known = state?.lookup(frame, current.backend) ?? null;
  if (known !== null) return eval_custom_code(frame, known);
  if (current.run_only) return run();
  state ??= init_extra_state(code);
  const made = without_eval_frame(() => current.convert(frame, state as ExtraState));
  if (made === null) return run();
  state.cache_entry_list.unshift(made);
  return eval_custom_code(frame, made);
}

/** Runs a compiled form with the arguments of the frame. */
function eval_custom_code(frame: Frame, entry: CacheEntry): unknown {
  const code = prepared(entry.code);
  const shadow = new Frame(code, frame.func, frame.globals, frame.builtins, null);
  const { co_nlocals } = frame.f_code;
  for (let i = 0; i < co_nlocals; i++) shadow.fast[i] = frame.fast[i];
  return run_frame(shadow);
}
