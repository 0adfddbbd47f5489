/**
 * @file `npm run bench:python [-- --seconds 1]`: our Python beside CPython with PyTorch, on the same programs (python_rows.py, graphs_rows.py) in one
 * run, in turns; the step of training also in TypeScript. `PYTHON=...` names the interpreter. It never fails on a time.
 * @original
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import torch from "../src/index.ts";
import { ROOT } from "./program.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "1" }, turns: { type: "string", default: "2" } },
});
const SECONDS = values.seconds;
const TURNS = Number(values.turns);

const OURS = [
  process.execPath,
  "--import",
  "tsx",
  "--import",
  join(ROOT, "tools/module_loader/register.ts"),
  join(ROOT, "tools/python.ts"),
] as const;
const THEIRS = [process.env["PYTHON"] ?? "python3", "-W", "ignore"] as const;

type Command = readonly [string, ...string[]];

const run = ([program, ...args]: Command, ...more: string[]): string =>
  execFileSync(program, [...args, ...more], { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

/** The least time of each row of a program in `bench/`, in ns. */
function rows(command: Command, program: string, best: Map<string, number>): void {
  for (const line of run(command, join(ROOT, "bench", program), SECONDS)
    .trim()
    .split("\n")) {
    const { row, ns } = JSON.parse(line) as { row: string; ns: number };
    best.set(row, Math.min(ns, best.get(row) ?? Number.POSITIVE_INFINITY));
  }
}

/** The time until a program that does nothing else has ended, in ns. */
function start(command: Command, text: string): number {
  const begin = process.hrtime.bigint();
  run(command, "-c", text);
  return Number(process.hrtime.bigint() - begin);
}

function has_pytorch(): boolean {
  try {
    execFileSync(THEIRS[0], ["-c", "import torch"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The step of training of python_rows.py, in TypeScript. */
function typescript_step(): number {
  torch.manual_seed(0);
  const net = new torch.nn.Sequential(new torch.nn.Linear(64, 32), new torch.nn.ReLU(), new torch.nn.Linear(32, 10));
  const optimizer = new torch.optim.SGD(net.parameters(), { lr: 0.1, momentum: 0.9 });
  const images = torch.randn([32, 64]);
  const labels = torch.randint(0, 10, [32]);
  let best = Number.POSITIVE_INFINITY;
  const end = process.hrtime.bigint() + BigInt(Math.round(Number(SECONDS) * 1e9));
  while (process.hrtime.bigint() < end) {
    const begin = process.hrtime.bigint();
    for (let i = 0; i < 20; i++) {
      optimizer.zero_grad();
      torch.nn.functional.cross_entropy(net(images), labels).backward();
      optimizer.step();
    }
    best = Math.min(best, Number(process.hrtime.bigint() - begin) / 20);
  }
  return best;
}

const shown = (ns: number | undefined): string =>
  ns === undefined
    ? "-"
    : ns < 1e4
      ? `${ns.toFixed(ns < 100 ? 1 : 0)} ns`
      : ns < 1e7
        ? `${(ns / 1e3).toFixed(0)} us`
        : `${(ns / 1e6).toFixed(0)} ms`;

const ours = new Map<string, number>();
const theirs = new Map<string, number>();
const beside = has_pytorch();
if (!beside) console.log(`${THEIRS[0]} has no PyTorch: our times alone (PYTHON=... names an interpreter)`);
for (let turn = 0; turn < TURNS; turn++)
  for (const program of ["python_rows.py", "graphs_rows.py"]) {
    rows(OURS, program, ours);
    if (beside) rows(THEIRS, program, theirs);
  }
for (const [name, text] of [
  ["start of a script", "pass"],
  ["start of a script with torch", "import torch; torch.ones(1)"],
] as const) {
  ours.set(name, start(OURS, text));
  if (beside) theirs.set(name, start(THEIRS, text));
}

console.log(`${"".padEnd(36)}${"glasstorch".padStart(12)}${"CPython".padStart(12)}${"ratio".padStart(8)}`);
for (const [name, ns] of ours) {
  const other = theirs.get(name);
  const ratio = other === undefined ? "-" : (ns / other).toFixed(2);
  console.log(`${name.padEnd(36)}${shown(ns).padStart(12)}${shown(other).padStart(12)}${ratio.padStart(8)}`);
}
const step = ours.get("a step of training, 64-32-10") as number;
const in_typescript = typescript_step();
console.log(
  `the step of training in TypeScript: ${shown(in_typescript)}; in Python ${(step / in_typescript).toFixed(2)} times as long`,
);
