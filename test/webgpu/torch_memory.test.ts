/** @file `torch.webgpu`'s own counts: those of the accelerator, by PyTorch's names for a device. */
import { afterAll, expect, test } from "vitest";
import { close_device } from "../../src/c10/webgpu/WebGPUFunctions.ts";
import torch, { webgpu } from "../../src/webgpu.ts";

afterAll(close_device);

test("bytes of tensors, their peak, and the device's", () => {
  webgpu.init();
  const before = webgpu.memory_allocated();
  const x = torch.ones([1000], { device: "webgpu" });
  expect(webgpu.memory_allocated() - before).toBe(4096); // whole blocks of 512 bytes
  expect(webgpu.memory_allocated("webgpu:0")).toBe(webgpu.memory_stats()["allocated_bytes.all.current"]);
  expect(webgpu.max_memory_allocated()).toBeGreaterThanOrEqual(webgpu.memory_allocated());
  expect(webgpu.memory_reserved()).toBeGreaterThanOrEqual(webgpu.memory_allocated());
  const [free, total] = webgpu.mem_get_info();
  expect(free).toBeLessThanOrEqual(total);
  expect(total).toBe(webgpu.get_device_properties().total_memory);
  expect(() => webgpu.memory_allocated("cpu")).toThrow("cpu doesn't match the current accelerator webgpu");
  expect(x.sum().item()).toBe(1000);
});

test("a peak from now on", () => {
  webgpu.reset_peak_memory_stats();
  expect(webgpu.max_memory_allocated()).toBe(webgpu.memory_allocated());
});

test("a table", () => {
  const x = torch.ones([1000], { device: "webgpu" });
  const text = webgpu.memory_summary();
  const kib = Math.floor(webgpu.memory_allocated() / (webgpu.memory_allocated() < 768 * 1024 ? 1 : 1024));
  expect(text).toContain("PyTorch WebGPU memory summary, device ID 0");
  expect(text).toMatch(new RegExp(`\\| Allocated memory +\\| +${kib} `));
  expect(webgpu.memory_summary("webgpu", true).split("\n").length).toBeLessThan(text.split("\n").length);
  expect(x.shape).toEqual([1000]);
});
