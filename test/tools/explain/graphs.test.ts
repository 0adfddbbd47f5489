/**
 * @file `explain --graph`: every capture of a function, how it was taken, and a refusal in one line.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { captures_of, captures_report } from "../../../tools/explain/graphs.ts";

const folder = mkdtempSync(join(tmpdir(), "explain-graph-"));
const file = join(folder, "program.py");
writeFileSync(
  file,
  `import torch

def plain(x, y):
    z = x * y
    z.add_(1)
    return torch.relu(z).sum()

def branch(x):
    return x * 2 if x.sum() > 0 else x

def image(x):
    return torch.nn.functional.max_pool2d(x, 2)

@torch.jit.script
def scripted(x, n: int):
    for _ in range(n):
        x = x * 2
    return x

def never(x):
    raise ValueError("no tensor fits")
`,
);
afterAll(() => rmSync(folder, { recursive: true }));

const texts = (name: string): Record<string, string> =>
  Object.fromEntries(captures_of(file, name).map(({ title, text, refused }) => [title, text ?? `refused: ${refused}`]));

test("a function is captured in every way", () => {
  const found = texts("plain");
  expect(found["eager"]?.split("\n")).toEqual(["aten::mul.Tensor", "aten::add_.Tensor", "aten::relu", "aten::sum"]);
  expect(found["torch.fx.symbolic_trace"]).toContain("%add_ : [num_users=0] = call_method[target=add_]");
  expect(found["make_fx"]).toContain("aten.add_.Tensor(mul, 1)");
  expect(found["make_fx of functionalize"]).toContain("aten.add.Tensor(mul, 1)");
  expect(found["AOTAutograd"]).toMatch(/^forward: def forward[\s\S]*backward: def forward[\s\S]*threshold_backward/);
  expect(found["torch.jit.script"]).toContain("aten::add_(%z.1");
});

test("a refusal is one line; script keeps both sides of a branch", () => {
  const found = texts("branch");
  expect(found["torch.fx.symbolic_trace"]).toBe(
    "refused: torch.fx.proxy.TraceError: symbolically traced variables cannot be used as inputs to control flow",
  );
  expect(found["torch.jit.script"]).toContain("prim::If");
  const report = captures_report(captures_of(file, "branch"), { bold: (text) => text, dim: (text) => text });
  expect(report.split("\n").filter((line) => line.includes("refused:"))).toHaveLength(4);
});

test("a script shows its graph, the plan of its executor, and its instructions", () => {
  const found = texts("scripted");
  expect(captures_of(file, "scripted")[0]?.how).toBe("called with [3, 3], 2; no graph");
  expect(found["torch.jit.script"]).toContain("prim::Loop(%n.1");
  expect(found["the executor's plan"]).toContain("aten::__round_to_zero_floordiv");
  expect(found["instructions"]).toMatch(/^0 {3}STOREN 1 2\n[\s\S]*OP 0 0 +aten::mul\.Scalar[\s\S]*RET 0 0$/);
});

test("shapes are tried until the function runs", () => {
  expect(captures_of(file, "image")[0]?.how).toBe("called with tensors of shape [2, 3, 4, 4]; no graph");
  expect(() => captures_of(file, "never")).toThrow("no tensor fits");
  expect(() => captures_of(file, "absent")).toThrow("has no function absent");
});
