/**
 * @file The tests that run.ts chose, in one thread: Stryker runs them again for every mutant.
 * @original
 */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: JSON.parse(process.env["MUTANT_TESTS"] ?? "[]"), testTimeout: 60_000, reporters: [] },
});
