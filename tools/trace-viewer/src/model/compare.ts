/**
 * @file The comparison of two recordings: an alignment of their steps, and the first difference.
 *
 * Two glasstorch traces are compared event by event. If PyTorch's profiler wrote one of them, both are reduced to what
 * it records: operator calls and runs of autograd nodes. Times, storage numbers and source positions are ignored.
 * @original
 */
import type { TraceEvent } from "../../../../src/trace/event.ts";
import { isNodeRun } from "./graph.ts";
import { describe, shortName, tensorsOf } from "./label.ts";
import type { TraceModel } from "./TraceModel.ts";

/** One line of the comparison; a side is null if only the other has an event. */
export interface Pair {
  readonly a: number | null;
  readonly b: number | null;
  /** The differences, in words; empty if the two agree. */
  readonly differences: readonly string[];
}

export interface Comparison {
  readonly pairs: readonly Pair[];
  /** Position in `pairs` of the first difference, -1 if there is none. */
  readonly first: number;
  readonly onlyOperators: boolean;
}

/** With more edits the two have little in common, and the rest is compared position by position. */
const maxEdits = 600;

export function compare(a: TraceModel, b: TraceModel): Comparison {
  const onlyOperators = a.origin !== b.origin;
  const left = comparable(a, onlyOperators);
  const right = comparable(b, onlyOperators);
  const word = onlyOperators ? plainName : (m: TraceModel, i: number) => `${m.event(i).kind} ${m.event(i).name}`;
  const matched = align(
    left.map((i) => word(a, i)),
    right.map((i) => word(b, i)),
  );
  const pairs = matched.map(([l, r]): Pair => {
    const ea = l === null ? null : (left[l] as number);
    const eb = r === null ? null : (right[r] as number);
    return { a: ea, b: eb, differences: differencesOf(a, ea, b, eb, onlyOperators) };
  });
  return { pairs, first: pairs.findIndex((pair) => pair.differences.length > 0), onlyOperators };
}

function comparable(model: TraceModel, onlyOperators: boolean): number[] {
  const all = Array.from(model.events.keys());
  if (!onlyOperators) return all;
  return all.filter(
    (i) => (model.event(i).kind === "op" && model.event(i).how === "call") || isNodeRun(model.event(i)),
  );
}

/** The name that the profiler prints: without overload, namespace of nodes, or `::apply`. */
function plainName(model: TraceModel, i: number): string {
  const event = model.event(i);
  return event.kind === "op" ? (event.op ?? event.name).replace(/\..*$/, "") : shortName(event).replace(/::apply$/, "");
}

function differencesOf(
  a: TraceModel,
  ia: number | null,
  b: TraceModel,
  ib: number | null,
  onlyOperators: boolean,
): string[] {
  if (ia === null || ib === null)
    return [
      `only the ${ia === null ? "second" : "first"} has ${shortName((ia === null ? b : a).event((ia ?? ib) as number))}`,
    ];
  const ea = a.event(ia);
  const eb = b.event(ib);
  const found: string[] = [];
  const tell = (what: string, x: string, y: string): void => {
    if (x !== y) found.push(`${what}: ${x} ↔ ${y}`);
  };
  if (onlyOperators) {
    tell("name", plainName(a, ia), plainName(b, ib));
    tell("shapes", shapes(ea), shapes(eb));
    return found;
  }
  tell("name", ea.name, eb.name);
  tell("key", ea.key ?? "none", eb.key ?? "none");
  tell("kernel", ea.kernel ?? "none", eb.kernel ?? "none");
  tell("key set", `{${(ea.keyset ?? []).join(", ")}}`, `{${(eb.keyset ?? []).join(", ")}}`);
  tell("inputs", describe(ea.inputs), describe(eb.inputs));
  tell("outputs", describe(ea.outputs), describe(eb.outputs));
  if (checksums(ea) !== "" && checksums(eb) !== "" && checksums(ea) !== checksums(eb)) {
    // The extremes are shown if they differ; a checksum always differs.
    const told = extremes(ea) === extremes(eb) ? checksums : extremes;
    tell("values", told(ea), told(eb));
  }
  return found;
}

const shapes = (event: TraceEvent): string =>
  tensorsOf(event.inputs)
    .map((t) => `${t.dtype} [${t.shape.join(", ")}]`)
    .join(", ");
const checksums = (event: TraceEvent): string =>
  tensorsOf(event.outputs)
    .flatMap((t) => (t.checksum === undefined ? [] : [t.checksum]))
    .join(" ");

const extremes = (event: TraceEvent): string =>
  tensorsOf(event.outputs)
    .flatMap((t) => (t.min === undefined ? [] : t.min === t.max ? [`${t.min}`] : [`${t.min} … ${t.max}`]))
    .join(", ");

type Matched = [number | null, number | null];

/** The longest common subsequence by Myers' greedy search, between a common beginning and a common end. */
export function align(a: readonly string[], b: readonly string[]): Matched[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const middle = myers(a.slice(start, endA), b.slice(start, endB)) ?? lockstep(endA - start, endB - start);
  const out: Matched[] = [];
  for (let k = 0; k < start; k++) out.push([k, k]);
  for (const [x, y] of middle) out.push([x === null ? null : x + start, y === null ? null : y + start]);
  for (let k = 0; endA + k < a.length; k++) out.push([endA + k, endB + k]);
  return out;
}

function lockstep(n: number, m: number): Matched[] {
  return Array.from({ length: Math.max(n, m) }, (_, k) => [k < n ? k : null, k < m ? k : null]);
}

function myers(a: readonly string[], b: readonly string[]): Matched[] | null {
  const furthest: Int32Array[] = [];
  const v = new Int32Array(2 * maxEdits + 3);
  const zero = maxEdits + 1;
  for (let d = 0; d <= maxEdits; d++) {
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (v[zero + k - 1] as number) < (v[zero + k + 1] as number));
      let x = down ? (v[zero + k + 1] as number) : (v[zero + k - 1] as number) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      v[zero + k] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(a.length, b.length, furthest, zero);
    }
    furthest.push(v.slice());
  }
  return null;
}

/**
 * `furthest[d]` holds the furthest position on each diagonal with `d` edits; from the end, one edit after the other is undone.
 */
function walkBack(n: number, m: number, furthest: readonly Int32Array[], zero: number): Matched[] {
  const out: Matched[] = [];
  let x = n;
  let y = m;
  for (let d = furthest.length; d > 0; d--) {
    const v = furthest[d - 1] as Int32Array;
    const k = x - y;
    const down = k === -d || (k !== d && (v[zero + k - 1] as number) < (v[zero + k + 1] as number));
    const fromX = down ? (v[zero + k + 1] as number) : (v[zero + k - 1] as number);
    const fromY = fromX - (down ? k + 1 : k - 1);
    while (x > fromX + (down ? 0 : 1) && y > fromY + (down ? 1 : 0)) out.push([--x, --y]);
    out.push(down ? [null, --y] : [--x, null]);
  }
  while (x > 0 && y > 0) out.push([--x, --y]);
  return out.reverse();
}
