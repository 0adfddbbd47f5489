/** @file Tiles copied in WebAssembly: forwards, backwards, from rows to columns; and `flip`, which copies so. */
import torch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { beforeEach, describe, expect, test } from "vitest";
import { CopyKernel_vec } from "#aten/native/cpu/vec/generated/copy/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { tensors_in_heap } from "../../../../helpers/heap_stress.ts";
import { vectors_everywhere } from "../../../../helpers/vectors.ts";
import { clear, FLOATS, memory, Room, random } from "./memory.ts";

beforeEach(clear);

describe.each(FLOATS)("$name", (kind) => {
  const { copy_tile } = CopyKernel_vec.get(kind.dtype, memory);

  test.each([1, 2, 3, 4, 5, 8, 9, 17, 40])("lines of %d, either end first", (n) => {
    const [m, gap] = [3, 2];
    for (const [to_step, from_step] of [
      [1, 1],
      [-1, 1],
      [1, -1],
      [-1, -1],
    ]) {
      const x = new Room(kind, m * (n + gap), random(n));
      const out = new Room(kind, m * (n + gap), () => 7);
      const wanted = out.data.slice();
      const first = (step: number): number => (step < 0 ? n - 1 : 0);
      for (let j = 0; j < m; j++)
        for (let i = 0; i < n; i++) {
          const line = j * (n + gap);
          wanted[line + first(to_step) + i * to_step] = x.data[line + first(from_step) + i * from_step];
        }
      const line = (n + gap) * kind.size;
      const to = [out.address + first(to_step) * kind.size, to_step * kind.size, line] as const;
      const from = [x.address + first(from_step) * kind.size, from_step * kind.size, line] as const;
      copy_tile(...to, ...from, n, m, kind.size);
      expect([...out.data]).toEqual([...wanted]);
      expect(out.whole()).toBe(true);
    }
  });
});

describe("flip", () => {
  test("every dtype, along each dim and along both, of neighbours and of what is transposed", () => {
    const dtypes = [torch.bool, torch.int8, torch.int16, torch.float16, torch.int32, torch.float32, torch.int64];
    const reversed = <T>(x: T[]): T[] => x.slice().reverse();
    for (const dtype of [...dtypes, torch.float64]) {
      const x = torch
        .arange(5 * 37)
        .remainder(100)
        .to(dtype)
        .view([5, 37]);
      for (const of of [(t: Tensor) => t, (t: Tensor) => t.t(), (t: Tensor) => t.narrow(1, 2, 33)]) {
        const rows = of(x).tolist() as unknown[][];
        expect(of(x).flip([0]).tolist()).toEqual(reversed(rows));
        expect(of(x).flip([1]).tolist()).toEqual(rows.map(reversed));
        expect(of(x).flip([0, 1]).tolist()).toEqual(reversed(rows.map(reversed)));
      }
    }
  });
  const loop_of = (x: Tensor) =>
    record(() => x.flip([1]))
      .events.filter((e) => e.kind === "loop")
      .at(-1);
  test.runIf(get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap)("which loop", () => {
    expect(loop_of(torch.rand([9, 9]))).toMatchObject({ capability: "SIMD128", scalar: "at::native::copy_tile" });
  });
  test.skipIf(vectors_everywhere)("few elements are quicker without", () => {
    expect(loop_of(torch.rand([1, 3]))).toMatchObject({ scalar: "at::native::flip" });
  });
});
