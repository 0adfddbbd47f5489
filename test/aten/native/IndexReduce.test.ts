import torch from "glasstorch";
import { describe, expect, it } from "vitest";

const index = torch.tensor([0, 2, 0]);
const source = (): ReturnType<typeof torch.tensor> =>
  torch.tensor(
    [
      [1, 2],
      [3, 4],
      [5, 6.5],
    ],
    { dtype: torch.float64 },
  );

describe("index_reduce", () => {
  it.each([
    ["prod", true, [10, 26]],
    ["prod", false, [5, 13]],
    ["amax", true, [5, 6.5]],
    ["amin", false, [1, 2]],
    ["mean", false, [3, 4.25]],
  ] as const)("%s, with what stood there: %s", (reduce, include_self, expected) => {
    const result = torch.full([3, 2], 2, { dtype: torch.float64 }).index_reduce(0, index, source(), reduce, {
      include_self,
    });
    expect(result.select(0, 0).tolist()).toEqual(expected);
    expect(result.select(0, 1).tolist()).toEqual([2, 2]);
  });

  it.each(["prod", "mean", "amax", "amin"])("gradients of %s agree with finite differences", (reduce) => {
    torch.manual_seed(0);
    const self = torch.randn([3, 2], { dtype: torch.float64, requires_grad: true });
    const given = source().requires_grad_();
    for (const include_self of [true, false])
      expect(
        torch.autograd.gradcheck((a, b) => torch.index_reduce(a, 0, index, b, reduce, { include_self }), [self, given]),
      ).toBe(true);
  });

  it("refuses a place that is not there, and other ways", () => {
    const self = torch.ones([3, 2], { dtype: torch.float64 });
    expect(() => self.index_reduce_(0, torch.tensor([0, 3, 0]), source(), "prod")).toThrow(
      "index out of range in self",
    );
    expect(() => self.index_reduce(0, index, source(), "sum")).toThrow(
      "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got sum.",
    );
  });
});
