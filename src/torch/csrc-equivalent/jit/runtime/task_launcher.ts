/**
 * @file The tasks that `fork` starts, and who runs them.
 * @mirrors aten/src/ATen/Parallel.h#launch
 * @differs There is one thread. A task runs when its starter waits for it, or when the outermost call of a script is over; PyTorch's pool of
 * threads begins at once.
 */
import type { Future } from "#aten/core/ivalue_inl";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

/** Takes a task that will run later. */
export type TaskLauncher = (task: () => void) => void;

/** Oldest first. */
const tasks: (() => void)[] = [];

export const launch: TaskLauncher = (task) => void tasks.push(task);

/** Runs tasks until the future is completed. */
export function run_until(future: Future): void {
  while (!future.completed()) {
    const task = tasks.shift();
    TORCH_INTERNAL_ASSERT(task !== undefined, "nothing completes this future");
    task();
  }
}

/** Runs all tasks that wait. */
export function run_all(): void {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) task();
}
