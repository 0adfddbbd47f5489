/** @file Sums with vectors: the bits of the sums without. */
import { beforeEach, describe, expect, test } from "vitest";
import { sum_cascade_instances } from "#aten/native/cpu/generated/SumKernel";
import { SumKernel_vec } from "#aten/native/cpu/vec/generated/reduce/sum";
import { clear, FLOATS, HALVES, type Kind, memory, Room, random, stored, WORK } from "./memory.ts";

beforeEach(clear);

/** The tile's sums by ../SumKernel.ts; strides in elements, 0 in `out` for what is summed. */
function expected(kind: Kind, out: Room, outs: [number, number], x: Room, xs: [number, number], n: [number, number]) {
  const sums = out.data.slice();
  const run = sum_cascade_instances.get(kind.dtype);
  const Sums = kind.name === "float64" ? Float64Array : Float32Array;
  run(sums, 0, outs[1], outs[0], x.data, 0, xs[1], xs[0], n[0], n[1], new Sums(128), new Sums(32));
  return [...sums];
}

// Steps of the cascade are 16, from 2^20 rows on more; its levels fill at 16^2 and 16^3 steps.
const LENGTHS = [
  8, 9, 15, 16, 31, 33, 64, 100, 127, 511, 512, 513, 1000, 4096, 8191, 8192, 65536, 131072, 131077, 200003,
];

describe.each([...FLOATS, ...HALVES])("$name", (kind: Kind) => {
  const { sum_inner, sum_outer } = SumKernel_vec.get(kind.dtype, memory);

  test.each(LENGTHS.filter((n) => n * kind.size >= 32))("%d neighbours", (n) => {
    const next = random(n);
    const x = new Room(kind, n, () => next() * 10 ** (4 * next()));
    const out = new Room(kind, 1, next);
    const sums = expected(kind, out, [0, 0], x, [1, n], [n, 1]);
    sum_inner(WORK, out.address, 0, x.address, 0, 1, n);
    expect([...out.data]).toEqual(sums);
    expect(out.whole()).toBe(true);
  });

  test("rows apart, outputs apart", () => {
    const [rows, n, gap] = [7, 45, 3];
    const x = new Room(kind, rows * (n + gap), random(5));
    const out = new Room(kind, 2 * rows, random(6));
    const sums = expected(kind, out, [0, 2], x, [1, n + gap], [n, rows]);
    sum_inner(WORK, out.address, 2 * kind.size, x.address, (n + gap) * kind.size, rows, n);
    expect([...out.data]).toEqual(sums);
  });

  test.each([1, 2, 3, 4, 5, 16, 17, 63, 64, 65, 600, 4100])("columns of %d rows", (n) => {
    for (const columns of [8, 9, 15, 16, 31, 32, 33, 41, 70]) {
      if (columns * kind.size < 32) continue;
      clear();
      const x = new Room(kind, n * columns, random(n * columns));
      const out = new Room(kind, columns, random(8));
      const sums = expected(kind, out, [1, 0], x, [1, columns], [columns, n]);
      sum_outer(WORK, out.address, kind.size, x.address, columns * kind.size, columns, n);
      expect([...out.data], `${columns}`).toEqual(sums);
      expect(out.whole()).toBe(true);
    }
  });

  test("infinities, NaN and -0", () => {
    for (const odd of [Infinity, -Infinity, Number.NaN]) {
      const x = new Room(kind, 50, (i) => (i === 37 ? odd : i));
      const out = new Room(kind, 1, () => 0);
      sum_inner(WORK, out.address, 0, x.address, 0, 1, 50);
      expect(out.data[0]).toBe(stored(kind, odd));
    }
    const x = new Room(kind, 50, () => -0);
    const out = new Room(kind, 1, () => -0);
    const [sum] = expected(kind, out, [0, 0], x, [1, 50], [50, 1]);
    sum_inner(WORK, out.address, 0, x.address, 0, 1, 50);
    expect(out.data[0]).toBe(sum);
  });
});
