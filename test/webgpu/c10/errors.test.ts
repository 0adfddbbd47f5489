/** @file An error on the device is thrown at the next synchronization, in PyTorch's words, soon; and then the next program runs. */
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { AcceleratorError, OutOfMemoryError } from "../../../src/c10/util/Exception.ts";
import type { ClientOptions, WebGPUClient } from "../../../src/c10/webgpu/client.ts";
import { set_webgpu_module } from "../../../src/c10/webgpu/find.ts";
import { Access, type KernelSource } from "../../../src/c10/webgpu/interface.ts";
import type { Memory } from "../../../src/c10/webgpu/memory.ts";
import { fill, MB, malloc, open_device, u32_of } from "../support/device.ts";

const SOON_MS = 5000; // a second where the machine is free

let devices: WebGPUClient[] = [];
set_webgpu_module(new URL("../support/losing_webgpu.mjs", import.meta.url).href);
const channel = new BroadcastChannel("webgpu-test");
afterAll(() => channel.close());
afterEach(() => {
  for (const device of devices) device.stop();
  devices = [];
});

function open(options: ClientOptions = {}): WebGPUClient {
  const device = open_device({ total_memory: 256 * MB, ...options });
  devices.push(device);
  return device;
}

/** The error that `fn` throws; it must throw soon. */
function thrown(fn: () => unknown): Error {
  const start = performance.now();
  try {
    fn();
  } catch (error) {
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

function works(device: WebGPUClient): void {
  const memory = malloc(device, 256);
  fill(device, memory, 12345);
  expect(u32_of(device, memory)).toEqual(new Uint32Array(64).fill(12345));
}

function kernel(body: string, name = "test::kernel"): KernelSource {
  return {
    name,
    code: `struct Params { offset: u32, limit: u32, assertion: u32 }
@group(0) @binding(0) var<uniform> p: Params;
@group(1) @binding(0) var<storage, read_write> m: array<u32>;
@group(1) @binding(1) var<storage, read_write> errors: array<atomic<u32>>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  ${body}
}`,
    slots: 2,
    written: 3,
    workgroup_size: [64, 1, 1],
  };
}

function launch(
  device: WebGPUClient,
  source: KernelSource,
  memory: Memory,
  limit: number,
  operator = "aten::index",
): void {
  const { launch } = device;
  launch.begin();
  const m = launch.operand(memory, 0, memory.nbytes, Access.read_write);
  launch.assertion_operand();
  launch.u32[0] = launch.offset(m);
  launch.u32[1] = limit;
  launch.u32[2] = device.assertion(operator);
  launch.run(device.register(source), 1, 1, 1, 3);
}

const BAD = kernel("let x = no_such_function(1);\n  m[0] = 1u;", "test::bad_kernel");

describe("a shader that does not compile", () => {
  test("is told with its line, column and kernel, and costs the other launches nothing", () => {
    const device = open();
    const [before, after] = [malloc(device, 256), malloc(device, 256)];
    fill(device, before, 1);
    launch(device, BAD, malloc(device, 256), 0);
    fill(device, after, 2);
    const error = thrown(() => device.synchronize("test"));
    expect(error).toBeInstanceOf(AcceleratorError);
    expect(error.message).toContain("WebGPU error: 6:11 unresolved call target 'no_such_function'");
    expect(error.message).toContain("in kernel test::bad_kernel");
    expect(error.message).toContain("WEBGPU_LAUNCH_BLOCKING=1");
    expect([u32_of(device, before)[0], u32_of(device, after)[63]]).toEqual([1, 2]);
    works(device);
  });

  test("is thrown by the launch itself under WEBGPU_LAUNCH_BLOCKING=1", () => {
    const device = open({ blocking: true });
    const memory = malloc(device, 256);
    expect(thrown(() => launch(device, BAD, memory, 0)).message).toContain("unresolved call target");
    works(device);
  });
});

describe("an index out of range", () => {
  const CHECKING = kernel(`
  if (id.x >= p.limit && atomicMax(&errors[0], 1u) == 0u) {
    atomicStore(&errors[1], p.assertion);
    atomicStore(&errors[2], id.x);
    atomicStore(&errors[3], p.limit);
  }`);

  test("is CUDA's device-side assertion, with operator, index and limit", () => {
    const device = open();
    const memory = malloc(device, 256);
    launch(device, CHECKING, memory, 64);
    device.synchronize("test");
    launch(device, CHECKING, memory, 63, "aten::gather");
    const error = thrown(() => u32_of(device, memory));
    expect(error).toBeInstanceOf(AcceleratorError);
    expect(error.message).toContain("WebGPU error: device-side assert triggered");
    expect(error.message).toContain("aten::gather: index 63 is out of bounds for dimension with size 63");
    device.synchronize("test"); // told once
    launch(device, CHECKING, memory, 64);
    works(device);
  });
});

describe("something that WebGPU refuses", () => {
  test("a workgroup that is too large", () => {
    const device = open();
    const source = { ...kernel("m[0] = 1u;"), workgroup_size: [4096, 1, 1] as const };
    const code = source.code.replace("@workgroup_size(64)", "@workgroup_size(4096)");
    launch(device, { ...source, code }, malloc(device, 256), 0);
    expect(thrown(() => device.synchronize("test")).message).toContain("WebGPU error:");
    works(device);
  });

  test("is found by the caller where it can be: grid, slots, copies beyond memory", () => {
    const device = open();
    const memory = malloc(device, 256);
    const { launch } = device;
    launch.begin();
    launch.operand(memory, 0, 256, Access.read_write);
    launch.assertion_operand();
    const id = device.register(kernel("m[0] = 1u;"));
    expect(() => launch.run(id, 65536, 1, 1, 0)).toThrow(
      "a grid of (65536, 1, 1) is larger than the device takes, 65535",
    );
    launch.begin();
    launch.operand(memory, 0, 256, Access.read_write);
    expect(() => launch.run(id, 1, 1, 1, 0)).toThrow("has 2 slots, written 3, and is launched with 1 slots, written 1");
    expect(() => device.copy_to_device(memory, 255, new Uint8Array(2))).toThrow("a copy reaches beyond its memory");
    works(device);
  });
});

describe("out of memory", () => {
  test("in CUDA's words, and what is there stays", () => {
    const device = open({ total_memory: 64 * MB });
    const memory = malloc(device, 256);
    fill(device, memory, 9);
    const error = thrown(() => device.allocate(2 ** 31));
    expect(error).toBeInstanceOf(OutOfMemoryError);
    expect(error.message).toContain(
      "WebGPU out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 64.00 MiB",
    );
    expect(u32_of(device, memory)[63]).toBe(9);
    works(device);
  });

  test("the device's own refusal is asked before: more is paged out", () => {
    const device = open({ total_memory: 64 * MB });
    const kept = Array.from({ length: 8 }, (_, i) => {
      const memory = malloc(device, 15 * MB);
      fill(device, memory, i);
      return memory;
    });
    expect(kept.map((memory) => u32_of(device, memory)[1000])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(device.allocator.stats.num_page_outs).toBeGreaterThan(3);
  });
});

describe("the end of the device", () => {
  test("a thread that ended is noticed, by whoever waits and by every call that follows", async () => {
    const device = open();
    const memory = malloc(device, 256);
    fill(device, memory, 1);
    device.synchronize("test"); // Dawn for Node ends the whole process if a thread ends while it compiles a kernel
    channel.postMessage("exit");
    await new Promise((resolve) => setTimeout(resolve, 200));
    const error = thrown(() => u32_of(device, memory));
    expect(error).toBeInstanceOf(AcceleratorError);
    expect(error.message).toBe("WebGPU error: the thread that serves the device has ended");
    for (const call of [() => device.allocate(4), () => fill(device, memory, 2), () => device.synchronize("test")])
      expect(thrown(call).message).toBe(error.message);
    works(open());
  });

  test("a thread that ends while it is waited for is noticed", () => {
    const device = open();
    const memory = malloc(device, 256);
    works(device);
    channel.postMessage("exit");
    expect(thrown(() => u32_of(device, memory)).message).toContain("the thread that serves the device has ended");
    works(open());
  });

  test("a lost device: why, at once and ever after; a reset opens another", async () => {
    const device = open();
    const memory = malloc(device, 256);
    fill(device, memory, 1);
    device.synchronize("test");
    channel.postMessage("destroy");
    await new Promise((resolve) => setTimeout(resolve, 200));
    const error = thrown(() => u32_of(device, memory));
    expect(error).toBeInstanceOf(AcceleratorError);
    expect(error.message).toMatch(/^WebGPU error: device lost \(destroyed: /);
    for (const call of [() => device.allocate(4), () => fill(device, memory, 2), () => device.synchronize("test")])
      expect(thrown(call).message).toBe(error.message);
    device.reset();
    expect(() => u32_of(device, memory)).toThrow("device memory was used after it was freed");
    expect(device.allocator.stats.allocated_bytes.all.current).toBe(0);
    works(device);
  });
});
