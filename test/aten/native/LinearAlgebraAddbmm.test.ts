import torch from "glasstorch";
import { expect, test } from "vitest";
import { assert_close } from "#torch/testing/index";

test("addbmm sums the products of bmm", () => {
  torch.manual_seed(0);
  const [a, b] = [torch.randn(4, 2, 3), torch.randn(4, 3, 5)];
  const self = torch.randn(2, 5);
  const expected = self.mul(0.5).add(torch.bmm(a, b).sum(0), { alpha: 2 });
  assert_close(torch.addbmm(self, a, b, { beta: 0.5, alpha: 2 }), expected);
  assert_close(self.clone().addbmm_(a, b, { beta: 0.5, alpha: 2 }), expected);
  assert_close(torch.addbmm(torch.full([2, 5], NaN), a, b, { beta: 0 }), torch.bmm(a, b).sum(0));
});

test("gradients agree with finite differences, backward and forward", () => {
  torch.manual_seed(0);
  const given = [
    [2, 2],
    [3, 2, 4],
    [3, 4, 2],
  ].map((size) => torch.randn(size, { dtype: torch.float64, requires_grad: true }));
  expect(torch.autograd.gradcheck((c, a, b) => torch.addbmm(c, a, b, { alpha: 2 }), given)).toBe(true);
});

test("batches that do not match are refused", () => {
  expect(() => torch.addbmm(torch.ones(2, 2), torch.ones(1, 2, 2), torch.ones(2, 2, 2))).toThrow(
    "batch1 and batch2 must have same number of batches, got 1 and 2",
  );
});
