/**
 * @file Which loop a call takes, and that it does not matter for the result: in the heap, staged, in JavaScript.
 * @original
 */
import torch from "glasstorch";
import { record } from "glasstorch/trace";
import { beforeEach, describe, expect, it } from "vitest";
import { set_least_elements_for_vectors } from "#aten/native/cpu/VecLoops";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { tensors_in_heap } from "../../../helpers/heap_stress.ts";

type Tensor = ReturnType<typeof torch.ones>;

/** What the trace says of the loops of a call. */
function loops_of(call: () => unknown): unknown[] {
  const events = record(call).events.filter((e) => e.kind === "loop");
  return events.map((e) => [e.name, e["capability"], e["memory"] ?? e["why"]]);
}

/** In memory of the caller's own. */
function foreign(n: number): Tensor {
  return torch.from_numpy(Float32Array.from({ length: n }, (_, i) => i / 8 - 3));
}

beforeEach(() => set_least_elements_for_vectors(16));

describe.runIf(get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap)("the loop that a call takes", () => {
  it("is a vector loop where rows are long enough, and a trace says so", () => {
    const [x, y] = [torch.ones(16), torch.ones(15)];
    expect(loops_of(() => x.mul(x))).toEqual([["at::native::mul", "SIMD128", "heap"]]);
    expect(loops_of(() => y.mul(y))).toEqual([["at::native::mul", "DEFAULT", "n < 16"]]);
    const [few, many] = [torch.ones([15, 16]).t(), torch.ones([40, 40]).t()];
    const [beside_few, beside_many] = [torch.ones([16, 15]), torch.ones([40, 40])];
    expect(loops_of(() => few.mul(beside_few))).toEqual([["at::native::mul", "DEFAULT", "strides [1, 1, 15]"]]);
    expect(loops_of(() => many.mul(beside_many))).toEqual([["at::native::mul", "SIMD128", "staged"]]);
    expect(loops_of(() => torch.ones(16, { dtype: torch.int64 }).div_(3, { rounding_mode: "trunc" })).at(-1)).toEqual([
      "at::native::div_trunc",
      "DEFAULT",
      "TORCH_CHECK may throw",
    ]);
  });

  it("is seen of rows that are taken whole: norms, scans, ranges", () => {
    const [x, whole] = [torch.ones([40, 50]), torch.ones([40, 50], { dtype: torch.int64 })];
    const norm = (dim: number, p = 2) => torch.linalg.vector_norm(x, p, dim);
    expect(loops_of(() => norm(1))).toEqual([["at::native::norm_two_rows", "SIMD128", "heap"]]);
    expect(loops_of(() => norm(0))).toEqual([["at::native::norm_two", "DEFAULT", "not the last dim alone"]]);
    expect(loops_of(() => norm(1, 3))).toEqual([["at::native::norm_p", "DEFAULT", "no vector loop"]]);
    expect(loops_of(() => torch.linalg.vector_norm(x.narrow(1, 0, 15), 2, 1))).toEqual([
      ["at::native::norm_two_row", "DEFAULT", "too few elements"],
    ]);
    expect(loops_of(() => whole.cumsum(0))).toEqual([["at::native::cumsum_line", "SIMD128", "heap"]]);
    expect(loops_of(() => whole.cumprod(1))).toEqual([["at::native::cumprod_line", "SIMD128", "heap"]]);
    expect(loops_of(() => x.cumsum(0))).toEqual([["at::native::cumsum_line", "DEFAULT", "a dtype without vectors"]]);
    const halves = x.to(torch.float16);
    const out = torch.from_numpy(new BigInt64Array(50));
    expect(loops_of(() => halves.cumsum(0))).toEqual([["at::native::cumsum_line", "SIMD128", "heap"]]);
    expect(loops_of(() => torch.cumsum(whole.select(0, 0), 0, { out }))).toEqual([
      ["at::native::cumsum_line", "DEFAULT", "no heap"],
    ]);
    expect(loops_of(() => torch.arange(16))).toEqual([["at::native::arange_of_integers", "SIMD128", "heap"]]);
    expect(loops_of(() => torch.arange(15))).toEqual([["at::native::arange_integral", "DEFAULT", "too few elements"]]);
    expect(loops_of(() => torch.arange(2n ** 60n, 2n ** 60n + 2n))).toEqual([
      ["at::native::arange_int64", "DEFAULT", "too few elements"],
    ]);
    expect(loops_of(() => torch.arange(16.5))).toEqual([
      ["at::native::arange_floating", "DEFAULT", "a dtype without vectors"],
    ]);
  });

  it("stages what is not in the heap", () => {
    const [x, y] = [foreign(16), torch.ones(16)];
    expect(loops_of(() => x.mul(y))).toEqual([["at::native::mul", "SIMD128", "staged"]]);
    expect(loops_of(() => foreign(15).mul(foreign(15)))).toEqual([["at::native::mul", "DEFAULT", "n < 16"]]);
  });
});

