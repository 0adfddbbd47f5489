/**
 * @file Reduces a program that differs: it drops every step, keyword and scope that the difference does not need.
 * @original
 */
import { operator } from "./cause.ts";
import { compare, type Difference } from "./compare.ts";
import type { Library } from "./library.ts";
import type { Program, Step } from "./program.ts";
import type { Python } from "./python.ts";

export interface Failure {
  readonly program: Program;
  readonly difference: Difference;
}

/** The difference of a program, computed again; null if there is none, or the program makes no sense. */
export async function differenceOf(library: Library, python: Python, program: Program): Promise<Difference | null> {
  const answer = await python.ask({ record: program });
  return answer?.record === undefined ? null : compare(library, program, answer.record);
}

export async function shrink(library: Library, python: Python, failure: Failure): Promise<Failure> {
  const wanted = `${failure.difference.kind}|${operator(failure.difference.call)}`;
  let best = failure;
  const attempt = async (steps: readonly Step[]): Promise<boolean> => {
    const program = { seed: failure.program.seed, steps };
    const difference = await differenceOf(library, python, program);
    if (difference === null || `${difference.kind}|${operator(difference.call)}` !== wanted) return false;
    best = { program: { ...program, steps: steps.slice(0, difference.step + 1) }, difference };
    return true;
  };
  await attempt(best.program.steps.slice(0, failure.difference.step + 1));
  for (let at = best.program.steps.length - 1; at >= 0; at--) {
    if (at < best.program.steps.length) await attempt(best.program.steps.filter((_, i) => i !== at));
  }
  for (let at = 0; at < best.program.steps.length; at++) {
    for (const simpler of simplerSteps(best.program.steps[at] as Step)) {
      await attempt(best.program.steps.map((s, i) => (i === at ? simpler(s) : s)));
    }
  }
  return best;
}

/** Changes that simplify a step, to be tried one after the other. */
function simplerSteps(step: Step): ((step: Step) => Step)[] {
  const without = (name: string) => (s: Step) => ({
    ...s,
    kwargs: Object.fromEntries(Object.entries(s.kwargs).filter(([k]) => k !== name)),
  });
  const scope = step.scope === null ? [] : [(s: Step) => ({ ...s, scope: null })];
  return [...scope, ...Object.keys(step.kwargs).map(without)];
}
