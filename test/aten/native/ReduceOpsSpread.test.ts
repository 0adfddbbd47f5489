/**
 * @file Products, spreads, norms and scans: worked values, laws, gradients, refusals.
 * @see test/opinfo for PyTorch's own samples
 */
import torch, { type Tensor } from "glasstorch";
import { describe, expect, it } from "vitest";

const float64 = { dtype: torch.float64 };
const x = torch.tensor(
  [
    [1.5, -2, 0.25],
    [3, 0.5, -1],
  ],
  float64,
);
const close = (a: Tensor, b: Tensor, eps = 1e-12): void => expect(a.sub(b).abs().max().item()).toBeLessThan(eps);

describe("worked", () => {
  it("the variance divides by n - correction", () => {
    close(torch.var(torch.tensor([1, 2, 3, 4], float64), { correction: 0 }), torch.tensor(1.25, float64));
    close(torch.var(x, 0), torch.tensor([1.125, 3.125, 0.78125], float64));
  });
  it("of norms the limits are counts and extremes", () => {
    expect(x.norm(0, 1).tolist()).toEqual([3, 3]);
    expect(x.norm(Infinity, 1).tolist()).toEqual([2, 3]);
    expect(x.norm(-Infinity, 0).tolist()).toEqual([1.5, 0.5, 0.25]);
  });
  it("scans", () => {
    expect(x.cumsum(1).tolist()).toEqual([
      [1.5, -0.5, -0.25],
      [3, 3.5, 2.5],
    ]);
    expect(x.cumprod(1).tolist()).toEqual([
      [1.5, -3, -0.75],
      [3, 1.5, -1.5],
    ]);
    expect(torch.cummax(torch.tensor([1, 3, 3, 2]), 0).indices.tolist()).toEqual([0, 1, 2, 2]);
    expect(torch.diff(torch.tensor([1, 4, 9, 16]), 2).tolist()).toEqual([2, 2]);
  });
  it("NaN is passed over, or is all there is", () => {
    const gap = torch.tensor([1, Number.NaN, 2]);
    expect(torch.nansum(gap).item()).toBe(3);
    expect(torch.nanmean(gap).item()).toBe(1.5);
    expect(torch.aminmax(gap).max.item()).toBeNaN();
  });
});

describe("laws", () => {
  it("std is the root of var, and std_mean has both", () => {
    close(torch.std(x, 1), torch.var(x, 1).sqrt());
    const [spread, mean] = torch.std_mean(x, 1);
    close(spread, torch.std(x, 1));
    close(mean, x.mean(1));
  });
  it("diff undoes cumsum, and flip itself", () => {
    close(torch.diff(x.cumsum(1)), x.narrow(1, 1, 2));
    close(x.flip([0, 1]).flip([1, 0]), x, 0.5e-300);
  });
  it("logsumexp is the last of logcumsumexp", () => {
    close(torch.logsumexp(x, 1), torch.logcumsumexp(x, 1).select(1, 2));
  });
  it("over permuted dims the same", () => {
    const t = torch.arange(24, float64).reshape(2, 3, 4).sin();
    close(torch.var(t.permute(2, 0, 1), [0, 2]), torch.var(t, [1, 2]));
    close(torch.norm(t.permute(2, 0, 1), 3, [0, 2]), torch.norm(t, 3, [1, 2]));
  });
});

describe("gradients agree with finite differences", () => {
  const cases: Record<string, (t: Tensor) => Tensor> = {
    var: (t) => torch.var(t, 1),
    std: (t) => torch.std(t),
    prod: (t) => torch.prod(t, 1),
    norm: (t) => torch.norm(t, 3, 1),
    cumprod: (t) => torch.cumprod(t, 1),
    cumsum: (t) => torch.cumsum(t, 0),
    logcumsumexp: (t) => torch.logcumsumexp(t, 1),
    logsumexp: (t) => torch.logsumexp(t, 1),
    normalize: (t) => torch.nn.functional.normalize(t),
  };
  it.each(Object.entries(cases))("%s", (_, run) => {
    const leaf = x.clone().requires_grad_();
    const [grad] = torch.autograd.grad([run(leaf).sum()], [leaf]);
    const eps = 1e-6;
    for (let i = 0; i < 6; i++) {
      const step = torch.zeros(6, float64);
      step.set_at(eps, i);
      const apart = run(x.add(step.reshape(2, 3))).sub(run(x.sub(step.reshape(2, 3))));
      expect(apart.sum().item() / (2 * eps)).toBeCloseTo(grad.reshape(6).select(0, i).item() as number, 6);
    }
  });
  it("a zero in a product gets the others' product", () => {
    const leaf = torch.tensor([2, 0, 3], float64).requires_grad_();
    torch.prod(leaf).backward();
    expect(leaf.grad?.tolist()).toEqual([0, 6, 0]);
  });
});

describe("refusals", () => {
  it.each([
    [() => torch.var(torch.tensor([1, 2])), "std and var only support floating point and complex dtypes"],
    [
      () => torch.norm(torch.tensor([1, 2])),
      "linalg.vector_norm: Expected a floating point or complex tensor as input",
    ],
    [() => torch.aminmax(torch.empty(0)), "aminmax(): cannot compute aminmax over an empty dimension"],
    [
      () => torch.cumsum(torch.tensor([true]), 0, { dtype: torch.bool }),
      "\"cumsum_out_cpu\" not implemented for 'Bool'",
    ],
    [() => torch.flip(x, [0, 0]), "dim 0 appears multiple times in the list of dims"],
  ])("%s", (run, message) => {
    expect(run).toThrow(message);
  });
});
