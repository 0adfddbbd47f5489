/**
 * @file Which test files took longest in a complete run of all checks: candidates for slow_files.ts.
 * @original
 */
import { relative } from "node:path";
import type { VitestReport } from "./repeat.ts";
import { DEVICE_FILES, SITE_FILES, UNIT_FILES } from "./slow_files.ts";

const BY_TURN = new Set([
  ...UNIT_FILES,
  ...DEVICE_FILES.map((name) => `test/webgpu/${name}`),
  ...SITE_FILES.map((name) => `docs/${name}`),
]);

/** Lines that name the `count` files of a report whose tests took longest; those that take turns already are marked. */
export function longest_files({ testResults }: VitestReport, root: string, count = 15): string[] {
  const took = testResults.map(({ name, startTime = 0, endTime = 0 }) => ({
    file: relative(root, name).replaceAll("\\", "/"),
    seconds: (endTime - startTime) / 1000,
  }));
  took.sort((a, b) => b.seconds - a.seconds);
  return took
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}${BY_TURN.has(file) ? " (by turn)" : ""}`);
}
