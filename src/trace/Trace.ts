/**
 * @file A finished recording: the list of events with their source positions, and queries on it.
 * @original
 */
import { type GraphRecord, isProgramStep, type TraceEvent } from "./event.ts";
import type { Recorder } from "./recorder.ts";
import { weaveFrames } from "./stack.ts";
import {
  mirrorIn,
  mirrorOf,
  type Position,
  positionIn,
  positionOf,
  positionOfFunction,
  symbolInFile,
} from "./symbols.ts";

/** The form in a file. Version 2 has captured graphs; a file of version 1 has none and is read as such. */
export interface TraceFile {
  readonly format: "glasstorch-trace";
  readonly version: 1 | 2;
  readonly torch: "2.13.0";
  readonly dropped: number;
  readonly events: readonly TraceEvent[];
  /** Texts of the program's files, by their names in `source`; absent if no event belongs to a program. */
  readonly sources?: Readonly<Record<string, string>>;
  /** Graphs that were captured; absent if none was. */
  readonly graphs?: readonly GraphRecord[];
}

/** An operator call reduced for comparison: depth among operator calls, operator, how, key set, key, kernel. */
export type Row = readonly [
  depth: number,
  operator: string,
  how: "call" | "redispatch",
  keyset: readonly string[],
  key: string,
  kernel: string,
];

/** A recording: its events in the order in which they began. */
export class Trace {
  readonly events: readonly TraceEvent[];
  /** Number of events beyond the recording's limit. */
  readonly dropped: number;
  /** Texts of the files of the Python program that was recorded, by their names in `source`. */
  readonly sources: ReadonlyMap<string, string>;
  /** Graphs that were captured; an event names one by its place here. */
  readonly graphs: readonly GraphRecord[];

  constructor(
    events: readonly TraceEvent[],
    dropped = 0,
    sources: ReadonlyMap<string, string> = new Map(),
    graphs: readonly GraphRecord[] = [],
  ) {
    this.events = events;
    this.dropped = dropped;
    this.sources = sources;
    this.graphs = graphs;
  }

  static of(recorder: Recorder): Trace {
    recorder.finish();
    for (const event of recorder.events) locate(event, recorder.functions.get(event.id));
    const graphs = recorder.graphs.records();
    if (recorder.stacks.size === 0) return new Trace(recorder.events, recorder.dropped, recorder.sources, graphs);
    const { events, dropped } = weaveFrames(recorder.events, recorder.stacks, recorder.cap);
    for (const event of events) if (event.kind === "function") locateFrame(event);
    return new Trace(events, recorder.dropped + dropped, recorder.sources, graphs);
  }

  static fromJSON(file: TraceFile): Trace {
    if (file.format !== "glasstorch-trace" || (file.version !== 1 && file.version !== 2))
      throw new Error(`not a glasstorch trace of version 1 or 2: format ${file.format}, version ${file.version}`);
    return new Trace(file.events, file.dropped, new Map(Object.entries(file.sources ?? {})), file.graphs ?? []);
  }

  toJSON(): TraceFile {
    const { dropped, events } = this;
    const sources = this.sources.size === 0 ? {} : { sources: Object.fromEntries(this.sources) };
    const graphs = this.graphs.length === 0 ? {} : { graphs: this.graphs };
    return { format: "glasstorch-trace", version: 2, torch: "2.13.0", dropped, events, ...sources, ...graphs };
  }

  /**
   * A recording that was stored without source positions, which change with every edit: each function gets its position
   * in the present sources.
   */
  static located(file: TraceFile): Trace {
    const trace = Trace.fromJSON(file);
    for (const event of trace.events) locate(event, undefined);
    return trace;
  }

  /** The event inside which this one ran, or null. */
  parent(event: TraceEvent): TraceEvent | null {
    return event.parent === null ? null : this.events[event.parent];
  }

  children(event: TraceEvent | null): TraceEvent[] {
    const id = event === null ? null : event.id;
    return this.events.filter((e) => e.parent === id);
  }

  /** All events of this name, e.g. `at::native::prelu`. */
  named(name: string): TraceEvent[] {
    return this.events.filter((e) => e.name === name);
  }

  /** Calls of one operator (`aten::add.Tensor`, or without the overload for all its overloads), or of every operator. */
  ops(op?: string): TraceEvent[] {
    return this.events.filter(
      (e) => e.kind === "op" && (op === undefined || e.op === op || e.op?.startsWith(`${op}.`) === true),
    );
  }

  /** The keys chosen in one operator's calls, outermost first. */
  keysOf(op: string): string[] {
    return this.ops(op).map((e) => e.key as string);
  }

  /** Nodes in the order in which the engine ran them. */
  nodes(): string[] {
    return this.events
      .filter((e) => e.kind === "engine" && e.name.endsWith("::apply"))
      .map((e) => e.name.split("::").slice(-2).join("::"));
  }

  /** Only the operator calls, one row each, in order of begin: in this form a path is compared with PyTorch's. */
  rows(): Row[] {
    const depth = new Map<number, number>();
    const rows: Row[] = [];
    for (const event of this.events) {
      const above = event.parent === null ? 0 : (depth.get(event.parent) as number);
      const counted = event.kind === "op" && !event.how?.endsWith("Boxed");
      depth.set(event.id, above + (counted ? 1 : 0));
      if (!counted) continue;
      rows.push([
        above,
        event.operator as string,
        event.how as "call" | "redispatch",
        event.keyset ?? [],
        event.key as string,
        event.kernel as string,
      ]);
    }
    return rows;
  }
}

/**
 * Gives an event the position of the function it names; for a loop, of the scalar function of its text. `fn` is our
 * name of the function.
 */
function locate(event: TraceEvent, fn: string | undefined): void {
  if (isProgramStep(event)) return; // its position is in the program
  if (event.source !== undefined) {
    const mirrors = mirrorOf(event.source.file, event.name);
    if (mirrors !== null) event.mirrors ??= mirrors;
    return;
  }
  const place = event.kind === "device" ? placeOnDevice(event) : placeOf(event, fn);
  if (place === null) return;
  event.source ??= place.source;
  event.mirrors ??= place.mirrors;
  if (place.from !== undefined) event.from = place.from;
}

function placeOf(event: TraceEvent, fn: string | undefined): Position | null {
  const file = event["file"];
  if (typeof file === "string") return positionIn(file, event.name.slice(event.name.lastIndexOf("::") + 2));
  return positionOf(event.name, event.kind) ?? (fn === undefined ? null : positionOfFunction(fn));
}

/** The position of a device kernel: that of the scalar function in its name. */
function placeOnDevice(event: TraceEvent): Position | null {
  const [file, name] = String(event["scalar_function"] ?? "").split("#");
  return name === undefined ? null : positionIn(file, name);
}

function locateFrame(event: TraceEvent): void {
  const entry = symbolInFile(event.source?.file ?? "", event.name);
  if (entry === null) return;
  (event as { name: string }).name = entry.symbol;
  event.mirrors = mirrorIn(entry);
  if (entry.from !== undefined) event.from = entry.from;
}
