/**
 * @file Runs random programs here and in the real PyTorch 2.13.0 (`PYTHON`, else `python3`): after every step the
 * result or the error, the warnings, and the whole state of all tensors are compared; at the end the graphs.
 *
 *     npx tsx tools/oracle/fuzz.ts --programs 10000 --seed 1 --jobs 2
 *
 *   --programs N   number of programs (default 300); program k has the seed SEED + k, and is the same wherever it is made
 *   --seed SEED    (default 1)
 *   --seeds LIST   the programs with these seeds instead: `--seeds 7,12`
 *   --length N     number of steps in a program (default 16)
 *   --jobs N       number of processes (default 1)
 *   --only TEXTS   only calls whose name contains one of these: `--only index_put,_cell`
 *   --tree DIR     our library from another checkout
 *   --report FILE  the summary as a page, with each cause's smallest program in Python and in TypeScript
 *   --show         show every program that differs, at once
 *   --allow SHARE  succeed if at most this share of the programs differ in a way that README.md does not name, and none
 *                  of them in a value (default 0; for example 0.003)
 *   --keep FILE    add each cause's smallest program to a file of programs
 *   --replay FILE  run the programs of such a file instead of random ones; they are the same in every run. A name that
 *                  ends in .gz means a compressed file
 *   --write FILE   write the programs that do not differ, without results: a file for --replay
 *   --record FILE  write the programs that do not differ, with PyTorch's results: the fixture of test/tools/oracle/fuzz.test.ts
 *
 * Ctrl-C ends it early, with the summary of the programs run so far.
 * @original
 */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { WITH_LIBRARY } from "../module_loader/with_library.ts";
import { is_intended } from "./fuzz/cause.ts";
import type { Task, Told } from "./fuzz/job.ts";
import type { Program } from "./fuzz/program.ts";
import { inPython, inTypeScript } from "./fuzz/show.ts";

const PATIENCE = 300_000; // ms without a message; a program takes some 20, the start of the libraries longer

const { values: given } = parseArgs({
  options: {
    programs: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    seeds: { type: "string" },
    length: { type: "string", default: "16" },
    jobs: { type: "string", default: "1" },
    only: { type: "string" },
    tree: { type: "string", default: fileURLToPath(new URL("../../", import.meta.url)) },
    report: { type: "string" },
    show: { type: "boolean", default: false },
    allow: { type: "string", default: "0" },
    keep: { type: "string" },
    replay: { type: "string" },
    record: { type: "string" },
    write: { type: "string" },
  },
});

type Wanted = Task["programs"];

const programs: Wanted = wanted();
const told: Told[] = [];
const never: number[] = [];
const started = Date.now();

function progress(): void {
  const count = (outcome: Told["outcome"]) => told.filter((t) => t.outcome === outcome).length;
  const differ = count("differs") + never.length;
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  const line = `${told.length + never.length} of ${programs.length} programs, ${differ} differ, ${count("unwritten")} by memory that nobody wrote, ${count("lost")} crashed PyTorch, ${seconds} s`;
  if (process.stdout.isTTY) process.stdout.write(`\r${line}`);
  else console.log(line);
}

function wanted(): Wanted {
  if (given.replay !== undefined) return kept(given.replay);
  if (given.seeds !== undefined) return given.seeds.split(",").map(Number);
  return Array.from({ length: Number(given.programs) }, (_, k) => Number(given.seed) + k);
}

