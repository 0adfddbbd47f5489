/**
 * @file Reductions: over every kind of dims, dtypes, layouts, with one workgroup an output, several outputs a workgroup, and several workgroups
 * an output; NaN, empty, no dim; the same bits at every run.
 * @original
 */
import { afterAll, describe, expect, test } from "vitest";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);

const SHAPES = [[5], [3, 4], [2, 3, 5], [1, 7], [70, 3], [3, 70], [4, 1, 6], [300]];
/** Cases for dtypes other than float32: only loads and stores differ. */
const FEW = [
  [3, 4],
  [70, 3],
  [3, 70],
];
const FLOATS = [torch.float32, torch.float16, torch.bfloat16];
const INTS = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool];

function dims_of(ndim: number): (number | number[] | null)[] {
  const single = Array.from({ length: ndim }, (_, d) => d);
  return [
    null,
    ...single,
    ...(ndim > 2
      ? [
          [0, 2],
          [1, 2],
        ]
      : []),
    ...(ndim > 1 ? [[0, 1]] : []),
  ];
}

/** A product of halves is held to floats: the device multiplies in them, as CUDA does; PyTorch's CPU, and ours, rounds each step to a half. */
const call =
  (name: string, ...args: unknown[]) =>
  (x: Tensor) => {
    const in_floats = name === "prod" && x.device.type === "cpu" && [torch.float16, torch.bfloat16].includes(x.dtype);
    const of = (in_floats ? x.float() : x) as unknown as Record<string, (...args: unknown[]) => Tensor>;
    const result = of[name](...args);
    return in_floats ? result.to(x.dtype) : result;
  };

describe.each(["sum", "mean", "amax", "amin", "prod", "any", "all", "norm", "var", "std"])("%s", (name) => {
  const one_dim = name === "prod";
  const floats_only = ["mean", "norm", "var", "std"].includes(name);
  const dtypes = floats_only ? FLOATS : [...FLOATS, ...INTS];
  test("of every dtype, along all dims, one, several", () => {
    for (const dtype of dtypes) {
      for (const shape of dtype === torch.float32 ? SHAPES : FEW) {
        for (const dim of dims_of(shape.length)) {
          if (one_dim && Array.isArray(dim)) continue;
          let x = sample(shape, dtype);
          if (name === "prod" && dtype.is_floating_point) x = x.mul(0.1).add(1);
          const loose = dtype === torch.float32 ? { rtol: 1e-5 } : {};
          const told = `${name} ${dtype} [${shape}] dim ${JSON.stringify(dim)}`;
          if (dim === null) check_both(told, name.startsWith("am") ? call(name, []) : call(name), [x], loose);
          else check_both(told, name === "norm" ? call(name, 2, dim) : call(name, dim), [x], loose);
          if (dim !== null)
            check_both(
              `${told} keepdim`,
              call(name, ...(name === "norm" ? [2] : []), dim, { keepdim: true }),
              [x],
              loose,
            );
        }
      }
    }
  });
  test("of views: transposed, every second, backwards, from an odd place", () => {
    for (const dtype of dtypes) {
      const x = sample([7, 6, 5], dtype);
      const views: ((x: Tensor) => Tensor)[] = [
        (t: Tensor) => t.transpose(0, 2),
        (t: Tensor) => t.at(torch.slice(null), torch.slice(1, 6, 2)),
        (t: Tensor) => t.flip(0),
        (t: Tensor) => t.flatten().narrow(0, 3, 200),
        (t: Tensor) => t.narrow(0, 2, 1).expand([4, 6, 5]),
      ].map((f) => f as unknown as (x: Tensor) => Tensor);
      for (const [k, view] of views.entries()) {
        const scaled = name === "prod" && dtype.is_floating_point ? x.mul(0.1).add(1) : x;
        const loose = dtype === torch.float32 ? { rtol: 1e-5 } : {};
        const dim = k === 3 ? 0 : 1;
        check_both(
          `${name} ${dtype} view ${k}`,
          (t: Tensor) => call(name, ...(name === "norm" ? [2] : []), dim)(view(t)),
          [scaled],
          loose,
        );
      }
    }
  });
  test("of many elements, in several workgroups", () => {
    const x = sample([40_000])
      .mul(name === "prod" ? 1e-3 : 1)
      .add(name === "prod" ? 1 : 0);
    const whole = name.startsWith("am") ? call(name, []) : call(name);
    check_both(`${name} of 40000`, whole, [x], { rtol: name === "prod" ? 1e-4 : 1e-5, atol: 1e-3 });
    const columns = x.reshape([2, 20_000]);
    check_both(`${name} of 2 rows`, call(name, ...(name === "norm" ? [2] : []), 1), [columns], {
      rtol: 1e-4,
      atol: 1e-3,
    });
    check_both(`${name} of 2 columns`, call(name, ...(name === "norm" ? [2] : []), 0), [columns.t()], {
      rtol: 1e-4,
      atol: 1e-3,
    });
  });
});

