/** The trace and the results follow the sources: an edited scalar function, a helper put between two functions. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Tree } from "../helpers/tree.ts";

let tree: Tree;
beforeAll(() => {
  tree = new Tree();
});
afterAll(() => tree.remove());

test("an edited scalar function gives another result after codegen, at its own line", () => {
  const file = "src/aten/native/cpu/Activation/index.ts";
  tree.edit(file, "return input > 0 ? input : weight * input;", "return input > 0 ? input + input : weight * input;");
  const made = tree.codegen();
  expect(made.output).not.toContain("error");
  expect(made.status).toBe(0);
  const result = tree.run(`
    import torch from "glasstorch";
    console.log(JSON.stringify(torch.prelu(torch.tensor([-2.5, 3.5]), torch.tensor([0.5])).tolist()));`);
  expect(result).toEqual([-1.25, 7]);
});

test("a helper between native::prelu and _prelu_kernel shows in full detail with its line", () => {
  const file = "src/aten/native/Activation/index.ts";
  const text = tree.read(file);
  const call = /at\._prelu_kernel\(/;
  expect(call.test(text)).toBe(true);
  tree.write(
    file,
    `${text.replace(call, "put_between(")}\nfunction put_between(self: Tensor, weight: Tensor): Tensor {\n  return at._prelu_kernel(self, weight);\n}\n`,
  );
  const line =
    tree
      .read(file)
      .split("\n")
      .findIndex((l) => l.includes("return at._prelu_kernel(self, weight)")) + 1;
  expect(tree.codegen().status).toBe(0);
  const found = tree.run(`
    import torch from "glasstorch";
    import { record } from "glasstorch/trace";
    const x = torch.tensor([-2.5, 3.5]);
    const w = torch.tensor([0.5]);
    const trace = record(() => torch.prelu(x, w), { detail: "full" });
    const helper = trace.events.find((e) => e.name.includes("put_between"));
    const below = (e) => [e, ...trace.children(e).flatMap(below)];
    console.log(JSON.stringify({ file: helper?.source?.file, line: helper?.source?.line, kernel: below(helper).some((e) => e.operator === "_prelu_kernel") }));`);
  expect(found).toEqual({ file, line, kernel: true });
});
