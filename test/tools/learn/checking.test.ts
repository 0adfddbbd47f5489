/**
 * @file The time that an answer may take is counted from the first check, and the text that a learner reads says so.
 * @see tools/learn/node/checking.ts
 */
import { expect, test } from "vitest";
import { run } from "../../../tools/learn/checks/run.ts";
import { type Exercise, ExerciseError } from "../../../tools/learn/exercise.ts";
import { feedback, plain } from "../../../tools/learn/feedback.ts";
import { endless } from "../../../tools/learn/report.ts";

const look_at = { ours: "a.ts", pytorch: "a.cpp" };

function exercise(kind: string, spec: object): Exercise {
  const checks = [{ id: "00.one", says: "", kind, spec, look_at, hints: [] }];
  return { id: "00-made-up", edits: [{ file: "yours.ts", appended: false }], checks } as unknown as Exercise;
}

test("the clock starts before the learner's file runs, and after the library is loaded", async () => {
  const order: string[] = [];
  const host = {
    generated: async () => {
      order.push("codegen");
      return null;
    },
    begins: () => order.push("begins"),
    yours: async () => {
      order.push("the learner's file");
      throw new Error("enough");
    },
  };
  await run(exercise("order", { golden: "", graphs: [], compute: "order" }), host as never);
  expect(order).toEqual(["codegen", "begins", "the learner's file"]);
});

test("codegen's own error starts no clock", async () => {
  const host = {
    generated: async () => ({ files: new Map(), error: "line 1: no" }),
    begins: () => {
      throw new ExerciseError("nothing of the learner's runs");
    },
  };
  const { failure } = await run(exercise("codegen", { has: [] }), host as never);
  expect(failure?.headline).toContain("codegen finds an error");
});

test("a slow answer is told what was counted, and that the machine may be busy", () => {
  const made = exercise("order", {});
  const text = feedback(made, endless(made, 120), 100, plain).join("\n");
  expect(text).toContain("the checks took longer than 120 s");
  expect(text).toContain("counted from the first check");
  expect(text).toContain("busy");
});
