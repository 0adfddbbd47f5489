/**
 * @file `npm run test:matrix [-- --sample]`: the tests under every configuration of the CPU's kernels and memory. `--sample` takes the files
 * whose results depend on them most. Prints a line a configuration; fails if one fails.
 * @original
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

interface Configuration {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
}

const CONFIGURATIONS: readonly Configuration[] = [
  { name: "JavaScript only", env: { ATEN_CPU_CAPABILITY: "default" } },
  { name: "vectors from one element on", env: { GLASSTORCH_VECTORS: "all" } },
  { name: "heap under stress", env: { GLASSTORCH_HEAP_STRESS: "1", GLASSTORCH_VECTORS: "all" } },
  { name: "heap of 8 MB under stress", env: { GLASSTORCH_HEAP_STRESS: "1", GLASSTORCH_HEAP_MB: "8" } },
];

/** Kernels, iterators, OpInfo. */
const SAMPLE: readonly string[] = ["test/aten/native", "test/aten/TensorIterator", "test/aten/cpu", "test/opinfo"];

const { values } = parseArgs({ options: { sample: { type: "boolean", default: false } } });
const files = values.sample ? SAMPLE : [];
let failed = 0;
const told: string[] = [];
for (const { name, env } of CONFIGURATIONS) {
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
