/**
 * @file The first step at which two recordings differ, in words; as the full viewer's comparison finds it.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compare } from "../../tools/trace-viewer/src/model/compare.ts";
import { openText } from "../../tools/trace-viewer/src/model/open.ts";
import type { TraceModel } from "../../tools/trace-viewer/src/model/TraceModel.ts";
import { docs } from "./repository.ts";

type Name = readonly [of: string, record: string];

/** Id of the step of `a` at which they part (of its next step, where only `b` has one), or null if they never do. */
export function whereTheyPart(a: Name, b: Name): { readonly id: number; readonly words: string } | null {
  const [left, right] = [model(a), model(b)];
  const { pairs, first } = compare(left, right);
  const pair = pairs[first];
  if (pair === undefined) return null;
  const at = pair.a ?? pairs.slice(first).find((each) => each.a !== null)?.a ?? left.events.length - 1;
  return {
    id: left.event(at).id,
    words: `The two recordings differ here: ${pair.differences
      .join("; ")
      .replace(/\bthe first\b/, "this one")
      .replace(/\bthe second\b/, "the other")}.`,
  };
}

function model([of, record]: Name): TraceModel {
  const opened = openText(readFileSync(join(docs, "static/generated/traces", of, `${record}.json`), "utf8"));
  if (opened.kind !== "trace") throw new Error(`${of}/${record} is no trace`);
  return opened.model;
}
