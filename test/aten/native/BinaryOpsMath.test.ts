/**
 * @file Angles, lengths, remainders, logarithms of sums, divisors, and Python's `%` and `//`: worked values, laws, gradients, refusals.
 * @see test/opinfo for PyTorch's own samples
 */
import torch, { type Tensor } from "glasstorch";
import { describe, expect, it } from "vitest";

const float64 = { dtype: torch.float64 };
const close = (a: Tensor, b: Tensor, eps = 1e-12): void => expect(a.sub(b).abs().max().item()).toBeLessThan(eps);

describe("worked values", () => {
  it("remainder has the sign of the divisor, fmod that of the dividend", () => {
    const x = torch.tensor([-7, 7, -7, 7]);
    const by = torch.tensor([3, -3, -3, 3]);
    expect(torch.remainder(x, by).tolist()).toEqual([2, -2, -1, 1]);
    expect(torch.fmod(x, by).tolist()).toEqual([-1, 1, -1, 1]);
    expect(torch.remainder(10, torch.tensor([3, -3])).tolist()).toEqual([1, -2]);
  });
  it("Python's operators", () => {
    const x = torch.tensor([-7, 7]);
    expect(x.__mod__(3).tolist()).toEqual([2, 1]);
    expect(x.__rmod__(10).tolist()).toEqual([-4, 3]);
    expect(x.__floordiv__(2).tolist()).toEqual([-4, 3]);
    expect(x.__rfloordiv__(20).tolist()).toEqual([-3, 2]);
    expect(x.clone().__imod__(4).tolist()).toEqual([1, 3]);
    expect(x.clone().__ifloordiv__(4).tolist()).toEqual([-2, 1]);
    expect(x.__mod__("3")).toBe(torch.NotImplemented);
  });
  it("the four quarters of atan2", () => {
    const y = torch.tensor([1, 1, -1, -1], float64);
    const x = torch.tensor([1, -1, -1, 1], float64);
    close(torch.atan2(y, x), torch.tensor([1, 3, -3, -1], float64).mul(Math.PI / 4));
  });
  it("hypot where squares would overflow, or vanish", () => {
    const x = torch.tensor([3e300, 3e-300, Infinity], float64);
    const y = torch.tensor([4e300, 4e-300, NaN], float64);
    expect(torch.hypot(x, y).tolist()).toEqual([5e300, 5e-300, Infinity]);
  });
  it("fmax and fmin pass over NaN", () => {
    const a = torch.tensor([NaN, 1, NaN]);
    const b = torch.tensor([2, NaN, NaN]);
    expect(torch.fmax(a, b).tolist()).toEqual([2, 1, NaN]);
    expect(torch.fmin(a, b).tolist()).toEqual([2, 1, NaN]);
  });
  it("copysign takes the sign of -0", () => {
    expect(torch.copysign(torch.tensor([1.5, -2]), torch.tensor([-0, 0])).tolist()).toEqual([-1.5, 2]);
  });
  it("logaddexp of infinities", () => {
    const x = torch.tensor([Infinity, -Infinity, Infinity]);
    expect(torch.logaddexp(x, torch.tensor([Infinity, -Infinity, -Infinity])).tolist()).toEqual([
      Infinity,
      -Infinity,
      Infinity,
    ]);
  });
  it("0 log 0 is 0, but NaN is not passed over", () => {
    expect(torch.xlogy(0, torch.tensor([0, 2, NaN])).tolist()).toEqual([0, 0, NaN]);
    expect(torch.special.xlog1py(0, torch.tensor([-1, 2, NaN])).tolist()).toEqual([0, 0, NaN]);
  });
  it("divisors, in the types that hold them", () => {
    expect(torch.gcd(torch.tensor([12, 0, -8]), torch.tensor([18, 5, 12])).tolist()).toEqual([6, 5, 4]);
    expect(torch.lcm(torch.tensor([4, 0, -6]), torch.tensor([6, 5, 4])).tolist()).toEqual([12, 0, 12]);
    const bytes = { dtype: torch.int8 };
    expect(torch.lcm(torch.tensor([100], bytes), torch.tensor([99], bytes)).tolist()).toEqual([-84]); // 9900 in 8 bits
  });
  it("float_power is computed in double", () => {
    expect(torch.float_power(torch.tensor([2, 3]), 0.5).dtype).toBe(torch.float64);
    expect(torch.float_power(2, torch.tensor([-1, 10])).tolist()).toEqual([0.5, 1024]);
  });
});

describe("laws", () => {
  const x = torch.arange(-100, 100, { dtype: torch.float32 }).mul(0.137).add(0.011);
  const y = torch.flatten(x).mul(0.71).add(0.3);
  const size = torch.hypot(x, y);
  it.each<[string, Tensor, Tensor]>([
    ["an angle and a length give the point back", size.mul(torch.sin(torch.atan2(x, y))), x],
    ["the remainder is what the quotient leaves", torch.floor_divide(x, y).mul(y).add(torch.remainder(x, y)), x],
    [
      "fmod is what the truncated one leaves",
      torch.div(x, y, { rounding_mode: "trunc" }).mul(y).add(torch.fmod(x, y)),
      x,
    ],
    ["logaddexp by its definition", torch.logaddexp(x, y), torch.exp(x).add(torch.exp(y)).log()],
    ["logaddexp2 by its definition", torch.logaddexp2(x, y), torch.exp2(x).add(torch.exp2(y)).log2()],
    ["copysign of its own sign", torch.copysign(x, x), x],
  ])("%s", (_, a, b) => close(a, b, 2e-5));
});

describe("gradients", () => {
  it.each<[string, (a: Tensor, b: Tensor) => Tensor]>([
    ["atan2", torch.atan2],
    ["hypot", torch.hypot],
    ["copysign", torch.copysign],
    ["fmod", torch.fmod],
    ["remainder", torch.remainder],
    ["fmax", torch.fmax],
    ["fmin", torch.fmin],
    ["logaddexp", torch.logaddexp],
    ["logaddexp2", torch.logaddexp2],
    ["xlogy", torch.xlogy],
    ["xlog1py", torch.special.xlog1py],
    ["float_power", torch.float_power],
  ])("%s", (_, run) => {
    const a = torch.tensor([0.7, 1.9, 3.2], { ...float64, requires_grad: true });
    const b = torch.tensor([1.1, 0.4, 2.3], { ...float64, requires_grad: true });
    expect(torch.autograd.gradcheck(run, [a, b])).toBe(true);
  });
});

describe("refusals", () => {
  it("a division of integers by zero", () => {
    expect(() => torch.remainder(torch.tensor([1]), 0)).toThrow("ZeroDivisionError");
    expect(() => torch.fmod(torch.tensor([1]), 0)).toThrow("ZeroDivisionError");
    expect(() => torch.floor_divide(torch.tensor([1]), 0)).toThrow("ZeroDivisionError");
  });
  it("divisors of fractions", () => {
    expect(() => torch.gcd(torch.tensor([1.5]), torch.tensor([2.5]))).toThrow(
      "\"gcd_cpu\" not implemented for 'Float'",
    );
  });
  it("an output of float_power that is no double", () => {
    expect(() => torch.float_power(torch.ones(2), 2, { out: torch.ones(2) })).toThrow(
      "the output given to float_power has dtype Float but the operation's result requires dtype Double",
    );
  });
});
