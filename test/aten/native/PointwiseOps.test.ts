import torch from "glasstorch";
import { describe, expect, test } from "vitest";

const { tensor, float64 } = torch;
const random = (...size: number[]) => torch.rand(size, { dtype: float64 }).add(0.5).requires_grad_();

describe.each([
  ["addcmul", 1.5 + 0.5 * 2.5 * 4],
  ["addcdiv", 1.5 + (0.5 * 2.5) / 4],
] as const)("%s", (name, expected) => {
  test("a worked case, and in place", () => {
    const x = tensor([1.5]);
    const result = torch[name](x, tensor([2.5]), tensor([4]), { value: 0.5 });
    expect(torch.allclose(result, tensor([expected]))).toBe(true);
    expect(x[`${name}_`](tensor([2.5]), tensor([4]), { value: 0.5 })).toBe(x);
    expect(torch.allclose(x, result)).toBe(true);
  });
  test("all three broadcast", () => {
    expect(torch[name](torch.ones(3), torch.ones(2, 1), torch.ones(1, 3)).shape).toEqual([2, 3]);
  });
  test("gradients agree with finite differences", () => {
    const fn = (a: typeof x, b: typeof x, c: typeof x) => torch[name](a, b, c, { value: 0.7 });
    const x = random(3);
    expect(torch.autograd.gradcheck(fn as never, [x, random(2, 3), random(2, 1)])).toBe(true);
  });
});

test("addcmul of integers takes the whole number of value", () => {
  expect(torch.addcmul(tensor([1, 2]), tensor([1, 2]), tensor([1, 2]), { value: 1.5 }).tolist()).toEqual([2, 6]);
});

test("refusals", () => {
  const [i, f, b] = [tensor([1, 2]), tensor([1.5, 2]), tensor([true, false])];
  expect(() => torch.addcdiv(f, i, i)).toThrow("Integer division with addcdiv is no longer supported");
  expect(() => torch.addcmul(b, b, b)).toThrow("\"addcmul_cpu_out\" not implemented for 'Bool'");
  expect(() => i.addcmul_(f, f)).toThrow("result type Float can't be cast to the desired output type Long");
});
