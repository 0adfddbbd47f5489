/**
 * @file Kernels that sort, select, count and search against the plain algorithms of test/helpers/sorting_by_comparison.ts: random lines of every
 * dtype with many equals, NaN, both zeros, infinities, and elements that no double can tell apart.
 */
import torch, { type Tensor } from "glasstorch";
import { describe, expect, it } from "vitest";
import * as plain from "../../../helpers/sorting_by_comparison.ts";

type Element = plain.Element;

let state = 12345;
/** A whole number below n. */
function below(n: number): number {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return Math.floor((state / 0x80000000) * n);
}

const { NaN: nan, MAX_VALUE } = Number;
const FLOATS = [nan, 0, -0, Infinity, -Infinity, 1, -1, 0.5];
const INTS = [0, 1, -1, 5, 100];
const HUGE = [0n, 1n, -1n].flatMap((d) => [2n ** 53n + d, -(2n ** 53n) + d, 2n ** 62n + d, -(2n ** 63n) + 1n + d]);

/** Sources from which the elements of a line are drawn. */
const POOLS: Record<string, (() => Element)[]> = {
  bool: [() => below(2) === 1],
  uint8: [() => below(256), () => below(3)],
  int8: [() => below(256) - 128, () => below(3) - 1],
  int16: [() => below(65536) - 32768, () => INTS[below(5)]],
  int32: [() => below(2 ** 31) - 2 ** 30, () => INTS[below(5)]],
  int64: [() => (below(2 ** 31) - 2 ** 30) * 2 ** 20, () => INTS[below(5)], () => HUGE[below(12)]],
  float16: [() => FLOATS[below(8)], () => (below(2000) - 1000) / 8],
  bfloat16: [() => FLOATS[below(8)], () => (below(200) - 100) / 8],
  float32: [() => FLOATS[below(8)], () => FLOATS[1 + below(7)], () => below(2 ** 31) / 2 ** 20 - 1024],
  float64: [
    () => FLOATS[below(8)],
    () => [...FLOATS, MAX_VALUE, -MAX_VALUE][below(10)],
    () => below(2 ** 31) / 2 ** 31 - 0.5,
  ],
};
/** Dtypes for which PyTorch has only `sort` and `unique`. */
const BAREBONES: Record<string, (() => Element)[]> = {
  uint16: [() => below(65536), () => below(3)],
  uint32: [() => below(2 ** 31) * 2, () => below(3)],
  uint64: [() => below(3), () => 2n ** 53n + BigInt(below(3)), () => 2n ** 64n - 1n - BigInt(below(3))],
};
const SIZES = [1, 2, 3, 5, 16, 17, 40, 129, 1500];

function* lines(dtype: string, sizes = SIZES): Generator<[Element[], Tensor]> {
  for (const draw of { ...POOLS, ...BAREBONES }[dtype] ?? [])
    for (const n of sizes) {
      const x = torch.tensor(Array.from({ length: n }, draw) as number[], { dtype: torch[dtype as "float32"] });
      yield [x.tolist() as Element[], x];
    }
}

function expect_order({ values, indices }: { values: Tensor; indices: Tensor }, x: Element[], order: number[]): void {
  expect(indices.tolist()).toEqual(order);
  expect(values.tolist()).toEqual(order.map((i) => x[i]));
}

function expect_one({ values, indices }: { values: Tensor; indices: Tensor }, x: Element[], at: number): void {
  expect([values.tolist(), indices.tolist()]).toEqual([x[at], at]);
}

/** The line around a column that stands alone: strides, and more than one line. */
function columns(x: Tensor): Tensor {
  return torch.stack([torch.zeros_like(x), x, torch.zeros_like(x)], 1);
}

