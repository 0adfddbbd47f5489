/** The numbers that the machine's `switch` writes out are those of the table of instructions. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { OP, opname } from "#python/compiler/opcode";

const source = readFileSync(new URL("../../../src/python/vm/ceval.ts", import.meta.url), "utf8");
const main = source.slice(source.indexOf("switch (ops[pc++])"));
// `case 1: // NAME`, or the name on a line of its own behind `case 1: {`.
const cases = [...main.matchAll(/case (\d+):(?: \{\n\s*)? ?\/\/ ([A-Z_]+)\b/g)].map(
  ([, number, name]) => [name as string, Number(number)] as const,
);

test.each(cases)("%s is case %i", (name, number) => {
  expect(opname[number]).toBe(name);
  expect((OP as Readonly<Record<string, number>>)[name]).toBe(number);
});

test("no instruction is met twice, and every case names its instruction", () => {
  const numbers = cases.map(([, number]) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  // The inner `switch` over comparisons has cases of one digit without a name.
  const all = [...main.matchAll(/^ {10}case (\d+):/gm)].map(([, number]) => Number(number));
  expect(all.filter((number) => !numbers.includes(number))).toEqual([]);
});
