/**
 * @file Functions that are told what Dynamo does: why a compiled form was not used, and which code was made from which.
 * @mirrors torch/_dynamo/hooks.py, torch/_dynamo/convert_frame.py#register_bytecode_hook
 */
import type { Code } from "#python/compiler/code";
import { Allocated } from "#python/Objects/allocated";
import { def } from "#torch/_signature";
import { call_function } from "#torch/fx/callables";
import type { GraphModule } from "#torch/fx/graph_module";
import { type HooksDict, RemovableHandle } from "#torch/utils/hooks";
import type { Guard } from "./guards.ts";

/** One compiled form whose guards did not hold. */
export class GuardFail extends Allocated {
  static readonly __module__ = "torch._dynamo.types";
  /** Number of the compiled form, and the first guard that failed: `0/1: n == 2`. */
  readonly reason: string;
  /** The code of the function as it was written. */
  readonly orig_code: Code;

  constructor(reason: string, orig_code: Code) {
    super();
    this.reason = reason;
    this.orig_code = orig_code;
  }
}

/** Functions of one compiled function. */
export interface Hooks {
  /** Called with a {@link GuardFail} for each compiled form that does not fit, before the function is compiled again. */
  readonly guard_fail_fn: unknown;
}

const bytecode_hooks: HooksDict<unknown> = new Map();

/** Calls `hook(code, new_code)` after each translation of a frame. A hook may return other code, which then runs. */
export const register_bytecode_hook = def("register_bytecode_hook(hook)", (hook: unknown): RemovableHandle => {
  const handle = new RemovableHandle(bytecode_hooks);
  bytecode_hooks.set(handle.id, hook);
  return handle;
});

/** The code that runs in the place of `code`. */
export function call_bytecode_hooks(code: Code, out_code: Code): Code {
  let result = out_code;
  for (const hook of [...bytecode_hooks.values()])
    result = (call_function(hook, [code, result]) as Code | null) ?? result;
  return result;
}

/** One frame that was translated, for a report. */
export interface CompiledFrame {
  readonly code: Code;
  readonly out_code: Code;
  /** The graph; null if nothing of the frame is in a graph. */
  readonly gm: GraphModule | null;
  readonly guards: readonly Guard[];
  /** Why the graph ended before the frame did; null if it did not. */
  readonly break_reason: string | null;
}

/** Told of each translated frame. */
export const frame_listeners = new Set<(frame: CompiledFrame) => void>();

/** Told why no compiled form of a function fits a call, with a reason for each form. */
export const recompile_listeners = new Set<(code: Code, reasons: readonly string[]) => void>();