test("where extremes stand: the first of equal ones, NaN before all", () => {
  for (const dtype of [...FLOATS, torch.int64, torch.int32, torch.uint8]) {
    const x = sample([9, 11], dtype);
    for (const name of ["argmax", "argmin"]) {
      check_both(`${name} ${dtype}`, call(name), [x]);
      for (const dim of [0, 1, -1]) check_both(`${name} ${dtype} ${dim}`, call(name, dim), [x]);
    }
    for (const name of ["max", "min", "aminmax"]) {
      const along = name === "aminmax" ? call(name, { dim: 1 }) : call(name, 1);
      check_both(`${name} ${dtype}`, (t: Tensor) => Array.from(along(t)), [x]);
      check_both(
        `${name} ${dtype} of all`,
        (t: Tensor) => (name === "aminmax" ? Array.from(call(name)(t)) : call(name)(t)),
        [x],
      );
    }
  }
  const nan = torch.tensor([1, Number.NaN, 3, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  for (const name of ["argmax", "argmin", "max", "min", "sum", "nansum", "amax"])
    check_both(`${name} of NaN`, name === "amax" ? call(name, 0) : call(name), [nan]);
  const long = torch.zeros([5000]);
  check_both("argmax of zeros", call("argmax"), [long]);
  check_both("argmax of minus infinity", call("argmax"), [torch.full([5000], Number.NEGATIVE_INFINITY)]);
});

test("norms of every kind", () => {
  const x = sample([6, 50]);
  for (const p of [0, 1, 2, 3, 2.5, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    check_both(`norm ${p}`, (t: Tensor) => torch.linalg.vector_norm(t, p, 1), [x], { rtol: 1e-5 });
  }
});

test("moments: corrections, means beside them, far from 0", () => {
  const x = sample([5, 400]).add(1e3);
  for (const correction of [0, 1, 2, 400, 500]) {
    check_both(`var ${correction}`, (t: Tensor) => torch.var(t, 1, { correction }), [x], { rtol: 1e-3 });
  }
  check_both("var_mean", (t: Tensor) => Array.from(torch.var_mean(t, 1) as unknown as Tensor[]), [x], { rtol: 1e-3 });
  check_both("std_mean", (t: Tensor) => Array.from(torch.std_mean(t, 0) as unknown as Tensor[]), [x], { rtol: 1e-3 });
});

test("of nothing", () => {
  const x = torch.zeros([0, 3]);
  for (const name of ["sum", "prod", "any", "all", "mean"]) {
    check_both(`${name} of nothing`, call(name), [x]);
    check_both(`${name} of no rows`, call(name, 0), [x]);
  }
  for (const p of [0, 1, 2, 3])
    check_both(`norm ${p}`, (t: Tensor) => torch.linalg.vector_norm(t, p), [torch.zeros([0])]);
  const least_and_greatest = (t: Tensor): Tensor[] => Array.from(torch.aminmax(t, { dim: 0 }) as unknown as Tensor[]);
  check_both("aminmax", least_and_greatest, [torch.zeros([5, 0, 2])]);
});

test("into another dtype", () => {
  for (const name of ["sum", "nansum", "prod"] as const)
    check_both(`${name} as bool`, (t: Tensor) => t[name]({ dtype: torch.bool }).view(torch.uint8), [
      torch.tensor([0.5, 2, 3]),
    ]);
  const x = sample([50], torch.int8);
  check_both("sum int8 as float", (t: Tensor) => t.sum({ dtype: torch.float32 }), [x]);
  check_both("sum int8 as int32", (t: Tensor) => t.sum({ dtype: torch.int32 }), [x]);
  check_both("mean int8 as float", (t: Tensor) => t.mean({ dtype: torch.float32 }), [x]);
  check_both("sum half as float", (t: Tensor) => t.sum({ dtype: torch.float32 }), [sample([50], torch.float16)]);
});

test("the same bits at every run", () => {
  const x = sample([30_000]).to("webgpu");
  const first = x.sum().item();
  for (let i = 0; i < 5; i++) expect(x.sum().item()).toBe(first);
});
