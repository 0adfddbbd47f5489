import torch, { type Tensor } from "glasstorch";
import { describe, expect, it } from "vitest";

const meta = { device: "meta" };

describe("isin", () => {
  it("finds elements, or those that are not there", () => {
    const elements = torch.tensor([
      [1, 2],
      [3, 4],
    ]);
    const test_elements = torch.tensor([2, 3, 9]);
    expect(torch.isin(elements, test_elements).tolist()).toEqual([
      [false, true],
      [true, false],
    ]);
    expect(torch.isin(elements, 3).tolist()).toEqual([
      [false, false],
      [true, false],
    ]);
    expect(torch.isin(9, test_elements).item()).toBe(true);
    expect(torch.isin(elements, test_elements, { invert: true }).tolist()).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it("gives the same by comparing and by sorting", () => {
    torch.manual_seed(0);
    const elements = torch.randint(-50, 50, [40]);
    const test_elements = torch.randint(-50, 50, [60]); // many: they are sorted
    const one_by_one = elements.unsqueeze(-1).eq(test_elements).any(-1);
    expect(torch.isin(elements, test_elements).equal(one_by_one)).toBe(true);
    expect(torch.isin(elements, test_elements, { invert: true }).equal(one_by_one.logical_not())).toBe(true);
    const [unique, others] = [torch.unique(elements), torch.unique(test_elements)] as [Tensor, Tensor];
    const promised = torch.isin(unique, others, { assume_unique: true });
    expect(promised.equal(torch.isin(unique, others))).toBe(true);
  });

  it("refuses bools, on Meta with Python's name for them", () => {
    const bools = torch.tensor([true]);
    expect(() => torch.isin(bools, torch.ones(1))).toThrow("Unsupported input type encountered for isin(): Bool");
    expect(() => torch.isin(torch.ones([2], meta), true)).toThrow("isin(): torch.bool");
    expect(torch.isin(torch.ones([2, 3], meta), 1).shape).toEqual([2, 3]);
  });
});
