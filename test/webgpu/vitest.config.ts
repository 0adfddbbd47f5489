import { defineConfig } from "vitest/config";

// Processes, not threads: only a process's own environment names the adapter's driver.
export default defineConfig({
  test: {
    name: "webgpu",
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ["support/setup.ts"],
  },
});
