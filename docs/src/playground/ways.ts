/**
 * @file The ways of a Python program's lines, read off its recording: which operators each line called, and with how many steps.
 * @original
 */
import { isProgramStep } from "../../../src/trace/event.ts";
import type { TraceModel } from "../../../tools/trace-viewer/src/model/TraceModel.ts";

/** The calls of one line, over all times that it ran. */
export interface Way {
  readonly line: number;
  /** The first event of the line, by its id. */
  readonly event: number;
  /** Operators that the line called itself, in order, each once. */
  readonly operators: readonly string[];
  /** Steps of the library below the line, over all times. */
  readonly steps: number;
  /** How often the line ran and called the library. */
  readonly times: number;
}

/** @param file the program, as the recording names it */
export function waysOf(model: TraceModel, file: string): Way[] {
  const ways = new Map<number, { event: number; operators: Set<string>; steps: number; times: number }>();
  model.events.forEach((event, i) => {
    if (event.kind !== "line" || event.source?.file !== file) return;
    const { line } = event.source;
    const way = ways.get(line) ?? { event: event.id, operators: new Set<string>(), steps: 0, times: 0 };
    ways.set(line, way);
    way.times++;
    const last = model.last[i] as number;
    for (let at = i + 1; at <= last; at++) {
      const below = model.event(at);
      if (below.kind === "line" && below.source?.file === file) {
        at = model.last[at] as number; // the way of another line
        continue;
      }
      if (!isProgramStep(below)) way.steps++;
      if (below.kind === "op" && outermost(model, at, i))
        way.operators.add((below.op ?? below.name).replace(/^aten::/, ""));
    }
  });
  return [...ways]
    .filter(([, { steps }]) => steps > 0)
    .map(([line, { operators, ...way }]) => ({ line, ...way, operators: [...operators] }));
}

/** Whether no other operator stands between an operator and its line. */
function outermost(model: TraceModel, at: number, line: number): boolean {
  for (let above = model.parent[at] as number; above > line; above = model.parent[above] as number)
    if (model.event(above).kind === "op") return false;
  return true;
}
