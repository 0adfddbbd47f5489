import { defineConfig } from "vitest/config";

/** Tests of the lowest layers look at what a thread holds before anyone else has touched it. */
const alone = ["test/c10/**/*.test.ts", "test/aten/core/**/*.test.ts"];

// `test/` mirrors `src/`. Files run in worker threads; two are enough to keep two cores busy.
export default defineConfig({
  test: {
    pool: "threads",
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    setupFiles: ["test/helpers/heap_stress.ts", "test/helpers/vectors.ts"], // nothing, unless the environment asks for it
    projects: [
      { extends: true, test: { name: "alone", include: alone } },
      // One module graph a worker: the library is large, and importing it anew for every file would cost more than the tests.
      { extends: true, test: { name: "together", include: ["test/**/*.test.ts"], exclude: alone, isolate: false } },
    ],
  },
});
