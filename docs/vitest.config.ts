import { defineConfig } from "vitest/config";

// `engine` and `claims` run the playground's engine in Node; `browser` opens the built site in Chromium.
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: "node", include: ["test/**/*.test.ts"], exclude: ["test/browser/**"] } },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["test/browser/support/setup.ts"],
          // Times are measured: one browser at once.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
