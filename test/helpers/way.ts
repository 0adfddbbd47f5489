/**
 * @file The way of a recorded call below the front end, as lines of text: what a Python program and its TypeScript twin have in common.
 */
import type { TraceEvent } from "glasstorch/trace";

/** Kinds below the front end. */
const BELOW: ReadonlySet<TraceEvent["kind"]> = new Set([
  "binding",
  "op",
  "kernel",
  "native",
  "iterator",
  "stub",
  "loop",
  "autograd",
  "engine",
  "memory",
]);

/**
 * One line for each event below the front end, indented by its depth among such events: name, an operator's key set, key and kernel, a node's
 * edges, and the inputs. Numbers of storages and versions are left out: they depend on what was recorded before.
 */
export function way(events: readonly TraceEvent[]): string[] {
  const depth = new Map<number | null, number>();
  const lines: string[] = [];
  for (const event of events) {
    const above = depth.get(event.parent) ?? 0;
    const shown = BELOW.has(event.kind);
    depth.set(event.id, shown ? above + 1 : above);
    if (!shown) continue;
    const { kind, name, how, key, keyset, kernel, origin, next_edges, error, inputs } = event;
    const choice = kind === "op" ? ` ${how} {${keyset}} -> ${key} ${kernel} [${origin}]` : "";
    const values = JSON.stringify(inputs, (field, value) => (/^(storage|version)$/.test(field) ? undefined : value));
    const rest = kind === "autograd" ? `-> ${next_edges}` : (error ?? values ?? "");
    lines.push(`${" ".repeat(above)}${kind} ${name}${choice} ${rest}`);
  }
  return lines;
}
