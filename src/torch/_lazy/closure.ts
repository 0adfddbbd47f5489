/**
 * @file Functions that run at the end of a step, when values are there.
 * @mirrors torch/_lazy/closure.py
 * @differs Closures with `run_async` run after the others of the same step; PyTorch runs them on another thread.
 */
import { call } from "#python/Objects/call";
import { def } from "#torch/_signature";

interface StepClosure {
  readonly closure: unknown;
  readonly args: Iterable<unknown>;
}

const step_closures: StepClosure[] = [];
const async_step_closures: StepClosure[] = [];

/** The closures that wait for the end of the step, with their arguments: tensors among these are held. */
export const waiting: readonly (readonly StepClosure[])[] = [step_closures, async_step_closures];

/** Keeps a function for the end of the step. */
export const add_step_closure = def(
  "add_step_closure(closure, args=(), run_async=False)",
  (closure: unknown, args: Iterable<unknown>, run_async: boolean) => {
    (run_async ? async_step_closures : step_closures).push({ closure, args });
  },
);

/** Runs the functions in the order in which they were added, each once. */
export function run_step_closures(): void {
  for (const closures of [step_closures, async_step_closures])
    for (const { closure, args } of closures.splice(0)) call(closure, ...args);
}
