/** @file The server in the caller's own thread: what may not wait says so, everything else works. */
import { createRequire } from "node:module";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WebGPUClient } from "../../../src/c10/webgpu/client.ts";
import { LocalHost, why_not_wait } from "../../../src/c10/webgpu/local.ts";
import { launch_affine, MB, malloc } from "../support/device.ts";

const SENTENCE = "This thread may not wait. Use `await torch.webgpu.fetch(x)`.";

async function open(): Promise<WebGPUClient> {
  const { create } = (await import(createRequire(import.meta.url).resolve("webgpu"))) as {
    create(flags: string[]): GPU;
  };
  const gpu = create([]);
  const [memory, host] = await LocalHost.open(gpu, SENTENCE);
  (host as { gpu?: GPU }).gpu = gpu; // the process ends when it is collected
  return WebGPUClient.connect_async(memory, host, { total_memory: 64 * MB });
}

test("launches and copies of a job are done, and fetched", async () => {
  const device = await open();
  expect(device.can_wait).toBe(false);
  const x = malloc(device, 256);
  device.copy_to_device(x, 0, new Uint8Array(Uint32Array.from({ length: 64 }, (_, i) => i).buffer));
  for (let i = 0; i < 5000; i++) launch_affine(device, x, x, 1, 1); // more than the ring holds
  const bytes = await device.fetch(x, 0, 256);
  expect([...new Uint32Array(bytes.buffer)]).toEqual(Array.from({ length: 64 }, (_, i) => i + 5000));
  device.copy_to_device(x, 1, Uint8Array.of(9));
  expect((await device.fetch(x, 0, 4))[1]).toBe(9);
  await device.synchronize_async();
});

test("what would have to wait names the way out", async () => {
  const device = await open();
  const x = malloc(device, 256);
  expect(() => device.copy_from_device(new Uint8Array(4), x, 0, "item")).toThrow(SENTENCE);
  expect(() => device.synchronize("synchronize")).toThrow(SENTENCE);
  for (let i = 0; i < 3; i++) device.allocate(20 * MB);
  expect(() => device.allocate(20 * MB)).toThrow(`Nothing could be paged out to the host: ${SENTENCE}`);
});

test("an error of the device rejects what is awaited next", async () => {
  const device = await open();
  const x = malloc(device, 256);
  const source = {
    name: "test::bad",
    code: "@compute fn main() { oh no }",
    slots: 1,
    written: 1,
    workgroup_size: [1, 1, 1] as const,
  };
  device.launch.begin();
  device.launch.operand(x, 0, 256, 2);
  device.launch.run(device.register(source), 1, 1, 1, 0);
  await expect(device.synchronize_async()).rejects.toThrow("in kernel test::bad");
  launch_affine(device, x, x, 0, 5);
  expect([...(await device.fetch(x, 0, 4))]).toEqual([5, 0, 0, 0]);
});

describe("where one may not wait", () => {
  afterEach(() => void vi.unstubAllGlobals());

  test("a page that is not isolated", () => {
    vi.stubGlobal("SharedArrayBuffer", undefined);
    expect(why_not_wait()).toContain("not cross-origin isolated");
    expect(why_not_wait()).toContain("await torch.webgpu.fetch(x)");
    expect(why_not_wait()).toContain("Cross-Origin-Opener-Policy: same-origin");
  });

  test("the main thread of a browser", () => {
    vi.stubGlobal("document", {});
    expect(why_not_wait()).toContain("in the main thread of a browser");
    expect(why_not_wait()).toContain("run this in a worker");
  });

  test("anywhere else one may", () => {
    expect(why_not_wait()).toBeNull();
  });
});
