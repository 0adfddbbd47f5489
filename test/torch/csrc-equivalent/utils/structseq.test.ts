/**
 * @file Tuples with named fields: their type, its name, and how they print.
 * @see src/torch/csrc-equivalent/utils/structseq.ts
 */
import torch from "glasstorch";
import { expect, test } from "vitest";

test("the type has PyTorch's name; what is made from one is a plain array", () => {
  const r = torch.tensor([[1, 3, 2]]).max(1);
  expect(r.constructor.name).toBe("max");
  expect(String(r)).toBe("torch.return_types.max(\nvalues=tensor([3]),\nindices=tensor([1]))");
  const [values, indices] = r;
  expect([values.tolist(), indices.tolist()]).toEqual([r.values.tolist(), r.indices.tolist()]);
  expect(r.slice(1).constructor).toBe(Array);
});
