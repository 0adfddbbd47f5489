/**
 * @file Windows through volumes, and parts of images and volumes: means and greatest elements, indices, gradients, halves, integers, views, nothing.
 * @original
 * @see Convolution.test.ts (windows over images)
 */
import { afterAll, describe, expect, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);

const F = torch.nn.functional;
const pools = F as unknown as Record<string, (...args: unknown[]) => Tensor & Tensor[]>;
const SHAPE = [2, 3, 4, 6, 5];

/** All results, and the gradient of the first. */
function with_gradients(f: (x: Tensor) => Tensor | Tensor[]): (x: Tensor) => Tensor[] {
  return (x) => {
    const leaf = x.detach().requires_grad_(true);
    const made = f(leaf);
    const results = Array.isArray(made) ? made : [made as Tensor];
    results[0].mul(results[0]).sum().backward();
    return [...results, leaf.grad as Tensor];
  };
}

function near(dtype: unknown): object {
  return dtype === torch.float32 ? { rtol: 1e-5, atol: 1e-5 } : { rtol: 2e-2, atol: 2e-3 };
}

describe("means of windows through volumes", () => {
  test("avg_pool3d", () => {
    for (const [kernel, stride, padding, ceil_mode, count_include_pad, divisor_override] of [
      [2, 2, 0, false, true, null],
      [3, 1, 1, false, true, null],
      [3, 2, 1, true, false, null],
      [[1, 3, 2], [2, 2, 3], [0, 1, 0], true, true, null],
      [2, 3, 1, false, true, 7],
    ] as const) {
      const options = { stride, padding, ceil_mode, count_include_pad, divisor_override };
      const f = with_gradients((x) => pools["avg_pool3d"](x, kernel, options));
      check_both(`${kernel} ${JSON.stringify(options)}`, f, [sample(SHAPE)], near(torch.float32));
      check_both(`${kernel} of one`, f, [sample(SHAPE.slice(1))], near(torch.float32));
    }
    check_both("int64", (x: Tensor) => F.avg_pool3d(x, 2, 1), [sample(SHAPE, torch.int64)]);
    expect(() => F.avg_pool3d(sample(SHAPE, torch.int32).to("webgpu"), 2)).toThrow("not implemented for 'Int'");
  });

  test("adaptive_avg_pool3d", () => {
    for (const dtype of [torch.float32, torch.float16, torch.bfloat16])
      for (const size of [2, [3, 5, 4], [4, 6, 5], [1, 7, 2], [1, 1, 1]])
        check_both(
          `${size} ${dtype}`,
          with_gradients((x) => pools["adaptive_avg_pool3d"](x, size)),
          [sample(SHAPE, dtype).abs()],
          near(dtype),
        );
  });
});

