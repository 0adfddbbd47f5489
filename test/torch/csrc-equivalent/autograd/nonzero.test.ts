/**
 * @file Refusals of `torch.nonzero`, in PyTorch 2.13.0's words.
 * @see src/torch/csrc-equivalent/autograd/python_torch_functions_manual.ts
 */
import torch from "glasstorch";
import { expect, test } from "vitest";

test("nonzero takes one tensor, a bool and an output", () => {
  const x = torch.tensor([1, 0, 2]);
  const nonzero = torch.nonzero as (...args: unknown[]) => unknown;
  const cases: [unknown[], string][] = [
    [[], 'nonzero() missing 1 required positional arguments: "input"'],
    [[x, 1], "nonzero() takes 1 positional argument but 2 were given"],
    [[x, { as_tuple: 1 }], "nonzero(): argument 'as_tuple' must be bool, not int"],
    [[x, { as_tuple: null }], "nonzero(): argument 'as_tuple' must be bool, not NoneType"],
    [[x, { foo: 1 }], "nonzero() got an unexpected keyword argument 'foo'"],
    [[x, { out: 3 }], "nonzero(): argument 'out' must be Tensor, not int"],
    [[x, { as_tuple: true, out: x }], "nonzero does not support the out kwarg when as_tuple is True"],
  ];
  for (const [args, message] of cases) expect(() => nonzero(...args)).toThrow(message);
  expect(String(nonzero({ input: x, as_tuple: true }))).toBe("tensor([0, 2])");
});
