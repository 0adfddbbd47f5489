/** @file Which kernel runs, as a trace tells: vectors, from the heap or from copies, or none and why. And what it gives. */
import torch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { describe, expect, test } from "vitest";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { heap_may_be_full, tensors_in_heap } from "../../../../helpers/heap_stress.ts";
import { random } from "./memory.ts";

// biome-ignore lint/suspicious/noExplicitAny: what an event holds
type Loop = any;

/** The last loop of a call that has vectors or might have. */
function loop_of(run: () => unknown): Loop {
  const loops = record(run).events.filter((e) => e.kind === "loop") as Loop[];
  return loops
    .filter((e) =>
      /(Blas|Sum|SoftMax|ReduceAllOps)Kernel|vec\/(?:blas|softmax)\/kernel|vec\/reduce\/(?:sum|all)/.test(e.file),
    )
    .at(-1);
}

const vectors = get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap;

function matrix(rows: number, columns: number, seed = 1, dtype = torch.float32): Tensor {
  const next = random(seed);
  return torch.tensor(
    Array.from({ length: rows }, () => Array.from({ length: columns }, next)),
    { dtype },
  );
}

/** a @ b in double, and what rounding may make of it: k roundings of the terms' absolute values. */
function check_product(out: Tensor, a: Tensor, b: Tensor, eps = 2 ** -24): void {
  const [x, y, z] = [a.tolist(), b.tolist(), out.tolist()] as number[][][];
  for (const [i, row] of z.entries())
    for (const [j, value] of row.entries()) {
      let [sum, size] = [0, 0];
      for (const [p, factor] of x[i].entries()) {
        sum += factor * y[p][j];
        size += Math.abs(factor * y[p][j]);
      }
      expect(Math.abs(value - sum)).toBeLessThanOrEqual((x[0].length + 4) * eps * size);
    }
}

/** A copy of a tensor in memory outside the heap. */
function elsewhere(t: Tensor): Tensor {
  const copy = t.clone();
  (t.element_size() === 2 ? copy.view(torch.int16) : copy).numpy(); // what the user has seen leaves the heap
  return copy;
}

