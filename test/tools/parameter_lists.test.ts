/** A function with more than twelve parameters says why. */
import { expect, test } from "vitest";
import { complaints_about_parameters } from "../../tools/parameter_lists.ts";

const list = (n: number): string => Array.from({ length: n }, (_, i) => `p${i}: number`).join(",\n  ");
const function_of = (n: number, comment = ""): string =>
  `${comment}export function wide(\n  ${list(n)},\n): void {\n  return;\n}\n`;

test("twelve parameters are the most", () => {
  expect(complaints_about_parameters("a.ts", function_of(12))).toEqual([]);
  expect(complaints_about_parameters("a.ts", function_of(13, "/** Wide. */\n"))).toEqual([
    expect.stringContaining("a.ts:2: wide has 13 parameters"),
  ]);
});

test("a reason above the function is accepted, an empty one is not", () => {
  expect(complaints_about_parameters("a.ts", function_of(13, "/** Wide. @parameters PyTorch's own. */\n"))).toEqual([]);
  expect(complaints_about_parameters("a.ts", function_of(13, "/** @parameters\n */\n"))).toHaveLength(1);
});

test("methods count, and so do defaults and patterns", () => {
  const method = `class A {\n  wide({ a, b }: { a: number; b: number }, c = [1, 2], ${list(11).replaceAll("\n ", "")}): void {\n  }\n}\n`;
  expect(complaints_about_parameters("a.ts", method)).toEqual([expect.stringContaining("A.wide has 13 parameters")]);
});
