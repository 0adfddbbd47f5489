/**
 * @file `npm run test:matrix [-- --sample]`: the tests under every configuration of the CPU's kernels and memory. `--sample` takes the
 * configurations that differ most, and the files whose results depend on them. Prints a line a configuration; fails if one fails.
 * @original
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

interface Configuration {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sampled?: boolean;
}

const CONFIGURATIONS: readonly Configuration[] = [
  { name: "JavaScript only", env: { ATEN_CPU_CAPABILITY: "default" }, sampled: true },
  { name: "vectors from one element on", env: { GLASSTORCH_VECTORS: "all" } },
  { name: "everything staged", env: { GLASSTORCH_HEAP_TENSORS: "0", GLASSTORCH_VECTORS: "all" }, sampled: true },
  { name: "1 thread", env: { OMP_NUM_THREADS: "1" } },
  { name: "2 threads, every range split", env: { OMP_NUM_THREADS: "2", GLASSTORCH_GRAIN: "1" }, sampled: true },
  { name: "4 threads, every range split", env: { OMP_NUM_THREADS: "4", GLASSTORCH_GRAIN: "1" } },
  { name: "heap under stress", env: { GLASSTORCH_HEAP_STRESS: "1", GLASSTORCH_VECTORS: "all" } },
  { name: "heap of 8 MB under stress", env: { GLASSTORCH_HEAP_STRESS: "1", GLASSTORCH_HEAP_MB: "8" }, sampled: true },
];

/** Kernels, iterators, OpInfo. */
const SAMPLE: readonly string[] = ["test/aten/native", "test/aten/TensorIterator", "test/aten/cpu", "test/opinfo"];

const { values } = parseArgs({ options: { sample: { type: "boolean", default: false } } });
const files = values.sample ? SAMPLE : [];
const configurations = CONFIGURATIONS.filter(({ sampled }) => sampled || !values.sample);
let failed = 0;
const told: string[] = [];
for (const { name, env } of configurations) {
  console.log(
    `--- ${name}: ${Object.entries(env)
      .map(([k, v]) => `${k}=${v}`)
      .join(" ")}`,
  );
  const begin = performance.now();
  const run = spawnSync("npx", ["vitest", "run", "--reporter=dot", ...files], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const seconds = Math.round((performance.now() - begin) / 1000);
  const count = /Tests\s+(.*)/.exec(run.stdout)?.[1] ?? "did not run";
  if (run.status !== 0) {
    failed++;
    console.log(run.stdout);
  }
  told.push(`${name.padEnd(30)} ${count} (${seconds} s)`);
  console.log(told.at(-1));
}
console.log(["", ...told].join("\n"));
process.exitCode = failed === 0 ? 0 : 1;