describe.runIf(vectors)("matrix products", () => {
  test("operands and results of every layout", () => {
    const a = matrix(20, 30);
    const b = matrix(30, 17, 2);
    const operands = (t: Tensor): Tensor[] => [t, t.t().contiguous().t(), torch.stack([t, t], 2).select(2, 1)];
    for (const x of operands(a)) for (const y of operands(b)) check_product(torch.mm(x, y), a, b);
    for (const out of [torch.empty([20, 17]), torch.empty([17, 20]).t(), torch.empty([20, 17, 2]).select(2, 0)])
      check_product(torch.mm(a, b, { out }), a, b);
  });
  test("float64, and a product with a bias", () => {
    const [a, b] = [matrix(20, 30, 1, torch.float64), matrix(30, 17, 2, torch.float64)];
    expect(loop_of(() => torch.mm(a, b)).capability).toBe("SIMD128");
    check_product(torch.mm(a, b), a, b, 2 ** -53);
    const bias = matrix(1, 17, 3, torch.float64);
    const sum = torch.addmm(bias, a, b, { beta: 0.5, alpha: 2 });
    const parts = torch.mm(a, b).mul(2).add(bias.mul(0.5));
    expect(sum.sub(parts).abs().max().item()).toBeLessThan(1e-14);
  });
  test("a batch, its items apart, repeated or transposed", () => {
    const next = random(4);
    const make = (...sizes: number[]): Tensor =>
      torch.tensor(Array.from({ length: sizes.reduce((p, q) => p * q) }, next)).view(sizes);
    const a = make(3, 12, 14);
    const b = make(3, 14, 10);
    for (const x of [a, a.transpose(1, 2).contiguous().transpose(1, 2), a.select(0, 1).expand([3, 12, 14])])
      for (const y of [b, b.transpose(1, 2).contiguous().transpose(1, 2)]) {
        const out = torch.bmm(x, y);
        for (let i = 0; i < 3; i++) check_product(out.select(0, i), x.select(0, i), y.select(0, i));
      }
    expect(loop_of(() => torch.bmm(a, b))).toMatchObject({ capability: "SIMD128", memory: "heap" });
  });
  test.each([
    [torch.float16, 2 ** -11],
    [torch.bfloat16, 2 ** -8],
  ] as const)("%s: floats between, rounded once", (dtype, eps) => {
    /** Checks every element within the error of float and one rounding: the sum of k products, `size` in total magnitude. */
    const check = (out: Tensor, want: Tensor, size: Tensor, k: number): void => {
      const most = want
        .abs()
        .mul(eps)
        .add(size.mul((k + 4) * 2 ** -24));
      expect(out.double().sub(want).abs().le(most).all().item()).toBe(true);
      expect([out.dtype, out.shape]).toEqual([dtype, want.shape]);
    };
    const random_halves = (...sizes: number[]): Tensor => torch.randn(sizes).to(dtype);
    const layouts = (t: Tensor): Tensor[] => [
      t,
      t.transpose(-1, -2).contiguous().transpose(-1, -2),
      torch.stack([t, t], -1).select(-1, 1),
    ];
    torch.manual_seed(0);
    for (const [m, n, k] of [
      [33, 17, 5],
      [64, 64, 64],
      [1, 100, 300],
      [100, 1, 77],
      [13, 9, 700],
    ] as const) {
      const [a, b, c] = [random_halves(m, k), random_halves(k, n), random_halves(m, n)];
      const [x, y, z] = [a.double(), b.double(), c.double()];
      const size = x.abs().mm(y.abs());
      const sum = x.mm(y).mul(2).add(z.mul(0.5));
      for (const left of layouts(a))
        for (const right of layouts(b)) {
          check(torch.mm(left, right), x.mm(y), size, k);
          for (const bias of layouts(c))
            check(torch.addmm(bias, left, right, { beta: 0.5, alpha: 2 }), sum, size.mul(2).add(z.abs()), k);
        }
      for (const out of layouts(random_halves(m, n))) check(torch.mm(a, b, { out }), x.mm(y), size, k);
    }
    const [a, b] = [random_halves(3, 12, 14), random_halves(3, 14, 10)];
    for (const x of [...layouts(a), a.select(0, 1).expand([3, 12, 14])])
      for (const y of layouts(b))
        check(torch.bmm(x, y), x.double().bmm(y.double()), x.double().abs().bmm(y.double().abs()), 14);
    expect(loop_of(() => torch.bmm(a, b))).toMatchObject({ capability: "SIMD128", memory: "heap" });
    const apart = elsewhere(a);
    expect(torch.bmm(apart, b).tolist()).toEqual(torch.bmm(a, b).tolist());
    expect(loop_of(() => torch.bmm(apart, b))).toMatchObject({ capability: "SIMD128", memory: "staged" });
  });
  test("matrix times vector, and dot", () => {
    const a = matrix(40, 33);
    const [x] = matrix(1, 33, 2).unbind();
    for (const m of [a, a.t().contiguous().t()]) {
      check_product(torch.mv(m, x).unsqueeze(1), a, x.unsqueeze(1));
      expect(loop_of(() => torch.mv(m, x)).capability).toBe("SIMD128");
    }
    const [y] = matrix(1, 2000, 5).unbind();
    check_product(torch.dot(y, y).view([1, 1]), y.unsqueeze(0), y.unsqueeze(1));
    expect(loop_of(() => torch.dot(y, y)).capability).toBe("SIMD128");
    const twice = torch.stack([y, y], 1).select(1, 0);
    expect(loop_of(() => torch.dot(twice, twice)).scalar).toBe("at::native::dot_naive");
  });
  test("why not", () => {
    const [a, b] = [matrix(40, 40), matrix(40, 40, 2)];
    expect(loop_of(() => torch.mm(matrix(4, 4), matrix(4, 4)))).toMatchObject({
      capability: "DEFAULT",
      why: "m n k < 1024",
    });
    for (const dtype of [torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64])
      expect(loop_of(() => torch.mm(a.to(dtype), b.to(dtype)))).toMatchObject({
        capability: "SIMD128",
        memory: "heap",
      });
    expect(loop_of(() => torch.mv(a.short(), b.short().at(0)))).toMatchObject({
      capability: "DEFAULT",
      why: "no SIMD kernel for this dtype",
    });
    expect(loop_of(() => torch.mm(a, b))).toMatchObject({ capability: "SIMD128", memory: "heap" });
  });
  test.skipIf(heap_may_be_full)("what lies elsewhere is copied in, and the result out", () => {
    const [a, b] = [matrix(40, 50), elsewhere(matrix(50, 30, 2))];
    expect(loop_of(() => torch.mm(a, b))).toMatchObject({ capability: "SIMD128", memory: "staged" });
    const whole = elsewhere(torch.ones([60, 70]));
    const out = whole.narrow(0, 10, 40).narrow(1, 20, 30);
    check_product(torch.mm(a.t().contiguous().t(), b, { out }), a, b);
    out.fill_(1);
    expect(whole.eq(1).all().item(), "written beside the result").toBe(true);
  });
});

