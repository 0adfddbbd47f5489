/**
 * @file Runs PyTorch's own test files, unmodified, on our Python, and prints what became of each method.
 *
 *     npx tsx tools/oracle/pytorch_tests.ts CHECKOUT [--file test/test_fx.py]... [--list names.txt] [--python PYTHON] [--out table.json]
 *
 * CHECKOUT is a checkout of PyTorch, or a folder with its test files. `--list` names methods, `TestX.test_y` or `test_y`, one a line. `--python` is
 * an interpreter with PyTorch: it runs the same methods, and its outcomes stand beside ours. `--limit` is the time of a method in seconds.
 * @original
 *
 * Note [Outcomes of a method]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * `pass`, `skip`, `fail` (an assertion) and `error` (any other exception) are unittest's. `needs` is an error whose cause says that something is
 * missing here: numpy, a dtype, a name of the library. `hung` ran into the limit, `missing` exists only with PyTorch.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PROGRAM = join(ROOT, "tools/oracle/pytorch_tests/run.py");

const FILES = [
  "test_torch.py",
  "test_nn.py",
  "test_autograd.py",
  "test_optim.py",
  "test_view_ops.py",
  "test_indexing.py",
  "test_type_promotion.py",
  "test_shape_ops.py",
  "test_dataloader.py",
  "test_serialization.py",
  "test_fx.py",
  "distributions/test_distributions.py",
  "autograd/test_functional.py",
  "nn/test_convolution.py",
  "nn/test_dropout.py",
  "nn/test_embedding.py",
  "nn/test_init.py",
  "nn/test_module_hooks.py",
  "nn/test_multihead_attention.py",
  "nn/test_packed_sequence.py",
  "nn/test_parametrization.py",
  "nn/test_pooling.py",
  "nn/test_pruning.py",
];

interface Outcome {
  readonly outcome: string;
  readonly reason: string;
}

interface Run {
  readonly tests: Map<string, Outcome>;
  /** Names that the file's imports did not find. */
  readonly absent: string[];
  /** The error with which the file did not load. */
  error: string | null;
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

const OURS: Command = {
  program: process.execPath,
  args: ["--import", "tsx", "--import", join(ROOT, "tools/module_loader/register.ts"), join(ROOT, "tools/python.ts")],
};

/** Runs the methods behind `after` in a process of their own; resolves with the method that hung, or null at the end. */
function run_once(command: Command, args: readonly string[], limit: number, run: Run): Promise<string | null> {
  return new Promise((done) => {
    const child: ChildProcess = spawn(command.program, [...command.args, PROGRAM, ...args], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "ignore"],
    });
    let running: string | null = null;
    let timer: NodeJS.Timeout | null = null;
    const wait = (): void => {
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => child.kill("SIGKILL"), limit * 1000);
    };
    wait();
    createInterface({ input: child.stdout as NonNullable<ChildProcess["stdout"]> }).on("line", (line) => {
      if (!line.startsWith("{")) return; // a test printed it
      let event: Record<string, string>;
      try {
        event = JSON.parse(line) as Record<string, string>;
      } catch {
        return;
      }
      wait();
      if (event["start"] !== undefined) running = event["start"];
      else if (event["test"] !== undefined) {
        run.tests.set(event["test"], { outcome: event["outcome"] as string, reason: event["reason"] as string });
        running = null;
      } else if (event["absent"] !== undefined) run.absent.push(event["absent"]);
      else if (event["error"] !== undefined) run.error = event["error"];
    });
    child.on("close", () => {
      if (timer !== null) clearTimeout(timer);
      done(running);
    });
  });
}

