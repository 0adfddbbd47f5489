/**
 * @file Rounding, parts of numbers, degrees, logit and sinc: worked values, laws, gradients, refusals.
 * @see test/opinfo for PyTorch's own samples
 */
import torch, { type Tensor } from "glasstorch";
import { describe, expect, it } from "vitest";

const float64 = { dtype: torch.float64 };
const close = (a: Tensor, b: Tensor, eps = 1e-12): void => expect(a.sub(b).abs().max().item()).toBeLessThan(eps);

describe("worked values", () => {
  it("round: halves go to the even neighbour, and -0 stays", () => {
    const x = torch.tensor([-2.5, -1.5, -0.5, -0.2, 0.5, 1.5, 2.5, 2.51, 2 ** 53, Infinity], float64);
    expect(torch.round(x).tolist()).toEqual([-2, -2, -0, -0, 0, 2, 2, 3, 2 ** 53, Infinity]);
    expect(torch.round(torch.tensor([7, 8])).dtype).toBe(torch.int64);
  });
  it("round to decimals, before the point and behind it", () => {
    const x = torch.tensor([1234.5678, -0.125], float64);
    expect(torch.round(x, { decimals: 2 }).tolist()).toEqual([1234.57, -0.12]);
    expect(torch.round(x, { decimals: -2 }).tolist()).toEqual([1200, -0]);
  });
  it("signbit sees the sign of -0", () => {
    expect(torch.signbit(torch.tensor([-0, 0, -1.5])).tolist()).toEqual([true, false, true]);
    expect(torch.signbit(torch.tensor([-3, 3])).tolist()).toEqual([true, false]);
  });
  it("nan_to_num, with the dtype's extremes and with numbers", () => {
    const x = torch.tensor([NaN, Infinity, -Infinity, 1.5]);
    expect(torch.nan_to_num(x).tolist()).toEqual([0, 3.4028234663852886e38, -3.4028234663852886e38, 1.5]);
    expect(torch.nan_to_num(x, 1, Infinity, -7).tolist()).toEqual([1, Infinity, -7, 1.5]);
    expect(torch.nan_to_num(x.half()).tolist()).toEqual([0, 65504, -65504, 1.5]);
  });
  it("frexp of numbers, denormals and infinities", () => {
    const { mantissa, exponent } = torch.frexp(torch.tensor([6.5, -0.25, 0, 5e-324, Infinity], float64));
    expect(mantissa.tolist()).toEqual([0.8125, -0.5, 0, 0.5, Infinity]);
    expect(exponent.tolist()).toEqual([3, -1, 0, -1073, 0]);
    expect(exponent.dtype).toBe(torch.int32);
  });
  it("Python's unary plus is the tensor itself", () => {
    const x = torch.ones(2);
    expect(x.__pos__()).toBe(x);
  });
});

describe("laws", () => {
  const x = torch.arange(-200, 200, { dtype: torch.float32 }).mul(0.0613).add(0.013);
  it.each<[string, Tensor, Tensor]>([
    ["frac and trunc make the number", torch.frac(x).add(torch.trunc(x)), x],
    ["round is within a half", torch.round(x).sub(x).abs().clamp({ max: 0.5 }), torch.round(x).sub(x).abs()],
    ["rad2deg undoes deg2rad", torch.rad2deg(torch.deg2rad(x)), x],
    ["sigmoid undoes logit", torch.sigmoid(torch.logit(torch.sigmoid(x.div(4)))), torch.sigmoid(x.div(4))],
    ["sinc times its angle is a sine", torch.sinc(x).mul(x.mul(Math.PI)), torch.sin(x.mul(Math.PI))],
    ["frexp's parts make the number", torch.frexp(x).mantissa.mul(torch.frexp(x).exponent.exp2()), x],
  ])("%s", (_, a, b) => close(a, b, 1e-5));
});

describe("gradients", () => {
  it.each<[string, (x: Tensor) => Tensor]>([
    ["frac", torch.frac],
    ["deg2rad", torch.deg2rad],
    ["rad2deg", torch.rad2deg],
    ["logit", torch.logit],
    ["logit with eps", (x) => torch.logit(x, 0.3)],
    ["sinc", torch.sinc],
    ["frexp", (x) => torch.frexp(x).mantissa],
    ["nan_to_num", torch.nan_to_num],
  ])("%s", (_, run) => {
    const x = torch.tensor([0.21, 0.44, 0.87], { ...float64, requires_grad: true });
    expect(torch.autograd.gradcheck(run, [x])).toBe(true);
  });
  it("round has none but zero", () => {
    const x = torch.tensor([1.2, 2.7], { requires_grad: true });
    torch.round(x).sum().backward();
    expect(x.grad?.tolist()).toEqual([0, 0]);
  });
  it("sinc's at 0 is 0", () => {
    const x = torch.tensor([0, 0.5], { requires_grad: true });
    torch.sinc(x).sum().backward();
    expect(x.grad?.at(0).item()).toBe(0);
  });
});

describe("refusals", () => {
  it("frexp of integers", () => {
    expect(() => torch.frexp(torch.tensor([1]))).toThrow("torch.frexp() only supports floating-point dtypes");
  });
  it("a plus before bools", () => {
    expect(() => torch.positive(torch.tensor([true]))).toThrow("The `+` operator, on a bool tensor is not supported.");
  });
  it("an output that is not bool", () => {
    expect(() => torch.isposinf(torch.ones(2), { out: torch.ones(2) })).toThrow(
      "isposinf does not support non-boolean outputs.",
    );
  });
});
