/**
 * @file Results that are written to files: what the check finds, and what it says where there is no PyTorch.
 */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Host, ReadFiles } from "../../tools/learn/checks/host.ts";
import { run } from "../../tools/learn/checks/run.ts";
import { type Exercise, readExercise } from "../../tools/learn/exercise.ts";
import { feedback, plain } from "../../tools/learn/feedback.ts";
import { roundtrip } from "../../tools/learn/node/gate_roundtrip.ts";
import { readByPyTorch, withoutPyTorch } from "../../tools/learn/node/pytorch_reads.ts";
import { describe_value } from "../../tools/oracle/describe_value.ts";

const exercise: Exercise = readExercise(
  "90-files",
  parse(`
id: 90-files
title: Files
goal: a result goes through a file
minutes: 1
needs: []
room: torch
browser: true
edits: [answers.txt]
pytorch: []
checks:
  - id: 90.roundtrip
    says: the result is read as what it was
    roundtrip: {call: "x.t()"}
    look_at: {ours: "src/torch/serialization/index.ts", pytorch: torch/serialization.py}
    hints: [[where, what, almost]]
mistakes: []
`),
);

const result = () => torch.arange(6).reshape([2, 3]).t();

function hostWith(readFiles: Host["readByPyTorch"]): Host {
  return {
    yours: async () => ({}),
    text: () => "",
    open: async () => ({ calls: { "x.t()": { inputs: () => [], run: result } } }),
    golden: async () => null,
    generated: async () => null,
    readByPyTorch: readFiles,
    device: async () => "none is asked for",
  };
}

/** As PyTorch would, were it this library. */
const reads = (files: readonly Uint8Array[]): ReadFiles =>
  files.map((file) => ({ value: describe_value(torch.load(file)) }));
const otherwise = (): ReadFiles => [{ value: describe_value(torch.zeros([3, 2], { dtype: torch.int64 })) }];

test("a result that comes back as it was", async () => {
  const report = await run(
    exercise,
    hostWith(async (files) => reads(files)),
  );
  expect(report).toEqual({ exercise: "90-files", passed: ["90.roundtrip"], failure: null });
});

test("where there is no PyTorch, that is said", async () => {
  const report = await run(
    exercise,
    hostWith(async () => "a web page has no PyTorch"),
  );
  expect(report.failure).toBeNull();
  expect(report.notes).toEqual(["not checked against PyTorch: a web page has no PyTorch"]);
  expect(feedback(exercise, report, 80, plain).join("\n")).toMatch(
    /lacking +not checked against PyTorch: a web page has no PyTorch/,
  );
});

test("a result that PyTorch reads as another, or not at all", async () => {
  const { failure } = await run(
    exercise,
    hostWith(async () => otherwise()),
  );
  expect(failure).toMatchObject({ check: "90.roundtrip", headline: "x.t(): read by PyTorch it is another" });
  expect(failure?.rows[failure.first].expected).toBe("stride: [1,3]");
  const refused = await run(
    exercise,
    hostWith(async () => [{ error: "UnpicklingError: no" }]),
  );
  expect(refused.failure?.rows[0].yours).toBe('"error"');
});

const samples = (fn: () => unknown) => ({
  calls: [{ fn, args: () => [], kwargs: () => ({}) }],
  from: "",
  guessed: false,
});

test("the gate asks of an operator's results", () => {
  expect(roundtrip(samples(result), reads)).toMatchObject({ wrong: [], ran: "1 result, read by PyTorch" });
  const lacking = roundtrip(samples(result), () => "no PyTorch 2.13.0 at python3");
  expect(lacking.wrong).toEqual([]);
  expect(lacking.lacks).toContain("not checked against PyTorch: no PyTorch 2.13.0 at python3");
  expect(roundtrip(samples(result), otherwise).wrong[0]).toContain("result 0: PyTorch reads");
  expect(
    roundtrip(
      samples(() => [() => 1]),
      reads,
    ).wrong[0],
  ).toContain("Can't pickle");
  const never = () => {
    throw new Error("no");
  };
  expect(roundtrip(samples(never), reads).wrong).toEqual(["no call came to a result"]);
});

test("a command that is no Python", () => {
  expect(withoutPyTorch("no-such-python")).toBe("no PyTorch 2.13.0 at no-such-python");
  expect(readByPyTorch([], "no-such-python")).toBe("no PyTorch 2.13.0 at no-such-python");
});

test.runIf(withoutPyTorch() === null)("the real PyTorch reads it", () => {
  const values = [result(), [torch.ones([2], { dtype: torch.bfloat16 }), torch.tensor(true)], { a: 1.5 }];
  const read = readByPyTorch(values.map((value) => torch.save(value)));
  expect(read).toEqual(values.map((value) => ({ value: describe_value(value) })));
  expect(readByPyTorch([new Uint8Array(0)])).toEqual([{ error: "EOFError: " }]);
});
