/**
 * @file Images and volumes read where a grid says: every mode, padding and alignment, gradients of both, halves, views, places that are no numbers.
 * @original
 */
import { afterAll, expect, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);

const F = torch.nn.functional;
const PADDINGS = ["zeros", "border", "reflection"];

interface How {
  readonly mode: string;
  readonly padding_mode: string;
  readonly align_corners: boolean;
}

/** The result, and the gradients of both. */
function with_gradients(how: How): (x: Tensor, grid: Tensor) => Tensor[] {
  return (x, grid) => {
    const leaves = [x, grid].map((t) => t.detach().requires_grad_(true)) as [Tensor, Tensor];
    const y = F.grid_sample(...leaves, how);
    y.mul(y).sum().backward();
    return [y, ...leaves.map((leaf) => leaf.grad as Tensor)];
  };
}

const near = { rtol: 1e-4, atol: 1e-4 };

test("images", () => {
  for (const mode of ["bilinear", "nearest", "bicubic"])
    for (const padding_mode of PADDINGS)
      for (const align_corners of [false, true]) {
        const how = { mode, padding_mode, align_corners };
        const grid = sample([2, 4, 6, 2], torch.float32, 1).mul(0.9);
        check_both(JSON.stringify(how), with_gradients(how), [sample([2, 3, 5, 7]), grid], near);
      }
});

test("volumes", () => {
  for (const mode of ["bilinear", "nearest"])
    for (const padding_mode of PADDINGS)
      for (const align_corners of [false, true]) {
        const how = { mode, padding_mode, align_corners };
        const grid = sample([2, 2, 3, 2, 3], torch.float32, 1).mul(0.9);
        check_both(JSON.stringify(how), with_gradients(how), [sample([2, 2, 3, 4, 5]), grid], near);
      }
});

test("the edges themselves, places far away and places that are no numbers", () => {
  const odd = [-1, 1, 0, -1.5, 1.5, 1e4, -1e4, Number.NaN, Infinity, -Infinity, 0.25, -3];
  const grid = torch.tensor(odd.flatMap((x) => [x, 0.3, 0.3, x])).view([1, 4, 6, 2]);
  for (const mode of ["bilinear", "nearest", "bicubic"])
    for (const padding_mode of PADDINGS.slice(0, 2)) {
      const how = { mode, padding_mode, align_corners: true };
      check_both(JSON.stringify(how), (x: Tensor, g: Tensor) => F.grid_sample(x, g, how), [sample([1, 2, 4, 5]), grid]);
    }
});

test("halves, views, one of the gradients, nothing", () => {
  const how = { mode: "bilinear", padding_mode: "zeros", align_corners: false };
  const read = (x: Tensor, grid: Tensor): Tensor => F.grid_sample(x, grid, how);
  const eighths = torch.randint(-8, 9, [2, 4, 3, 2]).div(8);
  for (const dtype of [torch.float16, torch.bfloat16])
    check_both(`${dtype}`, read, [sample([2, 3, 4, 8], dtype), eighths.to(dtype)], { rtol: 2e-2, atol: 2e-2 });
  const parts = (x: Tensor, grid: Tensor): Tensor => read(x.narrow(1, 1, 2).transpose(2, 3), grid.transpose(1, 2));
  check_both("parts", parts, [sample([2, 3, 5, 4]), eighths], near);
  check_both("channels last", (x: Tensor, g: Tensor) => read(x.to({ memory_format: torch.channels_last }), g), [
    sample([2, 3, 5, 4]),
    eighths,
  ]);
  const of_grid = (x: Tensor, grid: Tensor): Tensor => {
    const leaf = grid.detach().requires_grad_(true);
    read(x, leaf).sum().backward();
    return leaf.grad as Tensor;
  };
  check_both("the grid's gradient alone", of_grid, [sample([2, 3, 5, 4]), eighths], near);
  check_both("no channels", with_gradients(how), [torch.zeros([2, 0, 5, 4]), eighths]);
  check_both("no places", with_gradients(how), [sample([2, 3, 5, 4]), torch.zeros([2, 0, 3, 2])]);
});

test("the same bits twice, where places share neighbours", () => {
  const grad = (): Tensor => {
    const leaf = sample([1, 2, 3, 3]).to("webgpu").requires_grad_(true);
    const grid = sample([1, 9, 9, 2], torch.float32, 1).to("webgpu");
    F.grid_sample(leaf, grid, { mode: "bilinear", padding_mode: "border", align_corners: false })
      .sin()
      .sum()
      .backward();
    return (leaf.grad as Tensor).cpu();
  };
  expect(grad().equal(grad())).toBe(true);
});
