/**
 * @file The recorder behind the hook: it turns begin and end into a flat list of events, and describes tensors at that
 * moment. It imports only the hook from the library, so that importing the library can itself be recorded.
 * @original PyTorch's nearest relative is torch/csrc/profiler/collection.h (RecordQueue).
 */
import type { TraceData, TraceKind, Tracer } from "#c10/util/Trace";
import { type DescribeOptions, describeEdges, describeNode, describeValue } from "./describe.ts";
import type { TraceEvent, ValueRecord } from "./event.ts";
import { type Frame, FrameReader } from "./stack.ts";

export interface RecordOptions {
  /** `layers`: the events of the layers; `full`: also every function between them. */
  readonly detail?: "layers" | "full";
  /** Whether to add a hash and the extremes of the values to each tensor. */
  readonly values?: boolean;
  /** Largest number of events kept, including functions between them; further ones are counted in `dropped`. */
  readonly cap?: number;
}

/** Returned by `begin` for a call of another program: there is no event. */
const NOT_OWN = -2;

export class Recorder implements Tracer {
  readonly events: TraceEvent[] = [];
  /** Stack of each event, outermost frame first; filled only with full detail. */
  readonly stacks = new Map<number, readonly Frame[]>();
  /** Our name of an event's function, if the recorded code passed it. */
  readonly functions = new Map<number, string>();
  dropped = 0;
  /** Says whether this call belongs to the recorded program; set once other programs may call in between. */
  is_own_call: (() => boolean) | null = null;
  private readonly open: number[] = [];
  private readonly origin = performance.now();
  private readonly full: boolean;
  private readonly frames = new FrameReader();
  readonly cap: number;
  private readonly describe: DescribeOptions;

  constructor(options: RecordOptions = {}) {
    this.full = options.detail === "full";
    this.cap = options.cap ?? 200_000;
    this.describe = { values: options.values ?? false, storages: new Map(), nodes: new Map() };
  }

  private now(): number {
    return Math.round((performance.now() - this.origin) * 1e4) / 10;
  }

  begin(kind: TraceKind, name: string, data?: TraceData, fn?: string): number {
    if (this.is_own_call?.() === false) return NOT_OWN;
    if (this.events.length >= this.cap) {
      this.dropped++;
      this.open.push(-1);
      return -1;
    }
    const id = this.events.length;
    const parent = this.innermost();
    const event: TraceEvent = { id, parent, kind, name, start: this.now(), end: 0 };
    if (data !== undefined) this.merge(event, data);
    if (this.full) this.stacks.set(id, this.frames.capture());
    if (fn !== undefined && fn !== "") this.functions.set(id, fn);
    this.events.push(event);
    this.open.push(id);
    return id;
  }

  end(id: number, data?: TraceData): void {
    if (!this.open.includes(id)) return; // it was closed with an enclosing event
    for (;;) {
      const top = this.open.pop() as number;
      if (top !== -1) this.events[top].end = this.now();
      if (top === id) break;
    }
    if (id !== -1 && data !== undefined) this.merge(this.events[id], data);
  }

  /** Closes events that an interrupted call left open. */
  finish(): void {
    while (this.open.length > 0) this.end(this.open[this.open.length - 1]);
  }

  private innermost(): number | null {
    for (let i = this.open.length - 1; i >= 0; i--) if (this.open[i] !== -1) return this.open[i];
    return null;
  }

  private merge(event: TraceEvent, data: TraceData): void {
    for (const field in data) {
      const value = data[field];
      if (value === undefined) continue;
      if (field === "error") event.error = value instanceof Error ? value.message : String(value);
      else if (field === "inputs" || field === "outputs") event[field] = describeValue(value, this.describe);
      else if (field === "node") event[field] = describeNode(value as object, this.describe);
      else if (field === "edges") event[field] = describeEdges(value, this.describe);
      else if (field === "kwargs") event[field] = this.keywords(value as Readonly<Record<string, unknown>>);
      else event[field] = value;
    }
  }

  /** Describes keyword arguments, which may be tensors (`out`). */
  private keywords(kwargs: Readonly<Record<string, unknown>>): Record<string, ValueRecord> {
    return Object.fromEntries(
      Object.entries(kwargs).map(([name, value]) => [name, describeValue(value, this.describe)]),
    );
  }
}
