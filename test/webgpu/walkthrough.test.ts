/** @file The walkthrough of the device on the adapter here: its claims hold, and what is kept for readers without one is what it records. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TraceEvent, TraceFile } from "../../src/trace/index.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "webgpu-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Kept = Record<string, TraceFile>;
const recordings = (file: string): Kept => (JSON.parse(readFileSync(file, "utf8")) as { recordings: Kept }).recordings;
const kept = recordings(join(root, "walkthroughs/recorded/webgpu.json"));
let made: Kept;

beforeAll(() => {
  const file = join(folder, "made.json");
  const script = ["--import", "tsx", join(root, "test/webgpu/record_walkthrough.ts"), file];
  execFileSync(process.execPath, script, { cwd: root, stdio: "pipe" });
  made = recordings(file);
});

/** The part of a trace that does not depend on the clock: calls with their depth, and launches. */
function steps({ events }: TraceFile): unknown[] {
  const depth = (event: TraceEvent): number => (event.parent === null ? 0 : 1 + depth(events[event.parent]));
  return events
    .filter(({ name }) => !/^webgpu::(submit|device_time)$/.test(name))
    .map((event) => [depth(event), event.kind, event.name, event["grid"], event["workgroup_size"], event["wgsl"]]);
}

test("as many recordings", () => {
  expect(Object.keys(made)).toEqual(Object.keys(kept));
});

test.each(Object.keys(kept))(
  "%s: npx tsx test/webgpu/record_walkthrough.ts walkthroughs/recorded/webgpu.json",
  (name) => {
    expect(steps(made[name])).toEqual(steps(kept[name]));
  },
);
