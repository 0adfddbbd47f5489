/** Local response normalization, noisy softmax: as PyTorch 2.13.0 computed them. */
import torch from "glasstorch";
import { expect, test } from "vitest";

const { nn } = torch;
const F = nn.functional;

test("local_response_norm", () => {
  const x = torch.arange(12, { dtype: torch.float64 }).reshape(1, 4, 3).sub(5);
  const expected = [
    [-1.9127301391900149, -1.819435304589368, -1.6035674514745464],
    [-0.7559289460184544, -0.4264014327112208, 0],
    [0.4264014327112208, 0.7559289460184544, 0.9733285267845753],
    [1.819435304589368, 1.9127301391900149, 1.9466570535691505],
  ];
  const wanted = torch.tensor([expected], { dtype: torch.float64 });
  expect(torch.allclose(F.local_response_norm(x, 3, 0.5, 0.5, 2), wanted, 1e-12, 1e-12)).toBe(true);
  const images = x.reshape(1, 4, 3, 1);
  expect(torch.allclose(F.local_response_norm(images, 3, 0.5, 0.5, 2), wanted.unsqueeze(-1), 1e-12, 1e-12)).toBe(true);
  expect(String(new nn.LocalResponseNorm(2))).toBe("LocalResponseNorm(2, alpha=0.0001, beta=0.75, k=1.0)");
  expect(torch.autograd.gradcheck((t) => F.local_response_norm(t, 2), [x.clone().requires_grad_()])).toBe(true);
});

test("gumbel_softmax", () => {
  const logits = torch.tensor([[0.5, 1, -1]]);
  torch.manual_seed(3);
  const soft = F.gumbel_softmax(logits, 0.7);
  expect(torch.allclose(soft, torch.tensor([[0.92622751, 0.07326364, 0.00050893]]), 1e-4, 1e-6)).toBe(true);
  torch.manual_seed(3);
  expect(F.gumbel_softmax(logits, { hard: true }).tolist()).toEqual([[1, 0, 0]]);
});
