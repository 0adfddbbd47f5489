/**
 * @file Tensors of zeros that nobody stored: where they come from, and what becomes of them. As seen in PyTorch 2.13.0.
 * @see src/aten/ZeroTensorFallback.ts
 */
import torch from "glasstorch";
import { expect, test } from "vitest";

const leaf = () => torch.tensor([0.5, -1.5, 2], { dtype: torch.float64, requires_grad: true });

test("sgn's gradient is one, and goes into .grad as it is; a second one is refused", () => {
  const x = leaf();
  x.sgn().sum().backward();
  expect([String(x.grad), x.grad?._is_zerotensor()]).toEqual(["tensor([0., 0., 0.], dtype=torch.float64)", true]);
  expect(() => x.sgn().sum().backward()).toThrow("ZeroTensors are immutable.");
});

test("a gradient is not added into one in place", () => {
  expect(torch.autograd.gradgradcheck((x: ReturnType<typeof leaf>) => x.div(x.abs().add(1)), [leaf()])).toBe(true);
});

test("a product with one has no memory to read", () => {
  const x = leaf();
  const r = torch.dot(torch._efficientzerotensor([3], { dtype: torch.float64 }), x);
  expect([r.item(), r._is_zerotensor()]).toEqual([0, true]);
  expect(() => r.tolist()).toThrow("tolist() shouldn't be called on a tensor with unallocated storage");
  const zeros = torch._efficientzerotensor([2]);
  expect(() => zeros.numpy()).toThrow(
    " Cannot convert a ZeroTensor to numpy. Set force=True if you need the zero array.",
  );
  expect(zeros.numpy({ force: true })).toEqual(new Float32Array(2));
});

test("arithmetic with one gives one again, or the other tensor; by zero, infinity whatever the sign", () => {
  const z = torch._efficientzerotensor([3]);
  const x = torch.tensor([-1, 0, 2], { dtype: torch.float32 });
  const said = (t: typeof x) => [String(t), t._is_zerotensor()];
  const zeros = ["tensor([0., 0., 0.])", true];
  for (const t of [z.mul(x), x.mul(z), z.mul(2), z.div(x), z.add(z), z.sub(z)]) expect(said(t)).toEqual(zeros);
  expect(said(x.add(z))).toEqual(["tensor([-1.,  0.,  2.])", false]);
  expect(said(z.sub(x, { alpha: 2 }))).toEqual(["tensor([ 2., -0., -4.])", false]);
  expect(said(x.div(z))).toEqual(["tensor([inf, inf, inf])", false]);
  expect(said(z.div(z))).toEqual(["tensor([nan, nan, nan])", false]);
  expect(said(torch._efficientzerotensor([2, 1]).mul(x))).toEqual([
    "tensor([[0., 0., 0.],\n        [0., 0., 0.]])",
    true,
  ]);
});

test("a tensor with the negative bit is no array, unless forced", () => {
  const negative = torch._neg_view(torch.ones([2]));
  expect(() => negative.numpy()).toThrow("negative bit set. Use tensor.resolve_neg().numpy() instead.");
  expect(negative.numpy({ force: true })).toEqual(new Float32Array([-1, -1]));
});
