/**
 * @file Queries on a recording, as data: the selected events, and the field to take.
 * @original
 */
import { laneOf, type Trace, type TraceEvent } from "glasstorch/trace";

export interface Query {
  /** Fields that a selected event has: `{kind: op, op: "aten::add.Tensor", key: CPU}`. */
  readonly where: Readonly<Record<string, string | readonly string[]>>;
  /** Field to take from the events: `name`, `key`, `origin`, `keyset`, `source.file`, `lane`; or `count`. */
  readonly take: string;
  readonly only?: "first" | "last";
  /** Whether each answer is listed only once. */
  readonly distinct?: boolean;
}

/** The answers, in order of begin. */
export function ask(trace: Trace, query: Query): string[] {
  const found = trace.events.filter((event) =>
    Object.entries(query.where).every(([field, wanted]) => [wanted].flat().includes(told(trace, event, field))),
  );
  if (query.take === "count") return [String(found.length)];
  const all = found.map((event) => told(trace, event, query.take));
  const answers = query.distinct === true ? [...new Set(all)] : all;
  if (query.only === undefined) return answers;
  return answers.length === 0 ? [] : [query.only === "first" ? answers[0] : (answers.at(-1) as string)];
}

function told(trace: Trace, event: TraceEvent, field: string): string {
  if (field === "lane") return laneOf(event, trace.parent(event));
  if (field === "parent") return trace.parent(event)?.name ?? "";
  const value = field
    .split(".")
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], event);
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}
