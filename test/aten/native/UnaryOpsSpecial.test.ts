/**
 * @file The gamma function's family, erf's relatives, Bessel's functions, zeta: tables, laws, gradients, refusals.
 * @see test/opinfo for PyTorch's own samples
 */
import torch, { type Tensor } from "glasstorch";
import { describe, expect, it } from "vitest";

const float64 = { dtype: torch.float64 };
const { special } = torch;
const close = (a: Tensor, b: Tensor, eps = 1e-13): void =>
  expect(a.sub(b).div(b.abs().add(1)).abs().max().item()).toBeLessThan(eps);

describe("by their tables", () => {
  it.each<[string, (x: Tensor) => Tensor, number[], number[]]>([
    [
      "lgamma",
      torch.lgamma,
      [0.5, 1, 2, 10.5, -0.5],
      [0.5723649429247001, 0, 0, 13.940625219403763, 1.2655121234846454],
    ],
    [
      "digamma",
      torch.digamma,
      [1, 0.5, 10, -0.5],
      [-0.5772156649015329, -1.9635100260214235, 2.251752589066721, 0.03648997397857652],
    ],
    ["polygamma of order 2", (x) => torch.polygamma(2, x), [1], [-2.404113806319189]],
    ["erfinv", torch.erfinv, [0, 0.5, -0.9, 0.999], [0, 0.4769362762044699, -1.1630871536766743, 2.326753765513525]],
    ["i0", torch.i0, [0, 1, -20], [1, 1.2660658777520084, 43558282.55955353]],
    ["i1", special.i1, [0, 1, -20], [0, 0.5651591039924851, -42454973.38512778]],
    ["erfcx", special.erfcx, [0, 1, 50, -2], [1, 0.427583576155807, 0.011281536265323772, 108.9409043899779]],
    ["ndtr", special.ndtr, [0, 1.959963984540054], [0.5, 0.975]],
  ])("%s", (_, run, at, values) => {
    close(run(torch.tensor(at, float64)), torch.tensor(values, float64));
  });
  it("trigamma, as far as three terms of its series go", () => {
    const expected = torch.tensor([Math.PI ** 2 / 6, Math.PI ** 2 / 2], float64);
    close(torch.polygamma(1, torch.tensor([1, 0.5], float64)), expected, 1e-9);
  });
  it("zeta of 2, 4 and 1", () => {
    const zeta = special.zeta(torch.tensor([2, 4, 1], float64), 1);
    close(zeta.narrow(0, 0, 2), torch.tensor([Math.PI ** 2 / 6, Math.PI ** 4 / 90], float64));
    expect(zeta.at(2).item()).toBe(Infinity);
  });
  it("poles", () => {
    expect(torch.lgamma(torch.tensor([0, -1, -Infinity])).tolist()).toEqual([Infinity, Infinity, Infinity]);
    expect(torch.digamma(torch.tensor([0, -0, -1])).tolist()).toEqual([-Infinity, Infinity, NaN]);
    expect(torch.erfinv(torch.tensor([1, -1, 1.5])).tolist()).toEqual([Infinity, -Infinity, NaN]);
  });
});

describe("laws, in float32", () => {
  const x = torch.arange(1, 200, { dtype: torch.float32 }).mul(0.0613).add(0.013);
  it.each<[string, Tensor, Tensor]>([
    ["lgamma of x + 1", torch.lgamma(x.add(1)), torch.lgamma(x).add(torch.log(x))],
    ["digamma of x + 1", torch.digamma(x.add(1)), torch.digamma(x).add(x.reciprocal())],
    ["digamma is polygamma of order 0", torch.digamma(x), torch.polygamma(0, x)],
    ["erf undoes erfinv", torch.erf(torch.erfinv(x.div(13))), x.div(13)],
    ["i1 is odd", special.i1(x.neg()), special.i1(x).neg()],
    ["ndtr of both sides is 1", special.ndtr(x).add(special.ndtr(x.neg())), torch.ones_like(x)],
    ["mvlgamma of one dimension is lgamma", torch.mvlgamma(x, 1), torch.lgamma(x)],
    ["expit is sigmoid", special.expit(x), torch.sigmoid(x)],
    ["softmax by its name in special", special.softmax(x, 0), torch.softmax(x, 0)],
  ])("%s", (_, a, b) => close(a, b, 5e-6));
});

describe("gradients", () => {
  it.each<[string, (x: Tensor) => Tensor]>([
    ["lgamma", torch.lgamma],
    ["digamma", torch.digamma],
    ["polygamma", (x) => torch.polygamma(2, x)],
    ["erfinv", torch.erfinv],
    ["mvlgamma", (x) => torch.mvlgamma(x.add(2), 3)],
    ["i0", torch.i0],
    ["i1", special.i1],
    ["erfcx", special.erfcx],
    ["ndtr", special.ndtr],
    ["zeta by its second operand", (x) => special.zeta(2.5, x)],
  ])("%s", (_, run) => {
    const x = torch.tensor([0.21, 0.44, 0.87], { ...float64, requires_grad: true });
    expect(torch.autograd.gradcheck(run, [x])).toBe(true);
  });
  it("i1's at 0 is a half", () => {
    const x = torch.zeros(1, { requires_grad: true });
    special.i1(x).sum().backward();
    expect(x.grad?.item()).toBe(0.5);
  });
});

describe("refusals", () => {
  it("negative orders, and no dimensions", () => {
    expect(() => torch.polygamma(-1, torch.ones(2))).toThrow("polygamma(n, x) does not support negative n.");
    expect(() => torch.mvlgamma(torch.ones(2), 0)).toThrow("p has to be greater than or equal to 1");
  });
  it("the derivative of zeta by its first operand", () => {
    const x = torch.tensor([2.5], { requires_grad: true });
    expect(() => special.zeta(x, 2).sum().backward()).toThrow("the derivative for 'zeta' is not implemented.");
  });
});
