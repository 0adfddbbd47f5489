/**
 * @file `npx tsx tools/ci/run.ts [--since COMMIT]`: runs the parts of parts.ts and prints the output and duration of
 * each, the failed tests and the flaky ones. The last line is `N passed, N failed`. `--since`: only the parts that
 * changes since a commit can affect. What a run leaves to other commits (turn.ts) is said again before the last line.
 *
 * Every part runs, whatever the result of the previous one. A part that keeps one core busy may run beside another one;
 * its output is printed at its end, so that lines of two parts never mix.
 * @original
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { longest_files } from "./longest.ts";
import { PARTS, type Part } from "./parts.ts";
import { type Failure, failures_in, repeat_failures, type VitestReport } from "./repeat.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const reports = mkdtempSync(join(tmpdir(), "glasstorch-ci-"));

interface Outcome {
  readonly part: Part;
  readonly passed: number;
  readonly failed: number;
  /** Lines that are printed again at the end. */
  readonly complaints: readonly string[];
  readonly flaky: readonly string[];
  /** Lines that say which share of its tests ran. */
  readonly turns: readonly string[];
  readonly seconds: number;
  readonly cpu: number | null;
}

/** Runs a shell command; its output goes to `say` as it comes. The shell's last line states the CPU time of the commands. */
function shell(
  command: string,
  say: (text: string) => void,
): Promise<{ status: number; output: string; cpu: number | null }> {
  return new Promise((resolve) => {
    const timed = `(${command}\n); status=$?; times >&3; exit $status`;
    const child = spawn("bash", ["-c", timed], { cwd: root, stdio: ["ignore", "pipe", "pipe", "pipe"] });
    let output = "";
    let times = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        say(text);
      });
    (child.stdio[3] as NodeJS.ReadableStream).on("data", (text: Buffer) => {
      times += text;
    });
    child.on("close", (status) => resolve({ status: status ?? 1, output, cpu: cpu_of(times) }));
  });
}

/** `0m1.230s 0m0.120s`: user and system time, of the shell in the first line and of its children in the second. */
function cpu_of(times: string): number | null {
  const found = [...times.matchAll(/(\d+)m([\d.]+)s/g)];
  if (found.length === 0) return null;
  return found.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}

async function run_part(part: Part, beside: boolean): Promise<Outcome> {
  let kept = `--- ${part.name}\n`;
  const say = (text: string): void => {
    if (beside) kept += text;
    else process.stdout.write(text);
  };
  if (!beside) process.stdout.write(kept);
  const begin = performance.now();
  const report = join(reports, `${PARTS.indexOf(part)}.json`);
  let output = "";
  let cpu: number | null = 0;
  let status = 0;
  for (const command of part.commands) {
    const arguments_ = `--reporter=default --reporter=json --outputFile.json=${report}`;
    const made = await shell(command.replace("$REPORT", arguments_), say);
    output += made.output;
    cpu = made.cpu === null || cpu === null ? null : cpu + made.cpu;
    status = made.status;
    if (status !== 0) break;
  }
  const judged = judge(part, status, output, report, say);
  const seconds = Math.round((performance.now() - begin) / 1000);
  say(`--- ${part.name}: ${seconds} s${cpu === null ? "" : `, ${Math.round(cpu)} s of CPU`}\n`);
  if (beside) process.stdout.write(kept);
  const turns = [...new Set(stripVTControlCharacters(output).match(/^turn: .*/gm))];
  return { part, ...judged, turns, seconds, cpu };
}

type Judged = Pick<Outcome, "passed" | "failed" | "complaints" | "flaky">;

