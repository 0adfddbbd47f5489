/**
 * @file Factorizations by blocks: their backward errors, also for matrices with a large condition number, beside those of
 * the routines without blocks. Sizes lie around the edges of blocks.
 */
import torch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { describe, expect, test } from "vitest";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { geqr2, lapackGeqrf, lapackOrgqr, lapackOrmqr, org2r, orm2r } from "#aten/native/lapack/geqrf";
import { getf2, getrf } from "#aten/native/lapack/getrf";
import { potf2, potrf } from "#aten/native/lapack/potrf";
import { trsm, trsm_by_substitution } from "#aten/native/lapack/trsm";
import { tensors_in_heap } from "../../../../helpers/heap_stress.ts";
import { random } from "./memory.ts";

const EPS = 2 ** -53;
const SIZES = [1, 2, 7, 16, 31, 32, 33, 63, 64, 70, 97];

type Element = (i: number, j: number) => number;

function matrix(m: number, n: number, value: Element): Float64Array {
  const a = new Float64Array(m * n);
  for (let j = 0; j < n; j++) for (let i = 0; i < m; i++) a[i + j * m] = value(i, j);
  return a;
}

function random_matrix(m: number, n: number, seed = 1): Float64Array {
  const next = random(seed * 7919 + m * 104729 + n);
  return matrix(m, n, () => next());
}

const of =
  (a: Float64Array, m: number, keep: (i: number, j: number) => boolean, diagonal?: number): Element =>
  (i, j) =>
    i === j && diagonal !== undefined ? diagonal : keep(i, j) ? a[i + j * m] : 0;

/** Largest |sum of x y - wanted| as a share of k eps times the sum of |x| |y|, over all elements that `counts` takes. */
function error_of(
  [m, n, k]: readonly [number, number, number],
  x: Element,
  y: Element,
  wanted: Element,
  counts: (i: number, j: number) => boolean = () => true,
): number {
  let worst = 0;
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      if (!counts(i, j)) continue;
      let [sum, size] = [0, 0];
      for (let p = 0; p < k; p++) {
        const term = x(i, p) * y(p, j);
        sum += term;
        size += Math.abs(term);
      }
      const error = Math.abs(sum - wanted(i, j)) / ((k + 2) * EPS * (size + Math.abs(wanted(i, j))) + 1e-300);
      if (!(error <= worst)) worst = error;
    }
  return worst;
}

/** The larger absolute value; NaN if one is NaN. */
function larger(worst: number, x: number): number {
  return Math.abs(x) <= worst || Number.isNaN(worst) ? worst : Math.abs(x);
}

/** Largest difference. */
function apart(x: Float64Array, y: Float64Array): number {
  return x.reduce((worst, v, i) => larger(worst, v - y[i]), 0);
}

/** Positive definite: `spread` is about the square root of the condition number. */
function positive(n: number, spread: number): Float64Array {
  const g = random_matrix(n, n);
  const weight = (p: number): number => spread ** (-2 * (p / Math.max(1, n - 1)));
  const a = matrix(n, n, () => 0);
  for (let j = 0; j < n; j++)
    for (let i = j; i < n; i++) {
      let sum = i === j ? weight(i) : 0;
      for (let p = 0; p < n; p++) sum += g[i + p * n] * g[j + p * n] * weight(p);
      a[i + j * n] = a[j + i * n] = sum;
    }
  return a;
}

describe("Cholesky", () => {
  test.each(SIZES)("%d rows: L L' is the matrix, and the other half stays", (n) => {
    for (const spread of [1, 1e6])
      for (const upper of [false, true]) {
        const a = positive(n, spread);
        const factor = a.slice();
        const plain = a.slice();
        expect(potrf(factor, n, upper)).toBe(potf2(plain, n, upper));
        const low =
          (x: Float64Array): Element =>
          (i, j) =>
            i < j ? 0 : upper ? x[j + i * n] : x[i + j * n];
        const error = (x: Float64Array): number =>
          error_of(
            [n, n, n],
            low(x),
            (p, j) => low(x)(j, p),
            of(a, n, () => true),
          );
        expect(error(factor)).toBeLessThan(1);
        const other = (x: Float64Array) => x.filter((_, at) => (upper ? at % n > at / n : at % n < Math.floor(at / n)));
        expect(other(factor)).toEqual(other(a));
      }
  });
  test.each([0, 5, 31, 32, 40, 69])("a minor that is not positive at %d", (at) => {
    for (const bad of [-1, 0, Number.NaN]) {
      const n = 70;
      const a = matrix(n, n, (i, j) => (i === j ? (i === at ? bad : 2) : 0));
      expect(potrf(a, n, false)).toBe(at + 1);
    }
  });
});

