/**
 * @file A second chance for tests that depend on more than our code: a test in a browser, or one that starts another process, runs once more
 * alone. If it passes then, it counts as passed and is listed as flaky. Tests that run inside vitest's own process get no second chance.
 * @original
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The parts of vitest's JSON report that are read here. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    /** In ms. */
    readonly startTime?: number;
    readonly endTime?: number;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

export interface Failure {
  /** An absolute path. */
  readonly file: string;
  /** The test's name; null for the file as a whole, which may not even have begun. */
  readonly name: string | null;
  readonly message: string;
}

export function failures_in({ testResults }: VitestReport): Failure[] {
  const found: Failure[] = [];
  for (const { name: file, status, message = "", assertionResults } of testResults) {
    const failed = assertionResults.filter((test) => test.status === "failed");
    for (const { fullName, failureMessages = [] } of failed)
      found.push({ file, name: fullName, message: failureMessages.join("\n").slice(0, 500) });
    if (failed.length === 0 && status === "failed") found.push({ file, name: null, message: message.slice(0, 500) });
  }
  return found;
}

const STARTS_A_PROCESS = /from "node:(?:child_process|worker_threads)"/;
const BESIDE = /from "(\.{1,2}\/[^"]+\.ts)"/g;

/** Whether a test file runs in a browser, or starts a process itself or in a helper that it imports. */
export function may_be_repeated(file: string): boolean {
  if (/[\\/]browser[\\/]/.test(file)) return true;
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (STARTS_A_PROCESS.test(text)) return true;
  return [...text.matchAll(BESIDE)].some(([, path]) => {
    const helper = join(dirname(file), path as string);
    return /[\\/]test[\\/]/.test(helper) && existsSync(helper) && STARTS_A_PROCESS.test(readFileSync(helper, "utf8"));
  });
}

/** If there are more failures, they have a common cause, which is not chance: none of them is repeated. */
const MOST = 10;

/** Runs tests again, one after the other, in the package `folder`. `run` is for tests of this file. */
export function repeat_failures(
  folder: string,
  failures: readonly Failure[],
  say: (text: string) => void,
  run: (folder: string, args: readonly string[]) => boolean = run_vitest,
): { readonly flaky: Failure[]; readonly failed: Failure[] } {
  const flaky: Failure[] = [];
  const failed: Failure[] = [];
  for (const failure of failures) {
    const shown = { ...failure, file: relative(folder, failure.file).replaceAll("\\", "/") };
    if (failures.length > MOST || !may_be_repeated(failure.file)) failed.push(shown);
    else {
      say(`once more, alone: ${shown.file}${failure.name === null ? "" : ` > ${failure.name}`}\n`);
      const only = failure.name === null ? [] : ["--testNamePattern", `^${escaped(failure.name)}$`];
      (run(folder, [shown.file, ...only]) ? flaky : failed).push(shown);
    }
  }
  return { flaky, failed };
}

function run_vitest(folder: string, args: readonly string[]): boolean {
  return spawnSync("npx", ["vitest", "run", ...args], { cwd: folder, stdio: "ignore" }).status === 0;
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
