/** @file The program's one device: found, opened when it is needed, and why there is none where there is none. */
import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import { find_module, set_webgpu_module } from "../../../src/c10/webgpu/find.ts";
import * as webgpu from "../../../src/c10/webgpu/WebGPUFunctions.ts";
import { fill, malloc, u32_of } from "../support/device.ts";

const module = find_module();
const cwd = process.cwd();

afterEach(() => {
  webgpu.close_device();
  set_webgpu_module(module);
  process.chdir(cwd);
});

test("it is opened when it is first needed, and once", () => {
  expect(webgpu.is_initialized()).toBe(false);
  const device = webgpu.get_device();
  expect(webgpu.is_initialized()).toBe(true);
  expect(webgpu.get_device()).toBe(device);
  expect([webgpu.device_count(), webgpu.current_device()]).toEqual([1, 0]);
  expect(() => webgpu.set_device(1)).toThrow("WebGPU has one device, number 0, and not 1");
  expect(device.properties.name).not.toBe("");
  const memory = malloc(device, 64);
  fill(device, memory, 8);
  webgpu.device_synchronize();
  expect(u32_of(device, memory)[15]).toBe(8);
});

test("once closed, the next one is another", async () => {
  const device = webgpu.get_device();
  webgpu.close_device();
  expect(await webgpu.open_device()).not.toBe(device);
  expect(webgpu.device_count()).toBe(1);
});

test.each(["exit", "destroy"])("a device that is gone (%s) is opened again; its tensors are lost", async (how) => {
  set_webgpu_module(new URL("../support/losing_webgpu.mjs", import.meta.url).href);
  const channel = new BroadcastChannel("webgpu-test");
  try {
    const device = webgpu.get_device();
    const memory = malloc(device, 64);
    fill(device, memory, 8);
    device.synchronize("test");
    channel.postMessage(how);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(() => u32_of(device, memory)).toThrow(how === "exit" ? "has ended" : "device lost");
    expect(() => webgpu.device_synchronize()).toThrow();
    const next = await webgpu.open_device();
    expect(next).not.toBe(device);
    expect(() => u32_of(next, memory)).toThrow("device memory was used after it was freed");
    const other = malloc(next, 64);
    fill(next, other, 9);
    expect(u32_of(next, other)[15]).toBe(9);
  } finally {
    channel.close();
  }
});

test("Node's package is looked for beside the program", () => {
  set_webgpu_module(null);
  process.chdir(new URL("../", import.meta.url).pathname);
  expect(find_module()).toContain("/node_modules/webgpu/");
  process.chdir(tmpdir());
  expect(() => webgpu.get_device()).toThrow("Install the package `webgpu` (npm install webgpu) beside your program.");
  expect(webgpu.device_count()).toBe(0);
});

test("a package that cannot be loaded is named", () => {
  set_webgpu_module("/no/such/webgpu.mjs");
  expect(() => webgpu.get_device()).toThrow("/no/such/webgpu.mjs");
  expect(webgpu.device_count()).toBe(0);
});