function judge(part: Part, status: number, output: string, report: string, say: (text: string) => void): Judged {
  const last_lines = [
    `--- ${part.name}, its last lines`,
    ...output
      .trimEnd()
      .split("\n")
      .slice(-30)
      .map((l) => l.slice(0, 300)),
  ];
  if (part.counting.by === "vitest" && existsSync(report)) {
    const found = JSON.parse(readFileSync(report, "utf8")) as VitestReport;
    const failures = failures_in(found);
    for (const line of longest_files(found, root)) say(`${line}\n`);
    const { flaky, failed } = repeat_failures(join(root, part.counting.folder), failures, say);
    // vitest also fails for other reasons than tests: for example an error outside of any.
    const other = status !== 0 && failures.length === 0 ? 1 : 0;
    return {
      passed: found.numPassedTests + flaky.length,
      failed: failed.length + other,
      flaky: flaky.map((failure) => `${part.name}: ${named(failure)}`),
      complaints: [
        ...failed.map((failure) => `${part.name}: ${named(failure)}\n  ${failure.message}`),
        ...(other === 0 ? [] : last_lines),
      ],
    };
  }
  const counted = [...output.matchAll(/^(\d+) passed, (\d+) failed\b/gm)].at(-1);
  const failed = Math.max(Number(counted?.[2] ?? 0), status === 0 ? 0 : 1);
  const passed = part.counting.by === "last line" ? Number(counted?.[1] ?? 0) : 0;
  return { passed, failed, flaky: [], complaints: failed === 0 ? [] : last_lines };
}

function named({ file, name }: Failure): string {
  return name === null ? file : `${file} > ${name}`;
}

/** Starts every part that can begin; two run beside each other only if both keep one core busy. */
async function run_all(parts: readonly Part[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = [...parts];
  const running = new Map<Part, Promise<void>>();
  const ended = new Set<string>(PARTS.filter((part) => !parts.includes(part)).map(({ name }) => name));
  const may_begin = (part: Part): boolean =>
    (part.after ?? []).every((name) => ended.has(name)) &&
    (running.size === 0 ||
      (part.one_core === true &&
        running.size < availableParallelism() &&
        [...running.keys()].every((other) => other.one_core === true)));
  while (waiting.length > 0 || running.size > 0) {
    for (const part of [...waiting]) {
      if (!may_begin(part)) continue;
      waiting.splice(waiting.indexOf(part), 1);
      const made = run_part(part, part.one_core === true).then((outcome) => {
        outcomes.push(outcome);
        ended.add(part.name);
        running.delete(part);
      });
      running.set(part, made);
    }
    await Promise.race(running.values());
  }
  return outcomes;
}

/** Files that differ between a commit and the working tree, new ones included. */
function changed_since(commit: string): string[] {
  const git = (...args: string[]): string[] => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
    if (status !== 0) throw new Error(stderr.trim());
    return stdout.split("\n").filter(Boolean);
  };
  return [...git("diff", "--name-only", "--no-renames", commit), ...git("ls-files", "--others", "--exclude-standard")];
}

/** The parts that changes of these files can affect, and those that they need. */
export function parts_for(changed: readonly string[], parts: readonly Part[] = PARTS): Part[] {
  const wanted = new Set(
    parts.filter(({ touched_by }) => touched_by === null || changed.some((f) => touched_by.test(f))),
  );
  const needs_site = [...wanted].some(({ name }) => name.startsWith("site"));
  return parts.filter((part) => wanted.has(part) || (needs_site && part.name === "site"));
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { since: { type: "string" } } });
  const parts = values.since === undefined ? PARTS : parts_for(changed_since(values.since));
  for (const part of PARTS.filter((each) => !parts.includes(each)))
    console.log(`--- ${part.name}: left out, no change can touch it`);
  const outcomes = await run_all(parts);
  // Failures are printed again at the end, where a reader looks for them.
  for (const { complaints } of outcomes) for (const line of complaints) console.log(line);
  console.log("\nseconds   CPU");
  for (const { part, seconds, cpu } of outcomes)
    console.log(
      `${String(seconds).padStart(7)} ${String(cpu === null ? "" : Math.round(cpu)).padStart(5)}   ${part.name}`,
    );
  for (const turn of outcomes.flatMap(({ turns }) => turns)) console.log(turn);
  const flaky = outcomes.flatMap((outcome) => outcome.flaky);
  if (flaky.length > 0)
    console.log(
      `\nflaky: ${flaky.length} (failed, then passed when run alone)\n${flaky.map((f) => `  ${f}`).join("\n")}`,
    );
  const sum = (key: "passed" | "failed"): number => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await main();
  rmSync(reports, { recursive: true, force: true });
}
