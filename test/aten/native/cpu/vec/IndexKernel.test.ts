/** @file Elements named by indices, moved and added in WebAssembly: the bits of the loops in JavaScript, and as far as these come before an index is refused. */
import torch, { type Tensor } from "glasstorch";
import { beforeEach, describe, expect, test } from "vitest";
import { gather_line_instances, scatter_add_line_instances } from "#aten/native/cpu/generated/ScatterGatherKernel";
import { IndexKernel_vec } from "#aten/native/cpu/vec/generated/index/kernel";
import { clear, FLOATS, type Kind, memory, Room, random } from "./memory.ts";

beforeEach(clear);

const SIZE = 9;

/** Indices in the memory, two int64 apart, and as the loops in JavaScript take them. */
function indices(kind: Kind, n: number, value: (i: number) => number): { address: number; data: BigInt64Array } {
  const room = new Room(kind, (n * 16) / kind.size);
  const data = new BigInt64Array(memory.buffer as unknown as ArrayBuffer, room.address, 2 * n);
  for (let i = 0; i < n; i++) data[2 * i] = BigInt(value(i));
  return { address: room.address, data };
}

describe.each(FLOATS)("$name", (kind) => {
  const { move, add } = IndexKernel_vec.get(kind.dtype, memory);
  const bytes = kind.size;

  test("elements that the indices name are read", () => {
    const next = random(1);
    const n = 23;
    const index = indices(kind, n, () => Math.floor(((next() + 1) / 2) * SIZE));
    const x = new Room(kind, 3 * SIZE, next);
    const out = new Room(kind, 2 * n, () => 0);
    const wanted = out.data.slice();
    gather_line_instances.get(kind.dtype)(wanted, 0, 2, index.data, 0, 2, x.data, 0, 3, n, 0, SIZE);
    expect(move(out.address, 2 * bytes, 0, x.address, 0, 3 * bytes, index.address, 16, n, bytes, 0, SIZE)).toBe(n);
    expect([...out.data]).toEqual([...wanted]);
    expect(out.whole()).toBe(true);
  });

  test("elements are added where the indices say, one after the other", () => {
    const next = random(2);
    const n = 50;
    const index = indices(kind, n, () => Math.floor(((next() + 1) / 2) * SIZE));
    const x = new Room(kind, n, next);
    const out = new Room(kind, 2 * SIZE, next);
    const wanted = out.data.slice();
    scatter_add_line_instances.get(kind.dtype)(wanted, 0, 2, index.data, 0, 2, x.data, 0, 1, n, 0, SIZE);
    expect(add(out.address, 0, 2 * bytes, x.address, bytes, 0, index.address, 16, n, bytes, 0, SIZE)).toBe(n);
    expect([...out.data]).toEqual([...wanted]);
    expect(out.whole()).toBe(true);
  });

  test.each([2, 3, 4, 5, 16, 19])("runs of %i elements", (length) => {
    const next = random(length);
    const n = 6;
    const place = (i: number): number => (i % 2 === 0 ? i : SIZE - (i + 1) / 2);
    const index = indices(kind, n, (i) => (i % 2 === 0 ? i : place(i) - SIZE));
    const x = new Room(kind, n * length, next);
    const [moved, added] = [new Room(kind, SIZE * length, () => 0), new Room(kind, SIZE * length, () => 0)];
    const wanted = moved.data.slice();
    for (let i = 0; i < n; i++) wanted.set(x.data.subarray(i * length, (i + 1) * length), place(i) * length);
    const run = length * bytes;
    for (const [f, out] of [
      [move, moved],
      [add, added],
    ] as const) {
      expect(f(out.address, 0, run, x.address, run, 0, index.address, 16, n, run, -SIZE, SIZE)).toBe(n);
      expect([...out.data]).toEqual([...wanted]);
      expect(out.whole()).toBe(true);
    }
  });

  test.each([SIZE, -SIZE - 1, 2 ** 32, -(2 ** 32) - 1, 2 ** 40 + 1])("%i is outside", (wrong) => {
    const index = indices(kind, 5, (i) => (i === 3 ? wrong : i));
    const x = new Room(kind, SIZE, (i) => i + 1);
    const out = new Room(kind, 5, () => 0);
    expect(move(out.address, bytes, 0, x.address, 0, bytes, index.address, 16, 5, bytes, -SIZE, SIZE)).toBe(3);
    expect([...out.data]).toEqual([1, 2, 3, 0, 0]);
  });
});

