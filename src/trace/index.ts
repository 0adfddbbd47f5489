/**
 * @file `glasstorch/trace`: record a call and look at the way it took. Importing it does not import the library.
 * @original
 */
import { setTracer, tracer } from "#c10/util/Trace";
import { Recorder, type RecordOptions } from "./recorder.ts";
import { Trace } from "./Trace.ts";

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

/**
 * Runs `fn` and returns the trace of everything it called; with an async `fn`, a promise of it.
 * @throws {Error} if a recording is under way already: two would tear each other's events apart. An error of `fn` passes through.
 * @example record(() => x.add(y)).keysOf("aten::add") // ["CPU"]
 */
export function record(fn: () => Promise<unknown>, options?: RecordOptions): Promise<Trace>;
export function record(fn: () => unknown, options?: RecordOptions): Trace;
export function record(fn: () => unknown, options: RecordOptions = {}): Trace | Promise<Trace> {
  if (tracer !== null) throw new Error("record: a recording is already under way");
  const recorder = new Recorder(options);
  setTracer(recorder);
  let result: unknown;
  try {
    result = fn();
  } catch (error) {
    setTracer(null);
    throw error;
  }
  if (!(result instanceof Promise)) {
    setTracer(null);
    return Trace.of(recorder);
  }
  return result.then(
    () => {
      setTracer(null);
      return Trace.of(recorder);
    },
    (error) => {
      setTracer(null);
      throw error;
    },
  );
}