describe("staged loops give what the others give", () => {
  for (const n of [16, 17, 100, 1000, 16384, 16385, 50000]) {
    it(`${n} elements`, () => {
      const x = foreign(n);
      const inside = x.clone();
      const scalar = torch.tensor(2.5);
      const same = (f: (t: Tensor) => Tensor): void => expect(torch.equal(f(x), f(inside))).toBe(true);
      same((t) => t.mul(t));
      same((t) => t.add(scalar, { alpha: 3 }));
      same((t) => t.lt(0.5));
      same((t) => torch.where(t.gt(1), t, scalar));
      same((t) => t.to(torch.float64));
      const [a, b] = [foreign(n), foreign(n).clone()];
      a.mul_(a).add_(1);
      b.mul_(b).add_(1);
      expect(torch.equal(a, b)).toBe(true);
    });
  }

  it("rows with gaps between them", () => {
    const base = foreign(40 * 300).view([40, 300]);
    const part = base.narrow(1, 10, 280);
    expect(torch.equal(part.mul(part), part.clone().mul(part.clone()))).toBe(true);
    base.narrow(1, 10, 280).mul_(2);
    const [first, inside] = [base.select(1, 9).tolist(), base.select(1, 10).tolist()] as [number[], number[]];
    expect(first.slice(0, 3)).toEqual([9, 309, 609].map((i) => i / 8 - 3));
    expect(inside.slice(0, 3)).toEqual([10, 310, 610].map((i) => 2 * (i / 8 - 3)));
  });

  const dtypes = [torch.uint8, torch.bool, torch.int16, torch.float16, torch.float32, torch.int64, torch.float64];
  it.each(dtypes.map((dtype) => [`${dtype}`, dtype] as const))("elements that lie apart: %s", (_, dtype) => {
    const x = torch
      .arange(3 * 40 * 70)
      .remainder(97)
      .sub(11)
      .to(dtype)
      .view([3, 40, 70]);
    const apart = [
      x.permute([2, 1, 0]),
      x.permute([1, 2, 0]),
      x.permute([0, 2, 1]),
      x.select(2, 5),
      x.narrow(2, 60, 7),
      x.unfold(2, 4, 2),
      x.select(1, 0).select(1, 0).view([3, 1, 1]).expand([3, 40, 70]).permute([1, 2, 0]),
    ];
    for (const t of apart) {
      const together = t.contiguous();
      expect(together.reshape([-1]).tolist()).toEqual(t.reshape([-1]).tolist());
      const same = (f: (t: Tensor, other: Tensor) => Tensor): void => {
        const wanted = f(together, together);
        for (const other of [t, together]) {
          expect(torch.equal(f(t, other), wanted)).toBe(true);
          expect(torch.equal(f(other, t), wanted)).toBe(true);
        }
      };
      same((a, b) => (dtype.is_floating_point ? a.mul(b) : a.bitwise_or(b)));
      same((a, b) => a.ge(b.flip([0])));
      same((a, b) => torch.where(a.eq(b), a, b));
    }
    const turned = x.clone();
    turned.permute([2, 0, 1]).add_(x.permute([2, 0, 1]));
    expect(torch.equal(turned, x.add(x))).toBe(true);
  });

  it("one value for each row", () => {
    const column = foreign(20).view([20, 1]);
    const wanted = column.expand([20, 30]).contiguous();
    expect(wanted.select(1, 29).tolist()).toEqual(column.reshape([-1]).tolist());
    expect(torch.equal(torch.zeros([20, 30]).add(column), wanted)).toBe(true);
  });

  it("rows too short for vectors, one behind the other", () => {
    const [x, bias] = [foreign(5 * 1000).view([1000, 5]), foreign(5)];
    const wanted = x.add(bias.expand([1000, 5]).contiguous());
    expect(torch.equal(x.add(bias), wanted)).toBe(true);
    expect(torch.equal(x.clone().add(bias.clone()), wanted)).toBe(true);
    expect(torch.equal(x.t().clone().t().add(bias), wanted)).toBe(true);
  });
});