describe.each(Object.keys({ ...POOLS, ...BAREBONES }))("%s", (dtype) => {
  const bare = dtype in BAREBONES;
  it("sort", () => {
    for (const [x, t] of lines(dtype))
      for (const descending of [false, true]) {
        const less = descending ? plain.descending(x) : plain.ascending(x);
        const order = plain.numbered(x);
        plain.sort(order, 0, x.length, less);
        expect_order(torch.sort(t, -1, descending), x, order);
        const { values, indices } = torch.sort(columns(t), 0, descending);
        expect_order({ values: values.select(1, 1), indices: indices.select(1, 1) }, x, order);
        expect_order(torch.sort(t, { stable: true, dim: 0, descending }), x, plain.stably(x, less));
      }
  });

  it.skipIf(bare)("mode", () => {
    for (const [x, t] of lines(dtype)) expect_one(torch.mode(t), x, plain.mode(x));
  });

  it("unique, unique_consecutive", () => {
    for (const [x, t] of lines(dtype)) {
      const order = torch.sort(t).indices.tolist() as number[]; // which of two equal elements comes first, as for `sort`
      for (const [found, by] of [
        [torch.unique(t, { return_inverse: true, return_counts: true }), order],
        [torch.unique_consecutive(t, { return_inverse: true, return_counts: true }), plain.numbered(x)],
      ] as const) {
        const [first, of, counts] = plain.groups(x, by);
        expect((found as Tensor[]).map((each) => each.tolist())).toEqual([first.map((i) => x[i]), of, counts]);
      }
      for (const [found, by] of [
        [torch.unique(t), order],
        [torch.unique_consecutive(t), plain.numbered(x)],
      ] as const)
        expect((found as Tensor).tolist()).toEqual(plain.groups(x, by)[0].map((i) => x[i]));
      if (x.some(Number.isNaN)) continue; // rows with NaN: ../Sorting.test.ts
      const [rows] = torch.unique(t.unsqueeze(1), { dim: 0, return_counts: true }) as Tensor[];
      const stable = plain.stably(x, plain.ascending(x));
      // Of equal rows any may stand for them: -0 or 0.
      const unsigned = (values: unknown): unknown[] =>
        (values as unknown[]).map((value) => (Object.is(value, -0) ? 0 : value));
      expect(unsigned(rows.squeeze(1).tolist())).toEqual(unsigned(plain.groups(x, stable)[0].map((i) => x[i])));
    }
  });

  it.skipIf(bare || dtype === "bool")("topk, kthvalue", () => {
    for (const [x, t] of lines(dtype))
      for (const k of new Set([1, Math.ceil(x.length / 100), Math.ceil(x.length / 2), x.length])) {
        for (const largest of [false, true]) {
          const order = plain.numbered(x);
          const less = largest ? plain.descending(x) : plain.ascending(x);
          if (k * 64 <= x.length) plain.partial_sort(order, 0, k, x.length, less);
          else {
            plain.nth_element(order, 0, k - 1, x.length, less);
            plain.sort(order, 0, k - 1, less);
          }
          expect_order(torch.topk(t, k, 0, largest), x, order.slice(0, k));
        }
        const order = plain.numbered(x);
        plain.quick_select(order, k - 1, plain.descending(x));
        expect_one(torch.kthvalue(t, k), x, order[k - 1]);
      }
  });

  it.skipIf(bare || dtype === "bool")("median, nanmedian", () => {
    for (const [x, t] of lines(dtype)) {
      const order = plain.stably(x, plain.ascending(x));
      const numbers = x.filter((v) => !plain.is_nan(v)).length;
      const first_nan = x.findIndex(plain.is_nan);
      const median = first_nan >= 0 ? first_nan : order[(x.length - 1) >> 1];
      expect_one(torch.median(t, 0), x, median);
      expect(torch.median(t).item()).toBe(x[median]);
      expect_one(torch.nanmedian(t, 0), x, order[Math.max(0, (numbers - 1) >> 1)]);
    }
  });

  it.skipIf(bare || dtype === "bool")("isin", () => {
    const others = [...lines(dtype, [1, 7, 300])];
    for (const [x, t] of lines(dtype, [1, 40, 300]))
      for (const [y, u] of others) {
        const found = x.map((v) => y.some((w) => w === v));
        expect(torch.isin(t, u).tolist()).toEqual(found);
        expect(torch.isin(t, u, { invert: true }).tolist()).toEqual(found.map((each) => !each));
      }
  });

  it.skipIf(bare || dtype === "bool")("searchsorted, in lines that are not sorted, too", () => {
    const values = [...lines(dtype, [40])];
    for (const [unsorted, t] of lines(dtype))
      for (const [line, u] of [
        [unsorted, t],
        [plain.stably(unsorted, plain.ascending(unsorted)).map((i) => unsorted[i]), torch.sort(t).values],
      ] as const)
        for (const [x, v] of values)
          for (const right of [false, true]) {
            const expected = x.map((each) => plain.searchsorted(line, each, right));
            expect(torch.searchsorted(u, v, { right }).tolist()).toEqual(expected);
            expect(torch.bucketize(v, u, { right }).tolist()).toEqual(expected);
          }
  });
});

it("nothing in, nothing out", () => {
  for (const dtype of [torch.int64, torch.float32]) {
    const x = torch.empty([0], { dtype });
    expect(torch.sort(x).indices.shape).toEqual([0]);
    expect(torch.topk(x, 0).indices.shape).toEqual([0]);
    expect((torch.unique(x, { return_inverse: true }) as Tensor[]).map((t) => t.shape)).toEqual([[0], [0]]);
    expect((torch.unique_consecutive(x) as Tensor).shape).toEqual([0]);
    expect(torch.isin(x, x).shape).toEqual([0]);
    expect(torch.searchsorted(x, torch.ones([2], { dtype })).tolist()).toEqual([0, 0]);
  }
});

/** Median of three meets the second greatest again and again: partitions run out of depth, and heaps take over. */
it("a line that defeats partitions", () => {
  const n = 1024;
  const x = Array.from({ length: n }, (_, i) => (i < n / 2 ? (i % 2 === 0 ? i + 1 : n / 2 + i) : 2 * (i - n / 2 + 1)));
  const t = torch.tensor(x.map((v) => v >> 1));
  const elements = t.tolist() as number[];
  const order = plain.numbered(elements);
  plain.sort(order, 0, n, plain.ascending(elements));
  expect_order(torch.sort(t), elements, order);
  const chosen = plain.numbered(elements);
  plain.nth_element(chosen, 0, 99, n, plain.ascending(elements));
  plain.sort(chosen, 0, 99, plain.ascending(elements));
  expect_order(torch.topk(t, 100, 0, false), elements, chosen.slice(0, 100));
});

it("multinomial without replacement: the largest of p / q, of equal ones the one in front", () => {
  for (const [n, k] of [
    [1, 1],
    [2, 2],
    [17, 5],
    [300, 300],
    [1500, 9],
  ]) {
    const p = torch.tensor(Array.from({ length: n }, () => below(3))).float();
    p.select(0, 0).fill_(1);
    const wide = torch.stack([p, p]).to(torch.float64);
    torch.manual_seed(3);
    const drawn = torch.multinomial(wide, k).tolist() as number[][];
    torch.manual_seed(3);
    const q = wide.div(torch.empty_like(wide).exponential_()).tolist() as number[][];
    const order = q.map((row) => plain.stably(row, plain.descending(row)).slice(0, k));
    expect(drawn).toEqual(order);
  }
});
