/**
 * @file The call that a learner is shown: that of the failing check, or of the first check that records one. A question
 * must be answered first.
 * @original
 */
import type { Exercise } from "./exercise.ts";
import { checkOf } from "./feedback.ts";
import type { Report } from "./report.ts";

export function callToShow(exercise: Exercise, { failure }: Report): { call: string } | { why: string } {
  if (failure !== null && checkOf(exercise, failure).kind === "predict" && failure.seen === "(no answer)")
    return { why: "Predict first: write your answer; then you can look at the trace." };
  const calls = exercise.checks.flatMap(({ spec }) => ("call" in spec ? [spec.call] : []));
  const call = failure?.call ?? calls[0];
  if (call !== undefined) return { call };
  const why = exercise.checks.some(({ kind }) => kind === "kernel")
    ? "a card ran the kernel, and no operator was called."
    : "it is about a computation before a call.";
  return { why: `This exercise records no call: ${why}` };
}
