/**
 * @file `npm run bench`: ns per operation on built JavaScript, beside PyTorch from Python in the same run, printed as ratios. Never fails on a time.
 *
 * Without PyTorch 2.13.0 the ratios are to the recorded times of `bench/baseline.json`, and the heading says so.
 * @original
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, keep_compilation } from "../tools/build.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");
const stripped = join(root, "dist-stripped");
const baselineFile = join(root, "bench/baseline.json");

interface Times {
  readonly torch: string;
  readonly ns: Readonly<Record<string, number>>;
}

/** How often each case is timed: the engine compiles a program a little otherwise each time it is started. */
const TURNS = 3;
/** Once: most of their time is spent in one loop, whose code is the same each time. */
const ARRAYS = /elements$|1000x1000|1024|^(?:mm|bmm), |training/;
const SMALL = /, 4 elements$/;

// biome-ignore lint/suspicious/noExplicitAny: built JavaScript, loaded by path
type Torch = any;

/**
 * Least ns per call of `fn` over nine rounds of about `ms` each, once rounds no longer get faster; whatever else the machine does
 * adds to it. How long that takes depends on when the engine's compiler thread gets a core, so on a busy machine a fixed warm-up
 * measures the interpreter.
 */
function measure(fn: () => unknown, ms = 50): number {
  let n = 1;
  const round = (): number => {
    const start = performance.now();
    for (let i = 0; i < n; i++) fn();
    const took = performance.now() - start;
    const ns = (took / n) * 1e6;
    n = Math.max(1, Math.round(Math.min(n * 4, (n * ms) / Math.max(took, 1e-3))));
    return ns;
  };
  while (round() * n < (ms * 1e6) / 2); // until rounds are long enough to be timed
  const nine = (): number => Math.min(...Array.from({ length: 9 }, round));
  let best = nine();
  for (let tries = 0, unimproved = 0; tries < 12 && unimproved < 2; tries++) {
    const next = nine();
    unimproved = next < best * 0.95 ? 0 : unimproved + 1;
    best = Math.min(best, next);
  }
  return best;
}

function casesFor(torch: Torch): Record<string, () => unknown> {
  const grad = { requires_grad: true };
  const a = torch.randn([4]);
  const b = torch.randn([4]);
  const g = torch.randn([4], grad);
  const x = torch.randn([4], grad);
  const ones = torch.ones([4]);
  const linear = new torch.nn.Linear(4, 4);
  const rows = torch.randn([1, 4]);
  const rows1 = torch.ones([1, 4]);
  const layers = Array.from({ length: 100 }, () => new torch.nn.Linear(4, 4));
  const m1 = torch.randn([1000, 1000]);
  const m2 = torch.randn([1000, 1000]);
  const big1 = torch.randn([1_000_000]);
  const big2 = torch.randn([1_000_000]);
  const alpha = { alpha: 2 };
  const hundred1 = torch.randn([100]);
  const hundred2 = torch.randn([100]);
  const square = torch.randn([1024, 1024]);
  const s64 = torch.randn([64, 64]);
  const s256 = torch.randn([256, 256]);
  const batches1 = torch.randn([64, 32, 32]);
  const batches2 = torch.randn([64, 32, 32]);
  const [hidden, last] = [new torch.nn.Linear(784, 128), new torch.nn.Linear(128, 10)];
  const sgd = new torch.optim.SGD([...hidden.parameters(), ...last.parameters()], { lr: 0.01 });
  const [images, labels] = [torch.randn([64, 784]), torch.randint(0, 10, [64])];
  return {
    "torch.add(a, b), 4 elements": () => torch.add(a, b),
    "torch.add(a, b, alpha=2), 4 elements": () => torch.add(a, b, alpha),
    "x.add(1), 4 elements": () => a.add(1),
    "torch.mul(x, b), x requires grad": () => torch.mul(g, b),
    "torch.add(x, b), x requires grad": () => torch.add(g, b),
    "nn.Linear(4, 4) on (1, 4)": () => linear(rows),
    "100 chained mul(y, b), forward and backward": () => {
      let y = x;
      for (let i = 0; i < 100; i++) y = torch.mul(y, b);
      y.backward(ones);
    },
    "100 chained Linear(4, 4), forward and backward": () => {
      let y = rows;
      for (const layer of layers) y = layer(y);
      y.backward(rows1);
    },
    "add, 1000x1000 contiguous": () => torch.add(m1, m2),
    "add, 1000x1000 + transposed": () => torch.add(m1, m2.t()),
    "add, 1e6 elements": () => torch.add(big1, big2),
    "add, 100 elements": () => torch.add(hundred1, hundred2),
    "exp, 1e6 elements": () => torch.exp(big1),
    "tanh, 1e6 elements": () => torch.tanh(big1),
    "sum, 1e6 elements": () => torch.sum(big1),
    "softmax, 1024x1024": () => torch.softmax(square, 1),
    "mm, 64x64": () => torch.mm(s64, s64),
    "mm, 256x256": () => torch.mm(s256, s256),
    "mm, 1024x1024": () => torch.mm(square, square),
    "bmm, 64x32x32": () => torch.bmm(batches1, batches2),
    "a step of training, 64x784-128-10": () => {
      sgd.zero_grad();
      const scores = last(torch.relu(hidden(images)));
      const loss = torch._C._nn.nll_loss(torch.log_softmax(scores, 1), labels);
      loss.backward();
      sgd.step();
    },
  };
}

