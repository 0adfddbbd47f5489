import { defineConfig } from "vitest/config";

// The tests that run.ts chose, in one thread: Stryker runs them again for every mutant.
export default defineConfig({
  test: { include: JSON.parse(process.env["MUTANT_TESTS"] ?? "[]"), testTimeout: 60_000, reporters: [] },
});
