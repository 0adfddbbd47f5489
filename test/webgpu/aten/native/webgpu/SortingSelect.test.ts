/**
 * @file One element of each line, the k-th, the middle, the most frequent; and each element once: of every dtype, NaN, equal ones, along every dim.
 * @original
 */
import { afterAll, describe, expect, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);

const DTYPES = [torch.float32, torch.float16, torch.bfloat16, torch.int32, torch.uint8, torch.int8, torch.int64];

/** A tensor with few different values, so that many elements are equal. */
function repeated(shape: number[], dtype = torch.float32): Tensor {
  torch.manual_seed(5);
  return torch.randint(0, 9, shape).to(dtype);
}

/** Which of equal ones is told is open: what stands there is not. */
function by_elements(f: (x: Tensor) => Tensor[], dim = -1): (x: Tensor) => Tensor[] {
  return (x) => {
    const [values, indices] = f(x);
    return [values, x.gather(dim, indices)];
  };
}

describe("one element of a line", () => {
  test("of every dtype, with equal ones", () => {
    for (const dtype of DTYPES) {
      const x = repeated([3, 21], dtype);
      for (const k of [1, 9, 21])
        check_both(
          `kthvalue ${k} ${dtype}`,
          by_elements((y) => y.kthvalue(k, 1, true)),
          [x],
        );
      check_both(`median ${dtype}`, (y: Tensor) => y.median(1), [x]);
      check_both(`nanmedian ${dtype}`, (y: Tensor) => y.nanmedian(1), [x]);
      check_both(
        `mode ${dtype}`,
        by_elements((y) => y.mode(1, true)),
        [x],
      );
    }
    check_both(
      "mode of bools",
      by_elements((y) => y.mode(1, true)),
      [sample([4, 15], torch.bool)],
    );
    expect(() => torch.ones([3]).bool().to("webgpu").kthvalue(1)).toThrow("not implemented for 'Bool'");
  });

  test("short lines: also which of equal ones", () => {
    for (const n of [1, 2, 5, 15, 16]) {
      check_both(`mode ${n}`, (y: Tensor) => y.mode(1), [repeated([9, n], torch.int64)]);
      check_both(`median ${n}`, (y: Tensor) => y.median(1), [repeated([9, n])]);
    }
  });

  test("long lines", () => {
    check_both(
      "kthvalue",
      by_elements((y) => y.kthvalue(700, 1, true)),
      [sample([2, 1500])],
    );
    check_both("median", (y: Tensor) => y.median(1), [sample([2, 1500])]);
    check_both(
      "mode",
      by_elements((y) => y.mode(1, true)),
      [repeated([2, 1500], torch.int32)],
    );
  });

  test("NaN: the median's own, not counted by nanmedian, the last of all", () => {
    const nan = Number.NaN;
    const x = torch.tensor([
      [3, nan, 1, nan, 2],
      [nan, nan, nan, nan, nan],
      [5, 4, 1, 2, 3],
      [-0, nan, 0, -Infinity, Infinity],
    ]);
    for (const dtype of [torch.float32, torch.float16, torch.bfloat16])
      for (const [name, f] of [
        ["median", (y: Tensor) => y.median(1)],
        ["nanmedian", (y: Tensor) => y.nanmedian(1)],
        ["median of columns", (y: Tensor) => y.median(0)],
        ["kthvalue", (y: Tensor) => y.kthvalue(3, 1)[0]],
        ["median of all", (y: Tensor) => y.median()],
        ["nanmedian of all", (y: Tensor) => y.nanmedian()],
      ] as const)
        check_both(`${name} ${dtype}`, f, [x.to(dtype)]);
  });

  test("along every dim, of what is not contiguous, of a number, of nothing, into an out=", () => {
    const x = sample([4, 5, 6]);
    for (const dim of [0, 1, 2, -1])
      for (const keepdim of [false, true])
        for (const f of [
          (y: Tensor) => y.kthvalue(2, dim, keepdim),
          (y: Tensor) => y.median(dim, keepdim),
          (y: Tensor) => y.nanmedian(dim, keepdim),
          (y: Tensor) => y.mode(dim, keepdim),
        ]) {
          check_both(`${f} ${dim} ${keepdim}`, f, [x]);
          check_both(`${f} ${dim} ${keepdim} of a part`, (y: Tensor) => f(y.transpose(0, 2).narrow(1, 1, 3)), [x]);
        }
    for (const f of [(y: Tensor) => y.kthvalue(1), (y: Tensor) => y.median(0), (y: Tensor) => y.mode()])
      check_both(`${f} of a number`, f, [torch.tensor(3.5)]);
    check_both("median of nothing", (y: Tensor) => y.median(), [torch.zeros([0, 3])]);
    check_both("no lines", (y: Tensor) => y.median(1), [torch.zeros([0, 3])]);
    check_both("mode of no lines", (y: Tensor) => y.mode(1), [torch.zeros([0, 3])]);
    const out = [torch.zeros([4, 6]), torch.zeros([4, 6], { dtype: torch.int64 })].map((t) => t.to("webgpu")) as [
      Tensor,
      Tensor,
    ];
    torch.median(x.to("webgpu"), 1, { out });
    const want = x.median(1) as Tensor[];
    for (const [k, t] of out.entries()) expect(t.cpu().equal(want[k])).toBe(true);
  });

  test("gradients", () => {
    const grad = (f: (x: Tensor) => Tensor) => (x: Tensor) => {
      const leaf = x.detach().requires_grad_(true);
      const y = f(leaf);
      y.mul(y).sum().backward();
      return leaf.grad as Tensor;
    };
    for (const f of [
      (x: Tensor) => x.kthvalue(2, 0)[0],
      (x: Tensor) => x.median(1)[0],
      (x: Tensor) => x.median(),
      (x: Tensor) => x.mode(0)[0],
    ])
      check_both(`${f}`, grad(f), [sample([6, 5])]);
  });
});