/** PyTorch in a process that times a case when asked, or null if 2.13.0 is not here. */
async function startReference(): Promise<{
  version: string;
  time(name: string): Promise<number>;
  stop(): void;
} | null> {
  const child = spawn(process.env["PYTHON"] ?? "python3", [join(root, "bench/torch_bench.py")], {
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
  const time = async (name: string): Promise<number> => {
    child.stdin.write(`${JSON.stringify(name)}\n`);
    return (await next()) as number;
  };
  return { version, time, stop: () => child.stdin.end() };
}

/** ns per operation of one case, in a process that has run nothing else: the engine compiles for what a program does. */
function timeAlone(name: string, folder = dist): number {
  const args = ["--import", "tsx", fileURLToPath(import.meta.url), "--case", name, folder];
  return Number(execFileSync(process.execPath, args, { encoding: "utf8", cwd: root }));
}

/** The least of each over `rounds`, taken in turns: what else the machine does, and how the engine happens to compile, falls on both. */
function ratioInTurns(rounds: number, ours: () => number, other: () => number): number {
  let [least, than] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < rounds; i++) {
    least = Math.min(least, ours());
    than = Math.min(than, other());
  }
  return least / than;
}

/** What is asked on the road, where it is asked: `tracer !== null`, and `op === null || observed`. */
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
  const script = `
    const { default: torch } = await import(${JSON.stringify(pathToFileURL(join(dist, "index.js")).href)});
    const a = torch.ones([262144]);
    for (let i = 0; i < 1e5; i++) torch.empty_like(a);
    console.log(Math.round(process.resourceUsage().maxRSS / 1024));`;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  return `1e5 temporaries of 1 MB in a loop: peak ${out.trim()} MB (at most 400)`;
}

/** What the add of 1e6 elements is held against: the least that JavaScript can do for it. */
const BARE_LOOP = "a bare loop over 1e6 elements into a fresh array";

function bareLoop(): () => unknown {
  const p = new Float32Array(1_000_000).fill(1.5);
  const q = new Float32Array(1_000_000).fill(2.5);
  return () => {
    const out = new Float32Array(1_000_000);
    for (let i = 0; i < out.length; i++) out[i] = p[i] + q[i];
    return out;
  };
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
  "a step of training, 64x784-128-10": 3.33,
};

const show = (ns: number | undefined): string =>
  ns === undefined ? "" : ns < 1e5 ? `${ns.toFixed(0)} ns` : `${(ns / 1000).toFixed(0)} µs`;

async function main(): Promise<void> {
  await build();
  const { default: torch } = (await import(pathToFileURL(join(dist, "index.js")).href)) as { default: Torch };
  const reference = await startReference();
  const recorded = existsSync(baselineFile) ? (JSON.parse(readFileSync(baselineFile, "utf8")) as Times) : null;
  const heading =
    reference !== null
      ? `PyTorch ${reference.version} from Python, each case in turns, ours in a new process each; the least of ${TURNS} (arrays: 1), and our most`
      : recorded === null
        ? "no PyTorch 2.13.0 and no baseline here"
        : `PyTorch ${recorded.torch}, RECORDED times (no PyTorch 2.13.0 here)`;
  console.log(`Node ${process.versions.node}; beside ${heading}\n`);
  console.log(
    `${"".padEnd(48)}${"glasstorch".padStart(12)}${"most".padStart(10)}${"PyTorch".padStart(12)}${"ratio".padStart(8)}${"goal".padStart(8)}`,
  );
  const measured: Record<string, number> = {};
  for (const name of Object.keys(casesFor(torch))) {
    const ours: number[] = [];
    const others: number[] = [];
    const turns = ARRAYS.test(name) && !SMALL.test(name) ? 1 : TURNS;
    for (let turn = 0; turn < turns; turn++) {
      ours.push(timeAlone(name));
      if (reference !== null) others.push(await reference.time(name));
    }
    const ns = Math.min(...ours);
    const theirs = reference !== null ? Math.min(...others) : recorded?.ns[name];
    if (theirs !== undefined) measured[name] = theirs;
    const ratio = theirs === undefined ? "" : (ns / theirs).toFixed(2);
    console.log(
      `${name.padEnd(48)}${show(ns).padStart(12)}${show(Math.max(...ours)).padStart(10)}${show(theirs).padStart(12)}${ratio.padStart(8)}${(goals[name]?.toFixed(2) ?? "").padStart(8)}`,
    );
  }
  reference?.stop();
  const ofBare = ratioInTurns(
    4,
    () => timeAlone("add, 1e6 elements"),
    () => timeAlone(BARE_LOOP),
  );
  console.log(`\nadd of 1e6 float32: ${ofBare.toFixed(2)} of a bare JavaScript loop into a fresh array (at most 1.3)`);
  console.log(await hookCost());
  console.log(memory());
  if (reference !== null && process.argv.includes("--write-baseline"))
    writeFileSync(baselineFile, `${JSON.stringify({ torch: reference.version, ns: measured }, null, 2)}\n`);
}

const only = process.argv.indexOf("--case");
if (only !== -1) {
  const [name, folder] = process.argv.slice(only + 1) as [string, string];
  const { default: torch } = (await import(pathToFileURL(join(folder, "index.js")).href)) as { default: Torch };
  console.log(measure(name === BARE_LOOP ? bareLoop() : casesFor(torch)[name]));
} else await main();
