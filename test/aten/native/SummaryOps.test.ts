/** @file `bincount` of many elements: the numbers of a count in JavaScript, for each dtype of what is counted and of the weights. */
import torch, { type Tensor } from "glasstorch";
import { describe, expect, test } from "vitest";

const INTEGRAL = [torch.int64, torch.int32, torch.uint8];

function counted(x: Tensor, weights: readonly number[] | null, bins: number): number[] {
  const out = new Array<number>(bins).fill(0);
  for (const [i, bin] of (x.tolist() as number[]).entries()) out[bin] += weights === null ? 1 : weights[i];
  return out;
}

describe.each([0, 1, 15, 300])("%d elements", (n) => {
  test("how often each occurs", () => {
    for (const dtype of INTEGRAL)
      for (const minlength of [0, 3, 40]) {
        torch.manual_seed(n);
        const x = torch.randint(0, 17, [n]).to(dtype);
        const bins = Math.max(minlength, n === 0 ? 0 : x.max().item() + 1);
        const found = torch.bincount(x, { minlength });
        expect(found.dtype).toBe(torch.int64);
        expect(found.tolist()).toEqual(counted(x, null, bins));
      }
  });

  test("their weights", () => {
    if (n === 0) return;
    for (const dtype of INTEGRAL)
      for (const weighs of [torch.float32, torch.float64, torch.int64, torch.float16]) {
        torch.manual_seed(n);
        const x = torch.randint(0, 17, [n]).to(dtype);
        const weights = torch.randint(0, 33, [n]).div(8).to(weighs);
        const found = torch.bincount(x, weights);
        expect(found.dtype).toBe(weighs === torch.float32 ? torch.float32 : torch.float64);
        expect(found.tolist()).toEqual(counted(x, weights.tolist() as number[], x.max().item() + 1));
      }
  });
});

test("of a part, of every second, and what is refused", () => {
  const whole = torch.arange(200).remainder(7);
  expect(
    torch
      .bincount(whole.narrow(0, 3, 100))
      .sum()
      .item(),
  ).toBe(100);
  expect(torch.bincount(whole.view([100, 2]).select(1, 1)).tolist()).toEqual(
    counted(whole.view([100, 2]).select(1, 1), null, 7),
  );
  whole.select(0, 90).fill_(-1);
  expect(() => torch.bincount(whole)).toThrow("only supports 1-d non-negative integral inputs");
});
