/** @file A learner's data, taken from a page to a clone and back. */
import { expect, test } from "vitest";
import { beginning, editsOf, readProgressFile } from "../../tools/learn/progress.ts";

const stub = new Map([
  ["kernel.ts", "// here"],
  ["answers.yaml", "first:"],
]);

test("what was written in a page lies where the stub would, and goes back as it was", () => {
  const { edits } = readProgressFile(JSON.stringify({ passed: [], edits: { "04": { "kernel.ts": "return x" } } }));
  const files = beginning(stub, edits?.["04"]);
  expect([...files]).toEqual([
    ["kernel.ts", "return x"],
    ["answers.yaml", "first:"],
  ]);
  expect(editsOf(stub, files)).toEqual({ "kernel.ts": "return x" });
  expect(editsOf(stub, new Map())).toEqual({});
});

test("an edit makes no file that the exercise does not have", () => {
  const edits = { "../../src/index.ts": "export {}", constructor: "1" };
  expect([...beginning(stub, edits)]).toEqual([...stub]);
  expect([...beginning(new Map([["constructor", "2"]]), {})]).toEqual([["constructor", "2"]]);
});

test("a file of another form is refused, and what has another form in it is left out", () => {
  expect(() => readProgressFile("[]")).toThrow("no list of what has passed");
  const read = readProgressFile(
    JSON.stringify({ passed: [{ id: 1 }, null], edits: { "04": { "a.ts": 5 }, "05": "x" } }),
  );
  expect(read).toEqual({ passed: [], edits: { "04": {}, "05": {} } });
});
