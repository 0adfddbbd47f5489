/**
 * @file When a learner's answer names what happened: the last parts of a name are enough, the class of a structured operator names its
 * one function, and nothing else is let through.
 * @see tools/learn/checks/predict.ts
 */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { predict } from "../../../tools/learn/checks/predict.ts";
import { value } from "../../../tools/learn/checks/value.ts";

const calls = {
  "torch.exp(x)": {
    inputs: () => [torch.ones([2])],
    run: (x: ReturnType<typeof torch.tensor>) => torch.exp(x),
  },
};

function answered(answer: readonly string[], parts: number): boolean {
  const spec = {
    answer: "a",
    question: "",
    call: "torch.exp(x)",
    truth: { where: { kind: "native" }, take: "name" },
    parts,
  };
  const host = { text: () => JSON.stringify({ a: answer }) };
  return predict(spec, { host, file: "answers.yaml", session: { calls } } as never) === null;
}

test.each([
  [["at::meta::structured_exp::meta", "at::native::structured_exp_out::impl"]],
  [["structured_exp::meta", "structured_exp_out::impl"]],
  [["structured_exp", "structured_exp_out"]],
  [["at::meta::structured_exp", "native::structured_exp_out"]],
])("%s names the two functions", (answer) => {
  expect(answered(answer, 2)).toBe(true);
});

test.each([
  [["meta", "impl"]],
  [["structured_exp_out", "structured_exp"]],
  [["exp", "exp_out"]],
  [["structured_exp", "structured_exp"]],
  [["structured_ex", "structured_exp_out"]],
  [["structured_exp::impl", "structured_exp_out::meta"]],
])("%s does not", (answer) => {
  expect(answered(answer, 2)).toBe(false);
});

test("values of float64 are compared beyond the digits of float32", async () => {
  const result = { dtype: "torch.float64", shape: [1], strides: [1], storage_offset: null, values: [0.1] };
  const arg = { ...result, storage_offset: 0, storage: [0.1] };
  const host = { golden: async () => ({ cases: [{ name: "one", args: [arg], result }] }) };
  const of = (factor: number) => {
    const session = { calls: { f: { inputs: () => [], run: (x: never) => torch.mul(x, factor) } } };
    return value({ golden: "", call: "f" }, { host, session } as never);
  };
  expect(await of(1)).toBeNull();
  expect((await of(Math.fround(0.1) / 0.1))?.seen).toContain("element 0 of one");
});
