/**
 * @file Recordings for the tests: real ones from files, and small or very large artificial ones.
 * @original
 */
import { readFileSync } from "node:fs";
import type { TraceEvent } from "../../../../src/trace/event.ts";
import type { TraceFile } from "../../../../src/trace/Trace.ts";
import { openText } from "../../src/model/open.ts";
import { TraceModel } from "../../src/model/TraceModel.ts";

export const fixturePath = (name: string): string => new URL(`../fixtures/${name}`, import.meta.url).pathname;

export function fixture(name: string): TraceModel {
  const opened = openText(readFileSync(fixturePath(name), "utf8"));
  if (opened.kind !== "trace") throw new Error(`${name} is no trace`);
  return opened.model;
}

type Fields = Partial<Omit<TraceEvent, "id" | "parent">>;

/** `[depth, name, fields]` in order of begin; time is the position in the list. */
export function made(...rows: readonly (readonly [depth: number, name: string, fields?: Fields])[]): TraceModel {
  const open: number[] = [];
  const events = rows.map(([depth, name, fields], id): TraceEvent => {
    open.length = depth;
    open.push(id);
    const parent = depth === 0 ? null : (open[depth - 1] as number);
    return { id, parent, kind: "native", name, start: id, end: id + 1, ...fields };
  });
  for (const event of [...events].reverse()) {
    const above = event.parent === null ? undefined : events[event.parent];
    if (above !== undefined) above.end = Math.max(above.end, event.end);
  }
  return new TraceModel({ origin: "glasstorch", torch: "2.13.0", events, dropped: 0 });
}

/** A training loop of at least `count` events: the prelu call again and again below one module, some levels deep. */
export function longTrace(count: number): TraceFile {
  const call = fixture("prelu.json").events;
  const span = (call[0] as TraceEvent).end + 50;
  const events: TraceEvent[] = [{ id: 0, parent: null, kind: "python", name: "train", start: 0, end: 0 }];
  for (let k = 0; events.length < count; k++) {
    const first = events.length;
    for (const event of call)
      events.push({
        ...event,
        id: first + event.id,
        parent: event.parent === null ? 0 : first + event.parent,
        start: event.start + k * span,
        end: event.end + k * span,
      });
  }
  (events[0] as TraceEvent).end = (events[events.length - 1] as TraceEvent).end + span;
  return { format: "glasstorch-trace", version: 1, torch: "2.13.0", dropped: 1234, events };
}
