/**
 * @file The passes of a recording in their order, in chains: the passes that ran one after another on one graph; and the lines that a pass changed.
 * @original
 */
import type { TraceModel } from "./TraceModel.ts";

export interface PassStep {
  /** Index of its event. */
  readonly event: number;
  readonly name: string;
  /** The title in the executor's log at this moment; empty if there is none. */
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly changed: boolean;
}

export interface PassChain {
  readonly title: string;
  readonly steps: readonly PassStep[];
}

/** Passes that run inside of a pass belong to it. */
export function chainsOf(model: TraceModel): PassChain[] {
  const chains: PassStep[][] = [];
  let last = -1;
  model.events.forEach((event, i) => {
    const { before, after } = event.graphs ?? {};
    if (event.kind !== "pass" || before === undefined || after === undefined) return;
    const parent = model.parent[i] as number;
    if (parent !== -1 && model.event(parent).kind === "pass") return;
    const [old, now] = [model.graphs[before], model.graphs[after]];
    if (old === undefined || now === undefined) return;
    const name = event.name.split(/::|\./).at(-1) as string;
    const step = {
      event: i,
      name,
      title: event.title ?? "",
      before: old.text,
      after: now.text,
      changed: before !== after,
    };
    if (before !== last) chains.push([]);
    chains.at(-1)?.push(step);
    last = after;
  });
  return chains.map((steps) => {
    const changed = steps.filter((step) => step.changed).length;
    const count = steps.length === 1 ? "1 pass" : `${steps.length} passes`;
    return { title: `${steps[0]?.name}, ${count}, ${changed} changed the graph`, steps };
  });
}

export interface DiffLine {
  readonly text: string;
  readonly number: number;
  /** Whether the other text has no such line. */
  readonly changed: boolean;
}

/** Both texts as lines; the lines of a longest common subsequence are not marked. */
export function changedLines(before: string, after: string): { before: DiffLine[]; after: DiffLine[] } {
  const [a, b] = [before.split("\n"), after.split("\n")];
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const row = (i: number): Uint16Array => common[i] as Uint16Array;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      row(i)[j] =
        a[i] === b[j] ? (row(i + 1)[j + 1] as number) + 1 : Math.max(row(i + 1)[j] as number, row(i)[j + 1] as number);
  const [kept_a, kept_b] = [new Set<number>(), new Set<number>()];
  for (let i = 0, j = 0; i < a.length && j < b.length; )
    if (a[i] === b[j]) {
      kept_a.add(i++);
      kept_b.add(j++);
    } else if ((row(i + 1)[j] as number) >= (row(i)[j + 1] as number)) i++;
    else j++;
  const lines = (texts: string[], kept: Set<number>): DiffLine[] =>
    texts.map((text, i) => ({ text, number: i + 1, changed: !kept.has(i) }));
  return { before: lines(a, kept_a), after: lines(b, kept_b) };
}
