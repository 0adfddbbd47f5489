/** @file Integers at equal distances with vectors: those of the loop in JavaScript, and beyond 2^53 those of BigInt. */
import { beforeEach, describe, expect, test } from "vitest";
import { arange_integral_instances } from "#aten/native/cpu/generated/RangeFactoriesKernel/index";
import { RangeFactoriesKernel_vec } from "#aten/native/cpu/vec/generated/range/kernel";
import { ScalarType } from "#c10/core/ScalarType";
import { clear, FLOATS, memory, Room } from "./memory.ts";

beforeEach(clear);

const KINDS = [
  { name: "int32", dtype: ScalarType.Int, room: FLOATS[0], make: Int32Array, of: (x: number) => x },
  { name: "int64", dtype: ScalarType.Long, room: FLOATS[1], make: BigInt64Array, of: BigInt },
] as const;

describe.each(KINDS)("$name", ({ dtype, room, make, of }) => {
  const { arange_of_integers } = RangeFactoriesKernel_vec.get(dtype, memory);

  test.each([1, 2, 3, 4, 5, 7, 8, 16, 33, 1000])("%d of them", (n) => {
    for (const [start, step] of [
      [0, 1],
      [-7, 3],
      [100, -9],
    ]) {
      clear();
      const lies = new Room(room, n);
      const out = new make(memory.buffer as unknown as ArrayBuffer, lies.address, n);
      const wanted = new make(n);
      (arange_integral_instances.get(dtype) as (...args: unknown[]) => void)(wanted, 0, n, start, step);
      arange_of_integers(lies.address, n, of(start) as number, of(step) as number);
      expect([...out]).toEqual([...wanted]);
      expect(lies.whole()).toBe(true);
    }
  });
});

test("the largest steps", () => {
  const { arange_of_integers } = RangeFactoriesKernel_vec.get(ScalarType.Long, memory);
  const lies = new Room(FLOATS[1], 5);
  const [start, step] = [-(2n ** 62n) + 3n, 2n ** 60n + 1n];
  arange_of_integers(lies.address, 5, start as unknown as number, step as unknown as number);
  const out = new BigInt64Array(memory.buffer as unknown as ArrayBuffer, lies.address, 5);
  expect([...out]).toEqual([0n, 1n, 2n, 3n, 4n].map((i) => BigInt.asIntN(64, start + i * step)));
});