async function run_file(command: Command, folder: string, file: string, options: Options): Promise<Run> {
  const run: Run = { tests: new Map(), absent: [], error: null };
  const args = [folder, file, "--absent", ...(options.list === undefined ? [] : ["--names", resolve(options.list)])];
  let after: string[] = [];
  for (;;) {
    const hung = await run_once(command, [...args, ...after], options.limit, run);
    if (hung === null) break;
    run.tests.set(hung, { outcome: "hung", reason: `over ${options.limit} s, or the process ended` });
    after = ["--after", hung];
  }
  run.absent.splice(0, run.absent.length, ...new Set(run.absent));
  return run;
}

interface Options {
  readonly list: string | undefined;
  readonly limit: number;
}

const count = (run: Run, ...outcomes: string[]): number =>
  [...run.tests.values()].filter(({ outcome }) => outcomes.includes(outcome)).length;

/** Ours beside PyTorch's, or ours alone: which methods count, and which of them pass. */
function summary(file: string, ours: Run, theirs: Run | null): string {
  if (ours.error !== null) return `${file}: does not load: ${ours.error}`;
  const counted = theirs === null ? [...ours.tests.keys()] : passing(theirs);
  const of = (...outcomes: string[]): number =>
    counted.filter((name) => outcomes.includes(ours.tests.get(name)?.outcome ?? "missing")).length;
  const needs = of("needs", "skip");
  const rest = counted.length - needs;
  const share = rest === 0 ? "-" : `${((100 * of("pass")) / rest).toFixed(1)} %`;
  const among = theirs === null ? `${counted.length} methods` : `${counted.length} methods pass with PyTorch`;
  return `${file}: ${among}; here ${of("pass")} pass, ${needs} need what is not here or are skipped, ${of("fail", "error", "hung", "missing")} do not: ${share} of the rest`;
}

const passing = (run: Run): string[] =>
  [...run.tests].filter(([, { outcome }]) => outcome === "pass").map(([name]) => name);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      file: { type: "string", multiple: true },
      list: { type: "string" },
      python: { type: "string" },
      out: { type: "string" },
      limit: { type: "string", default: "120" },
    },
  });
  const [checkout] = positionals;
  if (checkout === undefined || !existsSync(checkout) || !statSync(checkout).isDirectory()) {
    console.error(
      "usage: pytorch_tests.ts CHECKOUT [--file test/test_fx.py]... [--list names.txt] [--python PYTHON] [--out table.json]",
    );
    process.exitCode = 2;
    return;
  }
  const inner = join(resolve(checkout), "test");
  const folder = existsSync(inner) ? inner : resolve(checkout);
  const files = (values.file ?? FILES)
    .map((file) => file.replace(/^test\//, ""))
    .filter((file) => existsSync(join(folder, file)));
  const options: Options = { list: values.list, limit: Number(values.limit) };
  const table: Record<string, unknown> = {};
  for (const file of files) {
    const ours = await run_file(OURS, folder, file, options);
    const theirs =
      values.python === undefined
        ? null
        : await run_file({ program: values.python, args: ["-W", "ignore"] }, folder, file, options);
    for (const name of new Set([...ours.tests.keys(), ...(theirs?.tests.keys() ?? [])])) {
      const { outcome, reason } = ours.tests.get(name) ?? { outcome: "missing", reason: "" };
      const beside = theirs === null ? "" : `${(theirs.tests.get(name)?.outcome ?? "missing").padEnd(8)}`;
      console.log(`${outcome.padEnd(8)}${beside}${file}::${name}  ${reason.replaceAll("\n", " ").slice(0, 160)}`);
    }
    if (ours.absent.length > 0) console.log(`  not found by its imports: ${ours.absent.join(", ")}`);
    console.log(summary(file, ours, theirs));
    if (theirs !== null && count(theirs, "pass") === 0) console.log(`  PyTorch: ${theirs.error ?? "no method passes"}`);
    table[file] = {
      error: ours.error,
      absent: ours.absent,
      tests: Object.fromEntries(ours.tests),
      pytorch: theirs === null ? null : Object.fromEntries(theirs.tests),
    };
  }
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(table, null, 1)}\n`);
}

await main();
