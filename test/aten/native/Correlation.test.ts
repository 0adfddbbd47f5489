import torch from "glasstorch";
import { expect, test } from "vitest";
import { assert_close } from "#torch/testing/index";

const float64 = { dtype: torch.float64 };

test("cov counts an observation as often as it was made", () => {
  const x = torch.tensor([
    [0, 1, 5],
    [2, 4, 3.5],
  ]);
  const often = torch.tensor([2, 1, 3]);
  assert_close(torch.cov(x, { fweights: often }), torch.cov(x.repeat_interleave(often, 1)));
  assert_close(torch.cov(x, { aweights: torch.ones(3) }), torch.cov(x));
});

test("corrcoef does not see units", () => {
  torch.manual_seed(0);
  const x = torch.randn([3, 8], float64);
  assert_close(torch.corrcoef(x.mul(4).add(7)), torch.corrcoef(x));
  assert_close(torch.corrcoef(x).diagonal(), torch.ones([3], float64));
});

test("gradients agree with finite differences", () => {
  torch.manual_seed(0);
  const x = torch.randn([2, 5], { ...float64, requires_grad: true });
  const aweights = torch.rand([5], float64);
  expect(torch.autograd.gradcheck((t) => torch.cov(t, { aweights }), [x])).toBe(true);
  expect(torch.autograd.gradcheck((t) => torch.corrcoef(t).flatten().narrow(0, 1, 2), [x])).toBe(true);
});

test("weights that cannot be are refused", () => {
  const x = torch.ones([2, 3]);
  expect(() => torch.cov(x, { fweights: torch.tensor([1, -1, 1]) })).toThrow("cov(): fweights cannot be negative");
  expect(() => torch.cov(x, { fweights: torch.tensor([0, 0, 0]) })).toThrow(
    "cov(): weights sum to zero, can't be normalized",
  );
});
