/**
 * @file `npm run check`: everything that must hold before a change lands, stage by stage, ending with `N passed, N failed`.
 *
 * `--fast` omits the unit tests, the walkthroughs and the gallery, `--without STAGE` that stage. `--jobs N` keeps N cores
 * busy; default: all of them. A stage that fails says in one line why it exists.
 * @original
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import colors from "picocolors";
import { cases_in_turn } from "./ci/turn.ts";
import { arguments_for } from "./module_loader/with_library.ts";
import { SHORT_RUN } from "./short_run.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "glasstorch-check-"));

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
}

interface Stage {
  readonly name: string;
  readonly why: string;
  readonly run: () => Outcome | Promise<Outcome>;
  readonly slow?: boolean;
  /** Whether it keeps all cores busy, so that nothing runs beside it. */
  readonly alone?: boolean;
}

/** Runs a program; it counts as one pass or one failure. */
async function node(...args: string[]): Promise<Outcome> {
  try {
    const { stdout, stderr } = await started(process.execPath, args, { cwd: root, maxBuffer: 1 << 28 });
    return { passed: 1, failed: 0, output: stdout + stderr };
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return { passed: 0, failed: 1, output: stdout + stderr };
  }
}

const started = promisify(execFile);
const path_of = (script: string): string => join(root, "node_modules", script);
/** A locally installed tool. */
const tool = (script: string, ...args: string[]): Promise<Outcome> => node(path_of(script), ...args);
const tsx = (...args: string[]): Promise<Outcome> => tool("tsx/dist/cli.mjs", ...args);

/** One run serves the tests of the WebGPU device, too, where their packages are. Each checker repeats work, and other stages need cores. */
function types(): Promise<Outcome> {
  const project = existsSync(join(root, "test/webgpu/node_modules")) ? "tsconfig.device.json" : "tsconfig.json";
  const checkers = Math.max(1, Math.min(4, jobs >> 1));
  return tool("@typescript/native/bin/tsc", "--noEmit", "--project", project, "--checkers", `${checkers}`);
}

async function unitTests(): Promise<Outcome> {
  const report = join(scratch, "vitest.json");
  const made = await tool(
    "vitest/vitest.mjs",
    "run",
    "--reporter=dot",
    "--reporter=json",
    `--outputFile.json=${report}`,
  );
  if (!existsSync(report)) return { passed: 0, failed: 1, output: made.output };
  const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(readFileSync(report, "utf8"));
  const failed =
    numFailedTests +
    (numFailedTests === 0 && (numFailedTestSuites > 0 || !success) ? Math.max(numFailedTestSuites, 1) : 0);
  return { passed: numPassedTests, failed, output: failed === 0 ? "" : made.output };
}

