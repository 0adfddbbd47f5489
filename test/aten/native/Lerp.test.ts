import torch from "glasstorch";
import { expect, test } from "vitest";

const { tensor, float64 } = torch;

test("a part of the way", () => {
  expect(torch.allclose(torch.lerp(tensor([1.5, 2]), tensor([3.5, 4]), 0.25), tensor([2, 2.5]))).toBe(true);
  expect(torch.allclose(torch.lerp(tensor([1.5, 2]), tensor([3.5, 4]), tensor([0.25, 0.75])), tensor([2, 3.5]))).toBe(
    true,
  );
});

test("both ends are met exactly", () => {
  const [a, b] = [torch.randn(50), torch.randn(50).mul(1e6)];
  for (const weight of [0, tensor(0)]) expect(torch.equal(torch.lerp(a, b, weight), a)).toBe(true);
  for (const weight of [1, tensor(1)]) expect(torch.equal(torch.lerp(a, b, weight), b)).toBe(true);
});

test("gradients agree with finite differences", () => {
  const random = (...size: number[]) => torch.randn(size, { dtype: float64, requires_grad: true });
  type T = ReturnType<typeof random>;
  expect(torch.autograd.gradcheck(((a: T, b: T) => torch.lerp(a, b, 0.7)) as never, [random(3), random(2, 3)])).toBe(
    true,
  );
  const inputs = [random(3), random(2, 3), random(2, 1)];
  expect(torch.autograd.gradcheck(((a: T, b: T, w: T) => torch.lerp(a, b, w)) as never, inputs)).toBe(true);
});

test("a weight that is one number may have another dtype; others may not", () => {
  const [f, d] = [tensor([1.5, 2]), tensor([1.5, 2]).double()];
  expect(torch.lerp(f, f, tensor(0.5, { dtype: float64 })).dtype).toBe(torch.float32);
  expect(() => torch.lerp(f, d, 0.5)).toThrow("expected dtype float for `end` but got dtype double");
  expect(() => torch.lerp(f, f, d)).toThrow("expected dtype float for `weight` but got dtype double");
  expect(() => torch.lerp(tensor([1]), tensor([2]), 0.5)).toThrow("\"lerp_kernel_scalar\" not implemented for 'Long'");
});
