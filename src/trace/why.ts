/**
 * @file `--why OP`: the reason why the dispatcher chose this key and this kernel, step by step, from the event and the
 * operator's table.
 * @mirrors aten/src/ATen/core/dispatch/DispatchKeyExtractor.h
 */
import type { TraceEvent } from "./event.ts";

function set(keys: readonly string[]): string {
  return `{${keys.join(", ")}}`;
}

/** One row of `_dispatch_dump_table`. */
interface Cell {
  readonly key: string;
  readonly kernel: string;
  readonly origin: string;
  readonly fallthrough: boolean;
}

/**
 * Parses the text form of a computed table: `CPU: registered at FILE:LINE [kernel]`,
 * `Tracer: fallthrough registered at ... [backend fallback]`.
 */
function readTable(table: string): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const line of table.split("\n")) {
    const found = /^([A-Za-z0-9_]+)(?: \([a-z]+\))?: (.*) \[([a-z ]+)\]\s*$/.exec(line);
    if (found === null) continue;
    const [, key, kernel, origin] = found as unknown as [string, string, string, string];
    cells.set(key, { key, kernel, origin, fallthrough: kernel.startsWith("fallthrough") });
  }
  return cells;
}

/** The union of key lists, low to high: the order of the event's own lists. */
function union(sets: readonly (readonly string[])[]): string[] {
  return [...new Set(sets.flat())];
}

/** Whether a mode excludes the key: it may exclude single keys, or a functionality for every backend. */
function isExcluded(key: string, excluded: readonly string[]): boolean {
  if (excluded.includes(key)) return true;
  return excluded.includes("AutogradFunctionality") && /^Autograd(?!Other$|NestedTensor$)[A-Z]/.test(key);
}

/** The explanation of one dispatcher hop as lines of text; `table` is `_dispatch_dump_table(op)`. */
export function explainEvent(event: TraceEvent, table: string): string[] {
  const out = [`${event.name}   ${event.op}   (${event.how})`];
  const cells = readTable(table);
  if (event.how?.startsWith("redispatch")) {
    out.push(
      `  handed down             ${set(event.keyset ?? [])}: a redispatch takes the key set it is given; arguments and modes are not asked again`,
    );
  } else {
    for (const arg of event.args ?? []) out.push(`  ${`argument ${arg.name}`.padEnd(23)} ${set(arg.keys)}`);
    const included = event.tls?.included ?? [];
    const excluded = event.tls?.excluded ?? [];
    const all = union([...(event.args ?? []).map((a) => a.keys), included]);
    const removed = all.filter((k) => isExcluded(k, excluded));
    const left = event.keyset ?? [];
    const fallen = all.filter((k) => !removed.includes(k) && !left.includes(k));
    out.push(`  included by mode        ${set(included)}`);
    out.push(`  excluded by mode        ${set(excluded)}`);
    out.push(`  fallen through          ${set(fallen)}: no kernel of this operator wants to see these keys`);
    out.push(`  what is left            ${set(left)}`);
    const without = removed.filter((k) => cells.get(k) !== undefined && cells.get(k)?.fallthrough === false);
    const winner = without.at(-1);
    if (winner !== undefined)
      out.push(
        `  without the exclusions  ${winner} would have won: ${cells.get(winner)?.kernel} [${cells.get(winner)?.origin}]`,
      );
    else out.push("  without the exclusions  the same key would have won");
  }
  out.push(`  the highest wins        ${event.key}`);
  out.push(`  the cell                ${event.kernel} [${event.origin}]`);
  return out;
}

/** Explains every call of `op` in a list of events. */
export function explainChoice(events: readonly TraceEvent[], op: string, tableOf: (op: string) => string): string {
  const wanted = op.includes("::") ? op : `aten::${op}`;
  const hops = events.filter(
    (e) => e.kind === "op" && (e.op === wanted || e.op?.startsWith(`${wanted}.`) === true || e.operator === op),
  );
  if (hops.length === 0) {
    const seen = [...new Set(events.filter((e) => e.kind === "op").map((e) => e.op))];
    return `no call of ${wanted} in this recording; it holds: ${seen.join(", ")}`;
  }
  return hops.map((e) => explainEvent(e, tableOf(e.op as string)).join("\n")).join("\n\n");
}
