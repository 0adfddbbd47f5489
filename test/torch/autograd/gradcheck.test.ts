/** gradcheck finds right gradients right and wrong ones wrong. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: tensors of the front end
type Any = any;
const { gradcheck, gradgradcheck } = torch.autograd;
const leaf = (...values: number[]): Any => torch.tensor(values, { dtype: torch.float64, requires_grad: true });

class WrongSquare extends torch.autograd.Function {
  static override forward(ctx: Any, x: Any): Any {
    ctx.save_for_backward(x);
    return x.mul(x);
  }
  static override backward(ctx: Any, g: Any): Any {
    return g.mul(ctx.saved_tensors[0]);
  }
}

test("right gradients pass", () => {
  expect(gradcheck((x: Any, y: Any) => x.mul(y).add(x.exp()), [leaf(0.5, -1), leaf(2, 3)])).toBe(true);
  expect(gradcheck((x: Any) => [x.mul(2), x.tanh()], [leaf(0.5, -1)])).toBe(true);
});

test("second derivatives pass", () => {
  expect(gradgradcheck((x: Any) => x.mul(x).mul(x), [leaf(0.5, -1)])).toBe(true);
});

test("wrong gradients are shown beside the numerical ones", () => {
  const check = (): boolean => gradcheck((x: Any) => WrongSquare.apply(x), [leaf(2)]);
  expect(check).toThrow(
    "Jacobian mismatch for output 0 with respect to input 0,\nnumerical:tensor([[4.0000]], dtype=torch.float64)\nanalytical:tensor([[2.]], dtype=torch.float64)",
  );
  expect(gradcheck((x: Any) => WrongSquare.apply(x), [leaf(2)], { raise_exception: false })).toBe(false);
});

test("something must require grad", () => {
  expect(() => gradcheck((x: Any) => x, [torch.ones([1])])).toThrow(
    "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True.",
  );
});

test("a backward that ignores its argument is found out", () => {
  class Ignores extends torch.autograd.Function {
    static override forward(_ctx: Any, x: Any): Any {
      return x.mul(1);
    }
    static override backward(_ctx: Any, g: Any): Any {
      return torch.ones_like(g);
    }
  }
  expect(() => gradcheck((x: Any) => Ignores.apply(x), [leaf(2)])).toThrow("backward not multiplied by grad_output");
});

describe("grid_sample has second derivatives", () => {
  /** Places inside, outside and far outside of the input, none near an element or an edge, where a finite difference means nothing. */
  const places = (dims: number): number[] =>
    [0.13, -0.41, 0.57, 1.37, -1.29, 0.21, 2.83, -0.17, 0.71, 0.33, -2.3, 0.47].slice(0, 4 * dims);

  const twice = (dims: 2 | 3, mode: string, padding_mode: string, align_corners: boolean): boolean => {
    const size = Array.from({ length: dims }, () => 3);
    const count = size.reduce((a, b) => a * b, 2);
    const input = torch
      .arange(count)
      .mul(0.37)
      .sin()
      .to(torch.float64)
      .reshape(1, 2, ...size)
      .requires_grad_();
    const grid = torch
      .tensor(places(dims), { dtype: torch.float64 })
      .reshape(1, ...Array.from({ length: dims - 1 }, () => 1), 4, dims)
      .requires_grad_();
    const call = (x: Any, g: Any) => torch.nn.functional.grid_sample(x, g, { mode, padding_mode, align_corners });
    return torch.autograd.gradgradcheck(call, [input, grid]);
  };

  test.each(["bilinear", "bicubic", "nearest"])("of images, %s", (mode) => {
    const ways = [
      ["zeros", false],
      ["border", true],
      ["reflection", false],
      ["reflection", true],
    ] as const;
    for (const [padding, align] of ways) expect(twice(2, mode, padding, align), `${padding}, ${align}`).toBe(true);
  });

  test("of volumes", () => {
    for (const padding of ["zeros", "border", "reflection"]) expect(twice(3, "bilinear", padding, false)).toBe(true);
  });
});
