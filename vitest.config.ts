import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { UNIT_FILES, unit_files } from "./tools/ci/slow_files.ts";

/** Tests of the lowest layers look at what a thread holds before anyone else has touched it; a backend stays with its thread. */
const alone = [
  ...["test/c10/**/*.test.ts", "test/aten/core/**/*.test.ts", "test/openreg/**/*.test.ts"],
  ...["func", "_dynamo", "_lazy"].map((name) => `test/torch/${name}/**/*.test.ts`), // parts of the library that others must find unloaded
  // Formulas of gradients are compiled once in a process, and a warning is given once.
  ...["executor", "random_scripts", "hostile_archives"].map((name) => `test/torch/**/jit/${name}.test.ts`),
  "test/torch/scopes.test.ts",
  "test/trace/walkthroughs.test.ts", // scripts get other names where a process has compiled classes of the same name
];

/** What takes longest. */
const long = ["test/exercises/verify_tree.test.ts", ...UNIT_FILES, "test/aten/boxed.test.ts"];

/** Long files begin early: at the end no worker waits for one of them. Files of one project stay together, as a worker serves one. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number =>
      project.name === "alone" ? 0 : long.some((file) => moduleId.endsWith(`/${file}`)) ? 1 : 2;
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** The tests of the WebGPU device have packages of their own. */
const webgpu = fileURLToPath(new URL("test/webgpu/", import.meta.url));
const has_webgpu = existsSync(`${webgpu}node_modules/webgpu`);
if (!has_webgpu)
  console.warn("test/webgpu: a GPU of software is not installed (npm ci --prefix test/webgpu). Its tests are left out.");

// `test/` mirrors `src/`. Files run in worker threads; two are enough to keep two cores busy.
export default defineConfig({
  test: {
    // The thousand files of the library are compiled once for all runs: a run of one small file takes 2 seconds, not 7.
    experimental: { fsModuleCache: true },
    pool: "threads",
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // The first two do nothing, unless the environment asks for it.
    setupFiles: ["test/helpers/heap_stress.ts", "test/helpers/vectors.ts", "test/helpers/pytorchs_words.ts", "test/helpers/float_equality.ts"],
    projects: [
      { extends: true, test: { name: "alone", include: alone, exclude: [...unit_files.left_out] } },
      // One module graph a worker: the library is large, and importing it anew for every file would cost more than the tests.
      {
        extends: true,
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: [...alone, ...unit_files.left_out, "test/webgpu/**"],
          isolate: false,
          globalSetup: ["test/helpers/say_turn.ts"],
        },
      },
      ...(has_webgpu ? (await import("./test/webgpu/vitest.config.ts")).projects : []),
    ],
  },
});
