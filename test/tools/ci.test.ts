/** The whole run of all checks: which parts a change can touch, and which failures get a second chance. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { PARTS } from "../../tools/ci/parts.ts";
import { type Failure, failures_in, may_be_repeated, repeat_failures } from "../../tools/ci/repeat.ts";
import { parts_for } from "../../tools/ci/run.ts";

const scratch = mkdtempSync(join(tmpdir(), "glasstorch-ci-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const file = (path: string, text: string): string => {
  mkdirSync(join(scratch, path, ".."), { recursive: true });
  writeFileSync(join(scratch, path), text);
  return join(scratch, path);
};
const names = (...changed: string[]): string[] => parts_for(changed).map(({ name }) => name);
const ALWAYS = ["unit tests", "check"];

test("each part comes after parts that exist, and stand before it", () => {
  for (const [k, { name, after = [] }] of PARTS.entries())
    for (const other of after)
      expect(
        PARTS.slice(0, k).map((part) => part.name),
        name,
      ).toContain(other);
});

test("a change of a test touches the unit tests and the checks; one of a kernel touches all that computes", () => {
  expect(names("test/torch/random.test.ts")).toEqual(ALWAYS);
  expect(names("src/aten/native/Lerp.ts")).toEqual(
    expect.arrayContaining([...ALWAYS, "other configurations of kernels and heap", "bench"]),
  );
  expect(names("src/aten/native/Lerp.ts")).not.toContain("trace viewer");
  expect(names("tools/trace-viewer/src/index.ts")).toContain("trace viewer");
  expect(names("docs/content/start.mdx")).toEqual(["unit tests", "site", "site: engine, claims, browser", "check"]);
  expect(names("package-lock.json").length).toBeGreaterThan(5);
});

test("tests of a browser and of other processes may be repeated; those within vitest may not", () => {
  expect(may_be_repeated(file("docs/test/browser/a.test.ts", ""))).toBe(true);
  expect(may_be_repeated(file("test/b.test.ts", 'import { spawnSync } from "node:child_process";'))).toBe(true);
  file("test/helpers/child.ts", 'import { fork } from "node:child_process";');
  expect(may_be_repeated(file("test/c.test.ts", 'import { run } from "./helpers/child.ts";'))).toBe(true);
  expect(may_be_repeated(file("test/d.test.ts", 'import { add } from "../src/add.ts";'))).toBe(false);
});

test("vitest's report: failed tests by name, and files that could not begin", () => {
  const failed = { status: "failed", fullName: "group that fails", failureMessages: ["because"] };
  const results = [
    { name: "/x/a.test.ts", status: "failed", assertionResults: [failed, { status: "passed", fullName: "other" }] },
    { name: "/x/b.test.ts", status: "failed", message: "no such module", assertionResults: [] },
    { name: "/x/c.test.ts", status: "passed", assertionResults: [] },
  ];
  expect(failures_in({ numPassedTests: 1, testResults: results })).toEqual([
    { file: "/x/a.test.ts", name: "group that fails", message: "because" },
    { file: "/x/b.test.ts", name: null, message: "no such module" },
  ]);
});

test("what passes alone is flaky; what fails again has failed; many failures are none of chance", () => {
  const browser = (name: string): Failure => ({ file: file("docs/test/browser/e.test.ts", ""), name, message: "" });
  const unit: Failure = { file: file("test/f.test.ts", ""), name: "within", message: "" };
  const calls: (readonly string[])[] = [];
  const run = (_: string, args: readonly string[]): boolean => {
    calls.push(args);
    return args[2] === "^comes \\(late\\)$";
  };
  const { flaky, failed } = repeat_failures(scratch, [browser("comes (late)"), browser("never"), unit], () => {}, run);
  expect(flaky.map(({ name }) => name)).toEqual(["comes (late)"]);
  expect(failed.map(({ name }) => name)).toEqual(["never", "within"]);
  expect(calls[0]).toEqual(["docs/test/browser/e.test.ts", "--testNamePattern", "^comes \\(late\\)$"]);
  expect(calls).toHaveLength(2);
  const many = repeat_failures(
    scratch,
    Array.from({ length: 11 }, () => browser("comes (late)")),
    () => {},
    run,
  );
  expect([many.flaky.length, many.failed.length, calls.length]).toEqual([0, 11, 2]);
});
