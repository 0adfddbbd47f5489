/**
 * @file The cost of a launch for its caller, and the time until a value arrives. `npm run bench` in this folder.
 *
 * Bursts stay below what the ring holds: a caller that waits for room would hide its own cost behind the server's.
 */
import type { WebGPUClient } from "../../src/c10/webgpu/client.ts";
import { Access } from "../../src/c10/webgpu/interface.ts";
import { fill, launch_affine, MB, malloc, open_device } from "./support/device.ts";
import { use_swiftshader } from "./support/swiftshader.ts";

const us = (ms: number): string => `${(ms * 1000).toFixed(2).padStart(9)} us`;

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

/** The best of several bursts of `n`, each finished before the next begins. */
function burst(device: WebGPUClient, name: string, n: number, fn: () => void): void {
  const [enqueue, done]: [number[], number[]] = [[], []];
  for (let round = 0; round < 30; round++) {
    device.synchronize("bench");
    const start = performance.now();
    for (let i = 0; i < n; i++) fn();
    enqueue.push((performance.now() - start) / n);
    device.synchronize("bench");
    done.push((performance.now() - start) / n);
  }
  const sorted = enqueue.sort((a, b) => a - b);
  const until = done.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(46)} best ${us(sorted[0])}   median ${us(quantile(sorted, 0.5))}   until done ${us(until[0])}`,
  );
}

function latency(name: string, fn: () => void): void {
  const times: number[] = [];
  for (let i = 0; i < 400; i++) {
    const start = performance.now();
    fn();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  console.log(`${name.padEnd(46)} p50  ${us(p50)}   p95    ${us(p95)}   max        ${us(times[times.length - 1])}`);
}

async function main(): Promise<void> {
  await use_swiftshader();
  const device = open_device({ total_memory: 256 * MB });
  console.log(`${device.properties.name}, Node ${process.versions.node}`);
  const [x, y] = [malloc(device, 16), malloc(device, 16)];
  fill(device, x, 1);
  launch_affine(device, y, x, 1, 1);
  device.synchronize("bench");

  const { launch } = device;
  const kernel = device.register({
    name: "bench::nothing",
    code: `@group(0) @binding(0) var<uniform> p: vec4<u32>;
@group(1) @binding(0) var<storage, read_write> m: array<u32>;
@compute @workgroup_size(1) fn main() { if (p.x == 1u) { m[0] = 1u; } }`,
    slots: 1,
    written: 1,
    workgroup_size: [1, 1, 1],
  });
  burst(device, "launch, one operand, 4 parameters", 2000, () => {
    launch.begin();
    launch.operand(y, 0, 16, Access.read_write);
    launch.run(kernel, 1, 1, 1, 4);
  });
  burst(device, "launch, two operands, 6 parameters, layout", 2000, () => launch_affine(device, y, x, 1, 1));
  burst(device, "allocate 16 bytes", 2000, () => void device.allocate(16));
  burst(device, "allocate 16 bytes, and a launch into it", 2000, () =>
    launch_affine(device, malloc(device, 16), x, 1, 1),
  );
  burst(device, "copy 16 bytes to the device", 1000, () => device.copy_to_device(x, 0, new Uint8Array(16)));

  const four = new Uint8Array(4);
  latency("read 4 bytes, nothing pending", () => device.copy_from_device(four, y, 0, "bench"));
  latency("launch and read 4 bytes", () => {
    launch_affine(device, y, x, 1, 1);
    device.copy_from_device(four, y, 0, "bench");
  });
  latency("synchronize, nothing pending", () => device.synchronize("bench"));
  for (const mb of [1, 16]) {
    const memory = malloc(device, mb * MB);
    const bytes = new Uint8Array(mb * MB);
    latency(`${mb} MB to the device and wait`, () => {
      device.copy_to_device(memory, 0, bytes);
      device.synchronize("bench");
    });
    latency(`${mb} MB from the device`, () => device.copy_from_device(bytes, memory, 0, "bench"));
  }
  device.stop();
}

void main();
