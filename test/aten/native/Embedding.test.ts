import torch from "glasstorch";
import { expect, test } from "vitest";

const { nn, tensor, float64 } = torch;
const F = nn.functional;
type T = ReturnType<typeof tensor>;

test("rows by number, in any shape", () => {
  const weight = tensor([
    [1.5, 2],
    [3, 4],
    [5, 6],
  ]);
  expect(torch.equal(F.embedding(tensor([[2], [0]]), weight), tensor([[[5, 6]], [[1.5, 2]]]))).toBe(true);
  expect(() => F.embedding(tensor([3]), weight)).toThrow("index out of range in self");
});

test("a row gets the sum of its gradients; the padding none; rows that are asked for often less", () => {
  const ask = tensor([0, 1, 1, 2]);
  const gradient = (kwargs: Record<string, unknown>): T => {
    const weight = torch.zeros(3, 1, { requires_grad: true });
    F.embedding(ask, weight, kwargs).sum().backward();
    return weight.grad as T;
  };
  expect(gradient({}).tolist()).toEqual([[1], [2], [1]]);
  expect(gradient({ padding_idx: -1 }).tolist()).toEqual([[1], [2], [0]]);
  expect(gradient({ scale_grad_by_freq: true }).tolist()).toEqual([[1], [1], [1]]);
});

test("gradients agree with finite differences, twice", () => {
  const weight = torch.randn(3, 2, { dtype: float64, requires_grad: true });
  const fn = (w: T) => F.embedding(tensor([2, 0, 2]), w);
  expect(torch.autograd.gradcheck(fn as never, [weight])).toBe(true);
  expect(torch.autograd.gradgradcheck(fn as never, [weight])).toBe(true);
});

test("sparse gradients are refused", () => {
  const weight = torch.zeros(3, 1, { requires_grad: true });
  const out = F.embedding(tensor([0]), weight, { sparse: true });
  expect(() => out.sum().backward()).toThrow("there are no sparse tensors here");
});

test("nn.Embedding", () => {
  const m = new nn.Embedding(10, 3, { padding_idx: -10 });
  expect(m.weight.select(0, 0).tolist()).toEqual([0, 0, 0]);
  expect(String(m)).toBe("Embedding(10, 3, padding_idx=0)");
  const table = tensor([
    [1.5, 2],
    [3, 4],
  ]);
  const frozen = nn.Embedding.from_pretrained(table);
  expect(frozen.weight.requires_grad).toBe(false);
  expect(torch.equal(frozen(tensor([1])), tensor([[3, 4]]).float())).toBe(true);
  expect(() => new nn.Embedding(3, 2, 3)).toThrow("Padding_idx must be within num_embeddings");
});

test("one_hot", () => {
  expect(F.one_hot(tensor([2, 0])).tolist()).toEqual([
    [0, 0, 1],
    [1, 0, 0],
  ]);
  expect(F.one_hot(tensor([1]), 4).tolist()).toEqual([[0, 1, 0, 0]]);
  expect(() => F.one_hot(tensor([5]), 3)).toThrow("Class values must be smaller than num_classes.");
});

test("repeat_interleave", () => {
  const x = tensor([
    [1, 2],
    [3, 4],
  ]);
  expect(torch.repeat_interleave(x, 2).tolist()).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  expect(torch.repeat_interleave(x, tensor([1, 2]), 0).tolist()).toEqual([
    [1, 2],
    [3, 4],
    [3, 4],
  ]);
  expect(() => torch.repeat_interleave(x, tensor([1, 2, 3]), 0)).toThrow(
    "repeats must have the same size as input along dim",
  );
});