describe("many indices, which are looked at together", () => {
  const { inside } = IndexKernel_vec.get(FLOATS[0].dtype, memory);
  /** Neighbours, all of them inside but one. */
  const with_one = (n: number, at: number, wrong: number): number => {
    const room = new Room(FLOATS[1], n);
    const data = new BigInt64Array(memory.buffer as unknown as ArrayBuffer, room.address, n);
    for (let i = 0; i < n; i++) data[i] = BigInt(i === at ? wrong : i % SIZE);
    return room.address;
  };

  test.each([SIZE, SIZE + 1, -SIZE - 1, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 40 + 1, -(2 ** 32)])(
    "%i is found",
    (wrong) => {
      for (const at of [0, 1, 3, 62, 63, 64, 127, 128, 150, 199])
        expect(inside(with_one(200, at, wrong), 8, 200, -SIZE, SIZE)).toBe(at);
    },
  );

  test("negative ones are inside where they count from the end, and not where they do not", () => {
    for (const n of [1, 63, 64, 65, 200]) {
      expect(inside(with_one(n, n >> 1, -SIZE), 8, n, -SIZE, SIZE)).toBe(n);
      expect(inside(with_one(n, n >> 1, -1), 8, n, 0, SIZE)).toBe(n >> 1);
      expect(inside(with_one(n, -1, 0), 8, n, 0, SIZE)).toBe(n);
    }
  });

  test.each(FLOATS)("$name: read sixteen at a time", (kind) => {
    const { move } = IndexKernel_vec.get(kind.dtype, memory);
    const size = kind.size;
    for (const n of [1, 3, 4, 15, 16, 17, 40])
      for (const [to_step, from_step, each] of [
        [1, 0, 1],
        [2, 0, 3],
        [1, 1, 1],
      ])
        for (const odd of [-1, 2, 5, 16, 33]) {
          clear();
          const x = new Room(kind, SIZE * each + n * from_step, (i) => i + 1);
          const out = new Room(kind, n * to_step, () => 0);
          const index = with_one(n, odd, -2);
          const wanted = out.data.slice();
          for (let i = 0; i < n; i++)
            wanted[i * to_step] = x.data[i * from_step + (i === odd ? SIZE - 2 : i % SIZE) * each];
          const read = [x.address, from_step * size, each * size, index, 8, n, size] as const;
          expect(move(out.address, to_step * size, 0, ...read, -SIZE, SIZE)).toBe(n);
          expect([...out.data]).toEqual([...wanted]);
          expect(out.whole()).toBe(true);
        }
  });
});

describe.each(FLOATS)("$name: an index that is outside ends the reading", ({ dtype, size }) => {
  const { move } = IndexKernel_vec.get(dtype, memory);
  test.each([SIZE, -SIZE - 1, 2 ** 31, 2 ** 32, -(2 ** 40), Number.MAX_SAFE_INTEGER])("%i", (wrong) => {
    for (const at of [0, 15, 16, 31, 39]) {
      clear();
      const room = new Room(FLOATS[1], 40);
      const index = new BigInt64Array(memory.buffer as unknown as ArrayBuffer, room.address, 40);
      for (let i = 0; i < 40; i++) index[i] = BigInt(i === at ? wrong : i % SIZE);
      const kind = size === 4 ? FLOATS[0] : FLOATS[1];
      const x = new Room(kind, SIZE, (i) => i + 1);
      const out = new Room(kind, 40, () => 0);
      expect(move(out.address, size, 0, x.address, 0, size, room.address, 8, 40, size, -SIZE, SIZE)).toBe(at);
      expect([...out.data]).toEqual(Array.from({ length: 40 }, (_, i) => (i < at ? (i % SIZE) + 1 : 0)));
    }
  });
});

const outside = (run: (x: Tensor, index: Tensor, source: Tensor) => unknown, length: number): number[] => {
  const shape = length === 1 ? [40] : [40, length];
  const [x, source] = [torch.zeros(shape), torch.ones(shape)];
  const index = torch.arange(40);
  index.select(0, 30).fill_(40);
  expect(() => run(x, index, source)).toThrow(/out of (bounds|range)/);
  return x.reshape([40, length]).select(1, 0).tolist() as number[];
};

/** PyTorch has written until it comes to the index. */
test.each([1, 16, 40])("what comes before an index that is refused is written: %i elements", (length) => {
  const wanted = Array.from({ length: 40 }, (_, i) => (i < 30 ? 1 : 0));
  expect(outside((x, index, source) => x.index_put_([index], source), length)).toEqual(wanted);
  expect(outside((x, index, source) => x.index_put_([index], source, true), length)).toEqual(wanted);
  if (length === 1) expect(outside((x, index, source) => x.put_(index, source), length)).toEqual(wanted);
});
