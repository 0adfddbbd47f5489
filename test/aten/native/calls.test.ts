/**
 * Random calls of every operator, on the CPU and on meta tensors, with what PyTorch 2.13.0 answered: dtype, shape, strides, offset,
 * values, what became of the arguments, error types and texts. Recorded by tools/oracle/record_calls.py.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { setWarningHandler, type WarningHandler } from "#c10/util/Exception";
import { type Case, callComplaint } from "../../helpers/calls.ts";
import { readFixture } from "../../helpers/recorded.ts";

const { ops } = readFixture<{ ops: Record<string, Case[]> }>(
  new URL("../../fixtures/native/calls.json.gz", import.meta.url),
);

let handler: WarningHandler;
beforeAll(() => {
  handler = setWarningHandler(() => {});
});
afterAll(() => {
  setWarningHandler(handler);
});

test.each(Object.entries(ops))("%s", (name, cases) => {
  const complaints = cases.flatMap((c, i) => {
    const found = callComplaint(name, c);
    return found === null ? [] : [`${i} (${c.specs[0].device}): ${JSON.stringify([c.args, c.kwargs])}\n  ${found}`];
  });
  expect(complaints.join("\n")).toBe("");
});
