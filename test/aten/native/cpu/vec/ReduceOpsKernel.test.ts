/** @file Extremes, their places, and truth of all or any with vectors: the bits of the kernels without. */
import torch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { beforeEach, describe, expect, test } from "vitest";
import {
  and_tile_instances,
  max_values_tile_instances,
  min_values_tile_instances,
  or_tile_instances,
} from "#aten/native/cpu/generated/ReduceOpsKernel/index";
import { max_row_instances, min_row_instances } from "#aten/native/cpu/generated/TensorCompareKernel/Reduce";
import { ReduceOpsKernel_vec } from "#aten/native/cpu/vec/generated/reduce/kernel";
import { TruthKernel_vec } from "#aten/native/cpu/vec/generated/reduce/truth";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { ScalarType } from "#c10/core/ScalarType";
import { tensors_in_heap } from "../../../../helpers/heap_stress.ts";
import { clear, FLOATS, HALVES, type Kind, memory, Room, random } from "./memory.ts";

beforeEach(clear);

const LENGTHS = [1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 64, 100, 127, 1000];

/** Values with many equal ones, zeros of both signs, and, if wanted, NaN here and there. */
function awkward(seed: number, nan: boolean): () => number {
  const next = random(seed);
  return () => {
    const r = next();
    if (nan && r > 0.98) return Number.NaN;
    if (r < -0.9) return -Infinity;
    return r > 0.7 ? -0 : r > 0.3 ? 0 : Math.round(next() * 3) / 2;
  };
}

describe.each([...FLOATS, ...HALVES])("$name", (kind: Kind) => {
  const f = ReduceOpsKernel_vec.get(kind.dtype, memory);
  const extremes = [
    ["max", max_values_tile_instances, max_row_instances, -Infinity],
    ["min", min_values_tile_instances, min_row_instances, Infinity],
  ] as const;

  for (const [name, tiles, rows, start] of extremes) {
    test.each([false, true])(`${name} of neighbours; NaN among them: %s`, (nan) => {
      for (const n of LENGTHS) {
        for (const sign of [1, -1]) {
          clear();
          const [count, gap] = [7, 3];
          const value = awkward(n, nan);
          const x = new Room(kind, count * (n + gap), () => sign * value());
          const out = new Room(kind, 2 * count, () => start);
          const wanted = out.data.slice();
          tiles.get(kind.dtype)(wanted, 0, 2, 0, x.data, 0, n + gap, 1, n, count);
          f[`${name}_values_inner`](out.address, 2 * kind.size, x.address, (n + gap) * kind.size, count, n);
          expect([...out.data], `${n}`).toEqual([...wanted]);
          expect(out.whole()).toBe(true);
        }
      }
    });

    test.each([false, true])(`${name} of columns; NaN among them: %s`, (nan) => {
      for (const n of [1, 2, 3, 4, 5, 8, 15, 33]) {
        for (const columns of [1, 3, 4, 5, 16, 31, 66, 2500]) {
          clear();
          const stride = columns + 2;
          const value = awkward(n + columns, nan);
          const x = new Room(kind, n * stride, value);
          const out = new Room(kind, columns, () => start);
          const wanted = out.data.slice();
          tiles.get(kind.dtype)(wanted, 0, 0, 1, x.data, 0, stride, 1, columns, n);
          f[`${name}_values_outer`](out.address, x.address, stride * kind.size, columns, n);
          expect([...out.data], `${n} ${columns}`).toEqual([...wanted]);
          expect(out.whole()).toBe(true);
        }
      }
    });

    test.each([false, true])(`the place of the ${name}; NaN among them: %s`, (nan) => {
      for (const n of LENGTHS) {
        clear();
        const count = 9;
        const x = new Room(kind, count * n, awkward(n, nan));
        const values = new Room(kind, count);
        const places = new Room(FLOATS[1], count);
        const indices = new BigInt64Array(memory.buffer as unknown as ArrayBuffer, places.address, count);
        f[`${name}_rows`](values.address, kind.size, places.address, 8, x.address, n * kind.size, count, n);
        const [wanted, at] = [x.data.slice(0, count), new BigInt64Array(count)];
        for (let j = 0; j < count; j++) rows.get(kind.dtype)(wanted, j, 0, at, j, 0, x.data, j * n, 1, n);
        expect([...values.data], `${n}`).toEqual([...wanted]);
        expect([...indices]).toEqual([...at]);
        expect(values.whole() && places.whole()).toBe(true);
      }
    });
  }
});

