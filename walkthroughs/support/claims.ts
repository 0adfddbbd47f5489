/**
 * @file The functions that a walkthrough needs in a terminal and in a page: they record calls and check claims.
 * @original
 */
import { type RecordOptions, record, Trace, type TraceEvent } from "glasstorch/trace";

export interface Recording {
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly trace: Trace;
  /** Printed and shown only when asked for by name. */
  readonly quiet: boolean;
}

/** A claim that does not hold: what was said, and what is so. */
export class FalseClaim extends Error {
  readonly claim: string | undefined;
  readonly expected: unknown;
  readonly actual: unknown;

  constructor(claim: string | undefined, expected: unknown, actual: unknown) {
    super(claim === undefined ? "a claim is false" : `a claim is false: ${claim}`);
    this.name = "FalseClaim";
    this.claim = claim;
    this.expected = expected;
    this.actual = actual;
  }
}

/** Whoever runs the walkthrough may say how it records, and listen. */
export const host: {
  options: RecordOptions;
  onRecording: (recording: Recording) => void;
  /** Handles a false claim; by default it ends the walkthrough. */
  onFalseClaim: (claim: FalseClaim) => void;
} = {
  options: {},
  onRecording: () => {},
  onFalseClaim: (claim) => {
    throw claim;
  },
};

export const recordings: Recording[] = [];

/** Data that a run computed for a figure of its page, and lines with the same content for a terminal. */
export interface Drawing {
  readonly name: string;
  readonly title: string;
  readonly data: unknown;
  readonly lines: readonly string[];
  /** How many recordings were made before it. */
  readonly after: number;
}

export const drawings: Drawing[] = [];

/** Keeps `data` as the figure `name`: a page draws it, a terminal prints `lines` below the title. Gives `data` back. */
export function drawn<T>(name: string, title: string, data: T, lines: readonly string[]): T {
  drawings.push({ name, title, data, lines, after: recordings.length });
  return data;
}

let held = 0;

/** How many claims have held so far. */
export function claims(): number {
  return held;
}

/** Adds a recording made elsewhere; a `quiet` one shows only when asked for by name. */
export function keep(name: string, title: string, trace: Trace, more: { note?: string; quiet?: boolean } = {}): Trace {
  const recording = { name, title, note: more.note ?? "", trace, quiet: more.quiet ?? false };
  recordings.push(recording);
  host.onRecording(recording);
  return trace;
}

/**
 * Records `fn` as `name`; `title` heads its tree. The result of `setup` is made before, unrecorded, and passed to `fn`. The call first runs
 * a few times unrecorded, so that first-call work (resolving operator handles, compiling) is not in the path; `cold: true` leaves these
 * runs out, if the first call is the subject.
 */
export function recorded<T = undefined>(
  name: string,
  title: string,
  fn: (made: T) => unknown,
  more: { note?: string; quiet?: boolean; cold?: boolean; setup?: () => T; detail?: "layers" | "full" } = {},
): Trace {
  const setup = more.setup ?? ((): T => undefined as T);
  if (more.cold !== true)
    for (let i = 0; i < 5; i++) {
      const made = setup();
      record(() => fn(made));
    }
  const made = setup();
  if (more.detail !== undefined)
    return keep(
      name,
      title,
      record(() => fn(made), { ...host.options, detail: more.detail }),
      more,
    );
  // Claims about the layers also hold if the reader records every function.
  return layersOf(
    keep(
      name,
      title,
      record(() => fn(made), host.options),
      more,
    ),
  );
}

/** Whether an event belongs to full detail alone: a function between the layers, or an instruction of a program. */
const only_in_full = (event: TraceEvent): boolean => event.kind === "function" || event.kind === "instruction";

/** The trace without the events of full detail. */
function layersOf(trace: Trace): Trace {
  if (!trace.events.some(only_in_full)) return trace;
  const newId = new Map<number | null, number | null>([[null, null]]);
  const events: TraceEvent[] = [];
  for (const event of trace.events) {
    const parent = newId.get(event.parent) as number | null;
    newId.set(event.id, only_in_full(event) ? parent : events.length);
    if (!only_in_full(event)) events.push({ ...event, id: events.length, parent });
  }
  return new Trace(events, trace.dropped, trace.sources);
}

/** Records an asynchronous call, cold and by its layers; `keep` adds what is to be shown of it. */
export function recordedAsync(fn: () => Promise<unknown>): Promise<Trace> {
  return record(fn, { ...host.options, detail: "layers" });
}

/** A claim: `actual` is `expected`. A false claim ends the walkthrough. */
export function check(actual: unknown, expected: unknown, claim?: string): void {
  if (same(actual, expected)) held++;
  else host.onFalseClaim(new FalseClaim(claim, expected, actual));
}

/** A claim that `fn` throws an error whose message contains `message`. */
export function checkThrows(fn: () => unknown, message: string): void {
  try {
    fn();
  } catch (error) {
    const said = (error as Error).message;
    check(said.includes(message), true, `the error says "${message}"; it says "${said}"`);
    return;
  }
  check("no error", message);
}

/** Equal in structure: numbers as `Object.is` has them, arrays (tuples, sizes) item by item, objects of one class field by field. */
function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => same(item, b[i]));
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && same(a[key as keyof typeof a], b[key as keyof typeof b]));
}
