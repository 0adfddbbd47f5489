/**
 * @file `npm run test:matrix [-- --sample] [--jobs N]`: the tests under every configuration of the CPU's kernels and memory. `--sample` takes the
 * configurations that differ most, each with a share of the files whose results depend on them, which is another share for each commit. N configurations run beside each other, as many as there are cores if nothing is said. Prints a
 * line for each configuration; fails if one fails.
 * @original
 */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { turn_of } from "./ci/turn.ts";

interface Configuration {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether `--sample` has it. */
  readonly sampled?: true;
}

/** The configurations; the slowest begin first. */
const CONFIGURATIONS: readonly Configuration[] = [
  {
    name: "heap of 8 MB under stress",
    env: { GLASSTORCH_HEAP_STRESS: "1", GLASSTORCH_HEAP_MB: "8" },
    sampled: true,
  },
  { name: "heap under stress", env: { GLASSTORCH_HEAP_STRESS: "1", GLASSTORCH_VECTORS: "all" } },
  { name: "JavaScript only", env: { ATEN_CPU_CAPABILITY: "default" }, sampled: true },
  { name: "vectors from one element on", env: { GLASSTORCH_VECTORS: "all" } },
  { name: "everything staged", env: { GLASSTORCH_HEAP_TENSORS: "0", GLASSTORCH_VECTORS: "all" }, sampled: true },
  { name: "1 thread", env: { OMP_NUM_THREADS: "1" } },
  { name: "2 threads, every range split", env: { OMP_NUM_THREADS: "2", GLASSTORCH_GRAIN: "1" }, sampled: true },
  { name: "4 threads, every range split", env: { OMP_NUM_THREADS: "4", GLASSTORCH_GRAIN: "1" } },
];

/** Tests of kernels, iterators, OpInfo. */
const SAMPLE: readonly string[] = ["test/aten/native", "test/aten/TensorIterator", "test/aten/cpu", "test/opinfo"];
/** Tests that compute on the CPU; the others are about texts, or about another device. */
const WHOLE: readonly string[] = [
  "aten",
  "c10",
  "caffe2",
  "gallery",
  "openreg",
  "opinfo",
  "paths",
  "torch",
  "trace",
].map((name) => `test/${name}`);

const { values } = parseArgs({
  options: {
    sample: { type: "boolean", default: false },
    jobs: { type: "string", default: `${availableParallelism()}` },
  },
});
const files = values.sample ? SAMPLE : WHOLE;

const TURNS = 14;
const turn = turn_of(TURNS);

/** vitest's option for the share of the files that is this configuration's in this turn; configurations take different ones. */
function shard_of(configuration: Configuration): string[] {
  const sampled = CONFIGURATIONS.filter((each) => each.sampled);
  if (!values.sample || turn === null || !sampled.includes(configuration)) return [];
  return [`--shard=${((turn + sampled.indexOf(configuration)) % TURNS) + 1}/${TURNS}`];
}

function run(configuration: Configuration): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    // A test of one second takes minutes if every fourth allocation collects garbage.
    const args = [
      "vitest",
      "run",
      "--reporter=dot",
      "--maxWorkers=1",
      "--testTimeout=600000",
      ...shard_of(configuration),
    ];
    // The share of the files is chosen here: files that take turns elsewhere would never meet some configurations.
    const env = { ...process.env, TURN: "all", ...configuration.env };
    const child = spawn("npx", [...args, ...files], { env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.on("close", (status) => resolve({ status, output }));
  });
}

const waiting = CONFIGURATIONS.filter(({ sampled }) => sampled || !values.sample);
const told: string[] = [];
const counts = { passed: 0, failed: 0 };

/** One configuration after the other, each on one core. */
async function worker(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const begin = performance.now();
    const { status, output: coloured } = await run(next);
    const output = stripVTControlCharacters(coloured);
    const seconds = Math.round((performance.now() - begin) / 1000);
    const count = /^ *Tests +(.*)/m.exec(output)?.[1] ?? "did not run";
    const counted = (what: string): number => Number(new RegExp(`(\\d+) ${what}`).exec(count)?.[1] ?? 0);
    counts.passed += counted("passed");
    counts.failed += Math.max(counted("failed"), status === 0 ? 0 : 1);
    const names = Object.entries(next.env).map(([k, v]) => `${k}=${v}`);
    if (status !== 0) {
      console.log(output.slice(Math.max(0, output.search(/Failed (Suites|Tests)|Unhandled Errors/))));
    }
    told.push(`${next.name.padEnd(30)} ${count} (${seconds} s)`);
    console.log(`${told.at(-1)}   ${names.join(" ")}`);
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
console.log(["", ...told, `${counts.passed} passed, ${counts.failed} failed`].join("\n"));
process.exitCode = counts.failed === 0 ? 0 : 1;
