/** @file batch_norm and its gradient with vectors: the kernels against double, and through the operator which of them runs, and what it gives. */
import torch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { beforeEach, describe, expect, test } from "vitest";
import { batch_norm_kernel_vec } from "#aten/native/cpu/vec/generated/batch_norm/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { heap_may_be_full, tensors_in_heap } from "../../../../helpers/heap_stress.ts";
import { clear, FLOATS, memory, Room, random } from "./memory.ts";

beforeEach(clear);

const [FLOAT] = FLOATS;
const kernels = batch_norm_kernel_vec.get(FLOAT.dtype, memory);

const [C, FIRST, ROWS] = [3, 2, 5];
const LENGTHS = [...Array.from({ length: 20 }, (_, n) => n + 1), 31, 32, 33, 1023, 1024, 1025, 2100];
/** The channel of row `i`. */
const channel = (i: number): number => (FIRST + i) % C;

const near = (actual: number, expected: number, tolerance: number): void =>
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance);

describe("the kernels", () => {
  test("sums of rows: of x, of squares about a mean, of gradients", () => {
    for (const n of LENGTHS) {
      clear();
      const next = random(n);
      const [x, dy, mean] = [
        new Room(FLOAT, ROWS * n, next),
        new Room(FLOAT, ROWS * n, next),
        new Room(FLOAT, C, next),
      ];
      const [sums, squares, of_dy, dots] = Array.from({ length: 4 }, () => new Room(FLOAT, ROWS));
      kernels.row_sums(sums.address, x.address, ROWS, n);
      kernels.row_squares(squares.address, x.address, mean.address, ROWS, FIRST, C, n);
      kernels.gradient_sums(of_dy.address, dots.address, dy.address, x.address, mean.address, ROWS, FIRST, C, n);
      for (const room of [sums, squares, of_dy, dots]) expect(room.whole()).toBe(true);
      for (let i = 0; i < ROWS; i++) {
        const m = mean.data[channel(i)];
        const row = Array.from({ length: n }, (_, j) => ({ v: x.data[i * n + j], g: dy.data[i * n + j] }));
        // Sixteen lanes take turns in a block, then lanes and blocks are added: so often is a term rounded.
        const times = 12 + Math.min(n, 1024) / 16 + n / 1024;
        const check = (actual: number, term: (e: { v: number; g: number }) => number): void => {
          const terms = row.map(term);
          const of_sizes = terms.reduce((sum, t) => sum + Math.abs(t), 0);
          near(
            actual,
            terms.reduce((sum, t) => sum + t),
            times * FLOAT.eps * of_sizes,
          );
        };
        check(sums.data[i], ({ v }) => v);
        check(squares.data[i], ({ v }) => (v - m) ** 2);
        check(of_dy.data[i], ({ g }) => g);
        check(dots.data[i], ({ v, g }) => (v - m) * g);
      }
    }
  });

  test("rows by the numbers of their channels", () => {
    for (const n of LENGTHS) {
      clear();
      const next = random(n);
      const [x, dy] = [new Room(FLOAT, ROWS * n, next), new Room(FLOAT, ROWS * n, next)];
      const [a, b, k, s] = Array.from({ length: 4 }, () => new Room(FLOAT, C, next));
      const [y, dx] = [new Room(FLOAT, ROWS * n), new Room(FLOAT, ROWS * n)];
      kernels.transform_rows(y.address, x.address, a.address, b.address, ROWS, FIRST, C, n);
      // biome-ignore format: an operand a line
      kernels.gradient_rows(
        dx.address, dy.address, x.address, a.address, b.address, k.address, s.address,
        ROWS, FIRST, C, n,
      );
      expect(y.whole() && dx.whole()).toBe(true);
      for (let at = 0; at < ROWS * n; at++) {
        const c = channel(Math.floor(at / n));
        near(y.data[at], x.data[at] * a.data[c] + b.data[c], 3 * FLOAT.eps);
        const exact = (dy.data[at] - b.data[c] - (x.data[at] - a.data[c]) * k.data[c]) * s.data[c];
        near(dx.data[at], exact, 16 * FLOAT.eps);
      }
    }
  });
});

