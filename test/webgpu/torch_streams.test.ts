/** @file `torch.webgpu`'s streams and events: one queue, by PyTorch's names. */
import { afterAll, expect, test } from "vitest";
import { close_device } from "../../src/c10/webgpu/WebGPUFunctions.ts";
import torch, { webgpu } from "../../src/webgpu.ts";

afterAll(close_device);

test("there is one stream", () => {
  const stream = new webgpu.Stream();
  expect(String(stream)).toBe("<torch.webgpu.Stream device=webgpu:0>");
  for (const same of [
    new webgpu.Stream("webgpu:0", 1),
    new webgpu.Stream({ device: 0, priority: -1 }),
    webgpu.current_stream(),
    webgpu.default_stream("webgpu"),
    torch.accelerator.current_stream(),
  ])
    expect(stream.equals(same)).toBe(true);
  expect(stream.equals(new torch.Stream("cpu"))).toBe(false);
  expect([stream.stream_id, stream.device_index, String(stream.device)]).toEqual([0, 0, "webgpu:0"]);
});

test("work goes into it", () => {
  const stream = new webgpu.Stream();
  const x = torch.ones([1000], { device: "webgpu" });
  const sum = webgpu.stream(stream, () => x.add(x).sum());
  expect(webgpu.stream(null, () => 3)).toBe(3);
  webgpu.set_stream(stream);
  stream.wait_stream(webgpu.current_stream());
  stream.synchronize();
  expect(stream.query()).toBe(true);
  expect(stream.query()).toBe(true); // nothing came since
  const next = x.add(x);
  while (!stream.query());
  expect([sum.item(), next.sum().item()]).toEqual([2000, 2000]);
});

test("events", () => {
  const begin = new webgpu.Event({ enable_timing: true });
  const end = new webgpu.Event(true);
  expect(String(begin)).toBe("<torch.webgpu.Event uninitialized>");
  expect(begin.query()).toBe(true);
  begin.record();
  const x = torch.ones([1000], { device: "webgpu" });
  for (let k = 0; k < 10; k++) x.add_(x);
  end.record(webgpu.current_stream());
  end.wait();
  end.synchronize();
  expect(end.query()).toBe(true);
  expect(begin.elapsed_time(end)).toBeGreaterThanOrEqual(0);
  const recorded = new webgpu.Stream().record_event();
  expect(recorded).toBeInstanceOf(webgpu.Event);
  expect(String(recorded)).toMatch(/^<torch\.webgpu\.Event \d+>$/);
  expect(() => recorded.elapsed_time(end)).toThrow("enable_timing");
});

test("the device is current, and there is one", () => {
  expect(webgpu.device(0, () => webgpu.current_device())).toBe(0);
  expect(webgpu.device(null, () => 1)).toBe(1);
});
