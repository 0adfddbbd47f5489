/**
 * @file A trace as a mermaid sequence diagram: one participant per lane, one arrow for each step into another lane.
 * @original
 */
import { type Lane, laneOf, lanes, type TraceEvent } from "./event.ts";
import type { Trace } from "./Trace.ts";

function participant(lane: Lane): string {
  return lane.replace(/ /g, "_");
}

/** Replaces `;` and `#`, which are syntax in mermaid. */
function plain(text: string): string {
  return text.replace(/[;#]/g, " ").replace(/</g, "‹").replace(/>/g, "›");
}

/** The trace as a sequence diagram, one column for each lane. */
export function toMermaid(trace: Trace): string {
  const lane = new Map<number, Lane>();
  for (const event of trace.events) lane.set(event.id, laneOf(event, trace.parent(event)));
  const used = lanes.filter((l) => l !== "memory" && [...lane.values()].includes(l));
  const out = [
    "sequenceDiagram",
    "  participant caller",
    ...used.map((l) => `  participant ${participant(l)} as ${l}`),
  ];
  const steps = (event: TraceEvent): boolean =>
    (lane.get(event.id) as Lane) !== "memory" && event.kind !== "function" && event.kind !== "instruction";
  const walk = (event: TraceEvent, from: string): void => {
    const own = participant(lane.get(event.id) as Lane);
    const shown = steps(event);
    if (shown) {
      const choice = event.kind === "op" ? ` (${event.key})` : "";
      out.push(`  ${from}->>${own}: ${plain(event.name + choice)}`);
    }
    for (const child of trace.children(event)) walk(child, shown ? own : from);
  };
  for (const root of trace.children(null)) walk(root, "caller");
  return `${out.join("\n")}\n`;
}
