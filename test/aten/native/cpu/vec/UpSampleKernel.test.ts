/** @file Resampling along a dim in WebAssembly: of float64 the bits of the loop in JavaScript, of float32 the same up to rounding. */
import { beforeEach, describe, expect, test } from "vitest";
import { resample_instances } from "#aten/native/cpu/generated/UpSampleKernel/index";
import { UpSampleKernel_vec } from "#aten/native/cpu/vec/generated/upsample/kernel";
import { clear, FLOATS, int32_table, memory, Room, random } from "./memory.ts";

beforeEach(clear);

describe.each(FLOATS)("$name", (kind) => {
  const { resample } = UpSampleKernel_vec.get(kind.dtype, memory);

  test.each([
    [1, 2],
    [1, 4],
    [2, 3],
    [3, 2],
    [4, 4],
    [17, 2],
    [33, 5],
  ])("%d numbers side by side, up to %d neighbours", (inner, taps) => {
    const [outer, from, to, next] = [3, 6, 11, random(inner * taps)];
    const counts = int32_table(
      Array.from({ length: to }, (_, i) => (i === 4 ? 0 : i % 3 === 0 ? Math.max(1, taps - 1) : taps)),
    );
    const indices = int32_table(Array.from({ length: to * taps }, () => Math.floor((next() + 1) * 3)));
    const weights = new Room(kind, to * taps, next);
    const x = new Room(kind, outer * from * inner, (i) => (i === 8 ? Number.NaN : i === 3 ? -0 : next()));
    const out = new Room(kind, outer * to * inner);
    const wanted = out.data.slice();
    const lines = { outer, from, to, inner, taps };
    resample_instances.get(kind.dtype)(wanted, 0, x.data, 0, counts, indices, weights.data, lines);
    const tables = [counts.byteOffset, indices.byteOffset, weights.address] as const;
    resample(out.address, x.address, ...tables, outer, from, to, inner, taps);
    if (kind.name === "float64") expect([...out.data]).toEqual([...wanted]);
    for (const [i, value] of wanted.entries())
      if (Number.isNaN(value)) expect(out.data[i]).toBeNaN();
      else expect(Math.abs(out.data[i] - value)).toBeLessThanOrEqual(taps * taps * kind.eps);
    expect(out.whole()).toBe(true);
  });
});
