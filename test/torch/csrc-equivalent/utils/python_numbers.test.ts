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

test("an int of a call that no double holds is taken in full, or refused", () => {
  const x = torch.arange(5);
  const large = 2n ** 53n + 1n;
  expect(() => x.softmax(large)).toThrow(
    "Dimension out of range (expected to be in range of [-1, 0], but got 9007199254740993)",
  );
  expect(torch.rot90(torch.tensor([[1, 2]]), large).tolist()).toEqual([[2], [1]]); // one turn: 2^53 is a multiple of 4
  expect(torch.roll(x, 2n ** 63n - 1n).tolist()).toEqual([3, 4, 0, 1, 2]); // 2^63 - 1 is 2 modulo 5
  expect(torch.roll(x, 2 ** 60).tolist()).toEqual([4, 0, 1, 2, 3]);
  for (const call of [
    () => torch.roll(x, large),
    () => torch.ones(1).expand(large),
    () => torch.ones(1).as_strided([1], [torch.tensor(large)]),
    () => torch.ops.aten.expand(torch.ones(1), [large]),
    () => torch.eye(large),
  ])
    expect(call).toThrow(
      "9007199254740993 cannot be taken here: sizes and counts are doubles, and no double holds it exactly",
    );
});
