/**
 * @file A program's lines and the text of its error are compared word for word, and the finding carries what a hint may look for.
 * @see tools/learn/checks/outcome.ts
 */
import { expect, test } from "vitest";
import { outcome } from "../../../tools/learn/checks/outcome.ts";

function found(says: readonly string[], run: (...args: unknown[]) => unknown, args: readonly unknown[] = []) {
  const host = { golden: async () => ({ cases: [{ name: "a program", args, says }] }) };
  return outcome({ golden: "", call: "f" }, { host, session: { calls: { f: { inputs: () => [], run } } } } as never);
}

const refuses = (text: string) => (): never => {
  throw new TypeError(text);
};

test("lines, one or several", async () => {
  expect(await found(["x 1"], () => "x 1")).toBeNull();
  expect(await found(["x 1", "y 2"], () => ["x 1", "y 2"])).toBeNull();
  expect((await found(["x 1", "y 2"], () => ["x 1"]))?.rows[1]).toEqual({ expected: "y 2", yours: "(no more)" });
  expect((await found(["x 1"], () => ["x 1", "y 2"]))?.first).toBe(1);
});

test("errors, with their name and every line of their text", async () => {
  expect(await found(["TypeError: one", "two"], refuses("one\ntwo\n"))).toBeNull();
  const finding = await found(["TypeError: one", "two"], refuses("one\nthree"));
  expect(finding?.first).toBe(1);
  expect(finding?.seen).toBe("three | two | a program");
  expect(finding?.because).toContain("PyTorch: two");
  expect(await found(["TypeError: one"], () => "a result")).not.toBeNull();
  expect(await found(["a result"], refuses("one"))).not.toBeNull();
});

test("a program that changes its arguments does not change the next run's", async () => {
  const args = [[1]];
  await found(["2"], (list) => (list as number[]).push(1), args);
  expect(args).toEqual([[1]]);
});
