/**
 * @file `torch.profiler.profile`: what runs inside it, operator by operator.
 * @mirrors torch/profiler/profiler.py
 * @differs No schedule and no device activity yet: every step is recorded, and ProfilerActivity.CPU is all there is.
 */
import { type ProfileOptions as AutogradProfileOptions, profile as autograd_profile } from "#torch/autograd/profiler";
import type { AverageList, EventList } from "#torch/autograd/profiler_util";

/** What to record; only `CPU` is built. */
export const ProfilerActivity = { CPU: "CPU" } as const;
export type ProfilerActivity = (typeof ProfilerActivity)[keyof typeof ProfilerActivity];

export interface ProfileOptions extends AutogradProfileOptions {
  readonly activities?: readonly ProfilerActivity[];
  readonly on_trace_ready?: (prof: profile) => void;
}

/**
 * `using prof = new torch.profiler.profile({ record_shapes: true })`, or `torch.profiler.profile.run(fn, options)`.
 * @example const prof = torch.profiler.profile.run(() => net(x)); console.log(prof.key_averages().table());
 */
export class profile {
  private readonly inner: autograd_profile;
  private readonly on_trace_ready: ((prof: profile) => void) | null;
  step_num = 0;

  constructor({ activities: _activities, on_trace_ready, ...options }: ProfileOptions = {}) {
    this.inner = new autograd_profile(options);
    this.on_trace_ready = on_trace_ready ?? null;
  }

  /** Profiles `fn` and returns the finished profile; an error of `fn` passes through with the profiler off. */
  static run(fn: () => unknown, options: ProfileOptions = {}): profile {
    const prof = new profile(options);
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
  __enter__(): this {
    this.start();
    return this;
  }
  __exit__(): void {
    this.stop();
  }
  [Symbol.dispose](): void {
    this.inner[Symbol.dispose]();
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
