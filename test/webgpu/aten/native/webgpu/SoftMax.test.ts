/**
 * @file softmax and log_softmax along every dim, long and short rows, infinities, halves, and their gradients.
 * @original
 */
import { afterAll, describe, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);

const F = torch.nn.functional;

describe.each(["softmax", "log_softmax"] as const)("%s", (name) => {
  // On the CPU log_softmax of halves rounds the logarithm of the sum to a half.
  const of_halves = (atol: number) => (name === "log_softmax" ? { atol } : {});
  const options_of = (dtype: unknown) =>
    dtype === torch.float32 ? { rtol: 1e-5 } : of_halves(dtype === torch.float16 ? 1e-3 : 1e-2);
  test("along every dim", () => {
    for (const shape of [[7], [3, 5], [2, 3, 4], [1, 200], [200, 1], [40, 33], [1, 1]])
      for (let dim = 0; dim < shape.length; dim++)
        for (const dtype of [torch.float32, torch.float16, torch.bfloat16])
          check_both(
            `[${shape}] ${dim} ${dtype}`,
            (x: Tensor) => F[name](x, dim),
            [sample(shape, dtype).mul(3)],
            options_of(dtype),
          );
    check_both("no dim", (x: Tensor) => F[name](x, 0), [torch.tensor(2.5)]);
    check_both("nothing", (x: Tensor) => F[name](x, 1), [torch.zeros([0, 4])]);
  });
  test("of views and large numbers", () => {
    check_both("transposed", (x: Tensor) => F[name](x.t(), 1), [sample([30, 9])], { rtol: 1e-5 });
    check_both("large", (x: Tensor) => F[name](x, 1), [sample([4, 50]).mul(1e4)], { rtol: 1e-5 });
  });
  test("infinities and NaN as on the CPU", () => {
    const inf = Number.POSITIVE_INFINITY;
    const rows = torch.tensor([
      [-inf, 1, 2, -inf],
      [-inf, -inf, -inf, -inf],
      [1, inf, 2, 3],
      [Number.NaN, 1, 2, 3],
      [1, 2, Number.NaN, 3],
    ]);
    check_both("rows", (x: Tensor) => F[name](x, 1), [rows]);
    check_both("columns", (x: Tensor) => F[name](x.t().contiguous(), 0), [rows]);
  });
  test("gradients", () => {
    for (const [shape, dim] of [
      [[6, 70], 1],
      [[70, 6], 0],
      [[3, 4, 5], 1],
    ] as const)
      for (const dtype of [torch.float32, torch.bfloat16]) {
        const grad = (x: Tensor, g: Tensor): Tensor => {
          const leaf = x.detach().requires_grad_(true);
          F[name](leaf, dim).backward(g);
          return leaf.grad as Tensor;
        };
        check_both(
          `[${shape}] ${dim} ${dtype}`,
          grad,
          [sample(shape, dtype), sample(shape, dtype, 1)],
          dtype === torch.float32 ? { rtol: 1e-4 } : { atol: 2e-2 },
        );
      }
  });
});
