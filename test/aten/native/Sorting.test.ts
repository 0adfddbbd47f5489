/**
 * @file Elements in order: worked values, who comes first among equals, gradients, refusals.
 * @see test/opinfo for PyTorch's own samples
 */
import torch, { type Tensor } from "glasstorch";
import { describe, expect, it } from "vitest";

const { NaN: nan } = Number;

describe("worked", () => {
  it("NaN is the greatest", () => {
    const x = torch.tensor([2.5, nan, -1]);
    expect(torch.sort(x).indices.tolist()).toEqual([2, 0, 1]);
    expect(torch.topk(x, 2).indices.tolist()).toEqual([1, 0]);
    expect(torch.median(x).item()).toBeNaN();
    expect(torch.nanmedian(x).item()).toBe(-1);
  });
  it("rows: NaN is neither less nor greater, so the other columns decide; NaN rows are never equal", () => {
    const rows = [[nan, 1], [nan, 1], [0, 1], [0, 1]]; // biome-ignore format: rows
    const [, inverse, counts] = torch.unique(torch.tensor(rows), { dim: 0, return_inverse: true, return_counts: true });
    expect([inverse.tolist(), counts.tolist()]).toEqual([[0, 1, 2, 2], [1, 1, 2]]); // biome-ignore format: rows
    expect(torch.unique(torch.tensor([[nan, 3], [0, 2]]), { dim: 0 }).tolist()).toEqual([[0, 2], [nan, 3]]); // biome-ignore format: rows
  });
  it("along any dim, of any strides", () => {
    const x = torch
      .tensor([
        [3, 1, 2],
        [1, 2, 0],
      ])
      .t();
    expect(torch.sort(x, 0).values.tolist()).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    expect(torch.sort(x, 0).values.stride()).toEqual(x.stride());
    expect(torch.kthvalue(x, 2, 0).values.tolist()).toEqual([2, 1]);
    expect(torch.argwhere(x.eq(1)).tolist()).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });
  it("int64 keeps all its bits", () => {
    const x = torch.tensor([9007199254740993n, 9007199254740992n, -1n]);
    expect(torch.argsort(x).tolist()).toEqual([2, 1, 0]);
  });
});

describe("laws", () => {
  const x = torch.randint(0, 5, [300]);
  it("a stable sort keeps equals in their order", () => {
    const { values, indices } = torch.sort(x, { stable: true });
    expect(torch.gather(x, 0, indices).equal(values)).toBe(true);
    const [v, i] = [values.tolist() as number[], indices.tolist() as number[]];
    for (let at = 1; at < v.length; at++)
      expect(v[at - 1] < v[at] || (v[at - 1] === v[at] && i[at - 1] < i[at])).toBe(true);
  });
  it("topk and kthvalue are what stands in the sorted line", () => {
    const sorted = torch.sort(x).values;
    expect(torch.topk(x, 40, { largest: false }).values.equal(sorted.narrow(0, 0, 40))).toBe(true);
    expect(torch.kthvalue(x, 100).values.item()).toBe(sorted.select(0, 99).item());
    expect(torch.median(x).item()).toBe(sorted.select(0, 149).item());
  });
});

describe("gradients go where the elements stood", () => {
  it("sort, topk, median", () => {
    const x = torch.tensor([2.5, -1, 3.5]).requires_grad_();
    torch
      .sort(x)
      .values.mul(torch.tensor([1, 2, 3]))
      .sum()
      .backward();
    expect(x.grad?.tolist()).toEqual([2, 1, 3]);
    const y = torch.tensor([2.5, -1, 3.5]).requires_grad_();
    torch.topk(y, 1).values.sum().backward();
    torch.median(y, 0).values.backward();
    expect(y.grad?.tolist()).toEqual([1, 0, 1]);
  });
});

describe("refusals", () => {
  const x = torch.tensor([1, 2, 3]);
  it.each([
    [() => torch.topk(x, 4), "selected index k out of range"],
    [() => torch.kthvalue(x, 0), "kthvalue(): selected number k out of range for dimension 0"],
    [() => torch.mode(torch.empty(0)), "mode(): Expected reduction dim 0 to have non-zero size."],
    [() => torch.renorm(torch.ones(2), 1, 0, 1), "renorm: input needs at least 2 dimensions, got 1 dimensions"],
  ])("%s", (run, message) => {
    expect(run).toThrow(message);
  });
});

describe("each once, and where it belongs", () => {
  it("unique: sorted, with inverse and counts", () => {
    const [values, inverse, counts] = torch.unique(torch.tensor([3, 1, 3, 2]), {
      return_inverse: true,
      return_counts: true,
    }) as Tensor[];
    expect(values.tolist()).toEqual([1, 2, 3]);
    expect(inverse.tolist()).toEqual([2, 0, 2, 1]);
    expect(counts.tolist()).toEqual([1, 1, 2]);
  });
  it("unique along a dim, and of neighbours", () => {
    const x = torch.tensor([
      [2, 0, 2],
      [1, 5, 1],
    ]);
    expect((torch.unique(x, { dim: 1 }) as Tensor).tolist()).toEqual([
      [0, 2],
      [5, 1],
    ]);
    expect((torch.unique_consecutive(torch.tensor([1, 1, 2, 1])) as Tensor).tolist()).toEqual([1, 2, 1]);
  });
  it("searchsorted: in front of equals, or behind", () => {
    const line = torch.tensor([1, 3, 3, 5]);
    expect(torch.searchsorted(line, torch.tensor([3, 6])).tolist()).toEqual([1, 4]);
    expect(torch.searchsorted(line, torch.tensor([3, nan]), { right: true }).tolist()).toEqual([3, 4]);
    expect(torch.bucketize(torch.tensor([0, 3]), line, { out_int32: true }).dtype).toBe(torch.int32);
  });
  it("bincount adds weights", () => {
    const x = torch.tensor([0, 2, 2]);
    expect(torch.bincount(x, torch.tensor([0.5, 1.5, 2]), 4).tolist()).toEqual([0.5, 0, 3.5, 0]);
    expect(() => torch.bincount(torch.tensor([-1]))).toThrow(
      "bincount only supports 1-d non-negative integral inputs.",
    );
  });
});
