/**
 * @file Compares random expressions with CPython: `npx tsx tools/oracle/expressions.ts [FILE]` reads what record_expressions.py wrote and
 * prints every expression whose value or error differs.
 * @original
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { repr, str } from "../../src/python/Objects/object.ts";
import { type_of } from "../../src/python/Objects/typeobject.ts";
import { python } from "../../src/python/pythonrun.ts";

export type Row = readonly [text: string, outcome: string];

const LONGEST = 600;

/** The repr of an expression's value, or its error, as the recorder writes them. */
export function outcome(text: string): string {
  let value: string;
  try {
    value = repr(python.expr(text));
  } catch (error) {
    value = `${type_of(error).name}: ${str(error)}`;
  }
  if (value.length <= LONGEST) return value;
  const points = Array.from(value);
  return points.length <= LONGEST ? value : `${points.slice(0, LONGEST).join("")}... ${points.length}`;
}

/** The expressions that differ. */
export function differences(
  rows: readonly Row[],
): { readonly text: string; readonly said: string; readonly ours: string }[] {
  return rows.flatMap(([text, said]) => {
    const ours = outcome(text);
    return ours === said ? [] : [{ text, said, ours }];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = process.argv[2] ?? "test/fixtures/python/expressions.json.gz";
  const { rows } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { rows: readonly Row[] };
  const found = differences(rows);
  for (const { text, said, ours } of found) console.log(`${text}\n  CPython ${said}\n  ours    ${ours}`);
  console.log(`${rows.length} expressions, ${found.length} differ`);
  process.exit(found.length === 0 ? 0 : 1);
}
