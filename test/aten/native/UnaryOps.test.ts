/**
 * @file Operators of one tensor, element by element: worked values, laws, gradients, refusals.
 * @see test/opinfo for PyTorch's own samples
 */
import torch, { type Tensor } from "glasstorch";
import { describe, expect, it } from "vitest";

type Unary = (x: Tensor) => Tensor;
const float64 = { dtype: torch.float64 };
const grid = (from: number, to: number) => torch.arange(from, to, { dtype: torch.float64 }).mul(0.37).add(0.11);
const close = (a: Tensor, b: Tensor, eps = 1e-12): void => expect(a.sub(b).abs().max().item()).toBeLessThan(eps);

/** With JavaScript's function of the same name, where numbers are ones that it takes. */
const worked: Record<string, readonly [run: Unary, math: (x: number) => number, from: number, to: number]> = {
  sin: [torch.sin, Math.sin, -20, 20],
  cos: [torch.cos, Math.cos, -20, 20],
  tan: [torch.tan, Math.tan, -3, 3],
  asin: [torch.asin, Math.asin, -2, 2],
  acos: [torch.acos, Math.acos, -2, 2],
  atan: [torch.atan, Math.atan, -20, 20],
  sinh: [torch.sinh, Math.sinh, -10, 10],
  cosh: [torch.cosh, Math.cosh, -10, 10],
  asinh: [torch.asinh, Math.asinh, -20, 20],
  acosh: [torch.acosh, Math.acosh, 4, 20],
  atanh: [torch.atanh, Math.atanh, -2, 2],
  exp2: [torch.exp2, (x) => 2 ** x, -20, 20],
  expm1: [torch.expm1, Math.expm1, -20, 20],
  log2: [torch.log2, Math.log2, 0, 30],
  log10: [torch.log10, Math.log10, 0, 30],
  log1p: [torch.log1p, Math.log1p, 0, 30],
  floor: [torch.floor, Math.floor, -20, 20],
  trunc: [torch.trunc, Math.trunc, -20, 20],
};

describe("in float64 they are JavaScript's", () => {
  it.each(Object.entries(worked))("%s", (_, [run, math, from, to]) => {
    const x = grid(from, to);
    const expected = torch.tensor((x.tolist() as number[]).map(math), float64);
    close(run(x).div(expected.abs().add(1)), expected.div(expected.abs().add(1)));
  });
  it("erf and erfc, by their tables", () => {
    close(
      torch.erf(torch.tensor([0.5, 1, 2.5], float64)),
      torch.tensor([0.5204998778130465, 0.8427007929497149, 0.999593047982555], float64),
    );
    close(
      torch.erfc(torch.tensor([0.5, 1, 2.5], float64)),
      torch.tensor([0.4795001221869535, 0.1572992070502851, 4.069520174449589e-4], float64),
    );
  });
});

describe("laws, in float32 and over vectors", () => {
  const x = torch.arange(-200, 200, { dtype: torch.float32 }).mul(0.0613).add(0.013);
  it.each<[string, Tensor, Tensor]>([
    ["sin² + cos² is 1", torch.sin(x).square().add(torch.cos(x).square()), torch.ones([400])],
    ["sin is odd", torch.sin(x.neg()), torch.sin(x).neg()],
    ["erf + erfc is 1", torch.erf(x).add(torch.erfc(x)), torch.ones([400])],
    ["erf is odd", torch.erf(x.neg()), torch.erf(x).neg()],
    ["log1p undoes expm1", torch.log1p(torch.expm1(x.div(4))), x.div(4)],
    ["tanh by sinh and cosh", torch.sinh(x).div(torch.cosh(x)), torch.tanh(x)],
    ["silu is x times sigmoid", torch.nn.functional.silu(x), x.mul(torch.sigmoid(x))],
    ["gelu by erf", torch.nn.functional.gelu(x), x.mul(torch.erf(x.mul(Math.SQRT1_2)).add(1)).mul(0.5)],
    [
      "leaky_relu by its two sides",
      torch.nn.functional.leaky_relu(x, 0.2),
      x.clamp({ min: 0 }).add(x.clamp({ max: 0 }).mul(0.2)),
    ],
  ])("%s", (_, a, b) => close(a, b, 2e-6));
  it("gelu far from 0 is x or nothing, and no number at -Infinity, where it is 0 times that", () => {
    const far = torch.tensor([6, -6, 1e30, -1e30, 3e38, -3e38, Infinity, -Infinity, NaN]);
    const ends = [1e30, 0, 3e38, 0, Infinity, NaN, NaN].map(Math.fround);
    for (const approximate of ["none", "tanh"] as const) {
      const [six, minus_six, ...rest] = torch.nn.functional.gelu(far.repeat(4), { approximate }).tolist() as number[];
      expect(six).toBe(6);
      expect(Math.abs(minus_six)).toBeLessThan(1e-8); // it is -5.9e-9
      expect(rest.slice(0, 7).map((y) => y + 0)).toEqual(ends);
    }
  });
});

describe("gradients", () => {
  const smooth = Object.keys(worked).filter((name) => !["floor", "trunc"].includes(name));
  it.each(smooth)("%s", (name) => {
    const [run, , from, to] = worked[name];
    const x = grid(from, to).narrow(0, 0, 3).clone().requires_grad_(true);
    expect(torch.autograd.gradcheck(run, [x])).toBe(true);
  });
  it.each([
    ["erf", torch.erf],
    ["erfc", torch.erfc],
    ["silu", torch.nn.functional.silu],
    ["gelu", torch.nn.functional.gelu],
    ["leaky_relu", torch.nn.functional.leaky_relu],
  ] as [string, Unary][])("%s", (_, run) => {
    expect(torch.autograd.gradcheck(run, [torch.tensor([-1.3, 0.4, 2.1], { ...float64, requires_grad: true })])).toBe(
      true,
    );
  });
  it("floor and trunc have none but zero", () => {
    const x = torch.tensor([1.5, -1.5], { requires_grad: true });
    torch.floor(x).add(torch.trunc(x)).sum().backward();
    expect(x.grad?.tolist()).toEqual([0, 0]);
  });
});

describe("dtypes", () => {
  it("whole numbers give float32, but for floor and trunc, which leave them", () => {
    const n = torch.tensor([1, 2]);
    expect(torch.sin(n).dtype).toBe(torch.float32);
    expect(torch.floor(n).dtype).toBe(torch.int64);
    expect(torch.trunc(n).tolist()).toEqual([1, 2]);
  });
  it("refuse a result that does not fit", () => {
    expect(() => torch.tensor([1, 2]).sin_()).toThrow(
      "result type Float can't be cast to the desired output type Long",
    );
    expect(() => torch.nn.functional.gelu(torch.tensor([1, 2]))).toThrow("not implemented for 'Long'");
  });
});
