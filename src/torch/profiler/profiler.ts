/**
 * @file `torch.profiler.profile`: what runs inside it, operator by operator.
 * @mirrors torch/profiler/profiler.py
 * @differs No schedule and no device activity yet: every step is recorded, and ProfilerActivity.CPU is all there is.
 */
import { AbstractContextManager } from "#torch/_C";
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import { profile as autograd_profile, refuse_unbuilt } from "#torch/autograd/profiler";
import type { AverageList, EventList } from "#torch/autograd/profiler_util";

/** What to record; only `CPU` is built. */
export const ProfilerActivity = { CPU: "CPU" } as const;
export type ProfilerActivity = (typeof ProfilerActivity)[keyof typeof ProfilerActivity];

const profile_init = new Init(
  "profile.__init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False, with_stack=False, with_flops=False, with_modules=False, experimental_config=None, execution_trace_observer=None, acc_events=False, use_cuda=None, custom_trace_id_callback=None, post_processing_timeout_s=None)",
  types<
    [
      activities: readonly ProfilerActivity[] | null,
      schedule: null,
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

/**
 * `using prof = new torch.profiler.profile({ record_shapes: true })`, or `torch.profiler.profile.run(fn, options)`.
 * @example const prof = torch.profiler.profile.run(() => net(x)); console.log(prof.key_averages().table());
 */
export class profile extends AbstractContextManager {
  private readonly inner: autograd_profile;
  private readonly on_trace_ready: ((prof: profile) => void) | null;
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
      export_chrome_trace: "_KinetoProfile.export_chrome_trace(self, path)",
    });
  }

  constructor(...args: InitArgs<typeof profile_init>) {
    super();
    const [, schedule, on_trace_ready, record_shapes, profile_memory, with_stack, with_flops, with_modules, ...rest] =
      profile_init.bind(args);
    const [experimental_config, execution_trace_observer, acc_events, use_cuda, ...callbacks] = rest;
    refuse_unbuilt("profile", { schedule, experimental_config, execution_trace_observer, acc_events, use_cuda });
    const [custom_trace_id_callback, post_processing_timeout_s] = callbacks;
    refuse_unbuilt("profile", { custom_trace_id_callback, post_processing_timeout_s });
    this.inner = new autograd_profile({ record_shapes, profile_memory, with_stack, with_flops, with_modules });
    this.on_trace_ready = on_trace_ready;
  }

  /** Profiles `fn` and returns the finished profile; an error of `fn` passes through with the profiler off. */
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

  start(): void {
    this.inner.__enter__();
  }
  stop(): void {
    this.inner.__exit__();
    this.on_trace_ready?.(this);
  }
  override __enter__(): this {
    this.start();
    return this;
  }
  override __exit__(): void {
    this.stop();
  }
  /** Marks the end of one step of a training loop. */
  step(): void {
    this.step_num++;
  }

  events(): EventList {
    return this.inner.function_events;
  }
  key_averages(): AverageList {
    return this.inner.key_averages();
  }
  export_chrome_trace(path: string): void {
    this.inner.export_chrome_trace(path);
  }
  chrome_trace(name?: string): object {
    return this.inner.chrome_trace(name);
  }
}
