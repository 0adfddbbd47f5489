/**
 * @file Random programs on the CPU and on the device: views, in place, gradients, mixed dtypes, indices, errors. After every step all that can be
 * seen of every tensor is the same. `PROGRAMS=file`, one program a line or a fixture, runs others: see tools/oracle/write_programs.ts.
 * @original
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { close_device } from "../../src/c10/webgpu/WebGPUFunctions.ts";
import type { Program } from "../../tools/oracle/fuzz/program.ts";
import { inPython } from "../../tools/oracle/fuzz/show.ts";
import { readFixture } from "../helpers/recorded.ts";
import { torch } from "./support/both.ts";
import { compare_devices } from "./support/programs.ts";

const elsewhere = process.env["PROGRAMS"];
const { programs }: { programs: Program[] } =
  elsewhere === undefined
    ? readFixture(new URL("../fixtures/webgpu/programs.json.gz", import.meta.url))
    : JSON.parse(readFileSync(elsewhere, "utf8"));

const warns_always = torch.is_warn_always_enabled();
beforeAll(() => torch.set_warn_always(true));
afterAll(() => {
  torch.set_warn_always(warns_always);
  close_device();
});

test.each(programs.map((program) => [program.seed, program] as const))("%i", (_, program) => {
  expect(compare_devices(program), inPython(program)).toBe(null);
});