describe("triangular systems", () => {
  test.each(SIZES)(
    "%d unknowns: A X is B, on both sides, for each kind of triangle",
    (n) => {
      for (const k of [1, 3, 70])
        for (const left of [true, false])
          for (const upper of [true, false])
            for (const transposed of [true, false])
              for (const unit of [true, false]) {
                const a = random_matrix(n, n, 2);
                for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) a[i + j * n] *= i === j ? 1 : 4 / n;
                const hidden = (i: number, j: number): boolean => (upper ? i > j : i < j) || (unit && i === j);
                for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) if (hidden(i, j)) a[i + j * n] = Number.NaN; // is not read
                const [rows, columns] = left ? [n, k] : [k, n];
                const b = random_matrix(rows, columns, 3);
                const x = b.slice();
                trsm(a, n, x, { upper, transposed, unit }, left);
                const stored = of(a, n, (i, j) => !hidden(i, j), unit ? 1 : undefined);
                const op: Element = transposed ? (i, j) => stored(j, i) : stored;
                const solution = of(x, rows, () => true);
                const wanted = of(b, rows, () => true);
                const error = left
                  ? error_of([n, k, n], op, solution, wanted)
                  : error_of([k, n, n], solution, op, wanted);
                expect(error, `k ${k} left ${left} upper ${upper} transposed ${transposed} unit ${unit}`).toBeLessThan(
                  1,
                );
              }
    },
    20_000,
  );
  test("a zero on the diagonal divides by zero in the same places", () => {
    const n = 70;
    const a = matrix(n, n, (i, j) => (i === j ? (i === 40 ? 0 : 1) : i > j ? 0.01 : 0));
    const [x, y] = [random_matrix(n, 5), random_matrix(n, 5)];
    const triangle = { upper: false, transposed: false, unit: false };
    trsm(a, n, x, triangle);
    trsm_by_substitution(a, n, y, triangle, true);
    expect([...x].map(Number.isFinite)).toEqual([...y].map(Number.isFinite));
  });
});

const SHAPES = [
  [1, 1],
  [32, 4],
  [4, 32],
  [33, 33],
  [70, 40],
  [40, 70],
  [97, 64],
  [64, 97],
] as const;

describe.each(SHAPES)("%d by %d", (m, n) => {
  const k = Math.min(m, n);
  const matrices: [string, Float64Array][] = [
    ["random", random_matrix(m, n)],
    ["columns from 1e-150 to 1e150", matrix(m, n, (i, j) => Math.sin(i * 3 + j * j) * 10 ** ((300 * j) / n - 150))],
    [
      "columns whose squares are out of range",
      matrix(m, n, (i, j) => Math.cos(i * 5 + j) * (j % 2 === 0 ? 1e-200 : 1e200)),
    ],
    ["of rank one", matrix(m, n, (i, j) => (i + 1) * (j + 1))],
    ["zeros", matrix(m, n, () => 0)],
  ];
  test.each(matrices)("Q R is the matrix, and Q is orthogonal: %s", (_, a) => {
    const qr = a.slice();
    const tau = lapackGeqrf(qr, m, n);
    const q = matrix(m, k, (i, j) => qr[i + j * m]);
    lapackOrgqr(q, m, k, tau);
    let off = 0;
    for (let i = 0; i < k; i++)
      for (let j = 0; j < k; j++) {
        let sum = i === j ? -1 : 0;
        for (let p = 0; p < m; p++) sum += q[p + i * m] * q[p + j * m];
        off = larger(off, sum);
      }
    expect(off).toBeLessThan(4 * m * EPS);
    off = 0;
    for (let j = 0; j < n; j++) {
      let size = 0; // of the column: reflections keep it, so errors are shares of it
      for (let i = 0; i < m; i++) size = Math.max(size, Math.abs(a[i + j * m]));
      for (let i = 0; i < m; i++) {
        let sum = 0;
        for (let p = 0; p <= Math.min(j, k - 1); p++) sum += q[i + p * m] * qr[p + j * m];
        off = larger(off, (sum - a[i + j * m]) / (size || 1));
      }
    }
    expect(off).toBeLessThan(4 * m * EPS);
    const c = random_matrix(m, 9, 5);
    const back = c.slice();
    lapackOrmqr(qr, m, tau, back, true);
    const plain = c.slice();
    orm2r(qr, m, tau, plain, true);
    expect(apart(back, plain)).toBeLessThan(8 * m * EPS);
    lapackOrmqr(qr, m, tau, back, false);
    expect(apart(back, c)).toBeLessThan(8 * m * EPS);
  });
  test("the same reflections as without blocks", () => {
    const [a, b] = [random_matrix(m, n), random_matrix(m, n)];
    const [tau, plain] = [lapackGeqrf(a, m, n), geqr2(b, m, n)];
    expect(apart(tau, plain)).toBeLessThan(1e-11);
    expect(apart(a, b)).toBeLessThan(1e-11);
    const [q, p] = [a.slice(0, m * k), a.slice(0, m * k)];
    lapackOrgqr(q, m, k, tau);
    org2r(p, m, k, tau);
    expect(apart(q, p)).toBeLessThan(8 * m * EPS);
  });
  test("L U is the matrix with its rows exchanged", () => {
    const a = random_matrix(m, n, 4);
    const lu = a.slice();
    const plain = a.slice();
    const [ipiv, others] = [new Int32Array(k), new Int32Array(k)];
    expect(getrf(lu, m, n, ipiv)).toBe(getf2(plain, m, n, others));
    expect([...ipiv]).toEqual([...others]);
    const rows = Array.from({ length: m }, (_, i) => i);
    for (let j = 0; j < k; j++) [rows[j], rows[ipiv[j] - 1]] = [rows[ipiv[j] - 1], rows[j]];
    const lower = of(lu, m, (i, j) => i > j, 1);
    const upper = of(lu, m, (i, j) => i <= j);
    expect(error_of([m, n, k], lower, upper, (i, j) => a[rows[i] + j * m])).toBeLessThan(1);
  });
});

