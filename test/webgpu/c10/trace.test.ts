/** @file The events of the device in a recording: launches, submissions, waits, memory, and the device's own times, joined. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WebGPUClient } from "../../../src/c10/webgpu/client.ts";
import { record, type Trace, type TraceEvent, toChrome } from "../../../src/trace/index.ts";
import { fill, launch_affine, MB, malloc, open_device, u32_of } from "../support/device.ts";

let device: WebGPUClient;
beforeAll(() => {
  device = open_device({ total_memory: 64 * MB });
});
afterAll(() => device.stop());

const launches = (trace: Trace): TraceEvent[] => trace.events.filter((event) => event["grid"] !== undefined);

test("a launch: kernel, grid, workgroup, buffers with their ranges and access, bytes, and its text once", () => {
  const [x, y] = [malloc(device, 1024), malloc(device, 1024)];
  const trace = record(() => {
    fill(device, x, 5);
    launch_affine(device, y, x, 2, 1);
    launch_affine(device, y, x, 2, 1);
  });
  const [, second, third] = launches(trace);
  expect(second).toMatchObject({
    kind: "device",
    name: "test::affine",
    device: "webgpu:0",
    stream: 0,
    grid: [4, 1, 1],
    workgroup_size: [64, 1, 1],
    invocations: 256,
    bytes_read: 1024,
    bytes_written: 1024,
    buffers: [
      { segment: 1, slot: 0, offset: x.begin, nbytes: 1024, access: "read" },
      { segment: 1, slot: 0, offset: y.begin, nbytes: 1024, access: "write" },
    ],
  });
  expect(third["correlation"]).toBe((second["correlation"] as number) + 1);
  const texts = trace.named("webgpu::kernel");
  expect(texts.map((event) => event["text"])).toEqual([second["text"]]);
  expect(texts[0]["wgsl"]).toContain("p.factor + p.summand");
});

test("a recording waits for the device, and has its times; each belongs to a launch, in order, one after the other", () => {
  const x = malloc(device, 4096);
  const trace = record(() => {
    for (let i = 0; i < 100; i++) launch_affine(device, x, x, 1, 1);
  });
  const wait = trace.named("c10::webgpu::synchronize");
  expect(wait.map((event) => event["who"])).toEqual(["record"]);
  expect(wait[0].end).toBeGreaterThan(wait[0].start);
  const times = trace.named("webgpu::device_time");
  expect(times.map((event) => event["correlation"])).toEqual(launches(trace).map((event) => event["correlation"]));
  let last = 0;
  for (const time of times) {
    expect(time["begin_ns"]).toBeGreaterThanOrEqual(last);
    expect(time["end_ns"]).toBeGreaterThanOrEqual(time["begin_ns"] as number);
    last = time["end_ns"] as number;
  }
  const submits = trace.named("webgpu::submit");
  const sum = submits.reduce((n, event) => n + (event["launches"] as number), 0);
  expect(sum).toBe(100);
  expect(submits.every((event) => (event["launches"] as number) <= 64)).toBe(true);
  expect(submits.at(-1)?.["reason"]).toMatch(/sync|idle|full/);
  expect(new Set(times.map((event) => event["batch"])).size).toBe(submits.length);
});

test("who waits for a value, and what memory did", () => {
  const trace = record(() => {
    const x = malloc(device, 3 * MB);
    fill(device, x, 1);
    u32_of(device, x);
    device.allocator.free(x);
    device.allocator.emptyCache();
  });
  expect(trace.named("c10::webgpu::synchronize")[0]["who"]).toBe("test");
  // What earlier tests dropped may be found and given back meanwhile: this memory is alone in its segment.
  const memory = trace.events.filter((event) => event.kind === "memory");
  const { segment } = memory.find((event) => event.name.endsWith("::segment_alloc")) as TraceEvent;
  const told = memory.filter((event) => event["segment"] === segment).map((event) => event.name.split("::").at(-1));
  expect(told).toEqual(["segment_alloc", "malloc", "free", "segment_free"]);
});

test("in Chrome's form the device has a lane a stream, and arrows lead to it", () => {
  const x = malloc(device, 4096);
  const trace = record(() => {
    fill(device, x, 1);
    fill(device, x, 2);
  });
  const { traceEvents } = toChrome(trace) as { traceEvents: Record<string, unknown>[] };
  const runs = traceEvents.filter((event) => event["cat"] === "kernel");
  expect(runs.map((event) => [event["name"], event["pid"], event["tid"]])).toEqual([
    ["test::affine", 0, 0],
    ["test::affine", 0, 0],
  ]);
  expect(traceEvents).toContainEqual({
    name: "thread_name",
    ph: "M",
    ts: 0,
    pid: 0,
    tid: 0,
    args: { name: "stream 0" },
  });
  const arrows = traceEvents.filter((event) => event["cat"] === "ac2g");
  expect(arrows.map((event) => event["ph"])).toEqual(["s", "f", "s", "f"]);
  for (const run of runs) {
    const launch = launches(trace).find((event) => event["correlation"] === (run["args"] as TraceEvent)["correlation"]);
    expect(run["ts"]).toBeGreaterThanOrEqual(launch?.start as number);
  }
});

test("timed events tell milliseconds between two places of the queue", () => {
  const x = malloc(device, 65536);
  const start = performance.now();
  const begin = device.record_event(true);
  for (let i = 0; i < 20; i++) launch_affine(device, x, x, 1, 1);
  const end = device.record_event(true);
  expect(end).toBeGreaterThan(begin);
  device.wait_for_event(end);
  expect([begin, end].map((event) => device.event_is_done(event))).toEqual([true, true]);
  const ms = device.elapsed_time(begin, end);
  expect(ms).toBeGreaterThan(0);
  expect(ms).toBeLessThan(performance.now() - start);
  expect(() => device.elapsed_time(begin, device.record_event(false))).toThrow(
    "Both events must be recorded with timing",
  );
});

test("without a recording nothing is timed", () => {
  const x = malloc(device, 4096);
  record(() => fill(device, x, 1));
  fill(device, x, 2);
  device.synchronize("test");
  const trace = record(() => device.synchronize("test"));
  expect(trace.named("webgpu::device_time")).toEqual([]);
});
