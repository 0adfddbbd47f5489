/**
 * @file Which loop a call takes, and that it does not matter for the result: in the heap, staged, in JavaScript.
 * @original
 */
import torch from "glasstorch";
import { record } from "glasstorch/trace";
import { beforeEach, describe, expect, it } from "vitest";
import { set_least_elements_for_vectors } from "#aten/native/cpu/Loops/VecLoops";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { tensors_in_heap } from "../../../helpers/heap_stress.ts";

type Tensor = ReturnType<typeof torch.ones>;

/** The trace's notes on the loops of a call. */
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
    expect(loops_of(() => norm(0))).toEqual([["at::native::norm_two", "DEFAULT", "rows that are not contiguous"]]);
    expect(loops_of(() => norm(1, 3))).toEqual([["at::native::norm_p", "DEFAULT", "no SIMD loop"]]);
    expect(loops_of(() => torch.linalg.vector_norm(x.narrow(1, 0, 15), 2, 1))).toEqual([
      ["at::native::norm_two_row", "DEFAULT", "too few elements"],
    ]);
    expect(loops_of(() => whole.cumsum(0))).toEqual([["at::native::cumsum_line", "SIMD128", "heap"]]);
    expect(loops_of(() => whole.cumprod(1))).toEqual([["at::native::cumprod_line", "SIMD128", "heap"]]);
    expect(loops_of(() => x.cumsum(0))).toEqual([
      ["at::native::cumsum_line", "DEFAULT", "no SIMD kernel for this dtype"],
    ]);
    const halves = x.to(torch.float16);
    const out = torch.from_numpy(new BigInt64Array(50));
    expect(loops_of(() => halves.cumsum(0))).toEqual([["at::native::cumsum_line", "SIMD128", "heap"]]);
    expect(loops_of(() => torch.cumsum(whole.select(0, 0), 0, { out }))).toEqual([
      ["at::native::cumsum_line", "DEFAULT", "not in the heap"],
    ]);
    expect(loops_of(() => torch.arange(16))).toEqual([["at::native::arange_of_integers", "SIMD128", "heap"]]);
    expect(loops_of(() => torch.arange(15))).toEqual([["at::native::arange_integral", "DEFAULT", "too few elements"]]);
    expect(loops_of(() => torch.arange(2n ** 60n, 2n ** 60n + 2n))).toEqual([
      ["at::native::arange_int64", "DEFAULT", "too few elements"],
    ]);
    expect(loops_of(() => torch.arange(16.5))).toEqual([
      ["at::native::arange_floating", "DEFAULT", "no SIMD kernel for this dtype"],
    ]);
  });

  it("is seen of rows without an iterator: the steps of an LSTM", () => {
    const steps = (hidden_size: number) => {
      const [net, x] = [new torch.nn.LSTM(3, hidden_size), torch.randn([2, 4, 3])];
      return loops_of(() => net(x)).filter((loop) => (loop as string[])[0] === "at::native::lstm_step");
    };
    expect(steps(16)).toEqual(new Array(2).fill(["at::native::lstm_step", "SIMD128", "heap"]));
    expect(steps(15)).toEqual(new Array(2).fill(["at::native::lstm_step", "DEFAULT", "too few elements"]));
  });

  it("stages what is not in the heap", () => {
    const [x, y] = [foreign(16), torch.ones(16)];
    expect(loops_of(() => x.mul(y))).toEqual([["at::native::mul", "SIMD128", "staged"]]);
    expect(loops_of(() => foreign(15).mul(foreign(15)))).toEqual([["at::native::mul", "DEFAULT", "n < 16"]]);
  });
});

describe("masked_fill_", () => {
  const every = (n: number, k: number) => torch.arange(n).remainder(k).eq(0);

  it.runIf(get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap)("runs one loop, with vectors", () => {
    const [x, mask] = [torch.ones([40, 50]), every(50, 3)];
    const fill = (t: Tensor, m: Tensor) => loops_of(() => t.masked_fill_(m, 7));
    expect(fill(x, mask)).toEqual([["at::native::masked_fill", "SIMD128", "heap"]]);
    expect(fill(x.t(), every(2000, 3).view([50, 40]))).toEqual([["at::native::masked_fill", "SIMD128", "staged"]]);
    expect(fill(torch.ones(15), every(15, 2))).toEqual([["at::native::masked_fill", "DEFAULT", "n < 16"]]);
    expect(fill(x.unfold(0, 30, 1).transpose(1, 2), every(50, 3))).toEqual([
      ["at::native::masked_fill", "DEFAULT", "elements that may share memory"],
    ]);
  });

  const dtypes = [torch.bool, torch.uint8, torch.int16, torch.int64, torch.float16, torch.bfloat16, torch.float64];
  it.each(dtypes.map((dtype) => [`${dtype}`, dtype] as const))("what the mask leaves out stays: %s", (_, dtype) => {
    const x = torch
      .arange(40 * 70)
      .remainder(11)
      .to(dtype)
      .view([40, 70]);
    for (const mask of [every(70, 3), every(40, 3).view([40, 1]), every(40 * 70, 3).view([40, 70])]) {
      const wanted = torch.where(mask, torch.tensor(1, { dtype }), x);
      expect(torch.equal(x.clone().masked_fill_(mask, 1), wanted)).toBe(true);
      const turned = x.t().clone().t();
      expect(torch.equal(turned.masked_fill_(mask, 1), wanted)).toBe(true);
      const part = torch.zeros([40, 80], { dtype }).narrow(1, 3, 70).copy_(x);
      expect(torch.equal(part.masked_fill_(mask, 1), wanted)).toBe(true);
    }
  });

  it("fills memory that elements share if the mask is true of any of them", () => {
    const rows = torch.arange(60, { dtype: torch.float32 }).clone();
    rows.as_strided([30, 30], [1, 1]).masked_fill_(torch.eye(30).eq(1), -1); // (i, i) is element 2 i
    expect(rows.tolist()).toEqual(Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? -1 : i)));
    const one = torch.zeros([1]);
    one.as_strided([2000], [0]).masked_fill_(every(2000, 1500), 5);
    expect(one.tolist()).toEqual([5]);
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
