/** Programs on the device `lazy` show what they show in PyTorch (tools/oracle/record_lazy.py): nodes, values, counters, errors. */
import { readFileSync } from "node:fs";
import "glasstorch/fx";
import torch from "glasstorch/lazy";
import { python } from "glasstorch/python";
import { record } from "glasstorch/trace";
import { expect, test } from "vitest";
import { readFixture } from "../../helpers/recorded.ts";

type Cases = Readonly<Record<string, readonly unknown[]>>;
const fixture = readFixture<{ readonly torch: string; readonly cases: Cases; readonly extracted: Cases }>(
  new URL("../../fixtures/lazy.json.gz", import.meta.url),
);
const text = (name: string): string => readFileSync(new URL(`../../../tools/oracle/${name}`, import.meta.url), "utf8");
const source = text("lazy_cases.py");
const program = python(`${source}
import json
def shown(name): return json.dumps(run(CASES[name]))
def names(): return list(CASES)
`) as unknown as { readonly shown: (name: string) => string; readonly names: () => string[] };

/** Values of a step, with the numbers apart, because kernels may differ in the last digits. */
function apart(step: unknown): { readonly said: unknown; readonly numbers: readonly number[] } {
  if (!Array.isArray(step)) return { said: step, numbers: [] };
  const [dtype, shape, numbers, counters] = step as [string, number[], number[], object];
  return { said: [dtype, shape, counters], numbers: numbers.map(Number) };
}

test("all recorded programs are there", () => {
  expect(fixture.torch).toBe("2.13.0");
  expect(program.names()).toEqual(Object.keys(fixture.cases));
});

test.each(Object.keys(fixture.cases))("%s", (name) => {
  const steps = JSON.parse(program.shown(name)) as unknown[];
  for (const [i, step] of steps.entries()) {
    const [ours, theirs] = [apart(step), apart(fixture.cases[name][i])];
    expect(ours.said).toEqual(theirs.said);
    expect(ours.numbers.length).toBe(theirs.numbers.length);
    for (const [j, number] of ours.numbers.entries())
      expect(Math.abs(number - theirs.numbers[j])).toBeLessThanOrEqual(1e-5 + 1.3e-6 * Math.abs(theirs.numbers[j]));
  }
});

const extracted = python(`${text("extracted_cases.py")}
import json
def shown(name): return json.dumps(run(name))
`) as unknown as { readonly shown: (name: string) => string };

/** Numbers to five digits: kernels may differ in the last ones. */
const rounded = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(rounded);
  return typeof value === "number" ? Number(value.toPrecision(5)) : value;
};

test.each(Object.keys(fixture.extracted))("a compiled graph is taken out of the cache: %s", (name) => {
  expect(rounded(JSON.parse(extracted.shown(name)))).toEqual(rounded(fixture.extracted[name]));
});

test("a program in TypeScript is recorded and computed in the same way", () => {
  const x = torch.tensor([1, -2, 3], { dtype: torch.float32 }).to("lazy");
  const y = x.mul(2).relu();
  const { _lazy } = torch._C as unknown as { readonly _lazy: { _get_tensors_text(tensors: unknown[]): string } };
  expect(_lazy._get_tensors_text([y])).toContain("aten::relu(%2)");
  const trace = record(() => y.cpu());
  expect(y.cpu().tolist()).toEqual([2, 0, 6]);
  const irs = trace.graphs.map(({ ir }) => ir);
  expect(irs).toContain("lazy"); // the nodes at the cut
  expect(irs).toContain("torchscript"); // the graph that was made of them
});
