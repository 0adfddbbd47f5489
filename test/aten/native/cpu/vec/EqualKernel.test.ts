/** @file `equal` with vectors: one difference is found wherever it stands. */
import torch from "glasstorch";
import { beforeEach, describe, expect, test } from "vitest";
import { EqualKernel_vec } from "#aten/native/cpu/vec/generated/equal/kernel";
import { ScalarType } from "#c10/core/ScalarType";
import { clear, FLOATS, memory, Room, random } from "./memory.ts";

beforeEach(clear);

describe.each(FLOATS)("$name", (kind) => {
  const { equal } = EqualKernel_vec.get(kind.dtype, memory);
  test.each([0, 1, 3, 4, 7, 8, 9, 33])("%d neighbours", (n) => {
    const a = new Room(kind, n, random(n));
    const b = new Room(kind, n, random(n));
    const run = (): number => equal(a.address, b.address, n * kind.size);
    expect(run()).toBe(1);
    for (let i = 0; i < n; i++) {
      const kept = b.data[i];
      b.data[i] = 5;
      expect(run()).toBe(0);
      a.data[i] = b.data[i] = Number.NaN;
      expect(run()).toBe(0);
      [a.data[i], b.data[i]] = [0, -0];
      expect(run()).toBe(1);
      a.data[i] = b.data[i] = kept;
    }
  });
});

test("bytes behind the last whole int32", () => {
  const { equal } = EqualKernel_vec.get(ScalarType.Int, memory);
  const [a, b] = [new Room(FLOATS[0], 12, () => 1), new Room(FLOATS[0], 12, () => 1)];
  const bytes = new Uint8Array(memory.buffer, b.address, 48);
  for (const n of [0, 1, 2, 3, 5, 31, 32, 33, 47]) {
    for (let i = 0; i < 48; i++) {
      bytes[i] ^= 1;
      expect(equal(a.address, b.address, n)).toBe(i < n ? 0 : 1);
      bytes[i] ^= 1;
    }
  }
});

test("tensors of every dtype", () => {
  for (const dtype of [torch.bool, torch.uint8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32]) {
    const x = torch.arange(99).remainder(2).to(dtype);
    const y = x.clone();
    expect(torch.equal(x, y)).toBe(true);
    y.select(0, 98).fill_(1);
    expect(torch.equal(x, y)).toBe(false);
    expect(torch.equal(x.view([9, 11]).t(), x.view([9, 11]).t().contiguous())).toBe(true);
  }
});
