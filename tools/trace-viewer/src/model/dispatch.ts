/**
 * @file The explanation of a dispatcher hop: its key sets as rows of a table, and the result without the exclusions.
 * @mirrors aten/src/ATen/core/dispatch/DispatchKeyExtractor.h
 */
import type { TraceEvent } from "../../../../src/trace/event.ts";
import { type Cell, highToLow } from "./dispatchTable.ts";

export type RowKind = "argument" | "included" | "handed" | "excluded" | "fallthrough" | "left";

export interface KeyRow {
  readonly kind: RowKind;
  readonly label: string;
  readonly keys: ReadonlySet<string>;
}

export interface Choice {
  readonly how: "call" | "redispatch" | "callBoxed" | "redispatchBoxed";
  readonly key: string;
  readonly kernel: string;
  readonly origin: string;
  /** The keys involved, highest first. */
  readonly columns: readonly string[];
  readonly rows: readonly KeyRow[];
  /** Keys excluded by mode although no argument carries them: shown as a number, not as columns. */
  readonly idle: readonly string[];
  /** The cell that would have won without exclusions; null if that changes nothing or the table is not available. */
  readonly otherwise: Cell | null;
}

/** The choice recorded by an `op` event. `row` is the operator's row of the table, empty if not available. */
export function choiceOf(event: TraceEvent, row: readonly Cell[] = []): Choice {
  const excluded = event.tls?.excluded ?? [];
  const left = event.keyset ?? [];
  const how = event.how ?? "call";
  const common = { how, key: event.key ?? "", kernel: event.kernel ?? "", origin: event.origin ?? "" };
  if (how.startsWith("redispatch")) {
    const columns = highToLow([...left, ...(event.args ?? []).flatMap((arg) => arg.keys)]);
    const below = columns.filter((key) => !left.includes(key));
    const rows: KeyRow[] = [
      ...argumentRows(event),
      { kind: "excluded", label: "− left behind by the callers", keys: new Set(below) },
      { kind: "handed", label: "handed down", keys: new Set(left) },
    ];
    return { ...common, columns, rows, idle: [], otherwise: null };
  }
  const included = event.tls?.included ?? [];
  const union = new Set([...(event.args ?? []).flatMap((arg) => arg.keys), ...included]);
  const columns = highToLow([...union, ...left]);
  const removed = columns.filter((key) => isExcluded(key, excluded));
  const fallen = columns.filter((key) => !removed.includes(key) && !left.includes(key));
  const rows: KeyRow[] = [
    ...argumentRows(event),
    { kind: "included", label: "+ included by mode", keys: new Set(included) },
    { kind: "excluded", label: "− excluded by mode", keys: new Set(removed) },
    { kind: "fallthrough", label: "− falls through", keys: new Set(fallen) },
    { kind: "left", label: "what is left", keys: new Set(left) },
  ];
  const idle = excluded.filter((key) => !union.has(key) && !removed.some((other) => isExcluded(other, [key])));
  return { ...common, columns, rows, idle, otherwise: withoutExclusions(removed, left, row) };
}

/** Whether a mode excludes the key: it may exclude single keys, or a functionality for every backend. */
function isExcluded(key: string, excluded: readonly string[]): boolean {
  if (excluded.includes(key)) return true;
  return excluded.includes("AutogradFunctionality") && /^Autograd(?!Other$|NestedTensor$)[A-Z]/.test(key);
}

function argumentRows(event: TraceEvent): KeyRow[] {
  return (event.args ?? []).map((arg) => ({ kind: "argument", label: arg.name, keys: new Set(arg.keys) }));
}

/** Keys that fall through are always masked out, so removing their exclusion changes nothing. */
function withoutExclusions(removed: readonly string[], left: readonly string[], row: readonly Cell[]): Cell | null {
  const cells = new Map(row.map((cell) => [cell.key, cell]));
  const highest = highToLow([...left, ...removed.filter((key) => cells.get(key)?.fallthrough === false)])[0];
  return highest !== undefined && removed.includes(highest) ? (cells.get(highest) as Cell) : null;
}

const originWords: Readonly<Record<string, string>> = {
  kernel: "registered for exactly this key",
  "math kernel": "one composite function for every backend; its gradient follows from the operators it calls",
  "default backend kernel": "one composite function for every backend, below autograd",
  "autograd kernel": "registered for the alias Autograd, which fills the slots of all autograd keys",
  "backend fallback": "nothing registered for this operator: the key's own fallback",
  missing: "nothing registered: a call here fails",
};

/** The meaning of an origin in the words of `_dispatch_dump_table`. */
export function explainOrigin(origin: string): string {
  return originWords[origin] ?? "";
}
