/**
 * Random programs: every step gives what PyTorch 2.13.0 gives (values, strides, versions, graphs, errors), and goes its way.
 * Programs: test/fixtures/paths/fuzz.json.gz, written and recorded by tools/oracle/record_fuzz.py; `npm run test:oracle` makes others.
 */
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { check, type Program } from "../helpers/fuzz.ts";
import { readFixture } from "../helpers/recorded.ts";

const elsewhere = process.env["FUZZ_FIXTURE"];
const fixture = readFixture<{ programs: readonly Program[] }>(
  elsewhere === undefined ? new URL("../fixtures/paths/fuzz.json.gz", import.meta.url) : pathToFileURL(elsewhere),
);

test.each(fixture.programs.map((p) => [p.seed, p] as const))("program %i", (_, program) => {
  expect(check(program)).toBe(null);
});
