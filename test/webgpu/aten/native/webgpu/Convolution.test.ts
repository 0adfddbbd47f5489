/**
 * @file Convolutions of one, two and three dimensions, transposed ones, groups, strides, dilations, and max pooling, with their gradients.
 * @original
 */
import { afterAll, describe, expect, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);

const F = torch.nn.functional;

interface Case {
  readonly input: readonly number[];
  readonly weight: readonly number[];
  readonly stride?: number | number[];
  readonly padding?: number | number[];
  readonly dilation?: number | number[];
  readonly output_padding?: number;
  readonly groups?: number;
}

const CASES: readonly Case[] = [
  { input: [2, 3, 7, 6], weight: [4, 3, 3, 3] },
  { input: [2, 3, 7, 6], weight: [5, 3, 3, 2], stride: [2, 3], padding: [1, 2] },
  { input: [3, 4, 8, 8], weight: [6, 2, 3, 3], groups: 2, padding: 1 },
  { input: [1, 3, 9, 9], weight: [3, 1, 3, 3], groups: 3, dilation: 2, stride: 2 },
  { input: [2, 2, 5, 5], weight: [2, 2, 1, 1] },
  { input: [2, 3, 11], weight: [4, 3, 3], stride: 2, padding: 1 },
  { input: [2, 2, 4, 5, 6], weight: [3, 2, 2, 3, 2], padding: [1, 0, 1], stride: [1, 2, 1] },
];

const TRANSPOSED: readonly Case[] = [
  { input: [2, 4, 5, 4], weight: [4, 3, 3, 3] },
  { input: [2, 4, 5, 4], weight: [4, 3, 3, 2], stride: 2, padding: 1, output_padding: 1 },
  { input: [2, 4, 5, 4], weight: [4, 3, 3, 3], groups: 2, dilation: 2 },
  { input: [2, 3, 6], weight: [3, 2, 4], stride: 2 },
];

/** Result and gradients. */
function with_gradients(f: (...args: Tensor[]) => Tensor): (...args: Tensor[]) => Tensor[] {
  return (...args) => {
    const leaves = args.map((t) => t.detach().requires_grad_(true));
    const out = f(...leaves);
    out.mul(out).sum().backward();
    return [out, ...leaves.map((t) => t.grad as Tensor)];
  };
}

function convolution(dims: number, transposed: boolean): (...args: unknown[]) => Tensor {
  const name = `conv${transposed ? "_transpose" : ""}${dims}d` as "conv2d";
  return F[name] as (...args: unknown[]) => Tensor;
}

function check(case_: Case, transposed: boolean, dtype = torch.float32): void {
  const { input, weight, ...options } = case_;
  const f = convolution(input.length - 2, transposed);
  const channels = transposed ? weight[1] * (options.groups ?? 1) : weight[0];
  const told = `${JSON.stringify(case_)} ${transposed} ${dtype}`;
  const args = [sample(input, dtype), sample(weight, dtype, 1)];
  const near = dtype === torch.float32 ? { rtol: 1e-4, atol: 2e-3 } : { rtol: 5e-2, atol: 1 };
  check_both(
    told,
    with_gradients((x, w, b) => f(x, w, b, options)),
    [...args, sample([channels], dtype, 2)],
    near,
  );
  check_both(
    `${told}, no bias`,
    with_gradients((x, w) => f(x, w, null, options)),
    args,
    near,
  );
}

describe("convolution", () => {
  test.each(CASES)("%j", (case_) => check(case_, false));
  test.each(TRANSPOSED)("transposed %j", (case_) => check(case_, true));
  test("of halves", () => {
    check(CASES[0], false, torch.float16);
    check(CASES[1], false, torch.bfloat16);
    check(TRANSPOSED[0], true, torch.float16);
  });
  test("of views, of one image without a batch, of no image", () => {
    const near = { atol: 1e-4 };
    check_both(
      "transposed",
      (x: Tensor, w: Tensor) => F.conv2d(x.transpose(2, 3), w.transpose(0, 1)),
      [sample([2, 3, 5, 6]), sample([3, 4, 2, 2], torch.float32, 1)],
      near,
    );
    check_both("image", (x: Tensor, w: Tensor) => F.conv2d(x, w), [sample([3, 5, 6]), sample([4, 3, 2, 2])], near);
    check_both("int64", (x: Tensor, w: Tensor) => F.conv2d(x, w, { padding: 1 }), [
      sample([2, 3, 5, 6], torch.int64),
      sample([4, 3, 2, 2], torch.int64),
    ]);
    check_both("nothing", (x: Tensor, w: Tensor) => F.conv2d(x, w), [torch.zeros([0, 3, 5, 6]), sample([4, 3, 2, 2])]);
  });
});

