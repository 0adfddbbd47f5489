/**
 * @file A recording as a small picture for a text: who was entered, under which key. No places in files, so that it stays as it is when
 * a line is put above a function.
 * @original
 */
import { laneOf, type Trace, type TraceEvent } from "glasstorch/trace";
import { clip } from "./feedback.ts";

/** Nothing of these is said in an exercise's text. */
const LEFT_OUT = new Set(["memory", "iterator"]);

export function picture(trace: Trace, width: number): string {
  const depth = new Map<number | null, number>([[null, 0]]);
  const lines: string[] = [];
  for (const event of trace.events) {
    const above = depth.get(event.parent) as number;
    const leftOut = LEFT_OUT.has(event.kind);
    depth.set(event.id, above + (leftOut ? 0 : 1));
    if (leftOut) continue;
    const lane = laneOf(event, trace.parent(event)).padEnd(12);
    lines.push(clip(`${lane}${"  ".repeat(above)}${nameOf(event)}`, width));
  }
  return lines.join("\n");
}

function nameOf(event: TraceEvent): string {
  const name = event.name.replace("torch::autograd::generated::", "").replace("torch::autograd::", "");
  return event.kind === "op" ? `${name}   ${event.key} [${event.origin}]` : name;
}
