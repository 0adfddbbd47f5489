import torch from "glasstorch";
import { expect, test } from "vitest";
import { assert_close } from "#torch/testing/index";

const float64 = { dtype: torch.float64 };
const { tensorinv, tensorsolve } = torch.linalg;

test("tensorsolve undoes tensordot, tensorinv gives the same", () => {
  torch.manual_seed(0);
  const A = torch.randn([2, 3, 6], float64);
  const x = torch.randn([6], float64);
  const B = torch.tensordot(A, x, 1);
  assert_close(tensorsolve(A, B), x);
  assert_close(torch.tensordot(tensorinv(A, 2), B, 2), x);
  assert_close(tensorsolve(A.movedim(2, 0), B, [0]), x);
});

test("gradients agree with finite differences", () => {
  torch.manual_seed(0);
  const A = torch.randn([2, 2, 4], { ...float64, requires_grad: true });
  const B = torch.randn([2, 2], { ...float64, requires_grad: true });
  expect(torch.autograd.gradcheck((a, b) => tensorsolve(a, b), [A, B])).toBe(true);
  expect(torch.autograd.gradcheck((a) => tensorinv(a, 2), [A])).toBe(true);
});

test("what is no square is refused", () => {
  expect(() => tensorsolve(torch.ones(2, 3), torch.ones(2))).toThrow("but got 3 != 2");
  expect(() => tensorinv(torch.ones(2, 3, 6), 0)).toThrow("Expected a strictly positive integer for 'ind', but got 0");
});
