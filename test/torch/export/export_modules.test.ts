/** Typical modules, exported, unflattened and decomposed, against PyTorch's programs. */
import "glasstorch/export";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import { type Any, readFixture } from "../../helpers/recorded.ts";

const recorded = readFixture<Record<string, Any>>(new URL("../../fixtures/export_modules.json.gz", import.meta.url));
const cases = fileURLToPath(new URL("../../../tools/oracle/export_modules.py", import.meta.url));
const program = python(readFileSync(cases, "utf8"), {
  filename: cases,
  name: "export_modules",
  stdout: () => {},
}) as Any;

/** Modules in which something is not yet as in PyTorch. */
const OPEN = new Set(
  `SelfAttention1 Encoder1 Gpt1 Lstm Norms Dataclass InPlace Shared Frozen Autocast AutocastWhole Indexed
  ByShape ByShape1 ByShape2 TwoBatches Halves Halves1 Halves2 Triples Triples1 Views Reductions Products ItemSize
  ItemSlice Nonzero Masked MaskedView Unique ToList CheckedEqual UncheckedEqual
  Conditional SizeConditional`.split(/\s+/),
);
const names = Object.keys(recorded).filter((name) => name !== "torch" && !OPEN.has(name));

const plain = (value: unknown): Any => {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), plain(each)]));
  return Array.isArray(value) ? [...value].map(plain) : value;
};

test.each(cases_in_turn("programs of export_modules.py", names, 18))("export: %s", (name) => {
  expect(plain(program.exported(name))).toEqual(recorded[name]);
});

test("sizes that vary go through a transposed view", () => {
  for (const name of ["SelfAttention1"]) expect(plain(program.exported(name)).text).toEqual(recorded[name].text);
});
