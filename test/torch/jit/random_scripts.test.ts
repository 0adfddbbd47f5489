/**
 * Random programs as scripts: values, changed arguments, printed texts and errors are PyTorch's (tools/oracle/record_random_scripts.py recorded
 * them). `python tools/oracle/random_scripts/compare.py` compares many more of them.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "glasstorch/jit";
import { python } from "glasstorch/python";
import { afterAll, expect, test } from "vitest";
import { readFixture } from "../../helpers/recorded.ts";

const { rows } = readFixture<{ rows: [seed: number, text: string, outcome: string][] }>(
  new URL("../../fixtures/torchscript/random_scripts.json.gz", import.meta.url),
);
const tools = new URL("../../../tools/oracle/random_scripts/", import.meta.url);
const module_of = (name: string) =>
  python(readFileSync(new URL(`${name}.py`, tools), "utf8"), { filename: `${name}.py`, name });
const { outcome_text } = module_of("outcome");
const { differences } = module_of("compare");

const folder = mkdtempSync(join(tmpdir(), "random_scripts_"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(rows)("program %i", (seed, text, recorded) => {
  expect([...differences(recorded, outcome_text(seed, text, folder))], text).toEqual([]);
});
