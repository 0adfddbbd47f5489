import torch from "glasstorch";
import { expect, test } from "vitest";
import { python_type } from "#torch/csrc-equivalent/utils/python_numbers";

test("one rule tells ints from floats", () => {
  expect([1, 0, -3, 2 ** 53].map(python_type)).toEqual(["int", "int", "int", "int"]);
  expect([1.5, -0, NaN, Infinity, 2 ** 63].map(python_type)).toEqual(["float", "float", "float", "float", "float"]);
  expect([1n, torch.Float(2), true, "x", null, [], {}].map(python_type)).toEqual([
    "int",
    "float",
    "bool",
    "str",
    "NoneType",
    "list",
    "dict",
  ]);
  expect([torch.float32, torch.ones(1), new torch.nn.Parameter(torch.ones(1))].map(python_type)).toEqual([
    "torch.dtype",
    "Tensor",
    "Parameter",
  ]);
});

test("torch.Float is a float everywhere", () => {
  expect(torch.Float(2) instanceof torch.Float).toBe(true);
  expect(torch.tensor([torch.Float(2)]).dtype).toBe(torch.float32);
  expect(torch.full([1], torch.Float(2)).dtype).toBe(torch.float32);
  expect(torch.arange(torch.Float(3)).dtype).toBe(torch.float32);
  expect(torch.tensor([1]).mul(torch.Float(2)).dtype).toBe(torch.float32);
  expect(() => torch.zeros(torch.Float(2) as never)).toThrow(
    "zeros(): argument 'size' (position 1) must be tuple of ints, not float",
  );
});

test("int64 is exact both ways", () => {
  const x = torch.tensor([9007199254740993n, 1]);
  expect(x.tolist()).toEqual([9007199254740993n, 1]);
  expect(x.__getitem__(0).item()).toBe(9007199254740993n);
});
