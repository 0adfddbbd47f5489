/** @file layer_norm and its gradients with vectors: the kernels against double, and through the operator which of them runs. */
import torch from "glasstorch";
import { record } from "glasstorch/trace";
import { beforeEach, describe, expect, test } from "vitest";
import { layer_norm_kernel_vec } from "#aten/native/cpu/vec/generated/layer_norm/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { heap_may_be_full, tensors_in_heap } from "../../../../helpers/heap_stress.ts";
import { clear, FLOATS, type Kind, memory, Room, random } from "./memory.ts";

beforeEach(clear);

const ROWS = 3;
const EPS = 1e-5;
const LENGTHS = [...Array.from({ length: 40 }, (_, n) => n + 1), 63, 64, 65, 127, 1000, 1024, 1027, 2500];

interface Case {
  readonly x: Room;
  readonly dy: Room;
  readonly gamma: Room;
  readonly beta: Room;
  readonly mean: Room;
  readonly rstd: Room;
}

/** `far`: how far from 0 the mean is. */
function made(kind: Kind, n: number, far = 2): Case {
  const next = random(n);
  const room = (length: number, value?: () => number) => new Room(kind, length, value);
  const [x, dy] = [room(ROWS * n, () => far + next()), room(ROWS * n, next)];
  return { x, dy, gamma: room(n, next), beta: room(n, next), mean: room(ROWS), rstd: room(ROWS) };
}

/** Mean and 1 / sqrt(variance + eps) of each row, in double. */
function moments({ x }: Case, n: number): readonly (readonly [mean: number, rstd: number])[] {
  return Array.from({ length: ROWS }, (_, r) => {
    const row = [...x.data.subarray(r * n, r * n + n)];
    const mean = row.reduce((a, b) => a + b) / n;
    return [mean, 1 / Math.sqrt(row.reduce((sum, v) => sum + (v - mean) ** 2, 0) / n + EPS)];
  });
}

const near = (actual: number, expected: number, tolerance: number): void =>
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance);

describe.each(FLOATS)("$name", (kind) => {
  const kernels = layer_norm_kernel_vec.get(kind.dtype, memory);

  test("rows of every length, with and without parameters", () => {
    for (const n of LENGTHS)
      for (const [has_gamma, has_beta] of [
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ]) {
        clear();
        const all = made(kind, n);
        const { x, gamma, beta, mean, rstd } = all;
        const y = new Room(kind, ROWS * n);
        const [g, b] = [has_gamma * gamma.address, has_beta * beta.address];
        kernels.layer_norm(y.address, mean.address, rstd.address, x.address, g, b, ROWS, n, EPS);
        for (const room of [y, mean, rstd]) expect(room.whole()).toBe(true);
        for (const [r, [m, s]] of moments(all, n).entries()) {
          // The mean is some roundings of numbers near 3 away; a row of one has no variance, and only eps divides.
          const slack = 16 * kind.eps * (1 + 3 * s);
          near(mean.data[r], m, 8 * kind.eps * 3);
          near(rstd.data[r] / s, 1, slack * s);
          for (let j = 0; j < n; j++) {
            const exact = (x.data[r * n + j] - m) * s * (has_gamma ? gamma.data[j] : 1) + (has_beta ? beta.data[j] : 0);
            near(y.data[r * n + j], exact, slack * (1 + s));
          }
        }
      }
  });

  test("a mean far away leaves the variance what it is", () => {
    const all = made(kind, 2500, kind.size === 4 ? 1000 : 1e9);
    const { x, mean, rstd } = all;
    const y = new Room(kind, ROWS * 2500);
    kernels.layer_norm(y.address, mean.address, rstd.address, x.address, 0, 0, ROWS, 2500, EPS);
    for (const [r, [, s]] of moments(all, 2500).entries()) near(rstd.data[r] / s, 1, 1e-4);
  });

  test("gradients of rows and of parameters", () => {
    for (const n of LENGTHS) {
      clear();
      const all = made(kind, n);
      const { x, dy, gamma, mean, rstd } = all;
      const exact = moments(all, n);
      for (const [r, [m, s]] of exact.entries()) [mean.data[r], rstd.data[r]] = [m, s];
      const dx = new Room(kind, ROWS * n);
      kernels.layer_norm_backward(
        dx.address,
        dy.address,
        x.address,
        gamma.address,
        mean.address,
        rstd.address,
        ROWS,
        n,
      );
      const sums = new Room(kind, 2 * n, () => 0);
      const bytes = n * kind.size;
      const columns = (from: number, to: number): void =>
        kernels.layer_norm_parameters(
          sums.address,
          sums.address + bytes,
          dy.address,
          x.address,
          mean.address,
          rstd.address,
          ROWS,
          n,
          from,
          to,
        );
      // In two parts, as two threads have them.
      const half = (bytes >> 5) << 4;
      columns(0, half);
      columns(half, bytes);
      expect(dx.whole() && sums.whole()).toBe(true);
      const [dgamma, dbeta] = [new Array<number>(n).fill(0), new Array<number>(n).fill(0)];
      for (const [r, [m, s]] of exact.entries()) {
        const row = Array.from({ length: n }, (_, j) => ({
          g: dy.data[r * n + j] * gamma.data[j],
          z: (x.data[r * n + j] - m) * s,
        }));
        const mean_g = row.reduce((sum, { g }) => sum + g, 0) / n;
        const mean_gz = row.reduce((sum, { g, z }) => sum + g * z, 0) / n;
        for (const [j, { g, z }] of row.entries()) {
          // x * dy is summed, and the mean taken away afterwards: what cancels is 3 s times as large.
          near(dx.data[r * n + j], s * (g - mean_g - z * mean_gz), 32 * kind.eps * s * (1 + 3 * s) ** 2);
          dgamma[j] += dy.data[r * n + j] * z;
          dbeta[j] += dy.data[r * n + j];
        }
      }
      const most = Math.max(...exact.map(([, s]) => s));
      for (let j = 0; j < n; j++) {
        near(sums.data[j], dgamma[j], 16 * kind.eps * (1 + 3 * most));
        near(sums.data[n + j], dbeta[j], 16 * kind.eps);
      }
    }
  });

  test("a NaN makes its row NaN, and touches no other", () => {
    const { x, mean, rstd } = made(kind, 33);
    x.data[33 + 32] = Number.NaN;
    const y = new Room(kind, ROWS * 33);
    kernels.layer_norm(y.address, mean.address, rstd.address, x.address, 0, 0, ROWS, 33, EPS);
    for (const [i, v] of y.data.entries()) expect(Number.isNaN(v)).toBe(i >= 33 && i < 66);
  });
});