describe("each once", () => {
  const told = { return_inverse: true, return_counts: true };
  const results = [
    ["unique", (y: Tensor) => torch.unique(y, told)],
    ["unique_consecutive", (y: Tensor) => torch.unique_consecutive(y, told)],
  ] as const;

  test("elements, of every dtype", () => {
    for (const [name, f] of results)
      for (const dtype of [...DTYPES, torch.bool]) {
        check_both(`${name} ${dtype}`, f, [repeated([4, 6], dtype)]);
        check_both(`${name} ${dtype} of a part`, (y: Tensor) => f(y.t().narrow(0, 1, 3)), [repeated([4, 6], dtype)]);
      }
    for (const [name, f] of results) {
      check_both(`${name} of many`, f, [repeated([2500], torch.int64)]);
      check_both(`${name} of one`, f, [torch.tensor([2.5])]);
      check_both(`${name} of a number`, f, [torch.tensor(2.5)]);
      check_both(`${name} of nothing`, f, [torch.zeros([0, 3])]);
    }
    check_both("alone", (y: Tensor) => torch.unique(y), [repeated([30])]);
    check_both("alone, neighbours", (y: Tensor) => torch.unique_consecutive(y), [repeated([30])]);
  });

  test("NaN is no NaN's equal, -0 is 0's", () => {
    const odd = torch.tensor([Number.NaN, 1, -0, 0, Number.NaN, Infinity, 1, -Infinity, 0, -0]);
    for (const [name, f] of results)
      for (const dtype of [torch.float32, torch.float16]) check_both(`${name} ${dtype}`, f, [odd.to(dtype)]);
  });

  test("slices along a dim", () => {
    for (const dtype of [torch.float32, torch.int64, torch.bool, torch.float16]) {
      const x = sample([6, 2, 3], torch.bool).to(dtype);
      for (const dim of [0, 1, 2]) {
        check_both(`unique ${dim} ${dtype}`, (y: Tensor) => torch.unique(y, { dim, ...told }), [x]);
        check_both(`consecutive ${dim} ${dtype}`, (y: Tensor) => torch.unique_consecutive(y, { dim, ...told }), [x]);
      }
    }
    const rows = sample([70, 2], torch.int64).abs().div(3, { rounding_mode: "floor" });
    check_both("many rows", (y: Tensor) => torch.unique(y, { dim: 0, ...told }), [rows]);
    const odd = torch.tensor([1, Number.NaN, 1, Number.NaN, 1, 2, 0, 5, 1, 2]).view([5, 2]);
    // The CPU's order of rows with NaN follows the steps of its sort; the device puts NaN last.
    const [of_odd, inverse, counts] = torch.unique(odd.to("webgpu"), { dim: 0, ...told }) as unknown as Tensor[];
    const nan = Number.NaN;
    expect(of_odd?.tolist()).toEqual([
      [0, 5],
      [1, 2],
      [1, nan],
      [1, nan],
    ]);
    expect([inverse?.tolist(), counts?.tolist()]).toEqual([
      [2, 3, 1, 0, 1],
      [1, 2, 1, 1],
    ]);
    check_both("no rows", (y: Tensor) => torch.unique(y, { dim: 0, ...told }), [torch.zeros([0, 3])]);
    expect(() => torch.unique(torch.zeros([0, 3]).to("webgpu"), { dim: 1 })).toThrow("0 sized dimensions");
  });
});
