import { defineConfig } from "vitest/config";

// `test/` mirrors `src/`. Files run in worker threads; two are enough to keep two cores busy.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "threads",
    maxWorkers: 2,
    // One module graph a worker: the library is large, and importing it anew for every file would cost more than the tests.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
