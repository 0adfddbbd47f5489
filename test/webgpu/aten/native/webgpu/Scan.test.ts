/**
 * @file cumsum and cumprod along every dim, nonzero and what rests on it, equal, eye.
 * @original
 */
import { afterAll, describe, expect, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, fallen_back, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);

describe.each(["cumsum", "cumprod"] as const)("%s", (name) => {
  test("along every dim, of short lines and long ones, of every dtype", () => {
    for (const dtype of [torch.float32, torch.float16, torch.int64, torch.int32, torch.bool])
      for (const shape of [[7], [2, 3, 4], [1, 700], [300, 2], [33, 40], [1, 1]])
        for (let dim = 0; dim < shape.length; dim++) {
          const near =
            dtype === torch.float32
              ? { rtol: 1e-4, atol: 1e-4 }
              : dtype === torch.float16
                ? { rtol: 5e-2, atol: 1e-1 }
                : {};
          check_both(`[${shape}] ${dim} ${dtype}`, (x: Tensor) => x[name](dim), [sample(shape, dtype)], near);
        }
    check_both("no dim", (x: Tensor) => x[name](0), [torch.tensor(2.5)]);
    check_both("nothing", (x: Tensor) => x[name](1), [torch.zeros([3, 0])]);
    check_both("transposed", (x: Tensor) => x.t()[name](1), [sample([5, 4])], { atol: 1e-4 });
    check_both(
      "out",
      (x: Tensor, out: Tensor) => torch[name](x, 0, { out: out.t() }),
      [sample([4, 5]), torch.zeros([5, 4])],
      {
        atol: 1e-4,
      },
    );
  });
});

describe("nonzero", () => {
  test("of every dtype and shape, and what rests on it", () => {
    for (const dtype of [torch.float32, torch.bfloat16, torch.int64, torch.bool, torch.uint8])
      for (const shape of [[9], [3, 4], [2, 3, 4], [300], []])
        check_both(`[${shape}] ${dtype}`, (x: Tensor) => x.nonzero(), [sample(shape, dtype).gt(0).to(dtype)]);
    check_both("all zero", (x: Tensor) => x.nonzero(), [torch.zeros([3, 4])]);
    check_both("nothing", (x: Tensor) => x.nonzero(), [torch.zeros([0, 4])]);
    check_both("transposed", (x: Tensor) => x.t().nonzero(), [sample([3, 5]).gt(0)]);
    const mask = sample([3, 4], torch.bool, 1);
    check_both("masked_select", (x: Tensor, m: Tensor) => x.masked_select(m), [sample([3, 4]), mask]);
    check_both("masked_select of a row", (x: Tensor, m: Tensor) => x.masked_select(m), [sample([2, 3, 4]), mask]);
    check_both("by a mask", (x: Tensor, m: Tensor) => x.__getitem__(m), [sample([3, 4, 2]), mask]);
    check_both("put by a mask", (x: Tensor, m: Tensor, v: Tensor) => x.clone().index_put_([m], v), [
      sample([3, 4]),
      mask,
      torch.tensor(7.5),
    ]);
  });
});

test("equal and eye", () => {
  const x = sample([3, 4]).to("webgpu");
  expect([torch.equal(x, x.clone()), torch.equal(x, x.add(1)), torch.equal(x, x.t())]).toEqual([true, false, false]);
  check_both("eye", (x: Tensor) => torch.eye(3, 5, { device: x.device }), [torch.zeros([1])]);
  expect(fallen_back()).toEqual([]);
});
