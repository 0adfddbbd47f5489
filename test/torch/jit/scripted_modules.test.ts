/**
 * Modules of torch.nn as scripts: graphs, codes and results are PyTorch's (tools/oracle/record_scripted_modules.py recorded them). Values are renamed
 * in the order in which they come, because PyTorch gives other numbers where its text of a forward has other lines.
 */
import { readFileSync } from "node:fs";
import "glasstorch/jit";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import { readFixture } from "../../helpers/recorded.ts";

type Result = number | Result[] | { tensor: string; shape: number[]; sum: number; data: number[] };
interface Row {
  readonly graphs?: readonly string[];
  readonly codes?: readonly string[];
  readonly result?: Result;
  readonly type?: string;
  readonly message?: string;
}

const { rows } = readFixture<{ rows: Record<string, Row> }>(
  new URL("../../fixtures/torchscript/scripted_modules.json.gz", import.meta.url),
);
const oracle = new URL("../../../tools/oracle/", import.meta.url);
const module_of = (path: string, name: string) => {
  const url = new URL(path, oracle);
  return python(readFileSync(url, "utf8"), { filename: url.pathname, name });
};
module_of("scripted_modules/cases.py", "cases");
const { outcome_text } = module_of("record_scripted_modules.py", "record_scripted_modules") as unknown as {
  outcome_text(name: string): string;
};

function renamed(text: string): string {
  const names = new Map<string, string>();
  return text.replace(/%[\w.]+/g, (name) => {
    if (!names.has(name)) names.set(name, `%${names.size}`);
    return names.get(name) as string;
  });
}

function close(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") return a === b || Math.abs(a - b) <= 1e-4 + 1e-4 * Math.abs(b);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const keys = Object.keys(a) as (keyof typeof a)[];
  return keys.length === Object.keys(b).length && keys.every((key) => close(a[key], (b as typeof a)[key]));
}

/** Modules whose forward has a text of its own here, with functions and a list where PyTorch has branches: their graph and code are not compared. */
const own_text =
  /\(%self(?:\.\d+)? : __torch__\.torch\.nn\.modules\.(?:transformer\.TransformerEncoder(?:Layer)?|activation\.MultiheadAttention),/;

/** A message without the place and the project that a failed assertion names. */
const comparable = (message: string | undefined): string | undefined =>
  message?.replace(/^.*INTERNAL ASSERT FAILED.* to (PyTorch|glasstorch)\. /, "INTERNAL ASSERT FAILED: ");

test.each(cases_in_turn("scripted modules", Object.entries(rows), 18))("%s", (name, recorded) => {
  const made = JSON.parse(outcome_text(name)) as Row;
  if (name === "LinearCrossEntropyLoss") {
    // It has no Python text here; PyTorch finds none for the class of its options.
    expect([made.type, made.message]).toEqual([recorded.type, expect.stringContaining("Can't get source for")]);
    return;
  }
  if (recorded.type !== undefined) {
    expect([made.type, comparable(made.message)]).toEqual([recorded.type, comparable(recorded.message)]);
    return;
  }
  const compared = (texts: readonly string[] | undefined) =>
    texts?.filter((_, i) => !own_text.test(recorded.graphs?.[i] ?? ""));
  expect(compared(made.graphs)?.map(renamed), made.message).toEqual(compared(recorded.graphs)?.map(renamed));
  expect(compared(made.codes)).toEqual(compared(recorded.codes));
  if (!close(made.result, recorded.result)) expect(made.result).toEqual(recorded.result);
});