describe("bytes", () => {
  const f = TruthKernel_vec.get(ScalarType.Float, memory);
  const bytes = new Uint8Array(memory.buffer as unknown as ArrayBuffer);
  const [X, OUT] = [1 << 16, 1 << 12];
  const kinds = [
    ["and", and_tile_instances, 1],
    ["or", or_tile_instances, 0],
  ] as const;

  for (const [name, tiles, start] of kinds) {
    /** Runs both; `odd` bytes in a thousand are not what decides nothing. */
    const both = (n: number, columns: number, odd: number, inner: boolean): void => {
      const next = random(n + columns);
      const size = n * columns;
      const others = [0, 0x80, 0x7f, 0x01, 0xff];
      for (let k = 0; k < size; k++) {
        const usual = name === "and" ? others[1 + (k % 4)] : 0;
        bytes[X + k] = next() > 1 - odd / 500 ? (name === "and" ? 0 : others[1 + (k % 4)]) : usual;
      }
      bytes.fill(0xee, OUT - 8, OUT + columns + 8);
      bytes.fill(start, OUT, OUT + columns);
      bytes[OUT] = 1 - start;
      const wanted = bytes.slice(OUT - 8, OUT + columns + 8);
      const x = bytes.slice(X, X + size);
      const run = tiles.get(ScalarType.Bool);
      if (inner) run(wanted, 8, 1, 0, x, 0, n, 1, n, columns);
      else run(wanted, 8, 0, 1, x, 0, columns, 1, columns, n);
      if (inner) f[`${name}_inner`](OUT, 1, X, n, columns, n);
      else f[`${name}_outer`](OUT, X, columns, columns, n);
      expect([...bytes.subarray(OUT - 8, OUT + columns + 8)], `${n} ${columns} ${odd}`).toEqual([...wanted]);
    };
    test(`${name} of neighbours`, () => {
      for (const n of [1, 15, 16, 63, 64, 65, 130, 1000]) for (const odd of [0, 1, 50]) both(n, 9, odd, true);
    });
    test(`${name} of columns`, () => {
      for (const columns of [1, 15, 16, 17, 100, 1000])
        for (const n of [1, 2, 5]) for (const odd of [0, 1, 300]) both(n, columns, odd, false);
    });
  }
});

const vectors = get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap;

// biome-ignore lint/suspicious/noExplicitAny: what an event holds
function last_loop(run: () => unknown): any {
  return record(run)
    .events.filter((e) => e.kind === "loop")
    .at(-1);
}

function numbers(sizes: number[], seed = 1): Tensor {
  const next = random(seed);
  return torch.tensor(Array.from({ length: sizes.reduce((p, q) => p * q) }, next)).view(sizes);
}

describe.runIf(vectors)("which kernel runs", () => {
  test("vectors where 64 bytes lie side by side; the output is filled before their loop", () => {
    const x = numbers([20, 30]);
    const named = (run: () => unknown): unknown[] => [last_loop(run).scalar, last_loop(run).capability];
    expect(named(() => torch.amax(x, 1))).toEqual(["at::native::max_values_inner", "SIMD128"]);
    expect(named(() => torch.amin(x, 0))).toEqual(["at::native::min_values_outer", "SIMD128"]);
    expect(named(() => torch.max(x, 1))).toEqual(["at::native::max_rows", "SIMD128"]);
    expect(named(() => torch.argmin(x, 1))).toEqual(["at::native::min_rows", "SIMD128"]);
    expect(named(() => torch.all(numbers([3, 100]).ne(0), 1))).toEqual(["at::native::and_inner", "SIMD128"]);
    expect(named(() => torch.any(numbers([3, 100]).ne(0), 0))).toEqual(["at::native::or_outer", "SIMD128"]);
    const loops = record(() => torch.amax(x, 1)).events.filter((e) => e.kind === "loop");
    expect(loops.map((e) => e["scalar"])).toEqual(["at::native::fill", "at::native::max_values_inner"]);
  });
  test("else the reason is told", () => {
    expect(last_loop(() => torch.amax(numbers([20, 8]), 1))).toMatchObject({
      scalar: "at::native::max_values_tile",
      why: "no 64 contiguous bytes: strides [1,8]",
    });
    expect(last_loop(() => torch.argmax(numbers([20, 30]), 0)).why).toBe("stride 30");
    expect(last_loop(() => torch.max(numbers([20, 8]), 1)).why).toBe("rows of fewer than 64 bytes");
    expect(last_loop(() => torch.amax(numbers([20, 40]).short(), 1)).why).toBe("no SIMD kernel for this dtype");
  });
});

test("through every layer, with strides and dims of all kinds", () => {
  const x = numbers([4, 33, 5, 21]);
  for (const t of [x, x.transpose(1, 3), x.permute([3, 2, 1, 0]), x.select(2, 3), x.select(0, 1)]) {
    for (let dim = 0; dim < t.dim(); dim++) {
      const [values, indices] = torch.max(t, dim);
      expect(values.equal(torch.amax(t, dim))).toBe(true);
      expect(values.equal(t.gather(dim, indices.unsqueeze(dim)).squeeze(dim))).toBe(true);
      expect(indices.equal(torch.argmax(t, dim))).toBe(true);
      expect(t.le(values.unsqueeze(dim)).all().item()).toBe(true);
      expect(values.neg().equal(torch.amin(t.neg(), dim))).toBe(true);
      const positive = t.gt(0.9);
      expect(torch.any(positive, dim).equal(positive.sum(dim).gt(0))).toBe(true);
      expect(torch.all(positive.logical_not(), dim).equal(positive.sum(dim).eq(0))).toBe(true);
    }
    expect(torch.amax(t, [0, 1]).equal(torch.amax(torch.amax(t, 1), 0))).toBe(true);
  }
});
