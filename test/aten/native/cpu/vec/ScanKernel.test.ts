/** @file Lines scanned in WebAssembly: the bits of the loops in JavaScript. */
import torch, { type Tensor } from "glasstorch";
import { beforeEach, describe, expect, test } from "vitest";
import { cumprod_line_instances, cumsum_line_instances } from "#aten/native/cpu/generated/ReduceOpsKernel/Cumulative";
import { CummaxKernel_vec } from "#aten/native/cpu/vec/generated/scan/cummax";
import { ScanKernel_vec } from "#aten/native/cpu/vec/generated/scan/kernel";
import { cummax_line_instances, cummin_line_instances } from "#aten/native/generated/ReduceOps/Cummax";
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

const extremes = [
  ["cummax_line", cummax_line_instances],
  ["cummin_line", cummin_line_instances],
] as const;
/** Lines by name: what is new comes seldom, ever, never, twice; as a NaN, or where one was. */
const LINES: Readonly<Record<string, (i: number, n: number, next: () => number) => number>> = {
  random: (_i, _n, next) => next(),
  up: (i) => i,
  down: (i) => -i,
  equal: () => 1.5,
  few: (_i, _n, next) => Math.trunc(3 * next()),
  "a NaN": (i, n, next) => (i === Math.floor(n / 2) ? Number.NaN : next()),
  "many NaN": (_i, _n, next) => (next() > 0.9 ? Number.NaN : next()),
  "NaN first": (i, _n, next) => (i === 0 ? Number.NaN : next()),
  zeros: (i) => (i % 3 === 0 ? -0 : 0),
  infinities: (i) => (i % 2 === 0 ? -Infinity : i > 30 ? Infinity : 0),
};

describe.each(extremes)("%s", (name, instances) => {
  test.each([...FLOATS, ...HALVES])("$name", (kind) => {
    const run = CummaxKernel_vec.get(kind.dtype, memory)[name];
    for (const [told, line] of Object.entries(LINES))
      for (const n of [1, 2, 3, 4, 5, 7, 8, 9, 33, 150])
        for (const [v_step, i_step, x_step] of [
          [1, 1, 1],
          [1, 1, 2],
          [2, 1, 1],
          [1, 3, 1],
        ]) {
          clear();
          const next = random(n);
          const x = new Room(kind, n * x_step, (i) => line(Math.floor(i / x_step), n, next));
          const values = new Room(kind, n * v_step, () => 7);
          const places = new Room(FLOATS[1], n * i_step, () => 0);
          const indices = new BigInt64Array(memory.buffer as unknown as ArrayBuffer, places.address, n * i_step);
          const wanted = [values.data.slice(), indices.slice()] as const;
          instances.get(kind.dtype)(wanted[0], 0, v_step, wanted[1], 0, i_step, x.data, 0, x_step, n);
          const size = kind.size;
          run(values.address, v_step * size, places.address, i_step * 8, x.address, x_step * size, n);
          expect([...values.data], `${told} ${n}`).toEqual([...wanted[0]]);
          expect([...indices], `${told} ${n}`).toEqual([...wanted[1]]);
          expect(values.whole() && places.whole()).toBe(true);
        }
  });

  test("of integers, by the operator, along both dims", () => {
    const simple = (x: Tensor, dim: number): Tensor => x.double()[name.slice(0, 6) as "cummax"](dim)[1];
    for (const dtype of [torch.int32, torch.int64]) {
      torch.manual_seed(3);
      const x = torch.randint(-5, 6, [40, 50]).to(dtype);
      for (const dim of [0, 1]) {
        const [values, indices] = x[name.slice(0, 6) as "cummax"](dim);
        expect(indices.equal(simple(x, dim))).toBe(true);
        expect(values.equal(x.gather(dim, indices))).toBe(true);
      }
    }
    const wide = torch.tensor([2 ** 40, 2 ** 41, 2 ** 33, -(2 ** 40)]).repeat([20]);
    const found = wide[name.slice(0, 6) as "cummax"](0);
    expect(found[0].at(-1).item()).toBe(name === "cummax_line" ? 2 ** 41 : -(2 ** 40));
    expect(found[1].at(-1).item()).toBe(name === "cummax_line" ? 77 : 79);
  });
});
