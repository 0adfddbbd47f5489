/** @file Sums over neighbours in WebAssembly: the bits of those in JavaScript. And what a call says of its loop. */
import torch from "glasstorch";
import { record } from "glasstorch/trace";
import { beforeEach, describe, expect, test } from "vitest";
import { sum_neighbours_instances } from "#aten/native/cpu/generated/GridSamplerKernel";
import { GridSamplerKernel_vec } from "#aten/native/cpu/vec/generated/grid_sampler/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { tensors_in_heap } from "../../../../helpers/heap_stress.ts";
import { clear, FLOATS, int32_table, memory, Room, random } from "./memory.ts";

beforeEach(clear);

describe.each(FLOATS)("$name", (kind) => {
  const { sum_neighbours } = GridSamplerKernel_vec.get(kind.dtype, memory);

  test.each([0, 1, 5, 17])("%d places with up to eight neighbours", (places) => {
    const [channels, plane, next] = [3, 30, random(places + 1)];
    const counts = Array.from({ length: places }, (_, p) => [4, 0, 8, 2, 4, 1, 7][p % 7]);
    let total = 0;
    const ends = int32_table(counts.map((n) => (total += n)));
    const from = int32_table(Array.from({ length: total }, () => Math.floor((next() + 1) * 15)));
    const shares = new Room(kind, total, next);
    const x = new Room(kind, channels * plane, (i) => (i === 7 ? Number.NaN : i === 9 ? -0 : next()));
    const out = new Room(kind, channels * (places + 2), () => 7);
    const wanted = out.data.slice();
    const run = sum_neighbours_instances.get(kind.dtype);
    run(wanted, 0, places + 2, x.data, 0, plane, channels, ends, from, shares.data, places);
    sum_neighbours(
      out.address,
      (places + 2) * kind.size,
      x.address,
      plane * kind.size,
      channels,
      ends.byteOffset,
      from.byteOffset,
      shares.address,
      places,
    );
    expect([...out.data]).toEqual([...wanted]);
    expect(out.whole()).toBe(true);
  });
});

describe.runIf(get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap)("grid_sample", () => {
  const { functional: F } = torch.nn;
  const loop_of = (run: () => unknown) =>
    record(run).events.filter((e) => e.kind === "loop" && /GridSampler|grid_sampler/.test(`${e["file"]}`));
  test("tiles and their rest: as one place after the other", () => {
    const images = torch.rand([2, 3, 9, 7]);
    const grid = torch.rand([2, 1, 600, 2]).mul(2.4).sub(1.2);
    for (const mode of ["bilinear", "nearest", "bicubic"]) {
      const all = F.grid_sample(images, grid, mode, "zeros", false);
      for (const p of [0, 255, 256, 511, 512, 599]) {
        const one = F.grid_sample(images, grid.narrow(2, p, 1), mode, "zeros", false);
        expect(one.flatten().tolist()).toEqual(all.narrow(3, p, 1).flatten().tolist());
      }
    }
  });
  test("which loop ran, and why", () => {
    const [images, grid] = [torch.rand([1, 2, 8, 8]), torch.rand([1, 8, 8, 2])];
    const sample = (mode: string) => loop_of(() => F.grid_sample(images, grid, mode, "zeros", false));
    expect(sample("bilinear")).toMatchObject([{ capability: "SIMD128", scalar: "at::native::sum_neighbours" }]);
    expect(sample("bicubic")).toMatchObject([{ capability: "DEFAULT", why: "cubic" }]);
    const half = loop_of(() => F.grid_sample(images.half(), grid.half(), "bilinear", "zeros", false));
    expect(half).toMatchObject([{ capability: "DEFAULT", why: "no SIMD kernel for this dtype" }]);
  });
});
