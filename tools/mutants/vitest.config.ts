/**
 * @file Vitest's configuration with one file in its mutated form, and with a runner that tries the mutants.
 * @original
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const { file, code } = JSON.parse(process.env["MUTANT_FILE"] ?? "{}") as { file: string; code: string };

export default defineConfig({
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      load: (id) => (id === resolve(file) ? readFileSync(code, "utf8") : null),
    },
  ],
  test: {
    include: ["test/**/*.test.ts"],
    runner: "./tools/mutants/runner.ts",
    testTimeout: 600_000,
    reporters: [{}],
    pool: "threads",
    maxWorkers: 1,
    fileParallelism: false,
  },
});
