/**
 * @file `npm run bench`: ns per operation on built JavaScript, beside PyTorch from Python in the same run, printed as ratios. Never fails on a time.
 *
 * Without PyTorch 2.13.0 the ratios are to the recorded times of `bench/baseline.json`, and the heading says so. `--quick` only sees that
 * each row runs, here and there.
 * @original
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { build, build_if_stale, keep_compilation } from "../tools/build.ts";
import { cases_in_turn } from "../tools/ci/turn.ts";
import type { Timed } from "./case.ts";
import { BARE_LOOP, casesFor, type Torch } from "./cases.ts";
import { made_program, ROOT } from "./program.ts";

const dist = join(ROOT, "dist");
const stripped = join(ROOT, "dist-stripped");
const baselineFile = join(ROOT, "bench/baseline.json");

interface Times {
  readonly torch: string;
  readonly ns: Readonly<Record<string, number>>;
}

const QUICK = process.argv.includes("--quick");
/** `--only 'gelu|conv2d'`: these rows, and nothing below the table. */
const ONLY = process.argv.includes("--only") ? new RegExp(process.argv[process.argv.indexOf("--only") + 1]) : null;
/** How often each case is timed: the engine compiles a program a little otherwise each time it is started. */
const TURNS = QUICK ? 1 : 3;
/** Once: most of their time is spent in one loop, whose code is the same each time. */
const ARRAYS = /elements$|floats$|1000x1000|1024|^(?:mm|bmm), |training/;
const SMALL = /, 4 elements$/;

/** A question to bench/torch_bench.py. */
interface Question {
  readonly name: string;
  readonly threads: number;
  /** Not the least, but the mean over so many seconds. */
  readonly mean?: number;
}

interface Reference {
  readonly version: string;
  time(question: Question): Promise<number>;
  stop(): void;
}

/** PyTorch in a process that times a case when asked, or null if 2.13.0 is not here. */
async function startReference(): Promise<Reference | null> {
  const child = spawn(process.env["PYTHON"] ?? "python3", [join(ROOT, "bench/torch_bench.py")], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { done, value } = await lines.next();
    return done ? null : JSON.parse(value);
  };
  const version = await next();
  if (typeof version !== "string" || !version.startsWith("2.13.0")) {
    child.kill();
    return null;
  }
  const time = async (question: Question): Promise<number> => {
    child.stdin.write(`${JSON.stringify(QUICK ? { ...question, mean: 0.02 } : question)}\n`);
    const ns = await next();
    if (typeof ns !== "number") throw new Error(`PyTorch does not run ${question.name}`);
    return ns;
  };
  return { version, time, stop: () => child.stdin.end() };
}

const program = made_program("case.ts");

/** One case, in a process that has run nothing else: the engine compiles for what a program does. */
function alone(name: string, folder: string, threads: number, how: "least" | "once" | number): Timed {
  const args = [program, name, folder, String(threads), String(how)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", cwd: ROOT })) as Timed;
}

/** ns per operation, on one thread if nothing else is said. */
function timeAlone(name: string, folder = dist, threads = 1): number {
  return alone(name, folder, threads, QUICK ? "once" : "least").ns;
}

/** The least of each over `rounds`, taken in turns: what else the machine does, and how the engine happens to compile, falls on both. */
function ratioInTurns(rounds: number, ours: () => number, other: () => number): number {
  let [least, than] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < (QUICK ? 1 : rounds); i++) {
    least = Math.min(least, ours());
    than = Math.min(than, other());
  }
  return least / than;
}

/** The tests for a recorder or profiler on the hot path: `tracer !== null`, and `op === null || observed`. */
const HOOK = /\btracer ?!== ?null|(?<=\|\| ?)observed\b/g;

/** A copy of the build whose trace tests are gone, to measure what the hook costs while it is off. */
async function strip(): Promise<void> {
  rmSync(stripped, { recursive: true, force: true });
  cpSync(dist, stripped, { recursive: true });
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.name.endsWith(".js") && !path.includes("trace"))
        writeFileSync(path, readFileSync(path, "utf8").replaceAll(HOOK, "false"));
    }
  };
  walk(stripped);
  rmSync(join(stripped, "torch.cache"));
  await keep_compilation(stripped);
}