describe("means of windows", () => {
  test("avg_pool2d and adaptive_avg_pool2d, with their gradients", () => {
    for (const dtype of [torch.float32, torch.float16]) {
      const near = dtype === torch.float32 ? {} : { rtol: 1e-2, atol: 1e-3 };
      for (const [kernel, stride, padding, ceil_mode, count_include_pad, divisor_override] of [
        [2, 2, 0, false, true, null],
        [3, 1, 1, false, true, null],
        [3, 2, 1, true, false, null],
        [[3, 2], [2, 3], [1, 0], true, true, null],
        [2, 3, 1, false, true, 7],
      ] as const) {
        const options = { stride, padding, ceil_mode, count_include_pad, divisor_override };
        const pool = F.avg_pool2d as (...args: unknown[]) => Tensor;
        const told = `${kernel} ${JSON.stringify(options)} ${dtype}`;
        check_both(
          told,
          with_gradients((x) => pool(x, kernel, options)),
          [sample([2, 3, 8, 7], dtype)],
          near,
        );
      }
      for (const size of [
        [2, 2],
        [3, 5],
        [8, 7],
        [9, 1],
        [1, 1],
      ])
        check_both(
          `[${size}] ${dtype}`,
          with_gradients((x) => F.adaptive_avg_pool2d(x, size)),
          [sample([2, 3, 8, 7], dtype)],
          near,
        );
    }
    check_both("view", (x: Tensor) => F.avg_pool2d(x.transpose(1, 3), 2), [sample([2, 4, 6, 8])]);
  });
});

describe("max_pool2d", () => {
  test("results, indices and gradients: overlapping, padded, dilated, rounded up", () => {
    for (const dtype of [torch.float32, torch.float16])
      for (const [kernel, stride, padding, dilation, ceil_mode] of [
        [2, 2, 0, 1, false],
        [3, 1, 1, 1, false],
        [3, 2, 1, 1, true],
        [2, 3, 0, 2, false],
        [[3, 2], [1, 2], [1, 0], 1, true],
      ] as const) {
        const pool = (x: Tensor): Tensor[] => {
          const leaf = x.detach().requires_grad_(true);
          const options = { stride, padding, dilation, ceil_mode, return_indices: true };
          const [out, indices] = (F.max_pool2d as (...args: unknown[]) => unknown)(leaf, kernel, options) as Tensor[];
          out.mul(out).sum().backward();
          return [out, indices, leaf.grad as Tensor];
        };
        const near = dtype === torch.float32 ? {} : { rtol: 1e-2 };
        check_both(`${kernel} ${stride} ${padding} ${dilation} ${dtype}`, pool, [sample([2, 3, 8, 7], dtype)], near);
      }
  });
  test("of integers, NaN, one image, views", () => {
    check_both("int64", (x: Tensor) => F.max_pool2d(x, 2), [sample([2, 3, 4, 4], torch.int64)]);
    check_both("NaN", (x: Tensor) => F.max_pool2d(x, 2, 1), [
      torch.tensor([
        [
          [1, Number.NaN, 2],
          [3, 4, Number.NEGATIVE_INFINITY],
          [5, 0, Number.NEGATIVE_INFINITY],
        ],
      ]),
    ]);
    check_both("transposed", (x: Tensor) => F.max_pool2d(x.transpose(1, 3), 2), [sample([2, 4, 6, 8])]);
    expect(F.max_pool2d(torch.zeros([0, 3, 4, 4]).to("webgpu"), 2).shape).toEqual([0, 3, 2, 2]);
  });
});
