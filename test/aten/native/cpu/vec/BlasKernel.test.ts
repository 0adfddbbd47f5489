/** @file Products with vectors against products in double, whose error bounds know the sum of |a| |b|. */
import torch, { type Tensor } from "glasstorch";
import { beforeEach, describe, expect, test } from "vitest";
import { BlasKernel_vec } from "#aten/native/cpu/vec/generated/blas/kernel";
import { clear, FLOATS, type Kind, memory, Room, random, WORK } from "./memory.ts";

beforeEach(clear);

interface Product {
  m: number;
  n: number;
  k: number;
  transposed_a?: boolean;
  transposed_b?: boolean;
  alpha?: number;
  beta?: number;
  /** Elements between the rows of C beyond its own. */
  gap?: number;
}

/** The largest error, as a share of what `k` roundings of the terms' absolute values allow. */
function check(kind: Kind, p: Product): number {
  const { m, n, k, transposed_a = false, transposed_b = false, alpha = 1, beta = 0, gap = 0 } = p;
  const next = random(m * 7919 + n * 104729 + k);
  const a = new Room(kind, m * k, next);
  const b = new Room(kind, k * n, next);
  const ldc = n + gap;
  const c = new Room(kind, (m - 1) * ldc + n, beta === 0 ? undefined : next);
  const old = c.data.slice();
  const [ars, acs] = transposed_a ? [1, m] : [k, 1];
  const [brs, bcs] = transposed_b ? [1, k] : [n, 1];
  const { size } = kind;
  BlasKernel_vec.get(kind.dtype, memory).gemm(
    WORK,
    m,
    n,
    m,
    n,
    k,
    alpha,
    a.address,
    ars * size,
    acs * size,
    b.address,
    brs * size,
    bcs * size,
    beta,
    c.address,
    ldc * size,
  );
  let worst = 0;
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < ldc && i * ldc + j < c.data.length; j++) {
      const at = i * ldc + j;
      if (j >= n) {
        expect(c.data[at]).toBe(old[at]);
        continue;
      }
      let sum = 0;
      let size_of_terms = 0;
      for (let q = 0; q < k; q++) {
        const term = a.data[i * ars + q * acs] * b.data[q * brs + j * bcs];
        sum += term;
        size_of_terms += Math.abs(term);
      }
      const whole = alpha * sum + (beta === 0 ? 0 : beta * old[at]);
      const bound = Math.abs(alpha) * size_of_terms + (beta === 0 ? 0 : Math.abs(beta * old[at]));
      const error = Math.abs(c.data[at] - whole) / ((k + 4) * kind.eps * bound);
      if (!(error <= worst)) worst = error;
    }
  }
  expect(c.whole(), "written outside of C").toBe(true);
  return worst;
}

describe.each(FLOATS)("gemm $name", (kind) => {
  test("every edge of the tile", () => {
    for (let m = 1; m <= 9; m++)
      for (let n = 1; n <= 17; n++) expect(check(kind, { m, n, k: 3 }), `${m} ${n}`).toBeLessThan(1);
  });
  test.each([
    [64, 64, 64],
    [65, 33, 300],
    [13, 550, 40],
    [130, 70, 260],
    [61, 5, 513],
    [6, 7, 2100],
    [1, 90, 33],
    [1, 1, 100],
    [70, 1, 35],
    [300, 1, 19],
  ])("%d x %d x %d, operands in every order", (m, n, k) => {
    for (const transposed_a of [false, true])
      for (const transposed_b of [false, true])
        expect(check(kind, { m, n, k, transposed_a, transposed_b }), `${transposed_a} ${transposed_b}`).toBeLessThan(1);
  });
  test("alpha and beta, in one panel of k and in three", () => {
    for (const k of [20, 600])
      for (const transposed_b of [false, true])
        for (const [alpha, beta] of [[-0.25, 0] as const, [1, 1] as const, [2, -0.5] as const])
          for (const m of [1, 9])
            expect(check(kind, { m, n: 21, k, alpha, beta, transposed_b }), `${alpha} ${beta}`).toBeLessThan(1);
  });
  test("rows of C apart: what lies between them stays", () => {
    expect(check(kind, { m: 7, n: 11, k: 30, beta: 1, gap: 3 })).toBeLessThan(1);
    expect(check(kind, { m: 7, n: 11, k: 300, beta: 1, gap: 3, transposed_b: true })).toBeLessThan(1);
  });
  test("no term: beta * C; not even NaN of C shows when beta is 0", () => {
    expect(check(kind, { m: 5, n: 9, k: 0, beta: 0.5 })).toBe(0);
    const c = new Room(kind, 2, () => Number.NaN);
    BlasKernel_vec.get(kind.dtype, memory).gemm(WORK, 1, 2, 1, 2, 0, 1, WORK, 0, 0, WORK, 0, 0, 0, c.address, 0);
    expect([...c.data]).toEqual([0, 0]);
  });
  test("one NaN of A reaches its row, and no other", () => {
    const [m, n, k] = [6, 9, 8];
    const next = random(1);
    const a = new Room(kind, m * k, (i) => (i === 2 * k + 5 ? Number.NaN : next()));
    const b = new Room(kind, k * n, next);
    const c = new Room(kind, m * n);
    const s = kind.size;
    const { gemm } = BlasKernel_vec.get(kind.dtype, memory);
    gemm(WORK, m, n, m, n, k, 1, a.address, k * s, s, b.address, n * s, s, 0, c.address, n * s);
    for (let i = 0; i < m * n; i++) expect(Number.isNaN(c.data[i])).toBe(i >= 2 * n && i < 3 * n);
  });
});