const vectors = get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap;

describe.runIf(vectors)("the operator", () => {
  const loops = (run: () => unknown): { readonly capability: string; readonly why?: string }[] =>
    record(run).events.filter((e) => e.kind === "loop" && /layer_norm/.test(e.name)) as never;

  test("long rows run with vectors, short ones and halves without, and the trace says why", () => {
    const { layer_norm } = torch.nn.functional;
    const [long, short] = [torch.ones([2, 32]), torch.ones([2, 8])];
    expect(loops(() => layer_norm(long, [32]))).toMatchObject([{ capability: expect.stringContaining("SIMD") }]);
    expect(loops(() => layer_norm(short, [8]))).toMatchObject([
      { capability: "DEFAULT", why: "rows of fewer than 16 elements" },
    ]);
    expect(loops(() => layer_norm(long.half(), [32]))).toMatchObject([
      { capability: "DEFAULT", why: "no SIMD kernel for this dtype" },
    ]);
  });

  test("memory outside the heap: results and statistics come back", () => {
    torch.manual_seed(0);
    const x = torch.randn([5, 40]);
    const [w, b] = [torch.randn([40]), torch.randn([40])];
    const there = torch.native_layer_norm(x, [40], w, b, 1e-5);
    for (const t of [x, w]) t.numpy(); // what the user has seen leaves the heap
    const back = torch.native_layer_norm(x, [40], w, b, 1e-5);
    for (const [k, t] of there.entries()) expect(back[k].tolist()).toEqual(t.tolist());
  });

  test.skipIf(heap_may_be_full)("two threads give what one gives", () => {
    torch.manual_seed(0);
    const x = torch.randn([300, 200], { requires_grad: true });
    const parameters = [torch.randn([200], { requires_grad: true }), torch.randn([200], { requires_grad: true })];
    const dy = torch.randn([300, 200]);
    const run = (): unknown[] => {
      const y = torch.nn.functional.layer_norm(x, [200], ...parameters);
      return [y.tolist(), ...torch.autograd.grad([y], [x, ...parameters], [dy]).map((t) => t.tolist())];
    };
    const before = torch.get_num_threads();
    torch.set_num_threads(1);
    const one = run();
    torch.set_num_threads(2);
    const two = run();
    torch.set_num_threads(before);
    expect(two).toEqual(one);
  });
});
