import torch from "glasstorch";
import { expect, test } from "vitest";

const { tensor, float64 } = torch;
type T = ReturnType<typeof tensor>;
const index = tensor([0, 0, 1]);
const src = tensor([1.5, 2, 3]);
const same = (a: T, b: T) => expect(torch.equal(a, b)).toBe(true);

test("with and without what was there", () => {
  const x = tensor([10, 10, 10.0]).float();
  same(x.scatter_reduce(0, index, src, "amax"), x);
  same(x.scatter_reduce(0, index, src, "amax", { include_self: false }), tensor([2, 3, 10]).float());
  same(x.scatter_reduce(0, index, src, "prod", { include_self: false }), tensor([3, 3, 10]).float());
  same(x.scatter_reduce(0, index, src, "mean", { include_self: false }), tensor([1.75, 3, 10]));
});

test("a mean of integers is rounded down", () => {
  same(
    torch.zeros(1, { dtype: torch.int64 }).scatter_reduce(0, tensor([0, 0]), tensor([-1, -2]), "mean"),
    tensor([-1]),
  );
});

test("gradients agree with finite differences", () => {
  const random = () => torch.randn(3, { dtype: float64, requires_grad: true });
  for (const reduce of ["sum", "prod", "mean", "amax", "amin"])
    for (const include_self of [true, false]) {
      const fn = (x: T, s: T) => torch.scatter_reduce(x, 0, index, s, reduce, { include_self });
      expect(torch.autograd.gradcheck(fn as never, [random(), random()])).toBe(true);
    }
});

test("an unknown way to combine", () => {
  expect(() => torch.scatter_reduce(src, 0, index, src, "max")).toThrow(
    "reduce argument must be either sum, prod, mean, amax or amin, got max",
  );
});
