/** Graphs without mutation, joint graphs and their partitions, against those recorded from PyTorch for the same programs. */
import "glasstorch/fx";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { type Any, readFixture } from "../../helpers/recorded.ts";

const recorded = readFixture<Record<string, Record<string, Any>>>(
  new URL("../../fixtures/aot.json.gz", import.meta.url),
);
const cases = fileURLToPath(new URL("../../../tools/oracle/aot_cases.py", import.meta.url));
const program = python(readFileSync(cases, "utf8"), { filename: cases, name: "aot_cases", stdout: () => {} }) as Any;

function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), plain(each)]));
  return Array.isArray(value) ? [...value].map(plain) : value;
}

const REMOVE = ["mutations", "mutations_and_views"];

test("functionalize: every program's graph is PyTorch's", () => {
  const expected = Object.entries(recorded["functionalized"]);
  expect(expected.length).toBe(20);
  for (const [i, [name, code]] of expected.entries())
    expect(program.functionalized(Math.floor(i / 2), REMOVE[i % 2]), name).toBe(code);
});

test("aot_function: every program's graphs are PyTorch's, and its results those of the function", () => {
  const expected = Object.entries(recorded["compiled"]);
  expect(expected.length).toBe(30);
  for (const [i, [name, facts]] of expected.entries()) {
    const found = plain(program.compiled(Math.floor(i / 2), i % 2 === 1)) as Any;
    expect(found, name).toEqual(facts);
    expect(found.equal, name).not.toContain(false);
  }
});