describe("greatest elements", () => {
  test("max_pool3d: overlapping, padded, dilated, rounded up", () => {
    for (const dtype of [torch.float32, torch.float16])
      for (const [kernel, stride, padding, dilation, ceil_mode] of [
        [2, 2, 0, 1, false],
        [3, 1, 1, 1, false],
        [3, 2, 1, 1, true],
        [2, 1, 0, 3, false],
        [[2, 3, 1], [1, 2, 3], [1, 1, 0], [2, 1, 4], true],
      ] as const) {
        const options = { stride, padding, dilation, ceil_mode, return_indices: true };
        const f = with_gradients((x) => pools["max_pool3d"](x, kernel, options));
        check_both(`${kernel} ${JSON.stringify(options)} ${dtype}`, f, [sample(SHAPE, dtype)], near(dtype));
      }
  });

  test("adaptive_max_pool: of lines, images, volumes", () => {
    for (const [dim, size] of [
      [1, [3]],
      [1, [7]],
      [2, [3, 4]],
      [2, [7, 1]],
      [3, [2, 4, 3]],
      [3, [5, 1, 6]],
    ] as const)
      for (const dtype of [torch.float32, torch.float16]) {
        const f = with_gradients((x) => pools[`adaptive_max_pool${dim}d`](x, size, { return_indices: true }));
        check_both(`${size} ${dtype}`, f, [sample([2, 3, 5, 6, 4].slice(0, dim + 2), dtype)], near(dtype));
      }
  });

  test("max_unpool", () => {
    for (const dim of [1, 2, 3])
      for (const dtype of [torch.float32, torch.float16]) {
        const f = with_gradients((x) => {
          const [best, at] = pools[`max_pool${dim}d`](x, 2, { stride: 2, return_indices: true });
          return pools[`max_unpool${dim}d`](best, at, 2, { output_size: x.shape.slice(-dim) });
        });
        check_both(`${dim} ${dtype}`, f, [sample([2, 3, 5, 6, 4].slice(0, dim + 2), dtype)], near(dtype));
      }
  });

  test("fractional_max_pool", () => {
    for (const dim of [2, 3])
      for (const dtype of [torch.float32, torch.float16])
        for (const output_size of [
          [2, 3, 2],
          [1, 4, 2],
        ].map((size) => size.slice(0, dim))) {
          torch.manual_seed(3);
          const samples = torch.rand([2, 3, dim]).to(dtype);
          const f = (x: Tensor, _random_samples: Tensor) =>
            with_gradients((y) =>
              pools[`fractional_max_pool${dim}d`](y, 2, { output_size, return_indices: true, _random_samples }),
            )(x);
          check_both(
            `${output_size} ${dtype}`,
            f,
            [sample([2, 3, 5, 6, 4].slice(0, dim + 2), dtype), samples],
            near(dtype),
          );
        }
  });

  test("of integers, equal ones, NaN, infinities", () => {
    const max = (x: Tensor): unknown => pools["max_pool3d"](x, 2, { stride: 1, return_indices: true });
    for (const dtype of [torch.int64, torch.int32, torch.uint8, torch.int8])
      check_both(`${dtype}`, max, [sample(SHAPE, dtype)]);
    const odd = torch.tensor([1, Number.NaN, 2, -Infinity, -Infinity, 3, Infinity, -Infinity]).repeat([9]);
    for (const dtype of [torch.float32, torch.bfloat16]) {
      check_both(`odd ${dtype}`, max, [odd.to(dtype).view([1, 4, 3, 6])]);
      const parts = (x: Tensor): unknown => pools["adaptive_max_pool3d"](x, 2, { return_indices: true });
      check_both(`odd parts ${dtype}`, parts, [odd.to(dtype).view([1, 4, 3, 6])]);
    }
  });
});

test("of views, of channels last, of nothing, into an out=", () => {
  const names = [
    ["avg_pool3d", 2],
    ["max_pool3d", 2],
    ["adaptive_avg_pool3d", [2, 3, 2]],
    ["adaptive_max_pool3d", [2, 3, 2]],
  ] as const;
  for (const [name, size] of names) {
    const f = with_gradients((x) => pools[name](x, size));
    check_both(
      `${name} transposed`,
      with_gradients((x) => pools[name](x.transpose(1, 3), size)),
      [sample(SHAPE)],
    );
    check_both(`${name} of a part`, (x: Tensor) => pools[name](x.narrow(4, 1, 3).narrow(0, 1, 1), size), [
      sample(SHAPE),
    ]);
    const last = (x: Tensor): Tensor[] => f(x.to({ memory_format: torch.channels_last_3d }));
    check_both(`${name} channels last`, last, [sample(SHAPE)]);
    check_both(`${name} of no volumes`, f, [torch.zeros([0, 3, 4, 6, 5])]);
  }
  const x = sample([1, 3, 4, 4, 4]);
  const whole = torch.zeros([3, 2, 2, 5], { device: "webgpu" });
  torch.ops.aten.avg_pool3d.out(x.at(0).to("webgpu"), [2, 2, 2], { out: whole.narrow(3, 1, 2) });
  expect(
    whole
      .narrow(3, 1, 2)
      .cpu()
      .allclose(F.avg_pool3d(x.at(0), 2)),
  ).toBe(true);
  for (const [begin, length] of [
    [0, 1],
    [3, 2],
  ])
    expect(whole.narrow(3, begin, length).abs().sum().item()).toBe(0);
});

test("fractional_max_pool's gradient, whose windows nothing tells", () => {
  const x = sample([2, 3, 8, 7]).to("webgpu");
  const indices = torch.tensor([0, 9, 9, 55]).view([1, 1, 2, 2]).expand([2, 3, 2, 2]).contiguous().to("webgpu");
  const grad = torch.ops.aten.fractional_max_pool2d_backward(
    torch.ones([2, 3, 2, 2]).to("webgpu"),
    x,
    [2, 2],
    [2, 2],
    indices,
  ) as Tensor;
  expect(grad.sum().item()).toBe(24);
});