/** The programs in a file, one per line. */
function kept(file: string): Program[] {
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const lines = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

const children = new Set<ChildProcess>();
let stopped = false;
process.on("SIGINT", () => {
  stopped = true; // the summary covers the results so far
  for (const child of children) child.kill("SIGKILL");
});

/** Runs the programs in one process; if one does not return, another process continues with the next. */
async function run(part: Wanted): Promise<void> {
  let rest = part;
  while (rest.length > 0 && !stopped) {
    const task: Task = {
      tree: given.tree,
      python: process.env["PYTHON"] ?? "python3",
      programs: rest,
      length: Number(given.length),
      only: given.only ?? null,
      examples: 2,
      records: given.record !== undefined || given.write !== undefined,
    };
    rest = await new Promise<Wanted>((resolve, reject) => {
      const child = fork(fileURLToPath(new URL("fuzz/job.ts", import.meta.url)), [], { execArgv: [...WITH_LIBRARY] });
      children.add(child);
      let done = 0;
      const stop = (): boolean => child.kill("SIGKILL");
      let timer = setTimeout(stop, PATIENCE);
      child.on("message", (one: Told) => {
        clearTimeout(timer);
        timer = setTimeout(stop, PATIENCE);
        done++;
        told.push(one);
        if (given.show && one.outcome === "differs") console.log(text(one));
        if (told.length % 100 === 0) progress();
      });
      child.on("exit", (code, signal) => {
        clearTimeout(timer);
        children.delete(child);
        if (signal === null && code !== 0) reject(new Error(`a job ended with ${code}`));
        if (done === task.programs.length) resolve([]);
        else if (stopped) resolve([]);
        else {
          const lost = task.programs[done] as number | Program;
          never.push(typeof lost === "number" ? lost : lost.seed);
          resolve(task.programs.slice(done + 1));
        }
      });
      child.send(task);
    });
  }
}

function text({ seed, program, difference }: Told): string {
  if (program === undefined || difference === undefined) return `seed ${seed}`;
  const { kind, where, ours, theirs } = difference;
  return [
    `### ${kind}${where === "" ? "" : `, ${where}`} (seed ${seed})`,
    "```python",
    inPython(program),
    "```",
    "```ts",
    inTypeScript(program),
    "```",
    `- PyTorch: \`${theirs.slice(0, 1200)}\``,
    `- ours: \`${ours.slice(0, 1200)}\``,
    "",
  ].join("\n");
}

const jobs = Number(given.jobs);
console.log(`${programs.length} programs beside the PyTorch of ${process.env["PYTHON"] ?? "python3"}`);
await Promise.all(Array.from({ length: jobs }, (_, job) => run(programs.filter((_, k) => k % jobs === job))));
progress();

const intended = told.filter((t) => t.difference !== undefined && is_intended(t.difference));
const differing = told.filter((t) => t.outcome === "differs" && !intended.includes(t));
const byCause = new Map<string, Told[]>();
for (const t of differing) byCause.set(t.cause as string, [...(byCause.get(t.cause as string) ?? []), t]);
const causes = [...byCause].sort((a, b) => b[1].length - a[1].length);
const smallest = (list: readonly Told[]): Told =>
  list.reduce((a, b) => ((b.program?.steps.length ?? 99) < (a.program?.steps.length ?? 99) ? b : a));

const steps = told.reduce((sum, t) => sum + t.steps, 0);
const errors = told.reduce((sum, t) => sum + t.errors, 0);
const calls = new Set(told.flatMap((t) => t.calls));
const share = (((differing.length + never.length) / told.length) * 100).toFixed(2);
const summary = [
  `${told.length} programs (${given.replay ?? `seeds ${given.seeds ?? `${programs[0]} to ${programs.at(-1)}`}`}), ${steps} steps, ${calls.size} calls, ${errors} errors in PyTorch: ${differing.length} programs differ (${share} %), ${causes.length} causes; ${intended.length} differ by intention`,
  ...(never.length > 0 ? [`ours did not come back: seeds ${never.join(" ")}`] : []),
  ...causes.map(([name, list]) => `${String(list.length).padStart(5)}  ${name}`),
].join("\n");
console.log(`\n${summary}`);
if (given.report !== undefined)
  writeFileSync(
    given.report,
    [summary, "", ...causes.map(([name, list]) => `## ${list.length} x ${name}\n\n${text(smallest(list))}`)].join("\n"),
  );
else if (!given.show) for (const [, list] of causes) console.log(`\n${text(smallest(list))}`);
if (given.keep !== undefined) {
  const known = new Set(kept(given.keep).map((p) => JSON.stringify(p)));
  for (const [, list] of causes) known.add(JSON.stringify(smallest(list).program));
  writeFileSync(given.keep, `${[...known].join("\n")}\n`);
}
if (given.write !== undefined) {
  const same = told.filter((t) => t.outcome === "same").sort((a, b) => a.seed - b.seed);
  const lines = same.map(({ program }) => `${JSON.stringify(program)}\n`).join("");
  writeFileSync(given.write, given.write.endsWith(".gz") ? gzipSync(lines) : lines);
}
if (given.record !== undefined) {
  const same = told.filter((t) => t.outcome === "same").map(({ program, record }) => ({ program, record }));
  const fixture = { torch: "2.13.0", script: "tools/oracle/fuzz.ts", programs: same };
  writeFileSync(given.record, gzipSync(JSON.stringify(fixture)));
}
const wrong = differing.length + never.length;
const inValue = differing.some(({ cause }) => /^(values|grad's values|result|hook's gradient)/.test(cause as string));
process.exit(wrong <= Number(given.allow) * told.length && !inValue ? 0 : 1);
