/**
 * @file The steps that a reader walks through: events of the visible lanes, in order of begin. Children of a hidden
 * event move up.
 * @original
 */
import type { Lane } from "../../../../src/trace/event.ts";
import type { TraceModel } from "./TraceModel.ts";

export interface Projection {
  readonly model: TraceModel;
  /** Event index of each step. */
  readonly steps: Int32Array;
  /** Step of the nearest visible ancestor, -1 at a root. */
  readonly parent: Int32Array;
  /** First step after the subtree of this one. */
  readonly end: Int32Array;
  readonly depth: Int32Array;
  /** Number of visible events before event `i`, for every `i` and for the end: the step of a visible event. */
  readonly rank: Int32Array;
}

export function project(model: TraceModel, hidden: ReadonlySet<Lane> = new Set()): Projection {
  const n = model.events.length;
  const rank = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) rank[i + 1] = (rank[i] as number) + (hidden.has(model.laneAt(i)) ? 0 : 1);
  const count = rank[n] as number;
  const steps = new Int32Array(count);
  const parent = new Int32Array(count);
  const end = new Int32Array(count);
  const depth = new Int32Array(count);
  for (let i = 0; i < n; i++) {
    const step = rank[i] as number;
    if (rank[i + 1] === step) continue;
    let above = model.parent[i] as number;
    while (above !== -1 && rank[above] === rank[above + 1]) above = model.parent[above] as number;
    steps[step] = i;
    parent[step] = above === -1 ? -1 : (rank[above] as number);
    end[step] = rank[(model.last[i] as number) + 1] as number;
    depth[step] = above === -1 ? 0 : (depth[rank[above] as number] as number) + 1;
  }
  return { model, steps, parent, end, depth, rank };
}

/** The step of an event; if it is hidden, of its nearest visible ancestor; if it has none, of the next event. */
export function stepOf(p: Projection, event: number): number {
  for (let at = event; at !== -1; at = p.model.parent[at] as number) {
    const step = p.rank[at] as number;
    if (p.rank[at + 1] !== step) return step;
  }
  return Math.min(p.rank[event] ?? 0, Math.max(p.steps.length - 1, 0));
}

export type Move =
  | "next"
  | "back"
  | "into"
  | "out"
  | "over"
  | "overBack"
  | "first"
  | "last"
  | "nextDispatch"
  | "previousDispatch";

/** The target of a move from a step; the step itself if there is no such move. */
export function move(p: Projection, step: number, how: Move): number {
  const n = p.steps.length;
  switch (how) {
    case "next":
      return Math.min(step + 1, n - 1);
    case "back":
      return Math.max(step - 1, 0);
    case "into":
      return (p.end[step] as number) > step + 1 ? step + 1 : step;
    case "out":
      return p.parent[step] === -1 ? step : (p.parent[step] as number);
    case "over":
      return (p.end[step] as number) < n ? (p.end[step] as number) : step;
    case "overBack":
      return siblingBefore(p, step);
    case "first":
      return 0;
    case "last":
      return n - 1;
    case "nextDispatch":
      return findOp(p, step, 1);
    case "previousDispatch":
      return findOp(p, step, -1);
  }
}

/** The previous sibling, or the parent of a first child: the opposite of `over`. */
function siblingBefore(p: Projection, step: number): number {
  const above = p.parent[step] as number;
  let at = step - 1;
  while (at > above && p.parent[at] !== above) at = p.parent[at] as number;
  return Math.max(at, 0);
}

function findOp(p: Projection, step: number, by: 1 | -1): number {
  for (let at = step + by; at >= 0 && at < p.steps.length; at += by)
    if (p.model.event(p.steps[at] as number).kind === "op") return at;
  return step;
}

/** The next step (wrapping around) whose name, operator or kernel contains `text`; -1 if none does. */
export function find(p: Projection, from: number, text: string): number {
  const wanted = text.toLowerCase();
  const n = p.steps.length;
  for (let k = 1; k <= n; k++) {
    const step = (from + k) % n;
    const event = p.model.event(p.steps[step] as number);
    if (`${event.name} ${event.op ?? ""} ${event.kernel ?? ""}`.toLowerCase().includes(wanted)) return step;
  }
  return -1;
}
