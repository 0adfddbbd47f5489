/**
 * Random expressions of numbers, texts, bytes and formats have CPython's values and errors. The rows are CPython's
 * (tools/oracle/record_expressions.py); `npm run test:oracle` compares others.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { differences, outcome, type Row } from "../../../tools/oracle/expressions.ts";

const file = new URL("../../fixtures/python/expressions.json.gz", import.meta.url);
const { rows } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { rows: readonly Row[] };

test(`${rows.length} recorded expressions`, () => {
  expect(rows.length).toBeGreaterThan(1900);
  expect(differences(rows)).toEqual([]);
});

test("a wrong value, a wrong kind of number and a wrong error are differences", () => {
  for (const [text, wrong] of [
    ["1 + 1", "3"],
    ["1 + 1", "2.0"],
    ["1 / 0", "ZeroDivisionError: integer division"],
    ["'a'.upper()", "'a'"],
  ] as const) {
    expect(differences([[text, wrong]])).toEqual([{ text, said: wrong, ours: outcome(text) }]);
  }
});
