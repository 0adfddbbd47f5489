/**
 * @file `torch.profiler.profile`: a profile of the operators that run inside it.
 * @mirrors torch/profiler/profiler.py
 * @differs Ours records `ProfilerActivity.CPU` only, and nothing stops early; PyTorch also records devices.
 */
import { AssertionError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { AbstractContextManager, python_type } from "#torch/_C";
import { type Args, def, def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import { profile as autograd_profile, record_function, refuse_unbuilt } from "#torch/autograd/profiler";
import type { AverageList, EventList } from "#torch/autograd/profiler_util";
import { _default_schedule_fn, ProfilerAction, type Schedule } from "./schedule.ts";

/** Activities to record; only `CPU` is built. */
export const ProfilerActivity = { CPU: "CPU" } as const;
export type ProfilerActivity = (typeof ProfilerActivity)[keyof typeof ProfilerActivity];

/** The activities that can be recorded: only `CPU`. */
export const supported_activities = def(
  "supported_activities()",
  (): Set<ProfilerActivity> => new Set(Object.values(ProfilerActivity)),
);

const profile_init = new Init(
  "profile.__init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False, with_stack=False, with_flops=False, with_modules=False, experimental_config=None, execution_trace_observer=None, acc_events=False, use_cuda=None, custom_trace_id_callback=None, post_processing_timeout_s=None)",
  types<
    [
      activities: readonly ProfilerActivity[] | null,
      schedule: Schedule | null,
      on_trace_ready: ((prof: profile) => void) | null,
      record_shapes: boolean,
      profile_memory: boolean,
      with_stack: boolean,
      with_flops: boolean,
      with_modules: boolean,
      experimental_config: null,
      execution_trace_observer: null,
      acc_events: boolean,
      use_cuda: boolean | null,
      custom_trace_id_callback: null,
      post_processing_timeout_s: null,
    ]
  >,
);

type Step = "prepare_trace" | "start_trace" | "stop_trace" | "_trace_ready";

/** The operations between the action of one step and that of the next step; null stands for the end. */
const action_map: ReadonlyMap<string, readonly (Step | ((prof: profile) => void))[]> = (() => {
  const { NONE, WARMUP, RECORD, RECORD_AND_SAVE } = ProfilerAction;
  const incorrect = (text: string) => () => warn("UserWarning", `Incorrect schedule: ${text}`);
  const rows: [ProfilerAction, ProfilerAction | null, readonly (Step | (() => void))[]][] = [
    [NONE, WARMUP, ["prepare_trace"]],
    [NONE, RECORD, ["prepare_trace", "start_trace"]],
    [NONE, RECORD_AND_SAVE, ["prepare_trace", "start_trace"]],
    [WARMUP, NONE, [incorrect("WARMUP followed by NONE"), "start_trace", "stop_trace"]],
    [WARMUP, RECORD, ["start_trace"]],
    [WARMUP, RECORD_AND_SAVE, ["start_trace"]],
    [RECORD, NONE, [incorrect("RECORD followed by NONE"), "stop_trace"]],
    [RECORD, WARMUP, [incorrect("RECORD followed by WARMUP"), "stop_trace"]],
    [RECORD_AND_SAVE, NONE, ["stop_trace", "_trace_ready"]],
    [RECORD_AND_SAVE, WARMUP, ["stop_trace", "_trace_ready", "prepare_trace"]],
    [RECORD_AND_SAVE, RECORD, ["stop_trace", "_trace_ready", "prepare_trace", "start_trace"]],
    [RECORD_AND_SAVE, RECORD_AND_SAVE, ["stop_trace", "_trace_ready", "prepare_trace", "start_trace"]],
    [WARMUP, null, ["start_trace", "stop_trace"]],
    [RECORD, null, ["stop_trace", "_trace_ready"]],
    [RECORD_AND_SAVE, null, ["stop_trace", "_trace_ready"]],
  ];
  return new Map(rows.map(([before, after, steps]) => [`${before} ${after}`, steps]));
})();

let warned_of_cycles = false;

const EXPORT = "(self, path, use_python_export=False)";

/**
 * `using prof = new torch.profiler.profile({ record_shapes: true })`, or `torch.profiler.profile.run(fn, options)`.
 * @example const prof = torch.profiler.profile.run(() => net(x)); console.log(prof.key_averages().table());
 */
export class profile extends AbstractContextManager {
  private readonly options: ConstructorParameters<typeof autograd_profile>[0];
  private profiler: autograd_profile | null = null;
  private readonly schedule: Schedule;
  private readonly record_steps: boolean;
  private readonly on_trace_ready: ((prof: profile) => void) | null;
  private step_rec_fn: AbstractContextManager | null = null;
  private current_action: ProfilerAction;
  step_num = 0;

  static {
    def_methods(profile, {
      __init__: profile_init,
      start: "(self)",
      stop: "(self)",
      step: "(self)",
      key_averages:
        "_KinetoProfile.key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False)",
      events: "_KinetoProfile.events(self)",
      export_chrome_trace: `_KinetoProfile.export_chrome_trace${EXPORT}`,
    });
  }

  constructor(...args: InitArgs<typeof profile_init>) {
    super();
    const [, schedule, on_trace_ready, record_shapes, profile_memory, with_stack, with_flops, with_modules, ...rest] =
      profile_init.bind(args);
    const [experimental_config, execution_trace_observer, acc_events, use_cuda, ...callbacks] = rest;
    refuse_unbuilt("profile", { experimental_config, execution_trace_observer, acc_events, use_cuda });
    const [custom_trace_id_callback, post_processing_timeout_s] = callbacks;
    refuse_unbuilt("profile", { custom_trace_id_callback, post_processing_timeout_s });
    refuse_unbuilt("profile", { with_flops });
    this.options = { record_shapes, profile_memory, with_stack, with_modules };
    this.schedule = schedule ?? _default_schedule_fn;
    this.record_steps = schedule !== null;
    this.on_trace_ready = on_trace_ready;
    this.current_action = this.scheduled(this.step_num);
  }

  /** Profiles `fn` and returns the finished profile; an error of `fn` is passed on after the profiler has stopped. */
  static run(fn: () => unknown, kwargs: InitKeywords<typeof profile_init> = {}): profile {
    const prof = new profile(kwargs);
    prof.start();
    try {
      fn();
    } finally {
      prof.stop();
    }
    return prof;
  }

  private scheduled(step: number): ProfilerAction {
    if (typeof this.schedule !== "function")
      throw new TypeError_(`'${python_type(this.schedule)}' object is not callable`);
    const action = this.schedule(step);
    if (action === ProfilerAction.DEVICE_STOPPED) {
      throw new ValueError(
        "ProfilerAction.DEVICE_STOPPED is set internally by the profiler and must not be returned by a user-provided schedule",
      );
    }
    return action;
  }

  private prepare_trace(): void {
    if (this.profiler !== null && !warned_of_cycles) {
      warned_of_cycles = true;
      warn(
        "UserWarning",
        "Warning: Profiler clears events at the end of each cycle. Only events from the current cycle will be reported. To keep events across cycles, set acc_events=True.",
      );
    }
    this.profiler = new autograd_profile(this.options);
  }
  private start_trace(): void {
    this.profiled("starting trace").__enter__();
  }
  private stop_trace(): void {
    this.profiled("stopping trace").__exit__();
  }
  private _trace_ready(): void {
    this.on_trace_ready?.(this);
  }
  private profiled(before: string): autograd_profile {
    if (this.profiler === null) throw new AssertionError(`Profiler must be initialized before ${before}`);
    return this.profiler;
  }

  private _transit_action(prev_action: ProfilerAction, current_action: ProfilerAction | null): void {
    for (const action of action_map.get(`${prev_action} ${current_action}`) ?? []) {
      if (typeof action === "string") this[action]();
      else action(this);
    }
  }
  private begin_step(): void {
    if (!this.record_steps) return;
    this.step_rec_fn = record_function(`ProfilerStep#${this.step_num}`);
    this.step_rec_fn.__enter__();
  }
  private end_step(): void {
    this.step_rec_fn?.__exit__();
    this.step_rec_fn = null;
  }

  start(): void {
    this._transit_action(ProfilerAction.NONE, this.current_action);
    this.begin_step();
  }
  stop(): void {
    this.end_step();
    this._transit_action(this.current_action, null);
  }
  override __enter__(): this {
    this.start();
    return this;
  }
  override __exit__(): void {
    this.stop();
  }
  /** Signals the next step of a training loop; the schedule decides its action. */
  step(): void {
    this.end_step();
    const prev_action = this.current_action;
    this.current_action = this.scheduled(this.step_num + 1);
    this.step_num++;
    this._transit_action(prev_action, this.current_action);
    this.begin_step();
  }

  events(): EventList {
    return this.profiled("accessing events").function_events;
  }
  key_averages(): AverageList {
    return this.profiled("getting key averages").key_averages();
  }
  /** Writes the trace as JSON to `path`, compressed if the name ends with `.gz`. */
  export_chrome_trace(...args: Args<typeof EXPORT, [path: string, use_python_export: boolean]>): void;
  export_chrome_trace(path: string, use_python_export: boolean): void {
    this.profiled("exporting chrome trace").export_chrome_trace(path, null, use_python_export);
  }
  chrome_trace(name?: string): object {
    return this.profiled("exporting chrome trace").chrome_trace(name);
  }
}