describe.runIf(vectors)("sums", () => {
  test.skipIf(heap_may_be_full)("results elsewhere: the same bits", () => {
    const x = matrix(70, 90);
    for (const [dim, n] of [[0, 90] as const, [1, 70] as const])
      for (const out of [elsewhere(torch.empty([n])), elsewhere(torch.empty([n, 3])).select(1, 1)]) {
        expect(loop_of(() => torch.sum(x, dim, { out }))).toMatchObject({ capability: "SIMD128" });
        expect(out.tolist()).toEqual(x.sum(dim).tolist());
      }
  });
  test("rows, columns, a part of each; the same bits from memory elsewhere", () => {
    const x = matrix(70, 90);
    const far = elsewhere(x);
    for (const of of [
      (t: Tensor) => t.sum(),
      (t: Tensor) => t.sum(0),
      (t: Tensor) => t.sum(1),
      (t: Tensor) => t.t().sum(1),
      (t: Tensor) => t.narrow(1, 3, 57).sum(1),
      (t: Tensor) => t.narrow(1, 3, 57).sum(0),
      (t: Tensor) => t.view([7, 10, 90]).sum([0, 2]),
      (t: Tensor) => t.view([7, 10, 90]).sum(1, true),
      (t: Tensor) => t.mean(1),
    ]) {
      expect(of(x).tolist()).toEqual(of(far).tolist());
      expect(loop_of(() => of(x))).toMatchObject({ capability: "SIMD128", memory: "heap" });
      expect(loop_of(() => of(far))).toMatchObject({ capability: "DEFAULT", why: "not in the heap" });
    }
  });
  test("the result is cleared before the loop, by the kernel that the stub called", () => {
    const trace = record(() => torch.sum(matrix(70, 90), 1));
    const stub = trace.events.find((e) => e.kind === "stub" && e.name === "at::native::sum_stub");
    const below = trace.children(stub ?? null).map((e) => e.name);
    expect(below).toEqual(["at::_ops::fill__Scalar::call", "at::native::sum_inner"]);
  });
  test("why not", () => {
    expect(loop_of(() => matrix(1, 7).sum()).why).toMatch(/^no 32 contiguous bytes: strides \[/);
    expect(loop_of(() => matrix(8, 8).half().sum())).toMatchObject({ capability: "SIMD128", dtype: "Half" });
    expect(loop_of(() => matrix(8, 8).gt(0).sum({ dtype: torch.bool })).why).toBe("no SIMD kernel for this dtype");
    expect(loop_of(() => matrix(9, 64).view([9, 32, 2]).select(2, 0).sum(1)).why).toBe(
      "no 32 contiguous bytes: strides [2,64]",
    );
  });
});

describe.runIf(vectors)("softmax", () => {
  test.skipIf(heap_may_be_full)("the heap's rows, rows copied in, too short ones", () => {
    const x = matrix(40, 30);
    for (const f of [(t: Tensor) => torch.softmax(t, 1), (t: Tensor) => torch.log_softmax(t, 1)]) {
      const out = f(x);
      expect(loop_of(() => f(x))).toMatchObject({ capability: "SIMD128", memory: "heap" });
      expect(loop_of(() => f(elsewhere(x)))).toMatchObject({ capability: "SIMD128", memory: "staged" });
      expect(f(elsewhere(x)).tolist()).toEqual(out.tolist());
      expect(out.sub(f(x.double())).abs().max().item()).toBeLessThan(1e-6);
      expect(loop_of(() => f(x.narrow(1, 0, 15)))).toMatchObject({
        capability: "DEFAULT",
        why: "rows of fewer than 16 elements",
      });
      expect(loop_of(() => f(x.half()))).toMatchObject({ capability: "SIMD128", dtype: "Half" });
      expect(loop_of(() => f(torch.zeros([1, 2 ** 19], { dtype: torch.bfloat16 }))).why).toBe(
        "rows too long for the scratch memory",
      );
    }
    expect(loop_of(() => torch.softmax(x, 0))).toMatchObject({
      capability: "SIMD128",
      scalar: "at::native::softmax_strips",
    });
    expect(loop_of(() => torch.softmax(x.narrow(1, 0, 3), 0)).why).toBe("fewer rows than SIMD lanes");
  });
});

describe.runIf(vectors)("the greatest and the smallest", () => {
  test("wherever they stand; a NaN wins; the same from memory elsewhere", () => {
    for (const dtype of [torch.float32, torch.float64])
      for (const n of [16, 17, 31, 40, 63, 64, 65, 130])
        for (const place of [0, 1, 15, n >> 1, n - 2, n - 1]) {
          const x = torch
            .arange(n, { dtype })
            .mul(0)
            .add(matrix(1, n, n, dtype).view([n]));
          x.select(0, place).fill_(7.5);
          expect(x.max().item()).toBe(7.5);
          expect(x.neg().min().item()).toBe(-7.5);
          expect(x.min().item()).toBe(elsewhere(x).min().item());
          x.select(0, place).fill_(Number.NaN);
          expect(x.max().item()).toBeNaN();
          expect(x.min().item()).toBeNaN();
        }
    const all = torch.full([33], -Infinity);
    expect([all.max().item(), all.min().item()]).toEqual([-Infinity, -Infinity]);
  });
  test("why not", () => {
    const x = matrix(4, 10);
    expect(loop_of(() => x.max())).toMatchObject({ capability: "SIMD128", scalar: "at::native::greatest" });
    expect(loop_of(() => x.narrow(1, 0, 3).min()).why).toBe("n < 16");
    expect(loop_of(() => x.half().max()).capability).toBe("SIMD128");
    expect(loop_of(() => x.short().max()).why).toBe("no SIMD kernel for this dtype");
    expect(loop_of(() => elsewhere(x).max()).why).toBe("not in the heap");
  });
});

describe.runIf(vectors)("products with few terms, and apart", () => {
  test("why not", () => {
    const x = matrix(1, 50).view([50]);
    expect(loop_of(() => torch.dot(x, x)).why).toBe("fewer than 1024 products");
    expect(loop_of(() => torch.mv(matrix(5, 50), x)).why).toBe("fewer than 1024 products");
  });
  test.skipIf(heap_may_be_full)("the same from memory elsewhere", () => {
    const [x, a] = [matrix(1, 2000).view([2000]), matrix(30, 2000, 3)];
    const far = elsewhere(x);
    expect(loop_of(() => torch.dot(far, x))).toMatchObject({ capability: "SIMD128", memory: "staged" });
    expect(torch.dot(far, x).item()).toBe(torch.dot(x, x).item());
    for (const b of [a, a.t().contiguous().t()]) {
      const out = elsewhere(torch.empty([30]));
      expect(loop_of(() => torch.mv(elsewhere(b), far, { out }))).toMatchObject({ memory: "staged" });
      expect(out.tolist()).toEqual(torch.mv(b, x).tolist());
      const [bias, far_bias] = [torch.ones([30]), elsewhere(torch.ones([30]))];
      expect(torch.addmv(far_bias, b, x).tolist()).toEqual(torch.addmv(bias, b, x).tolist());
    }
  });
});

describe.runIf(vectors)("the smallest and the greatest together", () => {
  test("of every length what min and max give; a NaN is both", () => {
    for (const dtype of [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.int64])
      for (const n of [1, 15, 16, 17, 31, 40, 65, 130]) {
        const x = matrix(1, n, n).view([n]).mul(1000).to(dtype);
        const both = (t: Tensor) => torch.aminmax(t).map((v: Tensor) => v.item());
        expect(both(x)).toEqual([x.min().item(), x.max().item()]);
        if (!x.is_floating_point()) continue;
        for (const place of [0, n >> 1, n - 1]) {
          const y = x.clone();
          y.select(0, place).fill_(Number.NaN);
          expect(both(y)).toEqual([Number.NaN, Number.NaN]);
          y.select(0, place).fill_(-Infinity);
          expect(both(y)[0]).toBe(-Infinity);
        }
      }
  });
  test("which loop", () => {
    const x = matrix(4, 10);
    const symbol = "at::native::least_and_greatest";
    expect(loop_of(() => x.aminmax())).toMatchObject({ capability: "SIMD128", scalar: symbol });
    const loops = record(() => x.narrow(1, 0, 3).aminmax()).events.filter((e) =>
      /Aminmax|vec\/(reduce|summary)\//.test(`${e["file"]}`),
    );
    expect(loops.at(-1)).toMatchObject({ capability: "DEFAULT", why: "n < 16" });
  });
});
