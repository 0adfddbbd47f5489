/** @file Norms of rows with vectors: the bits of the norms without. */
import { beforeEach, describe, expect, test } from "vitest";
import { norm_two_row_instances } from "#aten/native/cpu/generated/ReduceOpsKernel/Norm";
import { ReduceOpsNormKernel_vec } from "#aten/native/cpu/vec/generated/reduce/norm";
import { clear, FLOATS, HALVES, type Kind, memory, Room, random, stored } from "./memory.ts";

beforeEach(clear);

describe.each([...FLOATS, ...HALVES])("$name", (kind: Kind) => {
  const { norm_two_rows } = ReduceOpsNormKernel_vec.get(kind.dtype, memory);

  test.each([1, 3, 4, 7, 8, 15, 16, 17, 31, 33, 100, 1000])("rows of %d", (n) => {
    const [count, gap] = [5, 3];
    const x = new Room(kind, count * (n + gap), random(n));
    const out = new Room(kind, 2 * count, () => 7);
    const wanted = out.data.slice();
    const acc = new (kind.name === "float64" ? Float64Array : Float32Array)(8);
    for (let j = 0; j < count; j++)
      norm_two_row_instances.get(kind.dtype)(wanted, 2 * j, 0, x.data, j * (n + gap), 1, n, acc);
    norm_two_rows(out.address, 2 * kind.size, x.address, (n + gap) * kind.size, count, n);
    expect([...out.data]).toEqual([...wanted]);
    expect(out.whole()).toBe(true);
  });

  test("infinities, NaN, nothing but zeros", () => {
    for (const odd of [Infinity, -Infinity, Number.NaN, 0]) {
      const x = new Room(kind, 50, (i) => (i === 37 ? odd : odd === 0 ? -0 : 1));
      const out = new Room(kind, 1);
      norm_two_rows(out.address, 0, x.address, 0, 1, 50);
      expect(out.data[0]).toBe(stored(kind, Math.abs(odd)));
    }
  });
});
