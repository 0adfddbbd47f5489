/**
 * @file The text that a learner reads after a failed check: whole paths, and the marked row from the first difference of the two texts.
 */
import { expect, test } from "vitest";
import type { Exercise } from "../../../tools/learn/exercise.ts";
import { feedback, plain } from "../../../tools/learn/feedback.ts";
import type { Compared } from "../../../tools/learn/report.ts";

const WIDTH = 78;

function told(ours: string, rows: readonly Compared[], first: number): string[] {
  const exercise = { id: "00-made-up", checks: [{ id: "00.one", look_at: { ours, pytorch: "a.cpp" } }] };
  const failure = { check: "00.one", headline: "h", rows, first, because: "b", seen: "s", call: null };
  return feedback(exercise as unknown as Exercise, { exercise: exercise.id, passed: [], failure }, WIDTH, plain);
}

const pair = (expected: string, yours: string): Compared => ({ expected, yours });

test("a path is whole, and what to look for in it has a line of its own where there is no room", () => {
  const path = "src/torch/csrc-equivalent/autograd/autograd_not_implemented_fallback.ts";
  expect(told(`${path}#fallback`, [pair("a", "b")], 0).slice(-4, -2)).toEqual([
    `  look at   ${path}`,
    "            fallback",
  ]);
  expect(told("src/a.ts#f", [pair("a", "b")], 0).at(-3)).toBe("  look at   src/a.ts   f");
});

test("the marked row shows where the two part, also behind the end of a column", () => {
  const long = "aten::exp call AutogradPrivateUse1 here";
  const rows = [pair(long, long), pair(`${long} [kernel]`, `${long} [fallback]`), pair("a", "a")];
  const lines = told("a.ts", rows, 1);
  expect(lines[3]).toMatch(/^> 2 …\[kernel\] +…\[fallback\]$/);
});

test("a short row is shown from its beginning", () => {
  expect(told("a.ts", [pair("call CPU", "call Meta"), pair("a", "a")], 0)[2]).toMatch(/^> 1 call CPU +call Meta$/);
});
