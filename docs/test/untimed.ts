/**
 * @file A recording without what no two runs have in common: the clock, and which thread happened to take which part.
 * @original
 */
import type { TraceEvent } from "../../src/trace/event.ts";
import type { TraceFile } from "../../src/trace/Trace.ts";

interface Chunk {
  readonly begin: number;
  readonly end: number;
}

export function untimed({ events }: TraceFile): TraceEvent[] {
  return events.map(({ threads: _, ...event }) => {
    const chunks = event["chunks"] as readonly Chunk[] | undefined;
    const parts = chunks === undefined ? {} : { chunks: chunks.map(({ begin, end }) => ({ begin, end })) };
    return { ...event, ...parts, start: 0, end: 0 } as TraceEvent;
  });
}
