/**
 * @file Images stretched and shrunk, and padded from themselves: every mode and number of dims, both ways, halves, bytes, channels last.
 * @original
 */
import { afterAll, expect, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);

const F = torch.nn.functional;
const HALVES = [torch.float16, torch.bfloat16];

type Stretch = (x: Tensor) => Tensor;

function stretched(size: number[], mode: string, more: object = {}): Stretch {
  return (x) => F.interpolate(x, { size, mode, ...more });
}

/** The result and the gradient. */
function both_ways(told: string, f: Stretch, x: Tensor): void {
  check_both(told, f, [x]);
  const grad: Stretch = (input) => {
    const leaf = input.detach().requires_grad_(true);
    const y = f(leaf);
    y.mul(y).sum().backward();
    return leaf.grad as Tensor;
  };
  check_both(`${told}, gradient`, grad, [x], { rtol: 1e-5, atol: 1e-5 });
}

const SHAPES = [
  [2, 3, 7],
  [2, 3, 5, 4],
  [1, 2, 3, 4, 5],
];
const SIZES = [
  [1, 3, 7, 14, 20].map((n) => [n]),
  [
    [5, 4],
    [10, 8],
    [3, 9],
    [1, 1],
  ],
  [
    [6, 8, 10],
    [2, 3, 7],
  ],
];

test("nearest neighbours", () => {
  for (const [k, shape] of SHAPES.entries())
    for (const size of SIZES[k])
      for (const mode of ["nearest", "nearest-exact"])
        both_ways(`${mode} ${shape} to ${size}`, stretched(size, mode), sample(shape));
});

test("along straight segments", () => {
  for (const [k, shape] of SHAPES.entries())
    for (const size of SIZES[k])
      for (const align_corners of [false, true]) {
        const mode = ["linear", "bilinear", "trilinear"][k];
        both_ways(
          `${mode} ${shape} to ${size} ${align_corners}`,
          stretched(size, mode, { align_corners }),
          sample(shape),
        );
      }
});

test("cubic, and smoothed", () => {
  for (const size of SIZES[1])
    for (const mode of ["bicubic", "bilinear"])
      for (const antialias of [false, true])
        both_ways(`${mode} to ${size} ${antialias}`, stretched(size, mode, { antialias }), sample(SHAPES[1]));
});

test("by factors", () => {
  const by =
    (scale_factor: number | number[], mode: string): Stretch =>
    (x) =>
      F.interpolate(x, { scale_factor, mode });
  for (const mode of ["nearest", "nearest-exact", "bilinear", "bicubic"])
    for (const factor of [2, 0.6, [1.5, 3]]) both_ways(`${mode} by ${factor}`, by(factor, mode), sample([2, 3, 6, 5]));
});

test("channels last, parts of tensors, halves, bytes", () => {
  const x = sample([2, 5, 6, 4]);
  for (const mode of ["nearest", "bilinear", "bicubic"]) {
    check_both(
      `${mode} channels last`,
      (y: Tensor) => F.interpolate(y.to({ memory_format: torch.channels_last }), { size: [9, 3], mode }),
      [x],
    );
    check_both(
      `${mode} of a part`,
      (y: Tensor) => F.interpolate(y.narrow(1, 1, 2).transpose(2, 3), { size: [9, 3], mode }),
      [x],
    );
    for (const dtype of HALVES)
      check_both(`${mode} ${dtype}`, stretched([9, 3], mode), [x.to(dtype)], { rtol: 2e-2, atol: 2e-2 });
  }
  torch.manual_seed(2);
  const bytes = torch.randint(0, 256, [1, 3, 7, 6]).to(torch.uint8);
  for (const mode of ["nearest", "bilinear", "bicubic"])
    for (const size of [
      [14, 5],
      [3, 3],
    ])
      check_both(`${mode} bytes`, stretched(size, mode), [bytes]);
  check_both("bytes smoothed", stretched([3, 3], "bilinear", { antialias: true }), [bytes]);
});

test("padded by reflection and by the edge", () => {
  for (const mode of ["reflect", "replicate"]) {
    both_ways(`${mode} 1d`, (x) => F.pad(x, [2, 3], mode), sample([2, 3, 5]));
    both_ways(`${mode} 1d, no batch`, (x) => F.pad(x, [0, 3], mode), sample([3, 5]));
    both_ways(`${mode} 2d`, (x) => F.pad(x, [2, 3, 1, 0], mode), sample([2, 3, 4, 5]));
    both_ways(`${mode} 2d of one row`, (x) => F.pad(x, [2, 1, 0, 0], mode), sample([3, 1, 5]));
    both_ways(`${mode} 3d`, (x) => F.pad(x, [1, 2, 0, 1, 1, 0], mode), sample([2, 3, 4, 5]));
    for (const dtype of [torch.int64, torch.uint8, ...HALVES])
      check_both(`${mode} ${dtype}`, (x: Tensor) => F.pad(x, [2, 3, 1, 0], mode), [
        sample([2, 3, 4, 5]).mul(9).abs().to(dtype),
      ]);
  }
});

test("the same bits twice", () => {
  const grad = (): Tensor => {
    const leaf = sample([1, 2, 9, 9]).to("webgpu").requires_grad_(true);
    F.interpolate(leaf, { size: [30, 31], mode: "bilinear" })
      .sin()
      .sum()
      .backward();
    return (leaf.grad as Tensor).cpu();
  };
  expect(grad().equal(grad())).toBe(true);
});
