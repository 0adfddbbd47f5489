/**
 * @file A recording with fast access to its tree: parents, subtree ends, depths and lanes as flat arrays beside the event list.
 * @original
 */
import { type GraphRecord, type Lane, laneOf, lanes, type TraceEvent } from "../../../../src/trace/event.ts";

/** The content of a file after reading, from any writer. */
export interface Recording {
  readonly origin: "glasstorch" | "pytorch";
  /** Version of PyTorch that was mirrored or that wrote the file, if stated. */
  readonly torch: string | null;
  readonly events: readonly TraceEvent[];
  /** Number of events that the recorder dropped because its limit was reached. */
  readonly dropped: number;
  /** Number of the recorder's own frames that were removed. */
  readonly folded?: number;
  /** Texts of the Python program's files, by their names in `source`. */
  readonly sources?: ReadonlyMap<string, string>;
  /** Graphs that were captured. */
  readonly graphs?: readonly GraphRecord[];
}

let models = 0;

export class TraceModel {
  /** A number that distinguishes recordings. */
  readonly serial = ++models;
  readonly origin: Recording["origin"];
  readonly torch: string | null;
  readonly events: readonly TraceEvent[];
  readonly dropped: number;
  readonly folded: number;
  readonly sources: ReadonlyMap<string, string>;
  readonly graphs: readonly GraphRecord[];
  /** Index of the parent, -1 for a root. Indices are positions in `events`, which are in order of begin. */
  readonly parent: Int32Array;
  /** Index of the last event in the subtree (or of the event itself): a subtree is the range `i ..= last[i]`. */
  readonly last: Int32Array;
  readonly depth: Int32Array;
  /** Position in `lanes`. */
  readonly lane: Uint8Array;

  constructor(recording: Recording) {
    const { events } = recording;
    this.origin = recording.origin;
    this.torch = recording.torch;
    this.events = events;
    this.dropped = recording.dropped;
    this.folded = recording.folded ?? 0;
    this.sources = recording.sources ?? new Map();
    this.graphs = recording.graphs ?? [];
    this.parent = new Int32Array(events.length);
    this.last = new Int32Array(events.length);
    this.depth = new Int32Array(events.length);
    this.lane = new Uint8Array(events.length);
    this.link();
  }

  /**
   * Resolves parents and checks the order that everything else requires: children follow their parent, before its next sibling.
   */
  private link(): void {
    const index = new Map<number, number>();
    const open: number[] = [];
    this.events.forEach((event, i) => {
      const parent = event.parent === null ? -1 : (index.get(event.parent) ?? -2);
      while (open.length > 0 && open[open.length - 1] !== parent) open.pop();
      if (parent !== -1 && open.length === 0)
        throw new Error(
          `event ${event.id} (${event.name}) names parent ${event.parent}, which is not open when it begins: the list is not in order of begin`,
        );
      index.set(event.id, i);
      open.push(i);
      this.parent[i] = parent;
      this.depth[i] = open.length - 1;
      this.lane[i] = lanes.indexOf(laneOf(event, parent === -1 ? null : (this.events[parent] as TraceEvent)));
    });
    for (let i = this.events.length - 1; i >= 0; i--) {
      this.last[i] = Math.max(this.last[i] as number, i);
      const parent = this.parent[i] as number;
      if (parent !== -1) this.last[parent] = Math.max(this.last[parent] as number, this.last[i] as number);
    }
  }

  event(i: number): TraceEvent {
    const event = this.events[i];
    if (event === undefined) throw new RangeError(`event ${i} of ${this.events.length}`);
    return event;
  }

  laneAt(i: number): Lane {
    return lanes[this.lane[i] as number] as Lane;
  }

  /** From the root down to the event itself. */
  path(i: number): number[] {
    const path: number[] = [];
    for (let at = i; at !== -1; at = this.parent[at] as number) path.push(at);
    return path.reverse();
  }

  /** The nearest event at or above `i` for which `wanted` holds, or -1. */
  nearest(i: number, wanted: (event: TraceEvent) => boolean): number {
    for (let at = i; at >= 0; at = this.parent[at] as number) if (wanted(this.event(at))) return at;
    return -1;
  }

  /** Lanes that have events, in the order of the layers. */
  lanesInUse(): Lane[] {
    const used = new Set(this.lane);
    return lanes.filter((_, i) => used.has(i));
  }

  /** Microseconds from the first begin to the last end. */
  duration(): number {
    let first = Number.POSITIVE_INFINITY;
    let end = 0;
    for (const event of this.events) {
      if (event.start < first) first = event.start;
      if (event.end > end) end = event.end;
    }
    return this.events.length === 0 ? 0 : end - first;
  }
}
