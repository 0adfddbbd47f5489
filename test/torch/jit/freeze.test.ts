/** Frozen modules, and passes on graphs with types, are PyTorch's (tools/oracle/record_freeze.py recorded them). */
import { readFileSync } from "node:fs";
import torch, { jit } from "glasstorch/jit";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { readFixture } from "../../helpers/recorded.ts";

const { cases } = readFixture<{ cases: Record<string, string[]> }>(
  new URL("../../fixtures/torchscript/freeze.json.gz", import.meta.url),
);
const source = readFileSync(new URL("../../../tools/oracle/freeze_programs/programs.py", import.meta.url), "utf8");
const program = python(source, { filename: "programs.py", name: "programs" }) as unknown as {
  describe(): Map<string, string[]>;
};
const described = program.describe();

for (const [name, recorded] of Object.entries(cases)) {
  test(name, () => {
    expect(described.get(name)).toEqual(recorded);
  });
}

test("a frozen module is a copy: the module itself keeps its attributes", () => {
  const module = jit.script(new torch.nn.Linear(2, 2).eval()) as jit.RecursiveScriptModule;
  const frozen = jit.freeze(module) as jit.RecursiveScriptModule;
  expect([...frozen.parameters()].length).toBe(0);
  expect([...module.parameters()].length).toBe(2);
  expect(() => jit.freeze(module, "weight")).toThrow("preserved_attrs must be a list of str");
  expect(() => jit.run_frozen_optimizations(1)).toThrow("takes a ScriptModule");
});
