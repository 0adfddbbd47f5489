/**
 * @file The layout of the elevator view: lanes go down with the layers, steps go right in order of begin, a bar spans
 * its subtree. Widths follow the texts, not the times, because recorded times are mostly those of the recorder.
 * @original
 */
import { type Lane, lanes } from "../../../../src/trace/event.ts";
import { label } from "./label.ts";
import type { Projection } from "./projection.ts";

export interface ElevatorLane {
  readonly lane: Lane;
  /** Number of sub-rows for nested bars in one lane. */
  readonly rows: number;
}

export interface Elevator {
  readonly lanes: readonly ElevatorLane[];
  /** Left edge of each step, and at the end the full width. */
  readonly x: Float64Array;
  /** Sub-row of each step within its lane. */
  readonly row: Uint8Array;
  /** Position in `lanes` of each step. */
  readonly lane: Uint8Array;
  /** Step at which the bar ends: after its subtree, or where a bar below it in the same sub-row begins. */
  readonly end: Int32Array;
}

/** Deeper nesting in one lane shares its last sub-row: a bar there ends where the next begins. */
const maxRows = 5;
const charWidth = 7;
const headWidth = 18;

export function layOut(p: Projection): Elevator {
  const { x, row } = { x: new Float64Array(p.steps.length + 1), row: new Uint8Array(p.steps.length) };
  const lane = new Uint8Array(p.steps.length);
  const end = p.end.slice();
  const rows = nest(p, row, end);
  const shown = lanes.map((name, i) => ({ lane: name, rows: rows[i] as number, i })).filter((l) => l.rows > 0);
  const place = new Map(shown.map((l, i) => [l.i, i]));
  const width = widths(p);
  for (let s = 0; s < p.steps.length; s++) {
    x[s + 1] = (x[s] as number) + (width[s] as number);
    lane[s] = place.get(p.model.lane[p.steps[s] as number] as number) as number;
  }
  return { lanes: shown.map(({ lane: name, rows: count }) => ({ lane: name, rows: count })), x, row, lane, end };
}

/** Assigns sub-rows, cuts bars that share one, and returns the number of rows for each lane. */
function nest(p: Projection, row: Uint8Array, end: Int32Array): number[] {
  const open: number[][] = lanes.map(() => []); // by lane: steps whose subtree is not finished
  const rows = lanes.map(() => 0);
  for (let s = 0; s < p.steps.length; s++) {
    const lane = p.model.lane[p.steps[s] as number] as number;
    const stack = open[lane] as number[];
    while (stack.length > 0 && (p.end[stack[stack.length - 1] as number] as number) <= s) stack.pop();
    row[s] = Math.min(stack.length, maxRows - 1);
    const above = stack[stack.length - 1];
    if (above !== undefined && row[above] === row[s]) end[above] = Math.min(end[above] as number, s);
    stack.push(s);
    rows[lane] = Math.max(rows[lane] as number, (row[s] as number) + 1);
  }
  return rows;
}

/**
 * The width of a step itself: for a leaf its label's; for an inner step a minimum, larger if its subtree leaves its
 * label no room.
 */
function widths(p: Projection): Float64Array {
  const own = new Float64Array(p.steps.length);
  const below = new Float64Array(p.steps.length);
  for (let s = p.steps.length - 1; s >= 0; s--) {
    const leaf = p.end[s] === s + 1;
    const wanted = Math.min(
      Math.max(label(p.model.event(p.steps[s] as number)).length * charWidth + 20, 48),
      leaf ? 190 : 260,
    );
    own[s] = leaf ? wanted : Math.max(headWidth, wanted - (below[s] as number));
    const above = p.parent[s] as number;
    if (above !== -1) below[above] = (below[above] as number) + (own[s] as number) + (below[s] as number);
  }
  return own;
}

/** Steps with a bar between `left` and `right` (unscaled): those that begin there, and those open at its left edge. */
export function stepsBetween(p: Projection, e: Elevator, left: number, right: number): number[] {
  const first = firstAtOrAfter(e.x, left, p.steps.length);
  const found: number[] = [];
  for (let at = Math.max(first - 1, 0); at !== -1 && p.steps.length > 0; at = p.parent[at] as number) found.push(at);
  found.reverse();
  for (let s = Math.max(first, 1); s < p.steps.length && (e.x[s] as number) <= right; s++) found.push(s);
  return found;
}

function firstAtOrAfter(x: Float64Array, value: number, count: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((x[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
