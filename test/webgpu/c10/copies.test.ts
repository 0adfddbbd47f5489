/** @file Bytes to the device, from it and within it: any offset, any length, and what lies beside them stays. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WebGPUClient } from "../../../src/c10/webgpu/client.ts";
import { PLACE } from "../../../src/c10/webgpu/protocol.ts";
import { bytes_of, fill, launch_affine, MB, malloc, open_device, u32_of } from "../support/device.ts";

let device: WebGPUClient;
beforeAll(() => {
  device = open_device({ total_memory: 512 * MB });
});
afterAll(() => device.stop());

const noise = (nbytes: number, seed: number): Uint8Array =>
  Uint8Array.from({ length: nbytes }, (_, i) => (i * 167 + seed * 61 + (i >> 8)) & 0xff);

describe("host to device", () => {
  test.each([
    [0, 1],
    [1, 1],
    [3, 1],
    [0, 4],
    [1, 4],
    [2, 2],
    [3, 5],
    [1, 63],
    [4, 64],
    [5, 100],
    [7, 9],
  ])("from byte %i, %i bytes", (offset, nbytes) => {
    const memory = malloc(device, 128);
    const before = noise(128, 1);
    device.copy_to_device(memory, 0, before);
    const bytes = noise(nbytes, 2);
    device.copy_to_device(memory, offset, bytes);
    before.set(bytes, offset);
    expect(bytes_of(device, memory)).toEqual(before);
  });

  test("the source may change at once", () => {
    const memory = malloc(device, 4096);
    const bytes = noise(4096, 3);
    device.copy_to_device(memory, 0, bytes);
    const copy = bytes.slice();
    bytes.fill(0);
    expect(bytes_of(device, memory)).toEqual(copy);
  });

  test("more than the window holds", () => {
    const nbytes = 2 * PLACE.UP_NBYTES + 4567;
    const memory = malloc(device, nbytes);
    const bytes = noise(nbytes, 4);
    device.copy_to_device(memory, 0, bytes);
    expect(Buffer.compare(bytes_of(device, memory), bytes)).toBe(0);
    expect(bytes_of(device, memory, 3, 5)).toEqual(bytes.slice(3, 8));
    const middle = PLACE.DOWN_CHUNK - 3;
    expect(bytes_of(device, memory, middle, 7)).toEqual(bytes.slice(middle, middle + 7));
  });

  test("comes between the launches before it and after it", () => {
    const memory = malloc(device, 256);
    const seen: number[] = [];
    for (let i = 0; i < 20; i++) {
      fill(device, memory, 1000 + i);
      device.copy_to_device(memory, 4, Uint8Array.of(i, 0, 0, 0));
      const [first, second] = u32_of(device, memory);
      seen.push(first, second);
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => [1000 + i, i]).flat());
  });
});

describe("within the device", () => {
  const offsets = [0, 1, 2, 3, 4, 6];
  test.each(["one segment", "two segments"])("any bytes, %s", (where) => {
    const one = where === "one segment";
    const src = malloc(device, 512);
    const dst = one ? malloc(device, 512) : malloc(device, 30 * MB);
    expect(src.epoch === dst.epoch).toBe(one);
    for (const from of offsets)
      for (const to of offsets)
        for (const nbytes of [1, 2, 3, 4, 5, 8, 64, 101]) {
          const [bytes, before] = [noise(512, from), noise(512, to + 9)];
          device.copy_to_device(src, 0, bytes);
          device.copy_to_device(dst, 0, before);
          device.copy_on_device(dst, to, src, from, nbytes);
          before.set(bytes.subarray(from, from + nbytes), to);
          expect(bytes_of(device, dst, 0, 512)).toEqual(before);
        }
  });

  test.each([16, 64, 1008, 1024, 4096, 4112, 20_000])("%i bytes at multiples of 16, and what is left", (nbytes) => {
    const memory = malloc(device, 50_000);
    for (const [to, from] of [
      [0, 25_008],
      [25_008, 16],
      [25_008, 4],
    ])
      for (const rest of [0, 1, 4, 15]) {
        const expected = noise(50_000, rest);
        device.copy_to_device(memory, 0, expected);
        device.copy_on_device(memory, to, memory, from, nbytes + rest);
        expected.copyWithin(to, from, from + nbytes + rest);
        expect(Buffer.compare(bytes_of(device, memory, 0, 50_000), expected)).toBe(0);
      }
  });

  test("more than one row of a grid", () => {
    const nbytes = 17 * MB;
    const memory = malloc(device, 2 * nbytes + 8);
    const bytes = noise(nbytes, 5);
    device.copy_to_device(memory, 0, bytes);
    device.copy_on_device(memory, nbytes + 4, memory, 0, nbytes);
    expect(Buffer.compare(bytes_of(device, memory, nbytes + 4, nbytes), bytes)).toBe(0);
  });
});

test("a segment may be given back while launches that use it are still to be submitted, and another one take its number", () => {
  const kept = malloc(device, 256);
  for (let i = 0; i < 20; i++) {
    const large = malloc(device, 12 * MB);
    fill(device, kept, i);
    launch_affine(device, large, kept, 1, 1, 64);
    launch_affine(device, kept, large, 1, 1, 64);
    device.allocator.free(large);
    device.allocator.emptyCache();
    launch_affine(device, kept, kept, 1, 1, 64);
    expect(u32_of(device, kept)[63]).toBe(i + 3);
  }
});

describe("without blocking", () => {
  test("fetch sees what was there when it was called", async () => {
    const memory = malloc(device, 5 * MB + 3);
    const bytes = noise(5 * MB + 3, 6);
    device.copy_to_device(memory, 0, bytes);
    const [all, some] = [device.fetch(memory, 0, memory.nbytes), device.fetch(memory, 5, 3)];
    device.copy_to_device(memory, 0, new Uint8Array(memory.nbytes));
    expect(Buffer.compare(await all, bytes)).toBe(0);
    expect(await some).toEqual(bytes.slice(5, 8));
    expect(bytes_of(device, memory, 0, 3)).toEqual(new Uint8Array(3));
  });

  test("a synchronous read may come between", async () => {
    const memory = malloc(device, 64);
    fill(device, memory, 7);
    const fetched = device.fetch(memory, 0, 4);
    expect(u32_of(device, memory)[0]).toBe(7);
    expect(await fetched).toEqual(Uint8Array.of(7, 0, 0, 0));
  });
});
