/**
 * @file The check of a call's path, hop by hop, against the expected one.
 * @original
 */
import torch from "glasstorch";
import type { Trace, TraceEvent } from "glasstorch/trace";
import type { Path } from "../exercise.ts";
import { compareRows, type Finding } from "../report.ts";
import { recorded } from "./recorded.ts";
import type { Scope } from "./run.ts";

export function path(spec: Path, { session }: Scope): Finding | null {
  const trace = recorded(session, spec.call);
  const met = hopsOf(trace, spec.of);
  return compareRows(
    spec.hops,
    met.map(({ text }) => text),
    (first) => ({
      headline: `${spec.call}: the path differs at hop ${first + 1}`,
      because: because(trace, met, first),
    }),
  );
}

interface Hop {
  readonly text: string;
  readonly event: TraceEvent;
}

/**
 * The hops. Entries of `of` are operators, with or without overload; `nodes` adds nodes made for backward, `loops` the
 * loops over elements.
 */
function hopsOf(trace: Trace, of: readonly string[]): Hop[] {
  const named = (op: string): boolean => of.some((name) => op === name || op.startsWith(`${name}.`));
  const several = of.filter((name) => name.includes("::")).length > 1;
  const short = (event: TraceEvent): string => event.name.slice(event.name.lastIndexOf("::") + 2);
  return trace.events.flatMap((event): Hop[] => {
    if (event.kind === "autograd" && of.includes("nodes")) return [{ text: `node ${short(event)}`, event }];
    if (event.kind === "loop" && of.includes("loops")) return [{ text: `loop ${short(event)}`, event }];
    if (event.kind !== "op" || !named(event.op ?? "")) return [];
    const how = event.how?.replace("Boxed", "");
    return [{ text: `${several ? `${event.op} ` : ""}${how} ${event.key} [${event.origin}]`, event }];
  });
}

/** The dispatcher's reason at the first hop that differs: key set and cell. */
function because(trace: Trace, met: readonly Hop[], first: number): string {
  const hop = met[first] ?? met[first - 1];
  if (hop === undefined) return "the call met none of these hops";
  const { event } = met[first] === undefined ? { event: lastOp(met) ?? hop.event } : hop;
  if (event.kind !== "op") return `made in ${trace.parent(event)?.name ?? "the program"}`;
  const row = torch._C
    ._dispatch_dump_table(event.op as string)
    .split("\n")
    .find((line) => line.startsWith(`${event.key}: `));
  const behind = met[first] === undefined ? "nothing came after it; it was entered with " : "";
  return `${behind}key set {${(event.keyset ?? []).join(", ")}}; the cell ${(row ?? `${event.key}: missing`).replace(/registered at /, "").trim()}`;
}

function lastOp(met: readonly Hop[]): TraceEvent | undefined {
  return met.findLast(({ event }) => event.kind === "op")?.event;
}