/** Runs programs of the repository, as many in parallel as may keep a core busy; each passes or says why it fails. */
async function programs(calls: readonly (readonly string[])[]): Promise<Outcome> {
  const complaints: string[] = [];
  const waiting = [...calls];
  const worker = async (): Promise<void> => {
    for (let args = waiting.shift(); args !== undefined; args = waiting.shift()) {
      try {
        const program = join(root, args[0] as string);
        await started(process.execPath, [...arguments_for(program), ...args], { cwd: root, maxBuffer: 1 << 28 });
      } catch (error) {
        const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
        complaints.push(`${args.join(" ")}:\n${(stdout + stderr).slice(-3000)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return { passed: calls.length - complaints.length, failed: complaints.length, output: complaints.join("\n") };
}

const programs_of = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((f) => f.endsWith(".ts"))
    .map((f) => join(folder, f));

const FORMATS = ["text", "json", "chrome", "mermaid"].flatMap((format) => ["--format", format]);

/**
 * Runs each walkthrough with its claims, at both levels of detail; one run is shown in every form. In a complete run of
 * all checks the site runs every walkthrough, and this stage takes a tenth of its runs.
 */
function walkthroughs(): Promise<Outcome> {
  const runs = [FORMATS, ["--detail", "full"]];
  const all = programs_of("walkthroughs").flatMap((file) => runs.map((run) => [file, "--plain", ...run]));
  return programs(cases_in_turn("runs of walkthroughs in other forms", all, 10));
}

/** Runs each program of the gallery completely, and compares it with PyTorch's results; one of five in a complete run of all checks. */
function gallery(): Promise<Outcome> {
  const all = programs_of("gallery").map((file) => [file]);
  return programs(cases_in_turn("programs of the gallery", all, 5));
}

function* markdown(folder: string): Generator<string> {
  if (!existsSync(folder)) return; // a build of the site, which may run beside this, removes folders
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (["node_modules", "dist", "dist-stripped"].includes(entry.name) || entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* markdown(path);
    else if (entry.name.endsWith(".md")) yield path;
  }
}

/** Checks that relative links in Markdown files lead to files. */
function links(): Outcome {
  const broken: string[] = [];
  for (const file of markdown(root)) {
    const text = readFileSync(file, "utf8").replace(/^```.*?^```/gms, ""); // code has no links
    for (const [, target] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)) {
      if (!existsSync(resolve(dirname(file), target))) broken.push(`${file.slice(root.length)}: ${target}`);
    }
  }
  return broken.length === 0
    ? { passed: 1, failed: 0, output: "" }
    : { passed: 0, failed: 1, output: broken.join("\n") };
}

const stages: readonly Stage[] = [
  {
    name: "codegen",
    why: "generated files are rebuilt byte for byte from the YAML and the sources",
    run: () => tsx("tools/codegen/gen.ts", "--check"),
  },
  {
    name: "python library",
    why: "the Python texts of src/python/Lib are in the module that a bundle takes them from",
    run: () => tsx("tools/python_lib.ts", "--check"),
  },
  {
    name: "types",
    why: "the sources compile under strict TypeScript, and the tests of the WebGPU device where their packages are",
    run: types,
  },
  {
    name: "format and lint",
    why: "one style, so that a diff shows only what changed",
    run: () => tool("@biomejs/biome/bin/biome", "ci", "--max-diagnostics=40"),
  },
  {
    name: "layers",
    why: "imports go down only: python <- c10 <- aten <- csrc <- torch",
    run: () => tsx("tools/layers.ts"),
  },
  {
    name: "dead code",
    why: "what nobody uses, nobody should have to read",
    run: () => node(SHORT_RUN, path_of("knip/bin/knip.js")),
  },
  {
    name: "marks",
    why: "@mirrors names files that exist; docs/differences.md is up to date",
    run: () => tsx("tools/check_marks.ts"),
  },
  {
    name: "names",
    why: "a name is shown as PyTorch's only if PyTorch has it",
    run: () => tsx("tools/names.ts", "--check"),
  },
  {
    name: "maps",
    why: "a README names every file of its folder, and no name that it calls missing exists",
    run: () => tsx("tools/maps.ts"),
  },
  {
    name: "road",
    why: "src/ROAD.md and the reading routes count the lines that really run",
    run: () => tsx("tools/road.ts", "--check"),
  },
  { name: "english", why: "a doc comment names its subject first", run: () => tsx("tools/english.ts") },
  { name: "links", why: "a link leads somewhere", run: links },
  { name: "unit tests", why: "", run: unitTests, slow: true, alone: true },
  {
    name: "package",
    why: "what is published says the same in Node, with and without its compilation, and in a bundle",
    run: () => tsx("tools/build.ts", "--try"),
    slow: true,
  },
  {
    name: "walkthroughs",
    why: "every claim of every walkthrough holds, in every form",
    run: walkthroughs,
    slow: true,
    alone: true,
  },
  { name: "gallery", why: "models train as in PyTorch, step by step", run: gallery, slow: true, alone: true },
];

const { values } = parseArgs({
  options: {
    fast: { type: "boolean", default: false },
    without: { type: "string", multiple: true, default: [] },
    jobs: { type: "string", default: `${availableParallelism()}` },
  },
});
const jobs = Number(values.jobs);
for (const name of values.without)
  if (!stages.some((stage) => stage.name === name)) throw new Error(`there is no stage ${name}`);

let passed = 0;
let failed = 0;

async function run(stage: Stage): Promise<void> {
  const start = performance.now();
  const outcome = await stage.run();
  passed += outcome.passed;
  failed += outcome.failed;
  const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  const said =
    outcome.failed === 0
      ? `${colors.green("ok")}      ${seconds}`
      : `${colors.red("fails")}   ${seconds}   (${stage.why})`;
  console.log(`${stage.name.padEnd(18)}${said}`);
  if (outcome.failed > 0) console.log(outcome.output.slice(-12_000));
}

const wanted = stages.filter(({ name, slow }) => !(slow === true && values.fast) && !values.without.includes(name));
const waiting = wanted.filter(({ alone }) => alone !== true);
/** Stages that keep one core busy run beside each other, one for each core. */
async function worker(): Promise<void> {
  for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift()) await run(stage);
}
await Promise.all(Array.from({ length: jobs }, worker));
for (const stage of wanted) if (stage.alone === true) await run(stage);
rmSync(scratch, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
