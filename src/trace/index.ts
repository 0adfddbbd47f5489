/**
 * @file `glasstorch/trace`: records a call and shows its path. Importing it does not import the library.
 * @original
 */
import { calling_program, recording_ends, setTracer } from "#c10/util/Trace";
import { Recorder, type RecordOptions } from "./recorder.ts";
import { Trace } from "./Trace.ts";
import { is_running, leave, run_as } from "./task.ts";

export { toChrome } from "./chrome.ts";
export { type Lane, laneOf, lanes, type TensorRecord, type TraceEvent } from "./event.ts";
export { toMermaid } from "./mermaid.ts";
export type { RecordOptions } from "./recorder.ts";
export { readSourcesFrom, symbolFile } from "./sources.ts";
export type { SymbolEntry } from "./symbol_entry.ts";
export { allSymbols, findSymbol } from "./symbols.ts";
export { type Row, Trace, type TraceFile } from "./Trace.ts";
export { type TextOptions, toText } from "./text.ts";
export { explainChoice, explainEvent } from "./why.ts";

/** A recording, from its begin to its end. */
class Recording {
  readonly recorder: Recorder;
  /** The place that called `record`, in the engine's spelling. */
  readonly place: string;
  private trace: Trace | null = null;
  private readonly leave_program: () => void;

  constructor(options: RecordOptions) {
    this.recorder = new Recorder(options);
    const lines = (new Error().stack ?? "").split("\n").filter((line) => /:\d+:\d+\)?$/.test(line));
    this.leave_program = calling_program.interpreter?.follow(this.recorder.full) ?? (() => {});
    this.place = (lines[2] ?? "").trim(); // the line after those of this constructor and `record`
  }

  /** Ends the recording, unless it has already ended. */
  finish(): Trace {
    this.end();
    this.trace ??= Trace.of(this.recorder);
    return this.trace;
  }

  end(): void {
    if (under_way !== this) return;
    this.recorder.is_own_call = null;
    recording_ends();
    under_way = null;
    setTracer(null);
    this.recorder.finish(); // while the program's steps know when they ended
    this.leave_program();
    leave();
  }
}

let under_way: Recording | null = null;

/**
 * Runs `fn` and returns the trace of everything it called; if `fn` is async, a promise of the trace. Calls of other
 * programs while an async `fn` waits are not recorded (see task.ts).
 * @throws {Error} if a recording is already in progress: the two would split each other's events. An error of `fn`
 *   passes through.
 * @example record(() => x.add(y)).keysOf("aten::add") // ["CPU"]
 */
export function record(fn: () => Promise<unknown>, options?: RecordOptions): Promise<Trace>;
export function record(fn: () => unknown, options?: RecordOptions): Trace;
export function record(fn: () => unknown, options: RecordOptions = {}): Trace | Promise<Trace> {
  if (under_way !== null) throw already_under_way();
  const recording = new Recording(options);
  under_way = recording;
  setTracer(recording.recorder);
  let result: unknown;
  try {
    result = run_as(recording, fn);
  } catch (error) {
    recording.end();
    throw error;
  }
  if (!(result instanceof Promise)) return recording.finish();
  recording.recorder.is_own_call = () => is_running(recording);
  return result.then(
    () => recording.finish(),
    (error) => {
      recording.end();
      throw error;
    },
  );
}

function already_under_way(): Error {
  const place = under_way === null ? "" : `, begun ${under_way.place}`;
  return new Error(`record: a recording is already under way${place}; stop() ends it`);
}

/**
 * Ends the recording in progress and returns its events so far; null if there is none. Useful for a promise that never
 * settles, which would keep its recording open for ever.
 */
export function stop(): Trace | null {
  return under_way === null ? null : under_way.finish();
}
