/**
 * @file `torch.autograd.profiler`: the profiler without a schedule, and named scopes.
 * @mirrors torch/autograd/profiler.py
 */
import { IValue } from "#aten/core/ivalue";
import { NotImplementedError, RuntimeError } from "#c10/util/Exception";
import {
  _disable_profiler,
  _enable_profiler,
  AbstractContextManager,
  getStepCallbacksUnlessEmpty,
  type ProfilerResult,
  RecordFunction,
  RecordScope,
  with_os_errors,
} from "#torch/_C";
import { builtin } from "#torch/_node_builtins";
import { type Args, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { def_context } from "#torch/utils/_contextlib";
import { EventList } from "./profiler_util.ts";

const profile_init = new Init(
  "profile.__init__(self, enabled=True, *, use_cuda=False, use_device=None, record_shapes=False, with_flops=False, profile_memory=False, with_stack=False, with_modules=False, use_kineto=False, use_cpu=True, experimental_config=None, acc_events=False, custom_trace_id_callback=None, post_processing_timeout_s=None, activity_filters=None)",
  types<
    [
      enabled: boolean,
      use_cuda: boolean,
      use_device: string | null,
      record_shapes: boolean,
      with_flops: boolean,
      profile_memory: boolean,
      with_stack: boolean,
      with_modules: boolean,
      use_kineto: boolean,
      use_cpu: boolean,
      experimental_config: null,
      acc_events: boolean,
      custom_trace_id_callback: null,
      post_processing_timeout_s: null,
      activity_filters: null,
    ]
  >,
);

/** Refuses options that are not built; None, False and 0 count as not given. */
export function refuse_unbuilt(fn: string, asked: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(asked))
    if (value !== null && value !== false && value !== 0) throw new NotImplementedError(`${fn}: ${name} is not built`);
}

const methods = {
  key_averages: "(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False)",
  export_chrome_trace: "(self, path, metadata=None, use_python_export=False)",
} as const;
type Methods = typeof methods;

/**
 * Profiles the code between `__enter__` and `__exit__`; `using prof = new profile()` calls both.
 * @differs Ours records operators on the CPU with shapes, memory, stacks and modules; PyTorch also has other devices, flops and grouping,
 * which ours refuses.
 */
export class profile extends AbstractContextManager {
  private readonly enabled: boolean;
  private readonly options: Parameters<typeof _enable_profiler>[0];
  private result: ProfilerResult | null = null;
  private entered = false;

  static {
    def_methods(profile, { __init__: profile_init, ...methods });
  }

  constructor(...args: InitArgs<typeof profile_init>) {
    super();
    const [
      enabled,
      use_cuda,
      use_device,
      record_shapes,
      with_flops,
      profile_memory,
      with_stack,
      with_modules,
      ...rest
    ] = profile_init.bind(args);
    const [, , experimental_config, acc_events, custom_trace_id_callback, post_processing_timeout_s, activity_filters] =
      rest;
    refuse_unbuilt("profile", { use_cuda, use_device, with_flops, experimental_config, acc_events });
    refuse_unbuilt("profile", { custom_trace_id_callback, post_processing_timeout_s, activity_filters });
    this.enabled = enabled;
    this.options = { with_stack, profile_memory, record_shapes, with_modules };
  }

  override __enter__(): this {
    if (!this.enabled) return this;
    if (this.entered) throw new RuntimeError("Profiler context manager is not reentrant");
    this.entered = true;
    _enable_profiler(this.options);
    return this;
  }

  override __exit__(): void {
    if (!this.enabled) return;
    this.result = _disable_profiler();
  }

  private finished(): ProfilerResult {
    if (this.result === null) throw new RuntimeError("Profiler didn't finish running");
    return this.result;
  }

  get function_events(): EventList {
    return EventList.of_result(this.finished());
  }

  key_averages(
    ...args: Args<
      Methods["key_averages"],
      [group_by_input_shape: boolean, group_by_stack_n: number, group_by_overload_name: boolean]
    >
  ): ReturnType<EventList["key_averages"]>;
  key_averages(
    group_by_input_shape: boolean,
    group_by_stack_n: number,
    group_by_overload_name: boolean,
  ): ReturnType<EventList["key_averages"]> {
    refuse_unbuilt("key_averages", { group_by_input_shape, group_by_stack_n, group_by_overload_name });
    return this.function_events.key_averages();
  }

  /** The trace as an object, for environments without a file system. */
  chrome_trace(name = "trace.json"): object {
    return this.finished().trace(name);
  }

  /** Writes the trace as JSON to `path`, compressed if the name ends with `.gz`; Perfetto and chrome://tracing open it. */
  export_chrome_trace(
    ...args: Args<Methods["export_chrome_trace"], [path: string, metadata: null, use_python_export: boolean]>
  ): void;
  export_chrome_trace(path: string, metadata: null, use_python_export: boolean): void {
    refuse_unbuilt("export_chrome_trace", { metadata, use_python_export });
    const fs = builtin<typeof import("node:fs")>("node:fs");
    if (fs === undefined) throw new RuntimeError("export_chrome_trace: no file system here; use chrome_trace()");
    const text = JSON.stringify(this.chrome_trace(path));
    const zlib = path.endsWith(".gz") ? builtin<typeof import("node:zlib")>("node:zlib") : undefined;
    with_os_errors(path, () => fs.writeFileSync(path, zlib?.gzipSync(text) ?? text));
  }
}

/**
 * A named scope in the profile: `record_function("loss", () => ...)`.
 * @differs A TorchDispatchMode does not see it; in PyTorch its begin and end are operators, `profiler::_record_function_enter_new` and
 * `profiler::_record_function_exit`. Optimizers have such a scope around each step.
 */
export const record_function = def_context(
  "record_function.__init__(self, name, args=None)",
  class record_function extends AbstractContextManager {
    private readonly name: string;
    private readonly args: string | null;
    private record: RecordFunction | null = null;

    constructor(name: string, args: string | null) {
      super();
      this.name = name;
      this.args = args;
    }

    override __enter__(): void {
      const callbacks = getStepCallbacksUnlessEmpty(RecordScope.USER_SCOPE);
      this.record = callbacks === null ? null : new RecordFunction(callbacks);
      this.record?.before(this.name, -1, this.args === null ? [] : [IValue.fromString(this.args)]);
    }

    override __exit__(): void {
      this.record?.end();
    }
  },
);
