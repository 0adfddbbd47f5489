import torch from "glasstorch";
import { record } from "glasstorch/trace";
import { expect, test } from "vitest";

const { tensor, float64 } = torch;
type T = ReturnType<typeof tensor>;
const random = (...size: number[]) => torch.randn(size, { dtype: float64, requires_grad: true });
const grid = () => torch.arange(12).reshape(3, 4);
const same = (a: T, b: T) => expect(torch.equal(a, b)).toBe(true);

test("slices in the order of the indices, whatever the strides", () => {
  const index = tensor([2, 0, 2]);
  same(torch.index_select(grid(), 0, index), torch.stack([grid().at(2), grid().at(0), grid().at(2)]));
  same(torch.index_select(grid().t(), 1, index), torch.index_select(grid(), 0, index).t());
  same(torch.index_select(grid(), 1, tensor([3], { dtype: torch.int32 })), tensor([[3], [7], [11]]));
});

test("indices that are outside", () => {
  expect(() => torch.index_select(grid(), 0, tensor([3]))).toThrow("index out of range in self");
  expect(() => torch.index_select(grid(), 1, tensor([0, 4]))).toThrow(
    "INDICES element is out of DATA bounds, id=4 axis_dim=4",
  );
  expect(() => torch.index_select(tensor(1), 0, tensor([0, 0]))).toThrow("Index to scalar can have only 1 value");
});

test("all indices are looked at before anything is written, and a recording shows it", () => {
  const seen = record(() => torch.index_select(grid(), 0, tensor([0, 2]))).events;
  const [look, move] = ["at::native::indices_inside_stub", "at::native::index_stub"].map((name) =>
    seen.findIndex((e) => e.kind === "stub" && e.name === name),
  );
  expect(look).toBeGreaterThan(0);
  expect(move).toBeGreaterThan(look);
  expect(seen.some((e) => e.kind === "loop" && e.name === "at::native::inside" && e.parent === look)).toBe(true);
  const x = torch.zeros(100);
  const index = torch.arange(1, 101);
  expect(() => x.index_fill_(0, index, 1)).toThrow("index 100 is out of bounds for dimension 0 with size 100");
  same(x, torch.zeros(100));
});

test("what is added to one place adds up", () => {
  const x = torch.zeros(3, 2);
  same(
    x.index_add(0, tensor([1, 1]), torch.ones(2, 2), { alpha: 3 }),
    tensor([
      [0, 0],
      [6, 6],
      [0, 0],
    ]).float(),
  );
  same(
    x.index_add(0, tensor([1, 1]), torch.ones(2, 2)),
    tensor([
      [0, 0],
      [2, 2],
      [0, 0],
    ]).float(),
  );
  expect(() => x.index_add(0, tensor([0]), torch.ones(1, 3))).toThrow(
    "source tensor shape must match self tensor shape",
  );
});

test("copied and filled", () => {
  same(torch.index_copy(tensor([1, 2, 3]), 0, tensor([2]), tensor([9])), tensor([1, 2, 9]));
  same(
    torch.index_fill(grid(), 1, tensor([-1, 0]), 7),
    tensor([
      [7, 1, 2, 7],
      [7, 5, 6, 7],
      [7, 9, 10, 7],
    ]),
  );
  expect(() => torch.index_fill(grid(), 1, tensor([4]), 0)).toThrow(
    "index 4 is out of bounds for dimension 1 with size 4",
  );
});

test("gradients agree with finite differences", () => {
  const index = tensor([1, 0, 1]);
  const check = (fn: (...given: T[]) => T, ...inputs: T[]) =>
    expect(torch.autograd.gradcheck(fn as never, inputs)).toBe(true);
  check((x) => torch.index_select(x, 1, index), random(2, 2));
  check((x, s) => torch.index_add(x, 0, index, s, { alpha: 2 }), random(2, 2), random(3, 2));
  check((x, s) => torch.index_copy(x, 0, tensor([1, 0]), s), random(2, 2), random(2, 2));
  check((x) => torch.index_fill(x, 0, tensor([1]), 3), random(2, 2));
});