async function hookCost(): Promise<string> {
  await strip();
  const name = "torch.add(a, b), 4 elements";
  const ratio = ratioInTurns(
    8,
    () => timeAlone(name),
    () => timeAlone(name, stripped),
  );
  rmSync(stripped, { recursive: true, force: true });
  return `the trace hook, off: ${((ratio - 1) * 100).toFixed(1)} % of ${name} (a build without its tests, in turns; at most 8 %)`;
}

/** 1e5 temporaries of 1 MB in one synchronous loop; peak resident memory in MB, from a process of its own. */
function memory(): string {
  const count = QUICK ? 1e4 : 1e5;
  const script = `
    const { default: torch } = await import(${JSON.stringify(pathToFileURL(join(dist, "index.js")).href)});
    const a = torch.ones([262144]);
    for (let i = 0; i < ${count}; i++) torch.empty_like(a);
    console.log(Math.round(process.resourceUsage().maxRSS / 1024));`;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  return `${count} temporaries of 1 MB in a loop: peak ${out.trim()} MB (at most 400)`;
}

/** The most of PyTorch's time that each operation may take. */
const goals: Readonly<Record<string, number>> = {
  "torch.add(a, b), 4 elements": 0.28,
  "x.add(1), 4 elements": 0.45,
  "torch.add(x, b), x requires grad": 0.28,
  "torch.mul(x, b), x requires grad": 0.35,
  "nn.Linear(4, 4) on (1, 4)": 0.45,
  "100 chained mul(y, b), forward and backward": 0.35,
  "100 chained Linear(4, 4), forward and backward": 0.5,
  // Arrays: 1 over the part of PyTorch's speed. It has vectors of sixteen floats and fused multiply-add; WebAssembly has four, and none.
  "add, 1e6 elements": 1.47,
  "add, 100 elements": 0.36,
  "exp, 1e6 elements": 4,
  "tanh, 1e6 elements": 6.25,
  "sum, 1e6 elements": 1.25,
  "softmax, 1024x1024": 2.63,
  "mm, 64x64": 3.33,
  "mm, 256x256": 4.55,
  "mm, 1024x1024": 4.55,
  "bmm, 64x32x32": 4,
  "layer_norm, 512x768": 1.43,
  "gelu, 512x768": 0.83,
  "gelu by tanh, 512x768": 1.33,
  "conv2d, 64 channels of 56x56, 3x3": 3.03,
  "a Transformer block, 8x64x256": 3.33,
  "a step of training, 64x784-128-10": 3.33,
};

/** Whose time is asked on one thread and on all. */
const BY_THREADS = ["add, 1e6 elements", "mm, 512x512"];

async function all_threads(reference: Reference | null): Promise<string> {
  const threads = availableParallelism();
  if (threads === 1) return "one core: no rows on more threads";
  const columns = ["1 thread", `${threads} threads`, "ratio", "PyTorch", "ratio"];
  const lines = [`${`on ${threads} threads, PyTorch too`.padEnd(48)}${columns.map((c) => c.padStart(12)).join("")}`];
  for (const name of BY_THREADS) {
    const one = timeAlone(name);
    const all = timeAlone(name, dist, threads);
    const theirs = await reference?.time({ name, threads });
    const cells = [show(one), show(all), (all / one).toFixed(2), show(theirs), ratio_of(all, theirs)];
    lines.push(`${name.padEnd(48)}${cells.map((c) => c.padStart(12)).join("")}`);
  }
  return lines.join("\n");
}

const MEAN_SECONDS = QUICK ? 0.5 : 10;

/** The least leaves out what a program pays now and then, such as the heap's sweeps; the mean holds it. */
async function mean_of_add(reference: Reference | null): Promise<string> {
  const name = "add, 1e6 elements";
  const { ns, sweeping = 0, collecting = 0, sweeps, fallbacks } = alone(name, dist, 1, MEAN_SECONDS);
  const theirs = await reference?.time({ name, threads: 1, mean: 2 });
  const beside = theirs === undefined ? "" : `, PyTorch's over 2 s ${show(theirs)} (${ratio_of(ns, theirs)})`;
  const part = (of: number): string => `${(of * 100).toFixed(1)} %`;
  return (
    `${name}, mean over a loop of ${MEAN_SECONDS} s: ${show(ns)}${beside}; ` +
    `of it ${part(sweeping)} in ${sweeps} sweeps of the heap, ${part(collecting)} in the collector (sweeps call it); ${fallbacks} fallbacks`
  );
}

