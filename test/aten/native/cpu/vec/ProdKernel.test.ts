/** @file Products with vectors: the bits of the products without. */
import { beforeEach, describe, expect, test } from "vitest";
import { prod_tile_instances } from "#aten/native/cpu/generated/ReduceOpsKernel/index";
import { ProdKernel_vec } from "#aten/native/cpu/vec/generated/reduce/prod";
import { clear, FLOATS, HALVES, type Kind, memory, Room, random, stored } from "./memory.ts";

beforeEach(clear);

/** Around 1, so that long products stay numbers; of both signs. */
function around_one(seed: number): () => number {
  const next = random(seed);
  return () => {
    const x = 1 + next() / 4;
    return next() > 0.8 ? -x : x;
  };
}

describe.each([...FLOATS, ...HALVES])("$name", (kind: Kind) => {
  const { prod_inner, prod_outer } = ProdKernel_vec.get(kind.dtype, memory);
  const tile = prod_tile_instances.get(kind.dtype);

  test.each([1, 7, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128, 200, 1000])("%d neighbours", (n) => {
    const [count, gap] = [5, 3];
    const x = new Room(kind, count * (n + gap), around_one(n));
    const out = new Room(kind, 2 * count, () => 1);
    const wanted = out.data.slice();
    tile(wanted, 0, 2, 0, x.data, 0, n + gap, 1, n, count);
    prod_inner(out.address, 2 * kind.size, x.address, (n + gap) * kind.size, count, n);
    expect([...out.data]).toEqual([...wanted]);
    expect(out.whole()).toBe(true);
  });

  test.each([1, 2, 3, 4, 5, 8, 33])("columns of %d rows", (n) => {
    for (const columns of [1, 3, 8, 17, 66, 2500, 5000]) {
      clear();
      const x = new Room(kind, n * (columns + 2), around_one(n + columns));
      const out = new Room(kind, columns, () => 1);
      const wanted = out.data.slice();
      tile(wanted, 0, 0, 1, x.data, 0, columns + 2, 1, columns, n);
      prod_outer(out.address, x.address, (columns + 2) * kind.size, columns, n);
      expect([...out.data], `${columns}`).toEqual([...wanted]);
      expect(out.whole()).toBe(true);
    }
  });

  test("zeros, infinities, NaN", () => {
    for (const odd of [0, -0, Infinity, -Infinity, Number.NaN]) {
      const x = new Room(kind, 150, (i) => (i === 77 ? odd : 1));
      const out = new Room(kind, 1, () => 1);
      prod_inner(out.address, 0, x.address, 0, 1, 150);
      expect(out.data[0]).toBe(stored(kind, odd));
    }
  });
});
