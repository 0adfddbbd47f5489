/**
 * @file A walkthrough takes the same way in the playground's engine as in a terminal.
 * @original
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TraceFile } from "../../../src/trace/Trace.ts";
import { untimed } from "../untimed.ts";
import { library, root, run } from "./tree.ts";

const lib = await library();
const source = (name: string): string => readFileSync(join(root, "walkthroughs", name), "utf8");
/** Parts that a page fetches apart, and that this test does not: the Python machine, the C++ front end. */
const needs_more = (name: string): boolean => /from "glasstorch\/(?:python|cpp)"/.test(source(name));
const walkthroughs = readdirSync(join(root, "walkthroughs")).filter(
  (name) => name.endsWith(".ts") && !needs_more(name),
);

function inTerminal(name: string, record: string): TraceFile {
  const out = join(tmpdir(), `glasstorch-${process.pid}-${name}.json`);
  const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
  const args = [tsx, join(root, "walkthroughs", name), "--format", "json", "--record", record, "--out", out];
  execFileSync(process.execPath, args, { cwd: root, stdio: "pipe" });
  const trace = JSON.parse(readFileSync(out, "utf8"));
  rmSync(out);
  return trace;
}

test("there are walkthroughs", () => {
  expect(walkthroughs.length).toBeGreaterThanOrEqual(6);
});

test.each(walkthroughs)("%s: its claims hold", async (name) => {
  const { claim, failure, done, recorded } = await run(lib, source(name), { path: `walkthroughs/${name}` });
  expect(failure).toEqual([]);
  expect(claim).toEqual([]);
  expect(done[0]?.claims).toBeGreaterThan(5);
  expect(recorded.length).toBeGreaterThan(0);
});

test.each(walkthroughs)("%s: its claims hold in full detail", async (name) => {
  const { claim, failure } = await run(lib, source(name), { path: `walkthroughs/${name}`, detail: "full" });
  expect([...claim, ...failure]).toEqual([]);
});

test.each(["prelu.ts", "add.ts", "import-torch.ts"])("%s: its first trace is the terminal's", async (name) => {
  const { recorded } = await run(lib, source(name), { path: `walkthroughs/${name}` });
  const first = recorded[0]?.recording;
  expect(untimed(first.trace)).toEqual(untimed(inTerminal(name, first.name)));
});

test("the backward trace of prelu is the terminal's", async () => {
  const { recorded } = await run(lib, source("prelu.ts"), { path: "walkthroughs/prelu.ts" });
  const backward = recorded.find((m) => m.recording.name === "backward")?.recording.trace as TraceFile;
  expect(untimed(backward)).toEqual(untimed(inTerminal("prelu.ts", "backward")));
});
