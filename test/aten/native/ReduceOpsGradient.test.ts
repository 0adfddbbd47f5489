import torch from "glasstorch";
import { expect, test } from "vitest";
import { assert_close } from "#torch/testing/index";

test("of a parabola, slopes of second order are exact, evenly spaced or not", () => {
  const x = torch.tensor([0, 0.5, 2, 2.5, 4], { dtype: torch.float64 });
  assert_close(torch.gradient(x.square(), { spacing: [x], edge_order: 2 })[0], x.mul(2));
  const even = torch.arange(0, 3, 0.5, { dtype: torch.float64 });
  assert_close(torch.gradient(even.square(), { spacing: 0.5, edge_order: 2 })[0], even.mul(2));
});

test("one slope for each dim that is named", () => {
  const f = torch.arange(12, { dtype: torch.float64 }).reshape(3, 4);
  expect(torch.gradient(f).map((slope) => slope.mean().item())).toEqual([4, 1]);
  expect(torch.gradient(f, { dim: 1, spacing: 2 }).map((slope) => slope.mean().item())).toEqual([0.5]);
  expect(torch.gradient(f, { dim: [1, 0], spacing: [0.5, 2] }).map((slope) => slope.mean().item())).toEqual([2, 2]);
});

test("gradients agree with finite differences", () => {
  torch.manual_seed(0);
  const f = torch.randn([3, 4], { dtype: torch.float64, requires_grad: true });
  expect(torch.autograd.gradcheck((t) => torch.gradient(t, { edge_order: 2 })[0], [f])).toBe(true);
});

test("a dim that is too short is refused", () => {
  expect(() => torch.gradient(torch.ones(2), { edge_order: 2 })).toThrow(
    "torch.gradient expected each dimension size to be at least edge_order+1",
  );
});
