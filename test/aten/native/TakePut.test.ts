import torch from "glasstorch";
import { expect, test } from "vitest";

const { tensor, float64 } = torch;
type T = ReturnType<typeof tensor>;
const random = (...size: number[]) => torch.randn(size, { dtype: float64, requires_grad: true });
const same = (a: T, b: T) => expect(torch.equal(a, b)).toBe(true);

test("a transposed tensor is one row of elements, too", () => {
  const x = torch.arange(6).reshape(2, 3).t();
  same(torch.take(x, tensor([[1, -1]])), tensor([[3, 5]]));
  same(
    x.clone().put_(tensor([1]), tensor([9])),
    tensor([
      [0, 9],
      [1, 4],
      [2, 5],
    ]),
  );
});

test("put twice in one place", () => {
  same(torch.zeros(2).put(tensor([1, 1]), tensor([1.5, 2]), true), tensor([0, 3.5]));
});

test("along a dim, with indices from the end", () => {
  const x = tensor([
    [1, 3],
    [4, 2],
  ]);
  same(torch.take_along_dim(x, torch.argmax(x, 1, true), 1), tensor([[3], [4]]));
  same(torch.take_along_dim(x, tensor([[-1]]), 0), tensor([[4, 2]]));
});

test("refusals", () => {
  expect(() => torch.take(torch.zeros(0), tensor([0]))).toThrow("take(): tried to take from an empty tensor");
  expect(() => torch.take(torch.zeros(2), tensor([2]))).toThrow(
    "out of range: tried to access index 2 on a tensor of 2 elements.",
  );
});

test("gradients agree with finite differences", () => {
  const index = tensor([3, 0]);
  expect(torch.autograd.gradcheck(((x: T) => torch.take(x, index)) as never, [random(2, 2)])).toBe(true);
  for (const accumulate of [true, false])
    expect(
      torch.autograd.gradcheck(((x: T, s: T) => torch.put(x, index, s, accumulate)) as never, [
        random(2, 2),
        random(2),
      ]),
    ).toBe(true);
});
