/** @file Memory in one synchronous job: thousands of temporaries of 1 MB under a limit of 64 MB. More: WEBGPU_LONG=1. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const long = process.env["WEBGPU_LONG"] === "1";

function child(...args: string[]): Record<string, number> {
  const made = spawnSync(process.execPath, ["--import", "tsx", "test/webgpu/support/temporaries.ts", ...args], {
    cwd: root,
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(made.stderr || `ended with ${made.signal ?? made.status}`);
  console.log(`${args.join(" ")}: ${made.stdout.trim()}`);
  return JSON.parse(made.stdout) as Record<string, number>;
}

const flat = (told: Record<string, number>): void => {
  expect(told).toMatchObject({ right: true, old_right: true });
  expect(told["reserved_peak_mb"]).toBeLessThanOrEqual(64);
  expect(told["rss_peak_mb"]).toBeLessThan(told["rss_first_mb"] + 200);
};

test("where the engine tells nothing of deaths, segments are paged out", { timeout: 300_000 }, () => {
  const told = child(long ? "20000" : "5000", "no_deaths");
  flat(told);
  expect(told["num_page_outs"]).toBeGreaterThan(1000);
});

test("in Node deaths are learnt within the job", { timeout: 300_000 }, () => {
  const told = child("20000");
  flat(told);
  expect(told["num_page_outs"]).toBeLessThan(1000);
});
