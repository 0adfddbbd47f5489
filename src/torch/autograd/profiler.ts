/**
 * @file `torch.autograd.profiler`: the profiler without a schedule, and named scopes.
 * @mirrors torch/autograd/profiler.py
 */
import { RuntimeError } from "#c10/util/Exception";
import {
  _disable_profiler,
  _enable_profiler,
  type ProfilerResult,
  RECORD_FUNCTION_WITH_SCOPE,
  RecordScope,
} from "#torch/_C";
import { EventList } from "./profiler_util.ts";

export interface ProfileOptions {
  readonly record_shapes?: boolean;
  readonly profile_memory?: boolean;
  readonly with_stack?: boolean;
  readonly with_modules?: boolean;
}

/** Profiles what runs between `__enter__` and `__exit__`; `using prof = new profile()` calls both. */
export class profile {
  private readonly options: ProfileOptions;
  private result: ProfilerResult | null = null;
  private entered = false;

  constructor(options: ProfileOptions = {}) {
    this.options = options;
  }

  __enter__(): this {
    if (this.entered) throw new RuntimeError("Profiler context manager is not reentrant");
    this.entered = true;
    const { record_shapes = false, profile_memory = false, with_stack = false, with_modules = false } = this.options;
    _enable_profiler({ with_stack, profile_memory, record_shapes, with_modules });
    return this;
  }

  __exit__(): void {
    this.result = _disable_profiler();
  }

  [Symbol.dispose](): void {
    if (this.entered && this.result === null) this.__exit__();
  }

  private finished(): ProfilerResult {
    if (this.result === null) throw new RuntimeError("Profiler didn't finish running");
    return this.result;
  }

  get function_events(): EventList {
    return EventList.of_result(this.finished());
  }

  key_averages(): ReturnType<EventList["key_averages"]> {
    return this.function_events.key_averages();
  }

  /** The export as an object, for where there is no file system. */
  chrome_trace(name = "trace.json"): object {
    return this.finished().trace(name);
  }

  /** Writes the trace as JSON to `path`; Perfetto and chrome://tracing open it. */
  export_chrome_trace(path: string): void {
    const fs = (
      globalThis as {
        process?: { getBuiltinModule?(name: string): { writeFileSync(path: string, text: string): void } };
      }
    ).process?.getBuiltinModule?.("node:fs");
    if (fs === undefined) throw new RuntimeError("export_chrome_trace: no file system here; use chrome_trace()");
    fs.writeFileSync(path, JSON.stringify(this.chrome_trace(path)));
  }
}

/** Runs `fn` as one named scope of the profile: `record_function("loss", () => ...)`. */
export function record_function<R>(name: string, fn: () => R): R {
  return RECORD_FUNCTION_WITH_SCOPE(RecordScope.USER_SCOPE, name, [], fn);
}