const show = (ns: number | undefined): string =>
  ns === undefined ? "" : ns < 1e5 ? `${ns.toFixed(0)} ns` : `${(ns / 1000).toFixed(0)} µs`;

const ratio_of = (ours: number, theirs: number | undefined): string =>
  theirs === undefined ? "" : (ours / theirs).toFixed(2);

/** A third turn tells nothing new where two agree. */
const AGREE = 1.03;
const agree = (times: readonly number[]): boolean => Math.max(...times) < Math.min(...times) * AGREE;

async function below_the_table(reference: Reference | null): Promise<void> {
  console.log(`\n${await all_threads(reference)}\n`);
  console.log(await mean_of_add(reference));
  const ofBare = ratioInTurns(
    4,
    () => timeAlone("add, 1e6 elements"),
    () => timeAlone(BARE_LOOP),
  );
  console.log(`add of 1e6 float32: ${ofBare.toFixed(2)} of a bare JavaScript loop into a fresh array (at most 1.3)`);
  console.log(await hookCost());
  console.log(memory());
}

async function main(): Promise<void> {
  const start = performance.now();
  await (QUICK ? build_if_stale() : build());
  const built = performance.now();
  const { default: torch } = (await import(pathToFileURL(join(dist, "index.js")).href)) as { default: Torch };
  const reference = await startReference();
  if (QUICK) console.log("QUICK: each row runs for a moment, to see that it does. The numbers mean nothing.\n");
  const recorded = existsSync(baselineFile) ? (JSON.parse(readFileSync(baselineFile, "utf8")) as Times) : null;
  const heading =
    reference !== null
      ? `PyTorch ${reference.version} from Python, each on one thread, in turns, ours in a new process each; the least of ${TURNS} (of 2 where both agree within 3 %; arrays: 1), and our most`
      : recorded === null
        ? "no PyTorch 2.13.0 and no baseline here"
        : `PyTorch ${recorded.torch}, RECORDED times (no PyTorch 2.13.0 here)`;
  console.log(`Node ${process.versions.node}; beside ${heading}\n`);
  console.log(
    `${"".padEnd(48)}${"glasstorch".padStart(12)}${"most".padStart(10)}${"PyTorch".padStart(12)}${"ratio".padStart(8)}${"goal".padStart(8)}`,
  );
  const measured: Record<string, number> = {};
  const names = Object.keys(casesFor(torch)).filter((each) => ONLY?.test(each) ?? true);
  // A complete run of all checks only sees that rows run, a fifth of them for each commit.
  for (const name of QUICK ? cases_in_turn("rows of the benchmark", names, 5) : names) {
    const ours: number[] = [];
    const others: number[] = [];
    const turns = ARRAYS.test(name) && !SMALL.test(name) ? 1 : TURNS;
    for (let turn = 0; turn < turns && !(turn > 1 && agree(ours) && agree(others)); turn++) {
      ours.push(timeAlone(name));
      if (reference !== null) others.push(await reference.time({ name, threads: 1 }));
    }
    const ns = Math.min(...ours);
    const theirs = reference !== null ? Math.min(...others) : recorded?.ns[name];
    if (theirs !== undefined) measured[name] = theirs;
    console.log(
      `${name.padEnd(48)}${show(ns).padStart(12)}${show(Math.max(...ours)).padStart(10)}${show(theirs).padStart(12)}${ratio_of(ns, theirs).padStart(8)}${(goals[name]?.toFixed(2) ?? "").padStart(8)}`,
    );
  }
  if (ONLY === null) await below_the_table(reference);
  reference?.stop();
  const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(0)} s`;
  console.log(`\n${seconds(start)} in all, ${((built - start) / 1000).toFixed(0)} s of it the build`);
  if (reference !== null && !QUICK && ONLY === null && process.argv.includes("--write-baseline"))
    writeFileSync(baselineFile, `${JSON.stringify({ torch: reference.version, ns: measured }, null, 2)}\n`);
}

await main();
