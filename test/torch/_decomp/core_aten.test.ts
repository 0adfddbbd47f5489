/** Operators decomposed to core ATen, against PyTorch's graphs. */
import "glasstorch/fx";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
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

const names = Object.keys(recorded.graphs).filter((name) => !OPEN.test(name));

test.each(cases_in_turn("graphs of decomposition_cases.py", names, 10))("graph: %s", (name) => {
  const [operator, i] = name.split(" ") as [string, string];
  const found = program.graph_of(operator, program.CASES.get(operator)[Number(i)]);
  expect(found).toBe(recorded.graphs[name]);
});

test("PyTorch's table has each operator of ours", () => {
  const names = [...program.core_aten_decompositions().keys()].map(String);
  expect(names.filter((name) => !recorded.table.includes(name))).toEqual([]);
});
