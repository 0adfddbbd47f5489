/** @file Distances of rows with vectors: those of the loop in JavaScript, up to the order of additions. */
import { beforeEach, describe, expect, test } from "vitest";
import { row_distance_instances } from "#aten/native/cpu/generated/DistanceOpsKernel";
import { DistanceOpsKernel_vec } from "#aten/native/cpu/vec/generated/distance/kernel";
import { clear, FLOATS, memory, Room, random } from "./memory.ts";

beforeEach(clear);

describe.each(FLOATS)("$name", (kind) => {
  const kernels = DistanceOpsKernel_vec.get(kind.dtype, memory);
  const of_p = [
    [0, kernels.distances_zero],
    [1, kernels.distances_one],
    [2, kernels.distances_two],
    [Infinity, kernels.distances_inf],
  ] as const;

  describe.each(of_p)("p = %d", (p, distances) => {
    function both(m: number, value: (i: number) => number): [Room, number[]] {
      const count = 5;
      const x = new Room(kind, m, (i) => value(i));
      const rows = new Room(kind, count * m, (i) => (i % 3 === 0 ? x.data[i % m] : value(m + i)));
      const out = new Room(kind, count);
      const wanted = out.data.slice();
      const run = row_distance_instances.get(kind.dtype);
      for (let j = 0; j < count; j++) run(wanted, j, x.data, 0, rows.data, j * m, m, p);
      distances(out.address, x.address, rows.address, count, m * kind.size);
      expect(out.whole()).toBe(true);
      return [out, [...wanted]];
    }

    test.each([1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 100])("rows of %d", (m) => {
      const [out, wanted] = both(m, random(m));
      for (const [j, value] of wanted.entries())
        expect(Math.abs(out.data[j] - value)).toBeLessThanOrEqual((m + 2) * kind.eps * value);
    });
    test("NaN and infinity, wherever they stand; zeros of either sign", () => {
      for (const odd of [Number.NaN, Infinity, -Infinity])
        for (const place of [0, 3, 4, 7, 8, 10]) {
          const [out, wanted] = both(11, (i) => (i === place ? odd : i % 11));
          expect([...out.data]).toEqual(wanted);
        }
      const [out, wanted] = both(11, (i) => (i % 2 === 0 ? 0 : -0));
      expect([...out.data]).toEqual(wanted);
    });
  });
});
