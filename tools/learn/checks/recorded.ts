/**
 * @file The recording of one of an exercise's calls.
 * @original
 */
import { record, type Trace } from "glasstorch/trace";
import { type Exercise, ExerciseError, moduleOf } from "../exercise.ts";
import type { Call, Host, Session } from "./host.ts";

/** The call with this name in `calls.ts`. */
export function callOf(session: Session, name: string): Call {
  const call = session.calls[name];
  if (call === undefined) throw new ExerciseError(`calls.ts has no call "${name}"`);
  return call;
}

/** The recording of a call. The call runs once unrecorded before, so that work of a first call is not in it. */
export function recorded(session: Session, name: string): Trace {
  const { inputs, run } = callOf(session, name);
  run(...inputs());
  const made = inputs();
  return record(() => run(...made));
}

/** The recording of a call as the learner's files make it, in a session of its own. */
export async function recordingOf(exercise: Exercise, call: string, host: Host): Promise<Trace> {
  const module = moduleOf(exercise);
  const session = await host.open(module === null ? {} : await host.yours(module));
  try {
    return recorded(session, call);
  } finally {
    session.close?.();
  }
}
