/**
 * @file What a person who thinks in Python writes, and what the playground answers.
 * @original
 */
import { expect, test } from "vitest";
import { calledName, notBuilt } from "../../src/playground/engine/not_built.ts";
import { wayOutOfSyntax } from "../../src/playground/engine/python_words.ts";
import { library, run } from "./tree.ts";

const lib = await library();
const torch = `import torch from "glasstorch";\nconst x = torch.tensor([1.5, 2.5]);\nconst y = torch.ones([2]);\n`;

const failureOf = async (text: string) => (await run(lib, torch + text)).failure[0]?.failure;

test.each([
  ["console.log(x + y);", "JavaScript has no + for tensors: write x.add(y)"],
  ["const z = x - y;", "JavaScript has no - for tensors: write x.sub(y)"],
  ["console.log(x * 2);", "JavaScript has no * for tensors: write x.mul(2)"],
  ["let z = x; z += y;", "JavaScript has no + for tensors: write z.add(y)"],
  ["console.log('sum', x.mul(2) / (y.add(1)));", "JavaScript has no / for tensors: write a.div(b)"],
  ["const z = torch.exp(x ** 2);", "JavaScript has no ** for tensors: write x.pow(2)"],
  ["console.log(x[0]);", "to read an element of a tensor, write x.at(0); in JavaScript x[0] is a field of that name"],
  [
    "const i = -1; x[i];",
    "to read an element of a tensor, write x.at(-1); in JavaScript x[-1] is a field of that name",
  ],
  ["x[1] = 5;", "to set an element of a tensor, write x.set_at(value, 1); in JavaScript x[1] is a field"],
])("%s", async (line, message) => {
  expect(await failureOf(line)).toMatchObject({ name: "TypeError", message });
});

test("a text that is put together, and a comparison of one element, are JavaScript", async () => {
  const { output, failure } = await run(
    lib,
    `${torch}const one = x.sum();\nconsole.log("x is " + x);\nconsole.log(\`\${y}\`, one > 3, String(one));`,
  );
  expect(failure).toEqual([]);
  expect(output).toBe("x is tensor([1.5000, 2.5000])\ntensor([1., 1.]) true tensor(4.)");
});

test.each([
  ["print(x)", "Python’s print is console.log(…)"],
  ["const z = [None];", "Python’s None is null"],
  ["z = x.add(1);", "declare a name where it is first used: const z = …, or let if it changes"],
  ["torch.sum(x, dim=0);", "keyword arguments are one object: f(x, { dim: … })"],
  ["unknown_thing();", null],
])("%s", async (line, wayOut) => {
  expect(await failureOf(line)).toMatchObject({ name: "ReferenceError", wayOut });
});

test("an error names what the program names", async () => {
  expect((await failureOf("torch.no_such_name(x);"))?.message).toBe("torch.no_such_name is not a function");
  expect((await failureOf("torch.stft(x);"))?.message).toContain("torch.stft is not implemented: it is not built here");
  const named = await run(
    lib,
    `import { record as r, text } from "glasstorch/trace";\nimport * as t from "glasstorch/trace";\nt.nothing();`,
  );
  expect(named.failure[0]?.failure.message).toBe("t.nothing is not a function");
});

test("an operator that only PyTorch has is known from its failure", async () => {
  const called = async (line: string) =>
    calledName((await failureOf(line)) as NonNullable<Awaited<ReturnType<typeof failureOf>>>);
  const names = ["stft", "__made_up__"];
  expect(notBuilt((await called("torch.nn.functional.stft(x);")) ?? "", names)).toContain(
    "stft is an operator of PyTorch",
  );
  expect(notBuilt((await called("x.stft_();")) ?? "", names)).toContain("stft is an operator of PyTorch");
  expect(notBuilt((await called("x.__made_up__();")) ?? "", names)).toContain("__made_up__ is an operator of PyTorch");
  expect(notBuilt((await called("torch.conv9d(x);")) ?? "", names)).toBeNull();
  expect(await called("x.view(5);")).toBeNull();
});

test.each([
  ["import torch", 'import torch from "glasstorch";'],
  ["import torch.nn.functional as F", "const F = torch.nn.functional;"],
  ["from torch import nn, optim", "const { nn, optim } = torch;"],
  ["def f(self, x: Tensor, y=2) -> Tensor:", "function f(x, y=2) { … }"],
  ["class Net(nn.Module):", "class Net extends nn.Module { … }"],
  ["for i in range(10):", "for (let i = 0; i < 10; i++) { … }"],
  ["for k, v in items:", "for (const [k, v] of items) { … }"],
  ["with torch.no_grad():", "torch.no_grad(() => { … });"],
  ["if x.sum() > 0:", "if (x.sum() > 0) { … }"],
  ["else:", "else { … }"],
  ["f = lambda a, b: a.add(b)", "(a, b) => a.add(b)"],
  ['s = f"x is {x}"', `\`x is $\{x}\``],
  ["y = x[1:3, 0]", ".at({ start: 1, stop: 3 }, 0)"],
  ["y = a @ b", "a.matmul(b)"],
  ["y = 1 if ok else 2", "ok ? 1 : 2"],
  ["# a comment", "// a comment"],
])("Python: %s", (line, typescript) => {
  expect(wayOutOfSyntax(`const a = 1;\n${line}\n`, 2)).toBe(`line 2 is Python. TypeScript writes: ${typescript}`);
});

test("the line that is Python is named, also when the error is told a line later", () => {
  expect(wayOutOfSyntax("import torch\nx = torch.ones(2)\n", 2)).toContain("line 1 is Python");
  expect(wayOutOfSyntax('import torch from "glasstorch";\nconst x = ;\nconst y = { a: [1, 2] };\n', 2)).toBeNull();
});