describe.runIf(get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap)("the operator", () => {
  const { batch_norm } = torch.nn.functional;
  const loops = (run: () => unknown): { readonly name: string; readonly capability: string; readonly why?: string }[] =>
    record(run).events.filter((e) => e.kind === "loop" && /batch_norm/.test(e.name)) as never;
  const ran = (run: () => unknown): string[] => loops(run).map((e) => `${e.name.slice(12)} ${e.why ?? "vectors"}`);

  interface Run {
    readonly y: Tensor;
    readonly running: readonly Tensor[];
    readonly grads: readonly Tensor[];
  }
  /** Forward and backward in the dtype of `x`. */
  function whole(x_: Tensor, dy: Tensor, parameters: readonly Tensor[], train: boolean): Run {
    const [x, ...affine] = [x_, ...parameters].map((t) => t.detach().requires_grad_());
    const features = x.size(1);
    const running = [torch.full([features], 0.5, { dtype: x.dtype }), torch.full([features], 2, { dtype: x.dtype })];
    const y = batch_norm(x, running[0], running[1], affine[0] ?? null, affine[1] ?? null, train);
    return { y: y.detach(), running, grads: torch.autograd.grad([y], [x, ...affine], [dy]) };
  }
  const near_all = (actual: Tensor, exact: Tensor): void => {
    const error = actual.double().sub(exact).abs().max().item() as number;
    expect(error).toBeLessThan(2e-6 * Math.max(1, exact.abs().max().item() as number));
  };

  test("in training and after, with parameters and without: what double gives", () => {
    torch.manual_seed(0);
    for (const size of [
      [4, 3, 5, 7],
      [2, 5, 33],
      [1, 2, 40, 40],
      [3, 4, 2, 3, 4],
      [2, 3, 2, 2],
      [40, 6],
    ])
      for (const train of [true, false])
        for (const affine of [true, false]) {
          const [x, dy] = [torch.randn(size).mul(3).add(2), torch.randn(size)];
          const parameters = affine ? [torch.randn([size[1]]), torch.randn([size[1]])] : [];
          const got = whole(x, dy, parameters, train);
          const exact = whole(
            x.double(),
            dy.double(),
            parameters.map((t) => t.double()),
            train,
          );
          near_all(got.y, exact.y);
          for (const [i, t] of got.running.entries()) near_all(t, exact.running[i]);
          for (const [i, t] of got.grads.entries()) near_all(t, exact.grads[i]);
        }
  });

  test("a mean far away leaves the variance what it is", () => {
    torch.manual_seed(0);
    const x = torch.randn([4, 2, 30, 30]).add(1000);
    const [, , invstd] = torch.native_batch_norm(x, null, null, null, null, true, 0.1, 1e-5);
    const exact = x.double().transpose(0, 1).reshape([2, -1]).var(1, { correction: 0 }).add(1e-5).rsqrt();
    expect(invstd.double().div(exact).sub(1).abs().max().item()).toBeLessThan(1e-6);
  });

  test("which loops run, and why", () => {
    const [x, w] = [torch.ones([2, 3, 4, 4], { requires_grad: true }), torch.ones([3], { requires_grad: true })];
    let y = x;
    const stats = ["batch_norm_sums vectors", "batch_norm_var_sums vectors"];
    expect(ran(() => (y = batch_norm(x, null, null, w, null, true)))).toEqual([...stats, "batch_norm vectors"]);
    const dy = torch.ones([2, 3, 4, 4]);
    expect(ran(() => torch.autograd.grad([y], [x], [dy]))).toEqual([
      ...["batch_norm_backward_sums vectors", "batch_norm_backward vectors"],
    ]);
    const [mean, variance] = [torch.zeros([3]), torch.ones([3])];
    expect(ran(() => batch_norm(x, mean, variance))).toEqual(["batch_norm vectors"]);
    const narrow = torch.ones([2, 3, 7]);
    expect(ran(() => batch_norm(narrow, mean, variance))).toEqual(["batch_norm channels of fewer than 8 elements"]);
    const double = x.detach().double();
    expect(ran(() => batch_norm(double, mean.double(), variance.double()))).toEqual([
      "batch_norm no SIMD kernel for this dtype",
    ]);
    const last = x.detach().contiguous({ memory_format: torch.channels_last });
    expect(ran(() => batch_norm(last, mean, variance))).toEqual(["batch_norm not contiguous (channels last)"]);
  });

  test("a gradient after training keeps the sign of 0", () => {
    const x = torch.ones([1, 1, 8], { requires_grad: true });
    const y = batch_norm(x, torch.zeros([1]), torch.ones([1]));
    const [grad] = torch.autograd.grad([y], [x], [torch.full([1, 1, 8], -0)]);
    expect(Object.is((grad.tolist() as number[][][])[0][0][0], -0)).toBe(true);
  });

  test("memory outside the heap: results and statistics come back", () => {
    torch.manual_seed(0);
    const x = torch.randn([3, 4, 20]);
    const [w, b] = [torch.randn([4]), torch.randn([4])];
    const run = (): Tensor[] => torch.native_batch_norm(x, w, b, null, null, true, 0.1, 1e-5);
    const there = run();
    for (const t of [x, w, b]) t.numpy(); // what the user has seen leaves the heap
    for (const [k, t] of run().entries()) expect(t.tolist()).toEqual(there[k].tolist());
  });

  test.skipIf(heap_may_be_full)("two threads give what one gives", () => {
    torch.manual_seed(0);
    const [x, dy] = [torch.randn([16, 10, 50, 40]), torch.randn([16, 10, 50, 40])];
    const parameters = [torch.randn([10]), torch.randn([10])];
    const before = torch.get_num_threads();
    const [one, two] = [1, 2].map((threads) => {
      torch.set_num_threads(threads);
      const { y, running, grads } = whole(x, dy, parameters, true);
      return [y, ...running, ...grads].map((t) => t.tolist());
    });
    torch.set_num_threads(before);
    expect(two).toEqual(one);
  });
});
