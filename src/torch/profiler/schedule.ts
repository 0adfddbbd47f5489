/**
 * @file Schedules: the steps of a training loop that a profiler records.
 * @mirrors torch/profiler/profiler.py#schedule
 * @differs In ours the members of `ProfilerAction` are plain numbers; in PyTorch they are members of an `Enum`.
 */
import { AssertionError, warn } from "#c10/util/Exception";
import { def } from "#torch/_signature";

/** The actions of a profiler during a step. */
export const ProfilerAction = { NONE: 0, WARMUP: 1, RECORD: 2, RECORD_AND_SAVE: 3, DEVICE_STOPPED: 4 } as const;
export type ProfilerAction = (typeof ProfilerAction)[keyof typeof ProfilerAction];

/** A function that returns the action of a step. */
export type Schedule = (step: number) => ProfilerAction;

/**
 * After `skip_first` steps, cycles are repeated: `wait` steps without profiling, `warmup` steps to warm up, `active` steps that are
 * recorded; the last of these ends the cycle. There are `repeat` cycles, or no end if it is 0; with `skip_first_wait` the first cycle does
 * not wait.
 */
export const schedule = def(
  "schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0)",
  (
    wait: number,
    warmup: number,
    active: number,
    repeat: number,
    skip_first: number,
    skip_first_wait: number,
  ): Schedule => {
    if (wait < 0 || warmup < 0 || active <= 0 || repeat < 0 || skip_first < 0) {
      const need = (name: string, value: number, bound: string) => `${name}=${value} (need ${bound} 0)`;
      throw new AssertionError(
        `Invalid profiler schedule arguments. Got ${need("wait", wait, ">=")}, ${need("warmup", warmup, ">=")}, ` +
          `${need("active", active, ">")}, ${need("repeat", repeat, ">=")}, ${need("skip_first", skip_first, ">=")}.`,
      );
    }
    if (warmup === 0) warn("UserWarning", "Profiler won't be using warmup, this can skew profiler results");
    const cycle = wait + warmup + active;
    return (step) => {
      if (step < 0) throw new AssertionError(`Step must be non-negative. Got ${step}.`);
      if (step < skip_first) return ProfilerAction.NONE;
      const counted = step - skip_first + (skip_first_wait === 0 ? 0 : wait);
      if (repeat > 0 && counted / cycle >= repeat) return ProfilerAction.NONE;
      const at = counted % cycle;
      if (at < wait) return ProfilerAction.NONE;
      if (at < wait + warmup) return ProfilerAction.WARMUP;
      return at < cycle - 1 ? ProfilerAction.RECORD : ProfilerAction.RECORD_AND_SAVE;
    };
  },
);

/** The schedule without a user's schedule: every step is recorded. */
export function _default_schedule_fn(_step: number): ProfilerAction {
  return ProfilerAction.RECORD;
}
