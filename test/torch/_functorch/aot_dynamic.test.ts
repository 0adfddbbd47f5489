/** Graphs of AOTAutograd in which sizes are symbols, and how many there are for four sizes, against those recorded from PyTorch. */
import "glasstorch/compile";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { cases_in_turn } from "../../../tools/ci/turn.ts";
import { type Any, readFixture } from "../../helpers/recorded.ts";

interface Recorded {
  readonly graphs: readonly (readonly [kind: string, code: string])[];
  /** Graphs after each call. */
  readonly counts: readonly number[];
  /** Whether each call gives what the program gives without a compiler. */
  readonly equal: readonly boolean[];
}

const recorded = readFixture<{ cases: Record<string, Recorded> }>(
  new URL("../../fixtures/aot_dynamic.json.gz", import.meta.url),
).cases;
const path = fileURLToPath(new URL("../../../tools/oracle/aot_dynamic_cases.py", import.meta.url));
const program = python(readFileSync(path, "utf8"), { filename: path, name: "cases", stdout: () => {} }) as Any;

/** The code with values numbered in their order: PyTorch counts operations on sizes, too, in the names of operators. */
function renumbered(code: string): string {
  const parameters = /def forward\(self, (.*)\):/.exec(code)?.[1]?.split(", ") ?? [];
  const values = new Set([...parameters, ...[...code.matchAll(/^\s*(\w+) = /gm)].map(([, name]) => name)]);
  const numbers = new Map<string, string>();
  return code.replace(/(?<![.\w])[a-z_]\w*/g, (name) => {
    if (!values.has(name)) return name;
    if (!numbers.has(name)) numbers.set(name, `value_${numbers.size}`);
    return numbers.get(name) as string;
  });
}

const names = cases_in_turn("programs of aot_dynamic_cases.py", Object.keys(recorded), 4);

test.each(names)("%s", (name) => {
  const wanted = recorded[name];
  const found = program.run(name.replace(" min_cut", ""), name.endsWith(" min_cut")) as Map<string, Any>;
  expect([...found.get("equal")]).toEqual(wanted.equal);
  expect([...found.get("counts")]).toEqual(wanted.counts);
  const graphs = [...found.get("graphs")].map(([kind, code]: [string, string]) => [kind, renumbered(code)]);
  expect(graphs).toEqual(wanted.graphs.map(([kind, code]) => [kind, renumbered(code)]));
});

test("all programs are recorded", () => {
  expect(Object.keys(recorded)).toHaveLength(68);
});
