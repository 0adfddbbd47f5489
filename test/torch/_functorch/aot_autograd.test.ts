/** Graphs without mutation, joint graphs and their partitions, against those recorded from PyTorch for the same programs. */
import "glasstorch/fx";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
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

/** The recorded programs, of which a run takes some, with their numbers. */
const programs = (kind: string): (readonly [name: string, i: number])[] => [
  ...cases_in_turn(
    `programs of aot_cases.py, ${kind}`,
    Object.keys(recorded[kind]).map((name, i) => [name, i] as const),
    4,
  ),
];

test.each(programs("functionalized"))("functionalize: %s", (name, i) => {
  expect(program.functionalized(Math.floor(i / 2), REMOVE[i % 2])).toBe(recorded["functionalized"][name]);
});

test.each(programs("compiled"))("aot_function: %s", (name, i) => {
  const found = plain(program.compiled(Math.floor(i / 2), i % 2 === 1)) as Any;
  expect(found).toEqual(recorded["compiled"][name]);
  expect(found.equal).not.toContain(false);
});

test("all programs are recorded", () => {
  expect(Object.values(recorded).map((kind) => Object.keys(kind).length)).toEqual([20, 30]);
});
