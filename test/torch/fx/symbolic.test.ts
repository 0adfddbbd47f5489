/** Programs whose sizes are symbols: graphs, exported programs, constraints and symbols, against those recorded from PyTorch. */
import "glasstorch/export";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import { plain } from "../../helpers/plain.ts";
import { type Any, readFixture } from "../../helpers/recorded.ts";

const recorded = readFixture<{
  readonly traced: Record<string, Any>;
  readonly exported: Record<string, Any>;
  readonly symbols: Any;
}>(new URL("../../fixtures/symbolic.json.gz", import.meta.url));
const cases = fileURLToPath(new URL("../../../tools/oracle/symbolic_cases.py", import.meta.url));
const program = python(readFileSync(cases, "utf8"), {
  filename: cases,
  name: "symbolic_cases",
  stdout: () => {},
}) as Any;

const mine = (names: readonly string[], what: string): readonly string[] => cases_in_turn(what, names, 6);

test.each(mine(Object.keys(recorded.traced), "functions of symbolic_cases.py"))("traced: %s", (name) => {
  expect(plain(program.traced(Number.parseInt(name, 10)))).toEqual(recorded.traced[name]);
});

test.each(mine(Object.keys(recorded.exported), "modules of symbolic_cases.py"))("exported: %s", (name) => {
  expect(plain(program.exported(Number.parseInt(name, 10)))).toEqual(recorded.exported[name]);
});

test("symbols by themselves", () => {
  expect(plain(program.facts_of_symbols())).toEqual(recorded.symbols);
});
