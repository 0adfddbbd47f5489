/** Operators decomposed to core ATen, against PyTorch's graphs. */
import "glasstorch/fx";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { type Any, readFixture } from "../../helpers/recorded.ts";

const recorded = readFixture<{ readonly table: readonly string[]; readonly graphs: Record<string, string> }>(
  new URL("../../fixtures/decompositions.json.gz", import.meta.url),
);
const cases = fileURLToPath(new URL("../../../tools/oracle/decomposition_cases.py", import.meta.url));
const program = python(readFileSync(cases, "utf8"), {
  filename: cases,
  name: "decomposition_cases",
  stdout: () => {},
}) as Any;

/** Operators that ours does not decompose. */
const OPEN = /^(?:diag_embed|logspace|upsample_nearest|reflection_pad2d|replication_pad2d)/;

test("graphs are PyTorch's", () => {
  const found = Object.fromEntries(program.graphs() as Map<string, string>);
  const compared = Object.keys(recorded.graphs).filter((name) => !OPEN.test(name));
  for (const name of compared) expect(found[name], name).toBe(recorded.graphs[name]);
});

test("PyTorch's table has each operator of ours", () => {
  const names = [...program.core_aten_decompositions().keys()].map(String);
  expect(names.filter((name) => !recorded.table.includes(name))).toEqual([]);
});
