/** @file Lines scanned in WebAssembly: the bits of the loops in JavaScript. */
import { beforeEach, describe, expect, test } from "vitest";
import { cumprod_line_instances, cumsum_line_instances } from "#aten/native/cpu/generated/ReduceOpsCumulativeKernel";
import { ScanKernel_vec } from "#aten/native/cpu/vec/generated/ScanKernel";
import { ScalarType } from "#c10/core/ScalarType";
import { clear, FLOATS, HALVES, memory, Room, random } from "./memory.ts";

beforeEach(clear);

const scans = [
  ["cumsum_line", cumsum_line_instances],
  ["cumprod_line", cumprod_line_instances],
] as const;

describe.each(scans)("%s", (name, instances) => {
  test.each(HALVES)("$name", (kind) => {
    const run = ScanKernel_vec.get(kind.dtype, memory)[name];
    for (const n of [1, 2, 17, 500]) {
      const next = random(n);
      const x = new Room(kind, 3 * n, () => (name === "cumsum_line" ? 100 * next() : 1 + next() / 8));
      const out = new Room(kind, 2 * n, () => 7);
      const wanted = out.data.slice();
      instances.get(kind.dtype)(wanted, 0, 2, x.data, 0, 3, n);
      run(out.address, 2 * kind.size, x.address, 3 * kind.size, n);
      expect([...out.data]).toEqual([...wanted]);
      expect(out.whole()).toBe(true);
    }
  });

  test("int64, which wraps", () => {
    const run = ScanKernel_vec.get(ScalarType.Long, memory)[name];
    const n = 300;
    const [rooms_x, rooms_out] = [new Room(FLOATS[1], n), new Room(FLOATS[1], n)];
    const of = (room: Room): BigInt64Array =>
      new BigInt64Array(memory.buffer as unknown as ArrayBuffer, room.address, n);
    const [x, out] = [of(rooms_x), of(rooms_out)];
    const next = random(3);
    for (let i = 0; i < n; i++) x[i] = BigInt(Math.trunc(next() * 2 ** 62)) | 1n;
    const wanted = new BigInt64Array(n);
    instances.get(ScalarType.Long)(wanted, 0, 1, x, 0, 1, n);
    run(rooms_out.address, 8, rooms_x.address, 8, n);
    expect([...out]).toEqual([...wanted]);
    expect(rooms_out.whole()).toBe(true);
  });
});