test("LU: the first zero pivot is reported, and the rest goes on", () => {
  const n = 70;
  const a = matrix(n, n, (i, j) => (j === 40 ? 0 : i === j ? 2 : 0));
  expect(getrf(a, n, n, new Int32Array(n))).toBe(41);
  expect(a[n * n - 1]).toBe(2);
});

describe("tensors", () => {
  const { linalg } = torch;
  const spd = (n: number, dtype: typeof torch.float64): Tensor => {
    const g = torch.randn([2, n, n], { dtype: torch.float64 });
    return g
      .matmul(g.mT)
      .add(torch.eye(n, { dtype: torch.float64 }))
      .to(dtype);
  };
  test.each([torch.float32, torch.float64])("batches, any layout, %s", (dtype) => {
    const a = spd(40, dtype);
    const far = (x: Tensor, y: Tensor): number => x.sub(y).abs().max().item() as number;
    const close = (dtype === torch.float64 ? 1e-12 : 1e-5) * 400;
    const before = a.clone();
    const l = linalg.cholesky(a);
    expect(far(l.matmul(l.mT), a)).toBeLessThan(close);
    expect(a.equal(before)).toBe(true);
    const b = torch.randn([2, 40, 7], { dtype });
    const kept = l.clone();
    expect(far(a.matmul(torch.cholesky_solve(b, l)), b)).toBeLessThan(close);
    expect(far(a.matmul(torch.cholesky_solve(b, l.contiguous())), b)).toBeLessThan(close);
    expect(l.equal(kept)).toBe(true);
    expect(far(l.matmul(linalg.solve_triangular(l, b, { upper: false })), b)).toBeLessThan(close);
    expect(far(l.mT.matmul(linalg.solve_triangular(l.mT, b, { upper: true })), b)).toBeLessThan(close);
    const c = b.mT;
    expect(far(linalg.solve_triangular(l, c, { upper: false, left: false }).matmul(l), c)).toBeLessThan(close);
    expect(far(a.matmul(linalg.solve(a, b)), b)).toBeLessThan(close);
    const [q, r] = linalg.qr(b.contiguous());
    expect(far(q.matmul(r), b)).toBeLessThan(close);
  });
  test.runIf(get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap)("a recording says what ran", () => {
    const loop = (run: () => unknown) =>
      record(run)
        .events.filter((e) => e.kind === "loop" && e["scalar"] === "at::native::potrf")
        .at(-1);
    const [large, small] = [spd(40, torch.float64), spd(3, torch.float64)];
    expect(loop(() => linalg.cholesky(large))).toMatchObject({ capability: expect.stringMatching(/SIMD/) });
    expect(loop(() => linalg.cholesky(small))).toMatchObject({ capability: "DEFAULT" });
  });
});
