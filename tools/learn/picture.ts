/**
 * @file A recording as a small picture for a text: the functions entered, and the keys. It contains no positions in
 * files, so it does not change when a line is added above a function.
 * @original
 */
import { laneOf, type Trace, type TraceEvent } from "glasstorch/trace";
import { clip } from "./feedback.ts";

/** Layers that an exercise's text does not mention. */
const LEFT_OUT = new Set(["memory", "iterator"]);

/** A row: the layer, the depth of the call, the function entered. */
export interface Row {
  readonly lane: string;
  readonly depth: number;
  readonly name: string;
}

export function rowsOf(trace: Trace): Row[] {
  const depths = new Map<number | null, number>([[null, 0]]);
  const rows: Row[] = [];
  for (const event of trace.events) {
    const depth = depths.get(event.parent) as number;
    const leftOut = LEFT_OUT.has(event.kind);
    depths.set(event.id, depth + (leftOut ? 0 : 1));
    if (!leftOut) rows.push({ lane: laneOf(event, trace.parent(event)), depth, name: nameOf(event) });
  }
  return rows;
}

export function picture(rows: readonly Row[], width: number): string {
  const line = ({ lane, depth, name }: Row): string => clip(`${lane.padEnd(12)}${"  ".repeat(depth)}${name}`, width);
  return rows.map(line).join("\n");
}

function nameOf(event: TraceEvent): string {
  const name = event.name.replace("torch::autograd::generated::", "").replace("torch::autograd::", "");
  return event.kind === "op" ? `${name}   ${event.key} [${event.origin}]` : name;
}
