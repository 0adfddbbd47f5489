/** Exported programs, their decompositions, guards and refusals, against those recorded from PyTorch for the same modules. */
import "glasstorch/export";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { FloatValue } from "#python/Objects/floatobject";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import { type Any, readFixture } from "../../helpers/recorded.ts";

const recorded = readFixture<{
  readonly exported: Record<string, Any>;
  readonly refused: readonly (readonly string[])[];
}>(new URL("../../fixtures/export.json.gz", import.meta.url));
const cases = fileURLToPath(new URL("../../../tools/oracle/export_cases.py", import.meta.url));
const program = python(readFileSync(cases, "utf8"), { filename: cases, name: "export_cases", stdout: () => {} }) as Any;

function plain(value: unknown): Any {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), plain(each)]));
  if (Array.isArray(value)) return [...value].map(plain);
  return value instanceof FloatValue ? Number(value) : value;
}

const names = cases_in_turn("programs of export_cases.py", Object.keys(recorded.exported), 8);

test.each(names)("export: %s", (name) => {
  const { runs, ...found } = plain(program.exported(Number.parseInt(name, 10), name.endsWith("train")));
  const { runs: recorded_runs, ...expected } = recorded.exported[name];
  expect(found).toEqual(expected);
  // The module, its program and the decomposed program, one after another: they share their buffers.
  expect_close(runs, recorded_runs);
});

function expect_close(a: unknown, b: unknown): void {
  if (typeof a === "number" && typeof b === "number") expect(a).toBeCloseTo(b, 4);
  else if (Array.isArray(a) && Array.isArray(b)) {
    expect(a.length).toBe(b.length);
    for (const [i, value] of a.entries()) expect_close(value, b[i]);
  } else expect(a).toEqual(b);
}

test("wrong calls are refused in PyTorch's words", () => {
  expect(recorded.refused.map((_, i) => plain(program.refused(i)))).toEqual(recorded.refused);
});

test.each([
  [
    "preserve_module_call_signature",
    "torch.export.export(torch.nn.ReLU(), (x,), preserve_module_call_signature=('',))",
  ],
  ["draft_export", "torch.export.draft_export(torch.nn.ReLU(), (x,))"],
])("%s is refused, not ignored", (_name, expression) => {
  expect(() => python(`import torch\nx = torch.ones(2)\n${expression}`)).toThrow("is not implemented");
});
