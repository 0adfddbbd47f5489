/**
 * @file sort and topk: short rows and long ones, stable, up and down, NaN and -0, along every dim, of every dtype, in both tunings.
 * @original
 */
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { set_tuning } from "../../../../../src/aten/native/webgpu/tuning.ts";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);
afterEach(() => set_tuning(null));

const DTYPES = [torch.float32, torch.float16, torch.bfloat16, torch.int32, torch.uint8, torch.int8, torch.int64];

/** A tensor with few different values, so that many elements are equal. */
function repeated(shape: number[], dtype = torch.float32): Tensor {
  torch.manual_seed(5);
  return torch.randint(0, 9, shape).to(dtype);
}

for (const tuning of ["software", "hardware"] as const)
  describe(`${tuning} sizes`, () => {
    // A GPU of software waits long for 256 lanes.
    const few = tuning === "hardware";
    const both = (descending: boolean) => (x: Tensor) => x.sort({ stable: true, dim: -1, descending });

    test("rows of one tile, of several, of no power of two", () => {
      set_tuning(tuning);
      for (const n of few ? [3, 2500] : [1, 2, 3, 16, 17, 63, 64, 65, 200, 1000, 1025, 2500])
        for (const descending of few ? [true] : [false, true])
          check_both(`${n} ${descending}`, both(descending), [sample([n > 500 ? 2 : 7, n])]);
    });

    test("equal ones stay in order, of every dtype", () => {
      set_tuning(tuning);
      for (const dtype of few ? [torch.int64, torch.float16] : [...DTYPES, torch.bool])
        for (const descending of few ? [false] : [false, true])
          check_both(`${dtype} ${descending}`, both(descending), [repeated([3, 1100], dtype)]);
    });

    test("NaN is the greatest, -0 is 0, infinities are where they belong", () => {
      set_tuning(tuning);
      const odd = [Number.NaN, 1, -0, 0, -Infinity, Infinity, Number.NaN, -1, 0, -0, 3e38, -3e38, 1e-38, -1e-38];
      for (const dtype of few ? [torch.float32] : [torch.float32, torch.float16, torch.bfloat16])
        for (const descending of few ? [true] : [false, true])
          for (const times of [1, 7])
            check_both(`${dtype}`, both(descending), [torch.tensor(odd).repeat([times]).to(dtype)]);
    });

    test("topk: less than a tile, more than a tile, all", () => {
      set_tuning(tuning);
      for (const [n, k] of [
        [5, 1],
        [5, 5],
        [100, 3],
        [300, 70],
        [1500, 1],
        [1500, 10],
        [3000, 1100],
        [2049, 2049],
      ].slice(few ? 5 : 0, few ? 7 : 8))
        for (const largest of few ? [true] : [true, false])
          check_both(`${k} of ${n}`, (x: Tensor) => x.topk(k, { largest }), [sample([3, n])]);
    });
  });

test("large integers", () => {
  const up = (x: Tensor) => x.sort({ stable: true });
  const down = (x: Tensor) => x.sort({ descending: true, stable: true });
  const x = torch.tensor([2 ** 40, -(2 ** 40), 2 ** 31, -1, 0, 1, -(2 ** 32), 2 ** 32 + 1]).repeat([9]);
  check_both("int64", up, [x]);
  check_both("int64", down, [x]);
  check_both("int32", up, [torch.tensor([2 ** 31 - 1, -(2 ** 31), 0, -1, 1]).to(torch.int32)]);
});

test("along every dim, of what is not contiguous, of nothing", () => {
  const x = sample([4, 5, 6]);
  for (const dim of [0, 1, 2, -1]) {
    check_both(`dim ${dim}`, (y: Tensor) => torch.sort(y, { dim }), [x]);
    check_both(`topk ${dim}`, (y: Tensor) => y.topk(3, dim), [x]);
    check_both(`argsort ${dim}`, (y: Tensor) => y.argsort(dim, true), [x]);
    check_both(`transposed ${dim}`, (y: Tensor) => torch.sort(y.transpose(0, 2), dim), [x]);
    check_both(`every second ${dim}`, (y: Tensor) => y.as_strided([2, 5, 3], [60, 6, 2], 1).sort(dim), [
      sample([8, 5, 6]),
    ]);
  }
  check_both("a number", (y: Tensor) => torch.sort(y), [torch.tensor(3)]);
  check_both("a number's topk", (y: Tensor) => torch.topk(y, 1), [torch.tensor(3)]);
  check_both("nothing", (y: Tensor) => torch.sort(y), [torch.zeros([3, 0])]);
  check_both("none of it", (y: Tensor) => torch.topk(y, 0), [x]);
  check_both("no rows", (y: Tensor) => torch.topk(y, 2), [torch.zeros([0, 3])]);
});

test("into an out= that is the input", () => {
  const x = sample([3, 50]).to("webgpu");
  const want = x.cpu().sort();
  const places = torch.empty([3, 50], { dtype: torch.int64, device: "webgpu" });
  torch.sort(x, { out: [x, places] });
  expect(x.cpu().equal(want[0])).toBe(true);
  expect(places.cpu().equal(want[1])).toBe(true);
});

test("gradients", () => {
  const grad = (f: (x: Tensor) => Tensor) => (x: Tensor) => {
    const leaf = x.detach().requires_grad_(true);
    const y = f(leaf);
    y.mul(y).sum().backward();
    return leaf.grad as Tensor;
  };
  check_both(
    "sort",
    grad((x) => x.sort(0)[0]),
    [sample([6, 5])],
  );
  check_both(
    "topk",
    grad((x) => x.topk(2)[0]),
    [sample([6, 5])],
  );
});

function thrown(fn: () => unknown): Error {
  try {
    fn();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

test("topk of bools is refused", () => {
  for (const [device, name] of [
    ["cpu", "CPU"],
    ["webgpu", "WebGPU"],
  ] as const) {
    const error = thrown(() => torch.ones([3]).bool().to(device).topk(1));
    expect([error.name, error.message]).toEqual(["RuntimeError", `topk does not support bool dtypes on ${name}`]);
  }
});
