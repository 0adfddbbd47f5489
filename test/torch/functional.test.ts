import torch from "glasstorch";
import { expect, test } from "vitest";

test("unravel_index undoes the flattening", () => {
  const shape = [3, 4, 2];
  const flat = torch.arange(24);
  const [i, j, k] = torch.unravel_index(flat, shape);
  expect(i.mul(8).add(j.mul(2)).add(k).equal(flat)).toBe(true);
  expect(torch.unravel_index(torch.tensor(4), 5).map((t) => t.tolist())).toEqual([4]);
});

test("unravel_index refuses what is no index and what is no shape", () => {
  expect(() => torch.unravel_index(torch.ones(2), 3)).toThrow(
    "expected 'indices' to be integer dtype, but got torch.float32",
  );
  expect(() => torch.unravel_index(torch.tensor([1]), [-1, 2])).toThrow(
    "'shape' cannot have negative values, but got (-1, 2)",
  );
});
