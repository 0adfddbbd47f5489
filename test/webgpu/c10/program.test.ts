/**
 * @file Random programs on the device beside a model of bytes on the host: launches, copies of any bytes, reads, under a limit that pages
 * out all the time.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WebGPUClient } from "../../../src/c10/webgpu/client.ts";
import type { Memory } from "../../../src/c10/webgpu/memory.ts";
import { bytes_of, launch_affine, MB, malloc, open_device } from "../support/device.ts";

let device: WebGPUClient;
beforeAll(() => {
  device = open_device({ total_memory: 4 * MB });
});
afterAll(() => device.stop());

type Kind = "new" | "free" | "upload" | "affine" | "in_place" | "copy" | "read" | "sync" | "event";

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Kind>(
      "new",
      "new",
      "free",
      "upload",
      "affine",
      "affine",
      "in_place",
      "copy",
      "read",
      "sync",
      "event",
    ),
    a: fc.nat(),
    b: fc.nat(),
    nbytes: fc.oneof(
      fc.integer({ min: 4, max: 400 }),
      fc.noBias(fc.integer({ min: 4, max: MB })),
      fc.noBias(fc.integer({ min: 4, max: MB })),
    ),
    value: fc.nat(1000),
  }),
  { minLength: 90, maxLength: 140 },
);

interface Pair {
  readonly memory: Memory;
  readonly model: Uint8Array<ArrayBuffer>;
}

/** The kernel's effect on `n` words. */
function affine({ model: out }: Pair, { model: x }: Pair, factor: number, summand: number, n: number): void {
  const [from, to] = [new Uint32Array(x.buffer, 0, n), new Uint32Array(out.buffer, 0, n)];
  for (let i = 0; i < n; i++) to[i] = Math.imul(from[i], factor) + summand;
}

test("everything is where it was put", () => {
  let checked = 0;
  fc.assert(
    fc.property(steps, (program) => {
      const pairs: Pair[] = [];
      const make = (nbytes: number): Pair => {
        const pair = { memory: malloc(device, nbytes), model: new Uint8Array(Math.ceil(nbytes / 4) * 4) };
        const bytes = Uint8Array.from({ length: nbytes }, (_, i) => (i * 7 + pairs.length) & 0xff);
        device.copy_to_device(pair.memory, 0, bytes);
        pair.model.set(bytes);
        pairs.push(pair);
        return pair;
      };
      const compare = ({ memory, model }: Pair): void => {
        checked++;
        expect(Buffer.compare(bytes_of(device, memory), model.subarray(0, memory.nbytes))).toBe(0);
      };
      make(1000);
      for (const { kind, a, b, nbytes, value } of program) {
        const [x, y] = [pairs[a % pairs.length], pairs[b % pairs.length]];
        const n = Math.floor(Math.min(x.memory.nbytes, y.memory.nbytes) / 4);
        if (kind === "new") make(nbytes);
        else if (kind === "upload") {
          const offset = value % x.memory.nbytes;
          const bytes = new Uint8Array(Math.min(nbytes, x.memory.nbytes - offset)).fill(value);
          device.copy_to_device(x.memory, offset, bytes);
          x.model.set(bytes, offset);
        } else if (kind === "affine") {
          launch_affine(device, y.memory, x.memory, value, a, n);
          affine(y, x, value, a, n);
        } else if (kind === "in_place") {
          const words = Math.floor(x.memory.nbytes / 4);
          launch_affine(device, x.memory, x.memory, value, b, words);
          affine(x, x, value, b, words);
        } else if (kind === "copy" && x !== y) {
          const [from, to] = [value % x.memory.nbytes, (value * 3) % y.memory.nbytes];
          const length = Math.min(nbytes, x.memory.nbytes - from, y.memory.nbytes - to);
          device.copy_on_device(y.memory, to, x.memory, from, length);
          y.model.set(x.model.subarray(from, from + length), to);
        } else if (kind === "read") compare(x);
        else if (kind === "sync") device.synchronize("test");
        else if (kind === "event") device.wait_for_event(device.record_event(false));
        else if (kind === "free" && pairs.length > 1) {
          device.allocator.free(x.memory);
          pairs.splice(pairs.indexOf(x), 1);
        }
        device.allocator.checkInvariants();
      }
      for (const pair of pairs) compare(pair);
      for (const { memory } of pairs) device.allocator.free(memory);
    }),
    { numRuns: 20 },
  );
  console.log(`${checked} memories compared; ${JSON.stringify(paging())}`);
  expect(device.allocator.stats.num_page_outs).toBeGreaterThan(5);
  expect(device.allocator.stats.num_page_ins).toBeGreaterThan(5);
});

function paging(): object {
  const { num_page_outs, num_page_ins, num_device_alloc } = device.allocator.stats;
  return { num_page_outs, num_page_ins, num_device_alloc };
}
