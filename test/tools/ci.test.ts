/** The whole run of all checks: which parts a change can touch, and which failures get a second chance. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { longest_files } from "../../tools/ci/longest.ts";
import { PARTS } from "../../tools/ci/parts.ts";
import { type Failure, failures_in, may_be_repeated, repeat_failures } from "../../tools/ci/repeat.ts";
import { parts_for } from "../../tools/ci/run.ts";
import { DEVICE_FILES, SITE_FILES, UNIT_FILES } from "../../tools/ci/slow_files.ts";
import { files_by_turn, in_turn } from "../../tools/ci/turn.ts";

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

test("the longest files of a report, longest first; those that take turns are marked", () => {
  const took = (name: string, startTime: number, endTime: number) => {
    return { name: `/x/${name}`, status: "passed", startTime, endTime, assertionResults: [] };
  };
  const testResults = [took("test/a.test.ts", 0, 1500), took(UNIT_FILES[0], 1000, 5000), took("test/b.test.ts", 0, 1)];
  expect(longest_files({ numPassedTests: 3, testResults }, "/x/", 2)).toEqual([
    `   4.0 s  ${UNIT_FILES[0]} (by turn)`,
    "   1.5 s  test/a.test.ts",
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

test("three commits take every file once, and each says how many it takes; without a turn all run", () => {
  const all = ["a", "b", "c", "d", "e"];
  const turns = [0, 1, 2].map((turn) => files_by_turn("files", all, 3, turn));
  expect(turns.flatMap(({ taken }) => taken).sort()).toEqual(all);
  for (const { taken, left_out } of turns) expect([...taken, ...left_out].sort()).toEqual(all);
  expect(turns[2].words).toBe("turn: 1 of 5 files run (TURN=all runs all of them)");
  expect(files_by_turn("files", all, 3, null)).toEqual({ taken: all, left_out: [], words: null });
  expect(in_turn(all, 3, 1)).toEqual(["b", "e"]);
});

test("files that take turns are there, and there is nothing else to share in them", () => {
  const root = new URL("../../", import.meta.url);
  const files = [
    UNIT_FILES,
    SITE_FILES.map((name) => `docs/${name}`),
    DEVICE_FILES.map((name) => `test/webgpu/${name}`),
  ].flat();
  for (const name of files) {
    expect(existsSync(new URL(name, root)), name).toBe(true);
    // A file of every tenth commit that takes a share of its cases by the same turn would never take the others.
    expect(readFileSync(new URL(name, root), "utf8"), name).not.toMatch(/\b(?:in_turn|cases_in_turn|turn_of\w*)\(/);
  }
});
