import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests of the lowest layers look at what a thread holds before anyone else has touched it; a backend stays with its thread. */
const alone = ["test/c10/**/*.test.ts", "test/aten/core/**/*.test.ts", "test/openreg/**/*.test.ts"];

/** What takes a minute and more. */
const long = [
  "exercises/verify_tree",
  "tools/codegen/unseen_operators",
  "torch/utils/data/workers",
  "aten/boxed",
  "tools/codegen/growth",
];

/** Long files begin early: at the end no worker waits for one of them. Files of one project stay together, as a worker serves one. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number =>
      project.name === "alone" ? 0 : long.some((name) => moduleId.endsWith(`test/${name}.test.ts`)) ? 1 : 2;
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

// `test/` mirrors `src/`. Files run in worker threads; two are enough to keep two cores busy.
export default defineConfig({
  test: {
    pool: "threads",
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    testTimeout: 120_000,
    hookTimeout: 60_000,
    setupFiles: ["test/helpers/heap_stress.ts", "test/helpers/vectors.ts"], // nothing, unless the environment asks for it
    projects: [
      { extends: true, test: { name: "alone", include: alone } },
      // One module graph a worker: the library is large, and importing it anew for every file would cost more than the tests.
      { extends: true, test: { name: "together", include: ["test/**/*.test.ts"], exclude: [...alone, "test/webgpu/**"], isolate: false } },
    ],
  },
});
