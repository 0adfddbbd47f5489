/**
 * @file cat and stack, arange, triangles.
 * @original
 */
import { afterAll, describe, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);

describe("cat", () => {
  test("along every dim, of every dtype, mixed dtypes, views, empty ones", () => {
    for (const dtype of [torch.float32, torch.float16, torch.int64, torch.bool, torch.uint8])
      for (let dim = 0; dim < 3; dim++) {
        const sizes = (n: number) => [2, 3, 4].with(dim, n);
        check_both(`${dim} ${dtype}`, (a: Tensor, b: Tensor, c: Tensor) => torch.cat([a, b, c], dim), [
          sample(sizes(1), dtype),
          sample(sizes(3), dtype, 1),
          sample(sizes(2), dtype, 2),
        ]);
        check_both(`stack ${dim} ${dtype}`, (a: Tensor, b: Tensor) => torch.stack([a, b], dim), [
          sample([3, 2], dtype),
          sample([3, 2], dtype, 1),
        ]);
      }
    check_both("promoted", (a: Tensor, b: Tensor) => torch.cat([a, b]), [sample([3]), sample([2], torch.int64)]);
    check_both("views", (a: Tensor, b: Tensor) => torch.cat([a.t(), b.narrow(0, 1, 3)]), [
      sample([5, 2]),
      sample([4, 5]),
    ]);
    check_both("empty", (a: Tensor, b: Tensor) => torch.cat([a, b, a]), [torch.zeros([0]), sample([2, 3])]);
    check_both("nothing", (a: Tensor) => torch.cat([a, a]), [torch.zeros([0, 3])]);
    check_both("expanded", (a: Tensor) => torch.cat([a.expand([3, 2]), a.expand([1, 2])]), [sample([1, 2])]);
  });
  test("into an output, and its gradient", () => {
    check_both("out", (a: Tensor, out: Tensor) => torch.cat([a, a], 0, { out: out.t() }), [
      sample([2, 3]),
      torch.zeros([3, 4]),
    ]);
    const grad = (x: Tensor, g: Tensor): Tensor => {
      const leaf = x.detach().requires_grad_(true);
      torch.cat([leaf, leaf.mul(2)], 1).backward(g);
      return leaf.grad as Tensor;
    };
    check_both("grad", grad, [sample([3, 2]), sample([3, 4])]);
  });
});

describe("arange", () => {
  test("of every dtype, with steps", () => {
    for (const dtype of [torch.float32, torch.float16, torch.int64, torch.int32, torch.int16, torch.uint8])
      for (const [start, end, step] of [
        [0, 10, 1],
        [3, 100, 7],
        [5, 5, 1],
      ] as const)
        check_both(
          `${start} ${end} ${step} ${dtype}`,
          (x: Tensor) => torch.arange(start, end, step, { dtype, device: x.device }),
          [torch.zeros([1])],
        );
    check_both("down", (x: Tensor) => torch.arange(4, -5, -2, { device: x.device }), [torch.zeros([1])]);
    check_both("large", (x: Tensor) => torch.arange(2 ** 40, 2 ** 40 + 9, 3, { device: x.device }), [torch.zeros([1])]);
    check_both("fractions", (x: Tensor) => torch.arange(-1, 1, 0.125, { device: x.device }), [torch.zeros([1])]);
  });
});

describe.each(["tril", "triu"] as const)("%s", (name) => {
  test("of matrices and batches, every diagonal, views, in place", () => {
    for (const shape of [
      [4, 6],
      [6, 4],
      [2, 3, 3],
      [1, 1],
    ])
      for (const k of [-7, -2, 0, 1, 9])
        for (const dtype of [torch.float32, torch.bfloat16, torch.int64, torch.bool])
          check_both(`[${shape}] ${k} ${dtype}`, (x: Tensor) => x[name](k), [sample(shape, dtype)]);
    check_both("transposed", (x: Tensor) => x.t()[name](1), [sample([4, 6])]);
    check_both("offset", (x: Tensor) => x.as_strided([2, 3], [6, 1], 3)[name](), [sample([6, 3])]);
    check_both("in place", (x: Tensor) => x.clone()[`${name}_`](1), [sample([5, 5])]);
    check_both("nothing", (x: Tensor) => x[name](), [torch.zeros([0, 3])]);
  });
});