test.each(FLOATS)("dot $name, of every length", (kind) => {
  const { dot_contiguous } = BlasKernel_vec.get(kind.dtype, memory);
  for (let n = 0; n <= 70; n++) {
    const next = random(n + 1);
    const [x, y] = [new Room(kind, n, next), new Room(kind, n, next)];
    let sum = 0;
    let size_of_terms = 0;
    for (let i = 0; i < n; i++) {
      sum += x.data[i] * y.data[i];
      size_of_terms += Math.abs(x.data[i] * y.data[i]);
    }
    const error = Math.abs(dot_contiguous(n, x.address, y.address) - sum);
    expect(error).toBeLessThanOrEqual((n / 4 + 8) * kind.eps * size_of_terms);
  }
});

// The lowest 64 bits of a sum of products are exact whatever overflows, so every integer can be compared with BigInt.
describe.each([
  ["int8", 8, torch.int8],
  ["int16", 16, torch.int16],
  ["int32", 32, torch.int32],
  ["int64", 64, torch.int64],
  ["uint8", 8, torch.uint8],
] as const)("products of %s", (name, bits, dtype) => {
  const wrap = (x: bigint): bigint => (name === "uint8" ? BigInt.asUintN(8, x) : BigInt.asIntN(bits, x));
  const numbers = (sizes: number[], seed: number): Tensor => {
    const next = random(seed);
    const count = sizes.reduce((n, size) => n * size, 1);
    const values = Array.from({ length: count }, () => wrap(BigInt(Math.round(next() * 2 ** Math.min(bits, 50)))));
    return torch.tensor(values.map(Number), { dtype }).reshape(sizes);
  };
  const listed = (x: Tensor): bigint[] => (x.reshape([-1]).tolist() as (number | bigint)[]).map(BigInt);
  /** alpha * a b + beta * c, for batches of one size. */
  const wanted = (a: Tensor, b: Tensor, alpha = 1n, beta = 0n, c: Tensor | null = null): bigint[] => {
    const [batch, m, k] = a.shape as unknown as number[];
    const n = b.size(2);
    const [x, y, old] = [listed(a), listed(b), c === null ? [] : listed(c)];
    return Array.from({ length: batch * m * n }, (_, at) => {
      const [item, i, j] = [Math.floor(at / (m * n)), Math.floor(at / n) % m, at % n];
      let sum = 0n;
      for (let p = 0; p < k; p++) sum += x[(item * m + i) * k + p] * y[(item * k + p) * n + j];
      return wrap(alpha * sum + (c === null ? 0n : beta * old[at]));
    });
  };
  test.each([
    [1, 5, 7, 9],
    [1, 40, 33, 21],
    [1, 1, 70, 40],
    [1, 40, 70, 1],
    [3, 13, 17, 34],
    [1, 9, 300, 70],
  ])("batch %d, %d x %d x %d, in every order, with overflow", (batch, m, k, n) => {
    const [a, b] = [numbers([batch, m, k], 1), numbers([batch, k, n], 2)];
    const expected = wanted(a, b);
    for (const x of [a, a.mT.contiguous().mT])
      for (const y of [b, b.mT.contiguous().mT]) {
        expect(listed(x.bmm(y))).toEqual(expected);
        if (batch === 1) expect(listed(x.at(0).mm(y.at(0)))).toEqual(expected);
      }
  });
  test("alpha, beta, and a result of other strides", () => {
    const [a, b, c] = [numbers([2, 12, 20], 3), numbers([2, 20, 11], 4), numbers([2, 12, 11], 5)];
    const into = c.mT.contiguous().mT;
    into.baddbmm_(a, b, { beta: 3, alpha: 7 });
    expect(listed(into)).toEqual(wanted(a, b, 7n, 3n, c));
    expect(listed(c.baddbmm(a, b, { beta: 0, alpha: 2 }))).toEqual(wanted(a, b, 2n));
  });
  test("a matrix and a vector, and two vectors", () => {
    const [a, b] = [numbers([1, 70, 65], 6), numbers([1, 65, 1], 7)];
    const v = b.reshape([65]);
    expect(listed(a.at(0).mv(v))).toEqual(wanted(a, b));
    expect(listed(a.at(0).t().contiguous().t().mv(v))).toEqual(wanted(a, b));
    expect(listed(a.at(0, 3).dot(v))).toEqual(wanted(a.narrow(1, 3, 1), b));
  });
});
